//! Security of parameters, as records state it.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use fathom_drivers::protocol::{ParamsInfo, TorusInfo, TorusKey};
use fathom_security::{
    AttackCost, Level, LweKey, LweSecret, MODEL, SecretDistribution, estimate_lwe,
};
use serde::{Deserialize, Serialize};

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

/// Assesses parameters as the library states them, for the largest modulus it publishes.
pub fn assess(params: &ParamsInfo) -> Option<Security> {
    if let Some(character) = &params.character {
        return Some(Security {
            classical: None,
            quantum: None,
            level: None,
            model: "none".into(),
            source: format!("assumption: {}", character.assumption),
            badge: character.badge.clone(),
        });
    }
    if let Some(torus) = &params.torus {
        return of_torus(torus, params.n);
    }
    let secret = secret_distribution(&params.secret)?;
    let found = fathom_security::assess(params.n, params.log_qp, secret, params.sigma);
    Some(Security {
        classical: Some(round1(found.classical_bits)),
        quantum: Some(round1(found.quantum_bits)),
        level: found.level.map(Level::bits),
        model: found.model.into(),
        source: found.source.into(),
        badge: found.badge.to_string(),
    })
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

/// Returns the protocol's name of a secret distribution.
pub fn secret_name(secret: SecretDistribution) -> String {
    match secret {
        SecretDistribution::Ternary => "ternary".into(),
        SecretDistribution::Gaussian => "gaussian".into(),
        SecretDistribution::SparseTernary { weight } => format!("sparse_ternary:{weight}"),
    }
}

/// Rounds to one decimal, which is more than the accuracy of these figures.
pub fn round1(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Assesses both keys as the library states them, with the given ring degree; `None` if one of them
/// has an unknown secret. Rotated attacks apply to keys that encrypt ring elements.
fn of_torus(torus: &TorusInfo, degree: usize) -> Option<Security> {
    let (lwe, glwe) = rayon::join(|| cheapest(&torus.lwe, 1), || cheapest(&torus.glwe, degree));
    let (lwe, glwe) = (lwe?, glwe?);
    let (name, cost) = if lwe.bits <= glwe.bits { ("LWE", lwe) } else { ("GLWE", glwe) };
    let reached = Level::ALL.into_iter().filter(|level| cost.bits >= f64::from(level.bits()));
    Some(Security {
        classical: Some(round1(cost.bits)),
        quantum: None,
        level: reached.map(Level::bits).max(),
        model: MODEL.into(),
        source: format!("{} on the {name} key, the cheapest attack on either", cost.attack),
        badge: if torus.is_less_studied() {
            "estimator, less studied assumption"
        } else {
            "estimator"
        }
        .into(),
    })
}

/// Returns the cheapest attack on a key. Results are cached, because many cases share their keys.
fn cheapest(key: &TorusKey, usual_ring_degree: usize) -> Option<AttackCost> {
    static KNOWN: LazyLock<Mutex<HashMap<String, Estimate>>> = LazyLock::new(Mutex::default);
    let ring_degree = key.ring_degree.unwrap_or(usual_ring_degree);
    let name = format!("{key:?} {ring_degree}");
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let estimate = Arc::clone(known.entry(name).or_default());
    drop(known);
    *estimate.get_or_init(|| {
        let key = LweKey {
            dimension: key.dimension,
            log_modulus: key.log_q,
            log_noise: key.deviation_log2,
            secret: lwe_secret(&key.secret)?,
            ring_degree,
        };
        estimate_lwe(&key).into_iter().min_by(|a, b| a.bits.total_cmp(&b.bits))
    })
}

/// The cheapest attack on a key, estimated once; threads that need it meanwhile wait.
type Estimate = Arc<OnceLock<Option<AttackCost>>>;

/// Parses the name of a torus secret distribution, as in the protocol and on the command line.
pub fn lwe_secret(name: &str) -> Option<LweSecret> {
    match name {
        "binary" => Some(LweSecret::Binary),
        "ternary" => Some(LweSecret::Ternary),
        "gaussian" => Some(LweSecret::Gaussian),
        _ => {
            let length = name.strip_prefix("block_binary:")?.parse().ok()?;
            Some(LweSecret::BlockBinary { length })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(dimension: usize, secret: &str) -> TorusInfo {
        let key = |dimension, log_q, deviation_log2| TorusKey {
            dimension,
            log_q,
            secret: secret.into(),
            deviation_log2,
            ring_degree: None,
        };
        TorusInfo {
            family: "U".into(),
            message_bits: 2,
            carry_bits: 2,
            lwe: key(dimension, 32.0, -19.2),
            glwe: key(2048, 64.0, -47.8),
        }
    }

    #[test]
    fn the_weaker_key_decides() {
        let enough = of_torus(&info(896, "binary"), 2048).unwrap();
        assert_eq!(enough.level, Some(128));
        let weak = of_torus(&info(600, "binary"), 2048).unwrap();
        assert!(weak.level.is_none() && weak.source.contains("on the LWE key"), "{weak:?}");
        assert!(weak.classical < enough.classical);
    }

    #[test]
    fn block_keys_are_marked_and_unknown_secrets_have_no_security() {
        assert!(
            of_torus(&info(912, "block_binary:3"), 2048).unwrap().badge.contains("less studied")
        );
        assert_eq!(of_torus(&info(896, "secret"), 2048), None);
    }
}
