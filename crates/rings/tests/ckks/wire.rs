//! Objects are read back as written, and damaged frames are refused.

use crate::ckks::setup::Setup;
use fathom::Error;
use fathom::ckks::{Ciphertext, EvaluationKeys, Params, Preset, PublicKey, Rotations, SecretKey};
use fathom::wire::{Wire, WireError, WireFresh, WireObject};

fn setup() -> Setup {
    Setup::new(Preset::E3Depth1, &Rotations::steps(&[1]), 50)
}

#[test]
fn everything_survives_the_journey() {
    let mut s = setup();
    let params = Params::from_bytes(&s.params.to_bytes()).unwrap();
    assert_eq!((params.id(), params.spec()), (s.params.id(), s.params.spec()));
    assert_eq!(s.params.to_bytes().len(), s.params.byte_len());
    let x = s.random();
    let a = s.encrypt(&x);
    let product = s.evaluator.square(&a).unwrap();
    for c in [a, s.encrypt_public(&x), product] {
        let bytes = c.to_bytes();
        assert_eq!(bytes.len(), c.byte_len());
        let back = Ciphertext::from_bytes(&params, &bytes).unwrap();
        assert_eq!(back.to_bytes(), bytes);
        assert_eq!(back.error_bound().to_bits(), c.error_bound().to_bits());
    }
    let secret = SecretKey::from_secret_bytes(&params, &s.secret.to_secret_bytes()).unwrap();
    let public = PublicKey::from_bytes(&params, &s.public.to_bytes()).unwrap();
    let keys = EvaluationKeys::from_bytes(&params, &s.evaluator.keys().to_bytes()).unwrap();
    let evaluator = fathom::ckks::Evaluator::new(keys);
    let c = public.encrypt(&params.encode(&x).unwrap(), &mut s.rng).unwrap();
    let rotated = evaluator.rotate(&evaluator.square(&c).unwrap(), 1).unwrap();
    let found = secret.decrypt(&rotated).unwrap();
    let expected = x[1] * x[1];
    assert!((found.slots_complex()[0] - expected).norm() <= found.error_bound());
}

#[test]
fn fresh_ciphertexts_get_a_bound_that_covers_them() {
    let mut s = setup();
    let x = s.random();
    for c in [s.encrypt(&x), s.encrypt_public(&x)] {
        let fresh = Ciphertext::from_bytes_fresh(&s.params, &c.to_bytes()).unwrap();
        assert!(fresh.error_bound() >= c.error_bound());
        assert!(fresh.magnitude_bound() >= 1.0);
        s.check("fresh", &fresh, &x);
    }
    let fresh = s.encrypt(&x);
    let product = s.evaluator.square(&fresh).unwrap();
    let refused = Ciphertext::from_bytes_fresh(&s.params, &product.to_bytes()).unwrap_err();
    assert_eq!(refused, Error::Wire(WireError::NotFresh));
}

/// A checksum that is right does not make a frame right: the last bytes are recomputed.
#[test]
fn damaged_frames_do_no_harm() {
    let mut s = setup();
    let c = s.encrypt(&[]);
    let (ciphertext, params) = (c.to_bytes(), s.params.to_bytes());
    for bytes in [&ciphertext, &params] {
        for at in (0..bytes.len() - 16).step_by(bytes.len() / 400 + 1) {
            for flip in [1, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] ^= flip;
                let body = damaged.len() - 16;
                let sum = blake3::hash(&damaged[..body]);
                damaged[body..].copy_from_slice(&sum.as_bytes()[..16]);
                if let Ok(read) = Ciphertext::from_bytes(&s.params, &damaged) {
                    let _ = s.secret.decrypt(&read);
                }
                let _ = Params::from_bytes(&damaged);
            }
        }
        assert!(Params::from_bytes(&bytes[..bytes.len() / 2]).is_err());
    }
}
