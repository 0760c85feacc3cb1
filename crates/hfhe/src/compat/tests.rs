//! Known answers of the reference's public values, and the laws of edges.

use super::decoy::DecoySource;
use super::permutation::Permutation;
use super::*;
use crate::polynomial::Polynomial;
use crate::{Seed, Workers};
use fathom_ring::SecretRng;
use sha2::{Digest, Sha256};
use std::sync::{Arc, OnceLock};

/// Returns the key of the known answers.
pub(crate) fn known_key() -> &'static SecretKey {
    static KEY: OnceLock<SecretKey> = OnceLock::new();
    KEY.get_or_init(|| {
        let generator = Fp::from(3u64).pow((crate::MODULUS - 1) / SUBGROUP_ORDER as u128);
        let tag = 0x0123_4567_89ab_cdef;
        let public = PublicKey::derive(tag, generator, &Workers::one()).unwrap();
        let vector: [u64; fathom_kernels::MASK_WORDS] =
            std::array::from_fn(|i| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        SecretKey::from_secret(public, &[1, 2, 3, 4], &vector)
    })
}

fn known_seed() -> Seed {
    known_key().public().seed([0x1111_1111_1111_1111, 0x2222_2222_2222_2222])
}

fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(nibble.into(), 16).unwrap();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[test]
fn the_digest_of_the_matrix() {
    let digest = "6a757f447f611b220466109ffeae392d2991c5dcd0628458fa48f217cf352ad6";
    assert_eq!(hex(known_key().public().digest()), digest);
}

#[test]
fn the_first_column() {
    let column = &known_key().public().matrix.columns().rows()[..DECOY_WORDS];
    assert_eq!(column[0], 0x0088_0000_0002_0000);
    for bit in [669, 8024, 826, 7584, 6191, 3701, 7881, 8051] {
        assert_eq!(column[bit / 64] >> (bit % 64) & 1, 1);
    }
    let weight: u32 = column.iter().map(|word| word.count_ones()).sum();
    assert_eq!(weight as usize, COLUMN_WEIGHT);
}

#[test]
fn the_permutation() {
    let Permutation { forward, inverse } = known_key().public().permutation();
    assert_eq!(forward[..8], [3055, 3191, 157, 7278, 4816, 1673, 4728, 18]);
    assert!((0..DECOY_BITS).all(|i| inverse[forward[i] as usize] as usize == i));
}

#[test]
fn the_tag_of_a_seed() {
    assert_eq!(known_seed().0[0], 0x43a4_1687_215a_7976);
}

fn known_decoy() -> Decoy {
    let source = DecoySource { seed: known_seed(), index: 5, sign: Sign::Minus, salt: 42 };
    known_key().public().decoy(&source)
}

#[test]
fn a_decoy() {
    let decoy = known_decoy();
    assert_eq!((decoy[0], decoy[127]), (0x0459_1ebc_5a1a_5a5c, 0x777a_8c5b_b0cd_863d));
    assert_eq!(decoy.iter().map(|word| word.count_ones()).sum::<u32>(), 4086);
    let bytes: Vec<u8> = decoy.iter().flat_map(|word| word.to_le_bytes()).collect();
    let digest = "8a7bc1cb09277ffcec46f8e3f5e2e524890c0e69eea9a5afa7fa61de3cbb068d";
    assert_eq!(hex(&Sha256::digest(bytes)), digest);
}

#[test]
fn a_commitment() {
    let public = known_key().public();
    let weight = Fp::new(0x0123_4567_89ab_cdef_fedc_ba98_7654_3210);
    let decoy = Arc::new(known_decoy());
    let edge = Edge { term: 0, index: 5, sign: Sign::Minus, weight, decoy };
    let polynomial = Polynomial::linear(Fp::ZERO, [(known_seed(), edge.value(public.powers()))]);
    let ciphertext = Ciphertext::new(polynomial, public.id());
    let layered = LayeredCiphertext { ciphertext, edges: vec![edge] };
    let digest = "e4061de829927b77545ebf4f9bc314bd34ff7105e23f42a6e00a5ebac818b21f";
    assert_eq!(hex(&layered.commit(public).unwrap()), digest);
}

