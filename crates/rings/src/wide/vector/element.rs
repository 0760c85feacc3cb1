//! The types of the elements of vectors.

use fathom_ring::Modulus;

/// An integer type that a [`Vector`](super::Vector) can hold.
pub trait Element:
    Copy + Default + Send + Sync + std::fmt::Debug + sealed::Sealed + 'static
{
    /// `log2` of the greatest absolute value.
    const BITS: u32;
    /// The byte that names the type in a frame.
    #[doc(hidden)]
    const TAG: u8;

    /// Returns the absolute value.
    #[doc(hidden)]
    fn magnitude(self) -> u128;

    /// Returns the value modulo a prime.
    #[doc(hidden)]
    fn residue(self, modulus: &Modulus) -> u64;

    /// Returns the value of this type that is congruent to `value` modulo a power of two.
    #[doc(hidden)]
    fn wrapped(value: u128) -> Self;
}

mod sealed {
    /// Restricts [`Element`](super::Element) to the types of this crate.
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for i64 {}
    impl Sealed for u128 {}
    impl Sealed for i128 {}
}

impl Element for u64 {
    const BITS: u32 = 64;
    const TAG: u8 = 1;

    fn magnitude(self) -> u128 {
        self.into()
    }

    fn residue(self, modulus: &Modulus) -> u64 {
        modulus.reduce(self)
    }

    fn wrapped(value: u128) -> u64 {
        value as u64
    }
}

impl Element for i64 {
    const BITS: u32 = 63;
    const TAG: u8 = 2;

    fn magnitude(self) -> u128 {
        self.unsigned_abs().into()
    }

    fn residue(self, modulus: &Modulus) -> u64 {
        modulus.from_signed(self)
    }

    fn wrapped(value: u128) -> i64 {
        value as i64
    }
}

impl Element for u128 {
    const BITS: u32 = 128;
    const TAG: u8 = 3;

    fn magnitude(self) -> u128 {
        self
    }

    fn residue(self, modulus: &Modulus) -> u64 {
        let high = u128::from(modulus.reduce((self >> 64) as u64));
        modulus.reduce_u128(high << 64 | u128::from(self as u64))
    }

    fn wrapped(value: u128) -> u128 {
        value
    }
}

impl Element for i128 {
    const BITS: u32 = 127;
    const TAG: u8 = 4;

    fn magnitude(self) -> u128 {
        self.unsigned_abs()
    }

    fn residue(self, modulus: &Modulus) -> u64 {
        let magnitude = self.unsigned_abs().residue(modulus);
        let negative = (self >> 127) as u64;
        (magnitude & !negative) | (modulus.neg(magnitude) & negative)
    }

    fn wrapped(value: u128) -> i128 {
        value as i128
    }
}
