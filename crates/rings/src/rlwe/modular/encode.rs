//! Encoders: integers to plaintext polynomials and back.

use super::Modular;
use crate::Error;
use crate::rlwe::{Level, Long, Norms, Params};
use fathom_ring::{Eval, Limbs, Poly, SecretCoefficients, SecretPoly, wipe};
use std::borrow::Cow;

/// A polynomial modulo `t`: a message. Wiped when dropped.
#[derive(Clone)]
pub struct Plaintext<S: Modular> {
    params: Params<S>,
    coefficients: Vec<u64>,
    /// The lifted coefficients times a factor, transformed: see [`Plaintext::prepare_sums`].
    prepared: Option<(u64, SecretPoly)>,
}

/// A plaintext prepared to multiply ciphertexts: transformed once, used often.
#[derive(Clone, Debug)]
pub struct Multiplicand<S: Modular> {
    pub(crate) params: Params<S>,
    pub(crate) values: Poly<Eval>,
    pub(crate) norms: Norms,
}

impl<S: Modular> Params<S> {
    /// Values in slots, each below `t`. Missing ones are zero. Slot `i` of the second row is number
    /// `N/2 + i`.
    ///
    /// # Errors
    /// [`Error::NoSlots`], [`Error::TooManyValues`], [`Error::ValueOutOfRange`].
    pub fn encode(&self, values: &[u64]) -> Result<Plaintext<S>, Error> {
        self.check_count(values.len())?;
        self.check_unsigned(values)?;
        let coefficients = self.plain().slots_to_coefficients(values, 1);
        let coefficients = coefficients.ok_or_else(|| self.no_slots())?;
        Ok(Plaintext::from_coefficients(self, coefficients))
    }

    /// Encodes as [`Params::encode`] does values from `-(t-1)/2` to `(t-1)/2`.
    ///
    /// # Errors
    /// As [`Params::encode`].
    pub fn encode_signed(&self, values: &[i64]) -> Result<Plaintext<S>, Error> {
        self.encode(&self.reduce_signed(values)?)
    }

    /// Encodes values, each below `t`, repeated to fill all slots of both rows. Their number is a
    /// power of two up to `N/2`.
    ///
    /// # Errors
    /// As [`Params::encode`]; [`Error::Shape`] for another number of values.
    pub fn encode_repeated(&self, values: &[u64]) -> Result<Plaintext<S>, Error> {
        let (count, row) = (values.len(), self.degree() / 2);
        if !count.is_power_of_two() || count > row {
            return Err(Error::Shape {
                operation: "encode_repeated",
                wanted: format!("a number of values that is a power of two up to {row}"),
                got: format!("{count}"),
            });
        }
        self.encode(&values.repeat(self.degree() / count))
    }

    /// Encodes a vector of any length as [`Params::encode`] does, in as many plaintexts as it
    /// takes.
    ///
    /// # Errors
    /// [`Error::NoSlots`], [`Error::ValueOutOfRange`].
    pub fn encode_long(&self, values: &[u64]) -> Result<Long<Plaintext<S>>, Error> {
        self.check_unsigned(values)?;
        Long::of(values, self.degree(), |_, part| self.encode(part))
    }

    /// Values as coefficients, lowest first, each below `t`. Missing ones are zero.
    ///
    /// # Errors
    /// [`Error::TooManyValues`], [`Error::ValueOutOfRange`].
    pub fn encode_coefficients(&self, values: &[u64]) -> Result<Plaintext<S>, Error> {
        self.check_count(values.len())?;
        self.check_unsigned(values)?;
        let mut coefficients = values.to_vec();
        coefficients.resize(self.degree(), 0);
        Ok(Plaintext::from_coefficients(self, coefficients))
    }

    /// Encodes as [`Params::encode_coefficients`] does values from `-(t-1)/2` to `(t-1)/2`.
    ///
    /// # Errors
    /// As [`Params::encode_coefficients`].
    pub fn encode_coefficients_signed(&self, values: &[i64]) -> Result<Plaintext<S>, Error> {
        self.encode_coefficients(&self.reduce_signed(values)?)
    }

    /// Encodes a list of values in reversed order, as `p(1/X)` for the polynomial `p` whose
    /// coefficients they are. Coefficient 0 of the product with [`Params::encode_coefficients`] of
    /// another list is then the inner product of the two lists.
    ///
    /// # Errors
    /// As [`Params::encode_coefficients`].
    pub fn encode_reversed(&self, values: &[u64]) -> Result<Plaintext<S>, Error> {
        self.check_count(values.len())?;
        self.check_unsigned(values)?;
        let t = self.plain().modulus();
        let n = self.degree();
        let mut coefficients = vec![0; n];
        for (i, &value) in values.iter().enumerate() {
            // X^-i = -X^(N-i).
            coefficients[(n - i) % n] = if i == 0 { value } else { t.neg(value) };
        }
        Ok(Plaintext::from_coefficients(self, coefficients))
    }

    fn check_count(&self, given: usize) -> Result<(), Error> {
        let capacity = self.degree();
        if given > capacity { Err(Error::TooManyValues { given, capacity }) } else { Ok(()) }
    }

    pub(super) fn check_unsigned(&self, values: &[u64]) -> Result<(), Error> {
        let t = self.plain_modulus();
        match values.iter().position(|&v| v >= t) {
            Some(index) => Err(Error::ValueOutOfRange { index, low: 0, high: t as i128 - 1 }),
            None => Ok(()),
        }
    }

