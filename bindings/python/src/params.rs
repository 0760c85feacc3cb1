//! Parameters of BFV, BGV and CKKS.

use crate::bytes::read;
use crate::errors::Refusal;
use crate::scheme::{AnyParams, Of, each, unknown_scheme};
use crate::work::abandonable;
use fathom::ckks;
use fathom::rlwe::Encryption;
use fathom::rlwe::modular::{Circuit, Modular, Plan, Preset};
use fathom::wire::WireObject;
use fathom::{Error, SecurityLevel, bfv, bgv};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Checked parameters of one scheme.
#[pyclass(frozen, module = "fathom._fathom", name = "Params", weakref)]
pub struct PyParams {
    pub(crate) inner: AnyParams,
}

/// Room for the sign and the noise above the largest value, in bits.
const SPARE_BITS: f64 = 2.0;

/// The widest primes that hold the last values, in bits.
const WIDEST_PRIME: f64 = 45.0;

/// The name of a planned set, which has none.
const PLANNED: &str = "planned";

/// Returns the level of security by its bits.
///
/// # Errors
/// `ParamsError` for other bits than 128, 192 and 256.
pub fn level(bits: u32) -> Result<SecurityLevel, Refusal> {
    match bits {
        128 => Ok(SecurityLevel::Bits128),
        192 => Ok(SecurityLevel::Bits192),
        256 => Ok(SecurityLevel::Bits256),
        _ => {
            let message = format!("security {bits}: take 128, 192 or 256 bits");
            Err(Refusal::new("ParamsError", "spec", message).with("field", "security"))
        }
    }
}

/// Returns the key that encrypts by its name.
///
/// # Errors
/// `ParamsError` for another name.
pub fn encryption(name: &str) -> Result<Encryption, Refusal> {
    match name {
        "secret" => Ok(Encryption::SecretKey),
        "public" => Ok(Encryption::PublicKey),
        _ => {
            let message = format!("encryption {name:?}: take \"secret\" or \"public\"");
            Err(Refusal::new("ParamsError", "spec", message).with("field", "encryption"))
        }
    }
}

/// A request of parameters for exact integers.
struct Request {
    slots: usize,
    value_bits: u32,
    circuit: Circuit,
    security: SecurityLevel,
}

impl Request {
    fn planned<S: Modular>(&self) -> Result<fathom::rlwe::Params<S>, Error> {
        let plan: Plan<S> = fathom::rlwe::Params::<S>::for_slots(
            self.slots,
            self.value_bits,
            self.circuit,
            self.security,
        )?;
        Ok(plan.into_params())
    }
}

#[pymethods]
impl PyParams {
    #[staticmethod]
    fn preset(py: Python<'_>, scheme: &str, name: &str) -> PyResult<PyParams> {
        let (scheme, name) = (scheme.to_owned(), name.to_owned());
        let inner = abandonable(py, move || {
            let unknown = || Refusal::from(Error::UnknownPreset { name: name.clone() });
            let named = |preset: &Preset| preset.name() == name;
            let modular = || Preset::ALL.into_iter().find(named).ok_or_else(unknown);
            Ok(match scheme.as_str() {
                "bfv" => Of::Bfv(bfv::Params::preset(modular()?)?),
                "bgv" => Of::Bgv(bgv::Params::preset(modular()?)?),
                "ckks" => {
                    let preset = ckks::Preset::ALL.into_iter().find(|set| set.name() == name);
                    Of::Ckks(ckks::Params::preset(preset.ok_or_else(unknown)?)?)
                }
                other => return Err(unknown_scheme(other)),
            })
        })?;
        Ok(PyParams { inner })
    }

    #[staticmethod]
    fn preset_names(py: Python<'_>, scheme: &str) -> PyResult<Vec<&'static str>> {
        match scheme {
            "bfv" | "bgv" => Ok(Preset::ALL.into_iter().map(Preset::name).collect()),
            "ckks" => Ok(ckks::Preset::ALL.into_iter().map(ckks::Preset::name).collect()),
            other => Err(unknown_scheme(other).into_exception(py)),
        }
    }

    #[staticmethod]
    #[pyo3(signature = (
        scheme, *, slots, value_bits, products, rotations, terms, encryption, security
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python has keywords")]
    fn for_integers(
        py: Python<'_>,
        scheme: &str,
        slots: usize,
        value_bits: u32,
        products: usize,
        rotations: usize,
        terms: usize,
        encryption: &str,
        security: u32,
    ) -> PyResult<PyParams> {
        let encryption = self::encryption(encryption)?;
        let circuit = Circuit { products, rotations, terms: 1, results: terms, encryption };
        let request = Request { slots, value_bits, circuit, security: level(security)? };
        let scheme = scheme.to_owned();
        let inner = abandonable(py, move || {
            Ok(match scheme.as_str() {
                "bfv" => Of::Bfv(request.planned()?),
                "bgv" => Of::Bgv(request.planned()?),
                other => return Err(unknown_scheme(other)),
            })
        })?;
        Ok(PyParams { inner })
    }

    #[staticmethod]
    #[pyo3(signature = (*, depth, terms, precision, magnitude, encryption, security))]
    fn for_reals(
        py: Python<'_>,
        depth: usize,
        terms: usize,
        precision: f64,
        magnitude: f64,
        encryption: &str,
        security: u32,
    ) -> PyResult<PyParams> {
        let (encryption, security) = (self::encryption(encryption)?, level(security)?);
        let request = Approximate { depth, terms, precision, magnitude, encryption, security };
        let inner = abandonable(py, move || Ok(Of::Ckks(request.planned()?)))?;
        Ok(PyParams { inner })
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, scheme: &str, data: &Bound<'_, PyAny>) -> PyResult<PyParams> {
        let (bytes, scheme) = (read(data)?, scheme.to_owned());
        let inner = abandonable(py, move || {
            Ok(match scheme.as_str() {
                "bfv" => Of::Bfv(bfv::Params::from_bytes(&bytes)?),
                "bgv" => Of::Bgv(bgv::Params::from_bytes(&bytes)?),
                "ckks" => Of::Ckks(ckks::Params::from_bytes(&bytes)?),
                other => return Err(unknown_scheme(other)),
            })
        })?;
        Ok(PyParams { inner })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &each!(&self.inner, params => params.to_bytes()))
    }

