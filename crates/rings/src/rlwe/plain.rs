//! Sums and products of a ciphertext with a plaintext or a number.

use super::{Ciphertext, Evaluator, Scheme, Sign, Summand};
use crate::Error;

impl<S: Scheme> Evaluator<S> {
    /// Adds a plaintext: `decrypt(out) = decrypt(a) + b`.
    ///
    /// Transforms: one per limb; none for a plaintext of BFV or BGV that
    /// [`prepare_sums`](super::modular::Plaintext::prepare_sums) made ready for `a`, nor for an
    /// [`Addend`](crate::ckks::Addend) of CKKS. If `a` is above the level of an addend, it is
    /// brought to that level first.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`], [`Error::ParamsMismatch`]. Of wide integers,
    /// [`WideError::Overflow`](crate::wide::WideError::Overflow). For an addend,
    /// [`Error::NoSuchLevel`] if `a` is below its level, [`Error::LevelMismatch`] (explicit
    /// levels), and [`ScaleError::Mismatch`](crate::ckks::ScaleError::Mismatch) if `a` has another
    /// scale than that of its level, such as a product that was not rescaled.
    pub fn add_plain(
        &self,
        a: &Ciphertext<S>,
        b: &impl Summand<S>,
    ) -> Result<Ciphertext<S>, Error> {
        b.added(self, a, Sign::Plus)
    }

    /// Subtracts a plaintext: `decrypt(out) = decrypt(a) - b`, with `b` as in
    /// [`Evaluator::add_plain`].
    ///
    /// # Errors
    /// As [`Evaluator::add_plain`].
    pub fn sub_plain(
        &self,
        a: &Ciphertext<S>,
        b: &impl Summand<S>,
    ) -> Result<Ciphertext<S>, Error> {
        b.added(self, a, Sign::Minus)
    }

    /// Multiplies by a prepared plaintext: `decrypt(out) = decrypt(a) * b`, in every slot. No
    /// transforms: `b` was transformed when it was prepared. In CKKS the result is one level lower,
    /// and `a` is brought to the level of `b` first if it is above.
    ///
    /// Noise in BFV and BGV: times the Euclidean norm of the coefficients of `b` at a fresh
    /// ciphertext; from the second such product on times up to the largest value of `b` at a root
    /// of `X^N + 1`. Of wide integers: times the norms of the digits of `b`, of which at most every
    /// other one is nonzero.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`], [`Error::ParamsMismatch`], [`Error::Transparent`] for a zero
    /// plaintext without keys. In CKKS, [`Error::NoSuchLevel`] if `a` is below the level that `b`
    /// was prepared for, and [`Error::LevelMismatch`] (explicit levels). Of wide integers,
    /// [`WideError::Overflow`](crate::wide::WideError::Overflow).
    pub fn mul_plain(&self, a: &Ciphertext<S>, b: &S::Factor) -> Result<Ciphertext<S>, Error> {
        S::times_factor(self, a, b)
    }

    /// Multiplies every value by a number: `decrypt(out) = decrypt(a) * b`.
    ///
    /// BFV and BGV: an integer; the noise is multiplied by its absolute value modulo `t`, centred.
    /// CKKS: a real or complex number; integers up to `2^20` keep the level, the product with any
    /// other number is one level lower. Wide integers: an [`Integer`](crate::wide::Integer); the
    /// cost in noise and width is that of its size, whatever its type.
    ///
    /// # Errors
    /// As [`Evaluator::mul_plain`]. In CKKS,
    /// [`DomainError::NotFinite`](crate::ckks::DomainError::NotFinite) for a number that is not
    /// finite.
    pub fn mul_scalar(
        &self,
        a: &Ciphertext<S>,
        b: impl Into<S::Scalar>,
    ) -> Result<Ciphertext<S>, Error> {
        S::times_scalar(self, a, b.into())
    }

    /// Adds a number to every value: `decrypt(out) = decrypt(a) + b`. In BFV and BGV it is added to
    /// the lowest coefficient of a message in coefficients. No transforms, but for wide integers
    /// and for complex numbers.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`]. Of wide integers,
    /// [`WideError::Overflow`](crate::wide::WideError::Overflow). In CKKS,
    /// [`DomainError::NotFinite`](crate::ckks::DomainError::NotFinite) for a number that is not
    /// finite.
    pub fn add_scalar(
        &self,
        a: &Ciphertext<S>,
        b: impl Into<S::Scalar>,
    ) -> Result<Ciphertext<S>, Error> {
        S::plus_scalar(self, a, b.into(), Sign::Plus)
    }

    /// Subtracts a number from every value: `decrypt(out) = decrypt(a) - b`.
    ///
    /// # Errors
    /// As [`Evaluator::add_scalar`].
    pub fn sub_scalar(
        &self,
        a: &Ciphertext<S>,
        b: impl Into<S::Scalar>,
    ) -> Result<Ciphertext<S>, Error> {
        S::plus_scalar(self, a, b.into(), Sign::Minus)
    }
}
