//! The words of the driver protocol `fathom.driver/1`; the normative text is
//! `docs/driver-protocol.md`.

use serde::{Deserialize, Serialize};

use super::limits::{MOST_NAMES, MOST_OUTPUTS, MOST_SAMPLES, MOST_SCHEMES, bounded};

pub use super::encoding::Encoding;
pub use super::protocol_numbers::Numbers;
pub use super::protocol_params::{
    Character, ParamsInfo, ParamsRequest, Prepare, Prepared, Purpose,
};
pub use super::protocol_torus::{Bootstraps, TorusInfo, TorusKey, Variance};

/// Name and version of the protocol, as `hello` answers it.
pub const PROTOCOL: &str = "fathom.driver/1";

/// One line to the driver.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// Chosen by the harness; the reply repeats it.
    pub id: u64,
    /// What is asked.
    #[serde(flatten)]
    pub verb: Verb,
}

/// What the harness can ask of a driver.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "snake_case")]
pub enum Verb {
    /// Who are you? Answered by [`Hello`].
    Hello,
    /// What can you do? Answered by [`Capabilities`].
    Capabilities,
    /// Choose parameters. Answered by [`Prepared`].
    Prepare(Prepare),
    /// Make keys. Answered by [`Keys`].
    Keygen(Keygen),
    /// Encrypt one vector. Answered by [`Encrypted`].
    Encrypt(Encrypt),
    /// Encode one vector. Answered by [`Encoded`].
    Plaintext(Plaintext),
    /// Time one operation. Answered by [`Timed`].
    Run(Run),
    /// Decrypt and decode. Answered by [`Decrypted`].
    Decrypt(Decrypt),
    /// Noise of one ciphertext. Answered by [`Noise`].
    Noise(OfCiphertext),
    /// Forget handles.
    Drop {
        /// Handles of one or more sessions; unknown ones are a `bad_request`.
        handles: Vec<Handle>,
    },
    /// End: the driver answers and exits.
    Bye,
}

/// Names a ciphertext or a plaintext held by the driver; never reused.
pub type Handle = u64;

/// Why a driver refused, in the field `error` of a reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Refusal {
    /// The kind, for programs.
    pub code: Code,
    /// One or two sentences for a person, with the numbers.
    pub message: String,
    /// The numbers again, for programs; any JSON object, or null.
    #[serde(default)]
    pub details: serde_json::Value,
}

impl Refusal {
    /// A refusal without details.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: serde_json::Value::Null }
    }

    /// The library does not have what was asked for.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(Code::Unsupported, message)
    }
}

/// The kinds of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The operation could push the noise past the limit of correct decryption.
    NoiseExhausted,
    /// The library has no such scheme, parameters, operation or measure.
    Unsupported,
    /// The request is malformed or out of order.
    BadRequest,
    /// The parameters are below the security asked for.
    Insecure,
    /// A fault of the driver or its library.
    Internal,
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoiseExhausted => "noise_exhausted",
            Self::Unsupported => "unsupported",
            Self::BadRequest => "bad_request",
            Self::Insecure => "insecure",
            Self::Internal => "internal",
        })
    }
}

/// Reply to `hello`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// [`PROTOCOL`].
    pub protocol: String,
    /// The library behind the driver.
    pub library: LibraryInfo,
}

/// What is measured, as the records carry it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryInfo {
    /// Short lower-case name, first part of every case id.
    pub name: String,
    /// Version of the library.
    pub version: String,
    /// Compiler and the flags that matter.
    pub build: String,
    /// Instruction set that the library chose on this machine.
    pub isa_used: String,
}

/// Reply to `capabilities`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capabilities {
    /// One entry a scheme.
    #[serde(deserialize_with = "bounded::<_, _, MOST_SCHEMES>")]
    pub schemes: Vec<SchemeInfo>,
}

/// What a library can do in one scheme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchemeInfo {
    /// Scheme name, such as `bfv`.
    pub scheme: String,
    /// Names of its parameter presets.
    #[serde(deserialize_with = "bounded::<_, _, MOST_NAMES>")]
    pub params: Vec<String>,
    /// Names of its operations.
    #[serde(deserialize_with = "bounded::<_, _, MOST_NAMES>")]
    pub ops: Vec<String>,
}

/// Request `keygen`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Keygen {
    /// The session.
    pub session: u64,
    /// Row rotations for which keys are wanted, in steps to the left.
    #[serde(default)]
    pub rotations: Vec<i64>,
    /// 1 if the key that swaps the two rows of slots is wanted too.
    #[serde(default)]
    pub row_swap: u8,
    /// How many times; fresh keys each time, the last set stays.
    #[serde(default = "one")]
    pub reps: usize,
}

/// Reply to `keygen`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keys {
    /// Nanoseconds for secret, public and relinearisation key, one sample a repetition.
    #[serde(deserialize_with = "bounded::<_, _, MOST_SAMPLES>")]
    pub samples_ns: Vec<u64>,
    /// Nanoseconds for all rotation keys, one sample a repetition.
    #[serde(deserialize_with = "bounded::<_, _, MOST_SAMPLES>")]
    pub rotate_samples_ns: Vec<u64>,
    /// Serialized sizes.
    pub bytes: KeyBytes,
}

