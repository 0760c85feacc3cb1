//! The errors of decoding.

use crate::ValueType;
use crate::kind::Kind;

/// The reason why bytes cannot be decoded. It never holds secret data.
///
/// Decoders return it inside [`Error::Wire`](crate::Error::Wire). Refusals that other operations
/// share, such as objects of different parameters, are variants of [`Error`](crate::Error) itself.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// The bytes end too early.
    #[error("the object needs {needed} bytes, {got} are available")]
    Truncated {
        /// Required length in bytes, as far as the beginning of the object tells.
        needed: usize,
        /// Available length in bytes.
        got: usize,
    },
    /// There are bytes after the end of the object.
    #[error("{extra} bytes follow the end of the object")]
    TrailingBytes {
        /// Number of additional bytes.
        extra: usize,
    },
    /// The bytes do not begin like an object of this library.
    #[error("the bytes are not an object of this library, which begins with `FATHOM`")]
    Magic,
    /// The bytes have another version of the format.
    #[error("the format has version {got}, this library reads version {reads}")]
    Version {
        /// Version of the format.
        got: u16,
        /// The version that is read: of the format of frames, or of that of key files.
        reads: u16,
    },
    /// The bytes hold an object of another type.
    #[error("expected {expected}, got {}", kind_name(*got))]
    Type {
        /// The expected type.
        expected: Kind,
        /// Tag of the actual type.
        got: u8,
    },
    /// The bytes belong to another scheme.
    #[error("expected an object of scheme {expected}, got {:?}", String::from_utf8_lossy(got))]
    Scheme {
        /// Scheme of the reader.
        expected: &'static str,
        /// Name in the header, padded with zeros.
        got: [u8; 4],
    },
    /// A field contradicts other fields, such as primes that differ from those that the described
    /// parameters imply.
    #[error("the field {field} contradicts the rest of the object")]
    Contradiction {
        /// The name of the field.
        field: &'static str,
    },
    /// The checksum does not match.
    #[error("the checksum does not match: the bytes were damaged; send them again")]
    Checksum,
    /// A number exceeds its limit.
    #[error("{field} is {value}, the limit is {limit}")]
    Range {
        /// The name of the field.
        field: &'static str,
        /// The number in the field.
        value: u64,
        /// The limit.
        limit: u64,
    },
    /// A field has a form that no encoder writes, or its secret content is out of range. The error
    /// does not contain the content.
    #[error("the field {field} has a form that no encoder writes")]
    Malformed {
        /// The name of the field.
        field: &'static str,
    },
    /// A ciphertext claims more noise than can be decrypted at its level.
    #[error(
        "the ciphertext claims a noise bound of 2^{bound_bits:.1}, but its level allows \
         2^{limit_bits:.1}"
    )]
    NoiseBound {
        /// `log2` of the bound claimed.
        bound_bits: f64,
        /// `log2` of the limit.
        limit_bits: f64,
    },
    /// A fresh encryption was expected, but the ciphertext is the result of a computation.
    #[error(
        "the ciphertext was computed, not freshly encrypted; read it with from_bytes if its sender \
         is trusted"
    )]
    NotFresh,
    /// The bytes hold an integer, a truth value or a list of another type.
    #[error("expected {expected}, got {got}")]
    ValueType {
        /// The expected type.
        expected: ValueType,
        /// The type in the frame.
        got: ValueType,
    },
    /// The tables of the described parameters would take more memory than the reader allows.
    #[error(
        "the parameters need tables of {needed} bytes, {limit} are allowed; from_bytes_within sets \
         another limit"
    )]
    TableBytes {
        /// Approximate size of the tables in bytes.
        needed: usize,
        /// The limit.
        limit: usize,
    },
}

fn kind_name(tag: u8) -> String {
    Kind::from_tag(tag).map_or_else(|| format!("unknown type {tag}"), |kind| kind.to_string())
}
