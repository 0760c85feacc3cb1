//! The contract of operations on rows of bits: keystreams, parities, carry-less products, hashes.
//!
//! A row of bits is a row of words; bit `i` is bit `i mod 64` of word `i / 64`. Results are
//! bit-identical for every kernel. No operation has a branch or an index that depends on the
//! content of a key, a mask or a row.

use crate::{BitTable, CounterMessage, PackedRows};
use std::fmt::Debug;

/// Words of a row that [`BitKernel::masked_parities`] masks.
pub const MASK_WORDS: usize = 64;

/// Most rows that one call of [`BitKernel::masked_parities`] takes.
pub const MAX_PARITIES: usize = 128;

/// Operations on bits for one instruction set.
///
/// A value of an implementing type is proof that the CPU can run it. The names are those of
/// [`crate::Kernel`]; `ifma` has no operations on bits of its own and stands for `avx512` here.
pub trait BitKernel: Debug + Send + Sync + 'static {
    /// Stable name, as in `FATHOM_KERNEL=<name>` and in bench ids: `portable`, `avx2`, `avx512`.
    fn name(&self) -> &'static str;

    /// The keystream of AES-256 (FIPS 197): block `i` is the encryption of `counter + i mod 2^64`
    /// as 8 little-endian bytes followed by 8 zero bytes, read as two little-endian words.
    fn aes256_stream(&self, key: &[u8; 32], counter: u64, out: &mut [u64]);

    /// Cuts the keystream of [`BitKernel::aes256_stream`] into `tails.len()` rows of 65 words. Bit
    /// `r` of the result is the parity of the first 64 words of row `r` under `mask`; `tails[r]` is
    /// its last word. At most [`MAX_PARITIES`] rows; the bits above are zero.
    fn masked_parities(
        &self,
        key: &[u8; 32],
        counter: u64,
        mask: &[u64; MASK_WORDS],
        tails: &mut [u64],
    ) -> u128;

    /// Coefficients 0 to 127 of the product of two polynomials over GF(2), coefficient `i` being
    /// bit `i`.
    fn carryless_low(&self, a: u128, b: u128) -> u128;

    /// `digests[i]` is the SHA-256 digest (FIPS 180-4) of the message with the number `first + i`,
    /// as four little-endian words. `first + digests.len()` does not pass `2^64`.
    fn sha256_counters(&self, message: &CounterMessage, first: u64, digests: &mut [[u64; 4]]);

    /// `acc ^ sum_j table[indices[j]]` into `acc`. Panics unless `acc` is as long as a row and all
    /// indices are in range. The indices are public.
    fn xor_rows(&self, acc: &mut [u64], table: &BitTable, indices: &[u32]);

    /// A form of `rows`, of 128 words each, from which [`BitKernel::xor_rows`] sums them up faster,
    /// if this kernel has one and it is less than half as long.
    fn pack(&self, rows: &[u64]) -> Option<PackedRows> {
        let _ = rows;
        None
    }
}
