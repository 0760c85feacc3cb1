//! Changes of basis against arithmetic on big integers.
#![allow(clippy::unwrap_used, reason = "a failure here fails the test")]

use super::BasisConverter;
use crate::test_rings::{
    SHAPES, Shape, centered, integers_modulo, product, random_eval, residue, row_of,
};
use crate::{Eval, Poly, Ring};
use num_bigint::BigInt;
use proptest::prelude::*;

const DEGREE: usize = 64;

fn shapes() -> impl Strategy<Value = Shape> {
    prop::sample::select(SHAPES.to_vec())
}

/// The coefficients modulo prime `target` after conversion from `sources`, canonical.
fn converted(p: &Poly<Eval>, sources: &[usize], factor: u64, target: usize) -> Vec<u64> {
    let ring = p.ring();
    let converter = BasisConverter::new(ring, sources, factor);
    assert_eq!(converter.sources(), sources);
    let prepared = converter.prepare(|i| row_of(p, i));
    let mut row = vec![0; ring.degree()];
    converter.convert(&prepared, target, &mut row);
    let q = ring.modulus(target).value();
    assert!(row.iter().all(|&w| w < 2 * q), "lazy rows stay below twice the prime");
    row.iter().map(|w| w % q).collect()
}

/// Contiguous groups of primes: of the chain, or all special ones.
fn groups(ring: &Ring) -> Vec<Vec<usize>> {
    let chain = ring.chain_len();
    let mut groups = Vec::new();
    for first in 0..chain {
        groups.extend((first + 1..=chain).map(|end| (first..end).collect::<Vec<_>>()));
    }
    if ring.special_len() > 0 {
        groups.push((chain..chain + ring.special_len()).collect());
        groups.push((chain - 1..chain + ring.special_len()).collect());
    }
    groups
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn exact_conversion_is_the_centered_representative(shape in shapes(), seed: u64) {
        for ring in shape.rings(DEGREE) {
            let p = random_eval(&ring, ring.all_limbs(), seed);
            for sources in groups(&ring) {
                let d = product(&ring, sources.iter().copied());
                let u: Vec<BigInt> =
                    integers_modulo(&p, &sources).iter().map(|x| centered(x, &d)).collect();
                for target in 0..ring.chain_len() + ring.special_len() {
                    let q = ring.modulus(target).value();
                    let slow: Vec<u64> = u.iter().map(|x| residue(x, q)).collect();
                    let fast = converted(&p, &sources, 1, target);
                    prop_assert_eq!(fast, slow, "{} {:?} to {}", shape.name, &sources, target);
                }
            }
        }
    }

    #[test]
    fn conversion_with_a_factor_is_a_congruent_multiple(shape in shapes(), seed: u64,
            t in prop::sample::select(vec![257u64, 65537, 786_433])) {
        let big_t = BigInt::from(t);
        for ring in shape.rings(DEGREE) {
            let p = random_eval(&ring, ring.all_limbs(), seed);
            for sources in groups(&ring) {
                let d = product(&ring, sources.iter().copied());
                let inverse = big_t.modinv(&d).unwrap();
                let u: Vec<BigInt> = integers_modulo(&p, &sources)
                    .iter()
                    .map(|x| centered(&(x * &inverse), &d) * &big_t)
                    .collect();
                for target in 0..ring.chain_len() + ring.special_len() {
                    let q = ring.modulus(target).value();
                    let slow: Vec<u64> = u.iter().map(|x| residue(x, q)).collect();
                    prop_assert_eq!(converted(&p, &sources, t, target), slow);
                }
            }
        }
    }
}
