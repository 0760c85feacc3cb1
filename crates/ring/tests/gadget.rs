//! Gadget decomposition: digits are small, and weighted they return the polynomial.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use crate::common::{SHAPES, Shape, centered, integers, modulo, product, random_eval, size};
use fathom_ring::{Eval, Gadget, GadgetVector, Limbs, Poly, Ring, Scalar, Seed, uniform_eval};
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
    let pairs: Vec<_> = gadget.weights(ring, ring.chain_len()).iter().map(pair).collect();
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

/// Returns the digits of `c`, as integers: a key that is one at a digit alone shows this digit.
fn digits_of(gadget: Gadget, c: &Poly<Eval>) -> Vec<Vec<BigInt>> {
    let ring = c.ring();
    let one = constant(ring, &Scalar::from_signed(ring, 1));
    let zero = Poly::zero(ring, ring.all_limbs());
    let full = gadget.digit_count(ring, ring.chain_len());
    let digit = |g: usize| {
        let pick = |k| [if k == g { one.clone() } else { zero.clone() }, zero.clone()];
        let pairs: Vec<_> = (0..full).map(pick).collect();
        let [digit, nothing] = GadgetVector::new(ring, gadget, &pairs).product(c);
        assert!(nothing.is_zero());
        let m = product(ring, ring.prime_indices(digit.limbs()));
        integers(&digit.into_coeff()).iter().map(|x| centered(x, &m)).collect()
    };
    (0..gadget.digit_count(ring, c.limbs().chain_count())).map(digit).collect()
}

/// Returns the sizes in bits of the primes below `chain`.
fn prime_bits(ring: &Ring, chain: usize) -> Vec<f64> {
    (0..chain).map(|i| (ring.modulus(i).value() as f64).log2()).collect()
}

#[test]
fn digits_are_at_most_half_of_the_width_of_their_interval() {
    for (shape, gadget) in gadgets() {
        let ring = shape.fastest(DEGREE);
        for chain in 1..=ring.chain_len() {
            let limit = match gadget {
                Gadget::Hybrid { limbs } => {
                    let widths = prime_bits(&ring, chain);
                    widths.chunks(limbs).map(|digit| digit.iter().sum()).fold(0.0, f64::max)
                }
                Gadget::Positional { base_log } => f64::from(base_log),
            } - 1.0;
            let c = random_eval(&ring, Limbs::chain(chain), 11);
            let sizes = digits_of(gadget, &c).into_iter().flatten().map(|x| {
                let words = size(&x).to_u64_digits().1;
                words.iter().rev().fold(0.0, |acc, &w| acc * 64f64.exp2() + w as f64)
            });
            let bits = sizes.fold(0.0, f64::max).log2();
            assert!(bits <= limit + 1e-6, "{} {gadget:?} {chain}: {bits} > {limit}", shape.name);
            assert!(bits > limit - 2.0, "{} {gadget:?} {chain}: {bits}", shape.name);
        }
    }
}

/// The mean of every digit of a uniformly random polynomial is therefore exactly zero.
#[test]
fn digits_of_the_opposite_polynomial_are_opposite() {
    for (shape, gadget) in gadgets() {
        let ring = shape.fastest(DEGREE);
        for chain in 1..=ring.chain_len() {
            let c = random_eval(&ring, Limbs::chain(chain), 12);
            let opposites = digits_of(gadget, &c.negated());
            for (digit, opposite) in digits_of(gadget, &c).iter().zip(&opposites) {
                assert!(digit.iter().zip(opposite).all(|(d, o)| *d == -o), "{gadget:?} {chain}");
            }
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
        for (g, weight) in gadget.weights(&ring, ring.chain_len()).iter().enumerate() {
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

/// A key for a prefix of the chain gives the products of the full key, on that prefix and below it.
#[test]
fn a_restricted_key_multiplies_as_the_full_one() {
    for gadget in [Gadget::Hybrid { limbs: 1 }, Gadget::Hybrid { limbs: 3 }] {
        let ring = SHAPES[0].fastest(DEGREE);
        let s = uniform_eval(&ring, ring.all_limbs(), &Seed([5; 32]));
        let full = noiseless(&ring, gadget, &s);
        for chain in 1..=ring.chain_len() {
            let key = full.restricted(chain);
            assert_eq!(key.chain_count(), chain);
            assert!(key == full || chain < ring.chain_len());
            for present in 1..=chain {
                let c = uniform_eval(&ring, Limbs::chain(present), &Seed([present as u8; 32]));
                let expected = full.product(&c);
                assert_eq!(key.product(&c), expected);
                assert_eq!(key.multiply(&full.decompose(&c)), full.multiply(&key.decompose(&c)));
            }
        }
    }
}
