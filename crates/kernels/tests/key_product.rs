//! Key switching: transforms of digits and their products with a key agree with the oracle.
#![allow(clippy::unwrap_used, reason = "a failure here fails the test")]

use crate::common::{Words, moduli, on_every_kernel, prime_below, primes, slices};
use fathom_kernels::{Digit, Kernel, KeyRow, Modulus, NttTable, reference};

/// Returns, modulo `m`, the integers that are given increased by `(p - 1) / 2`.
fn centered(m: &Modulus, p: &Modulus, excess: &[u64]) -> Vec<u64> {
    let half = (p.value() / 2) as i64;
    excess.iter().map(|&x| m.from_signed(x as i64 - half)).collect()
}

/// Both halves of a key, all of one row at its maximum.
fn random_key(words: &mut Words, digits: usize, degree: usize, q: u64) -> [Vec<Vec<u64>>; 2] {
    [(); 2].map(|()| {
        let mut rows = words.rows(digits, degree, q);
        rows.iter_mut().take(1).for_each(|row| row.fill(q - 1));
        rows
    })
}

/// The key in words of 8 bytes, and packed.
fn key_rows(modulus: &Modulus, [b, a]: &[Vec<Vec<u64>>; 2]) -> [KeyRow; 2] {
    let pairs: Vec<[&[u64]; 2]> = b.iter().zip(a).map(|(b, a)| [&b[..], &a[..]]).collect();
    [KeyRow::new(&pairs), KeyRow::packed(modulus, &pairs)]
}

/// A digit of each kind in turn, and its values.
fn check(
    kernel: &'static dyn Kernel,
    modulus: Modulus,
    source: &Modulus,
    degree: usize,
    count: usize,
) {
    let q = modulus.value();
    let table = NttTable::new(modulus, degree, kernel).unwrap();
    let mut words = Words(q ^ count as u64);
    let key = random_key(&mut words, count + 1, degree, q);
    let rows: Vec<Vec<u64>> = (0..count)
        .map(|g| words.row(degree, if g % 3 == 2 { source.value() } else { 2 * q }))
        .collect();
    let values: Vec<Vec<u64>> = rows
        .iter()
        .enumerate()
        .map(|(g, row)| match g % 3 {
            0 => reference::canonical(&modulus, row),
            1 => reference::ntt(&modulus, table.root(), row),
            _ => reference::ntt(&modulus, table.root(), &centered(&modulus, source, row)),
        })
        .collect();
    let values = slices(&values);
    let expected = [0, 1].map(|half| {
        let half: &[Vec<u64>] = &key[half][..count];
        reference::dot(&modulus, degree, &values, &slices(half))
    });
    for key in key_rows(&modulus, &key) {
        let (mut rows, mut room) = (rows.clone(), vec![u64::MAX; count * degree]);
        let mut digits: Vec<Digit<'_>> = rows
            .iter_mut()
            .zip(room.chunks_exact_mut(degree))
            .enumerate()
            .map(|(g, (row, room))| match g % 3 {
                0 => Digit::Values(row),
                1 => Digit::Coefficients(row),
                _ => Digit::Excess { row, modulus: source, room },
            })
            .collect();
        let mut out = [(); 2].map(|()| vec![u64::MAX; degree]);
        let [out0, out1] = &mut out;
        kernel.key_product(&table, [out0, out1], &mut digits, &key);
        assert_eq!(out, expected, "{count} digits modulo {q}, residues modulo {}", source.value());
    }
}

/// Primes at the top of every range and of every number of bytes of a key's words.
fn key_primes(kernel: &dyn Kernel, degree: usize) -> Vec<Modulus> {
    let mut all = primes(kernel, degree);
    all.extend([32, 33, 40, 41].map(|bits| prime_below(1 << bits, degree)));
    all
}

#[test]
fn digits_of_every_kind_and_number_are_transformed_and_multiplied() {
    on_every_kernel(|kernel| {
        for modulus in key_primes(kernel, 128) {
            for source in moduli(kernel) {
                check(kernel, modulus, &source, 128, 6);
            }
            for count in [0, 1, 2, 3, 4, 5, 9, 31, 32, 34, 70] {
                check(kernel, modulus, &modulus, 64, count);
            }
        }
        for modulus in key_primes(kernel, 512) {
            check(kernel, modulus, &modulus, 512, 5);
        }
    });
}

#[test]
fn centered_representatives_are_transformed() {
    on_every_kernel(|kernel| {
        for degree in [64, 128, 256, 512, 1024] {
            for modulus in primes(kernel, degree) {
                let table = NttTable::new(modulus, degree, kernel).unwrap();
                for source in moduli(kernel) {
                    let residues = Words(degree as u64).row(degree, source.value());
                    let mut out = vec![u64::MAX; degree];
                    kernel.ntt_forward_centered(&table, &mut out, &residues, &source);
                    assert!(out.iter().all(|&word| word < 2 * modulus.value()));
                    let mut expected = centered(&modulus, &source, &residues);
                    kernel.ntt_forward(&table, &mut expected);
                    assert_eq!(reference::canonical(&modulus, &out), expected);
                }
            }
        }
    });
}

#[test]
fn a_key_gives_back_its_halves_and_takes_as_few_bytes_as_its_words() {
    // The largest and smallest moduli of every number of bytes.
    let widths = [(3, 4), ((1 << 32) - 5, 4), ((1 << 32) + 15, 5), ((1 << 40) - 87, 5)];
    let more = [((1 << 40) + 15, 6), ((1 << 48) - 59, 6), ((1 << 48) + 21, 8), ((1 << 61) - 1, 8)];
    for (q, bytes) in widths.into_iter().chain(more) {
        let modulus = Modulus::new(q).unwrap();
        let key = random_key(&mut Words(3), 5, 192, q);
        for (row, bytes) in key_rows(&modulus, &key).into_iter().zip([8, bytes]) {
            assert_eq!((row.digits(), row.degree()), (5, 192));
            assert_eq!(row.bytes(), 2 * 5 * 192 * bytes);
            let mut out = vec![0; 192];
            for (half, rows) in key.iter().enumerate() {
                for (digit, expected) in rows.iter().enumerate() {
                    row.copy_half(digit, half, &mut out);
                    assert_eq!(out, *expected);
                }
            }
        }
    }
}
