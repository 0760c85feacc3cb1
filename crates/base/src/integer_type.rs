//! Types of integers by their number of bits.

use crate::{Error, ValueType};

impl ValueType {
    /// Returns the type of unsigned integers of `bits` bits.
    ///
    /// # Errors
    /// [`Error::IntegerBits`] unless `bits` is even and between 2 and 256.
    pub fn unsigned(bits: usize) -> Result<ValueType, Error> {
        ValueType::integer(bits, false).ok_or(Error::IntegerBits { bits })
    }

    /// Returns the type of signed integers of `bits` bits.
    ///
    /// # Errors
    /// [`Error::IntegerBits`] unless `bits` is even and between 2 and 256.
    pub fn signed(bits: usize) -> Result<ValueType, Error> {
        ValueType::integer(bits, true).ok_or(Error::IntegerBits { bits })
    }
}