/// Serialized sizes of the keys, in bytes.
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
    /// The key under which bootstraps run, as it is sent.
    #[serde(default)]
    pub bootstrapping: u64,
    /// The same key in memory, ready for use.
    #[serde(default)]
    pub bootstrapping_memory: u64,
}

/// Which key encrypts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyKind {
    /// The secret key.
    Sk,
    /// The public key.
    Pk,
}

/// Request `encrypt`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Encrypt {
    /// The session.
    pub session: u64,
    /// Values, reduced by the driver; those missing at the end are 0.
    pub values: Numbers,
    /// Which key.
    pub mode: KeyKind,
    /// How the values are laid out.
    #[serde(default)]
    pub encoding: Encoding,
    /// Level of the result, top level if absent.
    #[serde(default)]
    pub level: Option<u32>,
}

/// Reply to `encrypt`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Encrypted {
    /// The ciphertext.
    pub ct: Handle,
    /// Its sizes.
    pub bytes: CiphertextBytes,
    /// Its noise budget as the library tracks it, null if it does not.
    pub noise_budget_bits: Option<f64>,
}

/// Sizes of one ciphertext, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CiphertextBytes {
    /// Length of its smallest complete serialization without a seed.
    pub packed: u64,
    /// Length with the uniform half replaced by its seed, null where that cannot be.
    pub seeded: Option<u64>,
    /// What theory says of `packed`: polynomials x degree x log2(modulus) / 8, headers left out.
    pub theory: u64,
}

/// Request `plaintext`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plaintext {
    /// The session.
    pub session: u64,
    /// Values, as for `encrypt`.
    pub values: Numbers,
    /// How the values are laid out.
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
    /// The session.
    pub session: u64,
    /// Name of the operation.
    pub op: String,
    /// Its arguments: `steps` for `rotate`, `coefficients` for `polynomial`.
    #[serde(default)]
    pub args: Args,
    /// Input sets, each the operands of one call; calls rotate through them.
    pub inputs: Vec<Vec<Handle>>,
    /// Calls before the first sample, not timed.
    #[serde(default)]
    pub warmup: usize,
    /// Calls in a sample, of each thread; at least 1.
    #[serde(default = "one")]
    pub iterations: usize,
    /// Samples wanted; at least 1.
    #[serde(default = "one")]
    pub samples: usize,
    /// No further sample starts once this long was spent on samples.
    #[serde(default)]
    pub budget_ns: Option<u64>,
}

/// Arguments of an operation; each operation reads those it knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Args {
    /// Steps to the left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<i64>,
    /// Polynomial, constant coefficient first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coefficients: Option<Vec<i64>>,
}

/// Reply to `run`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timed {
    /// One a sample: nanoseconds for `iterations` calls on each thread.
    #[serde(deserialize_with = "bounded::<_, _, MOST_SAMPLES>")]
    pub samples_ns: Vec<u64>,
    /// As asked.
    pub iterations: usize,
    /// Processor time of the samples over all threads, null where the system does not tell.
    pub cpu_ns: Option<u64>,
    /// Times the scheduler took the processor away during the samples, null if not known.
    pub involuntary_switches: Option<u64>,
    /// One an input set: what its last call gave, null if it had none.
    #[serde(deserialize_with = "bounded::<_, _, MOST_OUTPUTS>")]
    pub outputs: Vec<Option<Handle>>,
    /// Serialized size of the first output.
    pub bytes_out: u64,
    /// What theory says of it; absent where theory says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theory_out: Option<u64>,
    /// Level of the first output, null where the scheme or the output has none.
    pub level: Option<u32>,
    /// Noise of the first input set and of its output.
    pub noise_budget_bits: NoiseStep,
    /// Bootstraps of one call, null where the library does not count any.
    #[serde(default)]
    pub bootstraps: Option<Bootstraps>,
    /// Noise of the outputs, null where it is not measured as a variance.
    #[serde(default)]
    pub variance: Option<Variance>,
}

/// Noise budget in bits around an operation; null where not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NoiseStep {
    /// Measured with the secret key, worst input.
    pub before: Option<f64>,
    /// Measured with the secret key, of the output.
    pub after: Option<f64>,
    /// What the library's public bound says of the output.
    pub predicted_after: Option<f64>,
}

/// Request `decrypt`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Decrypt {
    /// The session.
    pub session: u64,
    /// A ciphertext, or a plaintext, which is only decoded.
    pub ct: Handle,
    /// How the values are laid out.
    #[serde(default)]
    pub encoding: Encoding,
}

/// Reply to `decrypt`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decrypted {
    /// All values, each congruent to the result modulo the plaintext modulus, or near to it in an
    /// approximate scheme.
    pub values: Numbers,
}

/// Request `noise`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct OfCiphertext {
    /// The session.
    pub session: u64,
    /// The ciphertext.
    pub ct: Handle,
}

/// Reply to `noise`: budgets in bits, null where not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// With the secret key.
    pub measured_budget_bits: Option<f64>,
    /// What the ciphertext carries.
    pub tracked_budget_bits: Option<f64>,
}

pub(super) fn one() -> usize {
    1
}
