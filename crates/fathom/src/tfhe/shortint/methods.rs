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
    "Computes `a + b`": add, scalar_add = Add;
    "Computes `a - b`": sub, scalar_sub = Subtract;
    "Computes the low half of `a b`": mul_low, scalar_mul_low = MultiplyLow;
    "Computes the high half of `a b`": mul_high, scalar_mul_high = MultiplyHigh;
    "Computes `a / b` rounded down, all ones if `b` is an encrypted 0": div, scalar_div = Divide;
    "Computes the remainder of `a / b`, `a` if `b` is an encrypted 0": rem, scalar_rem = Remainder;
    "Computes `a & b`": bitand, scalar_bitand = And;
    "Computes `a | b`": bitor, scalar_bitor = Or;
    "Computes `a ^ b`": bitxor, scalar_bitxor = Xor;
    "Computes `a << b`, 0 if everything is shifted out": shl, scalar_shl = ShiftLeft;
    "Computes `a >> b`, 0 if everything is shifted out": shr, scalar_shr = ShiftRight;
    "Returns 1 if `a = b`, else 0": eq, scalar_eq = Equal;
    "Returns 1 if `a != b`, else 0": ne, scalar_ne = NotEqual;
    "Returns 1 if `a < b`, else 0": lt, scalar_lt = Less;
    "Returns 1 if `a <= b`, else 0": le, scalar_le = LessOrEqual;
    "Returns 1 if `a > b`, else 0": gt, scalar_gt = Greater;
    "Returns 1 if `a >= b`, else 0": ge, scalar_ge = GreaterOrEqual;
    "Computes the lesser of `a` and `b`": min, scalar_min = Minimum;
    "Computes the greater of `a` and `b`": max, scalar_max = Maximum;
}

impl ShortInts {
    /// Computes `-a` modulo `2^message_bits`. Canonical; one bootstrap.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn neg(&self, a: &ShortInt) -> Result<ShortInt, Error> {
        self.apply(a, u32::wrapping_neg)
    }
}