    #[getter]
    fn scheme(&self) -> &'static str {
        self.inner.name()
    }

    #[getter]
    fn name(&self) -> String {
        let name = each!(&self.inner, params => params.name());
        if name.is_empty() { PLANNED.to_owned() } else { name.to_owned() }
    }

    #[getter]
    fn degree(&self) -> usize {
        each!(&self.inner, params => params.degree())
    }

    #[getter]
    fn slots(&self) -> usize {
        each!(&self.inner, params => params.slot_count())
    }

    #[getter]
    fn top_level(&self) -> usize {
        each!(&self.inner, params => params.top_level().get())
    }

    #[getter]
    fn plain_modulus(&self) -> Option<u64> {
        match &self.inner {
            Of::Bfv(params) => Some(params.plain_modulus()),
            Of::Bgv(params) => Some(params.plain_modulus()),
            Of::Ckks(_) => None,
        }
    }

    #[getter]
    fn magnitude(&self) -> Option<f64> {
        match &self.inner {
            Of::Bfv(_) | Of::Bgv(_) => None,
            Of::Ckks(params) => Some(params.magnitude()),
        }
    }

    #[getter]
    fn log2_modulus(&self) -> f64 {
        each!(&self.inner, params => params.log2_largest_modulus())
    }

    fn log2_modulus_at(&self, py: Python<'_>, level: usize) -> PyResult<f64> {
        let found = each!(&self.inner, params => params.log2_modulus(level));
        found.map_err(|error| Refusal::from(error).into_exception(py))
    }

    #[getter]
    fn scale_bits(&self) -> Option<f64> {
        match &self.inner {
            Of::Bfv(_) | Of::Bgv(_) => None,
            Of::Ckks(params) => Some(params.spec().scale_bits),
        }
    }

    #[getter]
    fn failure_log2(&self) -> f64 {
        each!(&self.inner, params => params.spec().failure_log2)
    }

    #[getter]
    fn security_bits(&self) -> f64 {
        each!(&self.inner, params => params.assessment().classical_bits)
    }

    #[getter]
    fn kernel(&self) -> &'static str {
        each!(&self.inner, params => params.kernel_name())
    }

    #[getter]
    fn id(&self) -> String {
        let id = each!(&self.inner, params => *params.id());
        id.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The circuit on approximate numbers that parameters are planned for.
struct Approximate {
    depth: usize,
    terms: usize,
    precision: f64,
    magnitude: f64,
    encryption: Encryption,
    security: SecurityLevel,
}

impl Approximate {
    /// Returns the smallest parameters with the precision for products in a row that stay within
    /// the magnitude, such as those with weights up to 1, and for a sum of such products.
    ///
    /// One product of two values up to the magnitude, and such a sum, have room too, with less
    /// precision.
    fn planned(&self) -> Result<ckks::Params, Error> {
        let circuit = |evaluator: &ckks::Evaluator| {
            let top = evaluator.params().top_level();
            let fresh =
                |magnitude| evaluator.simulated_encryption_within(self.encryption, magnitude, top);
            let weight = fresh(1.0)?;
            let product = (0..self.depth)
                .try_fold(fresh(self.magnitude)?, |x, _| evaluator.mul(&x, &weight))?;
            Ok(vec![match self.terms {
                0 | 1 => product,
                terms => evaluator.sum_rotations(&product, terms)?,
            }])
        };
        let plan = ckks::Params::for_circuit(circuit, self.precision, self.security)?;
        let spec = ckks::Spec { magnitude: self.magnitude, ..plan.params().spec().clone() };
        let found = self.widened(&spec).into_iter().find_map(|spec| ckks::Params::new(spec).ok());
        found.map_or_else(|| ckks::Params::new(spec), Ok)
    }

    /// Returns descriptions whose last primes hold the products, the smallest first.
    fn widened(&self, spec: &ckks::Spec) -> Vec<ckks::Spec> {
        let terms = self.terms.max(1) as f64;
        let needed = spec.scale_bits + (2.0 * self.magnitude.log2()) + terms.log2() + SPARE_BITS;
        if self.depth == 0 || needed <= spec.base_bits.iter().sum() {
            return Vec::new();
        }
        // Primes no longer than those of the levels, so that the special primes serve every digit.
        let count = (needed / spec.scale_bits.min(WIDEST_PRIME)).ceil();
        let base_bits = vec![needed / count; count as usize];
        let degrees = [spec.degree, 2 * spec.degree];
        degrees
            .map(|degree| ckks::Spec { degree, base_bits: base_bits.clone(), ..spec.clone() })
            .into()
    }
}
