//! The row operations of every kernel against the oracle.

use crate::common::{Words, moduli, on_every_kernel, slices};
use fathom_kernels::{Kernel, Modulus, TensorRows, reference};
use proptest::prelude::*;
use std::panic::AssertUnwindSafe;

/// Lengths at the borders of lines, strips and blocks.
const LENGTHS: [usize; 5] = [64, 128, 192, 256, 1024];

/// Asserts that words are in their lazy range, and congruent to the expected ones.
fn assert_lazy(m: &Modulus, lazy: &[u64], expected: &[u64]) {
    assert!(lazy.iter().all(|&word| word < 2 * m.value()), "a word is not lazy");
    assert_eq!(reference::canonical(m, lazy), expected);
}

/// Largest source word of `base_convert` that `kernel` takes.
fn source_bound(kernel: &dyn Kernel) -> u64 {
    if kernel.name() == "portable" { 1 << 61 } else { 1 << 52 }
}

#[test]
fn sums_and_differences() {
    on_every_kernel(|kernel| {
        for (m, len) in moduli(kernel).into_iter().flat_map(|m| LENGTHS.map(|len| (m, len))) {
            let mut words = Words(len as u64);
            let [a, b] = [(); 2].map(|()| words.row(len, m.value()));
            let mut out = vec![u64::MAX; len];
            kernel.add(&m, &mut out, &a, &b);
            assert_eq!(out, reference::add(&m, &a, &b));
            kernel.sub(&m, &mut out, &a, &b);
            assert_eq!(out, reference::sub(&m, &a, &b));
            kernel.neg(&m, &mut out, &a);
            assert_eq!(out, reference::neg(&m, &a));
            out.copy_from_slice(&a);
            kernel.add_assign(&m, &mut out, &b);
            assert_eq!(out, reference::add(&m, &a, &b));
            out.copy_from_slice(&a);
            kernel.sub_assign(&m, &mut out, &b);
            assert_eq!(out, reference::sub(&m, &a, &b));
            out.copy_from_slice(&a);
            kernel.neg_assign(&m, &mut out);
            assert_eq!(out, reference::neg(&m, &a));
        }
    });
}

#[test]
fn products() {
    on_every_kernel(|kernel| {
        for (m, len) in moduli(kernel).into_iter().flat_map(|m| LENGTHS.map(|len| (m, len))) {
            let mut words = Words(len as u64);
            let [a, b, c] = [1, 1, 2].map(|k| words.row(len, k * m.value()));
            let product = reference::mul(&m, &a, &b);
            let mut out = vec![u64::MAX; len];
            kernel.mul(&m, &mut out, &a, &b);
            assert_eq!(out, product);
            out.copy_from_slice(&a);
            kernel.mul_assign(&m, &mut out, &b);
            assert_eq!(out, product);
            out.copy_from_slice(&c);
            kernel.mul_add_assign(&m, &mut out, &a, &b);
            assert_eq!(out, reference::add(&m, &c, &product));
            let lazy = vec![2 * m.value() - 1; len];
            let product = reference::mul(&m, &lazy, &b);
            kernel.mul(&m, &mut out, &lazy, &b);
            assert_eq!(out, product);
            out.copy_from_slice(&lazy);
            kernel.mul_add_assign(&m, &mut out, &lazy, &b);
            assert_eq!(out, reference::add(&m, &lazy, &product));
        }
    });
}

#[test]
fn weighted_sums_of_rows() {
    on_every_kernel(|kernel| {
        for m in moduli(kernel) {
            for (terms, sums, bits) in
                [(1, 1, 3), (3, 2, 15), (127, 3, 22), (513, 2, 40), (700, 1, 61)]
            {
                let mut words = Words(terms as u64);
                let rows: Vec<Vec<u64>> = (0..terms).map(|_| words.row(128, m.value())).collect();
                let rows = slices(&rows);
                let most = 1_i64 << bits;
                let mut weights = |_| -> Vec<i64> {
                    let draw = |word: u64| word as i64 - most;
                    words.row(terms, 2 * most as u64 + 1).into_iter().map(draw).collect()
                };
                let mut weights: Vec<Vec<i64>> = (0..sums).map(&mut weights).collect();
                weights[0].fill(-most);
                let mut out = vec![vec![u64::MAX; 128]; sums];
                let weights: Vec<&[i64]> = weights.iter().map(Vec::as_slice).collect();
                let mut results: Vec<&mut [u64]> = out.iter_mut().map(Vec::as_mut_slice).collect();
                kernel.weighted_sums(&m, &mut results, &rows, &weights);
                for (out, weights) in out.iter().zip(weights) {
                    assert_eq!(*out, reference::weighted_sum(&m, 128, &rows, weights), "{bits}");
                }
            }
            // The largest and the middle words, each with the largest digits.
            for word in [m.value() - 1, m.value() / 2, m.value() / 2 + 1] {
                let (most, terms) = (vec![word; 64], 1000);
                let (rows, mut out) = (vec![most.as_slice(); terms], vec![0; 64]);
                for weight in [-(1 << 15), (1 << 15) - 1, -(1 << 22), (1 << 22) - 1, 1 << 22] {
                    let weights = vec![weight; terms];
                    kernel.weighted_sums(&m, &mut [&mut out], &rows, &[&weights]);
                    assert_eq!(out, reference::weighted_sum(&m, 64, &rows, &weights));
                }
            }
        }
    });
}

