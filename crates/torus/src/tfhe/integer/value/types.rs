//! The encrypted types whose Rust type tells their width and sign.

use super::digits::{self, sign_extended};
use super::radix_int::RadixInt;
use super::traits::{self, FheInteger, FheValue, Typed, sealed};
use crate::tfhe::{Block, Error};
use ethnum::{I256, U256};
use fathom_base::{StaticType, ValueType};
use std::fmt;

/// Implements a type of blocks. Truth values have one bit.
macro_rules! typed {
    ($(
        [$($generic:tt)*] $type:ty, $wrap:expr, bits $bits:expr, signed $signed:literal, $sum:ty;
    )*) => {$(
        impl<$($generic)*> fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                traits::debug(self, f)
            }
        }

        impl<$($generic)*> sealed::Sealed for $type {
            fn static_type() -> Option<ValueType> {
                Some(ValueType::of::<Self>())
            }

            fn wrap(ty: ValueType, blocks: Vec<Block>) -> Self {
                const { assert!($bits == 1 || valid($bits), "bits of integers") };
                debug_assert_eq!(ty, ValueType::of::<Self>());
                debug_assert!(digits::check_canonical(&blocks, $bits).is_ok());
                $wrap(blocks)
            }
        }

        impl<$($generic)*> FheValue for $type {
            type Sum = $sum;

            fn value_type(&self) -> ValueType {
                ValueType::of::<Self>()
            }

            fn blocks(&self) -> &[Block] {
                &self.blocks
            }
        }

        impl<$($generic)*> StaticType for $type {
            const TYPE: ValueType = ValueType::radix($bits, $signed);
        }

        impl<$($generic)*> Typed for $type {
            const BITS: usize = $bits;
            const SIGNED: bool = $signed;
        }
    )*};
}

/// Returns whether integers can have this number of bits.
const fn valid(bits: usize) -> bool {
    2 <= bits && bits <= 256 && bits.is_multiple_of(2)
}

/// An encrypted unsigned integer of `BITS` bits, an even number from 2 to 256.
///
/// Arithmetic wraps modulo `2^BITS`.
#[derive(Clone)]
pub struct FheUint<const BITS: usize> {
    blocks: Vec<Block>,
}

/// An encrypted two's-complement integer of `BITS` bits, an even number from 2 to 256.
///
/// Arithmetic wraps modulo `2^BITS`.
#[derive(Clone)]
pub struct FheInt<const BITS: usize> {
    blocks: Vec<Block>,
}

/// An encrypted truth value: one block that holds 0 or 1.
#[derive(Clone)]
pub struct FheBool {
    blocks: Vec<Block>,
}

typed! {
    [const N: usize] FheUint<N>, |blocks| FheUint { blocks }, bits N, signed false, Self;
    [const N: usize] FheInt<N>, |blocks| FheInt { blocks }, bits N, signed true, Self;
    [] FheBool, |blocks| FheBool { blocks }, bits 1, signed false, FheUint32;
}

impl FheBool {
    /// Returns the trivial ciphertext of a value, which hides nothing.
    pub fn trivial(value: bool) -> FheBool {
        FheBool { blocks: vec![Block::trivial(digits::SPACE, value.into())] }
    }

    /// Wraps a block that holds 0 or 1.
    ///
    /// # Errors
    /// [`Error::NotCanonical`] if the block's space, range or noise is not that of a truth value.
    pub fn from_block(block: Block) -> Result<FheBool, Error> {
        FheBool::from_blocks(vec![block])
    }

    /// Wraps a fresh block of an untrusted sender, which is taken for a truth value whatever range
    /// it states.
    pub(crate) fn from_untrusted(block: Block) -> Option<FheBool> {
        FheBool::from_block(block.within(0, 1)).ok()
    }

    /// Returns the block.
    pub fn block(&self) -> &Block {
        &self.blocks[0]
    }
}

macro_rules! names {
    ($(
        $unsigned:ident, $signed:ident, $bits:literal, $of_unsigned:literal, $of_signed:literal;
    )*) => {$(
        #[doc = concat!("An encrypted ", $of_unsigned, ".")]
        pub type $unsigned = FheUint<$bits>;
        #[doc = concat!("An encrypted ", $of_signed, ".")]
        pub type $signed = FheInt<$bits>;
    )*};
}

