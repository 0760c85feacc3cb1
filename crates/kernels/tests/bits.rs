//! The operations on bits: every kernel against definitions and published answers.

use fathom_kernels::{BitKernel, CounterMessage, MASK_WORDS, Row, available_bits, reference};
use proptest::prelude::*;
use sha2::{Digest, Sha256};

/// Runs a law on every kernel of this CPU.
fn on_every_kernel(law: impl Fn(&'static dyn BitKernel)) {
    for kernel in available_bits() {
        println!("kernel {}", kernel.name());
        law(kernel);
    }
}

/// The words of `bytes`.
fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect()
}

/// The zero block under the last and the first key of NIST's variable-key vectors (AESAVS).
#[test]
fn aes_gives_the_answers_of_aesavs() {
    let mut key = [0xff; 32];
    let expected = 0x4bf8_5f1b_5d54_adbc_307b_0a04_8389_adcb_u128;
    on_every_kernel(|kernel| {
        let mut block = [0; 2];
        kernel.aes256_stream(&key, 0, &mut block);
        assert_eq!(block, *words(&expected.to_be_bytes()));
    });
    key = [0; 32];
    key[0] = 0x80;
    let expected = 0xe35a_6dcb_19b2_01a0_1ebc_fa8a_a22b_5759_u128;
    on_every_kernel(|kernel| {
        let mut block = [0; 2];
        kernel.aes256_stream(&key, 0, &mut block);
        assert_eq!(block, *words(&expected.to_be_bytes()));
    });
}

/// A stream may be read in pieces, from any block on, and its counter wraps.
#[test]
fn a_stream_can_be_entered_anywhere() {
    let key = std::array::from_fn(|i| i as u8);
    on_every_kernel(|kernel| {
        let mut whole = vec![0; 1000];
        kernel.aes256_stream(&key, u64::MAX - 100, &mut whole);
        for (block, len) in [(0, 1000), (1, 3), (63, 129), (101, 64), (102, 7)] {
            let mut part = vec![0; len.min(1000 - 2 * block)];
            kernel.aes256_stream(&key, (u64::MAX - 100).wrapping_add(block as u64), &mut part);
            assert_eq!(part, whole[2 * block..][..part.len()]);
        }
    });
}

#[test]
fn parities_are_those_of_the_masked_rows_of_the_stream() {
    let key = std::array::from_fn(|i| 7 * i as u8);
    let mask: [u64; MASK_WORDS] =
        std::array::from_fn(|i| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    on_every_kernel(|kernel| {
        for rows in [0, 1, 2, 15, 16, 31, 32, 126, 127, 128] {
            let mut stream = vec![0; 65 * rows];
            kernel.aes256_stream(&key, 5, &mut stream);
            let mut tails = vec![0; rows];
            let parities = kernel.masked_parities(&key, 5, &mask, &mut tails);
            let expected = reference::masked_parities(&stream, &mask);
            assert_eq!((parities, tails), expected, "{rows} rows");
        }
    });
}

#[test]
fn digests_are_those_of_the_filled_messages() {
    on_every_kernel(|kernel| {
        // Every alignment of the number, across blocks and before blocks that do not hold it.
        for (len, offset) in [(8, 0), (62, 38), (62, 54), (79, 71), (130, 3), (200, 57), (119, 62)]
            .into_iter()
            .chain((60..70).map(|offset| (150, offset)))
        {
            let mut message: Vec<u8> = (0..len).map(|i| i as u8).collect();
            let prepared = CounterMessage::new(&message, offset);
            for (first, count) in [(0, 33), (u64::from(u32::MAX) - 3, 16), (1 << 40, 1)] {
                let mut digests = vec![[0; 4]; count];
                kernel.sha256_counters(&prepared, first, &mut digests);
                for (number, digest) in (first..).zip(&digests) {
                    message[offset..][..8].copy_from_slice(&number.to_le_bytes());
                    assert_eq!(digest[..], words(&Sha256::digest(&message)), "{len} {offset}");
                }
            }
        }
    });
}

/// Rows of `len` words in which `ones` draws set bits.
fn sparse_rows(rows: u64, len: usize, ones: usize) -> Row {
    let mut words = Row::zeroed(rows as usize * len);
    let mut draw = 1u64;
    for row in words.chunks_mut(len) {
        for _ in 0..ones {
            draw = draw.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let bit = (draw >> 33) as usize % (64 * len);
            row[bit / 64] |= 1 << (bit % 64);
        }
    }
    words
}

/// Tables that kernels may pack and tables that they do not, made by each kernel for each other.
#[test]
fn sums_of_rows_are_those_of_the_rows() {
    for (len, ones) in [(1, 9), (7, 100), (127, 192), (128, 0), (128, 192), (128, 384), (128, 9999)]
    {
        let rows = sparse_rows(50, len, ones);
        let indices: Vec<u32> = [3, 49, 0, 3, 7, 7, 7].into_iter().chain(10..40).collect();
        let sum = |i: usize| indices.iter().fold(1, |sum, &j| sum ^ rows[j as usize * len + i]);
        let expected: Vec<u64> = (0..len).map(sum).collect();
        on_every_kernel(|kernel| {
            let table = kernel.table(rows.clone(), len);
            assert_eq!(table.rows(), &*rows);
            for kernel in available_bits() {
                let mut acc = vec![1; len];
                kernel.xor_rows(&mut acc, &table, &indices);
                assert_eq!(acc, expected, "{len} words, {ones} ones");
            }
        });
    }
}

/// A row of zeros alone, one that is full in places, and one whose ones are all at its end.
#[test]
fn uneven_rows_are_summed_too() {
    let mut rows = Row::zeroed(4 * 128);
    rows[128..128 + 16].fill(u64::MAX);
    rows[3 * 128 - 16..3 * 128].fill(u64::MAX);
    rows[4 * 128 - 1] = 1 << 63;
    on_every_kernel(|kernel| {
        let table = kernel.table(rows.clone(), 128);
        for row in 0..4 {
            let mut acc = vec![0; 128];
            kernel.xor_rows(&mut acc, &table, &[row]);
            assert_eq!(acc, rows[128 * row as usize..][..128]);
        }
    });
}

#[test]
#[should_panic(expected = "range")]
fn rows_out_of_range_are_refused() {
    let kernel = available_bits()[0];
    let table = kernel.table(sparse_rows(4, 128, 192), 128);
    kernel.xor_rows(&mut [0; 128], &table, &[4]);
}

proptest! {
    #[test]
    fn carryless_products_are_those_of_the_definition(a: u128, b: u128) {
        for kernel in available_bits() {
            prop_assert_eq!(kernel.carryless_low(a, b), reference::carryless_low(a, b));
        }
    }
}

#[test]
fn carryless_products_of_dense_polynomials() {
    for (a, b) in [(u128::MAX, u128::MAX), (1, u128::MAX), (u128::MAX, 1 << 127), (0, u128::MAX)] {
        on_every_kernel(|kernel| {
            assert_eq!(kernel.carryless_low(a, b), reference::carryless_low(a, b));
        });
    }
}
