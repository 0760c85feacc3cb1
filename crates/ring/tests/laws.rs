//! The laws of the ring, on every kernel of this CPU.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use crate::common::{SHAPES, Shape, from_integers, integers, modulo, product, random, random_eval};
use fathom_kernels::reference;
use fathom_ring::{Coeff, Eval, Limbs, Poly, Ring, Scalar};
use num_bigint::BigInt;
use proptest::prelude::*;
use std::sync::Arc;

const DEGREE: usize = 64;

fn shapes() -> impl Strategy<Value = Shape> {
    prop::sample::select(SHAPES.to_vec())
}

fn sum(a: &Poly<Eval>, b: &Poly<Eval>) -> Poly<Eval> {
    let mut out = a.clone();
    out.add_assign(b);
    out
}

fn times(a: &Poly<Eval>, b: &Poly<Eval>) -> Poly<Eval> {
    Poly::product(a, b, a.limbs())
}

fn three(ring: &Arc<Ring>, seed: u64) -> [Poly<Eval>; 3] {
    [1, 2, 3].map(|i| random_eval(ring, ring.all_limbs(), seed.wrapping_add(i)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn addition_is_a_commutative_group(shape in shapes(), seed: u64) {
        for ring in shape.rings(DEGREE) {
            let [a, b, c] = three(&ring, seed);
            prop_assert_eq!(sum(&a, &b), sum(&b, &a));
            prop_assert_eq!(sum(&sum(&a, &b), &c), sum(&a, &sum(&b, &c)));
            let mut negated = a.clone();
            negated.neg_assign();
            prop_assert!(sum(&a, &negated).is_zero());
            let mut difference = a.clone();
            difference.sub_assign(&b);
            prop_assert_eq!(sum(&difference, &b), a);
        }
    }

    #[test]
    fn weighted_sums_are_sums_of_products_with_integers(
        shape in shapes(),
        seed: u64,
        weights in prop::collection::vec(prop::array::uniform3(-1_i128 << 62..1 << 62), 1..5),
    ) {
        for ring in shape.rings(DEGREE) {
            let terms = three(&ring, seed);
            let lists: Vec<Vec<i128>> = weights.iter().map(|list| list.to_vec()).collect();
            let sums = Poly::weighted_sums(&terms.each_ref(), &lists, ring.all_limbs());
            for (sum, list) in sums.iter().zip(&lists) {
                let mut expected = Poly::zero(&ring, ring.all_limbs());
                for (term, &weight) in terms.iter().zip(list) {
                    let weight = Scalar::from_signed(&ring, weight as i64);
                    expected.mul_scalar_add_assign(term, &weight);
                }
                prop_assert_eq!(sum, &expected);
            }
        }
    }

    #[test]
    fn multiplication_is_associative_and_distributes(shape in shapes(), seed: u64) {
        for ring in shape.rings(DEGREE) {
            let [a, b, c] = three(&ring, seed);
            prop_assert_eq!(times(&a, &b), times(&b, &a));
            prop_assert_eq!(times(&times(&a, &b), &c), times(&a, &times(&b, &c)));
            prop_assert_eq!(times(&a, &sum(&b, &c)), sum(&times(&a, &b), &times(&a, &c)));
            let mut assigned = a.clone();
            assigned.mul_assign(&b);
            prop_assert_eq!(assigned, times(&a, &b));
        }
    }

    #[test]
    fn transforms_are_inverse_to_each_other(shape in shapes(), seed: u64) {
        for ring in shape.rings(4 * DEGREE) {
            let p: Poly<Coeff> = random(&ring, ring.all_limbs(), seed);
            prop_assert_eq!(&p.clone().into_eval().into_coeff(), &p);
            let v: Poly<Eval> = random(&ring, ring.all_limbs(), seed);
            prop_assert_eq!(&v.clone().into_coeff().into_eval(), &v);
        }
    }

    #[test]
    fn product_of_values_is_the_schoolbook_product(shape in shapes(), seed: u64) {
        for ring in shape.rings(DEGREE) {
            let [a, b] = [0, 1].map(|i| random::<Coeff>(&ring, ring.all_limbs(), seed ^ i));
            let fast = times(&a.clone().into_eval(), &b.clone().into_eval()).into_coeff();
            for (row, prime) in ring.prime_indices(ring.all_limbs()).enumerate() {
                let m = ring.modulus(prime);
                let slow = reference::negacyclic_product(m, a.row(row), b.row(row));
                prop_assert_eq!(fast.row(row), slow.as_slice());
            }
        }
    }

    #[test]
    fn fused_sums_equal_single_steps(shape in shapes(), seed: u64, terms in 1usize..9) {
        for ring in shape.rings(DEGREE) {
            let all = ring.all_limbs();
            let many = |tag: u64| -> Vec<Poly<Eval>> {
                (0..terms as u64).map(|i| random_eval(&ring, all, seed ^ (tag << 32 | i))).collect()
            };
            let [a0, a1, b0, b1] = [1, 2, 3, 4].map(many);
            let slow = |x: &[Poly<Eval>], y: &[Poly<Eval>]| {
                let zero = Poly::zero(&ring, all);
                x.iter().zip(y).fold(zero, |acc, (x, y)| sum(&acc, &times(x, y)))
            };
            let refs = |x: &'_ [Poly<Eval>]| x.to_vec();
            let (x, y) = (refs(&a0), refs(&b0));
            let dot = Poly::dot(&x.iter().collect::<Vec<_>>(), &y.iter().collect::<Vec<_>>(), all);
            prop_assert_eq!(dot, slow(&a0, &b0));
            let pairs: Vec<_> = (0..terms).map(|i| ([&a0[i], &a1[i]], [&b0[i], &b1[i]])).collect();
            let [t0, t1, t2] = Poly::tensor(&pairs, all);
            prop_assert_eq!(t0, slow(&a0, &b0));
            prop_assert_eq!(t1, sum(&slow(&a0, &b1), &slow(&a1, &b0)));
            prop_assert_eq!(t2, slow(&a1, &b1));
            let mut fused = a0[0].clone();
            fused.mul_add_assign(&a1[0], &b1[0]);
            prop_assert_eq!(fused, sum(&a0[0], &times(&a1[0], &b1[0])));
        }
    }

    #[test]
    fn integers_multiply_and_add_as_integers(
        shape in shapes(),
        seed: u64,
        c in -(1i64 << 18)..1 << 18,
    ) {
        for ring in shape.rings(DEGREE) {
            let p: Poly<Coeff> = random(&ring, ring.all_limbs(), seed);
            let m = product(&ring, ring.prime_indices(ring.all_limbs()));
            let c_poly = Scalar::from_signed(&ring, c);
            let mut scaled = p.clone();
            scaled.mul_scalar_assign(&c_poly);
            let slow: Vec<BigInt> = integers(&p).iter().map(|x| modulo(&(x * c), &m)).collect();
            prop_assert_eq!(integers(&scaled), slow);
            let mut added = p.clone();
            added.mul_scalar_add_assign(&p, &c_poly);
            let slow: Vec<BigInt> =
                integers(&p).iter().map(|x| modulo(&(x * (c + 1)), &m)).collect();
            prop_assert_eq!(integers(&added), slow);
            let mut shifted = p.clone().into_eval();
            shifted.add_constant_assign(&c_poly);
            let mut slow = integers(&p);
            slow[0] = modulo(&(&slow[0] + c), &m);
            prop_assert_eq!(integers(&shifted.into_coeff()), slow);
        }
    }

    #[test]
    fn small_coefficients_are_the_same_integers_modulo_every_prime(shape in shapes(), seed: u64) {
        let mut rng = fathom_ring::SecretRng::insecure_from_seed(seed);
        let small: Vec<i64> = (0..DEGREE).map(|_| (rng.next_word() % 4001) as i64 - 2000).collect();
        let expected: Vec<BigInt> = small.iter().map(|&c| BigInt::from(c)).collect();
        for ring in shape.rings(DEGREE) {
            let lifted = Poly::from_signed(&ring, ring.all_limbs(), &small);
            prop_assert_eq!(lifted, from_integers(&ring, ring.all_limbs(), &expected));
        }
    }

    #[test]
    fn restriction_keeps_the_value_modulo_the_smaller_modulus(shape in shapes(), seed: u64) {
        for ring in shape.rings(DEGREE) {
            let p: Poly<Coeff> = random(&ring, ring.all_limbs(), seed);
            for count in 1..=ring.chain_len() {
                let limbs = Limbs::chain(count);
                let m = product(&ring, 0..count);
                let slow: Vec<BigInt> = integers(&p).iter().map(|x| modulo(x, &m)).collect();
                prop_assert_eq!(integers(&p.restricted(limbs)), slow);
            }
        }
    }
}

#[test]
fn few_primes_give_centered_integers() {
    for shape in SHAPES {
        for ring in shape.rings(64) {
            for count in 1..=ring.chain_len() {
                let limbs = Limbs::chain(count);
                let p = random::<Coeff>(&ring, limbs, 5);
                let d = product(&ring, 0..count);
                let expected = integers(&p);
                match p.centered_integers() {
                    Some(found) => {
                        for (x, found) in expected.iter().zip(found.iter()) {
                            assert_eq!(crate::common::centered(x, &d), BigInt::from(*found));
                        }
                    }
                    None => assert!(ring.log2_product(limbs) > 126.0),
                }
            }
        }
    }
}

#[test]
fn the_size_of_a_polynomial_is_the_largest_centered_integer() {
    for shape in SHAPES {
        let ring = shape.fastest(DEGREE);
        let limbs = Limbs::chain(ring.chain_len());
        let m = product(&ring, 0..ring.chain_len());
        for shift in [0u32, 1, 20, 50, 70] {
            let top: BigInt = (BigInt::from(1) << shift) % (&m / 2);
            for sign in [1i64, -1] {
                let mut integers = vec![BigInt::from(0); DEGREE];
                integers[7] = &top * sign;
                let p = from_integers(&ring, limbs, &integers);
                let bits = (m.bits() as f64 - 2.0).min(f64::from(shift));
                let measured = p.log2_largest_centered();
                assert!((measured - bits).abs() < 1.5, "{}: {measured} {bits}", shape.name);
                if u64::from(shift) + 2 < m.bits() {
                    assert!((measured - f64::from(shift)).abs() < 1e-9);
                }
            }
        }
    }
}

#[test]
fn a_polynomial_of_another_ring_is_another_polynomial() {
    let [a, b] = [SHAPES[0].fastest(DEGREE), SHAPES[0].fastest(DEGREE)];
    let p = random_eval(&a, a.all_limbs(), 1);
    assert_ne!(p, random_eval(&b, b.all_limbs(), 1));
    assert_eq!(p.words(), random_eval(&b, b.all_limbs(), 1).words());
}
