//! The words of the protocol that choose and describe parameters.

use serde::{Deserialize, Serialize};

use super::protocol_torus::TorusInfo;

/// Request `prepare`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Prepare {
    /// Scheme name.
    pub scheme: String,
    /// Which parameters.
    pub params: ParamsRequest,
    /// Threads that `run` uses, each on inputs of its own; at least 1.
    #[serde(default = "super::protocol::one")]
    pub threads: usize,
    /// Threads that one operation may use; at least 1.
    #[serde(default = "super::protocol::one")]
    pub op_threads: usize,
    /// Seed of a reproducible session, whose keys protect nothing; null for secure randomness.
    #[serde(default)]
    pub seed: Option<u64>,
}

/// Parameters by name or by purpose.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ParamsRequest {
    /// One of the presets that `capabilities` lists.
    Preset {
        /// Its name.
        preset: String,
    },
    /// What the library's own generator or table gives for a purpose.
    For(Purpose),
}

/// What parameters are for. Without `n` and `defaults` the library takes the smallest ring that
/// holds the purpose at the security stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Purpose {
    /// Multiplications of full vectors one after another.
    pub depth: u32,
    /// Plaintext modulus of an exact scheme.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plain_modulus: Option<u64>,
    /// log2 of the scale of an approximate scheme.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_bits: Option<u32>,
    /// Bits of security.
    pub security: u32,
    /// This ring degree and no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<usize>,
    /// Whether the library's own default or example parameters for that depth are wanted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub defaults: bool,
}

/// Reply to `prepare`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prepared {
    /// Names the session in later requests.
    pub session: u64,
    /// What was chosen.
    pub params: ParamsInfo,
}

/// Parameters as measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParamsInfo {
    /// Preset name, or a name made from the figures.
    pub name: String,
    /// Ring degree.
    pub n: usize,
    /// log2 of the ciphertext modulus.
    pub log_q: f64,
    /// log2 of the largest modulus published under the key.
    pub log_qp: f64,
    /// Plaintext modulus; 0, or absent, in an approximate scheme.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub plain_modulus: u64,
    /// log2 of the scale of an approximate scheme; absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_bits: Option<f64>,
    /// Values in one ciphertext.
    pub slots: usize,
    /// Levels of the modulus chain.
    pub levels: u32,
    /// Distribution of the secret: `ternary`, `sparse_ternary:<weight>` or `gaussian`.
    pub secret: String,
    /// Standard deviation of the error.
    pub sigma: f64,
    /// Multiplications one after another that the library promises.
    pub depth: u32,
    /// log2 of the probability that a ciphertext within its bound decrypts wrongly; absent if the
    /// library does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_fail_log2: Option<f64>,
    /// Why these parameters, for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// What sets the scheme apart where it is not a scheme on lattices whose security the testbed
    /// can judge; absent for those that are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub character: Option<Character>,
    /// The keys of a torus scheme, absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torus: Option<TorusInfo>,
}

impl ParamsInfo {
    /// Rows of slots that rotations turn.
    pub fn rows(&self) -> usize {
        if self.scale_bits.is_some() { 1 } else { 2 }
    }
}

/// What a scheme is, where its parameters do not say it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Character {
    /// What values are, such as `exact_mod_2^127-1`. Results are compared modulo `plain_modulus`,
    /// which no result of a suite's inputs leaves.
    pub semantics: String,
    /// What its security rests on.
    pub assumption: String,
    /// How far that can be trusted, such as `experimental`.
    pub badge: String,
    /// Which keys encrypt: `secret-key` if there is no public one.
    pub keys: String,
    /// Whether the size of a ciphertext does not depend on the computation.
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