names! {
    FheUint8, FheInt8, 8, "`u8`", "`i8`";
    FheUint16, FheInt16, 16, "`u16`", "`i16`";
    FheUint32, FheInt32, 32, "`u32`", "`i32`";
    FheUint64, FheInt64, 64, "`u64`", "`i64`";
    FheUint128, FheInt128, 128, "`u128`", "`i128`";
    FheUint256, FheInt256, 256, "[`U256`]", "[`I256`]";
}

/// The type of products of twice the width; there is none beyond 256 bits.
macro_rules! wide {
    () => {
        ()
    };
    ($type:ty) => {
        $type
    };
}

/// Implements integers of a width: the clear types and the types of products of twice the width.
macro_rules! integers {
    (
        $bits:literal: $unsigned:ty, $signed:ty,
        [$($wide:literal)?], $of_unsigned:expr, $of_signed:expr
    ) => {
        integers! { FheUint<$bits>, FheUint<$bits>, $unsigned, [$(FheUint<$wide>)?], $of_unsigned }
        integers! { FheInt<$bits>, FheUint<$bits>, $signed, [$(FheInt<$wide>)?], $of_signed }
    };
    ($type:ty, $unsigned:ty, $message:ty, [$($wide:ty)?], $of:expr) => {
        impl FheInteger for $type {
            type Message = $message;
            type Unsigned = $unsigned;
            type Wide = wide!($($wide)?);

            fn message(&self, bits: U256) -> $message {
                $of(bits)
            }
        }
    };
}

macro_rules! native {
    ($(
        $bits:literal: $unsigned:ty, $as_unsigned:ident, $signed:ty, $as_signed:ident,
        $wide:literal;
    )*) => {$(
        integers! { $bits: $unsigned, $signed, [$wide], U256::$as_unsigned, U256::$as_signed }
    )*};
}

native! {
    8: u8, as_u8, i8, as_i8, 16;
    16: u16, as_u16, i16, as_i16, 32;
    32: u32, as_u32, i32, as_i32, 64;
    64: u64, as_u64, i64, as_i64, 128;
    128: u128, as_u128, i128, as_i128, 256;
}

macro_rules! of_256_bits {
    ([$($bits:literal $wide:literal)*] [$($alone:literal)*]) => {
        $(integers! { $bits: U256, I256, [$wide], |bits| bits, |bits| sign_extended(bits, $bits) })*
        $(integers! { $alone: U256, I256, [], |bits| bits, |bits| sign_extended(bits, $alone) })*
    };
}

of_256_bits! {
    [
        2 4 4 8 6 12 10 20 12 24 14 28 18 36 20 40 22 44 24 48 26 52 28 56 30 60 34 68 36 72 38 76
        40 80 42 84 44 88 46 92 48 96 50 100 52 104 54 108 56 112 58 116 60 120 62 124 66 132
        68 136 70 140 72 144 74 148 76 152 78 156 80 160 82 164 84 168 86 172 88 176 90 180 92 184
        94 188 96 192 98 196 100 200 102 204 104 208 106 212 108 216 110 220 112 224 114 228
        116 232 118 236 120 240 122 244 124 248 126 252
    ]
    [
        130 132 134 136 138 140 142 144 146 148 150 152 154 156 158 160 162 164 166 168 170 172 174
        176 178 180 182 184 186 188 190 192 194 196 198 200 202 204 206 208 210 212 214 216 218 220
        222 224 226 228 230 232 234 236 238 240 242 244 246 248 250 252 254 256
    ]
}

impl<const BITS: usize> From<FheUint<BITS>> for RadixInt {
    fn from(integer: FheUint<BITS>) -> RadixInt {
        sealed::Sealed::wrap(integer.value_type(), integer.blocks)
    }
}

impl<const BITS: usize> From<FheInt<BITS>> for RadixInt {
    fn from(integer: FheInt<BITS>) -> RadixInt {
        sealed::Sealed::wrap(integer.value_type(), integer.blocks)
    }
}
