//! Requests and their replies, except those about parameters.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::encoding::Encoding;
use super::params::Prepare;
use super::torus::{Bootstraps, Variance};
use super::values::Numbers;
use crate::limits::{
    MOST_NAMES, MOST_OUTPUTS, MOST_PUBLISHED, MOST_SAMPLES, MOST_SCHEMES, bounded,
};

/// A request: one line to the driver.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// Number chosen by the harness; the reply repeats it.
    pub id: u64,
    /// The request itself.
    #[serde(flatten)]
    pub verb: Verb,
}

/// The requests of the protocol.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "snake_case")]
pub enum Verb {
    /// Asks for the library's name, version, schemes and operations. Answered by [`Hello`].
    Hello,
    /// Chooses parameters. Answered by [`Prepared`](super::params::Prepared).
    Prepare(Prepare),
    /// Generates keys. Answered by [`Keys`].
    Keygen(Keygen),
    /// Encrypts one vector. Answered by [`Encrypted`].
    Encrypt(Encrypt),
    /// Encodes one vector. Answered by [`Encoded`].
    Plaintext(Plaintext),
    /// Times one operation. Answered by [`Timed`].
    Run(Run),
    /// Decrypts and decodes. Answered by [`Decrypted`].
    Decrypt(Decrypt),
    /// Measures the noise of one ciphertext. Answered by [`Noise`].
    Noise(OfCiphertext),
    /// Drops handles.
    Drop {
        /// Handles of one or more sessions; unknown ones are a `bad_request`.
        handles: Vec<Handle>,
    },
    /// Ends the driver, which answers and exits.
    Bye,
}

/// Number of a ciphertext or plaintext that the driver holds; never reused.
pub type Handle = u64;

/// Reply to `hello`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// Version of the protocol; [`PROTOCOL`](super::PROTOCOL).
    pub protocol: String,
    /// The library behind the driver.
    pub library: LibraryInfo,
    /// The schemes that the library offers, one entry each; empty in other versions of the
    /// protocol.
    #[serde(default, deserialize_with = "bounded::<_, _, MOST_SCHEMES>")]
    pub schemes: Vec<SchemeInfo>,
}

/// Description of a library, as in the records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryInfo {
    /// Short lower-case name, the first part of every case id.
    pub name: String,
    /// Version of the library.
    pub version: String,
    /// Compiler and relevant flags.
    pub build: String,
    /// Instruction set that the library selected on this machine.
    pub isa_used: String,
}

/// Presets and operations of a library in one scheme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchemeInfo {
    /// Scheme name, such as `bfv`.
    pub scheme: String,
    /// Names of the scheme's parameter presets.
    #[serde(deserialize_with = "bounded::<_, _, MOST_NAMES>")]
    pub params: Vec<String>,
    /// Names of the operations that the library supports in the scheme.
    #[serde(deserialize_with = "bounded::<_, _, MOST_NAMES>")]
    pub ops: Vec<String>,
}

impl fmt::Display for SchemeInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} operations)", self.scheme, self.ops.len())
    }
}

/// Request `keygen`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Keygen {
    /// The number of the session.
    pub session: u64,
    /// Row rotations for which keys are requested, in steps to the left.
    #[serde(default)]
    pub rotations: Vec<i64>,
    /// 1 to request the key that swaps the two rows of slots as well.
    #[serde(default)]
    pub row_swap: u8,
    /// Number of repetitions, each with fresh keys; the last set is kept.
    #[serde(default = "one")]
    pub reps: usize,
}

/// Reply to `keygen`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keys {
    /// Nanoseconds for secret, public and relinearisation key, one sample per repetition.
    #[serde(deserialize_with = "bounded::<_, _, MOST_SAMPLES>")]
    pub samples_ns: Vec<u64>,
    /// Nanoseconds for all rotation keys, one sample per repetition.
    #[serde(deserialize_with = "bounded::<_, _, MOST_SAMPLES>")]
    pub rotate_samples_ns: Vec<u64>,
    /// Serialised sizes.
    pub bytes: KeyBytes,
    /// All published keys of a set that can be bootstrapped; empty for other sets.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "bounded::<_, _, MOST_PUBLISHED>"
    )]
    pub published: Vec<PublishedKeys>,
}

/// Keys that are published under one secret and modulo one modulus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublishedKeys {
    /// The purpose of the keys, as text for people.
    pub purpose: String,
    /// Distribution of the secret that they are encrypted under, as in the reply to `prepare`.
    pub secret: String,
    /// log2 of the modulus, special primes included.
    pub log_q: f64,
}

/// Serialised sizes of the keys, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyBytes {
    /// Secret key.
    pub sk: u64,
    /// Public encryption key.
    pub pk: u64,
    /// Relinearisation key.
    pub relin: u64,
    /// All rotation keys together.
    pub galois: u64,
    /// Bootstrapping key, serialised.
    #[serde(default)]
    pub bootstrapping: u64,
    /// Bootstrapping key in memory, ready for use.
    #[serde(default)]
    pub bootstrapping_memory: u64,
}

/// Key that encrypts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyKind {
    /// The secret key.
    Sk,
    /// The public key.
    Pk,
}

