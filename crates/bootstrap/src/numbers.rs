//! The numbers that all bootstrappings have in common.

/// Size in bits of a special prime of the key that switches to the sparse secret.
pub(crate) const CAPSULE_BITS: f64 = 45.8;
/// Number of nonzero coefficients of the sparse secret.
pub(crate) const SPARSE_WEIGHT: u32 = 32;
/// Ratio of the last prime to the largest coefficient of a message.
pub(crate) const RATIO: f64 = 8.0;
/// Fewest levels of a series.
pub(crate) const SERIES_DEPTH: usize = 3;

/// Returns the number of levels that a Newton step for roots of unity of the order `2^bits` takes;
/// none without it.
pub(crate) fn cleaning_depth(bits: Option<u32>) -> usize {
    bits.map_or(0, |bits| bits as usize + 1)
}
