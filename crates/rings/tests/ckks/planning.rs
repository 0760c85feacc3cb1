//! Parameters for a precision, and decryptions that may be shared.

use crate::ckks::setup::{Setup, map};
use fathom::ckks::{Encryption, Evaluator, FloodError, Flooding, Params, Preset, Rotations, Spec};
use fathom::{Error, SecurityLevel};

#[test]
fn plans_keep_the_precision_they_were_made_for() {
    for (depth, bits) in [(1, 8.0), (2, 12.0), (3, 15.0)] {
        let params =
            Params::for_precision(depth, bits, Encryption::PublicKey, SecurityLevel::Bits128)
                .unwrap();
        assert!(params.assessment().classical_bits >= 128.0);
        let mut s = Setup::of(params, &Rotations::none(), 70);
        let x = s.random();
        for c in [s.encrypt(&x), s.encrypt_public(&x)] {
            let (mut c, mut expected) = (c, x.clone());
            for _ in 0..depth {
                c = s.evaluator.square(&c).unwrap();
                expected = map(&expected, |x| x * x);
            }
            let found = c.precision_bits();
            assert!(found >= bits, "{found:.1} bits instead of {bits}");
            s.check("chain", &c, &expected);
        }
    }
}

/// A plan for the secret key alone needs no larger scale, and keeps its precision.
#[test]
fn plans_for_the_secret_key_keep_their_precision() {
    for (depth, bits) in [(1, 14.0), (2, 20.0)] {
        let plan = |encryption| {
            Params::for_precision(depth, bits, encryption, SecurityLevel::Bits128).unwrap()
        };
        let [own, either] = [Encryption::SecretKey, Encryption::PublicKey].map(plan);
        assert!(own.log2_largest_modulus() < either.log2_largest_modulus(), "depth {depth}");
        let mut s = Setup::of(own, &Rotations::none(), 73);
        let x = s.random();
        let (mut c, mut expected) = (s.encrypt(&x), x);
        for _ in 0..depth {
            c = s.evaluator.square(&c).unwrap();
            expected = map(&expected, |x| x * x);
        }
        assert!(c.precision_bits() >= bits, "{:.1} bits instead of {bits}", c.precision_bits());
        s.check("chain", &c, &expected);
    }
}

#[test]
fn plans_that_cannot_be_kept_are_refused() {
    for (depth, bits) in [(2, 0.0), (2, 60.0), (49, 10.0), (48, 30.0)] {
        let refused =
            Params::for_precision(depth, bits, Encryption::PublicKey, SecurityLevel::Bits256);
        assert!(matches!(refused, Err(Error::Spec { field: "precision_bits", .. })), "{depth}");
    }
}

#[test]
fn flooding_adds_noise_of_the_size_it_states() {
    let mut s = Setup::new(Preset::E3Precise, &Rotations::none(), 71);
    let x = s.random();
    let a = s.encrypt(&x);
    let flooding = Flooding { statistical_bits: 4, decryptions: 4 };
    let server = Evaluator::simulated(&s.params).unwrap();
    let plan = server.simulated_encryption(Encryption::SecretKey, s.params.top_level()).unwrap();
    let clear = s.secret.decrypt(&a).unwrap();
    let flooded = s.secret.decrypt_flooded(&a, &plan, flooding, &mut s.rng).unwrap();
    let slots = flooded.slots_complex();
    let errors = slots.iter().zip(&x).map(|(a, b)| (a - b).norm());
    let largest = errors.fold(0.0, f64::max);
    assert!(largest <= flooded.error_bound(), "{largest:e} of {:e}", flooded.error_bound());
    // A Gaussian of deviation 2^3 * 2 error bounds for each coefficient.
    let deviation = 16.0 * clear.error_bound() * (s.params.degree() as f64).sqrt();
    assert!(largest > deviation, "{largest:e} is less than one deviation, {deviation:e}");
    let strong = Flooding { statistical_bits: 64, decryptions: 1 };
    let refused = s.secret.decrypt_flooded(&a, &plan, strong, &mut s.rng).err();
    assert!(matches!(refused, Some(Error::PrecisionExhausted { .. })));
}

/// A Gaussian keeps no bound in the worst case; with a failure probability, the same set serves.
#[test]
fn decryptions_are_flooded_where_bounds_have_a_failure_probability() {
    let flooding = Flooding { statistical_bits: 4, decryptions: 4 };
    for failure_log2 in [fathom::WORST_CASE, -128.0] {
        let spec = Spec { failure_log2, ..Preset::E3Precise.spec() };
        let mut s = Setup::of(Params::new(spec).unwrap(), &Rotations::none(), 74);
        let x = s.random();
        let a = s.encrypt(&x);
        let server = Evaluator::simulated(&s.params).unwrap();
        let top = s.params.top_level();
        let plan = server.simulated_encryption(Encryption::SecretKey, top).unwrap();
        let square = server.square(&plan).unwrap();
        let failure = square.probabilistic_bound().failure_log2;
        assert_eq!(square.describe().contains("failure probability"), failure.is_finite());
        assert!(failure.is_infinite() || (-128.0..-120.0).contains(&failure), "{failure}");
        let flooded = s.secret.decrypt_flooded(&a, &plan, flooding, &mut s.rng);
        if failure_log2 == fathom::WORST_CASE {
            assert_eq!(flooded.err(), Some(FloodError::WorstCase.into()));
        } else {
            assert!(flooded.unwrap().error_bound() < 1e-3);
        }
    }
}

#[test]
fn slots_on_a_grid_are_rounded_to_it() {
    let mut s = Setup::new(Preset::E3Depth1, &Rotations::none(), 72);
    let x: Vec<f64> = (0..s.params.slot_count()).map(|i| (i % 33) as f64 / 32.0).collect();
    let plain = s.params.encode(&x).unwrap();
    let a = s.secret.encrypt(&plain, &mut s.rng).unwrap();
    let found = s.secret.decrypt(&a).unwrap();
    assert_eq!(found.rounded_slots(5).unwrap(), x);
    assert!(matches!(found.rounded_slots(40), Err(Error::PrecisionExhausted { .. })));
}
