//! The encoding of small integers on the torus.

use crate::tfhe::Error;

/// The message space `Z / 2^bits`: the integer `x` is the torus element `x / 2^bits`.
///
/// A bootstrap applies a function `f` with `f(x + 2^(bits-1)) = -f(x)`. The highest bit is called
/// the padding bit in the literature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Space {
    bits: u32,
}

impl Space {
    /// The most bits of a space.
    pub const MAX_BITS: u32 = 16;

    /// Returns the space of `bits` bits, including the padding bit.
    ///
    /// # Errors
    /// [`Error::Spec`] unless `bits` is in `1..=16`.
    pub fn new(bits: u32) -> Result<Space, Error> {
        if (1..=Self::MAX_BITS).contains(&bits) {
            return Ok(Space { bits });
        }
        let reason = format!("a message space has 1 to {} bits, not {bits}", Self::MAX_BITS);
        Err(Error::Spec { field: "message space", reason })
    }

    /// Returns the space of `BITS` bits, including the padding bit. A number that is not in
    /// `1..=16` does not compile.
    pub const fn of<const BITS: u32>() -> Space {
        const { assert!(BITS >= 1 && BITS <= Space::MAX_BITS, "bits of a message space") };
        Space { bits: BITS }
    }

    /// Returns the space of as many bits as the messages of checked parameters, or fewer.
    pub(crate) const fn within_params(bits: u32) -> Space {
        debug_assert!(bits >= 1 && bits <= Space::MAX_BITS);
        Space { bits }
    }

    /// Returns the number of bits, including the padding bit.
    pub const fn bits(self) -> u32 {
        self.bits
    }

    /// Returns half the number of messages, `2^(bits-1)`.
    pub const fn half(self) -> i32 {
        1 << (self.bits - 1)
    }

    /// Returns the torus element of half the integer `twice`, modulo `2^64`.
    pub(crate) const fn encode_half(self, twice: i64) -> u64 {
        (twice as u64) << (63 - self.bits)
    }

    /// Returns the torus element of an integer, modulo `2^64`.
    pub const fn encode(self, value: i64) -> u64 {
        self.encode_half(2 * value)
    }

    /// Returns the integer nearest to a torus element, in `0..2^bits`.
    pub const fn decode(self, torus: u64) -> i32 {
        let rounded = torus.wrapping_add(1 << (63 - self.bits));
        (rounded >> (64 - self.bits)) as i32
    }
}
