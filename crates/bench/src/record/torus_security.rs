//! Security of a torus scheme: that of the weaker of its LWE and GLWE keys.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use fathom_security::{AttackCost, Level, LweKey, LweSecret, MODEL, estimate_lwe};

use super::security::{Security, round1};
use crate::drivers::protocol::{TorusInfo, TorusKey};

/// Assesses both keys as the library states them, with the given ring degree; `None` if one of them
/// has an unknown secret. Rotated attacks apply to keys that encrypt ring elements.
pub(crate) fn of(torus: &TorusInfo, degree: usize) -> Option<Security> {
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
pub(crate) fn lwe_secret(name: &str) -> Option<LweSecret> {
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
        let enough = of(&info(896, "binary"), 2048).unwrap();
        assert_eq!(enough.level, Some(128));
        let weak = of(&info(600, "binary"), 2048).unwrap();
        assert!(weak.level.is_none() && weak.source.contains("on the LWE key"), "{weak:?}");
        assert!(weak.classical < enough.classical);
    }

    #[test]
    fn block_keys_are_marked_and_unknown_secrets_have_no_security() {
        assert!(of(&info(912, "block_binary:3"), 2048).unwrap().badge.contains("less studied"));
        assert_eq!(of(&info(896, "secret"), 2048), None);
    }
}