#[test]
fn products_with_constants() {
    on_every_kernel(|kernel| {
        for m in moduli(kernel) {
            let mut words = Words(m.value());
            let [a, b] = [(); 2].map(|()| words.row(64, m.value()));
            let edges = [0, 1, m.value() / 2, m.value() / 2 + 1, m.value() - 1];
            for c in edges.into_iter().chain(words.row(8, m.value())) {
                let product = reference::mul_constant(&m, &a, c);
                let mut out = a.clone();
                kernel.mul_constant_assign(&m, &mut out, &m.constant(c));
                assert_eq!(out, product);
                for times in [1, 2, 5] {
                    out.copy_from_slice(&a);
                    kernel.mul_constant_repeatedly_assign(&m, &mut out, &m.constant(c), times);
                    let power = m.pow(c, times as u64);
                    assert_eq!(out, reference::mul_constant(&m, &a, power));
                }
                out.copy_from_slice(&b);
                kernel.mul_constant_add_assign(&m, &mut out, &a, &m.constant(c));
                assert_eq!(out, reference::add(&m, &b, &product));
                if m.value() % 2 == 1 {
                    let mut out = vec![i64::MAX; 64];
                    kernel.mul_constant_centered(&m, &mut out, &a, &m.constant(c));
                    assert_eq!(out, reference::mul_constant_centered(&m, &a, c));
                }
            }
        }
    });
}

#[test]
fn dot_products_of_any_number_of_terms() {
    on_every_kernel(|kernel| {
        for m in moduli(kernel) {
            for terms in [0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 34, 35, 36, 63, 64, 65, 100] {
                let mut words = Words(terms as u64);
                // All words at their maximum in the first half of the row.
                let x = extreme(words.rows(terms, 128, 2 * m.value()), 2 * m.value() - 1);
                let k = extreme(words.rows(terms, 128, m.value()), m.value() - 1);
                let [x, k] = [&x, &k].map(|rows| slices(rows));
                let mut out = vec![u64::MAX; 128];
                kernel.dot(&m, &mut out, &x, &k);
                let expected = reference::dot(&m, 128, &x, &k);
                assert_eq!(out, expected, "{terms} terms modulo {}", m.value());
            }
        }
    });
}

fn extreme(mut rows: Vec<Vec<u64>>, word: u64) -> Vec<Vec<u64>> {
    for row in &mut rows {
        let half = row.len() / 2;
        row[..half].fill(word);
    }
    rows
}

#[test]
fn tensors_of_any_number_of_pairs() {
    on_every_kernel(|kernel| {
        for m in moduli(kernel) {
            for pairs in [0, 1, 2, 8, 9, 15, 16, 17, 33, 40] {
                let mut words = Words(pairs as u64);
                let [a0, a1, b0, b1] =
                    [(); 4].map(|()| extreme(words.rows(pairs, 128, m.value()), m.value() - 1));
                let rows: Vec<_> = (0..pairs)
                    .map(|j| TensorRows { a: [&a0[j], &a1[j]], b: [&b0[j], &b1[j]] })
                    .collect();
                let dot = |x: &[Vec<u64>], k: &[Vec<u64>]| {
                    reference::dot(&m, 128, &slices(x), &slices(k))
                };
                let cross = reference::add(&m, &dot(&a0, &b1), &dot(&a1, &b0));
                let expected = [dot(&a0, &b0), cross, dot(&a1, &b1)];
                let mut out = [(); 3].map(|()| vec![u64::MAX; 128]);
                let [out0, out1, out2] = &mut out;
                kernel.tensor(&m, [out0, out1, out2], &rows);
                assert_eq!(out, expected, "{pairs} pairs modulo {}", m.value());
            }
        }
    });
}

