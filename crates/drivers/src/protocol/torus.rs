//! Messages of the protocol that only torus schemes use.

use serde::{Deserialize, Serialize};

/// The two keys of a torus scheme, in `params` of the reply to `prepare`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TorusInfo {
    /// `U` for uniform binary keys, `B` for block-binary keys, which are a less studied assumption.
    pub family: String,
    /// Message bits of a block.
    pub message_bits: u32,
    /// Carry bits of a block.
    pub carry_bits: u32,
    /// The LWE key, under which the exponent of the blind rotation is encrypted.
    pub lwe: TorusKey,
    /// The GLWE key; its coefficients are the key of the blocks.
    pub glwe: TorusKey,
}

impl TorusInfo {
    /// Returns true if the family of the keys is less studied than uniform keys.
    pub fn is_less_studied(&self) -> bool {
        [&self.lwe, &self.glwe].iter().any(|key| key.secret.starts_with("block"))
    }
}

/// A key of a torus scheme, as the security estimate needs it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TorusKey {
    /// Number of coefficients.
    pub dimension: usize,
    /// log2 of the largest modulus published under the key.
    pub log_q: f64,
    /// `binary`, `block_binary:<length>`, `ternary` or `gaussian`.
    pub secret: String,
    /// log2 of the standard deviation of the noise, relative to the modulus.
    pub deviation_log2: f64,
    /// Largest ring degree of anything published under the key: 1 for plain LWE. If absent, the
    /// ring degree of the parameters for `glwe` and 1 for `lwe`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ring_degree: Option<usize>,
}

/// Bootstraps of one call, as the mean over the calls of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bootstraps {
    /// Number of blind rotations.
    pub count: f64,
    /// Number of sequential batches of blind rotations.
    pub layers: f64,
}

/// Noise variance of ciphertexts, relative to the modulus, measured with the secret key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Variance {
    /// Number of noise values measured.
    pub n: u64,
    /// Mean of the squares of the noise values.
    pub measured: f64,
    /// Mean of the variances that the library's noise model predicts for them.
    pub model: f64,
}

impl Variance {
    /// Combines two measurements.
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
