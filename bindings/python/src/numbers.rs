//! Numbers from Python and back: buffers of any integer or floating-point type, and sequences.

use crate::errors::Refusal;
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::{PyNotImplementedError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyComplex, PyFloat, PyInt};

/// A number that slots hold.
pub trait Number: Copy + Send + Sync + 'static {
    /// Zero, which fills slots without a value.
    const ZERO: Self;

    /// Reads a list of numbers.
    ///
    /// # Errors
    /// `KindError` for values of another kind, `RangeError` for those that 64 bits do not hold,
    /// `ShapeError` for anything but one dimension.
    fn list(values: &Bound<'_, PyAny>) -> PyResult<Vec<Self>>;

    /// Returns whether the number is from `low` to `high`.
    fn is_within(self, low: i64, high: i64) -> bool;

    /// Returns the eight bytes that a buffer of Python holds for the number.
    fn to_bytes(self) -> [u8; 8];
}

impl Number for i64 {
    const ZERO: i64 = 0;

    fn list(values: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
        macro_rules! buffers {
            ($($type:ty),+) => {
                $(if let Some(found) = from_buffer::<$type>(values)? {
                    return Ok(found.into_iter().map(i64::from).collect());
                })+
            };
        }
        buffers!(i64, i32, i16, i8, u32, u16, u8);
        if let Some(found) = from_buffer::<u64>(values)? {
            let wide = |index| out_of_range(values.py(), index);
            let numbers = found.into_iter().enumerate();
            return numbers.map(|(i, v)| i64::try_from(v).map_err(|_| wide(i))).collect();
        }
        each(values, |index, item| {
            let py = item.py();
            if item.is_instance_of::<PyFloat>() || item.is_instance_of::<PyBool>() {
                return Err(wrong_kind(&item, index, "an integer"));
            }
            item.extract::<i64>().map_err(|error| {
                if error.is_instance_of::<PyOverflowError>(py) {
                    return out_of_range(py, index);
                }
                wrong_kind(&item, index, "an integer")
            })
        })
    }

    fn is_within(self, low: i64, high: i64) -> bool {
        (low..=high).contains(&self)
    }

    fn to_bytes(self) -> [u8; 8] {
        self.to_ne_bytes()
    }
}

impl Number for f64 {
    const ZERO: f64 = 0.0;

    fn list(values: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
        if let Some(found) = from_buffer::<f64>(values)? {
            return Ok(found);
        }
        macro_rules! buffers {
            ($($type:ty),+) => {
                $(if let Some(found) = from_buffer::<$type>(values)? {
                    return Ok(found.into_iter().map(f64::from).collect());
                })+
            };
        }
        buffers!(f32, i32, i16, i8, u32, u16, u8);
        each(values, |index, item| {
            if item.is_instance_of::<PyBool>() || is_complex(&item)? {
                return Err(wrong_kind(&item, index, "a real number"));
            }
            item.extract::<f64>().map_err(|error| {
                if error.is_instance_of::<PyOverflowError>(item.py()) {
                    return beyond_floats(item.py(), index);
                }
                wrong_kind(&item, index, "a real number")
            })
        })
    }

    fn is_within(self, low: i64, high: i64) -> bool {
        (low as f64..=high as f64).contains(&self)
    }

    fn to_bytes(self) -> [u8; 8] {
        self.to_ne_bytes()
    }
}

/// Reads a buffer of one type, or returns none if the object has no such buffer in the byte order
/// of this machine.
fn from_buffer<T: Element>(values: &Bound<'_, PyAny>) -> PyResult<Option<Vec<T>>> {
    let Ok(buffer) = PyBuffer::<T>::get(values) else { return Ok(None) };
    // PyO3 compares types and sizes of elements, and not their byte order.
    let foreign: &[u8] = if cfg!(target_endian = "little") { b">!" } else { b"<" };
    if buffer.format().to_bytes().first().is_some_and(|order| foreign.contains(order)) {
        return Ok(None);
    }
    if buffer.dimensions() != 1 {
        let message = format!("expected one dimension, got {}", buffer.dimensions());
        let refusal = Refusal::new("ShapeError", "dimensions", message);
        return Err(refusal.with("got", buffer.dimensions()).into_exception(values.py()));
    }
    buffer.to_vec(values.py()).map(Some)
}

/// Returns whether a number is complex: NumPy would drop the imaginary part with a warning.
fn is_complex(item: &Bound<'_, PyAny>) -> PyResult<bool> {
    if item.is_instance_of::<PyFloat>() || item.is_instance_of::<PyInt>() {
        return Ok(false);
    }
    if item.is_instance_of::<PyComplex>() {
        return Ok(true);
    }
    let dtype = item.getattr_opt("dtype")?;
    dtype.map_or(Ok(false), |dtype| dtype.getattr("kind")?.eq("c"))
}

/// Reads an iterable item by item.
fn each<'py, T>(
    values: &Bound<'py, PyAny>,
    mut read: impl FnMut(usize, Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    let py = values.py();
    let items = values.try_iter().map_err(|error| {
        if error.is_instance_of::<PyTypeError>(py) {
            return wrong_kind(values, 0, "a sequence of numbers");
        }
        unreadable(py, error)
    })?;
    let read =
        |(index, item): (_, PyResult<_>)| read(index, item.map_err(|error| unreadable(py, error))?);
    items.enumerate().map(read).collect()
}

/// Turns the error of Python for a buffer that it does not read into a refusal.
fn unreadable(py: Python<'_>, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyNotImplementedError>(py) {
        return error;
    }
    let message = "the buffer has elements of another byte order, or of a type that is no number: \
                   read it with numpy.asarray, or make a list of its numbers";
    let refusal = Refusal::new("KindError", "type_mismatch", message);
    refusal.with("expected", "numbers").into_exception(py)
}

fn wrong_kind(item: &Bound<'_, PyAny>, index: usize, expected: &'static str) -> PyErr {
    let got = item.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    let message = format!("value number {index} is of type {got}, expected {expected}");
    let refusal = Refusal::new("KindError", "type_mismatch", message);
    refusal
        .with("index", index)
        .with("expected", expected)
        .with("got", got)
        .into_exception(item.py())
}

fn out_of_range(py: Python<'_>, index: usize) -> PyErr {
    let message =
        format!("value number {index} does not fit 64 bits; encrypt it as a wide integer");
    Refusal::new("RangeError", "value_out_of_range", message)
        .with("index", index)
        .into_exception(py)
}

fn beyond_floats(py: Python<'_>, index: usize) -> PyErr {
    let message = format!("value number {index} has no value in 64-bit floating point");
    Refusal::new("RangeError", "value_out_of_range", message)
        .with("index", index)
        .into_exception(py)
}

/// Returns numbers as the bytes of a buffer.
pub fn to_buffer<'py, N: Number>(py: Python<'py>, values: &[N]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, 8 * values.len(), |bytes| {
        for (eight, value) in bytes.chunks_exact_mut(8).zip(values) {
            eight.copy_from_slice(&value.to_bytes());
        }
        Ok(())
    })
}
