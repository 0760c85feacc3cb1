//! The words of the protocol that only torus schemes use.

use serde::{Deserialize, Serialize};

/// The two keys of a torus scheme, in `params` of the reply to `prepare`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TorusInfo {
    /// `U` for uniform keys, `B` for block-binary ones, which are a less studied assumption.
    pub family: String,
    /// Bits of message of a block.
    pub message_bits: u32,
    /// Bits of carry of a block.
    pub carry_bits: u32,
    /// The small key, under which the blind rotation's exponent is encrypted.
    pub lwe: TorusKey,
    /// The key of the ring; its coefficients are the key of the blocks.
    pub glwe: TorusKey,
}

impl TorusInfo {
    /// Whether a key has the structure of blocks, which is less studied than uniform keys.
    pub fn is_less_studied(&self) -> bool {
        [&self.lwe, &self.glwe].iter().any(|key| key.secret.starts_with("block"))
    }
}

/// A key of a torus scheme, as its attacker sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TorusKey {
    /// Coefficients.
    pub dimension: usize,
    /// log2 of the largest modulus published under the key.
    pub log_q: f64,
    /// `binary`, `block_binary:<length>`, `ternary` or `gaussian`.
    pub secret: String,
    /// log2 of the deviation of the noise, relative to the modulus.
    pub deviation_log2: f64,
    /// Largest degree of a ring in whose form something is published under the key: 1 for plain
    /// LWE. Where it is not stated, the ring degree of the parameters for `glwe` and 1 for `lwe`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ring_degree: Option<usize>,
}

/// Bootstraps of one call, as the mean over the calls of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bootstraps {
    /// Blind rotations.
    pub count: f64,
    /// Batches of them that ran one after the other.
    pub layers: f64,
}

/// Noise of ciphertexts as a variance, relative to the modulus, measured with the secret key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Variance {
    /// Noises measured.
    pub n: u64,
    /// Mean of their squares.
    pub measured: f64,
    /// Mean of the variances that the library's model states for them.
    pub model: f64,
}

impl Variance {
    /// Both taken together.
    pub fn join(self, other: Self) -> Self {
        let n = self.n + other.n;
        let mean = |a: f64, b: f64| (a * self.n as f64 + b * other.n as f64) / n.max(1) as f64;
        let (measured, model) =
            (mean(self.measured, other.measured), mean(self.model, other.model));
        Self { n, measured, model }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variances_join_by_their_weights() {
        let few = Variance { n: 1, measured: 4.0, model: 8.0 };
        let many = Variance { n: 3, measured: 0.0, model: 4.0 };
        assert_eq!(few.join(many), Variance { n: 4, measured: 1.0, model: 5.0 });
        assert_eq!(Variance::default().join(few), few);
    }
}
