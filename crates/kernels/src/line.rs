//! Lines: the eight words on which every instruction set operates at a time.

/// A line of a row: eight words.
pub(crate) type Line = [u64; 8];

/// Returns the lines of a row.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn lines(row: &[u64]) -> &[Line] {
    row.as_chunks().0
}

/// Returns the mutable lines of a row.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn lines_mut(row: &mut [u64]) -> &mut [Line] {
    row.as_chunks_mut().0
}

/// Asserts in debug builds that the rows of a call have equal length, a multiple of 64.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn debug_assert_rows<const R: usize>(rows: [&[u64]; R]) {
    let len = rows[0].len();
    debug_assert!(len.is_multiple_of(64), "the length {len} is not a multiple of 64");
    debug_assert!(rows.iter().all(|row| row.len() == len), "rows of different lengths");
}
