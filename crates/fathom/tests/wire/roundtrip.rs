//! Objects are read back as they were written.

use crate::wire::sample::{Sample, encodings, recoded};
use fathom::SecretRng;
use fathom::bfv::{Bfv, MsbCiphertext};
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{
    Ciphertext, EvaluationKeys, Evaluator, GaloisKeys, Modular, Params, Plaintext, Preset,
    PublicKey, RelinearizationKey, Rotations, SecretKey,
};
use fathom::wire::{Wire, WireObject, summary};

const PRESETS: [Preset; 4] = [Preset::E1, Preset::E1Bits192, Preset::E1Bits256, Preset::E2];

/// Returns all objects of one party, as read by another party that shares nothing with the first.
fn received<S: Modular>(sent: &Sample<S>) -> Sample<S> {
    let params = Params::<S>::from_bytes(&sent.params.to_bytes()).unwrap();
    let secret = SecretKey::from_secret_bytes(&params, &sent.secret.to_secret_bytes()).unwrap();
    let public = PublicKey::from_bytes(&params, &sent.public.to_bytes()).unwrap();
    let keys = EvaluationKeys::from_bytes(&params, &sent.keys.to_bytes()).unwrap();
    let plaintext = Plaintext::from_bytes(&params, &sent.plaintext.to_bytes()).unwrap();
    let ciphertext = Ciphertext::from_bytes(&params, &sent.ciphertext.to_bytes()).unwrap();
    let values = sent.values.clone();
    let rng = SecretRng::insecure_from_seed(12);
    Sample { params, secret, public, keys, values, plaintext, ciphertext, rng }
}

fn survives<S: Modular>(preset: Preset) {
    let sent = Sample::<S>::new(preset.spec());
    let mut got = received(&sent);
    assert_eq!(got.params.spec(), sent.params.spec());
    assert_eq!(got.params.id(), sent.params.id());
    assert_eq!(got.plaintext.coefficients(), sent.plaintext.coefficients());
    assert!(got.keys.galois_elements().eq(sent.keys.galois_elements()));
    assert!(got.ciphertext.is_seeded());
    let decrypted = |c: &Ciphertext<S>| got.secret.decrypt(c).unwrap().coefficients().to_vec();
    assert_eq!(decrypted(&got.ciphertext), sent.values);
    let encrypted = got.public.encrypt(&got.plaintext, &mut got.rng).unwrap();
    assert!(!encrypted.is_seeded());
    assert_eq!(decrypted(&encrypted), sent.values);
    // Results of an evaluator on one side are read on the other, and equal those that the other
    // evaluator computes.
    let (here, there) = (sent.evaluator(), got.evaluator());
    for (name, result) in results(&here, &sent.ciphertext) {
        let bytes = result.to_bytes();
        let read = Ciphertext::from_bytes(&got.params, &bytes).unwrap();
        assert_eq!(result.byte_len(), bytes.len(), "{name}");
        assert_eq!(read.level(), result.level(), "{name}");
        assert_eq!(read.component_count(), result.component_count(), "{name}");
        assert_eq!(read.noise_bound_bits(), result.noise_bound_bits(), "{name}");
        let expected = sent.secret.decrypt(&result).unwrap();
        assert_eq!(decrypted(&read), expected.coefficients(), "{name}");
        let again = results(&there, &got.ciphertext).into_iter().find(|r| r.0 == name).unwrap();
        assert_eq!(again.1.to_bytes(), bytes, "{name}");
    }
}

/// Returns ciphertexts of every form.
fn results<S: Modular>(e: &Evaluator<S>, c: &Ciphertext<S>) -> Vec<(&'static str, Ciphertext<S>)> {
    vec![
        ("fresh", c.clone()),
        ("lowest level", e.mod_switch_to(c, 0).unwrap()),
        ("three components", e.tensor(c, c).unwrap()),
        ("product", e.mul(c, c).unwrap()),
        ("rotation", e.rotate(c, 3).unwrap()),
        ("masked zero", e.sub(c, c).unwrap()),
    ]
}

#[test]
fn everything_survives_the_journey_in_bgv() {
    PRESETS.into_iter().for_each(survives::<Bgv>);
}

