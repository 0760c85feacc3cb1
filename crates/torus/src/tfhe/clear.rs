//! Clear values of up to 256 bits.

use super::low_bits::{mask, sign_extended};
use crate::tfhe::Error;
use ethnum::{I256, U256};
use fathom_base::ValueType;
use std::cmp::Ordering;
use std::fmt;

/// A clear integer of any primitive type or of 256 bits, or a truth value as 0 or 1.
///
/// It is what a [`RadixInt`](crate::tfhe::integer::RadixInt) decrypts to and what every type
/// encrypts, which refuses a value that it cannot hold.
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

impl From<bool> for Clear {
    fn from(value: bool) -> Clear {
        Clear::from(u8::from(value))
    }
}

impl From<usize> for Clear {
    fn from(value: usize) -> Clear {
        Clear::from(value as u64)
    }
}

impl From<isize> for Clear {
    fn from(value: isize) -> Clear {
        Clear::from(value as i64)
    }
}

impl Clear {
    /// Returns the value of the low bits of a type, in two's complement if it is signed.
    pub(in crate::tfhe) fn of_bits(ty: ValueType, bits: U256) -> Clear {
        let width = ty.bits().into();
        if ty.is_signed() { sign_extended(bits, width).into() } else { (bits & mask(width)).into() }
    }

    /// Returns the value as the bits of an integer of this type.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold the value.
    pub(in crate::tfhe) fn bits_of(self, ty: ValueType) -> Result<U256, Error> {
        let (bits, signed) = (usize::from(ty.bits()), ty.is_signed());
        // The sign is not branched on, since the value may be one to be encrypted.
        let sign = U256::ZERO.wrapping_sub(U256::from(self.negative));
        let magnitude = self.bits ^ sign;
        let allowed = if signed { mask(bits - 1) } else { mask(bits) };
        if magnitude > allowed || (self.negative && !signed) {
            return Err(Error::ClearOutOfRange { bits, signed });
        }
        Ok(self.bits & mask(bits))
    }
}

impl Clear {
    /// Returns the value modulo `2^bits` for the bits of a type, signed or not.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if neither the unsigned nor the signed type can hold the value.
    pub(in crate::tfhe) fn residue_of(self, ty: ValueType) -> Result<U256, Error> {
        let signed = ValueType::radix(ty.bits().into(), true);
        self.bits_of(ty.to_unsigned()).or_else(|_| self.bits_of(signed))
    }
}

impl fmt::Display for Clear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negative { self.bits.as_i256().fmt(f) } else { self.bits.fmt(f) }
    }
}

impl PartialOrd for Clear {
    fn partial_cmp(&self, other: &Clear) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Clear {
    fn cmp(&self, other: &Clear) -> Ordering {
        // Two negative values are ordered as their bits are.
        other.negative.cmp(&self.negative).then(self.bits.cmp(&other.bits))
    }
}

macro_rules! clear_into {
    ($($value:ty),*) => {$(
        /// Returns the value as a primitive integer.
        impl TryFrom<Clear> for $value {
            type Error = Error;

            /// # Errors
            /// [`Error::ClearOutOfRange`] if the type cannot hold the value.
            fn try_from(value: Clear) -> Result<$value, Error> {
                let (bits, signed) = (8 * size_of::<$value>(), <$value>::MIN != 0);
                let refused = Error::ClearOutOfRange { bits, signed };
                if value.negative {
                    value.bits.as_i256().try_into().map_err(|_| refused)
                } else {
                    value.bits.try_into().map_err(|_| refused)
                }
            }
        }
    )*};
}

clear_into! { u8, u16, u32, u64, u128, i8, i16, i32, i64, i128 }

/// Returns the value as an index.
impl TryFrom<Clear> for usize {
    type Error = Error;

    /// # Errors
    /// [`Error::ClearOutOfRange`] if the type cannot hold the value.
    fn try_from(value: Clear) -> Result<usize, Error> {
        let refused = Error::ClearOutOfRange { bits: usize::BITS as usize, signed: false };
        u64::try_from(value)?.try_into().map_err(|_| refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_values_print_compare_and_convert_as_primitive_integers_do() {
        let values = [i128::MIN, -5, -1, 0, 1, 200, i128::MAX];
        for (a, b) in values.iter().flat_map(|&a| values.map(|b| (a, b))) {
            assert_eq!(Clear::from(a).cmp(&Clear::from(b)), a.cmp(&b), "{a} {b}");
        }
        for value in values {
            assert_eq!(Clear::from(value).to_string(), value.to_string());
            assert_eq!(i128::try_from(Clear::from(value)), Ok(value));
            assert_eq!(u8::try_from(Clear::from(value)).ok(), u8::try_from(value).ok());
            assert_eq!(i64::try_from(Clear::from(value)).ok(), i64::try_from(value).ok());
        }
        let refused = Err(Error::ClearOutOfRange { bits: 8, signed: true });
        assert_eq!(i8::try_from(Clear::from(200u8)), refused);
    }
}
