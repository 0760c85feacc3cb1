//! Clear integers of up to 256 bits.

use std::fmt;
use std::str::FromStr;

use ethnum::{I256, U256};

/// A type of machine integers, written `u64` or `i8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntegerType {
    bits: u16,
    signed: bool,
}

impl IntegerType {
    /// The widths that occur in cases.
    pub const WIDTHS: [u16; 12] = [2, 4, 6, 8, 10, 12, 14, 16, 32, 64, 128, 256];
    /// The widths of the published tables.
    pub const PUBLISHED: [u16; 6] = [8, 16, 32, 64, 128, 256];

    /// Returns the widest unsigned type.
    pub fn widest() -> Self {
        Self { bits: 256, signed: false }
    }

    /// Returns the unsigned type of that width, if it is one of [`IntegerType::WIDTHS`].
    pub fn unsigned(bits: u16) -> Option<Self> {
        Self::WIDTHS.contains(&bits).then_some(Self { bits, signed: false })
    }

    /// Returns the signed type of that width, if it is one of [`IntegerType::WIDTHS`].
    pub fn signed(bits: u16) -> Option<Self> {
        Self::unsigned(bits).map(|unsigned| Self { signed: true, ..unsigned })
    }

    /// Returns the unsigned type of the same width.
    pub fn to_unsigned(self) -> Self {
        Self { signed: false, ..self }
    }

    /// Returns the width in bits.
    pub fn bits(self) -> u32 {
        self.bits.into()
    }

    /// Returns true if values are in two's complement.
    pub fn is_signed(self) -> bool {
        self.signed
    }

    /// Reduces a value to the bits of this type.
    pub fn wrap(self, value: U256) -> U256 {
        value & (U256::MAX >> (256 - self.bits()))
    }

    /// Interprets the bits of a value in two's complement.
    pub fn sign_extend(self, value: U256) -> I256 {
        let unused = 256 - self.bits();
        (value << unused).as_i256() >> unused
    }
}

impl fmt::Display for IntegerType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.signed { 'i' } else { 'u' }, self.bits)
    }
}

impl FromStr for IntegerType {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let unknown = || format!("`{name}` is no type of integers");
        let (sign, bits) = name.split_at_checked(1).ok_or_else(unknown)?;
        let found = Self::WIDTHS.into_iter().find(|width| width.to_string() == bits);
        match (sign, found) {
            ("u", Some(bits)) => Ok(Self { bits, signed: false }),
            ("i", Some(bits)) => Ok(Self { bits, signed: true }),
            _ => Err(unknown()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_as_they_are_written() {
        for bits in IntegerType::WIDTHS {
            for ty in [IntegerType::unsigned(bits), IntegerType::signed(bits)] {
                assert_eq!(ty.unwrap().to_string().parse(), Ok(ty.unwrap()));
            }
        }
        for name in ["", "u", "u7", "u08", "x64", "u512", "64"] {
            assert!(name.parse::<IntegerType>().is_err(), "{name}");
        }
    }

    #[test]
    fn the_sign_is_the_top_bit() {
        let small = IntegerType::signed(8).unwrap();
        assert_eq!(small.sign_extend(U256::from(0x80_u8)), I256::from(-128_i8));
        assert_eq!(small.sign_extend(U256::from(0x17f_u16)), I256::from(127_i8));
    }
}
