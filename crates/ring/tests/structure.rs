//! Automorphisms, memory, and results that no kernel and no thread changes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use crate::common::{SHAPES, Shape, random, random_eval};
use fathom_kernels::reference;
use fathom_ring::{
    Automorphism, Coeff, ErrorFactor, Eval, Gadget, GadgetVector, Limbs, ModDown, Poly, Pool, Ring,
    Seed, rotation_exponent, rotation_steps, row_swap_exponent, uniform_eval,
};
use proptest::prelude::*;
use std::sync::Arc;

const DEGREE: usize = 128;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn automorphisms_permute_values_as_they_move_coefficients(
        shape in prop::sample::select(SHAPES.to_vec()), seed: u64, half in 0..DEGREE
    ) {
        let exponent = 2 * half + 1;
        for ring in shape.rings(DEGREE) {
            let p: Poly<Coeff> = random(&ring, ring.all_limbs(), seed);
            let automorphism = Automorphism::new(DEGREE, exponent);
            prop_assert_eq!(automorphism.exponent(), exponent);
            let fast = automorphism.apply(&p.clone().into_eval()).into_coeff();
            for (row, prime) in ring.prime_indices(p.limbs()).enumerate() {
                let slow = reference::automorphism(ring.modulus(prime), p.row(row), exponent);
                prop_assert_eq!(fast.row(row), slow.as_slice());
            }
        }
    }

    #[test]
    fn automorphisms_respect_products_and_compose(seed: u64, g in 0..DEGREE, h in 0..DEGREE) {
        let ring = SHAPES[2].fastest(DEGREE);
        let limbs = ring.all_limbs();
        let [a, b] = [0, 1].map(|i| random_eval(&ring, limbs, seed ^ i));
        let (g, h) = (2 * g + 1, 2 * h + 1);
        let map = |e: usize| Automorphism::new(DEGREE, e % (2 * DEGREE));
        let image = map(g).apply(&Poly::product(&a, &b, limbs));
        prop_assert_eq!(image, Poly::product(&map(g).apply(&a), &map(g).apply(&b), limbs));
        prop_assert_eq!(map(g).apply(&map(h).apply(&a)), map(g * h).apply(&a));
    }
}

#[test]
fn rotations_form_a_cyclic_group_and_the_swap_completes_it() {
    for degree in [64usize, 128, 4096] {
        let modulus = 2 * degree;
        assert_eq!(rotation_exponent(degree, 0), 1);
        assert_eq!(rotation_exponent(degree, degree as i64 / 2), 1);
        for (a, b) in [(1, 1), (5, -3), (-1, 1), (17, 100), (-31, -8)] {
            let joint = rotation_exponent(degree, a) * rotation_exponent(degree, b) % modulus;
            assert_eq!(joint, rotation_exponent(degree, a + b), "{degree} {a} {b}");
        }
        let swap = row_swap_exponent(degree);
        assert_eq!(swap * swap % modulus, 1);
        for steps in (0..degree as i64 / 2).step_by(7) {
            let exponent = rotation_exponent(degree, steps);
            assert_eq!(rotation_steps(degree, exponent), Some(steps));
            assert_eq!(rotation_steps(degree, exponent * swap % modulus), None);
        }
        let rotations = (0..degree as i64 / 2).map(|s| rotation_exponent(degree, s));
        let mut all: Vec<usize> = rotations.flat_map(|e| [e, e * swap % modulus]).collect();
        all.sort_unstable();
        assert_eq!(all, (1..modulus).step_by(2).collect::<Vec<_>>());
    }
}

/// A chain of every operation: products, a key switch, a division, an automorphism.
fn pipeline(ring: &Arc<Ring>, gadget: Gadget) -> Vec<u64> {
    let all = ring.all_limbs();
    let chain = Limbs::chain(ring.chain_len());
    let [a, b] = [1u8, 2].map(|i| uniform_eval(ring, chain, &Seed([i; 32])));
    let count = gadget.digit_count(ring, ring.chain_len());
    let half = |g: usize, h: u8| uniform_eval(ring, all, &Seed([3 + h; 32]).child(g as u32));
    let pairs: Vec<_> = (0..count).map(|g| [half(g, 0), half(g, 1)]).collect();
    let key = GadgetVector::new(ring, gadget, &pairs);
    let [_, c1, c2] = Poly::tensor(&[([&a, &b], [&b, &a]), ([&a, &a], [&b, &b])], chain);
    let [x0, _] = key.product(&c2);
    let down = ModDown::new(
        ring,
        x0.limbs(),
        Limbs::chain(ring.chain_len() - 1),
        ErrorFactor::Integer(65537),
    );
    let divided = down.apply_with(x0, &c1);
    let rotated = Automorphism::new(ring.degree(), 9).apply(&divided);
    rotated.into_coeff().words().to_vec()
}

fn gadget_of(shape: &Shape) -> Gadget {
    if shape.special.is_empty() {
        Gadget::Positional { base_log: 11 }
    } else {
        Gadget::Hybrid { limbs: 2 }
    }
}

#[test]
fn results_are_bit_identical_on_all_kernels() {
    for shape in SHAPES {
        let results: Vec<_> = shape
            .rings(1024)
            .iter()
            .map(|ring| (ring.kernel().name(), pipeline(ring, gadget_of(&shape))))
            .collect();
        println!("{}: {:?}", shape.name, results.iter().map(|r| r.0).collect::<Vec<_>>());
        for (name, result) in &results[1..] {
            assert!(
                *result == results[0].1,
                "{}: {name} differs from {}",
                shape.name,
                results[0].0
            );
        }
    }
}

