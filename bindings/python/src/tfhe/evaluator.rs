//! The party that computes: evaluation keys with threads.

use super::content::{Content, unknown};
use super::lists::{on_list, read_table, sorted_by, weighted_sum};
use super::machine::Machine;
use super::operand::{Operand, clear_integer, clear_truth};
use super::params_of;
use super::value::PyTfheValue;
use crate::bytes::read;
use crate::errors::Refusal;
use crate::work::{abandonable, watched};
use fathom::KeyId;
use fathom::tfhe::boolean::Bit;
use fathom::tfhe::integer::{FheBool, FheBytes, FheValue, RadixInt, ValueType};
use fathom::tfhe::{Block, Evaluator, Params, Policy, SeededEvaluationKeys};
use fathom::wire::{Wire, WireObject};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::BTreeMap;

/// The bits of an integer that a block holds.
const DIGIT_BITS: usize = 2;

/// Evaluation keys of TFHE with threads of their own, which do not survive a fork.
#[pyclass(frozen, module = "fathom._fathom", name = "TfheEvaluator", weakref)]
pub struct PyTfheEvaluator {
    inner: Machine,
    /// The key that the evaluator belongs to; `None` for a simulation.
    key: Option<KeyId>,
    /// The keys as they are sent: what is expanded has no wire form.
    seeded: Vec<u8>,
    process: u32,
}

