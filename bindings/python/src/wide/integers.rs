//! Integers of Python and of the library.

use crate::errors::Refusal;
use fathom::wide::{Integer, WideError};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt};

/// Bits of a limb.
const LIMB: usize = 64;

fn index<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let wrong = value.is_instance_of::<PyBool>() || value.hasattr("__len__")?;
    if !wrong && value.hasattr("__index__")? {
        return value.call_method0("__index__");
    }
    Err(Refusal::of_type("an integer", "int", value).into())
}

/// Reads an integer whose absolute value is stated to be below `2^bits`.
///
/// # Errors
/// `KindError` for anything else, `RangeError` for a greater one.
pub fn read_integer(value: &Bound<'_, PyAny>, bits: u32) -> PyResult<Integer> {
    let value = index(value)?;
    let length = (bits as usize).div_ceil(LIMB).max(1) * LIMB / 8;
    let bytes = value.call_method0("__abs__")?.call_method1("to_bytes", (length, "little"));
    let bytes = bytes.map_err(|error| {
        if error.is_instance_of::<PyOverflowError>(value.py()) {
            return Refusal::from(fathom::Error::from(WideError::BeyondWidth { bits })).into();
        }
        error
    })?;
    let bytes: Vec<u8> = bytes.extract()?;
    let limbs = bytes.as_chunks().0.iter().map(|limb| u64::from_le_bytes(*limb));
    let magnitude = Integer::from_limbs(&limbs.collect::<Vec<_>>());
    Ok(if value.lt(0)? { magnitude.negated() } else { magnitude })
}

/// Reads a public integer with as many bits as it has.
///
/// # Errors
/// `KindError` for anything else.
pub fn read_public(value: &Bound<'_, PyAny>) -> PyResult<(Integer, u32)> {
    let bits: u32 = index(value)?.call_method0("bit_length")?.extract()?;
    Ok((read_integer(value, bits)?, bits))
}

/// Reads an integer of a vector.
///
/// # Errors
/// `KindError` for anything else, `RangeError` for one of more than 127 bits.
pub fn read_element(value: &Bound<'_, PyAny>) -> PyResult<i128> {
    index(value)?.extract::<i128>().map_err(|error| {
        if error.is_instance_of::<PyOverflowError>(value.py()) {
            let message = "the elements of vectors have up to 127 bits";
            return Refusal::new("RangeError", "too_wide", message).with("bits", 127_u32).into();
        }
        error
    })
}

/// Returns an integer of Python.
///
/// # Errors
/// None but those of the interpreter, such as too little memory.
pub fn to_python<'py>(py: Python<'py>, value: &Integer) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = value.magnitude().iter().flat_map(|limb| limb.to_le_bytes()).collect();
    let magnitude =
        py.get_type::<PyInt>().call_method1("from_bytes", (PyBytes::new(py, &bytes), "little"))?;
    if value.is_negative() { magnitude.neg() } else { Ok(magnitude) }
}
