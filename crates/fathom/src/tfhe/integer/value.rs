//! Clear values of encrypted integers.

use super::{Clear, I256, U256, digits};
use std::fmt;

mod sealed {
    /// A sealed trait: only the types of this module are values.
    pub trait Sealed {}
}

/// The clear value of an encrypted integer.
pub trait Value: Copy + fmt::Debug + fmt::Display + Ord + Into<Clear> + sealed::Sealed {
    /// Returns the value of the low `bits` bits, in two's complement if the type is signed.
    fn from_bits(value: U256, bits: usize) -> Self;
}

macro_rules! native {
    ($($unsigned:ty, $as_unsigned:ident; $signed:ty, $as_signed:ident;)*) => {$(
        impl sealed::Sealed for $unsigned {}
        impl sealed::Sealed for $signed {}
        impl Value for $unsigned {
            fn from_bits(value: U256, _: usize) -> Self {
                value.$as_unsigned()
            }
        }
        impl Value for $signed {
            fn from_bits(value: U256, _: usize) -> Self {
                value.$as_signed()
            }
        }
    )*};
}

native! {
    u8, as_u8; i8, as_i8;
    u16, as_u16; i16, as_i16;
    u32, as_u32; i32, as_i32;
    u64, as_u64; i64, as_i64;
    u128, as_u128; i128, as_i128;
}

impl sealed::Sealed for U256 {}
impl sealed::Sealed for I256 {}

impl Value for U256 {
    fn from_bits(value: U256, _: usize) -> Self {
        value
    }
}

impl Value for I256 {
    fn from_bits(value: U256, bits: usize) -> Self {
        digits::sign_extended(value, bits)
    }
}
