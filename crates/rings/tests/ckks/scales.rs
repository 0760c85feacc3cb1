//! Scales that cannot be brought together are refused, and the remedies work.

use crate::ckks::setup::{Setup, map};
use fathom::Error;
use fathom::ckks::{Complex64, Params, Preset, Rotations, ScaleError, Spec, explicit};

fn setup(preset: Preset) -> Setup {
    Setup::new(preset, &Rotations::none(), 91)
}

#[test]
fn rescaling_below_a_scale_of_one_is_refused_and_a_switch_is_not() {
    let mut s = setup(Preset::E3Precise);
    let plain = s.params.encode_within(&vec![Complex64::ONE; s.params.slot_count()], 1.0).unwrap();
    let a = s.secret.encrypt(&plain, &mut s.rng).unwrap();
    // A value of 2^80 survives two divisions by 44 bits.
    let factor = 2f64.powi(20);
    let large = (0..4).fold(a, |c, _| s.evaluator.mul_scalar(&c, factor).unwrap());
    let expected = vec![Complex64::from(2f64.powi(80)); s.params.slot_count()];
    let mut rescaled = large.clone();
    let refused = loop {
        match s.evaluator.rescale(&rescaled) {
            Ok(lower) => rescaled = lower,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, Error::Scale(ScaleError::BelowOne { .. })), "{refused:?}");
    s.check("rescaled", &rescaled, &expected);
    let to = large.level().get() - 2;
    s.check("switched", &s.evaluator.mod_switch_to(&large, to).unwrap(), &expected);
    let both = s.evaluator.mod_switch_to(&rescaled, to).unwrap();
    s.check("rescaled and switched", &both, &expected);
}

#[test]
fn scales_too_far_apart_are_refused_and_a_rescaled_operand_is_not() {
    let mut s = setup(Preset::E3Precise);
    let x = s.random();
    let a = s.encrypt(&x);
    let e = &s.evaluator;
    let square = e.relinearize(&e.tensor(&a, &a).unwrap()).unwrap();
    let fourth = e.relinearize(&e.tensor(&square, &square).unwrap()).unwrap();
    let refused = e.add(&fourth, &a).err();
    assert!(matches!(refused, Some(Error::Scale(ScaleError::OutOfReach { .. }))), "{refused:?}");
    let rescaled = e.rescale(&e.rescale(&e.rescale(&fourth).unwrap()).unwrap()).unwrap();
    s.check("rescaled", &e.add(&rescaled, &a).unwrap(), &map(&x, |x| x.powi(4) + x));
}

/// Explicit levels and scales, with operands of one message.
struct Explicit {
    params: explicit::Params,
    secret: explicit::SecretKey,
    evaluator: explicit::Evaluator,
    a: explicit::Ciphertext,
}

fn explicitly() -> Explicit {
    let params = explicit::Params::preset(Preset::E3Small).unwrap();
    let mut rng = fathom::SecretRng::insecure_from_seed(92);
    let secret = explicit::SecretKey::generate(&params, &mut rng);
    let keys = secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap();
    let evaluator = explicit::Evaluator::new(keys);
    let a = secret.encrypt(&params.encode(&[0.5]).unwrap(), &mut rng).unwrap();
    Explicit { params, secret, evaluator, a }
}

impl Explicit {
    fn refused(&self, left: &explicit::Ciphertext, right: &explicit::Ciphertext) -> String {
        let error = self.evaluator.add(left, right).unwrap_err();
        assert!(matches!(error, Error::Scale(ScaleError::Mismatch { .. })), "{error:?}");
        error.to_string()
    }

    fn assert_sum(&self, left: &explicit::Ciphertext, right: &explicit::Ciphertext, expected: f64) {
        let found = self.secret.decrypt(&self.evaluator.add(left, right).unwrap()).unwrap();
        assert!((found.slots()[0] - expected).abs() <= found.error_bound());
    }
}

#[test]
fn a_product_that_was_not_rescaled_is_rescaled_and_the_other_operand_switched() {
    let s = explicitly();
    let e = &s.evaluator;
    let wide = e.tensor(&s.a, &s.a).unwrap();
    let text = s.refused(&s.a, &wide);
    assert!(text.contains("rescale the one of the larger scale"), "{text}");
    let rescaled = e.rescale(&wide).unwrap();
    s.assert_sum(&rescaled, &e.mod_switch_to(&s.a, rescaled.level()).unwrap(), 0.75);
}

#[test]
fn scales_that_differ_slightly_are_brought_together_by_a_switch() {
    let s = explicitly();
    let e = &s.evaluator;
    let (odd, usual) = (e.drop_to(&s.a, 1).unwrap(), e.mod_switch_to(&s.a, 1).unwrap());
    let text = s.refused(&odd, &usual);
    assert!(text.contains("bring both to the next level with mod_switch_to"), "{text}");
    let [odd, usual] = [odd, usual].map(|c| e.mod_switch_to(&c, 0).unwrap());
    s.assert_sum(&odd, &usual, 1.0);
}

#[test]
fn at_the_last_level_the_remedy_is_an_earlier_switch() {
    let s = explicitly();
    let e = &s.evaluator;
    let (odd, usual) = (e.drop_to(&s.a, 0).unwrap(), e.mod_switch_to(&s.a, 0).unwrap());
    let text = s.refused(&odd, &usual);
    assert!(text.contains("bring each to the last level with mod_switch_to"), "{text}");
    s.assert_sum(&usual, &e.mod_switch_to(&s.a, 0).unwrap(), 1.0);
}

#[test]
fn an_addend_of_another_scale_is_added_as_a_plaintext() {
    let s = explicitly();
    let e = &s.evaluator;
    let wide = e.tensor(&s.a, &s.a).unwrap();
    let plain = s.params.encode(&[0.5]).unwrap();
    let refused = e.add_plain(&wide, &plain.to_addend(wide.level()).unwrap()).unwrap_err();
    assert!(refused.to_string().contains("or add the Plaintext"), "{refused}");
    let found = s.secret.decrypt(&e.add_plain(&wide, &plain).unwrap()).unwrap();
    assert!((found.slots()[0] - 0.75).abs() <= found.error_bound());
}

#[test]
fn levels_that_do_not_exist_have_no_scale_and_no_modulus() {
    let params = Params::preset(Preset::E3Small).unwrap();
    for level in [3, 64, usize::MAX] {
        assert!(matches!(params.scale(level), Err(Error::NoSuchLevel { .. })), "{level}");
        assert!(matches!(params.log2_modulus(level), Err(Error::NoSuchLevel { .. })), "{level}");
    }
    assert!(params.scale(params.top_level()).unwrap() > 2f64.powi(37));
    for depth in [63, 64, usize::MAX] {
        let refused = Params::new(Spec { depth, ..Preset::E3Small.spec() }).err();
        assert!(matches!(refused, Some(Error::Spec { field: "depth", .. })), "{refused:?}");
    }
}
