//! Remedies of CKKS.

use super::remedied;
use fathom::ckks::{Evaluator, Params, Preset, Rotations, SecretKey};
use fathom::rlwe::Encryption;
use fathom::{SecretRng, SecurityLevel};

struct Setup {
    params: Params,
    secret: SecretKey,
    evaluator: Evaluator,
    rng: SecretRng,
}

fn setup(preset: Preset) -> Setup {
    setup_of(Params::preset(preset).unwrap())
}

fn setup_of(params: Params) -> Setup {
    let mut rng = SecretRng::insecure_from_seed(30);
    let secret = SecretKey::generate(&params, &mut rng);
    let evaluator = Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap());
    Setup { params, secret, evaluator, rng }
}

#[test]
fn larger_values_are_encoded_within_their_magnitude() {
    let s = setup(Preset::E3Depth1);
    let error = s.params.encode(&[0.5, 1.5]).unwrap_err();
    let remedy = "state a larger one with encode_within";
    remedied(&error, "Error::MagnitudeExceeded", remedy);
    assert!(s.params.encode_within(&[0.5, 1.5], 2.0).is_ok());
}

#[test]
fn results_are_rounded_to_fewer_bits() {
    let mut s = setup(Preset::E3Depth1);
    let plain = s.params.encode(&[0.5]).unwrap();
    let a = s.secret.encrypt(&plain, &mut s.rng).unwrap();
    let found = s.secret.decrypt(&a).unwrap();
    let error = found.rounded_slots(40).unwrap_err();
    remedied(&error, "Error::PrecisionExhausted", "round to fewer bits");
    assert!((found.rounded_slots(5).unwrap()[0] - 0.5).abs() < 1e-9);
}

#[test]
fn values_are_scaled_down() {
    let mut s = setup(Preset::E3Depth1);
    let plain = s.params.encode_within(&[1.0], 1e30).unwrap();
    let error = s.secret.encrypt(&plain, &mut s.rng).unwrap_err();
    remedied(&error, "Error::NoiseExhausted", "scale the values down");
    let plain = s.params.encode_within(&[1e-30], 1.0).unwrap();
    assert!(s.secret.encrypt(&plain, &mut s.rng).is_ok());
}

#[test]
fn deeper_circuits_and_more_precision_are_planned() {
    let mut s = setup(Preset::E3Depth1);
    let plain = s.params.encode(&[0.5]).unwrap();
    let a = s.secret.encrypt(&plain, &mut s.rng).unwrap();
    let cubic = [0.0, 0.5, 0.25, 0.125, 0.0625];
    let error = s.evaluator.evaluate_polynomial(&a, &cubic).unwrap_err();
    let remedy = "take parameters of greater depth, for instance with Params::for_precision";
    remedied(&error, "Error::NoiseExhausted", remedy);
    let error = s.secret.decrypt_with_precision(&a, 30.0).unwrap_err();
    let remedy = "take parameters of a larger scale, for instance with Params::for_precision";
    remedied(&error, "Error::PrecisionExhausted", remedy);
    let security = SecurityLevel::Bits128;
    let precise = Params::for_precision(0, 30.0, Encryption::SecretKey, security).unwrap();
    let mut s = setup_of(precise);
    let plain = s.params.encode(&[0.5]).unwrap();
    let a = s.secret.encrypt(&plain, &mut s.rng).unwrap();
    assert!(s.secret.decrypt_with_precision(&a, 30.0).is_ok());
    let params = Params::for_precision(3, 20.0, Encryption::SecretKey, security).unwrap();
    let mut s = setup_of(params);
    let plain = s.params.encode(&[0.5]).unwrap();
    let a = s.secret.encrypt(&plain, &mut s.rng).unwrap();
    let b = s.evaluator.evaluate_polynomial(&a, &cubic).unwrap();
    let found = s.secret.decrypt(&b).unwrap();
    let expected = 0.25 + 0.0625 + 0.015_625 + 0.003_906_25;
    assert!((found.slots()[0] - expected).abs() <= found.error_bound());
}
