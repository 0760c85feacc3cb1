//! A reader of bytes that checks the length before every read.

use crate::error::WireError;
use fathom_ring::Seed;

/// Length of a seed.
pub const SEED_BYTES: usize = size_of::<Seed>();

/// The remaining bytes.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Returns a reader of these bytes.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes }
    }

    /// Returns the number of remaining bytes.
    #[expect(clippy::len_without_is_empty, reason = "`finish` refuses what is left")]
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// Reads the next `count` bytes.
    ///
    /// # Errors
    /// [`WireError::Truncated`] if there are fewer bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], WireError> {
        let truncated = WireError::Truncated { needed: count, got: self.rest.len() };
        let (head, rest) = self.rest.split_at_checked(count).ok_or(truncated)?;
        self.rest = rest;
        Ok(head)
    }

    /// Reads the next `N` bytes.
    ///
    /// # Errors
    /// [`WireError::Truncated`] if there are fewer bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], WireError> {
        let truncated = WireError::Truncated { needed: N, got: self.rest.len() };
        let (head, rest) = self.rest.split_first_chunk().ok_or(truncated)?;
        self.rest = rest;
        Ok(*head)
    }

    /// Reads a byte.
    ///
    /// # Errors
    /// [`WireError::Truncated`] if there are fewer bytes.
    pub fn u8(&mut self) -> Result<u8, WireError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    /// Reads 2 bytes, lowest first.
    ///
    /// # Errors
    /// [`WireError::Truncated`] if there are fewer bytes.
    pub fn u16(&mut self) -> Result<u16, WireError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    /// Reads 4 bytes, lowest first.
    ///
    /// # Errors
    /// [`WireError::Truncated`] if there are fewer bytes.
    pub fn u32(&mut self) -> Result<u32, WireError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Reads 8 bytes, lowest first.
    ///
    /// # Errors
    /// [`WireError::Truncated`] if there are fewer bytes.
    pub fn u64(&mut self) -> Result<u64, WireError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// Reads 8 bytes, lowest first, as a floating-point number.
    ///
    /// # Errors
    /// [`WireError::Truncated`] if there are fewer bytes.
    pub fn f64(&mut self) -> Result<f64, WireError> {
        Ok(f64::from_bits(self.u64()?))
    }

    /// Takes a seed, of [`SEED_BYTES`].
    ///
    /// # Errors
    /// [`WireError::Truncated`] if there are fewer bytes.
    pub fn seed(&mut self) -> Result<Seed, WireError> {
        Ok(Seed(self.array()?))
    }

    /// Refuses remaining bytes.
    ///
    /// # Errors
    /// [`WireError::TrailingBytes`].
    pub fn finish(self) -> Result<(), WireError> {
        match self.rest.len() {
            0 => Ok(()),
            extra => Err(WireError::TrailingBytes { extra }),
        }
    }
}

/// Returns `value`, if it is at most `limit`.
///
/// # Errors
/// [`WireError::Range`] with the name of the field.
pub fn at_most(field: &'static str, value: u64, limit: u64) -> Result<u64, WireError> {
    if value > limit { Err(WireError::Range { field, value, limit }) } else { Ok(value) }
}
