//! The operations by name. Each is [`ShortInts::call`] of an [`Operation`].

use super::{Operation, ShortInt, ShortInts};
use crate::tfhe::Error;

/// For every operation, the form on two ciphertexts and the form whose right operand is clear.
macro_rules! methods {
    ($($doc:literal: $name:ident, $scalar:ident = $operation:ident;)+) => {
        impl ShortInts {$(
            #[doc = concat!($doc, ". Canonical; one bootstrap, after refreshing what needs it.")]
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
    "`a + b`": add, scalar_add = Add;
    "`a - b`": sub, scalar_sub = Subtract;
    "The low half of `a b`": mul_low, scalar_mul_low = MultiplyLow;
    "The high half of `a b`": mul_high, scalar_mul_high = MultiplyHigh;
    "`a / b` rounded down, all ones if `b` is an encrypted 0": div, scalar_div = Divide;
    "The remainder of `a / b`, `a` if `b` is an encrypted 0": rem, scalar_rem = Remainder;
    "`a & b`": bitand, scalar_bitand = And;
    "`a | b`": bitor, scalar_bitor = Or;
    "`a ^ b`": bitxor, scalar_bitxor = Xor;
    "`a << b`, 0 if everything is shifted out": shl, scalar_shl = ShiftLeft;
    "`a >> b`, 0 if everything is shifted out": shr, scalar_shr = ShiftRight;
    "1 if `a = b`, else 0": eq, scalar_eq = Equal;
    "1 if `a != b`, else 0": ne, scalar_ne = NotEqual;
    "1 if `a < b`, else 0": lt, scalar_lt = Less;
    "1 if `a <= b`, else 0": le, scalar_le = LessOrEqual;
    "1 if `a > b`, else 0": gt, scalar_gt = Greater;
    "1 if `a >= b`, else 0": ge, scalar_ge = GreaterOrEqual;
    "The lesser of `a` and `b`": min, scalar_min = Minimum;
    "The greater of `a` and `b`": max, scalar_max = Maximum;
}

impl ShortInts {
    /// `-a` modulo `2^message_bits`. Canonical; one bootstrap.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn neg(&self, a: &ShortInt) -> Result<ShortInt, Error> {
        self.apply(a, u32::wrapping_neg)
    }
}
