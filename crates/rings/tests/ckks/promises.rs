//! Promises about magnitudes: recorded, sent along, and checked by decryption.

use crate::ckks::setup::Setup;
use fathom::Error;
use fathom::ckks::{Ciphertext, DomainError, Interval, Preset, Rotations};
use fathom::wire::{Wire, WireError, WireFresh, WireObject};

fn setup(seed: u64) -> Setup {
    Setup::new(Preset::E3Small, &Rotations::steps(&[1]), seed)
}

#[test]
fn a_promise_is_the_magnitude_and_follows_the_message() {
    let mut s = setup(230);
    let a = s.encrypt_within(&[0.5, -0.25], 4.0);
    assert_eq!(a.promise(), None);
    let e = &s.evaluator;
    let promised = e.assume_magnitude(&a, 0.5).unwrap();
    assert!((promised.magnitude_bound() - 0.5).abs() < 1e-8);
    assert!(!promised.is_fresh() && promised.level() == a.level());
    assert!(promised.error_bound() <= a.error_bound());
    let half = Some(Interval::new(-0.5, 0.5));
    for c in [
        promised.clone(),
        e.add(&a, &promised).unwrap(),
        e.mul(&promised, &a).unwrap(),
        e.rotate(&promised, 1).unwrap(),
        e.mul_scalar(&promised, 0.5).unwrap(),
        e.mod_switch_to(&promised, 1).unwrap(),
    ] {
        assert_eq!(c.promise(), half);
        assert!(c.describe().contains("promise of -0.5..=0.5"), "{}", c.describe());
        let back = Ciphertext::from_bytes(&s.params, &c.to_bytes()).unwrap();
        assert_eq!((back.promise(), back.padding()), (c.promise(), c.padding()));
        assert_eq!(back.magnitude_bound().to_bits(), c.magnitude_bound().to_bits());
    }
    // The tighter of two promises is the one to doubt.
    let tighter = e.assume_magnitude(&promised, 0.25).unwrap();
    let sum = e.add(&promised, &tighter).unwrap();
    assert_eq!(sum.promise(), Some(Interval::new(-0.25, 0.25)));
    // What is known already needs no promise.
    let same = e.assume_magnitude(&a, 5.0).unwrap();
    assert_eq!((same.promise(), same.is_fresh()), (None, true));
}

#[test]
fn decryption_refuses_a_slot_beyond_a_promise() {
    let mut s = setup(231);
    let a = s.encrypt_within(&[0.5, -0.75], 4.0);
    let e = &s.evaluator;
    let promised = e.assume_magnitude(&a, 0.5).unwrap();
    let broken = |c: &Ciphertext| match s.secret.decrypt(c) {
        Err(Error::CkksDomain(DomainError::BrokenPromise { low, high, .. })) => (low, high),
        other => panic!("{other:?}"),
    };
    assert_eq!(broken(&promised), (-0.5, 0.5));
    assert_eq!(broken(&e.mul_scalar(&promised, 2.0).unwrap()), (-0.5, 0.5));
    assert_eq!(broken(&e.square(&promised).unwrap()), (-0.5, 0.5));
    let back = Ciphertext::from_bytes(&s.params, &promised.to_bytes()).unwrap();
    assert_eq!(broken(&back), (-0.5, 0.5));
    let text = s.secret.decrypt(&promised).unwrap_err().to_string();
    assert!(text.contains("promise a larger bound with assume_magnitude"), "{text}");
    let kept = e.assume_magnitude(&a, 0.75).unwrap();
    s.check_first("kept", &kept, &[0.5, -0.75]);
}

/// A false promise about the interval of a function shows in the range of its result.
#[test]
fn decryption_refuses_a_result_beyond_the_range_of_a_function() {
    let mut s = setup(232);
    let a = s.encrypt_within(&[0.9, -0.9], 4.0);
    let e = &s.evaluator;
    let small = Interval::new(-0.25, 0.25);
    let promised = e.assume_magnitude(&a, 0.25).unwrap();
    let result = e.evaluate_chebyshev(&promised, &[0.0, 1.0], small).unwrap();
    let refused = s.secret.decrypt(&result).err();
    let named = DomainError::BrokenPromise { low: -0.25, high: 0.25, magnitude: 0.0 };
    let Some(Error::CkksDomain(DomainError::BrokenPromise { low, high, .. })) = refused else {
        panic!("{refused:?} instead of {named:?}")
    };
    assert_eq!((low, high), (-0.25, 0.25));
}

