//! Messages of nothing but zeros decrypt, and so does what is computed from them.

use crate::ckks::setup::{Setup, complex};
use fathom::Error;
use fathom::ckks::{
    Ciphertext, Complex64, LinearMap, Packed, Preset, Rotations, ScaleError, explicit,
};
use fathom::wire::{Wire, WireObject};

fn setup() -> Setup {
    Setup::new(Preset::E3, &Rotations::steps(&[1, 2, 3]), 90)
}

/// Asserts that a result decrypts to zeros, at a stated precision too, and after a journey.
fn assert_zeros(s: &Setup, what: &str, c: &Ciphertext) {
    let count = s.params.slot_count();
    s.check(what, c, &vec![Complex64::ZERO; count]);
    let precise = s.secret.decrypt_with_precision(c, 10.0);
    assert!(precise.is_ok(), "{what}: {:?}", precise.err());
    let read = Ciphertext::from_bytes(&s.params, &c.to_bytes()).unwrap();
    s.check(what, &read, &vec![Complex64::ZERO; count]);
}

#[test]
fn products_by_zero_decrypt() {
    let mut s = setup();
    let x = s.random();
    let a = s.encrypt(&x);
    let zeros = s.params.encode_public(&[0.0]).unwrap();
    let e = &s.evaluator;
    let product = e.mul_plain(&a, &zeros.to_multiplicand(a.level()).unwrap()).unwrap();
    assert_zeros(&s, "a plaintext of zeros", &product);
    for zero in [Complex64::ZERO, (-0.0).into()] {
        assert_zeros(&s, "the number zero", &e.mul_scalar(&a, zero).unwrap());
    }
    let nothing = s.secret.encrypt(&zeros, &mut s.rng).unwrap();
    assert_zeros(&s, "an encryption of zeros", &s.evaluator.mul(&a, &nothing).unwrap());
    assert_zeros(&s, "the square of zeros", &s.evaluator.square(&nothing).unwrap());
    assert_zeros(
        &s,
        "a polynomial without terms",
        &s.evaluator.evaluate_polynomial(&a, &[]).unwrap(),
    );
    let map = LinearMap::for_level(&s.params, &vec![vec![0.0; 4]; 4], a.level()).unwrap();
    let result = s.evaluator.transform(&map, &Packed::assume(4, a)).unwrap();
    assert_zeros(&s, "a matrix of zeros", result.value());
}

#[test]
fn zeros_are_summands_and_factors_like_any_other() {
    let mut s = setup();
    let x = s.random();
    let a = s.encrypt(&x);
    let zeros = s.params.encode_public(&[0.0]).unwrap();
    let e = &s.evaluator;
    let zero = e.mul_plain(&a, &zeros.to_multiplicand(a.level()).unwrap()).unwrap();
    s.check("zero added", &e.add(&zero, &a).unwrap(), &x);
    assert_zeros(&s, "zero times x", &e.mul(&zero, &a).unwrap());
}

#[test]
fn coefficients_that_round_to_zero_leave_a_mask() {
    let mut s = setup();
    let a = s.encrypt(&complex(&vec![0.5; s.params.slot_count()]));
    for coefficients in [&[0.25, 1e-30][..], &[0.5, 0.0, 1e-30], &[0.25, 1e-30, 0.0, 1e-30]] {
        let c = s.evaluator.evaluate_polynomial(&a, coefficients).unwrap();
        let expected = vec![coefficients[0]; s.params.slot_count()];
        s.check("tiny coefficients", &c, &complex(&expected));
        assert!(Ciphertext::from_bytes(&s.params, &c.to_bytes()).is_ok(), "{coefficients:?}");
    }
    let without = fathom::ckks::Evaluator::new(
        fathom::ckks::Evaluator::without_keys(&s.params).keys().clone(),
    );
    let refused = without.evaluate_polynomial(&a, &[0.25, 1e-30]).err();
    assert!(matches!(refused, Some(Error::Transparent { .. })), "{refused:?}");
}

/// The modulus does not limit the scale of zeros.
#[test]
fn scales_of_zeros_beyond_the_modulus_travel_up_to_the_largest() {
    let mut s = setup();
    let zeros = s.params.encode_public(&[0.0]).unwrap();
    let zeros = s.secret.encrypt(&zeros, &mut s.rng).unwrap();
    let lowest = s.evaluator.mod_switch_to(&zeros, 0).unwrap();
    let square = s.evaluator.square(&lowest).unwrap();
    assert!(square.scale().log2() > s.params.spec().base_bits[0]);
    assert_zeros(&s, "the square at the last level", &square);

    let params = explicit::Params::preset(Preset::E3Precise).unwrap();
    let mut rng = fathom::SecretRng::insecure_from_seed(93);
    let secret = explicit::SecretKey::generate(&params, &mut rng);
    let keys = secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap();
    let evaluator = explicit::Evaluator::new(keys);
    let mut power = secret.encrypt(&params.encode_public(&[0.0]).unwrap(), &mut rng).unwrap();
    let squared = |a: &explicit::Ciphertext| evaluator.relinearize(&evaluator.tensor(a, a)?);
    let refused = loop {
        match squared(&power) {
            Ok(square) => power = square,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, Error::Scale(ScaleError::TooLarge { .. })), "{refused:?}");
    assert!(secret.decrypt(&power).unwrap().slots().iter().all(|x| x.abs() < 1e-9));
    // Divisions lower the scale, so that the next product is one of the zeros again.
    let rescaled = (0..3).fold(power, |power, _| evaluator.rescale(&power).unwrap());
    assert!(squared(&rescaled).is_ok());
}
