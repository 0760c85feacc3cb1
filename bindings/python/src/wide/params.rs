//! Parameters of wide integers.

use super::{Of, each};
use crate::bytes::read;
use crate::errors::Refusal;
use crate::params::{encryption, level};
use crate::work::{abandonable, briefly};
use fathom::wide::{Circuit, Params, Preset, Relinearization, VectorParams};
use fathom::wire::WireObject;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Parameters of wide integers.
#[pyclass(frozen, module = "fathom._fathom", name = "WideParams")]
pub struct PyWideParams {
    pub(super) inner: Of<Params, VectorParams>,
}

/// Returns the first parameters for single integers that survive a circuit.
fn for_integers(circuit: &Circuit) -> Result<Params, Refusal> {
    for preset in Preset::ALL {
        let params = Params::preset(preset)?;
        if params.survives(circuit) {
            return Ok(params);
        }
    }
    let Circuit { input_bits, depth, sums, .. } = circuit;
    let message = format!(
        "no parameters hold {depth} products in a row of integers of {input_bits} bits, {sums} of \
         them added up, in one ciphertext; take fewer, or a vector by length="
    );
    let refusal = Refusal::new("ParamsError", "spec", message).with("field", "depth");
    Err(refusal.with("bits", *input_bits).with("depth", *depth).with("terms", *sums))
}

#[pymethods]
impl PyWideParams {
    /// Plans parameters; `length` is that of vectors, of which `summed` elements are added up.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments of Python")]
    #[pyo3(signature = (*, bits, depth, terms, length, summed, encryption, security))]
    fn plan(
        py: Python<'_>,
        bits: u32,
        depth: u32,
        terms: u32,
        length: Option<usize>,
        summed: u32,
        encryption: &str,
        security: u32,
    ) -> PyResult<PyWideParams> {
        let circuit = Circuit {
            input_bits: bits,
            depth,
            sums: terms,
            summed_slots: summed,
            elements: length.unwrap_or(1),
            encryption: self::encryption(encryption)?,
            relinearization: Relinearization::With,
            security: level(security)?,
        };
        let inner = abandonable(py, move || {
            Ok(match length {
                None => Of::Integers(for_integers(&circuit)?),
                Some(_) => Of::Vectors(VectorParams::plan(&circuit)?),
            })
        })?;
        Ok(PyWideParams { inner })
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &Bound<'_, PyAny>, vectors: bool) -> PyResult<Self> {
        let bytes = read(data)?;
        let inner = briefly(py, || {
            Ok(if vectors {
                Of::Vectors(VectorParams::from_bytes(&bytes)?)
            } else {
                Of::Integers(Params::from_bytes(&bytes)?)
            })
        })?;
        Ok(PyWideParams { inner })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        each!(&self.inner, params => PyBytes::new(py, &params.to_bytes()))
    }

    #[getter]
    fn vectors(&self) -> bool {
        matches!(self.inner, Of::Vectors(_))
    }

    #[getter]
    fn degree(&self) -> usize {
        each!(&self.inner, params => params.degree())
    }

    #[getter]
    fn id(&self) -> String {
        let id = each!(&self.inner, params => *params.id());
        id.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the bits of security against the best known classical attack.
    #[getter]
    fn security_bits(&self) -> f64 {
        each!(&self.inner, params => params.assessment().classical_bits)
    }

    /// Returns the bits of the widest results.
    #[getter]
    fn widest_bits(&self) -> f64 {
        match &self.inner {
            Of::Integers(params) => params.widest_bits().into(),
            Of::Vectors(params) => params.value_bits(),
        }
    }
}
