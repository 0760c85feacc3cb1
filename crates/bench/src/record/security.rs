//! Security of parameters, as records state it.

use fathom_security::SecretDistribution;
use serde::{Deserialize, Serialize};

use crate::drivers::protocol::TorusInfo;

/// Caution shown with block-binary keys.
pub const LESS_STUDIED: &str = "a less studied assumption";

/// Caution shown with torus parameter sets whose failure probability exceeds `2^-128`: decryption
/// failures that an attacker observes reveal information about the key.
pub const IND_CPA_ONLY: &str = "IND-CPA only";

/// Returns the caution for a torus parameter set; `None` for the usual sets.
///
/// `failure` is log2 of the probability that a ciphertext decrypts wrongly, if known.
pub fn caution(torus: Option<&TorusInfo>, failure: Option<f64>) -> Option<String> {
    let torus = torus?;
    let less_studied = torus.is_less_studied().then_some(LESS_STUDIED);
    let may_fail = failure.is_some_and(|log2| log2 > -128.0).then_some(IND_CPA_ONLY);
    let cautions: Vec<_> = less_studied.into_iter().chain(may_fail).collect();
    (!cautions.is_empty()).then(|| cautions.join("; "))
}

/// Security of a parameter set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Security {
    /// Bits against a classical attacker; null if the estimator does not cover the assumption.
    pub classical: Option<f64>,
    /// Bits against a quantum attacker; null if unknown.
    pub quantum: Option<f64>,
    /// Highest of the levels 128, 192, 256 that is reached; null below 128.
    pub level: Option<u32>,
    /// Cost model of the figures.
    pub model: String,
    /// Source of the level.
    pub source: String,
    /// Badge: the authority behind the level, such as a standard table or the estimator.
    pub badge: String,
}

/// Parses the protocol's name of a secret distribution.
pub fn secret_distribution(name: &str) -> Option<SecretDistribution> {
    match name {
        "ternary" => Some(SecretDistribution::Ternary),
        "gaussian" => Some(SecretDistribution::Gaussian),
        _ => {
            let weight = name.strip_prefix("sparse_ternary:")?.parse().ok()?;
            Some(SecretDistribution::SparseTernary { weight })
        }
    }
}

/// Rounds to one decimal, which is more than the accuracy of these figures.
pub(crate) fn round1(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
