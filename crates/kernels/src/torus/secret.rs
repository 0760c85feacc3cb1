//! Products with secret bits.

use super::lanes::Doubles;

/// Computes [`super::TorusKernel::binary_product`] with masks instead of products, because only
/// AVX-512 has a 64-bit product. The compiler vectorises this loop, since the caller has enabled
/// the instruction set.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn binary_product<D: Doubles>(_: D, words: &[u64], bits: &[i64], sum: &mut u64) {
    debug_assert!(words.len() == bits.len(), "rows of different lengths");
    let chosen = words.iter().zip(bits).map(|(&word, &bit)| word & (bit as u64).wrapping_neg());
    *sum = chosen.fold(0, u64::wrapping_add);
}

/// See [`super::TorusKernel::short_binary_product`].
#[cfg_attr(optimized, inline(always))]
pub(crate) fn short_binary_product<D: Doubles>(_: D, words: &[u32], bits: &[i64], sum: &mut u64) {
    debug_assert!(words.len() == bits.len(), "rows of different lengths");
    let words = words.iter().zip(bits);
    let chosen = words.map(|(&word, &bit)| u64::from(word) & (bit as u64).wrapping_neg());
    *sum = chosen.fold(0, u64::wrapping_add);
}
