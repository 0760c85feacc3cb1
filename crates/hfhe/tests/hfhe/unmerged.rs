//! The unmerged form beside the reference implementation: its layers and edges, and their bytes.
//!
//! The numbers are those of PVAC at commit 516bd57, printed by a program that includes its headers:
//! the counts of `Cipher::L` and `Cipher::E`, the length of the file that its tests write, and
//! SHA-256 of the rule and the parents of each layer, then the layer of each edge.

use super::compat_key;
use fathom::{ErrorKind, SecretRng};
use fathom_hfhe::compat::{self, Decorator, REFERENCE_HEADER_BYTES, UnmergedCiphertext};
use fathom_hfhe::{Ciphertext, Error, Fp, Workers};
use sha2::{Digest, Sha256};

static ONE: Workers = Workers::one();

fn decorator(seed: u64) -> Decorator<'static> {
    Decorator::new(compat_key().public(), &ONE, SecretRng::insecure_from_seed(seed))
}

/// Returns encryptions of two values.
fn fresh(values: [u64; 2], decorator: &mut Decorator<'_>) -> [UnmergedCiphertext; 2] {
    values.map(|value| decorator.encrypt(compat_key(), value.into()).unwrap().into())
}

fn file(ciphertext: &UnmergedCiphertext) -> Vec<u8> {
    UnmergedCiphertext::to_reference_bytes(std::slice::from_ref(ciphertext))
}

fn value(ciphertext: &UnmergedCiphertext) -> Fp {
    let polynomial = ciphertext.ciphertext(compat_key().public()).unwrap();
    compat_key().decrypt_any_circuit(&polynomial).unwrap()
}

