//! The transforms of every kernel against their definition and against each other.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common::{W46_MAX, Words, on_every_kernel, prime_below, primes};
use fathom_kernels::{InverseScale, Kernel, Modulus, NttTable, available, order, reference};

fn table(m: Modulus, degree: usize, kernel: &'static dyn Kernel) -> NttTable {
    NttTable::new(m, degree, kernel).unwrap()
}

fn forward(kernel: &dyn Kernel, table: &NttTable, row: &[u64]) -> Vec<u64> {
    let mut out = row.to_vec();
    kernel.ntt_forward(table, &mut out);
    out
}

fn inverse(kernel: &dyn Kernel, table: &NttTable, row: &[u64], scale: &InverseScale) -> Vec<u64> {
    let mut out = row.to_vec();
    kernel.ntt_inverse(table, &mut out, scale);
    out
}

/// Rows at the extremes of the lazy range, and mixed ones.
fn lazy_rows(m: &Modulus, degree: usize) -> Vec<Vec<u64>> {
    let q = m.value();
    let mut rows: Vec<_> =
        [0, 1, q - 1, q, 2 * q - 1].into_iter().map(|word| vec![word; degree]).collect();
    rows.push((0..degree).map(|i| if i < degree / 2 { 0 } else { 2 * q - 1 }).collect());
    rows.push((0..degree).map(|i| if i % 2 == 0 { 2 * q - 1 } else { 0 }).collect());
    rows.push(Words(degree as u64).row(degree, 2 * q));
    rows
}

#[test]
fn forward_evaluates_at_the_odd_powers_of_the_root_in_the_fixed_order() {
    on_every_kernel(|kernel| {
        for degree in [64, 128, 256, 512] {
            for m in primes(kernel, degree) {
                let table = table(m, degree, kernel);
                for row in lazy_rows(&m, degree) {
                    assert_eq!(
                        forward(kernel, &table, &row),
                        reference::ntt(&m, table.root(), &row)
                    );
                }
            }
        }
    });
}

/// Both signs, up to the greatest magnitude that `kernel` takes.
fn integers(kernel: &dyn Kernel, words: &mut Words, degree: usize) -> Vec<i64> {
    let bound = if kernel.name() == "portable" { 1 << 61 } else { W46_MAX };
    let mut integers: Vec<i64> = words
        .row(degree, 2 * bound - 1)
        .iter()
        .map(|&word| word as i64 - bound as i64 + 1)
        .collect();
    let largest = bound as i64 - 1;
    integers[..3].copy_from_slice(&[0, largest, -largest]);
    integers[degree / 2..][..3].copy_from_slice(&[largest, -1, -largest]);
    integers
}

#[test]
fn forward_of_integers_times_a_constant() {
    on_every_kernel(|kernel| {
        for degree in [64, 128, 256, 512, 1024, 4096] {
            for m in primes(kernel, degree) {
                let (table, q) = (table(m, degree, kernel), m.value());
                let mut words = Words(degree as u64);
                let integers = integers(kernel, &mut words, degree);
                let small: Vec<i64> = words
                    .row(degree, 2 * q - 1)
                    .iter()
                    .map(|&word| word as i64 - q as i64 + 1)
                    .collect();
                let residues: Vec<u64> =
                    integers.iter().map(|x| x.rem_euclid(q as i64) as u64).collect();
                for c in [0, 1, q - 1, words.next() % q] {
                    let product = reference::mul_constant(&m, &residues, c);
                    let sum = reference::add(&m, &product, &reference::lift(&m, &small));
                    for (addend, expected) in [(None, product), (Some(&small[..]), sum)] {
                        let mut out = vec![u64::MAX; degree];
                        let factor = m.constant(c);
                        kernel.ntt_forward_scaled(&table, &mut out, &integers, &factor, addend);
                        assert!(out.iter().all(|&word| word < 2 * q), "a word is not lazy");
                        assert_eq!(
                            reference::canonical(&m, &out),
                            forward(kernel, &table, &expected)
                        );
                    }
                }
            }
        }
    });
}

#[test]
fn inverse_undoes_forward_and_multiplies_at_every_degree() {
    on_every_kernel(|kernel| {
        for degree in (6..=14).chain([16, 17]).map(|levels| 1 << levels) {
            for m in primes(kernel, degree) {
                let table = table(m, degree, kernel);
                for row in lazy_rows(&m, degree) {
                    let transformed = forward(kernel, &table, &row);
                    let back = inverse(kernel, &table, &transformed, &table.plain_inverse_scale());
                    assert_eq!(back, reference::canonical(&m, &row), "degree {degree}, {m:?}");
                    let factor = m.value() - 2;
                    let scaled =
                        inverse(kernel, &table, &transformed, &table.inverse_scale(factor));
                    assert_eq!(scaled, reference::mul_constant(&m, &row, factor));
                }
            }
        }
    });
}

#[test]
fn inverse_takes_lazy_words() {
    on_every_kernel(|kernel| {
        for degree in [64, 256, 1024, 4096, 8192] {
            for m in primes(kernel, degree) {
                let table = table(m, degree, kernel);
                let scale = table.plain_inverse_scale();
                for row in lazy_rows(&m, degree) {
                    let canonical = reference::canonical(&m, &row);
                    let expected = inverse(kernel, &table, &canonical, &scale);
                    assert_eq!(inverse(kernel, &table, &row, &scale), expected);
                    assert_eq!(forward(kernel, &table, &expected), canonical);
                }
            }
        }
    });
}