#[pymethods]
impl PyTfheEvaluator {
    #[new]
    fn new(
        py: Python<'_>,
        params: &Bound<'_, PyAny>,
        keys: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<PyTfheEvaluator> {
        let (params, seeded) = (read(params)?, read(keys)?);
        let (inner, key, seeded) = abandonable(py, move || {
            let keys = SeededEvaluationKeys::from_bytes(&params_of(&params)?, &seeded)?;
            Ok((Machine::new(Evaluator::new(keys.expand()?, threads)?)?, keys.key_id(), seeded))
        })?;
        let (key, process) = (Some(key), std::process::id());
        Ok(PyTfheEvaluator { inner, key, seeded, process })
    }

    /// Makes an evaluator without keys, which counts bootstraps as one of so many threads does.
    #[staticmethod]
    fn simulated(threads: usize) -> Result<PyTfheEvaluator, Refusal> {
        let params = Params::preset(Params::INTEGERS)?;
        let evaluator = Evaluator::simulated(&params).with_policy(Policy::for_threads(threads));
        let (inner, process) = (Machine::new(evaluator)?, std::process::id());
        Ok(PyTfheEvaluator { inner, key: None, seeded: Vec::new(), process })
    }

    /// Returns a simulated fresh encryption of an integer.
    fn simulated_integer(&self, bits: usize, signed: bool) -> Result<PyTfheValue, Refusal> {
        let (ty, params) = (type_of((signed, bits))?, self.params());
        let digit = || Block::simulated(params.space(), 0, (0, params.message_modulus() - 1));
        let blocks = (0..bits / DIGIT_BITS).map(|_| digit()).collect();
        Ok(PyTfheValue::new(Content::Integer(RadixInt::from_blocks(ty, blocks)?), params))
    }

    /// Returns a simulated fresh encryption of a truth value.
    fn simulated_truth(&self) -> Result<PyTfheValue, Refusal> {
        let truth = FheBool::from_block(Block::simulated(self.params().space(), 0, (0, 1)))?;
        Ok(PyTfheValue::new(Content::Truth(truth), self.params()))
    }

    /// Returns the number of layers so far by the number of their bootstraps.
    fn layer_sizes(&self) -> BTreeMap<u64, u64> {
        self.layers()
    }

    #[getter]
    fn params_name(&self) -> String {
        self.params().name().to_owned()
    }

    #[getter]
    fn security_bits(&self) -> f64 {
        let [small, big] = self.params().security_bits();
        small.min(big)
    }

    /// Returns the logarithm of the probability that a bootstrap is wrong.
    #[getter]
    fn failure_log2(&self) -> f64 {
        self.params().spec().failure_log2
    }

    fn params_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.params().to_bytes())
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.seeded)
    }

    /// Returns the bytes of the keys as they are sent.
    #[getter]
    fn nbytes(&self) -> usize {
        self.seeded.len()
    }

    #[getter]
    fn key_id(&self) -> Option<String> {
        self.key.map(|key| key.to_string())
    }

    /// Computes an operation of two operands, of which the second may be clear.
    fn binary(
        &self,
        py: Python<'_>,
        operation: &str,
        a: &PyTfheValue,
        b: &Bound<'_, PyAny>,
    ) -> PyResult<PyTfheValue> {
        let second = Operand::beside(a.content(), b)?;
        self.apply(py, operation, &[Operand::Encrypted(a.content()), second])
    }

    /// Negates an integer, or inverts the bits of an integer or a truth value.
    fn unary(&self, py: Python<'_>, operation: &str, a: &PyTfheValue) -> PyResult<PyTfheValue> {
        self.apply(py, operation, &[Operand::Encrypted(a.content())])
    }

    /// Computes an operation of three values: `where` returns the second where the first is true
    /// and the third elsewhere, `majority` what at least two of three truth values are.
    fn ternary(
        &self,
        py: Python<'_>,
        operation: &str,
        a: &PyTfheValue,
        b: &PyTfheValue,
        c: &PyTfheValue,
    ) -> PyResult<PyTfheValue> {
        self.apply(py, operation, &[a, b, c].map(|value| Operand::Encrypted(value.content())))
    }

    /// Searches a string for another, which may be clear: returns the place and whether it stands.
    fn search(
        &self,
        py: Python<'_>,
        operation: &str,
        a: &PyTfheValue,
        b: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<PyTfheValue>> {
        let operands = [Operand::Encrypted(a.content()), Operand::beside(a.content(), b)?];
        self.compute(py, |machine| machine.apply(operation, &operands))
    }

    /// Computes an operation on each value and the operands at the same place of each column.
    #[expect(clippy::needless_pass_by_value, reason = "it is extracted from an object of Python")]
    fn each(
        &self,
        py: Python<'_>,
        operation: &str,
        values: Vec<Py<PyTfheValue>>,
        columns: Vec<Vec<Bound<'_, PyAny>>>,
    ) -> PyResult<Vec<PyTfheValue>> {
        let mut rows = Vec::with_capacity(values.len());
        for (place, value) in values.iter().enumerate() {
            let first = value.get().content();
            let mut row = vec![Operand::Encrypted(first)];
            for column in &columns {
                let operand = column.get(place).ok_or_else(|| unknown(operation))?;
                row.push(Operand::beside(first, operand)?);
            }
            rows.push(row);
        }
        self.compute(py, |machine| machine.each(operation, &rows))
    }

    /// Computes an operation on a list and sometimes an operand, such as the index of a lookup.
    #[pyo3(signature = (operation, values, operand))]
    #[expect(clippy::needless_pass_by_value, reason = "it is extracted from an object of Python")]
    fn of_list(
        &self,
        py: Python<'_>,
        operation: &str,
        values: Vec<Py<PyTfheValue>>,
        operand: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<PyTfheValue>> {
        let list = contents(&values);
        let first = list.first().ok_or_else(|| unknown(operation))?;
        let operand = operand.as_ref().map(|value| Operand::beside(first, value)).transpose()?;
        self.compute(py, |machine| on_list(machine, operation, &list, operand.as_ref()))
    }

    /// Sorts integers by as many keys: returns the keys, then the values.
    #[expect(clippy::needless_pass_by_value, reason = "it is extracted from an object of Python")]
    fn sort_by(
        &self,
        py: Python<'_>,
        keys: Vec<Py<PyTfheValue>>,
        values: Vec<Py<PyTfheValue>>,
    ) -> PyResult<Vec<PyTfheValue>> {
        let (keys, values) = (contents(&keys), contents(&values));
        self.compute(py, |machine| sorted_by(machine, &keys, &values))
    }

    /// Computes the sum of products with clear weights as an integer of a type.
    #[expect(clippy::needless_pass_by_value, reason = "it is extracted from an object of Python")]
    fn dot_clear(
        &self,
        py: Python<'_>,
        values: Vec<Py<PyTfheValue>>,
        weights: Vec<Bound<'_, PyAny>>,
        dtype: (bool, usize),
    ) -> PyResult<Vec<PyTfheValue>> {
        let (list, ty) = (contents(&values), type_of(dtype)?);
        let weights = weights.iter().map(clear_integer).collect::<PyResult<Vec<_>>>()?;
        self.compute(py, |machine| weighted_sum(machine, &list, &weights, ty))
    }

    /// Reads a clear table at an encrypted index as an integer of a type.
    #[expect(clippy::needless_pass_by_value, reason = "it is extracted from an object of Python")]
    fn lookup_clear(
        &self,
        py: Python<'_>,
        table: Vec<Bound<'_, PyAny>>,
        index: &PyTfheValue,
        dtype: (bool, usize),
    ) -> PyResult<Vec<PyTfheValue>> {
        let ty = type_of(dtype)?;
        let table = table.iter().map(clear_integer).collect::<PyResult<Vec<_>>>()?;
        self.compute(py, |machine| read_table(machine, &table, index.content(), ty))
    }

    /// Returns a clear value of the type of another as a value that hides nothing.
    fn trivial(&self, like: &PyTfheValue, value: &Bound<'_, PyAny>) -> PyResult<PyTfheValue> {
        let content = match like.content() {
            Content::Integer(integer) => {
                let trivial = RadixInt::trivial(integer.value_type(), clear_integer(value)?);
                Content::Integer(trivial.map_err(Refusal::from)?)
            }
            Content::Truth(_) => Content::Truth(FheBool::trivial(clear_truth(value)?)),
            Content::Bit(_) => Content::Bit(Bit::trivial(like.params(), clear_truth(value)?)),
            Content::Bytes(_) => Content::Bytes(FheBytes::trivial(&read(value)?)),
        };
        Ok(PyTfheValue::new(content, like.params()))
    }
}

/// Returns the contents of values.
fn contents(values: &[Py<PyTfheValue>]) -> Vec<&Content> {
    values.iter().map(|value| value.get().content()).collect()
}

/// Returns the type of integers with or without a sign and of so many bits.
fn type_of((signed, bits): (bool, usize)) -> Result<ValueType, Refusal> {
    Ok(if signed { ValueType::signed(bits)? } else { ValueType::unsigned(bits)? })
}

impl PyTfheEvaluator {
    /// Returns the parameters.
    pub fn params(&self) -> &Params {
        self.inner.evaluator().params()
    }

    /// Returns the number of layers so far by the number of their bootstraps.
    pub fn layers(&self) -> BTreeMap<u64, u64> {
        self.inner.evaluator().layer_sizes()
    }

    fn bootstraps(&self) -> u64 {
        self.inner.evaluator().counts().bootstraps
    }

    fn apply(
        &self,
        py: Python<'_>,
        operation: &str,
        operands: &[Operand<'_>],
    ) -> PyResult<PyTfheValue> {
        let results = self.compute(py, |machine| machine.apply(operation, operands))?;
        Ok(results.into_iter().next().ok_or_else(|| unknown(operation))?)
    }

    fn compute(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Machine) -> Result<Vec<Content>, Refusal> + Send,
    ) -> PyResult<Vec<PyTfheValue>> {
        self.check_process()?;
        let before = self.bootstraps();
        let report = |py: Python<'_>, ended: bool| -> PyResult<()> {
            // A simulation is no work that anybody waits for.
            if self.key.is_some() {
                let done = self.bootstraps() - before;
                py.import("fathom._progress")?.getattr("report")?.call1((done, ended))?;
            }
            Ok(())
        };
        let computed = |token: &_| work(&self.inner.with_cancel(token)?);
        let results = watched(py, computed, |py| report(py, false))?;
        report(py, true)?;
        Ok(results.into_iter().map(|content| PyTfheValue::new(content, self.params())).collect())
    }

    /// Refuses to work in another process than the one whose threads there are.
    fn check_process(&self) -> Result<(), Refusal> {
        let (made_in, here) = (self.process, std::process::id());
        if made_in == here {
            return Ok(());
        }
        let message = format!(
            "this server was made in process {made_in}, and its threads did not survive the fork \
             to process {here}: make it after the fork, or start processes with \
             multiprocessing.get_context(\"spawn\")"
        );
        let refusal = Refusal::new("ForkError", "forked", message);
        Err(refusal.with("made_in", made_in).with("process", here))
    }
}
