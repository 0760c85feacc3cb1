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
mod weighted;

pub(crate) use basis::{
    base_convert, base_convert_small, mod_down_assign, permute, round_quotient,
};
pub(crate) use forward::{
    canonical_blocks, later_passes, lazy_blocks, ntt_forward, ntt_forward_centered,
    ntt_forward_lazy, pass_of_centered, pass_of_words,
};
pub(crate) use inverse::{ntt_inverse, ntt_inverse_excess};
pub(crate) use key_product::key_product;
pub(crate) use pointwise::{
    add, add_assign, mul, mul_add_assign, mul_assign, mul_constant_add_assign, mul_constant_assign,
    mul_constant_repeatedly_assign, neg, neg_assign, sub, sub_assign,
};
pub(crate) use products::{dot, tensor};
pub(crate) use sampling::{
    center_beside_assign, count_above_assign, lift, mul_constant_centered, mul_small_add_assign,
    ternary_digits, weight_differences,
};
pub(crate) use scaled::ntt_forward_scaled;
pub(crate) use weighted::weighted_sums;
