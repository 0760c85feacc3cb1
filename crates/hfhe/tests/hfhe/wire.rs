//! Encodings are read back as written, and invalid ones are refused.

use super::{compat_key, native_key};
use fathom::Error::{ParamsMismatch, Transparent, Wire as Damaged};
use fathom::SecretRng;
use fathom::wire::{Kind, Wire, WireError, WireObject};
use fathom_hfhe::Error;
use fathom_hfhe::compat::{Decorator, LayeredCiphertext, PublicKey};
use fathom_hfhe::{Ciphertext, Fp, KeyId, Mode, SecretKey, Workers, compat, native};
use proptest::prelude::*;
use proptest::sample::Index;

/// Returns ciphertexts of every form: fresh, constant only, zero, sums, products with powers.
fn shapes<M: Mode>(key: &SecretKey<M>) -> Vec<Ciphertext<M>> {
    let mut rng = SecretRng::insecure_from_seed(1);
    let [x, y] = [5, 9].map(|v| key.encrypt_u64(v, &mut rng));
    let product = x.square().unwrap().mul(&y).unwrap();
    let zero = x.sub(&x).unwrap();
    let constant = zero.add_scalar(Fp::from(8u64));
    vec![product.add(&x).unwrap().add_scalar(Fp::ONE), product, zero, constant, x]
}

fn round_trip<M: Mode>(key: &SecretKey<M>) {
    for ciphertext in shapes(key) {
        let bytes = ciphertext.to_bytes();
        assert_eq!(bytes.len(), ciphertext.byte_len());
        assert_eq!(Ciphertext::<M>::from_bytes(&key.id(), &bytes), Ok(ciphertext));
    }
}

#[test]
fn ciphertexts_come_back() {
    round_trip(compat_key());
    round_trip(&native_key());
}

#[test]
fn keys_come_back() {
    let mut rng = SecretRng::insecure_from_seed(2);
    let native = native_key();
    let bytes = native.to_secret_bytes();
    assert_eq!(bytes.len(), native::SecretKey::secret_byte_len());
    let again = native::SecretKey::from_secret_bytes(&bytes).unwrap();
    let ciphertext = native.encrypt_u64(5, &mut rng);
    assert_eq!(again.decrypt_any_circuit(&ciphertext), Ok(Fp::from(5u64)));

    let key = compat_key();
    let bytes = key.public().to_bytes();
    assert_eq!(bytes.len(), key.public().byte_len());
    let public = PublicKey::from_bytes(&Workers::one(), &bytes).unwrap();
    assert_eq!(public.id(), key.public().id());
    let bytes = key.to_secret_bytes();
    assert_eq!(bytes.len(), compat::SecretKey::secret_byte_len());
    let again = compat::SecretKey::from_secret_bytes(&public, &bytes).unwrap();
    let ciphertext = key.encrypt_u64(5, &mut rng);
    assert_eq!(again.decrypt_any_circuit(&ciphertext), Ok(Fp::from(5u64)));
}

#[test]
fn objects_of_other_keys_and_modes_are_refused() {
    let native = shapes(&native_key()).remove(0).to_bytes();
    let other = native::SecretKey::generate(&mut SecretRng::insecure_from_seed(9));
    let read = native::Ciphertext::from_bytes(&other.id(), &native);
    assert!(matches!(read, Err(ParamsMismatch { .. })));
    let read = compat::Ciphertext::from_bytes(&compat_key().id(), &native);
    assert!(matches!(read, Err(Damaged(WireError::Scheme { expected: "hfhc", .. }))));
    let key = native_key().to_secret_bytes();
    let read = native::Ciphertext::from_bytes(&other.id(), &key);
    assert!(matches!(read, Err(Damaged(WireError::Type { expected: Kind::Ciphertext, .. }))));
    let mut public = compat_key().public().to_bytes();
    let at = public.len() - 16 - PublicKey::DERIVED_BYTES + 8;
    public[at] ^= 1;
    seal(&mut public);
    let read = PublicKey::from_bytes(&Workers::one(), &public).err();
    assert_eq!(read, Some(Damaged(WireError::Malformed { field: "generator" })));
}

