//! Encoders: real and complex numbers to plaintext polynomials and back.

use super::domain::check_bound;
use super::facts::{Padding, Places, SlotFacts};
use super::{Ckks, DomainError, Mode};
use crate::Error;
use crate::rlwe::{Bounds, Long, Params};
use fathom_ring::{Complex64, RealRow};

/// Fewest slots of a plaintext that is stored in a subring; fewer are repeated.
const FEWEST_SLOTS: usize = 128;

/// A message: a polynomial with real coefficients, not rounded and without a scale. Wiped when
/// dropped.
///
/// Slots that repeat with a period that is a power of two take a polynomial in a power of `X`, of
/// twice as many coefficients as there are different slots.
pub struct Plaintext<M: Mode> {
    pub(crate) params: Params<Ckks<M>>,
    pub(crate) coefficients: RealRow,
    pub(crate) magnitude: f64,
    pub(crate) facts: SlotFacts,
    pub(crate) error_bound: f64,
}

/// A number that a slot can hold: `f64` or [`Complex64`].
pub trait Value: Copy + Into<Complex64> + sealed::Sealed {
    /// True if every value of the type is a real number.
    #[doc(hidden)]
    const REAL: bool;
}
impl Value for f64 {
    const REAL: bool = true;
}
impl Value for Complex64 {
    const REAL: bool = false;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f64 {}
    impl Sealed for fathom_ring::Complex64 {}
}

impl<M: Mode> Params<Ckks<M>> {
    /// Numbers in slots, of absolute value at most [`Params::magnitude`]. Missing ones are zero,
    /// which functions on an interval without zero refuse: see [`Params::encode_padded`].
    ///
    /// # Errors
    /// [`Error::TooManyValues`], [`Error::MagnitudeExceeded`]; [`DomainError::NotFinite`].
    pub fn encode<V: Value>(&self, values: &[V]) -> Result<Plaintext<M>, Error> {
        self.encode_within(values, self.magnitude())
    }

    /// Encodes a vector of any length as [`Params::encode`] does, in as many plaintexts as it
    /// takes.
    ///
    /// # Errors
    /// [`Error::MagnitudeExceeded`]; [`DomainError::NotFinite`].
    pub fn encode_long<V: Value>(&self, values: &[V]) -> Result<Long<Plaintext<M>>, Error> {
        Long::of(values, self.slot_count(), |first, part| {
            self.encode(part).map_err(|error| at_later_index(error, first))
        })
    }

    /// Encodes as [`Params::encode`] does numbers of absolute value at most `magnitude`, which
    /// becomes part of the public metadata of ciphertexts.
    ///
    /// # Errors
    /// As [`Params::encode`]; [`DomainError::NotABound`].
    pub fn encode_within<V: Value>(
        &self,
        values: &[V],
        magnitude: f64,
    ) -> Result<Plaintext<M>, Error> {
        self.check_count(values.len())?;
        let mut slots: Vec<Complex64> = values.iter().map(|&v| v.into()).collect();
        slots.resize(self.slot_count(), Complex64::ZERO);
        self.encoded(slots, facts_of(values, self.slot_count()), magnitude)
    }

    /// Numbers in slots as by [`Params::encode`], where missing ones are `filler`. It counts as a
    /// value: what is promised of the values, it has to keep as well.
    ///
    /// # Errors
    /// As [`Params::encode`], where the filler has the position after the last value.
    pub fn encode_padded<V: Value>(&self, values: &[V], filler: V) -> Result<Plaintext<M>, Error> {
        self.encode_padded_within(values, filler, self.magnitude())
    }

    /// Encodes as [`Params::encode_padded`] does numbers of absolute value at most `magnitude`.
    ///
    /// # Errors
    /// As [`Params::encode_padded`]; [`DomainError::NotABound`].
    pub fn encode_padded_within<V: Value>(
        &self,
        values: &[V],
        filler: V,
        magnitude: f64,
    ) -> Result<Plaintext<M>, Error> {
        self.check_count(values.len())?;
        let mut slots: Vec<Complex64> = values.iter().map(|&v| v.into()).collect();
        slots.resize(self.slot_count(), filler.into());
        let facts = SlotFacts { complex: !V::REAL, ..SlotFacts::default() };
        self.encoded(slots, facts, magnitude)
    }

    /// Numbers that repeat to fill all slots: a power of two of them. Takes a transform of that
    /// size.
    ///
    /// # Errors
    /// As [`Params::encode`]; [`Error::Shape`] for another number of values.
    pub fn encode_repeated<V: Value>(&self, values: &[V]) -> Result<Plaintext<M>, Error> {
        self.encode_repeated_within(values, self.magnitude())
    }

