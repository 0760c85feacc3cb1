//! Gadget decomposition: digits are small, and weighted they return the polynomial.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

mod common;

use common::{SHAPES, Shape, centred, integers, modulo, product, random_eval, size};
use fathom_ring::{Eval, Gadget, GadgetVector, Limbs, Poly, Ring, Scalar};
use num_bigint::BigInt;
use std::sync::Arc;

const DEGREE: usize = 64;

fn hybrids() -> Vec<(Shape, Gadget)> {
    let with_special = SHAPES.into_iter().filter(|s| !s.special.is_empty());
    with_special.flat_map(|s| (1..=3).map(move |limbs| (s, Gadget::Hybrid { limbs }))).collect()
}

fn positionals() -> Vec<(Shape, Gadget)> {
    let base_logs = [2, 9, 14, 20, 27];
    let no_special = SHAPES[4];
    base_logs.map(|base_log| (no_special, Gadget::Positional { base_log })).to_vec()
}

fn gadgets() -> Vec<(Shape, Gadget)> {
    [hybrids(), positionals()].concat()
}

fn constant(ring: &Arc<Ring>, c: &Scalar) -> Poly<Eval> {
    let mut p = Poly::zero(ring, ring.all_limbs());
    p.add_constant_assign(c);
    p
}

/// Pairs `(w_g, s w_g)` for a polynomial `s`: a key without noise.
fn noiseless(ring: &Arc<Ring>, gadget: Gadget, s: &Poly<Eval>) -> GadgetVector {
    let pair = |w: &Scalar| {
        let mut scaled = s.clone();
        scaled.mul_scalar_assign(w);
        [constant(ring, w), scaled]
    };
    let pairs: Vec<_> = gadget.weights(ring).iter().map(pair).collect();
    GadgetVector::new(ring, gadget, &pairs)
}

/// `P c` over the limbs of a key switch: zero modulo the special primes.
fn raised(c: &Poly<Eval>) -> Poly<Eval> {
    let ring = c.ring();
    let mut scaled = c.clone();
    scaled.mul_scalar_assign(&Scalar::special_product(ring));
    let limbs = Limbs::extended(c.limbs().chain_count(), ring.special_len());
    let mut wide = Poly::zero(ring, limbs);
    for row in 0..c.limbs().len() {
        wide.row_mut(row).copy_from_slice(scaled.row(row));
    }
    wide
}

#[test]
fn weighted_digits_sum_to_the_polynomial_times_the_special_product_at_every_level() {
    for (shape, gadget) in gadgets() {
        for ring in shape.rings(DEGREE) {
            let s = random_eval(&ring, ring.all_limbs(), 5);
            let key = noiseless(&ring, gadget, &s);
            assert_eq!(key.gadget(), gadget);
            for chain in 1..=ring.chain_len() {
                let c = random_eval(&ring, Limbs::chain(chain), 6 + chain as u64);
                let [plain, times_s] = key.product(&c);
                let expected = raised(&c);
                assert_eq!(plain, expected, "{} {gadget:?} {chain}", shape.name);
                assert_eq!(times_s, Poly::product(&expected, &s, expected.limbs()));
            }
        }
    }
}

#[test]
fn product_equals_decomposition_then_multiplication() {
    for (shape, gadget) in gadgets() {
        for ring in shape.rings(DEGREE) {
            let all = ring.all_limbs();
            let count = gadget.digit_count(&ring, ring.chain_len()) as u64;
            let pairs = |tag: u64| -> Vec<[Poly<Eval>; 2]> {
                (0..count)
                    .map(|g| [0, 1].map(|h| random_eval(&ring, all, tag + 2 * g + h)))
                    .collect()
            };
            let first = GadgetVector::new(&ring, gadget, &pairs(100));
            let second = GadgetVector::like(&first, &pairs(900));
            for chain in 1..=ring.chain_len() {
                let c = random_eval(&ring, Limbs::chain(chain), chain as u64);
                let digits = first.decompose(&c);
                assert_eq!(first.product(&c), first.multiply(&digits), "{}", shape.name);
                assert_eq!(second.product(&c), second.multiply(&digits), "{}", shape.name);
            }
        }
    }
}

