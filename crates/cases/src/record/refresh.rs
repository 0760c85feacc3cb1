//! The result of a bootstrapping, and the security of its published keys.

use std::fmt;

use fathom_drivers::protocol::{ParamsInfo, PublishedKeys};
use fathom_security::{Badge, Level, check_ephemeral};
use serde::{Deserialize, Serialize};

use super::security::{round1, secret_distribution};

/// The levels and the precision that one bootstrapping leaves, and the moduli under which its keys
/// are published.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refresh {
    /// Levels of a result: products until the next bootstrapping.
    pub levels: f64,
    /// Levels times the bits of the scale.
    pub usable_bits: f64,
    /// Usable bits times slots, for each second of a bootstrapping.
    pub usable_bits_per_s: f64,
    /// `log2` of the largest error of a slot, for messages uniform in the unit disc.
    pub uniform_error_log2: f64,
    /// `log2` of the largest error of a slot, where every slot holds 1.
    pub ones_error_log2: f64,
    /// `log2` of the bound on the error of a slot that the results carry; null for a library whose
    /// ciphertexts carry none.
    pub error_bound_log2: Option<f64>,
    /// All published keys.
    pub keys: Vec<KeySecurity>,
}

impl Refresh {
    /// Returns the figures of a bootstrapping of `slots` slots in `seconds` that leaves `levels`
    /// levels at this scale, with the largest errors of the two messages.
    pub fn new(
        [levels, scale_bits]: [f64; 2],
        [slots, seconds]: [f64; 2],
        [of_uniform, of_ones]: [f64; 2],
        keys: Vec<KeySecurity>,
    ) -> Self {
        let usable_bits = levels * scale_bits;
        Self {
            levels,
            usable_bits,
            usable_bits_per_s: (usable_bits * slots / seconds).round(),
            uniform_error_log2: hundredth(of_uniform.log2()),
            ones_error_log2: hundredth(of_ones.log2()),
            error_bound_log2: None,
            keys,
        }
    }

    /// States the bound on the error of a slot that the results carry.
    pub fn with_bound(self, bound: f64) -> Self {
        Self { error_bound_log2: Some(hundredth(bound.log2())), ..self }
    }
}

/// The security of keys that are published under one secret and modulo one modulus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeySecurity {
    /// The purpose of the keys.
    pub purpose: String,
    /// Distribution of the secret that they are encrypted under.
    pub secret: String,
    /// `log2` of the modulus, special primes included.
    pub log2: f64,
    /// Bits against a classical attacker; null for a distribution that the estimator does not
    /// cover.
    pub bits: Option<f64>,
    /// True if the rules of the testbed grant 128 bits: the table or the estimator, and for a
    /// secret below 64 nonzero coefficients, which encrypts nothing but another secret, the
    /// estimator with a margin.
    pub granted: bool,
}

impl KeySecurity {
    /// Assesses keys over the ring and with the error of `params`.
    pub fn of(params: &ParamsInfo, keys: &PublishedKeys) -> Self {
        let PublishedKeys { purpose, secret, log_q } = keys.clone();
        let found = secret_distribution(&secret).map(|distribution| {
            let found = fathom_security::assess(params.n, log_q, distribution, params.sigma);
            let ephemeral = || {
                let weight = secret.strip_prefix("sparse_ternary:")?.parse().ok()?;
                check_ephemeral(params.n, log_q, weight, Level::Bits128).ok()
            };
            let granted = match found.badge {
                Badge::Unreviewed => ephemeral().is_some(),
                Badge::StandardTable | Badge::Estimator => found.level.is_some(),
            };
            (round1(found.classical_bits), granted)
        });
        let (bits, granted) = (found.map(|(bits, _)| bits), found.is_some_and(|(_, yes)| yes));
        Self { purpose, secret, log2: hundredth(log_q), bits, granted }
    }
}

impl fmt::Display for KeySecurity {
    /// Writes the bits, the modulus, the weight of a secret that is not uniform, and a doubt.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bits {
            Some(bits) => write!(f, "{bits:.0}")?,
            None => f.write_str("unknown")?,
        }
        write!(f, " at {:.0} bits", self.log2)?;
        if let Some(weight) = self.secret.strip_prefix("sparse_ternary:") {
            write!(f, ", weight {weight}")?;
        }
        if self.granted { Ok(()) } else { f.write_str(" (128 not granted)") }
    }
}

fn hundredth(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(degree: usize, secret: &str, log_q: f64) -> KeySecurity {
        let params = ParamsInfo {
            name: "x".into(),
            n: degree,
            log_q,
            log_qp: log_q,
            plain_modulus: 0,
            scale_bits: Some(30.0),
            word_bits: None,
            slots: 1,
            levels: 1,
            secret: secret.into(),
            sigma: 3.2,
            depth: 1,
            p_fail_log2: None,
            explanation: None,
            character: None,
            torus: None,
        };
        let (purpose, secret) = ("raised modulus".into(), secret.into());
        KeySecurity::of(&params, &PublishedKeys { purpose, secret, log_q })
    }

    #[test]
    fn keys_of_a_peer_are_judged_by_the_rules_of_the_engine() {
        let dense = key(4096, "ternary", 106.0);
        assert!(dense.granted && dense.to_string().starts_with("12"), "{dense}");
        let wide = key(4096, "ternary", 120.0);
        assert!(!wide.granted && wide.to_string().ends_with("(128 not granted)"), "{wide}");
        let unknown = key(4096, "binary", 50.0);
        assert_eq!((unknown.granted, unknown.bits), (false, None));
    }

    #[test]
    fn a_very_sparse_secret_needs_the_margin_of_an_ephemeral_one() {
        let narrow = key(16384, "sparse_ternary:32", 20.0);
        let wide = key(16384, "sparse_ternary:32", 200.0);
        assert!(narrow.bits > wide.bits && !wide.granted, "{narrow} {wide}");
        assert_eq!(narrow.granted, narrow.bits >= Some(144.0));
    }

    #[test]
    fn usable_bits_are_levels_times_the_scale() {
        let refresh = Refresh::new([4.0, 31.0], [16384.0, 2.0], [0.25, 0.5], Vec::new());
        assert_eq!((refresh.usable_bits, refresh.usable_bits_per_s), (124.0, 1_015_808.0));
        assert_eq!((refresh.uniform_error_log2, refresh.ones_error_log2), (-2.0, -1.0));
        assert_eq!(refresh.with_bound(0.5).error_bound_log2, Some(-1.0));
    }
}
