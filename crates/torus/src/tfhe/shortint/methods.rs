//! The operations as methods, each of which is [`ShortInts::call`] of an [`Operation`].

use super::{Operation, ShortInt, ShortInts};
use crate::tfhe::Error;

/// Defines, for every operation, the method on two ciphertexts and the method with a clear right
/// operand.
macro_rules! methods {
    ($($doc:literal: $name:ident, $scalar:ident = $operation:ident;)+) => {
        impl ShortInts {$(
            #[doc = concat!($doc, ". Canonical; one bootstrap, after a refresh if needed.")]
            ///
            /// # Errors
            /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`]; [`Error::DivisionByZero`] if the
            /// operation divides by a clear 0.
            pub fn $name(&self, a: &ShortInt, b: &ShortInt) -> Result<ShortInt, Error> {
                self.call(Operation::$operation, a, b)
            }

            #[doc = concat!($doc, ", for a clear `b`. Canonical; one bootstrap.")]
            ///
            /// # Errors
            /// [`Error::ValueOutOfRange`] unless `b` is a message; [`Error::ParamsMismatch`],
            /// [`Error::KeyMismatch`]; [`Error::DivisionByZero`] if the operation divides by 0.
            pub fn $scalar(&self, a: &ShortInt, b: u32) -> Result<ShortInt, Error> {
                self.call(Operation::$operation, a, &ShortInt::trivial(self.params(), b)?)
            }
        )+}
    };
}

methods! {
    "Computes `a + b`": add, add_scalar = Add;
    "Computes `a - b`": sub, sub_scalar = Subtract;
    "Computes the low half of `a b`": mul_low, mul_low_scalar = MultiplyLow;
    "Computes the high half of `a b`": mul_high, mul_high_scalar = MultiplyHigh;
    "Computes `a / b` rounded down, all ones if `b` is an encrypted 0": div, div_scalar = Divide;
    "Computes the remainder of `a / b`, `a` if `b` is an encrypted 0": rem, rem_scalar = Remainder;
    "Computes `a & b`": and, and_scalar = And;
    "Computes `a | b`": or, or_scalar = Or;
    "Computes `a ^ b`": xor, xor_scalar = Xor;
    "Computes `a << b`, 0 if everything is shifted out": shl, shl_scalar = ShiftLeft;
    "Computes `a >> b`, 0 if everything is shifted out": shr, shr_scalar = ShiftRight;
    "Returns 1 if `a = b`, else 0": eq, eq_scalar = Equal;
    "Returns 1 if `a != b`, else 0": ne, ne_scalar = NotEqual;
    "Returns 1 if `a < b`, else 0": lt, lt_scalar = Less;
    "Returns 1 if `a <= b`, else 0": le, le_scalar = LessOrEqual;
    "Returns 1 if `a > b`, else 0": gt, gt_scalar = Greater;
    "Returns 1 if `a >= b`, else 0": ge, ge_scalar = GreaterOrEqual;
    "Computes the lesser of `a` and `b`": min, min_scalar = Minimum;
    "Computes the greater of `a` and `b`": max, max_scalar = Maximum;
}

impl ShortInts {
    /// Computes `a / b`, and whether it is defined: 1 if `b` is not 0, else 0. Both are canonical;
    /// two bootstraps.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`]; [`Error::DivisionByZero`] if `b` is a
    /// clear 0.
    pub fn checked_div(&self, a: &ShortInt, b: &ShortInt) -> Result<(ShortInt, ShortInt), Error> {
        Ok((self.div(a, b)?, self.ne_scalar(b, 0)?))
    }

    /// Computes the remainder of `a / b`, and whether it is defined: [`ShortInts::checked_div`].
    ///
    /// # Errors
    /// As [`ShortInts::checked_div`].
    pub fn checked_rem(&self, a: &ShortInt, b: &ShortInt) -> Result<(ShortInt, ShortInt), Error> {
        Ok((self.rem(a, b)?, self.ne_scalar(b, 0)?))
    }

    /// Computes `-a` modulo `2^message_bits`. Canonical; one bootstrap.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn neg(&self, a: &ShortInt) -> Result<ShortInt, Error> {
        self.apply(a, u32::wrapping_neg)
    }
}
