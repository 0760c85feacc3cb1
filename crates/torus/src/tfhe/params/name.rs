//! The names of parameter sets.

use crate::tfhe::Error;
use std::fmt;

/// The name of a parameter set: 1 to 40 bytes of UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name {
    bytes: [u8; Name::LONGEST],
    length: u8,
}

impl Name {
    /// Length of the longest name in bytes.
    pub const LONGEST: usize = 40;

    /// Returns a name that is known at compile time.
    ///
    /// # Panics
    /// If it is empty or longer than [`Name::LONGEST`] bytes. In a constant, this is a compile
    /// error.
    pub const fn of(text: &'static str) -> Name {
        let length = text.len();
        assert!(length > 0 && length <= Name::LONGEST, "a name has 1 to 40 bytes");
        let mut bytes = [0; Name::LONGEST];
        let mut index = 0;
        while index < length {
            bytes[index] = text.as_bytes()[index];
            index += 1;
        }
        Name { bytes, length: length as u8 }
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        let bytes = &self.bytes[..self.length.into()];
        std::str::from_utf8(bytes).expect("a name is made from text")
    }
}

/// # Errors
/// [`Error::Spec`] unless the text has 1 to [`Name::LONGEST`] bytes.
impl TryFrom<&str> for Name {
    type Error = Error;

    fn try_from(text: &str) -> Result<Name, Error> {
        let mut bytes = [0; Name::LONGEST];
        let place = bytes.get_mut(..text.len()).filter(|place| !place.is_empty());
        let place = place.ok_or_else(|| Error::Spec {
            field: "name",
            reason: format!("1 to {} bytes, got {}", Name::LONGEST, text.len()),
        })?;
        place.copy_from_slice(text.as_bytes());
        Ok(Name { bytes, length: text.len() as u8 })
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}
