//! Laws of the security of LWE keys.

use fathom_security::{Attack, Level, LweKey, LweSecret, check_lwe, estimate_lwe};

const BINARY: LweKey = LweKey {
    dimension: 640,
    log_modulus: 32.0,
    log_noise: -13.5,
    secret: LweSecret::Binary,
    ring_degree: 1,
};

fn bits(key: LweKey) -> f64 {
    estimate_lwe(&key).iter().map(|cost| cost.bits).fold(f64::INFINITY, f64::min)
}

#[test]
fn more_coefficients_and_more_noise_are_never_weaker() {
    for secret in [
        LweSecret::Binary,
        LweSecret::Ternary,
        LweSecret::BlockBinary { length: 3 },
        LweSecret::Gaussian,
    ] {
        let key = LweKey { secret, ..BINARY };
        assert!(bits(LweKey { dimension: 704, ..key }) > bits(key) + 5.0, "{secret}");
        assert!(bits(LweKey { log_noise: -12.5, ..key }) > bits(key) + 2.0, "{secret}");
    }
}

#[test]
fn a_longer_modulus_with_the_same_relative_noise_changes_nothing() {
    let longer = bits(LweKey { log_modulus: 64.0, ..BINARY });
    assert!((longer - bits(BINARY)).abs() < 0.2, "{longer}");
}

#[test]
fn larger_blocks_are_weaker_and_all_are_weaker_than_binary() {
    let block = |length| bits(LweKey { secret: LweSecret::BlockBinary { length }, ..BINARY });
    assert!(block(2) < bits(BINARY));
    assert!(block(3) < block(2) && block(4) < block(3));
}

#[test]
fn only_a_block_key_is_attacked_through_its_blocks() {
    let aware = |key| {
        estimate_lwe(&key).iter().any(|cost| cost.attack == Attack::BlockPrimalHybridOptimistic)
    };
    assert!(!aware(BINARY));
    assert!(aware(LweKey { secret: LweSecret::BlockBinary { length: 3 }, ..BINARY }));
}

#[test]
fn a_weak_key_is_refused_with_the_cheapest_attack() {
    // The LWE key of the original TFHE library.
    let weak = LweKey { dimension: 630, log_modulus: 32.0, log_noise: -15.0, ..BINARY };
    let refused = check_lwe(&weak, Level::Bits128).expect_err("about 118 bits");
    let cheapest = refused.cheapest.expect("an attack");
    assert!((115.0..120.0).contains(&cheapest.bits), "{cheapest:?}");
    assert!(refused.to_string().contains(&cheapest.attack.to_string()), "{refused}");

    let strong = LweKey { dimension: 918, log_noise: -19.7925, ..weak };
    assert!(check_lwe(&strong, Level::Bits128).is_ok());
    assert!(check_lwe(&strong, Level::Bits192).is_err());
}

#[test]
fn what_is_no_key_is_refused() {
    let wrong = [
        LweKey { dimension: 1, ..BINARY },
        LweKey { log_modulus: 1.0, ..BINARY },
        LweKey { log_modulus: f64::NAN, ..BINARY },
        LweKey { log_noise: f64::NAN, ..BINARY },
        LweKey { log_noise: -1.0, ..BINARY },
        LweKey { log_noise: -40.0, ..BINARY },
        LweKey { secret: LweSecret::BlockBinary { length: 1 }, ..BINARY },
    ];
    for key in wrong {
        assert!(estimate_lwe(&key).is_empty(), "{key:?}");
        let refused = check_lwe(&key, Level::Bits128).expect_err("no key");
        assert_eq!(refused.cheapest, None);
        assert!(refused.to_string().contains("is no key"));
    }
}

/// One rotation is always among those that an attacker may use.
#[test]
fn a_ring_never_makes_a_key_stronger() {
    for secret in [LweSecret::Binary, LweSecret::Ternary, LweSecret::BlockBinary { length: 4 }] {
        let key = LweKey { secret, ring_degree: 64, ..BINARY };
        let costs = estimate_lwe(&key);
        let of = |attack| costs.iter().find(|cost| cost.attack == attack).map(|cost| cost.bits);
        for (fixed, rotated) in [
            (Attack::PrimalHybrid, Attack::RotatedHybrid),
            (Attack::PrimalHybridBabai, Attack::RotatedHybridBabai),
            (Attack::PrimalHybridMeet, Attack::RotatedHybridMeet),
            (Attack::PrimalHybridOptimistic, Attack::RotatedHybridOptimistic),
        ] {
            let (Some(fixed), Some(rotated)) = (of(fixed), of(rotated)) else {
                panic!("{secret}: {costs:?}");
            };
            // Searches in steps may stop a little beside the minimum.
            assert!(rotated < fixed + 0.1, "{secret}: {rotated} {fixed}");
        }
        let plain = estimate_lwe(&LweKey { ring_degree: 1, ..key });
        assert!(plain.iter().all(|cost| !cost.attack.is_rotated()));
        assert!(plain.iter().all(|cost| costs.contains(cost)));
    }
    assert!(estimate_lwe(&LweKey { ring_degree: 0, ..BINARY }).is_empty());
}