#[test]
fn everything_survives_the_journey_in_bfv() {
    PRESETS.into_iter().for_each(survives::<Bfv>);
}

#[test]
fn a_sparse_secret_survives() {
    let spec = fathom::bgv::Spec { secret_weight: Some(2048), ..Preset::E1.spec() };
    let Ok(params) = Params::<Bgv>::new(spec) else { panic!("weight N/2 is secure") };
    let secret = SecretKey::generate(&params, &mut SecretRng::insecure_from_seed(1));
    let bytes = secret.to_secret_bytes();
    let read = SecretKey::from_secret_bytes(&params, &bytes).unwrap();
    assert_eq!(*read.to_secret_bytes(), *bytes);
    assert_eq!(Params::<Bgv>::from_bytes(&params.to_bytes()).unwrap().spec(), params.spec());
}

#[test]
fn lengths_are_known_before_encoding() {
    for preset in PRESETS {
        let s = Sample::<Bfv>::new(preset.spec());
        let stated = [
            s.params.byte_len(),
            s.secret.secret_byte_len(),
            s.public.byte_len(),
            s.keys.byte_len(),
            s.ciphertext.byte_len(),
            s.plaintext.byte_len(),
            s.keys.relinearization_key().unwrap().byte_len(),
            s.keys.galois_keys().unwrap().byte_len(),
        ];
        for ((kind, bytes), stated) in encodings(&s).into_iter().zip(stated) {
            assert_eq!(bytes.len(), stated, "{kind} of {}", preset.name());
            let summary = summary(&bytes).unwrap();
            assert_eq!((summary.kind, summary.byte_len), (kind, stated));
            assert_eq!((&summary.scheme, &summary.params_id), (b"bfv\0", s.params.id()));
            assert_eq!(recoded(kind, &s.params, &bytes).unwrap(), bytes, "{kind}");
        }
        let msb = s.ciphertext.to_msb();
        assert_eq!(msb.to_bytes().len(), msb.byte_len());
    }
}

#[test]
fn the_border_form_survives() {
    for preset in PRESETS {
        let s = Sample::<Bfv>::new(preset.spec());
        for (name, ciphertext) in results(&s.evaluator(), &s.ciphertext) {
            let expected = s.secret.decrypt(&ciphertext).unwrap();
            let sent = ciphertext.to_msb();
            let read = MsbCiphertext::from_bytes(&s.params, &sent.to_bytes()).unwrap();
            assert_eq!((read.factor(), read.level()), (sent.factor(), sent.level()));
            let back = s.params.from_msb(&read).unwrap();
            assert_eq!(s.secret.decrypt(&back).unwrap(), expected, "{name}");
        }
    }
}

#[test]
fn the_sizes_of_e1_are_those_of_its_primes() {
    let s = Sample::<Bgv>::new(Preset::E1.spec());
    let e = s.evaluator();
    let (row, frame, meta) = (4096 * 30 / 8, 72 + 16, 4 + 1 + 72 + 8);
    assert_eq!(s.ciphertext.byte_len(), frame + meta + 32 + 2 * row); // 30 925
    assert_eq!(e.neg(&s.ciphertext).unwrap().byte_len(), frame + meta + 4 * row); // 61 613
    let result = e.mod_switch_to(&s.ciphertext, 0).unwrap();
    assert_eq!(result.byte_len(), frame + meta + 2 * row); // 30 893
    assert_eq!(s.plaintext.byte_len(), frame + 4096 * 17 / 8);
    assert_eq!(s.secret.secret_byte_len(), frame + 4096 * 2 / 8);
    let all_primes = 2 * row + 4096 * 46 / 8;
    assert_eq!(s.public.byte_len(), frame + 32 + all_primes);
    // One digit: the relinearisation key, two Galois keys, the encryption of zero.
    let key = 32 + all_primes;
    let zero = 8 + s.ciphertext.byte_len();
    assert_eq!(s.keys.byte_len(), frame + 5 + key + 2 * (4 + key) + zero);
}

