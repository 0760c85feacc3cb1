//! The ciphertexts of one vector.

use crate::bytes::read;
use crate::errors::Refusal;
use crate::params::PyParams;
use crate::scheme::{AnyParts, Of, each, lift};
use crate::threads;
use crate::work::by_count;
use fathom::rlwe::{Ciphertext, MetaCodec, Params};
use fathom::wire::{Wire, WireFresh, WireObject};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The ciphertexts of one vector, of one scheme and one secret key.
#[pyclass(frozen, module = "fathom._fathom")]
pub struct Ciphertexts {
    pub(crate) parts: AnyParts,
}

/// The origin of received ciphertexts, which decides whether their claims are taken over.
#[derive(Clone, Copy)]
enum Trust {
    /// Anyone: only fresh encryptions are taken, with the noise of such.
    Fresh,
    /// Somebody whose noise bounds are believed.
    Computed,
}

fn decoded<S: MetaCodec>(
    params: &Params<S>,
    frames: &[Vec<u8>],
    trust: Trust,
) -> Result<Vec<Ciphertext<S>>, Refusal> {
    threads::map(frames, |_, frame| {
        Ok(match trust {
            Trust::Fresh => Ciphertext::from_bytes_fresh(params, frame)?,
            Trust::Computed => Ciphertext::from_bytes(params, frame)?,
        })
    })
}

#[pymethods]
impl Ciphertexts {
    #[staticmethod]
    fn from_frames(
        py: Python<'_>,
        params: &PyParams,
        frames: Vec<Bound<'_, PyAny>>,
        trust: &str,
    ) -> PyResult<Ciphertexts> {
        let frames = frames.iter().map(read).collect::<PyResult<Vec<_>>>()?;
        let parts = by_count(py, frames.len(), |_| {
            let trust = match trust {
                "fresh" => Trust::Fresh,
                "computed" => Trust::Computed,
                other => {
                    let message = format!("trust {other:?}: take \"fresh\" or \"computed\"");
                    return Err(Refusal::new("KindError", "trust", message));
                }
            };
            Ok(lift!(&params.inner, params => decoded(params, &frames, trust)?))
        })?;
        Ok(Ciphertexts { parts })
    }

    fn to_frames<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let frames = by_count(
            py,
            self.__len__(),
            |_| each!(&self.parts, parts => threads::map(parts, |_, part| Ok(part.to_bytes()))),
        )?;
        Ok(frames.iter().map(|frame| PyBytes::new(py, frame)).collect())
    }

    pub(crate) fn __len__(&self) -> usize {
        each!(&self.parts, parts => parts.len())
    }

    #[getter]
    fn scheme(&self) -> &'static str {
        self.parts.name()
    }

    #[getter]
    fn nbytes(&self) -> usize {
        each!(&self.parts, parts => parts.iter().map(Ciphertext::byte_len).sum())
    }

    #[getter]
    fn noise_left_bits(&self) -> f64 {
        each!(&self.parts, parts => {
            parts.iter().map(Ciphertext::noise_budget_bits).fold(f64::INFINITY, f64::min)
        })
    }

    #[getter]
    pub(crate) fn level(&self) -> usize {
        each!(&self.parts, parts => {
            parts.iter().map(|part| part.level().get()).min().unwrap_or_default()
        })
    }

    #[getter]
    fn key_id(&self) -> Option<String> {
        each!(&self.parts, parts => parts.first().map(|part| part.key_id().to_string()))
    }

    #[getter]
    fn is_fresh(&self) -> bool {
        each!(&self.parts, parts => parts.iter().all(Ciphertext::is_fresh))
    }

    #[getter]
    fn error_bound(&self) -> f64 {
        match &self.parts {
            Of::Bfv(_) | Of::Bgv(_) => 0.0,
            Of::Ckks(parts) => parts.iter().map(Ciphertext::error_bound).fold(0.0, f64::max),
        }
    }

    #[getter]
    fn magnitude_bound(&self) -> Option<f64> {
        match &self.parts {
            Of::Bfv(_) | Of::Bgv(_) => None,
            Of::Ckks(parts) => {
                Some(parts.iter().map(Ciphertext::magnitude_bound).fold(0.0, f64::max))
            }
        }
    }
}