#[test]
fn lazy_forward_is_below_twice_the_modulus_and_congruent() {
    on_every_kernel(|kernel| {
        for degree in (6..=14).map(|levels| 1 << levels) {
            for m in primes(kernel, degree) {
                let table = table(m, degree, kernel);
                for row in lazy_rows(&m, degree) {
                    let mut lazy = row.clone();
                    kernel.ntt_forward_lazy(&table, &mut lazy);
                    assert!(lazy.iter().all(|&word| word < 2 * m.value()));
                    assert_eq!(reference::canonical(&m, &lazy), forward(kernel, &table, &row));
                }
            }
        }
    });
}

#[test]
fn canonical_transforms_are_the_same_on_every_kernel() {
    for degree in (6..=14).chain([16]).map(|levels| 1 << levels) {
        for bound in [1 << 31, W46_MAX] {
            let m = prime_below(bound, degree);
            let row = Words(7).row(degree, 2 * m.value());
            let transform = |kernel| {
                let table = table(m, degree, kernel);
                let scale = table.inverse_scale(3);
                (forward(kernel, &table, &row), inverse(kernel, &table, &row, &scale))
            };
            let mut kernels = available().into_iter();
            let first = transform(kernels.next().unwrap());
            for kernel in kernels {
                assert!(transform(kernel) == first, "{} at degree {degree}", kernel.name());
            }
        }
    }
}

#[test]
fn transforms_of_unaligned_rows_are_right() {
    on_every_kernel(|kernel| {
        let m = prime_below(W46_MAX, 1024);
        let table = table(m, 1024, kernel);
        let row = Words(3).row(1024, m.value());
        let expected = forward(kernel, &table, &row);
        for offset in 1..8 {
            let mut buffer = vec![u64::MAX; 1024 + 16];
            buffer[offset..offset + 1024].copy_from_slice(&row);
            kernel.ntt_forward(&table, &mut buffer[offset..offset + 1024]);
            assert_eq!(buffer[offset..offset + 1024], expected);
            let scale = table.plain_inverse_scale();
            kernel.ntt_inverse(&table, &mut buffer[offset..offset + 1024], &scale);
            assert_eq!(buffer[offset..offset + 1024], row);
            assert!(
                buffer[..offset].iter().chain(&buffer[offset + 1024..]).all(|&w| w == u64::MAX)
            );
        }
    });
}

#[test]
fn the_inverse_in_excess_gives_centered_representatives() {
    on_every_kernel(|kernel| {
        for degree in [64, 128, 256, 512, 1024, 4096] {
            for m in primes(kernel, degree) {
                let (table, half) = (table(m, degree, kernel), (m.value() / 2) as i64);
                for constant in [1, 3] {
                    let scale = table.inverse_scale(constant);
                    for row in lazy_rows(&m, degree) {
                        let mut out = vec![u64::MAX; degree];
                        kernel.ntt_inverse_excess(&table, &mut out, &row, &scale);
                        let integers = out.iter().map(|&word| word as i64 - half);
                        let residues = inverse(kernel, &table, &row, &scale);
                        assert!(integers.eq(residues.iter().map(|&word| m.to_signed(word))));
                    }
                }
            }
        }
    });
}

#[test]
fn pointwise_products_of_transforms_are_negacyclic_products() {
    on_every_kernel(|kernel| {
        for degree in [64, 256, 1024] {
            for m in primes(kernel, degree) {
                let table = table(m, degree, kernel);
                let mut words = Words(11);
                let [a, b] = [(); 2].map(|()| words.row(degree, m.value()));
                let mut product = forward(kernel, &table, &a);
                kernel.mul_assign(&m, &mut product, &forward(kernel, &table, &b));
                let product = inverse(kernel, &table, &product, &table.plain_inverse_scale());
                assert_eq!(product, reference::negacyclic_product(&m, &a, &b));
            }
        }
    });
}

#[test]
fn permuting_a_transform_is_the_automorphism_of_the_polynomial() {
    on_every_kernel(|kernel| {
        for degree in [64, 128, 1024] {
            let m = prime_below(1 << 31, degree);
            let table = table(m, degree, kernel);
            let row = Words(5).row(degree, m.value());
            let transformed = forward(kernel, &table, &row);
            for galois in [1, 3, 5, degree + 1, 2 * degree - 1, 2 * degree + 3] {
                let indices = order::automorphism_indices(degree, galois);
                let mut permuted = vec![0; degree];
                kernel.permute(&mut permuted, &transformed, &indices);
                let expected = forward(kernel, &table, &reference::automorphism(&m, &row, galois));
                assert_eq!(permuted, expected, "degree {degree}, galois {galois}");
            }
        }
    });
}

#[test]
#[should_panic(expected = "laid out for another kernel")]
fn a_table_of_another_form_is_refused() {
    let kernels = available();
    let (table, form) = (table(prime_below(1 << 31, 64), 64, kernels[0]), kernels[0].form());
    let other = kernels.into_iter().find(|kernel| kernel.form() != form);
    match other {
        Some(other) => other.ntt_forward(&table, &mut [0; 64]),
        None => panic!("laid out for another kernel: not testable with one kernel"),
    }
}
