//! Operations on bits in plain loops, which the compiler vectorises when the caller has enabled an
//! instruction set. AES is from a crate that detects the CPU's instructions (VAES, AES-NI, or
//! constant-time bitslicing) by itself.

use crate::bits::{MASK_WORDS, MAX_PARITIES};
use crate::{BitTable, CounterMessage};
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
use aes::{Aes256, Block};
use zeroize::Zeroize;

/// Bytes of a word, of a block of AES and of a row of [`masked_parities`].
const WORD: usize = 8;
const BLOCK: usize = 16;
const ROW: usize = (MASK_WORDS + 1) * WORD;

/// Number of blocks passed to the cipher at a time: a multiple of its internal parallelism.
const BATCH: usize = 64;

/// Number of keystream blocks between two maskings; they fit in the first-level cache.
const FILL: usize = 8 * BATCH;

/// Number of blocks for the part of a row that is left over from the previous filling.
const CARRY: usize = ROW.div_ceil(BLOCK);

/// See [`crate::BitKernel::aes256_stream`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn aes256_stream(key: &[u8; 32], counter: u64, out: &mut [u64]) {
    let mut stream = Stream::new(key, counter);
    let mut blocks = [Block::default(); BATCH];
    for words in out.chunks_mut(BATCH * BLOCK / WORD) {
        let blocks = &mut blocks[..words.len().div_ceil(2)];
        stream.fill(blocks);
        let bytes = Array::slice_as_flattened(blocks);
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<WORD>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
    }
    Array::slice_as_flattened_mut(&mut blocks).zeroize();
}

/// See [`crate::BitKernel::masked_parities`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn masked_parities(
    key: &[u8; 32],
    counter: u64,
    mask: &[u64; MASK_WORDS],
    tails: &mut [u64],
) -> u128 {
    assert!(tails.len() <= MAX_PARITIES, "too many rows");
    let mut stream = Stream::new(key, counter);
    let mut blocks = [Block::default(); CARRY + FILL];
    let (mut parities, mut done, mut carried) = (0, 0, 0);
    while done < tails.len() {
        let missing = (tails.len() - done) * ROW - carried;
        let filled = missing.div_ceil(BLOCK).next_multiple_of(BATCH).min(FILL);
        stream.fill(&mut blocks[CARRY..CARRY + filled]);
        let bytes = &mut Array::slice_as_flattened_mut(&mut blocks)[..(CARRY + filled) * BLOCK];
        let (rows, rest) = bytes[CARRY * BLOCK - carried..].as_chunks::<ROW>();
        for (row, tail) in rows.iter().zip(&mut tails[done..]) {
            let (words, _) = row.as_chunks::<WORD>();
            parities |= u128::from(masked_parity(words, mask)) << done;
            *tail = u64::from_le_bytes(words[MASK_WORDS]);
            done += 1;
        }
        carried = rest.len();
        let end = bytes.len();
        bytes.copy_within(end - carried.., CARRY * BLOCK - carried);
    }
    Array::slice_as_flattened_mut(&mut blocks).zeroize();
    parities
}

/// Returns the parity of the words under the mask.
#[cfg_attr(optimized, inline(always))]
fn masked_parity(words: &[[u8; WORD]], mask: &[u64; MASK_WORDS]) -> u32 {
    let masked = words.iter().zip(mask).map(|(word, mask)| u64::from_le_bytes(*word) & mask);
    masked.fold(0, |sum, word| sum ^ word).count_ones() & 1
}

/// The keystream of a key.
struct Stream {
    cipher: Aes256,
    counter: u64,
}

impl Stream {
    fn new(key: &[u8; 32], counter: u64) -> Self {
        Self { cipher: Aes256::new(&Array::from(*key)), counter }
    }

    /// Writes the next blocks of the keystream.
    #[cfg_attr(optimized, inline(always))]
    fn fill(&mut self, blocks: &mut [Block]) {
        for (i, block) in blocks.iter_mut().enumerate() {
            let number = u128::from(self.counter.wrapping_add(i as u64));
            *block = Array::from(number.to_le_bytes());
        }
        self.counter = self.counter.wrapping_add(blocks.len() as u64);
        self.cipher.encrypt_blocks(blocks);
    }
}

/// Computes [`crate::BitKernel::sha256_counters`] one digest after the other, with the CPU's
/// instructions for SHA-256 if it has them.
pub(crate) fn sha256_counters(message: &CounterMessage, first: u64, digests: &mut [[u64; 4]]) {
    for (number, digest) in (first..).zip(digests) {
        *digest = message.digest(number);
    }
}

/// Number of rows to prefetch ahead of the row being added: rows are anywhere in a table larger
/// than the first cache levels, so that each access would otherwise wait for memory.
const AHEAD: usize = 8;

/// Words of a cache line.
const LINE: usize = 8;

/// Computes [`crate::BitKernel::xor_rows`]; `prefetch` prefetches the cache line of a word.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn xor_rows(
    acc: &mut [u64],
    table: &BitTable,
    indices: &[u32],
    prefetch: impl Fn(&u64),
) {
    let len = table.row_len();
    assert_eq!(acc.len(), len, "the sum has the length of a row");
    let row = |index: u32| &table.rows()[index as usize * len..][..len];
    let fetch = |index: &u32| row(*index).iter().step_by(LINE).for_each(&prefetch);
    indices.iter().take(AHEAD).for_each(fetch);
    for (i, &index) in indices.iter().enumerate() {
        indices.get(i + AHEAD).into_iter().for_each(fetch);
        for (acc, word) in acc.iter_mut().zip(row(index)) {
            *acc ^= word;
        }
    }
}

/// Computes [`crate::BitKernel::carryless_low`] by integer products of numbers whose bits are five
/// apart, so that sums of at most 13 of them do not carry into the next bit.
pub(crate) fn carryless_low(a: u128, b: u128) -> u128 {
    let [a0, a1, b0, b1] = [a as u64, (a >> 64) as u64, b as u64, (b >> 64) as u64];
    let middle = carryless_product(a0, b1) ^ carryless_product(a1, b0);
    carryless_product(a0, b0) ^ middle << 64
}

/// Returns the carry-less product of two polynomials of 64 coefficients.
fn carryless_product(a: u64, b: u64) -> u128 {
    const STRIDE: usize = 5;
    /// Mask of the bits 0, 5, 10, ...
    const EVERY_FIFTH: u128 = (((1 << 125) - 1) / 31) | (1 << 125);
    let holes = |x: u64, i: usize| u128::from(x) & (EVERY_FIFTH << i);
    let mut product = 0;
    for i in 0..STRIDE {
        for j in 0..STRIDE {
            let sums = holes(a, i).wrapping_mul(holes(b, j));
            let at = (i + j) % STRIDE;
            product ^= sums & (EVERY_FIFTH << at);
        }
    }
    product
}
