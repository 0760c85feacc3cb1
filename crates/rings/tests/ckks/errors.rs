//! Every refusal has its error.

use crate::ckks::setup::Setup;
use fathom::Error;
use fathom::ckks::{
    Complex64, DomainError, LinearMap, Packed, Params, Preset, Rotations, ScaleError,
    SignApproximation, explicit,
};

fn setup() -> Setup {
    Setup::new(Preset::E3Depth1, &Rotations::none(), 30)
}

#[test]
fn values_that_do_not_fit_are_refused() {
    let s = setup();
    let exceeded = s.params.encode(&[0.5, 1.5]).err();
    assert_eq!(exceeded, Some(Error::MagnitudeExceeded { index: 1, magnitude: 1.0 }));
    assert!(s.params.encode(&[f64::NAN]).is_err());
    assert!(s.params.encode_public(&[f64::INFINITY]).is_err());
    let many = vec![0.0; s.params.slot_count() + 1];
    assert!(matches!(s.params.encode(&many), Err(Error::TooManyValues { .. })));
    assert!(matches!(s.params.encode_repeated(&[0.0; 3]), Err(Error::Shape { .. })));
}

/// Numbers in messages are as long as they need to be.
#[test]
fn large_magnitudes_are_written_with_an_exponent() {
    let s = setup();
    let magnitude = 1e170;
    let error = s.params.encode_within(&[2e170], magnitude).unwrap_err();
    assert!(error.to_string().contains("the stated magnitude 1e170;"), "{error}");
    let error = s.params.encode(&[1.5]).unwrap_err();
    assert!(error.to_string().contains("the stated magnitude 1;"), "{error}");
}

#[test]
fn compositions_beyond_all_levels_are_refused_at_once() {
    let refused = SignApproximation::new(0.1, &vec![3; 100_000]).unwrap_err().to_string();
    assert!(refused.contains("200000 levels") && refused.len() < 200, "{refused}");
    assert!(SignApproximation::new(0.1, &[3; 32]).is_ok());
    let mut even = vec![3; 100_000];
    even[7] = 4;
    let refused = SignApproximation::new(0.1, &even).unwrap_err().to_string();
    assert!(refused.contains("4 is not an odd number") && refused.len() < 200, "{refused}");
}

#[test]
fn products_without_a_level_are_refused() {
    let mut s = setup();
    let a = s.encrypt(&[Complex64::ONE]);
    let low = s.evaluator.square(&a).unwrap();
    let refused = s.evaluator.square(&low).err();
    assert!(matches!(refused, Some(Error::NoiseExhausted { operation: "mul", .. })));
    assert!(matches!(s.evaluator.rescale(&low), Err(Error::NoSuchLevel { .. })));
    assert!(matches!(s.evaluator.mod_switch_to(&low, 1), Err(Error::NoSuchLevel { .. })));
}

#[test]
fn sums_with_an_addend_of_another_level_or_scale_are_refused() {
    let mut s = setup();
    let (top, low) = (s.params.top_level(), s.params.top_level().next().unwrap());
    let addend = s.params.encode(&[0.5]).unwrap().to_addend(top).unwrap();
    assert!(format!("{addend:?}").contains("level"), "{addend:?}");
    let a = s.encrypt(&[Complex64::ONE]);
    let lowered = s.evaluator.mod_switch_to(&a, low).unwrap();
    let refused = s.evaluator.add_plain(&lowered, &addend).err();
    assert!(matches!(refused, Some(Error::NoSuchLevel { .. })), "{refused:?}");
    let tensor = s.evaluator.tensor(&a, &a).unwrap();
    let refused = s.evaluator.sub_plain(&tensor, &addend).err();
    assert!(matches!(refused, Some(Error::Scale(ScaleError::Mismatch { .. }))), "{refused:?}");
    assert!(s.params.encode(&[0.5]).unwrap().to_addend(top.get() + 1).is_err());
}

#[test]
fn decrypting_past_zero_precision_is_refused() {
    let mut s = setup();
    // A magnitude below the noise: nothing of the message would be left.
    let plain = s.params.encode_within(&[1e-9], 1e-9).unwrap();
    let c = s.secret.encrypt(&plain, &mut s.rng).unwrap();
    let refused = s.secret.decrypt(&c).err();
    assert!(matches!(refused, Some(Error::PrecisionExhausted { .. })), "{refused:?}");
    let a = s.encrypt(&[Complex64::ONE]);
    assert!(s.secret.decrypt_with_precision(&a, 10.0).is_ok());
    let refused = s.secret.decrypt_with_precision(&a, 30.0).err();
    let text = refused.unwrap().to_string();
    assert!(text.contains("2^-30.0") && text.contains("for_precision"), "{text}");
}

