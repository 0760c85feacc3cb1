//! Clear right operands, in the type of tfhe-rs with the width of the encrypted left operand.

use crate::value::{Word, signed, unsigned};
use ethnum::U256;
use fathom_drivers::ops::torus::IntegerType;
use tfhe::integer::block_decomposition::DecomposableInto;
use tfhe::integer::server_key::{ScalarMultiplier, TwosComplementNegation};
use tfhe::integer::{self, RadixCiphertext, ServerKey, SignedRadixCiphertext};

/// A clear operand for encrypted integers of type `T`.
pub(crate) trait Scalar<T: Word>:
    Copy
    + Send
    + Sync
    + ScalarMultiplier
    + TwosComplementNegation
    + DecomposableInto<u8>
    + DecomposableInto<u64>
    + 'static
{
    /// Converts the bits of a value of type `ty`.
    fn of(ty: IntegerType, bits: U256) -> Self;

    /// Computes the quotient.
    fn quotient(key: &ServerKey, word: &T, divisor: Self) -> T;

    /// Computes the remainder.
    fn remainder(key: &ServerKey, word: &T, divisor: Self) -> T;
}

macro_rules! scalars {
    ($($scalar:ty, $word:ty, $div:ident, $rem:ident: |$ty:ident, $bits:ident| $of:expr;)*) => {$(
        impl Scalar<$word> for $scalar {
            #[allow(clippy::cast_lossless, clippy::cast_possible_wrap, reason = "of most widths")]
            fn of($ty: IntegerType, $bits: U256) -> Self {
                $of
            }

            fn quotient(key: &ServerKey, word: &$word, divisor: Self) -> $word {
                key.$div(word, divisor)
            }

            fn remainder(key: &ServerKey, word: &$word, divisor: Self) -> $word {
                key.$rem(word, divisor)
            }
        }
    )*};
}

macro_rules! unsigned_scalars {
    ($($scalar:ty: |$ty:ident, $bits:ident| $of:expr;)*) => {
        scalars! {$(
            $scalar, RadixCiphertext, scalar_div_parallelized, scalar_rem_parallelized:
                |$ty, $bits| $of;
        )*}
    };
}

macro_rules! signed_scalars {
    ($($scalar:ty: |$ty:ident, $bits:ident| $of:expr;)*) => {
        scalars! {$(
            $scalar, SignedRadixCiphertext,
                signed_scalar_div_parallelized, signed_scalar_rem_parallelized:
                |$ty, $bits| $of;
        )*}
    };
}

unsigned_scalars! {
    u8: |_ty, bits| *bits.low() as u8;
    u16: |_ty, bits| *bits.low() as u16;
    u32: |_ty, bits| *bits.low() as u32;
    u64: |_ty, bits| *bits.low() as u64;
    u128: |_ty, bits| *bits.low();
    integer::U256: |_ty, bits| unsigned(bits);
}

signed_scalars! {
    i8: |ty, bits| ty.sign_extend(bits).as_i8();
    i16: |ty, bits| ty.sign_extend(bits).as_i16();
    i32: |_ty, bits| *bits.low() as i32;
    i64: |_ty, bits| *bits.low() as i64;
    i128: |_ty, bits| *bits.low() as i128;
    integer::I256: |ty, bits| signed(ty, bits);
}