/// Returns the digest of what a file says of layers and edges, without seeds, weights and decoys.
fn structure(ciphertext: &UnmergedCiphertext) -> String {
    let bytes = file(ciphertext);
    let mut hash = Sha256::new();
    let mut at = 24;
    for _ in 0..ciphertext.layer_count() {
        let base = bytes[at] == 0;
        hash.update(if base { &bytes[at..=at] } else { &bytes[at..at + 9] });
        at += if base { 25 } else { 9 };
    }
    bytes[at..].chunks(1052).for_each(|edge| hash.update(&edge[..4]));
    hash.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

#[track_caller]
fn assert_stored(ciphertext: &UnmergedCiphertext, counts: [usize; 3], digest: &str) {
    let [layers, edges, bytes] = counts;
    assert_eq!((ciphertext.layer_count(), ciphertext.edge_count()), (layers, edges));
    let stored = REFERENCE_HEADER_BYTES + ciphertext.reference_len();
    assert_eq!((file(ciphertext).len(), stored), (bytes, bytes));
    assert_eq!(structure(ciphertext), digest);
}

/// PVAC's driver states the same length: 24 bytes a seed, 8 a product, 16 a layer with edges.
#[test]
fn what_decryption_needs_is_counted_by_layers() {
    let mut decorator = decorator(8);
    let [x, y] = fresh([2, 2], &mut decorator);
    assert_eq!(x.information_len(), 2 * (24 + 16));
    let product = decorator.mul_unmerged(&x, &y).unwrap();
    assert_eq!(product.information_len(), 4 * 24 + 4 * (8 + 16));
}

/// The chain of the published comparison: 2, multiplied by the same encryption of 2 each time.
#[test]
fn a_chain_of_products_stores_what_the_reference_stores() {
    const DEPTHS: [([usize; 3], &str); 5] = [
        ([8, 32, 33_824], "5a04ba009efe10ca25ebce984e4fe7516dfbd4f7d9273e9dded36f5b85831e06"),
        ([26, 128, 135_010], "fc7bf1a81f4bc5eb770c2e32a1bbf52bad09bf986357d16b31b5cdd3c5eb687c"),
        ([80, 416, 438_504], "6acc83be391374b49d51780497ac12ad55309bc1b4dd798f3259c9ace39ec590"),
        (
            [242, 1280, 1_348_922],
            "fc71d7eb2e6a6f17544ceab9fcbb0765d34dfb0a3b0838248aa2cebc7bd8972e",
        ),
        (
            [728, 3872, 4_080_112],
            "f108eb7bdcb2ef9639ad06f971ee6bba50c24b3ba8e0e229e06661840bb75f12",
        ),
    ];
    let mut decorator = decorator(1);
    let [mut chain, factor] = fresh([2, 2], &mut decorator);
    for (depth, (counts, digest)) in (1..).zip(DEPTHS) {
        chain = decorator.mul_unmerged(&chain, &factor).unwrap();
        assert_stored(&chain, counts, digest);
        assert_eq!(value(&chain), Fp::from(2u64).pow(depth + 1));
    }
}

#[test]
fn squares_and_sums_store_what_the_reference_stores() {
    let mut decorator = decorator(2);
    let [x, y] = fresh([7, 6], &mut decorator);
    let square = decorator.square_unmerged(&x).unwrap();
    let digest = "dc33c3e7173b622ba532002189c7dadde3a76dc4ddd1927ee661f3b27af8df42";
    assert_stored(&square, [5, 24, 25_349], digest);
    let fourth = decorator.square_unmerged(&square).unwrap();
    let digest = "204c406d406db48918cf5a551931d4ec03151d7efaa3e36f1aa0c697b35225ad";
    assert_stored(&fourth, [20, 120, 126_476], digest);
    assert_eq!((value(&square), value(&fourth)), (49u64.into(), 2401u64.into()));
    let product = decorator.mul_unmerged(&x, &y).unwrap();
    let other = decorator.mul_unmerged(&y, &x.add(&y).unwrap()).unwrap();
    let mixed = product.sub(&other.mul_scalar(Fp::ZERO)).unwrap();
    let digest = "7cb19313170760fb9798ed1cfa4b8834231acf2c6d1158cdcd9077a263f04d1d";
    assert_stored(&mixed, [22, 96, 101_374], digest);
    assert_eq!(value(&mixed), 42u64.into());
}

#[test]
fn the_polynomial_is_that_of_merged_ciphertexts() {
    let mut decorator = decorator(3);
    let [x, y] = fresh([1_000_003, 77], &mut decorator);
    let of = |part: &UnmergedCiphertext| part.ciphertext(compat_key().public()).unwrap();
    let [a, b] = [of(&x), of(&y)];
    let product = decorator.mul_unmerged(&x, &y).unwrap();
    let cube = decorator.mul_unmerged(&product, &x).unwrap();
    let scaled = cube.mul_scalar(Fp::from(-5i64)).sub(&y).unwrap().neg();
    let cubed = a.mul(&b).and_then(|product| product.mul(&a)).unwrap();
    let expected: Ciphertext<_> = cubed.mul_scalar(Fp::from(5u64)).add(&b).unwrap();
    assert_eq!(of(&scaled), expected);
    assert_eq!(scaled.clone().merge(compat_key().public()).unwrap().ciphertext(), &expected);
    assert_eq!(of(&decorator.square_unmerged(&product).unwrap()), of(&product).square().unwrap());
}

#[test]
fn files_come_back_layer_for_layer() {
    let public = compat_key().public();
    let mut decorator = decorator(4);
    let [x, y] = fresh([5, 9], &mut decorator);
    let product = decorator.mul_unmerged(&x, &x).unwrap();
    let list = [decorator.mul_unmerged(&product, &y).unwrap(), x.sub(&x).unwrap(), y];
    let bytes = UnmergedCiphertext::to_reference_bytes(&list);
    assert_eq!(UnmergedCiphertext::from_reference_bytes(public, &bytes).unwrap(), list);
    let cut = UnmergedCiphertext::from_reference_bytes(public, &bytes[..bytes.len() - 1]);
    assert_eq!(cut.unwrap_err().kind(), ErrorKind::Bytes);
}

#[test]
fn products_past_the_limit_are_refused() {
    let mut decorator = decorator(5);
    let [x, _] = fresh([2, 2], &mut decorator);
    let wide = (0..9).try_fold(x, |sum, _| sum.add(&sum)).unwrap();
    let edges = 8 * wide.layer_count() as u64;
    let limit = UnmergedCiphertext::MOST_EDGES as u64;
    let refused = |edges| Err(Error::TooLarge { field: "edges", value: edges, limit });
    let value = edges * wide.layer_count() as u64;
    assert_eq!(decorator.mul_unmerged(&wide, &wide), refused(value));
    let value = edges * (wide.layer_count() as u64 + 1) / 2;
    assert!(value > limit);
    assert_eq!(decorator.square_unmerged(&wide), refused(value));
}

#[test]
fn operands_of_other_keys_are_refused() {
    let mut rng = SecretRng::insecure_from_seed(6);
    let key = compat::SecretKey::generate(&mut rng, &ONE).unwrap();
    let mut own = decorator(7);
    let [x, _] = fresh([2, 2], &mut own);
    let mut other = Decorator::new(key.public(), &ONE, rng);
    let foreign: UnmergedCiphertext = other.encrypt(&key, 2u64.into()).unwrap().into();
    let refused = [
        x.add(&foreign).map(drop),
        own.mul_unmerged(&x, &foreign).map(drop),
        other.mul_unmerged(&x, &x).map(drop),
        other.square_unmerged(&x).map(drop),
        x.ciphertext(key.public()).map(drop),
        x.clone().merge(key.public()).map(drop),
    ];
    for result in refused {
        let Err(Error::Fathom(fathom::Error::KeyMismatch { .. })) = result else {
            panic!("{result:?}")
        };
    }
}