/// The parameter file is an object with the reference's ten numbers; any other file is refused.
#[test]
fn the_parameter_file_is_read_back_and_no_other() {
    let file = PublicKey::reference_params_json();
    let check = |file: &str| PublicKey::check_reference_params_json(file.as_bytes());
    assert_eq!(check(&file), Ok(()));
    let compact: String = file.split_whitespace().collect();
    assert!(compact.starts_with(r#"{"m_bits":8192,"B":337,"lpn_t":16384,"lpn_n":4096,"#));
    assert_eq!(check(&compact.replace("120,", "120.0,")), Ok(()));
    let malformed = |field| Err(Error::Fathom(Damaged(WireError::Malformed { field })));
    assert_eq!(check(&compact.replace("4096", "4095")), malformed("lpn_n"));
    assert_eq!(check(&compact.replace("\"B\":337,", "")), malformed("B"));
    assert_eq!(check(&compact.replace('{', "{\"C\":1,")), malformed("params.json"));
    for file in ["", "[]", "{", r#"{"m_bits":[]}"#, &format!("{compact}{compact}")] {
        assert_eq!(check(file), malformed("params.json"), "{file}");
    }
    let long = check(&" ".repeat(5000));
    let field = "length of params.json";
    assert_eq!(
        long,
        Err(Error::Fathom(Damaged(WireError::Range { field, value: 5000, limit: 4096 })))
    );
}

/// Returns files of the reference with this key.
fn files() -> Vec<(Vec<LayeredCiphertext>, Vec<u8>)> {
    let workers = Workers::one();
    let key = compat_key();
    let mut decorator = Decorator::new(key.public(), &workers, SecretRng::insecure_from_seed(3));
    let [x, y] = [5, 9].map(|v: u64| decorator.encrypt(key, v.into()).unwrap());
    let product = decorator.mul(&x, &y).unwrap();
    let cube = decorator.mul(&product, &x).unwrap();
    let ciphertexts = [vec![x.clone()], vec![product.add(&y).unwrap(), cube, x], vec![]];
    let file = |list: Vec<LayeredCiphertext>| {
        let bytes = LayeredCiphertext::to_reference_bytes(&list);
        (list, bytes)
    };
    ciphertexts.into_iter().map(file).collect()
}

#[test]
fn files_of_the_reference_come_back() {
    for (ciphertexts, bytes) in files() {
        let len: usize = ciphertexts.iter().map(LayeredCiphertext::reference_len).sum();
        assert_eq!(bytes.len(), 16 + len);
        let read = LayeredCiphertext::from_reference_bytes(compat_key().public(), &bytes).unwrap();
        assert_eq!(read, ciphertexts);
        assert_eq!(LayeredCiphertext::to_reference_bytes(&read), bytes);
    }
}

#[test]
fn key_files_of_the_reference_come_back() {
    let key = compat_key();
    let workers = Workers::one();
    let mut bytes = key.public().to_reference_bytes();
    let public = PublicKey::from_reference_bytes(&bytes, &workers).unwrap();
    assert_eq!(public.id(), key.id());
    let secret = key.to_reference_secret_bytes();
    let again = compat::SecretKey::from_reference_secret_bytes(&public, &secret).unwrap();
    assert_eq!(again.to_reference_secret_bytes(), secret);
    let cut = compat::SecretKey::from_reference_secret_bytes(&public, &secret[..500]);
    assert!(matches!(cut.err(), Some(Error::Fathom(Damaged(WireError::Truncated { .. })))));

    let refused = |bytes: &[u8]| PublicKey::from_reference_bytes(bytes, &workers).err().unwrap();
    bytes.push(0);
    assert_eq!(refused(&bytes), Error::Fathom(Damaged(WireError::TrailingBytes { extra: 1 })));
    bytes.pop();
    for at in [100, 1_000_000, bytes.len() - 6000, bytes.len() - 9] {
        bytes[at] ^= 1;
        let field = "content derived from the tag";
        let expected = Error::Fathom(Damaged(WireError::Contradiction { field }));
        assert_eq!(refused(&bytes), expected, "byte {at}");
        bytes[at] ^= 1;
    }
    bytes[8] ^= 1;
    assert_eq!(
        refused(&bytes),
        Error::Fathom(Damaged(WireError::Malformed { field: "parameters" }))
    );
    assert!(matches!(refused(&bytes[..5000]), Error::Fathom(Damaged(WireError::Truncated { .. }))));
}

/// Each check of section 2.18 of the reference's format is tested by a file that violates it alone.
#[test]
fn forged_files_are_refused() {
    let (_, good) = files().swap_remove(1);
    let public = compat_key().public();
    let refused = |at: usize, with: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + with.len()].copy_from_slice(with);
        LayeredCiphertext::from_reference_bytes(public, &bytes).unwrap_err()
    };
    let word = |at: usize| u32::from_le_bytes(good[at..at + 4].try_into().unwrap());
    let (layers, bases) = (word(16), 4);
    let first_product = 24 + 25 * bases;
    let edge = first_product + 9 * (layers as usize - bases);
    let malformed = |field| Error::Fathom(Damaged(WireError::Malformed { field }));
    assert_eq!(refused(0, &[0]), Error::Fathom(Damaged(WireError::Magic)));
    assert_eq!(refused(4, &[2]), malformed("version"));
    assert!(matches!(
        refused(8, &[0xff; 8]),
        Error::Fathom(Damaged(WireError::Range { field: "ciphertexts", .. }))
    ));
    assert!(matches!(
        refused(16, &[0xff; 4]),
        Error::Fathom(Damaged(WireError::Range { field: "layers", .. }))
    ));
    assert!(matches!(
        refused(20, &[0xff; 4]),
        Error::Fathom(Damaged(WireError::Range { field: "edges", .. }))
    ));
    assert!(matches!(refused(20, &[0; 4]), Error::Fathom(Transparent { .. })));
    assert_eq!(refused(24, &[2]), malformed("rule of a layer"));
    let field = "tag of a seed";
    assert_eq!(refused(25, &[0xaa; 8]), Error::Fathom(Damaged(WireError::Contradiction { field })));
    let own = (bases as u32).to_le_bytes();
    assert_eq!(refused(first_product + 1, &own), malformed("parent of a layer"));
    let error = refused(edge, &layers.to_le_bytes());
    assert!(matches!(
        error,
        Error::Fathom(Damaged(WireError::Range { field: "layer of an edge", .. }))
    ));
    let error = refused(edge + 4, &337u16.to_le_bytes());
    assert!(matches!(
        error,
        Error::Fathom(Damaged(WireError::Range { field: "index of an edge", value: 337, .. }))
    ));
    assert_eq!(refused(edge + 6, &[2]), malformed("sign of an edge"));
    assert!(matches!(
        refused(edge + 7, &[1]),
        Error::Fathom(Damaged(WireError::Range { field: "reserved byte", .. }))
    ));
    let modulus = fathom_hfhe::MODULUS.to_le_bytes();
    assert_eq!(refused(edge + 8, &modulus), malformed("weight of an edge"));
    assert_eq!(refused(edge + 24, &[1]), malformed("bits of a decoy"));
    let cut = LayeredCiphertext::from_reference_bytes(public, &good[..good.len() - 1]);
    assert!(cut.is_err());
}

