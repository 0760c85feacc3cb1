//! Remedies of TFHE: tables, blocks, lists and operators.

use super::remedied;
use fathom::CancelToken;
use fathom::prelude::*;
use fathom::tfhe::{Block, ClientKey, Evaluator, Lut, Params, Space};
use std::ops::Range;

const SPACE: Space = Space::of::<5>();

fn params() -> Params {
    Params::preset(Params::INTEGERS).unwrap()
}

fn evaluator() -> Evaluator {
    Evaluator::simulated(&params())
}

fn integers() -> Integers {
    Integers::simulated(&params()).unwrap()
}

fn block(value: i32, high: i32) -> Block {
    Block::simulated(SPACE, value, (0, high))
}

#[test]
fn every_preset_has_a_name() {
    let error = Params::preset("e9").unwrap_err();
    let remedy = "`Preset::ALL`, and for TFHE `Params::presets`, have all sets";
    remedied(&error, "Error::UnknownPreset", remedy);
    let error = "e9".parse::<Preset>().unwrap_err();
    remedied(&error, "Error::UnknownPreset", remedy);
    for preset in Preset::ALL {
        assert_eq!(preset.name().parse(), Ok(preset));
    }
    for set in Params::presets() {
        assert!(Params::preset(set.name()).is_ok());
    }
}

#[test]
fn terms_are_bootstrapped_before_they_are_added() {
    let (evaluator, message) = (evaluator(), Lut::new(SPACE, 0..=15, |x| x & 3).unwrap());
    let sum = block(9, 12).add(&block(5, 6)).unwrap();
    let error = evaluator.apply(&sum, &message).unwrap_err();
    let remedy = "bootstrap its terms before they are added, or take a table on a larger domain";
    remedied(&error, "TableError::OutsideDomain", remedy);
    let refreshed = evaluator.apply(&block(9, 12), &message).unwrap();
    let sum = refreshed.add(&block(5, 6)).unwrap();
    assert!(evaluator.apply(&sum, &message).is_ok());
    let narrow = Lut::new(SPACE, 0..=3, |x| x).unwrap();
    let wide = block(4, 4);
    assert!(evaluator.apply(&wide, &narrow).is_err());
    assert!(evaluator.apply(&wide, &message).is_ok());
}

#[test]
fn noisy_terms_are_bootstrapped_before_they_are_added() {
    let (evaluator, message) = (evaluator(), Lut::new(SPACE, 0..=15, |x| x & 3).unwrap());
    let error = evaluator.apply(&block(1, 1).mul_scalar(13), &message).unwrap_err();
    let remedy = "bootstrap its terms before they are added, and multiply in a table";
    remedied(&error, "Error::NoiseExceeded", remedy);
    let product = Lut::new(SPACE, 0..=1, |x| 13 * x).unwrap();
    let thirteen = evaluator.apply(&block(1, 1), &product).unwrap();
    assert!(evaluator.apply(&thirteen, &message).is_ok());
}

#[test]
fn functions_on_all_arguments_are_defined_on_one_half() {
    let error = Lut::new(SPACE, 0..=31, |x| x).unwrap_err();
    remedied(&error, "TableError::NotNegacyclic", "define f on one half");
    assert!(Lut::new(SPACE, 0..=15, |x| x).is_ok());
}

#[test]
fn tables_fit_a_smaller_domain_or_share_by_several_values() {
    let functions: [&dyn Fn(i32) -> i32; 4] = [&|x| x, &|x| 2 * x, &|x| 3 * x, &|x| 4 * x];
    let error = Lut::many(SPACE, 0..=15, &functions).unwrap_err();
    let remedy = "reduce the domain or the number of tables, or use Lut::multi_value";
    remedied(&error, "TableError::Domain", remedy);
    assert!(Lut::many(SPACE, 0..=3, &functions).is_ok());
    assert!(Lut::many(SPACE, 0..=15, &functions[..1]).is_ok());
    assert!(Lut::multi_value(SPACE, 0..=15, &functions).is_ok());
    let error = Lut::many(SPACE, 0..=3, &functions[..3]).unwrap_err();
    remedied(&error, "TableError::FunctionCount", "use Lut::multi_value for any other number");
    assert!(Lut::multi_value(SPACE, 0..=3, &functions[..3]).is_ok());
}

#[test]
fn blocks_become_canonical_by_a_bootstrap() {
    let doubled = vec![block(1, 1).mul_scalar(2); 4];
    let error = FheUint8::from_blocks(doubled.clone()).unwrap_err();
    let remedy = "refresh blocks with a bootstrap first";
    remedied(&error, "Error::NotCanonical", remedy);
    let message = Lut::new(SPACE, 0..=15, |x| x & 3).unwrap();
    let refreshed = doubled.iter().map(|block| evaluator().apply(block, &message).unwrap());
    assert!(FheUint8::from_blocks(refreshed.collect()).is_ok());
}

