//! Clear values of up to 256 bits.

use super::digits::mask;
use super::{I256, U256, Word};
use crate::tfhe::Error;

/// A clear integer of any primitive type or of 256 bits.
///
/// The 256-bit types are those of the crate `ethnum`, which has no dependencies and offers parsing,
/// printing and arithmetic in the manner of the primitive types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clear {
    /// The value modulo `2^256`.
    bits: U256,
    negative: bool,
}

macro_rules! clear_from {
    ($($unsigned:ty, $signed:ty;)*) => {$(
        impl From<$unsigned> for Clear {
            fn from(value: $unsigned) -> Clear {
                Clear { bits: U256::from(value), negative: false }
            }
        }
        impl From<$signed> for Clear {
            fn from(value: $signed) -> Clear {
                Clear { bits: I256::from(value).as_u256(), negative: value < 0 }
            }
        }
    )*};
}

clear_from! { u8, i8; u16, i16; u32, i32; u64, i64; u128, i128; U256, I256; }

impl Clear {
    /// Returns the value as the bits of an integer of type `T`.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold the value.
    pub(super) fn bits_of<T: Word>(self) -> Result<U256, Error> {
        // The sign is not branched on, since the value may be one to be encrypted.
        let sign = U256::ZERO.wrapping_sub(U256::from(self.negative));
        let magnitude = self.bits ^ sign;
        let allowed = if T::SIGNED { mask(T::BITS - 1) } else { mask(T::BITS) };
        if magnitude > allowed || (self.negative && !T::SIGNED) {
            return Err(Error::ClearOutOfRange { bits: T::BITS, signed: T::SIGNED });
        }
        Ok(self.bits & mask(T::BITS))
    }
}
