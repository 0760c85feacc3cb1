//! The estimator against another implementation, row by row of `vectors/estimates.json`.

use fathom_security::{
    Adversary, Badge, Level, STANDARD_ERROR_DEVIATION, SecretDistribution, estimate,
    max_log_modulus,
};
use serde_json::Value;

/// Bits by which the primal attacks may differ.
const PRIMAL_TOLERANCE: f64 = 0.1;
/// Bits by which the dual attack may differ: the reference rounds sizes to whole numbers and
/// searches the split of the secret in steps of ten.
const DUAL_TOLERANCE: f64 = 0.4;

fn rows() -> Vec<Value> {
    let document: Value =
        serde_json::from_str(include_str!("../vectors/estimates.json")).expect("valid JSON");
    document["rows"].as_array().expect("an array of rows").clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn every_attack_agrees_with_the_lattice_estimator() {
    let rows = rows();
    assert!(rows.len() >= 15);
    for row in rows {
        let (degree, log_modulus) = (number(&row["degree"]), number(&row["log_modulus"]));
        let ours = estimate(
            degree as usize,
            log_modulus,
            SecretDistribution::Ternary,
            STANDARD_ERROR_DEVIATION,
        );
        assert_eq!(Some(u64::from(ours.block_size)), row["block_size"].as_u64(), "{row}");
        assert_eq!(Some(u64::from(ours.dimension)), row["dimension"].as_u64(), "{row}");
        let same = |bits: f64, reference: &Value, tolerance: f64| {
            let difference = bits - number(reference);
            assert!(difference.abs() <= tolerance, "off by {difference} bits: {row}");
        };
        same(ours.usvp_bits, &row["usvp_bits"], 1e-3);
        same(ours.usvp_bits, &row["reference"]["usvp_bits"], PRIMAL_TOLERANCE);
        same(ours.bdd_bits, &row["reference"]["bdd_bits"], PRIMAL_TOLERANCE);
        same(ours.dual_bits, &row["reference"]["dual_bits"], DUAL_TOLERANCE);
    }
}

#[test]
fn the_estimator_confirms_every_limit_of_the_table() {
    let mut limits = 0;
    for exponent in 10..=17 {
        for level in Level::ALL {
            for secret in [SecretDistribution::Ternary, SecretDistribution::Gaussian] {
                let degree = 1 << exponent;
                let bits_at = |log_modulus: u32| {
                    let log_modulus = f64::from(log_modulus);
                    estimate(degree, log_modulus, secret, STANDARD_ERROR_DEVIATION)
                };
                let level_bits = f64::from(level.bits());
                let limit = |adversary| max_log_modulus(degree, secret, level, adversary);
                if let Some(limit) = limit(Adversary::Classical) {
                    let bits = bits_at(limit).cheapest_bits();
                    // The guidelines' own estimator run rounds a quarter of a bit.
                    assert!(bits > level_bits - 0.25, "{degree} {secret} {level}: {bits}");
                    limits += 1;
                }
                if let Some(limit) = limit(Adversary::Quantum) {
                    let bits = bits_at(limit).core_svp_quantum_bits;
                    assert!(bits > level_bits - 0.25, "{degree} {secret} {level}: {bits}");
                    limits += 1;
                }
            }
        }
    }
    assert_eq!(limits, 2 * (22 + 20));
}

#[test]
fn other_libraries_defaults_are_below_128_bits() {
    // Tables that predate the 2024 guidelines allow a few bits more.
    for (degree, log_modulus) in [(4096, 109.0), (8192, 218.0), (16384, 438.0), (32768, 881.0)] {
        let refused = fathom_security::check(
            degree,
            log_modulus,
            SecretDistribution::Ternary,
            Level::Bits128,
        );
        assert!(refused.is_err(), "{degree}");
        let assessment =
            fathom_security::assess(degree, log_modulus, SecretDistribution::Ternary, 3.19);
        assert_eq!(assessment.level, None);
        assert_eq!(assessment.badge, Badge::StandardTable);
        assert!((125.0..128.0).contains(&assessment.classical_bits), "{assessment:?}");
    }
}