#[test]
fn one_of_two_clear_values_is_encrypted() {
    let integers = integers();
    let (yes, ty) = (FheBool::trivial(true), ValueType::unsigned(8).unwrap());
    let error = integers.select::<RadixInt>(&yes, 1_u8, 2_u8).unwrap_err();
    remedied(&error, "Error::TypeUnknown", "encrypt one of them");
    assert!(integers.select(&yes, RadixInt::trivial(ty, 1_u8).unwrap(), 2_u8).is_ok());
}

#[test]
fn operators_are_used_in_a_scope() {
    let x = FheUint8::trivial(1_u8).unwrap();
    let error = (&x + 1).finish().unwrap_err();
    let remedy = "use the operator in `integers.scope(..)`";
    remedied(&error, "Error::NoScope", remedy);
    assert!(integers().scope(|| (&x + 1).finish()).is_ok());
}

#[test]
fn lists_have_equal_lengths_elements_and_packing_keys() {
    let integers = integers();
    let x = [1_u8, 2].map(|value| FheUint8::trivial(value).unwrap());
    let error = integers.sort_by_key(&x, &x[..1]).unwrap_err();
    remedied(&error, "ListError::LengthMismatch", "give lists of equal length");
    assert!(integers.sort_by_key(&x, &x).is_ok());
    let error = integers.max_of(&x[..0]).unwrap_err();
    remedied(&error, "ListError::EmptyList", "the operation needs at least one element");
    assert!(integers.max_of(&x[..1]).is_ok());
    let list = integers.compress_list(&x).unwrap();
    let error = integers.evaluator().decompress(&list, 3..9).unwrap_err();
    remedied(&error, "ListError::OutsideList", "give a range within it");
    assert!(integers.evaluator().decompress(&list, 3..8).is_ok());
    let mut rng = SecretRng::insecure_from_seed(4);
    let client = ClientKey::generate(&params(), &mut rng);
    let error = client.encrypt_bytes_padded(b"abc", 2, &mut rng).unwrap_err();
    remedied(&error, "ListError::Capacity", "take a greater capacity");
    assert!(client.encrypt_bytes_padded(b"abc", 3, &mut rng).is_ok());
    let string = FheBytes::trivial(b"abc");
    let error = string.slice(Range { start: 5, end: 3 }).unwrap_err();
    assert_eq!(error.to_string().matches("5..3").count(), 1, "{error}");
    assert!(!error.to_string().contains("plaintext"), "{error}");
    assert!(string.slice(1..3).is_ok());
}

#[test]
fn lists_are_packed_under_packing_keys() {
    let mut rng = SecretRng::insecure_from_seed(3);
    let client = ClientKey::generate(&params(), &mut rng);
    let keys = client.evaluation_keys(&mut rng).unwrap();
    let server = Integers::with_keys(keys, 1).unwrap();
    let x: FheUint8 = client.encrypt(7_u8, &mut rng).unwrap();
    let error = server.compress_list(std::slice::from_ref(&x)).unwrap_err();
    let remedy = "add them with `Evaluator::with_packing_keys`";
    remedied(&error, "ListError::MissingPackingKeys", remedy);
    let server = server.with_packing_keys(client.packing_keys(&mut rng).unwrap()).unwrap();
    assert!(server.compress_list(&[x]).is_ok());
}

#[test]
fn threads_are_counted_by_the_system() {
    let mut rng = SecretRng::insecure_from_seed(9);
    let keys = ClientKey::generate(&params(), &mut rng).evaluation_keys(&mut rng).unwrap();
    let keys = std::sync::Arc::new(keys);
    let error = Evaluator::new(std::sync::Arc::clone(&keys), 1 << 20).unwrap_err();
    let remedy = "request one for each core, as `std::thread::available_parallelism` counts them";
    remedied(&error, "Error::TooManyThreads", remedy);
    let threads = std::thread::available_parallelism().unwrap().get();
    assert!(Evaluator::new(keys, threads).is_ok());
}

#[test]
fn another_token_serves_after_a_cancellation() {
    let token = CancelToken::new();
    let x = FheUint8::from_blocks(vec![block(1, 3); 4]).unwrap();
    let cancelled = integers().with_cancel(&token);
    token.cancel();
    let error = cancelled.add(&x, 1_u8).unwrap_err();
    let remedy = "take an evaluator whose token is not cancelled";
    remedied(&error, "Error::Cancelled", remedy);
    assert!(integers().with_cancel(&CancelToken::new()).add(&x, 1_u8).is_ok());
}
