//! Tables of rows of bits whose sums (exclusive or) are computed.

use crate::{AlignedRow, Row};
use std::fmt;

/// Words of a row that can be packed: sixteen registers of 512 bits.
pub(crate) const PACKED_WORDS: usize = 128;

/// Rows of bits of equal length, in the form from which a kernel sums them fastest. Made by
/// [`crate::BitKernel::table`].
///
/// Sums of rows from a table larger than the first cache levels are limited by memory, so a kernel
/// that can expand bytes also keeps sparse rows in a packed form. The rows are public.
pub struct BitTable {
    rows: Row,
    row_len: usize,
    packed: Option<PackedRows>,
}

/// Rows of 128 words with few nonzero bytes, each stored as a bit mask of its nonzero bytes
/// followed by these bytes. With 192 ones among 8192 bits this takes 320 bytes instead of 1024.
#[derive(Clone)]
pub struct PackedRows {
    /// Row `i` starts at `i * stride`; a spare line follows the last row, so that a whole line can
    /// be read from any position within a row.
    pub(crate) bytes: AlignedRow<u8>,
    /// Distance between rows in bytes, a multiple of the cache line.
    pub(crate) stride: usize,
}

impl BitTable {
    /// Makes the table of `rows`, of `row_len` words each, and of their packed form.
    pub(crate) fn new(rows: Row, row_len: usize, packed: Option<PackedRows>) -> Self {
        assert!(rows.len().is_multiple_of(row_len), "the last row is not complete");
        Self { rows, row_len, packed }
    }

    /// Returns all rows, one after the other.
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// Returns the number of words in a row.
    pub(crate) fn row_len(&self) -> usize {
        self.row_len
    }

    /// Returns the packed form, if the kernel of the table made one.
    pub fn packed(&self) -> Option<&PackedRows> {
        self.packed.as_ref()
    }
}

/// Prints the shape only.
impl fmt::Debug for BitTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, row_len, packed } = self;
        f.debug_struct("BitTable")
            .field("rows", &(rows.len() / row_len))
            .field("row_len", row_len)
            .field("packed", &packed.is_some())
            .finish()
    }
}

/// Prints the length of a row only.
impl fmt::Debug for PackedRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PackedRows").field("stride", &self.stride).finish_non_exhaustive()
    }
}