#[test]
fn a_magnitude_beyond_the_modulus_is_refused() {
    let mut s = setup();
    for magnitude in [1e20, 1e30] {
        let plain = s.params.encode_within(&[1.0], magnitude).unwrap();
        let refused = s.secret.encrypt(&plain, &mut s.rng).err();
        assert!(matches!(refused, Some(Error::NoiseExhausted { .. })), "{refused:?}");
    }
}

#[test]
fn foreign_objects_are_refused() {
    let mut s = setup();
    let mut other = Setup::new(Preset::E3Small, &Rotations::none(), 31);
    let (a, b) = (s.encrypt(&[]), other.encrypt(&[]));
    assert!(matches!(s.evaluator.add(&a, &b), Err(Error::ParamsMismatch { .. })));
    let mut stranger = Setup::new(Preset::E3Depth1, &Rotations::none(), 32);
    let c = stranger.encrypt(&[]);
    assert!(matches!(s.evaluator.add(&a, &c), Err(Error::KeyMismatch { .. })));
    assert!(matches!(s.secret.decrypt(&c), Err(Error::KeyMismatch { .. })));
    assert!(matches!(s.evaluator.rotate(&a, 1), Err(Error::MissingGaloisKey { .. })));
    let map = LinearMap::for_level(&s.params, &[vec![1.0]], 9);
    assert!(matches!(map, Err(Error::NoSuchLevel { .. })));
    let map = LinearMap::for_level(&s.params, &[vec![1.0, 2.0], vec![1.0]], 1);
    assert!(matches!(map, Err(Error::Shape { .. })));
    let map = LinearMap::for_level(&s.params, &[vec![0.5; s.params.slot_count() + 1]], 1);
    assert!(matches!(map, Err(Error::Shape { .. })));
    let map = LinearMap::for_level(&s.params, &[vec![f64::NAN, 2.0]], 1);
    assert!(matches!(map, Err(Error::CkksDomain(DomainError::NotFinite { .. }))));
    for size in [0, 1, 3] {
        let map = LinearMap::for_level_with_size(&s.params, &[vec![1.0, 2.0]], size, 1);
        assert!(matches!(map, Err(Error::Shape { .. })), "{size}");
    }
    let map = LinearMap::for_level(&s.params, &[vec![1.0, 2.0, 3.0]], 1).unwrap();
    assert!(matches!(map.pack(&[1.0, 2.0]), Err(Error::Shape { .. })));
    assert!(matches!(map.pack(&[0.1; 4]), Err(Error::Shape { .. })));
    let other = Packed::assume(8, s.params.encode(&[0.5]).unwrap());
    assert!(matches!(map.unpack(&other), Err(Error::Shape { .. })));
}

#[test]
fn explicit_levels_and_scales_are_the_callers() {
    let params = explicit::Params::preset(Preset::E3Small).unwrap();
    let mut rng = fathom::SecretRng::insecure_from_seed(33);
    let secret = explicit::SecretKey::generate(&params, &mut rng);
    let keys = secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap();
    let e = explicit::Evaluator::new(keys);
    let a = secret.encrypt(&params.encode(&[0.5]).unwrap(), &mut rng).unwrap();
    let low = e.square(&a).unwrap();
    assert!(matches!(e.add(&a, &low), Err(Error::LevelMismatch { .. })));
    assert!(matches!(e.mul(&a, &low), Err(Error::LevelMismatch { .. })));
    let wide = e.tensor(&a, &a).unwrap();
    assert!(matches!(e.add(&a, &wide), Err(Error::Scale(ScaleError::Mismatch { .. }))));
    let sum = e.add(&e.mod_switch_to(&a, low.level()).unwrap(), &low).unwrap();
    let found = secret.decrypt(&sum).unwrap();
    assert!((found.slots()[0] - 0.75).abs() <= found.error_bound());
    let automatic = Params::preset(Preset::E3Small).unwrap();
    assert_ne!(automatic.id(), params.id(), "the two modes do not mix");
}

#[test]
fn scales_that_differ_slightly_at_the_last_level_are_refused() {
    let mut s = setup();
    let a = s.encrypt(&[Complex64::ONE]);
    let odd = s.evaluator.drop_to(&a, 0).unwrap();
    let usual = s.evaluator.mod_switch_to(&a, 0).unwrap();
    assert!(matches!(
        s.evaluator.add(&odd, &usual),
        Err(Error::Scale(ScaleError::Mismatch { .. }))
    ));
}
