//! The operands of operations: encrypted values and clear ones.

use super::content::{Content, unknown};
use super::value::PyTfheValue;
use crate::bytes::read;
use crate::errors::Refusal;
use fathom::tfhe::integer::Clear;
use pyo3::prelude::*;
use pyo3::types::PyBool;

/// The operand of an operation.
pub enum Operand<'a> {
    /// An encrypted value.
    Encrypted(&'a Content),
    /// A clear integer.
    Integer(Clear),
    /// A clear truth value.
    Truth(bool),
    /// Clear bytes.
    Bytes(Vec<u8>),
}

impl<'a> Operand<'a> {
    /// Reads the operand that stands beside a value: another value, or a clear one of its kind.
    ///
    /// # Errors
    /// `KindError` for anything else, `RangeError` for an integer of more than 128 bits.
    pub fn beside(first: &Content, value: &'a Bound<'_, PyAny>) -> PyResult<Operand<'a>> {
        if let Ok(value) = value.cast::<PyTfheValue>() {
            return Ok(Operand::Encrypted(value.get().content()));
        }
        match first {
            Content::Integer(_) => clear_integer(value).map(Operand::Integer),
            Content::Truth(_) | Content::Bit(_) => clear_truth(value).map(Operand::Truth),
            Content::Bytes(_) => read(value).map(Operand::Bytes),
        }
    }

    /// Returns the name of the operand's type.
    pub fn dtype(&self) -> String {
        match self {
            Operand::Encrypted(content) => content.dtype(),
            Operand::Integer(_) => "int".to_owned(),
            Operand::Truth(_) => "bool".to_owned(),
            Operand::Bytes(_) => "bytes".to_owned(),
        }
    }
}

/// Reads a clear integer.
///
/// # Errors
/// `KindError` for anything else, `RangeError` for more than 128 bits.
pub fn clear_integer(value: &Bound<'_, PyAny>) -> PyResult<Clear> {
    if !value.is_instance_of::<PyBool>() {
        if let Ok(number) = value.extract::<u128>() {
            return Ok(number.into());
        }
        if let Ok(number) = value.extract::<i128>() {
            return Ok(number.into());
        }
        if value.hasattr("__index__")? && !value.hasattr("__len__")? {
            let message = "the clear value does not fit 128 bits";
            let refusal = Refusal::new("RangeError", "clear_out_of_range", message);
            return Err(refusal.with("bits", 128_u32).into());
        }
    }
    Err(Refusal::of_type("an integer", "int", value).into())
}

/// Reads a clear truth value.
///
/// # Errors
/// `KindError` for anything else.
pub fn clear_truth(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    match value.cast::<PyBool>() {
        Ok(truth) => Ok(truth.is_true()),
        Err(_) => Err(Refusal::of_type("a truth value", "bool", value).into()),
    }
}

/// Refuses an operation that there is not for operands of these types.
pub fn refused(operation: &str, operands: &[Operand<'_>]) -> Refusal {
    if let [first, .., last] = operands
        && first.dtype() != last.dtype()
    {
        let (expected, got) = (first.dtype(), last.dtype());
        let message = format!("{operation} takes operands of one type, got {expected} and {got}");
        let refusal = Refusal::new("KindError", "type_mismatch", message);
        return refusal.with("expected", expected).with("got", got);
    }
    unknown(operation)
}