/// Checks that the sums of the edges are the weights of the polynomial.
fn assert_consistent(layered: &LayeredCiphertext) {
    let terms = &layered.ciphertext.polynomial.terms;
    let mut sums = vec![Fp::ZERO; terms.len()];
    for edge in &layered.edges {
        sums[edge.term as usize] += edge.value(known_key().public().powers());
    }
    assert!((0..terms.len()).all(|term| terms.weight(term) == sums[term]));
}

#[test]
fn edges_always_sum_to_the_weights() {
    let key = known_key();
    let workers = Workers::one();
    let mut decorator = Decorator::new(key.public(), &workers, SecretRng::insecure_from_seed(1));
    let [x, y] = [6, 7].map(|v| decorator.encrypt(key, Fp::from(v as u64)).unwrap());
    assert!((38..=40).contains(&x.edge_count()) && x.layer_count() == 2);
    let product = decorator.mul(&x, &y).unwrap();
    assert_eq!((product.edge_count(), product.layer_count()), (32, 8));
    let sum = product.add(&x).unwrap();
    let difference = sum.sub(&product).unwrap();
    assert_eq!(difference.ciphertext, x.ciphertext);
    let nothing = x.sub(&x).unwrap();
    assert_eq!((nothing.edge_count(), nothing.layer_count()), (0, 0));
    let all = [&x, &y, &product, &sum, &difference, &nothing, &sum.mul_scalar(Fp::from(5u64))];
    all.into_iter().for_each(assert_consistent);
    let doubled = x.add(&x).unwrap();
    assert_eq!(doubled.edge_count(), 2 * x.edge_count());
    let compacted = doubled.compact();
    assert_consistent(&compacted);
    assert_eq!(compacted.edge_count(), x.edge_count());
    assert!(compacted.edges.iter().all(|edge| edge.decoy.iter().all(|&word| word == 0)));
    assert_eq!(key.decrypt_any_circuit(&compacted.ciphertext), Ok(Fp::from(12u64)));
}

/// Beyond its budget the reference merges equal edges and sorts them; it always removes layers that
/// nothing needs.
#[test]
fn the_budget_of_unmerged_edges_is_that_of_the_reference() {
    let weight = Fp::from(3u64);
    let edge = |term, index, sign| {
        let decoy = Arc::new(known_decoy());
        Edge { term, index, sign, weight, decoy }
    };
    let key = known_key().id();
    let [unused, used] = [7, 8].map(|nonce| known_key().public().seed([nonce; 2]));
    let bases = vec![Layer::Base(unused), Layer::Base(used)];
    let ordered = [(2, Sign::Minus), (2, Sign::Plus), (1, Sign::Minus)];
    let few = ordered.map(|(index, sign)| edge(1, index, sign)).to_vec();
    let few = UnmergedCiphertext { layers: bases.clone(), edges: few, key };
    let sum = few.add(&few).unwrap();
    assert_eq!(sum.layers, [Layer::Base(used); 2]);
    let shape = |edges: &[Edge]| {
        edges.iter().map(|edge| (edge.term, edge.index, edge.sign)).collect::<Vec<_>>()
    };
    let kept = [0, 1].map(|term| ordered.map(|(index, sign)| (term, index, sign)));
    assert_eq!(shape(&sum.edges), kept.as_flattened());
    let many = vec![edge(0, 5, Sign::Plus); EDGE_BUDGET];
    let many = UnmergedCiphertext { layers: bases[..1].to_vec(), edges: many, key };
    let merged = many.add(&few).unwrap();
    assert_eq!(merged.edges[0].weight, weight * Fp::from(EDGE_BUDGET as u64));
    let sorted = [(1, Sign::Minus), (2, Sign::Plus), (2, Sign::Minus)];
    let sorted = sorted.map(|(index, sign)| (1, index, sign));
    assert_eq!(shape(&merged.edges), [&[(0, 5, Sign::Plus)], &sorted[..]].concat());
}