    /// Encodes as [`Params::encode_repeated`] does numbers of absolute value at most `magnitude`.
    ///
    /// # Errors
    /// As [`Params::encode_repeated`].
    pub fn encode_repeated_within<V: Value>(
        &self,
        values: &[V],
        magnitude: f64,
    ) -> Result<Plaintext<M>, Error> {
        self.check_count(values.len())?;
        if !values.len().is_power_of_two() {
            return Err(Error::Shape {
                operation: "encode_repeated",
                wanted: "a power of two of values".to_owned(),
                got: values.len().to_string(),
            });
        }
        self.filled(values, values.len(), magnitude)
    }

    /// Encodes values filled up with zeros to a power of two of them, which repeat.
    pub(super) fn encode_filled<V: Value>(
        &self,
        values: &[V],
        size: usize,
    ) -> Result<Plaintext<M>, Error> {
        self.filled(values, size, self.magnitude())
    }

    fn filled<V: Value>(
        &self,
        values: &[V],
        size: usize,
        magnitude: f64,
    ) -> Result<Plaintext<M>, Error> {
        let mut facts = facts_of(values, size);
        if size < self.slot_count() {
            // Every repetition has them.
            facts.padding = facts.padding.map(|p| Padding { places: Places::Unknown, ..p });
        }
        let zeros = std::iter::repeat_n(Complex64::ZERO, size - values.len());
        let block = values.iter().map(|&v| v.into()).chain(zeros);
        self.encoded(block.cycle().take(FEWEST_SLOTS.max(size)).collect(), facts, magnitude)
    }

    /// Numbers in slots that may be public: their largest absolute value is the magnitude. For
    /// operands such as weights.
    ///
    /// # Errors
    /// As [`Params::encode`], where no finite number is refused for its size.
    pub fn encode_public<V: Value>(&self, values: &[V]) -> Result<Plaintext<M>, Error> {
        self.encode_within(values, largest("encode_public", values)?)
    }

    /// Encodes public numbers as [`Params::encode_public`] does, repeated as by
    /// [`Params::encode_repeated`].
    ///
    /// # Errors
    /// As [`Params::encode_repeated`], where no finite number is refused for its size.
    pub fn encode_public_repeated<V: Value>(&self, values: &[V]) -> Result<Plaintext<M>, Error> {
        self.encode_repeated_within(values, largest("encode_public_repeated", values)?)
    }

    fn check_count(&self, given: usize) -> Result<(), Error> {
        let capacity = self.slot_count();
        if given > capacity { Err(Error::TooManyValues { given, capacity }) } else { Ok(()) }
    }

    fn encoded(
        &self,
        slots: Vec<Complex64>,
        facts: SlotFacts,
        magnitude: f64,
    ) -> Result<Plaintext<M>, Error> {
        let mut slots = slots;
        check_bound(magnitude)?;
        let squared = magnitude * magnitude;
        let fits = |v: &Complex64| {
            if squared.is_normal() {
                v.norm_sqr() <= squared * (1.0 + 4.0 * f64::EPSILON)
            } else {
                v.norm() <= magnitude * (1.0 + 2.0 * f64::EPSILON)
            }
        };
        if let Some(index) = slots.iter().position(|v| !fits(v)) {
            check_finite("encode", &slots)?;
            return Err(Error::MagnitudeExceeded { index, magnitude });
        }
        let embedding = self.embedding(2 * slots.len());
        let coefficients = embedding.coefficients(&slots);
        slots.fill(Complex64::ZERO);
        std::hint::black_box(&slots);
        Ok(Plaintext { params: self.clone(), coefficients, magnitude, facts, error_bound: 0.0 })
    }
}

/// Returns the error with the index in a list whose first `first` values precede those it is about.
fn at_later_index(mut error: Error, first: usize) -> Error {
    if let Error::MagnitudeExceeded { index, .. }
    | Error::CkksDomain(DomainError::NotFinite { index, .. }) = &mut error
    {
        *index += first;
    }
    error
}

/// Returns the public facts about `size` slots that hold these values and then zeros.
fn facts_of<V: Value>(values: &[V], size: usize) -> SlotFacts {
    let padding = (values.len() < size).then_some(Padding::ZEROS);
    SlotFacts { complex: !V::REAL, padding, ..SlotFacts::default() }
}

