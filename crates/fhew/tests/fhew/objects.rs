//! Objects travel, and are never confused with those of another key or parameter set.

use super::frame;
use fathom::Error::{KeyMismatch, ParamsMismatch, Transparent, Wire as Damaged};
use fathom::SecretRng;
use fathom::wire::{Wire, WireError, WireObject, WireValue};
use fathom_fhew::{Error, FhewBit, FhewParams, FhewSecretKey};

#[test]
fn objects_travel_and_belong_to_their_key() {
    let mut rng = SecretRng::insecure_from_seed(8);
    for params in FhewParams::presets() {
        let bytes = params.to_bytes();
        assert_eq!(bytes.len(), params.byte_len());
        assert_eq!(FhewParams::from_bytes(&bytes).unwrap(), params);
        let key = FhewSecretKey::generate(&params, &mut rng);
        let secret = key.to_secret_bytes();
        assert_eq!(secret.len(), key.byte_len());
        let read = FhewSecretKey::from_secret_bytes(&params, &secret).unwrap();
        assert_eq!((read.to_secret_bytes(), read.id()), (secret.clone(), key.id()));
        let bit = key.encrypt(true, &mut rng);
        let bytes = bit.to_bytes(&params).unwrap();
        assert_eq!(bytes.len(), bit.byte_len(&params));
        assert_eq!(FhewBit::from_bytes(&params, &bytes).unwrap(), bit);
        assert!(read.decrypt(&bit).unwrap());
        let other = FhewSecretKey::generate(&params, &mut rng);
        assert!(matches!(other.decrypt(&bit), Err(Error::Fathom(KeyMismatch { .. }))));
        // Hostile contents: a coefficient of 2, nonzero padding, a word of 16 bits, no mask.
        let read = |frame: Vec<u8>| FhewSecretKey::from_secret_bytes(&params, &frame).map(drop);
        let malformed = |field| Error::from(WireError::Malformed { field });
        let full = frame::with_bytes(&secret, 0, &[0xff]);
        assert_eq!(read(full).unwrap_err(), malformed("key"));
        let odd = frame::with_bytes(&bytes, 6, &[bytes[72 + 6] | 1]);
        assert_eq!(Error::from(FhewBit::from_bytes(&params, &odd).unwrap_err()), malformed("word"));
        let clear = frame::with_bytes(&bytes, 0, &[0; 2 * 592]);
        assert!(matches!(FhewBit::from_bytes(&params, &clear).unwrap_err(), Transparent { .. }));
        // A frame that is marked as clear has one byte.
        let mut marked = bytes.clone();
        marked[9] = 4;
        let marked = frame::with_bytes(&marked, 0, &[0]);
        assert!(matches!(
            FhewBit::from_bytes(&params, &marked).unwrap_err(),
            Damaged(WireError::Range { field: "payload length", .. })
        ));
        for at in (0..bytes.len()).step_by(37) {
            assert!(FhewBit::from_bytes(&params, &bytes[..at]).is_err());
            assert!(FhewSecretKey::from_secret_bytes(&params, &bytes[..at]).is_err());
        }
    }
    let [ginx, lmkcdey, _] = FhewParams::presets();
    let bit = FhewSecretKey::generate(&ginx, &mut rng).encrypt(true, &mut rng);
    let other = FhewSecretKey::generate(&lmkcdey, &mut rng);
    assert!(matches!(other.decrypt(&bit), Err(Error::Fathom(ParamsMismatch { .. }))));
    let refused = bit.to_bytes(&lmkcdey).unwrap_err();
    assert!(matches!(refused, ParamsMismatch { .. }));
}

#[test]
fn every_set_has_a_name() {
    let error = FhewParams::preset("fhew_ginx_256").unwrap_err();
    assert!(error.to_string().ends_with("; `FhewParams::presets` has all sets"), "{error}");
    for set in FhewParams::presets() {
        assert_eq!(FhewParams::preset(set.name()).unwrap(), set);
    }
}