/// A short chain of squarings has an exponent beyond any bound, and a sequence of products has more
/// factors than bytes. Both are refused quickly.
#[test]
fn towers_of_products_are_refused() {
    let public = compat_key().public();
    let (_, file) = files().swap_remove(0);
    let (seeds, edge) = (&file[24..74], &file[74..74 + 1052]);
    let tower = |layers: Vec<[u32; 2]>| {
        let counts = [2 + layers.len() as u32, 1].map(u32::to_le_bytes);
        let layers = layers
            .iter()
            .flat_map(|[a, b]| [&[1], [a.to_le_bytes(), b.to_le_bytes()].as_flattened()].concat());
        let layers: Vec<u8> = layers.collect();
        let top = u32::from_le_bytes(counts[0]) - 1;
        let edge = [&top.to_le_bytes(), &edge[4..]].concat();
        let bytes = [&file[..16], counts.as_flattened(), seeds, &layers, &edge].concat();
        LayeredCiphertext::from_reference_bytes(public, &bytes)
    };
    let squarings = |count: u32| (1..=count).map(|i| [i, i]).collect::<Vec<_>>();
    let degree = |read: Vec<LayeredCiphertext>| read[0].ciphertext().polynomial().degree();
    assert_eq!(degree(tower(squarings(31)).unwrap()), 1 << 31);
    let error = tower(squarings(32)).unwrap_err();
    assert!(matches!(error, Error::Fathom(Damaged(WireError::Range { field: "exponent", .. }))));
    let ladder = (1..=60_000u32).map(|i| [i, i % 2]).collect();
    assert_eq!(degree(tower(ladder).unwrap()), 60_001);
}

/// Restores length and checksum of a damaged frame, so that the inner checks are reached.
fn seal(frame: &mut [u8]) {
    let end = frame.len() - 16;
    frame[64..72].copy_from_slice(&(end as u64 - 72).to_le_bytes());
    let mut sum = [0; 16];
    blake3::Hasher::new().update(&frame[..end]).finalize_xof().fill(&mut sum);
    frame[end..].copy_from_slice(&sum);
}

fn recoded<M: Mode>(key: KeyId, bytes: &[u8]) -> Option<Vec<u8>> {
    Ciphertext::<M>::from_bytes(&key, bytes).ok().map(|ciphertext| ciphertext.to_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Checks that damaged frames are refused or encode to themselves.
    #[test]
    fn damaged_frames_are_refused_or_canonical(
        shape in 0usize..5,
        cut in any::<Index>(),
        changes in prop::collection::vec((any::<Index>(), any::<u8>()), 0..4),
        keep in any::<bool>(),
    ) {
        let mut bytes = shapes(&native_key())[shape].to_bytes();
        for (at, value) in &changes {
            let len = bytes.len();
            bytes[at.index(len)] = *value;
        }
        if !keep {
            bytes.truncate(88 + cut.index(bytes.len() - 87));
        }
        seal(&mut bytes);
        if let Some(again) = recoded::<native::Native>(native_key().id(), &bytes) {
            prop_assert_eq!(again, bytes);
        }
    }

    #[test]
    fn damaged_files_never_panic(
        cut in any::<Index>(),
        changes in prop::collection::vec((0usize..400, any::<u8>()), 0..4),
    ) {
        let (_, mut bytes) = files().swap_remove(0);
        for (at, value) in &changes {
            bytes[*at] = *value;
        }
        let public = compat_key().public();
        if let Ok(read) = LayeredCiphertext::from_reference_bytes(public, &bytes) {
            let again = LayeredCiphertext::to_reference_bytes(&read);
            let reread = LayeredCiphertext::from_reference_bytes(public, &again);
            prop_assert_eq!(reread.as_ref(), Ok(&read));
        }
        bytes.truncate(cut.index(bytes.len()));
        prop_assert!(LayeredCiphertext::from_reference_bytes(public, &bytes).is_err());
    }
}