#[test]
fn digits_are_small_integers() {
    for (shape, gadget) in gadgets() {
        let ring = shape.fastest(DEGREE);
        let one = constant(&ring, &Scalar::from_signed(&ring, 1));
        let zero = Poly::zero(&ring, ring.all_limbs());
        for chain in 1..=ring.chain_len() {
            let c = random_eval(&ring, Limbs::chain(chain), 11);
            let limit = gadget.digit_deviation_bits(&ring, chain) + 12f64.log2() / 2.0 - 1.0;
            let count = gadget.digit_count(&ring, chain);
            let full = gadget.digit_count(&ring, ring.chain_len());
            let mut largest = 0f64;
            for g in 0..count {
                // A key that is one at digit g alone shows this digit.
                let pick = |k| [if k == g { one.clone() } else { zero.clone() }, zero.clone()];
                let pairs: Vec<_> = (0..full).map(pick).collect();
                let key = GadgetVector::new(&ring, gadget, &pairs);
                let [digit, nothing] = key.product(&c);
                assert!(nothing.is_zero());
                let m = product(&ring, ring.prime_indices(digit.limbs()));
                for x in integers(&digit.into_coeff()) {
                    let words = size(&centred(&x, &m)).to_u64_digits().1;
                    largest = words
                        .iter()
                        .rev()
                        .fold(0.0, |acc, &w| acc * 64f64.exp2() + w as f64)
                        .max(largest);
                }
            }
            let bits = largest.log2();
            assert!(bits <= limit + 1e-6, "{} {gadget:?} {chain}: {bits} > {limit}", shape.name);
            assert!(
                bits > limit - 3.0,
                "{} {gadget:?} {chain}: {bits} far below {limit}",
                shape.name
            );
        }
    }
}

#[test]
fn digits_count_as_the_formulas_say() {
    let ring = SHAPES[2].fastest(DEGREE);
    for chain in 1..=5usize {
        for limbs in 1..=3 {
            let expected = chain.div_ceil(limbs);
            assert_eq!(Gadget::Hybrid { limbs }.digit_count(&ring, chain), expected);
        }
    }
    // 28, 28 and 20 bits in digits of 14: 2 + 2 + 2.
    let ring = SHAPES[4].fastest(DEGREE);
    assert_eq!(Gadget::Positional { base_log: 14 }.digit_count(&ring, 3), 6);
    assert_eq!(Gadget::Positional { base_log: 20 }.digit_count(&ring, 3), 5);
    assert_eq!(Gadget::Positional { base_log: 28 }.digit_count(&ring, 2), 2);
}

#[test]
fn transforms_count_as_the_formulas_say() {
    for (shape, gadget) in hybrids() {
        let ring = shape.fastest(DEGREE);
        let key = noiseless(&ring, gadget, &random_eval(&ring, ring.all_limbs(), 1));
        let special = ring.special_len();
        for chain in 1..=ring.chain_len() {
            let c = random_eval(&ring, Limbs::chain(chain), 2);
            let d = gadget.digit_count(&ring, chain);
            let before = ring.transform_count();
            key.product(&c);
            let middle = ring.transform_count();
            key.multiply(&key.decompose(&c));
            let after = ring.transform_count();
            for (from, to) in [(before, middle), (middle, after)] {
                assert_eq!(to.inverse - from.inverse, chain as u64);
                assert_eq!(to.forward - from.forward, (d * (chain + special) - chain) as u64);
            }
        }
    }
}

#[test]
fn weights_are_units_of_their_group_times_the_special_product() {
    let ring = SHAPES[0].fastest(DEGREE);
    let special = product(&ring, 4..6);
    for limbs in 1..=3 {
        let gadget = Gadget::Hybrid { limbs };
        for (g, weight) in gadget.weights(&ring).iter().enumerate() {
            let p = constant(&ring, weight).into_coeff();
            for prime in 0..6 {
                let q = BigInt::from(ring.modulus(prime).value());
                let own = prime < 4 && prime / limbs == g;
                let expected = if own { modulo(&special, &q) } else { BigInt::from(0) };
                assert_eq!(BigInt::from(p.row(prime)[0]), expected);
                assert!(p.row(prime)[1..].iter().all(|&w| w == 0));
            }
        }
    }
}