#[test]
fn base_conversion_from_larger_and_smaller_sources() {
    on_every_kernel(|kernel| {
        for m in moduli(kernel) {
            for bound in [1 << 24, 1 << 30, 1 << 46, source_bound(kernel)] {
                for count in [0, 1, 4, 31, 32, 33, 40, 70] {
                    let mut words = Words(count as u64);
                    let sources = extreme(words.rows(count, 128, bound), bound - 1);
                    let mut weights = words.row(count, m.value());
                    weights.iter_mut().step_by(2).for_each(|weight| *weight = m.value() - 1);
                    let sources = slices(&sources);
                    let mut out = vec![u64::MAX; 128];
                    kernel.base_convert(&m, &mut out, &sources, &weights);
                    assert_lazy(&m, &out, &reference::base_convert(&m, 128, &sources, &weights));
                }
            }
        }
    });
}

#[test]
fn small_integers_join_a_base_conversion() {
    on_every_kernel(|kernel| {
        for m in moduli(kernel) {
            let small = small_integers(&m).repeat(2);
            for [count, smalls] in [[0, 0], [0, 1], [1, 0], [2, 2], [31, 1], [33, 2], [30, 40]] {
                let mut words = Words(m.value());
                let sources = extreme(words.rows(count, 128, 1 << 46), (1 << 46) - 1);
                let mut weights = words.row(count + smalls, m.value());
                weights.iter_mut().step_by(2).for_each(|weight| *weight = m.value() - 1);
                let lifted = vec![reference::lift(&m, &small); smalls];
                let all: Vec<_> = slices(&sources).into_iter().chain(slices(&lifted)).collect();
                let expected = reference::base_convert(&m, 128, &all, &weights);
                let mut out = vec![u64::MAX; 128];
                let small = vec![&small[..]; smalls];
                kernel.base_convert_small(&m, &mut out, &slices(&sources), &small, &weights);
                assert_lazy(&m, &out, &expected);
            }
        }
    });
}

#[test]
fn rounded_quotients_are_bit_identical() {
    on_every_kernel(|kernel| {
        for bound in [1u64 << 24, (1 << 46) - 1, source_bound(kernel)] {
            for count in [0, 1, 2, 7, 40] {
                let sources = extreme(Words(bound).rows(count, 256, bound), bound - 1);
                let inverses: Vec<_> =
                    (0..count).map(|j| 1.0 / (bound - 2 * j as u64) as f64).collect();
                let mut out = vec![u64::MAX; 256];
                kernel.round_quotient(&mut out, &slices(&sources), &inverses);
                assert_eq!(out, reference::round_quotient(256, &slices(&sources), &inverses));
            }
        }
    });
}

/// Both signs, and the extremes.
fn small_integers(m: &Modulus) -> Vec<i64> {
    let largest = m.value() as i64 - 1;
    let mut small: Vec<i64> = (0..64).map(|i| (i - 32) % (largest + 1)).collect();
    (small[0], small[9], small[63]) = (largest, -largest, 0);
    small
}

#[test]
fn multiples_of_small_integers_are_added_to_canonical_and_lazy_words() {
    on_every_kernel(|kernel| {
        for m in moduli(kernel) {
            let small = small_integers(&m);
            let mut words = Words(m.value());
            let [canonical, lazy] = [1, 2].map(|k| words.row(64, k * m.value()));
            for c in [0, 1, m.value() / 2, m.value() - 1, words.next() % m.value()] {
                let product = reference::mul_constant(&m, &reference::lift(&m, &small), c);
                let mut out = canonical.clone();
                kernel.mul_small_add_assign(&m, &mut out, &small, &m.constant(c));
                assert_eq!(out, reference::add(&m, &canonical, &product));
                out.copy_from_slice(&lazy);
                kernel.mul_small_add_assign(&m, &mut out, &small, &m.constant(c));
                let start = reference::canonical(&m, &lazy);
                assert_lazy(&m, &out, &reference::add(&m, &start, &product));
            }
        }
    });
}

#[test]
fn residues_are_centered_beside_small_integers() {
    on_every_kernel(|kernel| {
        for m in moduli(kernel).into_iter().filter(|m| m.value() % 2 == 1) {
            let small = small_integers(&m);
            let mut row = Words(m.value()).row(64, m.value());
            let edges = [0, 1, m.value() / 2, m.value() / 2 + 1, m.value() - 1];
            row.iter_mut().skip(30).zip(edges).for_each(|(word, edge)| *word = edge);
            let sums = reference::add(&m, &row, &reference::lift(&m, &small));
            let centered = reference::mul_constant_centered(&m, &sums, 1);
            kernel.center_beside_assign(&m, &mut row, &small);
            let seen = row.iter().zip(&small).map(|(&word, small)| word as i64 + small);
            assert!(seen.eq(centered), "modulo {}", m.value());
        }
    });
}

