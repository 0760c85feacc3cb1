//! Encrypted strings of bytes: [`FheBytes`], and the operations of [`ByteStrings`].

mod case;
mod compare;
mod encrypt;
mod fhe_bytes;
mod matching;
mod search;
mod strings;
mod text;

pub use fhe_bytes::{FheBytes, Padding};
pub use strings::ByteStrings;
pub use text::Text;

/// The number of blocks of a byte.
const BYTE_BLOCKS: usize = 4;
