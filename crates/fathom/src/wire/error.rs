//! Why bytes were refused.

use super::Kind;

/// Why bytes were refused. Never holds secret data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// The bytes end too early.
    #[error("{needed} bytes are needed, {got} are there")]
    Truncated {
        /// Bytes that the object has, as far as its beginning tells.
        needed: usize,
        /// Bytes there are.
        got: usize,
    },
    /// There are bytes after the end of the object.
    #[error("{extra} bytes follow the end of the object")]
    TrailingBytes {
        /// How many.
        extra: usize,
    },
    /// The bytes do not begin as an object of this library does.
    #[error("these bytes are no object of this library")]
    Magic,
    /// The format is of another version.
    #[error("the format has version {got}, this library reads version {}", super::VERSION)]
    Version {
        /// Version of the format.
        got: u16,
    },
    /// The bytes hold an object of another type.
    #[error("expected {expected}, got {}", kind_name(*got))]
    Type {
        /// What was to be read.
        expected: Kind,
        /// Tag of the type that is there.
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
    /// The bytes belong to other parameters, or do not describe those they name.
    #[error("the object belongs to other parameters")]
    ParamsMismatch,
    /// The bytes were damaged.
    #[error("the checksum does not match: the bytes were damaged")]
    Checksum,
    /// A number is past its limit.
    #[error("{field} is {value}, the limit is {limit}")]
    Range {
        /// The field.
        field: &'static str,
        /// The number.
        value: u64,
        /// The limit.
        limit: u64,
    },
    /// A field has a form that no encoder writes, or secret content out of range, which is not
    /// shown.
    #[error("{field} has a form that no encoder writes")]
    Malformed {
        /// The field.
        field: &'static str,
    },
    /// A ciphertext claims more noise than can be decrypted at its level.
    #[error("the ciphertext claims 2^{bound_bits:.1} of noise, its level allows 2^{limit_bits:.1}")]
    NoiseBound {
        /// `log2` of the bound claimed.
        bound_bits: f64,
        /// `log2` of the limit.
        limit_bits: f64,
    },
    /// A ciphertext that needs no key to be read: all of its components but the first are zero.
    #[error("the ciphertext is transparent: it needs no key to be read")]
    Transparent,
    /// A key of HFHE cannot be derived from what it says.
    #[error("the key is refused: {0}")]
    Hfhe(#[from] crate::hfhe::Error),
    /// The ciphertext is the result of a computation, where a fresh encryption is asked for.
    #[error(
        "the ciphertext was computed, not freshly encrypted; read it with from_bytes if its sender \
         is trusted"
    )]
    NotFresh,
    /// The bytes hold an integer, a truth value or a list of another type.
    #[error("expected {expected}, got {got}")]
    WordType {
        /// The type of the reader.
        expected: crate::tfhe::integer::WordType,
        /// The type in the frame.
        got: crate::tfhe::integer::WordType,
    },
    /// The object is simulated: no bytes stand for it.
    #[error("the object is simulated: it has no ciphertexts that could be sent")]
    Simulated,
    /// The parameters do not provide for such objects.
    #[error("the parameters do not provide for this: {0}")]
    Torus(#[from] Box<crate::tfhe::Error>),
    /// The tables of the parameters described take more memory than the reader allows.
    #[error(
        "tables of {needed} bytes are needed, {limit} are allowed; from_bytes_within takes another \
         limit"
    )]
    TableBytes {
        /// Bytes of the tables, about.
        needed: usize,
        /// The limit.
        limit: usize,
    },
    /// The parameters described are insecure or impossible.
    #[error("the parameters are refused: {0}")]
    Params(Box<crate::Error>),
}

fn kind_name(tag: u8) -> String {
    Kind::from_tag(tag).map_or_else(|| format!("unknown type {tag}"), |kind| kind.to_string())
}
