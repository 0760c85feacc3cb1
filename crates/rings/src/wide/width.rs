//! The public bound on the size of an integer, which every ciphertext carries.

use super::{Factor, WideError};
use crate::Error;

/// The public knowledge of the size of an integer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Width {
    /// The absolute value is at most `2^bits`.
    Bits(f64),
    /// A residue modulo `2^N + 1`: whatever is computed from it wraps around.
    Wrapping,
}

/// The metadata of a message: its factor in the phase and its width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Content {
    pub(super) factor: Factor,
    pub(super) width: Width,
}

/// Bits added wherever a logarithm was rounded: far more than any rounding of numbers below 2^20.
const ROUNDING: f64 = 1e-9;

impl Width {
    /// Bounds a sum or difference.
    pub(super) fn plus(self, other: Width) -> Width {
        let (Width::Bits(a), Width::Bits(b)) = (self, other) else { return Width::Wrapping };
        let (greater, distance) = (a.max(b), (a - b).abs());
        if distance <= 0.0 && greater.fract() <= 0.0 {
            return Width::Bits(greater + 1.0);
        }
        Width::Bits(greater + (-distance).exp2().ln_1p() / std::f64::consts::LN_2 + ROUNDING)
    }

    /// Bounds a product.
    pub(super) fn times(self, other: Width) -> Width {
        let (Width::Bits(a), Width::Bits(b)) = (self, other) else { return Width::Wrapping };
        let exact = a.fract() <= 0.0 && b.fract() <= 0.0;
        Width::Bits(a + b + if exact { 0.0 } else { ROUNDING })
    }

    /// Refuses an integer that may exceed `2^widest`.
    pub(super) fn check(self, operation: &'static str, widest: u32) -> Result<(), Error> {
        match self {
            Width::Bits(bits) if bits <= f64::from(widest) => Ok(()),
            Width::Bits(bits) => Err(WideError::Overflow { operation, bits, widest }.into()),
            Width::Wrapping => Ok(()),
        }
    }
}

/// Bounds `log2` of the absolute value with these limbs, lowest first; 0 for zero.
pub(super) fn log2_bound(magnitude: &[u64]) -> f64 {
    let Some(top) = magnitude.iter().rposition(|&limb| limb != 0) else { return 0.0 };
    let next = top.checked_sub(1).map_or(0, |below| magnitude[below]);
    let high = u128::from(magnitude[top]) << 64 | u128::from(next);
    let rest_is_zero = magnitude[..top.saturating_sub(1)].iter().all(|&limb| limb == 0);
    let base = 64.0 * top as f64 - 64.0;
    if high.is_power_of_two() && rest_is_zero {
        return base + f64::from(high.ilog2());
    }
    base + (high as f64).log2() + ROUNDING
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "widths of powers of two are exact")]

    use super::*;
    use proptest::prelude::*;

    fn bits(width: Width) -> f64 {
        match width {
            Width::Bits(bits) => bits,
            Width::Wrapping => f64::INFINITY,
        }
    }

    proptest! {
        #[test]
        fn the_width_of_a_sum_or_product_bounds_it(a in 1u64.., b in 1u64..) {
            let [x, y] = [a, b].map(|v| Width::Bits(log2_bound(&[v])));
            let sum = u128::from(a) + u128::from(b);
            let product = u128::from(a) * u128::from(b);
            for (value, width) in [(sum, x.plus(y)), (product, x.times(y))] {
                let exact = (value as f64).log2();
                prop_assert!(bits(width) >= exact - 1e-12, "{value}");
                prop_assert!(bits(width) <= exact + 1e-8, "{value}");
            }
        }

        #[test]
        fn the_bound_of_limbs_is_their_logarithm(
            limbs in prop::collection::vec(any::<u64>(), 1..5),
        ) {
            let place = |sum: f64, limb: &u64| sum * 64f64.exp2() + *limb as f64;
            let value = limbs.iter().rev().fold(0.0, place);
            let exact = if value > 0.0 { value.log2() } else { 0.0 };
            let bound = log2_bound(&limbs);
            prop_assert!(bound >= exact - 1e-12 && bound <= exact + 1e-8, "{bound} {exact}");
        }
    }

    #[test]
    fn powers_of_two_are_exact() {
        assert_eq!(log2_bound(&[1]), 0.0);
        assert_eq!(log2_bound(&[0, 0, 8]), 131.0);
        assert_eq!(Width::Bits(5.0).plus(Width::Bits(5.0)), Width::Bits(6.0));
        assert_eq!(Width::Bits(5.0).times(Width::Bits(7.0)), Width::Bits(12.0));
        assert_eq!(Width::Bits(5.0).times(Width::Wrapping), Width::Wrapping);
    }
}
