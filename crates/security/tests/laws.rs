//! Laws that every verdict obeys, for all parameters.

use fathom_security::{
    Adversary, Badge, Level, SecretDistribution, TABLE_SOURCE, assess, check, estimate,
    max_log_modulus,
};
use proptest::prelude::*;

/// The error of a cost, in bits, that comes from rounding block sizes and dimensions to integers.
const ROUNDING: f64 = 0.15;

fn dense_secret() -> impl Strategy<Value = SecretDistribution> {
    prop_oneof![Just(SecretDistribution::Ternary), Just(SecretDistribution::Gaussian)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_longer_modulus_is_never_safer(
        degree in 256usize..40_000,
        ratio in 0.008f64..0.1,
        more in 1.0f64..1.5,
        secret in dense_secret(),
    ) {
        let log_modulus = 10.0 + degree as f64 * ratio;
        let short = estimate(degree, log_modulus, secret, 3.19);
        let long = estimate(degree, log_modulus * more, secret, 3.19);
        prop_assert!(long.usvp_bits <= short.usvp_bits + ROUNDING);
        prop_assert!(long.bdd_bits <= short.bdd_bits + ROUNDING);
        prop_assert!(long.dual_bits <= short.dual_bits + ROUNDING);
        prop_assert!(long.core_svp_bits <= short.core_svp_bits);
        prop_assert!(long.core_svp_quantum_bits <= short.core_svp_quantum_bits);
    }

    #[test]
    fn a_larger_degree_is_never_weaker(
        degree in 256usize..30_000,
        ratio in 0.008f64..0.1,
        more in 1.001f64..2.0,
        secret in dense_secret(),
    ) {
        let log_modulus = 10.0 + degree as f64 * ratio;
        let small = estimate(degree, log_modulus, secret, 3.19);
        let large = estimate((degree as f64 * more) as usize, log_modulus, secret, 3.19);
        prop_assert!(large.usvp_bits >= small.usvp_bits - ROUNDING);
        prop_assert!(large.bdd_bits >= small.bdd_bits - ROUNDING);
        prop_assert!(large.dual_bits >= small.dual_bits - ROUNDING);
        prop_assert!(large.core_svp_bits >= small.core_svp_bits);
    }

    #[test]
    fn more_noise_is_never_weaker(
        degree in 512usize..20_000,
        ratio in 0.01f64..0.05,
        deviation in 1.0f64..20.0,
    ) {
        let log_modulus = 10.0 + degree as f64 * ratio;
        let bits = |deviation| {
            estimate(degree, log_modulus, SecretDistribution::Ternary, deviation).cheapest_bits()
        };
        prop_assert!(bits(2.0 * deviation) >= bits(deviation) - ROUNDING);
    }

    #[test]
    fn the_table_decides_exactly_at_its_limit(
        exponent in 10u32..=17,
        level in proptest::sample::select(Level::ALL.to_vec()),
        secret in dense_secret(),
        below in 0.0f64..0.999,
    ) {
        let degree = 1usize << exponent;
        let Some(limit) = max_log_modulus(degree, secret, level, Adversary::Classical) else {
            return Ok(());
        };
        let accepted = check(degree, f64::from(limit) - below, secret, level);
        prop_assert!(accepted.is_ok());
        let assessment = assess(degree, f64::from(limit) - below, secret, 3.19);
        prop_assert!(assessment.level >= Some(level));
        let refused = check(degree, f64::from(limit) + 1e-6, secret, level);
        prop_assert!(refused.is_err_and(|error| error.limit == Some(limit)));
    }

    #[test]
    fn every_input_gives_a_verdict(
        degree in any::<usize>(),
        log_modulus in any::<f64>(),
        deviation in any::<f64>(),
    ) {
        for secret in [SecretDistribution::Ternary, SecretDistribution::Gaussian] {
            let assessment = assess(degree, log_modulus, secret, deviation);
            prop_assert!(!assessment.classical_bits.is_nan());
            prop_assert!(assessment.classical_bits >= 0.0 || assessment.level.is_none());
        }
    }
}

proptest! {
    // Seconds each.
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn every_sparse_secret_gets_a_verdict(
        degree in any::<usize>(),
        log_modulus in any::<f64>(),
        weight in 0u32..1 << 20,
    ) {
        let secret = SecretDistribution::SparseTernary { weight };
        for (degree, log_modulus) in [(degree, log_modulus), (degree % 8192, 100.0)] {
            let assessment = assess(degree, log_modulus, secret, 3.19);
            prop_assert!(!assessment.classical_bits.is_nan());
            prop_assert!(assessment.classical_bits >= 0.0 || assessment.level.is_none());
        }
    }

    #[test]
    fn a_heavier_secret_is_never_weaker(weight in 64u32..400) {
        let bits = |weight| {
            let secret = SecretDistribution::SparseTernary { weight };
            estimate(8192, 214.0, secret, 3.19).cheapest_bits()
        };
        let light = bits(weight);
        prop_assert!(bits(2 * weight) >= light - ROUNDING);
        let dense = estimate(8192, 214.0, SecretDistribution::Ternary, 3.19).cheapest_bits();
        prop_assert!(light <= dense + ROUNDING);
    }
}

#[test]
fn what_is_no_parameter_offers_no_security() {
    for (degree, log_modulus, deviation) in
        [(0, 50.0, 3.19), (4096, 0.9, 3.19), (4096, f64::NAN, 3.19), (4096, 50.0, 0.0)]
    {
        let assessment = assess(degree, log_modulus, SecretDistribution::Ternary, deviation);
        assert_eq!(assessment.level, None);
        assert!(assessment.classical_bits < 1.0);
    }
    // The search of the hybrid attacks would take minutes at the largest degree.
    let sparse = SecretDistribution::SparseTernary { weight: 170_704 };
    assert!(assess(usize::MAX, 2e-105, sparse, 3.19).classical_bits < 1.0);
    for log_modulus in [f64::NAN, -1.0, f64::INFINITY] {
        assert!(check(4096, log_modulus, SecretDistribution::Ternary, Level::Bits128).is_err());
    }
}

#[test]
fn the_badge_says_who_vouches() {
    let table = assess(4096, 106.0, SecretDistribution::Ternary, 3.19);
    assert_eq!((table.badge, table.source), (Badge::StandardTable, TABLE_SOURCE));
    assert_eq!(table.level, Some(Level::Bits128));

    // The table assumes an error of deviation 3.19: with less, only the estimator can speak.
    let narrow = assess(4096, 100.0, SecretDistribution::Ternary, 1.0);
    assert_eq!(narrow.badge, Badge::Estimator);

    let between = assess(6000, 100.0, SecretDistribution::Ternary, 3.19);
    assert_eq!((between.badge, between.level), (Badge::Estimator, Some(Level::Bits192)));
    assert!(check(6000, 100.0, SecretDistribution::Ternary, Level::Bits128).is_err());

    let sparse = |weight| SecretDistribution::SparseTernary { weight };
    assert_eq!(assess(32_768, 700.0, sparse(192), 3.19).badge, Badge::Estimator);
    assert!(check(32_768, 700.0, sparse(192), Level::Bits128).is_ok());
    let unreviewed = assess(32_768, 100.0, sparse(63), 3.19);
    assert_eq!((unreviewed.badge, unreviewed.level), (Badge::Unreviewed, None));
    assert!(check(32_768, 100.0, sparse(63), Level::Bits128).is_err());
}
