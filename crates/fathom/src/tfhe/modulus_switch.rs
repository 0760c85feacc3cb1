//! From torus words to exponents of the blind rotation: the modulus switch.

use super::Params;

/// The exponent below `2 N` that is nearest to a word.
pub(super) fn exponent(params: &Params, word: u64) -> u32 {
    let shift = shift(params);
    (word.wrapping_add(1 << (shift - 1)) >> shift) as u32
}

/// By how much [`exponent`] moves a word.
pub(super) fn rounding_error(params: &Params, word: u64) -> u64 {
    (u64::from(exponent(params, word)) << shift(params)).wrapping_sub(word)
}

/// The exponent of a body whose mask was rounded with these errors.
///
/// Rounding a mask word by `e` moves the phase by `-e s`; the body is rounded after adding the mean
/// of that over the key bits, so that only `e (s - mean)` is left: the mean compensation of
/// eprint 2025/809, for any mean.
pub(super) fn compensated(params: &Params, body: u64, errors: impl Iterator<Item = u64>) -> u32 {
    // An error is at most half a step of the rounding; sums of thousands stay far below 2^63.
    let errors: i64 = errors.map(|error| error as i64 >> 8).sum();
    let mean = errors / params.spec().family.mean_divisor() as i64 * 256;
    exponent(params, body.wrapping_add(mean as u64))
}

/// Bits that an exponent leaves out.
fn shift(params: &Params) -> u32 {
    64 - (2 * params.spec().degree).ilog2()
}
