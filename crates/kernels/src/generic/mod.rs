//! The algorithms of all kernels, each written once over [`crate::lanes::Lanes`].

mod basis;
pub(crate) mod bits;
mod forward;
mod inverse;
mod key_product;
mod pointwise;
mod products;
mod sampling;
mod scaled;

pub(crate) use basis::{
    base_convert, base_convert_small, mod_down_assign, permute, round_quotient,
};
pub(crate) use forward::{
    SharedPasses, canonical_blocks, later_passes, lazy_blocks, ntt_forward, ntt_forward_centred,
    ntt_forward_lazy, pass_of_centred, pass_of_words,
};
pub(crate) use inverse::ntt_inverse;
pub(crate) use key_product::key_product;
pub(crate) use pointwise::{
    add, add_assign, mul, mul_add_assign, mul_assign, mul_constant_add_assign, mul_constant_assign,
    neg, neg_assign, sub, sub_assign,
};
pub(crate) use products::{dot, tensor};
pub(crate) use sampling::{
    centre_beside_assign, count_above_assign, lift, mul_constant_centred, mul_small_add_assign,
    ternary_digits, weight_differences,
};

pub(crate) use scaled::ntt_forward_scaled;

use crate::lanes::Line;

/// Returns the lines of a row.
#[cfg_attr(optimized, inline(always))]
fn lines(row: &[u64]) -> &[Line] {
    row.as_chunks().0
}

/// Returns the mutable lines of a row.
#[cfg_attr(optimized, inline(always))]
fn lines_mut(row: &mut [u64]) -> &mut [Line] {
    row.as_chunks_mut().0
}

/// Asserts in debug builds that the rows of a call have equal length, a multiple of 64.
#[cfg_attr(optimized, inline(always))]
fn debug_assert_rows<const R: usize>(rows: [&[u64]; R]) {
    let len = rows[0].len();
    debug_assert!(len.is_multiple_of(64), "the length {len} is not a multiple of 64");
    debug_assert!(rows.iter().all(|row| row.len() == len), "rows of different lengths");
}
