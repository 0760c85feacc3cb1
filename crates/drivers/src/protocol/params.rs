//! Messages of the protocol that choose and describe parameters.

use serde::{Deserialize, Serialize};

use super::torus::TorusInfo;
use crate::scheme::SchemeKind;

/// Request `prepare`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Prepare {
    /// Scheme name.
    pub scheme: String,
    /// The requested parameters.
    pub params: ParamsRequest,
    /// Number of parallel operations of `run`, each thread with its own inputs; at least 1.
    #[serde(default = "one")]
    pub threads: usize,
    /// Number of threads that one operation may use; at least 1.
    #[serde(default = "one")]
    pub op_threads: usize,
    /// Seed of a reproducible session, whose keys are not secret; null for secure randomness.
    #[serde(default)]
    pub seed: Option<u64>,
}

/// Parameters by name or by purpose.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ParamsRequest {
    /// One of the presets that `hello` lists.
    Preset {
        /// Name of the preset.
        preset: String,
    },
    /// Parameters that the library's own generator or table gives for a purpose.
    For(Purpose),
}

/// A purpose of parameters. Without `n` and `defaults` the library chooses the smallest ring that
/// supports the purpose at the given security.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Purpose {
    /// Number of consecutive multiplications of full vectors.
    pub depth: u32,
    /// Plaintext modulus of an exact scheme.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plain_modulus: Option<u64>,
    /// log2 of the scale of an approximate scheme. A library with one fixed scale answers with it
    /// if it is at least as large, and refuses otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_bits: Option<u32>,
    /// Bits behind the point that an approximate scheme keeps through the multiplications, in place
    /// of a scale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision_bits: Option<u32>,
    /// Security level in bits.
    pub security: u32,
    /// Required ring degree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<usize>,
    /// True to request the library's own default or example parameters for the depth.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub defaults: bool,
}

/// Reply to `prepare`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prepared {
    /// Number of the session in later requests.
    pub session: u64,
    /// The chosen parameters.
    pub params: ParamsInfo,
}

/// Parameters of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParamsInfo {
    /// Preset name, or a name that the library derives from the parameters.
    pub name: String,
    /// Ring degree.
    pub n: usize,
    /// log2 of the ciphertext modulus.
    pub log_q: f64,
    /// log2 of the largest modulus published under the key.
    pub log_qp: f64,
    /// Plaintext modulus; 0, or absent, in an approximate scheme and in one of wide integers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub plain_modulus: u64,
    /// log2 of the scale of an approximate scheme; absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_bits: Option<f64>,
    /// Bits of the integers that cases encrypt, in a scheme of wide integers, whose results
    /// are taken modulo 2^256; absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub word_bits: Option<u32>,
    /// Number of values in one ciphertext.
    pub slots: usize,
    /// Levels of the modulus chain.
    pub levels: u32,
    /// Distribution of the secret: `ternary`, `sparse_ternary:<weight>` or `gaussian`.
    pub secret: String,
    /// Standard deviation of the error.
    pub sigma: f64,
    /// Number of consecutive multiplications that the library guarantees.
    pub depth: u32,
    /// log2 of the probability that a ciphertext within its noise bound decrypts wrongly; absent if
    /// unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_fail_log2: Option<f64>,
    /// Explanation of the choice, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// Properties of a scheme whose security the testbed cannot estimate; absent for schemes based
    /// on lattices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub character: Option<Character>,
    /// The keys of a torus scheme; absent for other schemes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torus: Option<TorusInfo>,
}

impl ParamsInfo {
    /// Returns the kind of the scheme's values, as the fields that are present imply it.
    pub fn kind(&self) -> SchemeKind {
        if self.torus.is_some() {
            SchemeKind::Torus
        } else if self.character.is_some() {
            SchemeKind::Scalars
        } else if self.scale_bits.is_some() {
            SchemeKind::Reals
        } else if self.word_bits.is_some() {
            SchemeKind::WideIntegers
        } else {
            SchemeKind::Residues
        }
    }

    /// Returns the number of rows of slots that rotations act on.
    pub fn rows(&self) -> usize {
        self.kind().rows()
    }

    /// Returns true if the scheme has encryption under a public key.
    pub fn has_public_key(&self) -> bool {
        let secret_only = |found: &Character| found.keys == SECRET_KEY;
        !self.kind().bootstraps() && !self.character.as_ref().is_some_and(secret_only)
    }
}

/// Value of [`Character::keys`] for schemes without a public key.
pub const SECRET_KEY: &str = "secret-key";

fn one() -> usize {
    1
}

/// Properties of a scheme that its parameters do not express.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Character {
    /// Plaintext space, such as `exact_mod_2^127-1`. Results are compared modulo `plain_modulus`;
    /// inputs of suites are small enough that this comparison is exact.
    pub semantics: String,
    /// Assumption behind the security.
    pub assumption: String,
    /// Confidence in the assumption, such as `experimental`.
    pub badge: String,
    /// Kind of encryption: `secret-key` if there is no public key.
    pub keys: String,
    /// True if the size of a ciphertext does not depend on the computation.
    pub compact: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde wants")]
fn is_zero(value: &u64) -> bool {
    *value == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_as_they_are_written() {
        for text in [
            r#"{"preset":"e1"}"#,
            r#"{"depth":1,"plain_modulus":65537,"security":128}"#,
            r#"{"depth":5,"plain_modulus":65537,"security":128,"n":16384}"#,
            r#"{"depth":5,"scale_bits":40,"security":128,"defaults":true}"#,
        ] {
            let request: ParamsRequest = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&request).unwrap(), text);
        }
    }
}