#[test]
fn a_selection_holds_what_was_asked_for_and_nothing_else() {
    let s = Sample::<Bgv>::new(Preset::E1.spec());
    let part = s.keys.select(&Rotations::steps(&[3])).unwrap();
    let part = EvaluationKeys::from_bytes(&s.params, &part.to_bytes()).unwrap();
    assert_eq!(part.galois_elements().collect::<Vec<_>>(), [27]);
    let evaluator = Evaluator::new(part);
    assert!(evaluator.rotate(&s.ciphertext, 3).is_ok());
    assert!(evaluator.mul(&s.ciphertext, &s.ciphertext).is_ok());
    let missing = evaluator.rotate(&s.ciphertext, 1);
    assert!(matches!(missing, Err(fathom::Error::MissingGaloisKey { exponent: 3, .. })));
    let missing = s.keys.select(&Rotations::steps(&[2]));
    assert!(matches!(missing, Err(fathom::Error::MissingGaloisKey { exponent: 9, .. })));
}

/// Keys that are generated and sent one by one serve as those that are made together.
#[test]
fn keys_travel_one_by_one() {
    let mut s = Sample::<Bgv>::new(Preset::E1.spec());
    let (params, rng) = (s.params.clone(), &mut s.rng);
    let relinearization = s.secret.relinearization_key(rng).to_bytes();
    let galois = s.secret.galois_keys(&Rotations::steps(&[2]), rng).to_bytes();
    let more = s.secret.galois_keys(&Rotations::steps(&[5]), rng);
    let keys = EvaluationKeys::empty(&params)
        .with_relinearization_key(
            &RelinearizationKey::from_bytes(&params, &relinearization).unwrap(),
        )
        .and_then(|keys| keys.with_galois_keys(&GaloisKeys::from_bytes(&params, &galois)?))
        .and_then(|keys| keys.with_galois_keys(&more))
        .unwrap();
    assert_eq!(keys.key_id(), Some(s.secret.id()));
    assert_eq!(keys.galois_keys().unwrap().elements().count(), 2);
    let server = Evaluator::new(keys.clone());
    let x = &s.ciphertext;
    assert!(s.secret.decrypt(&server.mul(x, x).unwrap()).is_ok());
    for step in [2, 5] {
        assert!(s.secret.decrypt(&server.rotate(x, step).unwrap()).is_ok());
    }
    // Without an encryption of zero, a result that anyone could read is refused.
    let transparent = server.sub(x, x);
    assert!(matches!(transparent, Err(fathom::Error::Transparent { operation: "sub", .. })));
    let masked = keys.with_zero(s.secret.zero_encryption(rng)).unwrap();
    assert!(Evaluator::new(masked.clone()).sub(x, x).is_ok());
    assert!(Evaluator::new(masked.without_zero()).sub(x, x).is_err());
}

#[test]
fn keys_of_several_secrets_are_not_joined() {
    let mut s = Sample::<Bgv>::new(Preset::E1.spec());
    let other = SecretKey::generate(&s.params, &mut s.rng);
    let keys = || s.keys.clone();
    let relinearization = other.relinearization_key(&mut s.rng);
    let galois = other.galois_keys(&Rotations::steps(&[1]), &mut s.rng);
    let zero = other.zero_encryption(&mut s.rng);
    for refused in [
        keys().with_relinearization_key(&relinearization),
        keys().with_galois_keys(&galois),
        keys().with_zero(zero),
    ] {
        assert!(matches!(refused, Err(fathom::Error::KeyMismatch { .. })));
    }
    let lower = s.evaluator().mod_switch_to(&s.ciphertext, 0).unwrap();
    assert!(matches!(keys().with_zero(lower), Err(fathom::Error::LevelMismatch { .. })));
    let three = s.evaluator().tensor(&s.ciphertext, &s.ciphertext).unwrap();
    assert!(matches!(keys().with_zero(three), Err(fathom::Error::Components { .. })));
}

#[test]
fn no_keys_at_all_survive() {
    let params = Params::<Bgv>::preset(Preset::E1).unwrap();
    let bytes = EvaluationKeys::empty(&params).to_bytes();
    let read = EvaluationKeys::from_bytes(&params, &bytes).unwrap();
    assert_eq!(bytes.len(), 72 + 16 + 5);
    assert_eq!(read.galois_elements().count(), 0);
}