    fn reduce_signed(&self, values: &[i64]) -> Result<Vec<u64>, Error> {
        self.reduce_signed_from(values, 0)
    }

    /// Reduces values of which the first has the number `first` in refusals.
    pub(crate) fn reduce_signed_from(
        &self,
        values: &[i64],
        first: usize,
    ) -> Result<Vec<u64>, Error> {
        let high = (self.plain_modulus() as i64 - 1) / 2;
        if let Some(index) = values.iter().position(|v| !(-high..=high).contains(v)) {
            let index = first + index;
            return Err(Error::ValueOutOfRange { index, low: (-high).into(), high: high.into() });
        }
        let t = self.plain().modulus();
        Ok(values.iter().map(|&v| t.from_signed(v)).collect())
    }

    pub(crate) fn no_slots(&self) -> Error {
        let degree = self.degree();
        Error::NoSlots { plain_modulus: self.plain_modulus(), degree, step: 2 * degree }
    }
}

impl<S: Modular> Plaintext<S> {
    pub(crate) fn from_coefficients(params: &Params<S>, coefficients: Vec<u64>) -> Self {
        debug_assert_eq!(coefficients.len(), params.degree());
        Plaintext { params: params.clone(), coefficients, prepared: None }
    }

    /// Returns the parameters of the plaintext.
    pub fn params(&self) -> &Params<S> {
        &self.params
    }

    /// Returns the slots, `N` of them, each below `t`.
    ///
    /// # Errors
    /// [`Error::NoSlots`].
    pub fn slots(&self) -> Result<Vec<u64>, Error> {
        let slots = self.params.plain().coefficients_to_slots(self.coefficients.clone());
        slots.ok_or_else(|| self.params.no_slots())
    }

    /// Returns the slots, from `-(t-1)/2` to `(t-1)/2`.
    ///
    /// # Errors
    /// [`Error::NoSlots`].
    pub fn slots_signed(&self) -> Result<Vec<i64>, Error> {
        let t = self.params.plain().modulus();
        Ok(self.slots()?.into_iter().map(|v| t.to_signed(v)).collect())
    }

    /// Returns the coefficients, lowest first, each below `t`.
    pub fn coefficients(&self) -> &[u64] {
        &self.coefficients
    }

    /// Returns the coefficients, lowest first, from `-(t-1)/2` to `(t-1)/2`.
    pub fn coefficients_signed(&self) -> Vec<i64> {
        let t = self.params.plain().modulus();
        self.coefficients.iter().map(|&v| t.to_signed(v)).collect()
    }

    /// Transforms the plaintext for products with ciphertexts at any level.
    pub fn to_multiplicand(&self) -> Multiplicand<S> {
        let context = self.params.context();
        let lifted = self.coefficients_signed();
        let norms = Norms::of(&lifted, &context.roots);
        let limbs = Limbs::chain(context.ring.chain_len());
        let values = context.lift(limbs, &lifted).into_eval();
        Multiplicand { params: self.params.clone(), values, norms }
    }

    /// Transforms the plaintext for sums with ciphertexts of this level: those that are fresh, and
    /// for BGV those of lower levels too, as long as no product or switch changed the factor of
    /// their message. Such sums then take no transforms. Memory: `8 N` bytes a limb.
    ///
    /// # Errors
    /// [`Error::NoSuchLevel`].
    pub fn prepare_sums(&mut self, level: impl Into<Level>) -> Result<(), Error> {
        let level = level.into();
        self.params.check_level(level)?;
        let factor = S::fresh_factor(&self.params, level);
        self.prepared = Some((factor, self.lifted(factor, level.limbs().chain())));
        Ok(())
    }

    /// Returns the NTT values of the coefficients times `factor`, ready to be added to a
    /// ciphertext: those of [`Plaintext::prepare_sums`] if they fit, over `limbs` and possibly
    /// more.
    pub(crate) fn summand(&self, factor: u64, limbs: Limbs) -> Cow<'_, SecretPoly> {
        let serves = |(own, values): &&(u64, SecretPoly)| {
            *own == factor && limbs.within(values.expose().limbs())
        };
        match self.prepared.as_ref().filter(serves) {
            Some((_, values)) => Cow::Borrowed(values),
            None => Cow::Owned(self.lifted(factor, limbs)),
        }
    }

    fn lifted(&self, factor: u64, limbs: Limbs) -> SecretPoly {
        self.params.context().secret_values(limbs, &self.scaled(factor))
    }

    /// Returns the coefficients times `factor` modulo `t`, centred.
    pub(crate) fn scaled(&self, factor: u64) -> SecretCoefficients {
        self.params.plain().scaled_centered(&self.coefficients, factor)
    }
}

impl<S: Modular> Long<Plaintext<S>> {
    /// Returns the values, each below `t`.
    ///
    /// # Errors
    /// [`Error::NoSlots`].
    pub fn values(&self) -> Result<Vec<u64>, Error> {
        let slots: Vec<_> = self.parts().iter().map(Plaintext::slots).collect::<Result<_, _>>()?;
        Ok(slots.into_iter().flatten().take(self.len()).collect())
    }
}

impl<S: Modular> PartialEq for Plaintext<S> {
    fn eq(&self, other: &Self) -> bool {
        self.params == other.params && self.coefficients == other.coefficients
    }
}

impl<S: Modular> std::fmt::Debug for Plaintext<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Plaintext({} coefficients, hidden)", self.coefficients.len())
    }
}

impl<S: Modular> Drop for Plaintext<S> {
    fn drop(&mut self) {
        wipe(&mut self.coefficients);
    }
}
