//! The amounts of shifts and rotations.

use super::{AnyRadixValue, FheBool, FheUint, RadixInt};
use crate::tfhe::{Block, Error};

/// The distance of a shift.
#[derive(Clone, Copy, Debug)]
pub enum Amount<'a> {
    /// A public number of bits.
    Clear(u128),
    /// The blocks of an encrypted number of bits.
    Encrypted(&'a [Block]),
}

/// The amount of a shift: a clear integer that is not negative, an encrypted unsigned integer of
/// any width, or a truth value, which shifts by one place.
pub trait ShiftAmount {
    /// Returns the amount.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] if it is negative; [`Error::TypeMismatch`] if it is encrypted and
    /// has a signed type.
    fn amount(&self) -> Result<Amount<'_>, Error>;
}

macro_rules! clear {
    ($($clear:ty),*) => {$(
        impl ShiftAmount for $clear {
            fn amount(&self) -> Result<Amount<'_>, Error> {
                let bits = u128::BITS as usize;
                let refused = |_| Error::ClearOutOfRange { bits, signed: false };
                u128::try_from(*self).map(Amount::Clear).map_err(refused)
            }
        }
    )*};
}

// A literal without a suffix is an `i32`.
clear! { u8, u16, u32, u64, usize, i32 }

impl ShiftAmount for u128 {
    fn amount(&self) -> Result<Amount<'_>, Error> {
        Ok(Amount::Clear(*self))
    }
}

impl ShiftAmount for Amount<'_> {
    fn amount(&self) -> Result<Amount<'_>, Error> {
        Ok(*self)
    }
}

/// Implements amounts of a type, and of references to it.
macro_rules! encrypted {
    ($([$($generic:tt)*] $type:ty;)*) => {$(
        impl<$($generic)*> ShiftAmount for $type
        where
            $type: AnyRadixValue,
        {
            fn amount(&self) -> Result<Amount<'_>, Error> {
                unsigned(self)
            }
        }

        impl<$($generic)*> ShiftAmount for &$type
        where
            $type: AnyRadixValue,
        {
            fn amount(&self) -> Result<Amount<'_>, Error> {
                unsigned(*self)
            }
        }
    )*};
}

encrypted! {
    [const BITS: usize] FheUint<BITS>;
    [] RadixInt;
    [] FheBool;
}

/// Returns the amount that an unsigned value holds.
fn unsigned<T: AnyRadixValue>(value: &T) -> Result<Amount<'_>, Error> {
    let got = value.value_type();
    if got.is_signed() {
        return Err(Error::TypeMismatch { expected: got.to_unsigned(), got: Some(got) });
    }
    Ok(Amount::Encrypted(value.blocks()))
}
