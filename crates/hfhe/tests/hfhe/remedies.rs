//! Every remedy in an error's text is exercised: the failing call, its message, what the text
//! advises, and success.

use super::{compat_key, native_key};
use fathom::SecretRng;
use fathom_hfhe::compat::Decorator;
use fathom_hfhe::{Error, Fp, Workers};

/// The most characters of a message: a terminal shows them in three lines.
const LONGEST: usize = 240;

#[test]
fn results_that_grow_are_encrypted_again() {
    let mut rng = SecretRng::insecure_from_seed(5);
    let key = native_key();
    let x = key.encrypt_u64(3, &mut rng);
    let mut power = x.add_scalar(-x.polynomial().constant());
    for _ in 0..31 {
        power = power.square().unwrap();
    }
    let error = power.square().unwrap_err();
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    let remedy = "HFHE ciphertexts grow with the computation: decrypt and encrypt again in between";
    assert!(error.to_string().ends_with(remedy), "{error}");
    let value = key.decrypt_any_circuit(&power).unwrap();
    assert!(key.encrypt(value, &mut rng).square().is_ok());
}

#[test]
fn constants_are_encrypted_for_the_format_of_the_reference() {
    let mut rng = SecretRng::insecure_from_seed(6);
    let (workers, key) = (Workers::one(), compat_key());
    let x = key.encrypt_u64(1, &mut rng);
    let one = key.encrypt(Fp::ONE, &mut rng);
    let mut decorator = Decorator::new(key.public(), &workers, rng);
    let error = decorator.decorate(&x.add_scalar(Fp::ONE)).unwrap_err();
    assert_eq!(error, Error::ConstantTerm);
    let remedy = "add an encryption of the constant instead";
    assert!(error.to_string().ends_with(remedy), "{error}");
    assert!(decorator.decorate(&x.add(&one).unwrap()).is_ok());
}

#[test]
fn messages_have_a_limited_length() {
    for error in [
        Error::TooLarge { field: "an exponent of", value: u64::MAX, limit: 1 << 32 },
        Error::UnexpectedCircuit,
        Error::NoSuchWire { what: "inputs", available: usize::MAX, wanted: usize::MAX },
        Error::NotAGenerator,
        Error::ConstantTerm,
        Error::NotText,
        fathom::Error::DivisionByZero.into(),
    ] {
        let text = error.to_string();
        assert!(text.len() <= LONGEST, "{} characters: {text}", text.len());
    }
}
