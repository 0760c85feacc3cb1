//! The kinds of encrypted values: integers, truth values, bits and strings.

use crate::errors::Refusal;
use fathom::tfhe::Params;
use fathom::tfhe::boolean::Bit;
use fathom::tfhe::integer::{FheBool, FheBytes, FheValue, Integers, RadixInt};
use fathom::wire::{Wire, WireFresh, WireValue};

/// The encrypted content of a value, by its kind.
pub enum Content {
    /// An integer.
    Integer(RadixInt),
    /// A truth value under the parameters of integers.
    Truth(FheBool),
    /// A truth value under other parameters.
    Bit(Bit),
    /// A string of bytes.
    Bytes(FheBytes),
}

impl Content {
    /// Returns the name of the type: `u8`, `i16` and so on, `bool` or `bytes`.
    pub fn dtype(&self) -> String {
        match self {
            Content::Integer(integer) => {
                let sign = if integer.is_signed() { 'i' } else { 'u' };
                format!("{sign}{}", integer.bits())
            }
            Content::Truth(_) | Content::Bit(_) => "bool".to_owned(),
            Content::Bytes(_) => "bytes".to_owned(),
        }
    }

    /// Encodes the value as the bytes that are sent.
    ///
    /// # Errors
    /// `KindError` for a simulated value.
    pub fn to_bytes(&self, params: &Params) -> Result<Vec<u8>, Refusal> {
        Ok(match self {
            Content::Integer(integer) => integer.to_bytes(params)?,
            Content::Truth(truth) => truth.to_bytes(params)?,
            Content::Bit(bit) => bit.to_bytes(params)?,
            Content::Bytes(bytes) => bytes.to_bytes(params)?,
        })
    }

    /// Reads a value of a kind.
    ///
    /// # Errors
    /// `WireError` for damaged bytes, `KindError` for an unknown kind.
    pub fn from_bytes(kind: &str, params: &Params, data: Frame<'_>) -> Result<Content, Refusal> {
        Ok(match kind {
            "bool" if is_for_integers(params) => Content::Truth(data.value(params)?),
            "bool" => Content::Bit(data.value(params)?),
            "integer" => Content::Integer(data.value(params)?),
            "bytes" => Content::Bytes(data.value(params)?),
            _ => return Err(unknown(kind)),
        })
    }
}

/// The bytes of a value, and how far their sender is trusted.
pub struct Frame<'a> {
    /// The clear bytes.
    pub bytes: &'a [u8],
    /// States whether only a fresh encryption is read.
    pub fresh: bool,
}

impl Frame<'_> {
    fn value<T>(&self, params: &Params) -> Result<T, Refusal>
    where
        T: Wire<Context = Params> + WireFresh,
    {
        let read = if self.fresh { T::from_bytes_fresh } else { T::from_bytes };
        Ok(read(params, self.bytes)?)
    }
}

/// Returns a bit as a truth value of integers.
///
/// # Errors
/// `NoiseError` if it has more noise than the parameters of integers allow.
pub fn truth_of(content: &Content) -> Result<FheBool, Refusal> {
    match content {
        Content::Bit(bit) => Ok(FheBool::from_block(bit.block().clone())?),
        Content::Truth(truth) => Ok(truth.clone()),
        Content::Integer(_) | Content::Bytes(_) => Err(unknown("truth")),
    }
}

/// Returns whether the parameters are those of integers.
pub fn is_for_integers(params: &Params) -> bool {
    Integers::simulated(params).is_ok()
}

/// Returns the refusal of an operation that does not exist.
pub fn unknown(operation: &str) -> Refusal {
    let message = format!("there is no operation {operation} on encrypted values of this type");
    Refusal::new("KindError", "no_operation", message).with("operation", operation.to_owned())
}