impl KeyKind {
    /// Returns the word used in messages and records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sk => "sk",
            Self::Pk => "pk",
        }
    }
}

/// Request `encrypt`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Encrypt {
    /// The number of the session.
    pub session: u64,
    /// Values, reduced by the driver; missing values at the end are 0.
    pub values: Numbers,
    /// Key that encrypts.
    pub mode: KeyKind,
    /// Layout of the values.
    #[serde(default)]
    pub encoding: Encoding,
    /// Level of the result; the top level if absent.
    #[serde(default)]
    pub level: Option<u32>,
}

/// Reply to `encrypt`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Encrypted {
    /// The ciphertext.
    pub ct: Handle,
    /// Sizes of the ciphertext.
    pub bytes: CiphertextBytes,
    /// Noise budget as the library tracks it; null if it does not.
    pub noise_budget_bits: Option<f64>,
}

/// Sizes of one ciphertext, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CiphertextBytes {
    /// Length of the smallest complete serialisation without a seed.
    pub packed: u64,
    /// Length with the uniform polynomial replaced by its seed; null if that is impossible.
    pub seeded: Option<u64>,
    /// Theoretical size of `packed`: polynomials x degree x log2(modulus) / 8, without headers.
    pub theory: u64,
}

/// Request `plaintext`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plaintext {
    /// The number of the session.
    pub session: u64,
    /// Values, as for `encrypt`.
    pub values: Numbers,
    /// Layout of the values.
    #[serde(default)]
    pub encoding: Encoding,
}

/// Reply to `plaintext`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Encoded {
    /// The plaintext.
    pub pt: Handle,
}

/// Request `run`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// The number of the session.
    pub session: u64,
    /// Name of the operation.
    pub op: String,
    /// Arguments of the operation: `steps` for `rotate`, `coefficients` for `polynomial`.
    #[serde(default)]
    pub args: Args,
    /// Input sets, each the operands of one call; calls rotate through them.
    pub inputs: Vec<Vec<Handle>>,
    /// Calls before the first sample, not timed.
    #[serde(default)]
    pub warmup: usize,
    /// Calls of each thread in a sample; at least 1.
    #[serde(default = "one")]
    pub iterations: usize,
    /// Number of samples requested; at least 1.
    #[serde(default = "one")]
    pub samples: usize,
    /// Time spent on samples after which no further sample starts.
    #[serde(default)]
    pub budget_ns: Option<u64>,
}

/// Arguments of an operation; each operation uses those that it knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Args {
    /// Steps to the left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<i64>,
    /// Number of terms of an inner product.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<usize>,
    /// Coefficients of the polynomial, the constant one first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coefficients: Option<Vec<i64>>,
}

/// Reply to `run`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timed {
    /// Nanoseconds for `iterations` calls on each thread, one entry per sample.
    #[serde(deserialize_with = "bounded::<_, _, MOST_SAMPLES>")]
    pub samples_ns: Vec<u64>,
    /// Calls in a sample, as requested.
    pub iterations: usize,
    /// Processor time of the samples over all threads; null if unknown.
    pub cpu_ns: Option<u64>,
    /// Number of involuntary context switches during the samples; null if unknown.
    pub involuntary_switches: Option<u64>,
    /// Result of the last call on each input set; null if it had none.
    #[serde(deserialize_with = "bounded::<_, _, MOST_OUTPUTS>")]
    pub outputs: Vec<Option<Handle>>,
    /// Serialised size of the first output.
    pub bytes_out: u64,
    /// Theoretical size of the first output; absent if there is no formula.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theory_out: Option<u64>,
    /// Level of the first output; null if the scheme or the output has none.
    pub level: Option<u32>,
    /// Noise budget of the first input set and of its output.
    pub noise_budget_bits: NoiseStep,
    /// Bootstraps of one call; null if the library does not count them.
    #[serde(default)]
    pub bootstraps: Option<Bootstraps>,
    /// Noise variance of the outputs; null if it is not measured.
    #[serde(default)]
    pub variance: Option<Variance>,
}

/// Noise budget in bits before and after an operation; null if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NoiseStep {
    /// Budget of the worst input, measured with the secret key.
    pub before: Option<f64>,
    /// Budget of the output, measured with the secret key.
    pub after: Option<f64>,
    /// Budget of the output by the library's public noise bound.
    pub predicted_after: Option<f64>,
}

/// Request `decrypt`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Decrypt {
    /// The number of the session.
    pub session: u64,
    /// A ciphertext, or a plaintext, which is only decoded.
    pub ct: Handle,
    /// Layout of the values.
    #[serde(default)]
    pub encoding: Encoding,
}

/// Reply to `decrypt`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decrypted {
    /// All values, each congruent to the result modulo the plaintext modulus, or close to it in an
    /// approximate scheme.
    pub values: Numbers,
}

/// Request `noise`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct OfCiphertext {
    /// The number of the session.
    pub session: u64,
    /// The ciphertext.
    pub ct: Handle,
}

/// Reply to `noise`: budgets in bits; null if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// Budget measured with the secret key.
    pub measured_budget_bits: Option<f64>,
    /// Budget by the bound that the ciphertext carries.
    pub tracked_budget_bits: Option<f64>,
}

fn one() -> usize {
    1
}