/// Refuses numbers that are infinite or not a number.
fn check_finite(operation: &'static str, values: &[Complex64]) -> Result<(), Error> {
    match values.iter().position(|v| !v.is_finite()) {
        Some(index) => Err(DomainError::NotFinite { operation, index }.into()),
        None => Ok(()),
    }
}

/// Returns the largest absolute value.
fn largest<V: Value>(operation: &'static str, values: &[V]) -> Result<f64, Error> {
    let values: Vec<Complex64> = values.iter().map(|&v| v.into()).collect();
    check_finite(operation, &values)?;
    let largest = values.iter().map(|v| v.norm()).fold(0.0, f64::max);
    // A subnormal number is no bound.
    Ok(if largest > 0.0 { largest.max(f64::MIN_POSITIVE) } else { 0.0 })
}

impl<M: Mode> Plaintext<M> {
    /// Returns the parameters of the plaintext.
    pub fn params(&self) -> &Params<Ckks<M>> {
        &self.params
    }

    /// Returns the bound on the absolute values of the slots.
    pub fn magnitude(&self) -> f64 {
        self.magnitude
    }

    /// Returns the bound on the error of a slot: zero, unless it was decrypted.
    pub fn error_bound(&self) -> f64 {
        self.error_bound
    }

    /// Returns the real parts of the slots.
    pub fn slots(&self) -> Vec<f64> {
        self.slots_complex().iter().map(|v| v.re).collect()
    }

    /// Returns the slots: `N/2` of them, or the length of the period for an encoding that repeats.
    pub fn slots_complex(&self) -> Vec<Complex64> {
        self.params.embedding(self.coefficients.len()).values(&self.coefficients)
    }

    /// Returns the exponent `s` for which the message is a polynomial in `X^s`.
    pub(crate) fn stride(&self) -> usize {
        self.params.degree() / self.coefficients.len()
    }

    /// Returns the norms of the message at this scale.
    pub(crate) fn message(&self, scale: f64) -> Bounds {
        Bounds::of_root_values(self.magnitude * scale)
    }

    /// Returns the bound on the coefficients at this scale, errors of encoding included.
    pub(crate) fn coefficient_bound(&self, scale: f64) -> f64 {
        self.magnitude * scale * 1.001 + 1.0
    }

    /// Returns the error of the transform at this scale.
    pub(crate) fn transform_error(&self, scale: f64) -> Bounds {
        transform_error(&self.params, self.coefficients.len(), self.magnitude * scale)
    }

    /// Returns the largest error that rounding every coefficient by at most `unit` can cause.
    pub(crate) fn rounding_error(&self, unit: f64) -> Bounds {
        rounding_error(self.coefficients.len(), unit)
    }
}

/// Returns the error of the transform of values up to `size`. It is relative to the Euclidean norm
/// of the values, which `size` bounds, and includes the multiplication by the scale.
pub(super) fn transform_error<M: Mode>(
    params: &Params<Ckks<M>>,
    degree: usize,
    size: f64,
) -> Bounds {
    let relative = params.embedding(degree).relative_error() + 2.0 * f64::EPSILON;
    let size = relative * size;
    Bounds { coefficient: size, euclidean: size, root: size * (degree as f64).sqrt() }
}

pub(super) fn rounding_error(count: usize, unit: f64) -> Bounds {
    let count = count as f64;
    Bounds { coefficient: unit, euclidean: unit * count.sqrt(), root: unit * count }
}

/// Returns the largest error of any encoding of values up to `size`, rounded up or down.
pub(super) fn encoding_error<M: Mode>(params: &Params<Ckks<M>>, size: f64) -> Bounds {
    let degree = params.degree();
    transform_error(params, degree, size).plus(rounding_error(degree, 1.0))
}

impl<M: Mode> Long<Plaintext<M>> {
    /// Returns the real parts of the values.
    pub fn values(&self) -> Vec<f64> {
        let slots = self.parts().iter().flat_map(Plaintext::slots);
        slots.take(self.len()).collect()
    }

    /// Returns the values.
    pub fn values_complex(&self) -> Vec<Complex64> {
        let slots = self.parts().iter().flat_map(Plaintext::slots_complex);
        slots.take(self.len()).collect()
    }
}

impl<M: Mode> Clone for Plaintext<M> {
    fn clone(&self) -> Self {
        Plaintext { params: self.params.clone(), coefficients: self.coefficients.clone(), ..*self }
    }
}

impl<M: Mode> std::fmt::Debug for Plaintext<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Plaintext({} coefficients, hidden)", self.coefficients.len())
    }
}

impl<M: Mode> Drop for Plaintext<M> {
    fn drop(&mut self) {
        self.coefficients.wipe();
    }
}