#[test]
fn results_are_bit_identical_on_many_threads() {
    for shape in SHAPES {
        let ring = shape.fastest(1024);
        let expected = pipeline(&ring, gadget_of(&shape));
        std::thread::scope(|scope| {
            let work = || (0..4).all(|_| pipeline(&ring, gadget_of(&shape)) == expected);
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
            assert!(threads.into_iter().all(|t| t.join().unwrap()), "{}", shape.name);
        });
    }
}

#[test]
fn memory_returns_to_the_pool_and_is_used_again() {
    let pool = Pool::default();
    let first = pool.take(512);
    let address = first.as_ptr();
    drop(first);
    assert_ne!(pool.take(1024).as_ptr(), address);
    let again = pool.take(512);
    assert_eq!(again.as_ptr(), address);
    assert_ne!(pool.take(512).as_ptr(), address, "a buffer on loan is not lent twice");
    assert_eq!(again.as_ptr() as usize % 64, 0);
    assert_eq!(again.len(), 512);
}

/// A row returns to the thread that took it, wherever it is dropped, and serves other threads only
/// if they have none of their own.
#[test]
fn memory_returns_to_the_thread_that_took_it() {
    let pool = Pool::default();
    let (first, second) = (pool.take(512), pool.take(512));
    let addresses = [first.as_ptr() as usize, second.as_ptr() as usize];
    drop(second);
    let other = pool.clone();
    let elsewhere = std::thread::spawn(move || {
        drop(first);
        // This thread's own list is empty.
        let borrowed = other.take(512);
        borrowed.as_ptr() as usize
    });
    let borrowed = elsewhere.join().unwrap();
    assert!(addresses.contains(&borrowed));
    let again = [pool.take(512), pool.take(512)].map(|buffer| buffer.as_ptr() as usize);
    assert!(again.contains(&addresses[0]) || again.contains(&addresses[1]));
}

/// Rows that threads exchange in any pattern are never on loan twice.
#[test]
fn a_buffer_is_lent_to_one_thread_at_a_time() {
    let pool = Pool::default();
    std::thread::scope(|scope| {
        for mark in 1..=4u64 {
            let pool = &pool;
            scope.spawn(move || {
                for round in 0..2000 {
                    let mut buffers = [pool.take(64), pool.take(64)];
                    for buffer in &mut buffers {
                        buffer.fill(mark << 32 | round);
                    }
                    std::thread::yield_now();
                    let own = |buffer: &[u64]| buffer.iter().all(|&w| w == mark << 32 | round);
                    assert!(buffers.iter().all(|buffer| own(buffer)));
                }
            });
        }
    });
}

#[test]
fn a_copied_polynomial_has_its_own_memory() {
    let ring = SHAPES[0].fastest(DEGREE);
    let mut original: Poly<Coeff> = random(&ring, Limbs::chain(2), 1);
    let copy = original.clone();
    assert_eq!(copy, original);
    original.row_mut(0)[0] ^= 1;
    assert_ne!(copy, original);
}

/// Both orders of writing and both lengths, shared and copied.
#[test]
fn polynomials_that_share_words_do_not_see_each_other_written() {
    let ring = SHAPES[0].fastest(DEGREE);
    let full = Limbs::chain(3);
    for limbs in [1, 2, 3].map(Limbs::chain) {
        let mut original: Poly<Eval> = random_eval(&ring, full, 2);
        let (before, expected) = (original.clone(), original.restricted(limbs));
        let mut short = original.shared_prefix(limbs);
        let again = short.shared_prefix(limbs);
        original.neg_assign();
        assert_eq!([&short, &again], [&expected; 2]);
        short.row_mut(0).fill(3);
        assert_eq!(again, expected);
        original.neg_assign();
        assert_eq!(original, before);

        let mut short = original.shared_prefix(limbs);
        short.wipe();
        assert!(short.is_zero() && original == before);
        let mut short = original.shared_prefix(limbs);
        drop(original);
        short.add_assign(&expected);
        short.sub_assign(&expected);
        assert_eq!(short, expected);
    }
}

#[test]
fn transforms_are_counted_by_kind() {
    let ring = SHAPES[0].fastest(DEGREE);
    let p: Poly<Coeff> = random(&ring, Limbs::extended(3, 2), 1);
    let start = ring.transform_count();
    let values = p.into_eval();
    let middle = ring.transform_count();
    assert_eq!((middle.forward - start.forward, middle.inverse - start.inverse), (5, 0));
    values.restricted(Limbs::chain(2)).into_coeff();
    let end = ring.transform_count();
    assert_eq!((end.forward - middle.forward, end.inverse - middle.inverse), (0, 2));
    assert_eq!(end.total() - start.total(), 7);
}

/// Rings that only describe something take no memory for tables.
#[test]
fn the_first_transform_makes_the_tables() {
    let ring = SHAPES[0].fastest(64);
    assert!(!ring.has_tables());
    let p = Poly::<Coeff>::zero(&ring, ring.all_limbs());
    assert!(!ring.has_tables());
    p.into_eval();
    assert!(ring.has_tables());
}
