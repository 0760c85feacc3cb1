//! Tables of rows of bits that are added up.

use crate::{AlignedRow, BitKernel, Row};
use std::fmt;

/// Words of a row that is packed: sixteen registers of 512 bits.
pub(crate) const PACKED_WORDS: usize = 128;

/// Rows of bits of one length, in the form from which a kernel adds them up fastest.
///
/// Sums of rows from all over a table that does not fit the nearer caches wait for memory, so a
/// kernel that can expand bytes keeps sparse rows in a packed form as well. The rows are public.
pub struct BitTable {
    rows: Row,
    row_len: usize,
    packed: Option<PackedRows>,
}

/// Rows of 128 words with few bytes other than zero: of each row a bit for every byte,
/// set where the byte is not zero, and then these bytes. At 192 ones among 8192 bits this takes 320
/// bytes of the 1024.
#[derive(Clone)]
pub struct PackedRows {
    /// Row `i` starts at `i * stride`; after the last row there is a line to spare, so that reading
    /// a line from within a row is always possible.
    pub(crate) bytes: AlignedRow<u8>,
    /// A whole number of cache lines.
    pub(crate) stride: usize,
}

impl BitTable {
    /// The table of `rows`, of `row_len` words each, for sums by `kernel`. Other kernels can sum it
    /// too, perhaps not as fast.
    ///
    /// # Panics
    /// If `row_len` does not divide the number of words.
    pub fn new(kernel: &dyn BitKernel, rows: Row, row_len: usize) -> Self {
        assert!(rows.len().is_multiple_of(row_len), "the last row is not complete");
        let packed = if row_len == PACKED_WORDS { kernel.pack(&rows) } else { None };
        Self { rows, row_len, packed }
    }

    /// All rows, one after the other.
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// Words of a row.
    pub fn row_len(&self) -> usize {
        self.row_len
    }

    /// The packed form, if the kernel of the table made one.
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
