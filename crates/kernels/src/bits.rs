//! Operations on rows of bits: keystreams, parities, carry-less products, hashes.
//!
//! A row of bits is a row of words; bit `i` is bit `i mod 64` of word `i / 64`. Results are
//! bit-identical for every kernel. No operation has a branch or an index that depends on the
//! contents of a key, a mask or a row.

use crate::bit_table::PACKED_WORDS;
use crate::{BitTable, CounterMessage, PackedRows, Row};
use std::fmt::Debug;

/// Number of words that [`BitKernel::masked_parities`] masks in each row.
pub const MASK_WORDS: usize = 64;

/// Largest number of rows in a call of [`BitKernel::masked_parities`].
pub(crate) const MAX_PARITIES: usize = 128;

/// Operations on bits for one instruction set.
///
/// A value of an implementing type is proof that the CPU can run it. The names are those of
/// [`crate::Kernel`]; `ifma` has no operations on bits of its own and stands for `avx512` here.
pub trait BitKernel: Debug + Send + Sync + 'static {
    /// Returns the stable name, as in `FATHOM_KERNEL=<name>` and in bench ids: `portable`, `avx2`,
    /// `avx512`.
    fn name(&self) -> &'static str;

    /// Writes the keystream of AES-256 (FIPS 197) to `out`: block `i` is the encryption of
    /// `counter + i mod 2^64` as 8 little-endian bytes followed by 8 zero bytes, read as two
    /// little-endian words.
    fn aes256_stream(&self, key: &[u8; 32], counter: u64, out: &mut [u64]);

    /// Computes masked parities of the keystream of [`BitKernel::aes256_stream`], cut into
    /// `tails.len()` rows of 65 words: bit `r` of the result is the parity of the first 64 words of
    /// row `r` under `mask`; `tails[r]` is its last word. At most 128 rows; the bits
    /// above are zero.
    fn masked_parities(
        &self,
        key: &[u8; 32],
        counter: u64,
        mask: &[u64; MASK_WORDS],
        tails: &mut [u64],
    ) -> u128;

    /// Returns coefficients 0 to 127 of the product of two polynomials over GF(2); coefficient `i`
    /// is bit `i`.
    fn carryless_low(&self, a: u128, b: u128) -> u128;

    /// Writes to `digests[i]` the SHA-256 digest (FIPS 180-4) of the message with the number
    /// `first + i`, as four little-endian words. `first + digests.len()` must be at most `2^64`.
    fn sha256_counters(&self, message: &CounterMessage, first: u64, digests: &mut [[u64; 4]]);

    /// Computes `acc ^= sum_j table[indices[j]]` (exclusive or). The indices are public. Panics
    /// unless `acc` is as long as a row and all indices are in range.
    fn xor_rows(&self, acc: &mut [u64], table: &BitTable, indices: &[u32]);

    /// Returns the table of `rows`, of `row_len` words each, in the form that this kernel sums
    /// fastest. Other kernels can sum it too, possibly more slowly.
    ///
    /// # Panics
    /// If `row_len` does not divide the number of words.
    fn table(&self, rows: Row, row_len: usize) -> BitTable {
        let packed = if row_len == PACKED_WORDS { self.pack(&rows) } else { None };
        BitTable::new(rows, row_len, packed)
    }

    /// Packs rows of 128 words each into a form that [`BitKernel::xor_rows`] sums faster; `None` if
    /// this kernel has no such form or if it is not less than half as long.
    fn pack(&self, rows: &[u64]) -> Option<PackedRows> {
        let _ = rows;
        None
    }
}
