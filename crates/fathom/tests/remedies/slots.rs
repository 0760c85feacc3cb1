//! Remedies of CKKS where slots may be outside of what an operation assumes of them.

use super::remedied;
use fathom::ckks::{
    Ciphertext, Complex64, Encryption, Evaluator, Interval, LinearMap, Packed, Params, Plaintext,
    Preset, Rotations, RowSwap, SecretKey, SignApproximation,
};
use fathom::{Error, SecretRng};

struct Setup {
    params: Params,
    secret: SecretKey,
    evaluator: Evaluator,
    rng: SecretRng,
}

/// Two products in a row, and conjugation.
fn setup() -> Setup {
    let params = Params::preset(Preset::E3Small).unwrap();
    let mut rng = SecretRng::insecure_from_seed(31);
    let secret = SecretKey::generate(&params, &mut rng);
    let rotations = Rotations { row_swap: RowSwap::With, ..Rotations::none() };
    let evaluator = Evaluator::new(secret.evaluation_keys(&rotations, &mut rng).unwrap());
    Setup { params, secret, evaluator, rng }
}

impl Setup {
    fn encrypt(&mut self, plaintext: Result<Plaintext, Error>) -> Ciphertext {
        self.secret.encrypt(&plaintext.unwrap(), &mut self.rng).unwrap()
    }
}

#[test]
fn operands_of_functions_are_rescaled_or_promised() {
    let mut s = setup();
    let a = s.params.encode(&[0.25]);
    let a = s.encrypt(a);
    let e = &s.evaluator;
    let sum = e.add(&a, &a).unwrap();
    let error = e.exp(&sum, Interval::UNIT, 1).unwrap_err();
    let remedy = "rescale the input with mul_scalar, or promise a tighter bound with \
                  assume_magnitude";
    remedied(&error, "DomainError::Magnitude", remedy);
    let rescaled = e.mul_scalar(&sum, 0.5).unwrap();
    assert!(e.exp(&rescaled, Interval::UNIT, 1).is_ok());
    let promised = e.assume_magnitude(&sum, 0.5).unwrap();
    assert!(e.exp(&promised, Interval::UNIT, 1).is_ok());
}

#[test]
fn functions_of_real_numbers_are_given_some() {
    let mut s = setup();
    let a = s.params.encode(&[Complex64::new(0.25, 0.5)]);
    let a = s.encrypt(a);
    let error = s.evaluator.exp(&a, Interval::UNIT, 1).unwrap_err();
    let remedy = "encode numbers of type f64, or take the real part with twice_real_part";
    remedied(&error, "DomainError::Complex", remedy);
    let twice = s.evaluator.twice_real_part(&a).unwrap();
    assert!(s.evaluator.exp(&twice, Interval::new(-2.0, 2.0), 1).is_ok());
    let real = s.params.encode(&[0.25]);
    let real = s.encrypt(real);
    assert!(s.evaluator.exp(&real, Interval::UNIT, 1).is_ok());
}

#[test]
fn slots_without_a_value_are_given_one() {
    let mut s = setup();
    let (x, interval) = ([0.75, 1.0], Interval::new(0.5, 1.0));
    let a = s.params.encode(&x);
    let a = s.encrypt(a);
    let error = s.evaluator.log(&a, interval, 1).unwrap_err();
    let remedy = "give them a number with encode_padded or encode_repeated";
    remedied(&error, "DomainError::Padding", remedy);
    for given in [s.params.encode_padded(&x, 0.5), s.params.encode_repeated(&x)] {
        let given = s.encrypt(given);
        assert!(s.evaluator.log(&given, interval, 1).is_ok());
    }
}