#[test]
fn small_integers_are_lifted() {
    on_every_kernel(|kernel| {
        for m in moduli(kernel) {
            let small = small_integers(&m);
            let mut out = vec![u64::MAX; 64];
            kernel.lift(&m, &mut out, &small);
            assert_eq!(out, reference::lift(&m, &small));
        }
    });
}

#[test]
fn mod_down_with_and_without_addend() {
    on_every_kernel(|kernel| {
        for m in moduli(kernel) {
            let mut words = Words(m.value());
            let [acc, addend] = [(); 2].map(|()| words.row(192, m.value()));
            let delta = words.row(192, 2 * m.value());
            let [inverse, factor] = [m.value() / 2, m.value() - 1];
            let difference = reference::sub(&m, &acc, &delta);
            let expected = reference::mul_constant(&m, &difference, inverse);
            let constants = [inverse, factor].map(|c| m.constant(c));
            let mut out = acc.clone();
            kernel.mod_down_assign(&m, &mut out, &delta, &constants[0], None);
            assert_eq!(out, expected);
            let mut out = acc.clone();
            let scaled = (&addend[..], &constants[1]);
            kernel.mod_down_assign(&m, &mut out, &delta, &constants[0], Some(scaled));
            let addend = reference::mul_constant(&m, &addend, factor);
            assert_eq!(out, reference::add(&m, &expected, &addend));
        }
    });
}

#[test]
fn permutations_gather() {
    on_every_kernel(|kernel| {
        let a = Words(1).row(128, u64::MAX);
        let indices: Vec<u32> = (0..128).map(|i| (i * 77 + 5) % 128).collect();
        let mut out = vec![0; 128];
        kernel.permute(&mut out, &a, &indices);
        assert_eq!(out, reference::permute(&a, &indices));
    });
}

#[test]
fn permuting_out_of_range_panics() {
    on_every_kernel(|kernel| {
        for index in [64, u32::MAX] {
            let mut indices = vec![0; 64];
            indices[63] = index;
            let gather = AssertUnwindSafe(|| kernel.permute(&mut [0; 64], &[0; 64], &indices));
            assert!(std::panic::catch_unwind(gather).is_err(), "index {index} was taken");
        }
    });
}

#[test]
fn unaligned_rows_are_taken() {
    on_every_kernel(|kernel| {
        let m = Modulus::new((1 << 31) - 1).unwrap();
        let mut words = Words(9);
        for offset in 1..8 {
            let [a, b] = [(); 2].map(|()| words.row(offset + 128, m.value()));
            let (a, b) = (&a[offset..], &b[offset..]);
            let mut out = vec![u64::MAX; offset + 129];
            kernel.mul(&m, &mut out[offset..offset + 128], a, b);
            assert_eq!(out[offset..offset + 128], reference::mul(&m, a, b));
            kernel.dot(&m, &mut out[offset..offset + 128], &[a, b], &[b, b]);
            assert_eq!(out[offset..offset + 128], reference::dot(&m, 128, &[a, b], &[b, b]));
            assert!(out[..offset].iter().chain(&out[offset + 128..]).all(|&w| w == u64::MAX));
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_rows_modulo_random_moduli(seed: u64, bits in 2u32..61, terms in 1usize..40) {
        on_every_kernel(|kernel| {
            let mut words = Words(seed);
            let m = Modulus::new(((1 << bits) + words.next() % (1 << bits)) | 1).unwrap();
            if !kernel.supports(&m) {
                return;
            }
            let x = words.rows(terms, 64, 2 * m.value());
            let k = words.rows(terms, 64, m.value());
            let weights = words.row(terms, m.value());
            let (x, k) = (slices(&x), slices(&k));
            let mut out = vec![0; 64];
            kernel.dot(&m, &mut out, &x, &k);
            assert_eq!(out, reference::dot(&m, 64, &x, &k));
            kernel.base_convert(&m, &mut out, &k, &weights);
            assert_lazy(&m, &out, &reference::base_convert(&m, 64, &k, &weights));
            out.copy_from_slice(k[0]);
            kernel.mul_constant_add_assign(&m, &mut out, k[0], &m.constant(weights[0]));
            let product = reference::mul_constant(&m, k[0], weights[0]);
            assert_eq!(out, reference::add(&m, k[0], &product));
        });
    }
}