#[test]
fn a_promise_that_is_known_to_be_false_is_refused() {
    let mut s = setup(233);
    let a = s.encrypt_within(&[-6.5, -7.25], 8.0);
    let shifted = s.evaluator.add_scalar(&a, 7.0).unwrap();
    let refused = s.evaluator.assume_magnitude(&shifted, 0.5).err();
    let expected = DomainError::FalsePromise { promised: 0.5, padding: 7.0 };
    assert_eq!(refused, Some(expected.into()));
    let a = s.encrypt_padded(&[-6.5, -7.25], -7.0, 8.0);
    let shifted = s.evaluator.add_scalar(&a, 7.0).unwrap();
    let promised = s.evaluator.assume_magnitude(&shifted, 0.5).unwrap();
    s.check_first("padded", &promised, &[0.5, -0.25]);
}

/// Writes numbers over the bytes of a frame from an offset on, and makes the checksum right.
fn forged(bytes: &[u8], at: usize, numbers: &[f64]) -> Vec<u8> {
    let mut forged = bytes.to_vec();
    for (place, number) in forged[at..].chunks_exact_mut(8).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    let body = forged.len() - 16;
    let sum = blake3::hash(&forged[..body]);
    forged[body..].copy_from_slice(&sum.as_bytes()[..16]);
    forged
}

/// Offsets in a frame: of the bounds on the message, and of the facts after the flags.
const MESSAGE_AT: usize = 72 + 5;
const FACTS_AT: usize = 72 + 5 + 72 + 8;

#[test]
fn fresh_ciphertexts_have_the_larger_claim_of_sender_and_parameters() {
    let mut s = setup(234);
    let x: Vec<f64> = (70..80).map(f64::from).collect();
    let sent = s.encrypt_within(&x, 79.0);
    let fresh = Ciphertext::from_bytes_fresh(&s.params, &sent.to_bytes()).unwrap();
    assert!(fresh.magnitude_bound() >= 79.0 && fresh.error_bound() >= sent.error_bound());
    let squares: Vec<f64> = x.iter().map(|x| x * x).collect();
    s.check_first("square", &s.evaluator.square(&fresh).unwrap(), &squares);
    // A claim below the magnitude of the parameters is not believed.
    let low = forged(&sent.to_bytes(), MESSAGE_AT, &[1.0; 3]);
    let low = Ciphertext::from_bytes_fresh(&s.params, &low).unwrap();
    assert!(low.magnitude_bound() >= 1.0 && low.error_bound() > 0.0);
    // One beyond the modulus is refused with the limit.
    let high = forged(&sent.to_bytes(), MESSAGE_AT, &[2f64.powi(200); 3]);
    let refused = Ciphertext::from_bytes_fresh(&s.params, &high).err();
    let Some(Error::Wire(WireError::NoiseBound { bound_bits, limit_bits })) = refused else {
        panic!("{refused:?}")
    };
    assert!(bound_bits > 199.0 && limit_bits < 130.0);
    for number in [f64::NAN, f64::INFINITY, -1.0] {
        let forged = forged(&sent.to_bytes(), MESSAGE_AT, &[number; 3]);
        let refused = Ciphertext::from_bytes_fresh(&s.params, &forged).err();
        assert!(matches!(refused, Some(Error::Wire(WireError::Malformed { .. }))), "{refused:?}");
    }
}

#[test]
fn fresh_ciphertexts_keep_what_is_known_of_their_slots() {
    let mut s = setup(235);
    for plain in [s.params.encode(&[0.5]), s.params.encode_repeated(&[0.5])] {
        let plain = plain.unwrap();
        for sent in [
            s.secret.encrypt(&plain, &mut s.rng).unwrap(),
            s.public.encrypt(&plain, &mut s.rng).unwrap(),
        ] {
            let fresh = Ciphertext::from_bytes_fresh(&s.params, &sent.to_bytes()).unwrap();
            assert_eq!((fresh.padding(), fresh.is_real()), (sent.padding(), true));
        }
    }
}

/// Encryption fills slots with zeros alone and promises nothing.
#[test]
fn malformed_facts_are_refused() {
    let mut s = setup(236);
    let sent = s.encrypt_within(&[0.5], 1.0).to_bytes();
    let malformed = |bytes: &[u8]| {
        let refused = Ciphertext::from_bytes(&s.params, bytes).err();
        assert!(matches!(refused, Some(Error::Wire(_))), "{refused:?}");
    };
    for disc in [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [f64::NAN, 0.0, 0.0], [0.0, 0.0, -1.0]] {
        malformed(&forged(&sent, FACTS_AT + 1, &disc));
    }
    malformed(&forged(&sent, FACTS_AT + 25, &[-1.0, 1.0]));
    for deviation in [0.5, -0.5, f64::NAN, f64::INFINITY, 1e-310] {
        malformed(&forged(&sent, FACTS_AT + 41, &[deviation]));
    }
    for flags in [3_u8, 5, 8, 16, 255] {
        let mut bytes = sent.clone();
        bytes[FACTS_AT] = flags;
        let tail = bytes[FACTS_AT + 1..FACTS_AT + 9].try_into().unwrap();
        malformed(&forged(&bytes, FACTS_AT + 1, &[f64::from_le_bytes(tail) + 0.5]));
    }
}