#[test]
fn numbers_are_compared_whose_bounds_leave_room() {
    let params = Params::preset(Preset::E3).unwrap();
    let e = Evaluator::simulated(&params).unwrap();
    let top = params.top_level();
    let [a, b] = [(); 2].map(|()| e.simulated_encryption(Encryption::SecretKey, top).unwrap());
    let sign = SignApproximation::new(0.05, &[7]).unwrap();
    let error = e.gt(&a, &b, &sign).unwrap_err();
    let remedy = "multiply both by one number with mul_scalar, or take the sign of a difference \
                  that assume_magnitude promises";
    remedied(&error, "DomainError::Difference", remedy);
    let [half_a, half_b] = [&a, &b].map(|c| e.mul_scalar(c, 0.5).unwrap());
    assert!(e.gt(&half_a, &half_b, &sign).is_ok());
    let near = e.assume_magnitude(&e.sub(&a, &b).unwrap(), 1.0).unwrap();
    assert!(e.sign(&near, &sign).is_ok());
}

#[test]
fn vectors_of_a_map_are_packed() {
    let mut s = setup();
    let x = [0.1, 0.2, 0.3, 0.4];
    let map = LinearMap::for_level(&s.params, &vec![vec![0.25; 4]; 4], 1).unwrap();
    let keys = s.secret.evaluation_keys(&map.rotations(), &mut s.rng).unwrap();
    let e = Evaluator::new(keys);
    let once = s.params.encode(&x);
    let once = s.encrypt(once);
    let error = e.transform(&map, &Packed::assume(4, once)).unwrap_err();
    let remedy = "encode it with LinearMap::pack or encode_repeated";
    remedied(&error, "DomainError::NotPacked", remedy);
    for given in [map.pack(&x).map(Packed::into_value), s.params.encode_repeated(&x)] {
        let given = s.encrypt(given);
        let image = e.transform(&map, &Packed::assume(4, given)).unwrap().into_value();
        let found = s.secret.decrypt(&image).unwrap();
        for slot in &found.slots()[..8] {
            assert!((slot - 0.25).abs() <= found.error_bound(), "{slot}");
        }
    }
}

#[test]
fn promises_hold_of_slots_without_a_value_too() {
    let mut s = setup();
    let x = [-6.5, -7.25];
    let a = s.params.encode_within(&x, 8.0);
    let a = s.encrypt(a);
    let shifted = s.evaluator.add_scalar(&a, 7.0).unwrap();
    let error = s.evaluator.assume_magnitude(&shifted, 0.5).unwrap_err();
    let remedy = "give them a number with encode_padded or encode_repeated";
    remedied(&error, "DomainError::FalsePromise", remedy);
    let given =
        [s.params.encode_padded_within(&x, -7.0, 8.0), s.params.encode_repeated_within(&x, 8.0)];
    for given in given {
        let given = s.encrypt(given);
        let shifted = s.evaluator.add_scalar(&given, 7.0).unwrap();
        let promised = s.evaluator.assume_magnitude(&shifted, 0.5).unwrap();
        assert!(s.secret.decrypt(&promised).is_ok());
    }
}

#[test]
fn a_larger_bound_is_promised() {
    let mut s = setup();
    let a = s.params.encode_within(&[0.75], 4.0);
    let a = s.encrypt(a);
    let promised = s.evaluator.assume_magnitude(&a, 0.5).unwrap();
    let error = s.secret.decrypt(&promised).unwrap_err();
    let remedy = "promise a larger bound with assume_magnitude";
    remedied(&error, "DomainError::BrokenPromise", remedy);
    let promised = s.evaluator.assume_magnitude(&a, 0.75).unwrap();
    assert!(s.secret.decrypt(&promised).is_ok());
}

#[test]
fn bounds_and_numbers_are_finite() {
    let s = setup();
    let error = s.params.encode_within(&[0.0], 1e-310).unwrap_err();
    let remedy = "state a finite number, zero or at least 2.3e-308";
    remedied(&error, "DomainError::NotABound", remedy);
    assert!(s.params.encode_within(&[0.0], 2.3e-308).is_ok());
    assert!(s.params.encode_within(&[0.0], 0.0).is_ok());
    let error = s.params.encode(&[f64::NAN]).unwrap_err();
    remedied(&error, "DomainError::NotFinite", "give finite numbers");
    assert!(s.params.encode(&[0.5]).is_ok());
}
