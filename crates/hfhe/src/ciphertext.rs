//! Ciphertexts and the operations on them, which need no key.

use super::{Error, Fp, KeyId, Mode, Polynomial};
use std::marker::PhantomData;

/// A ciphertext of mode `M`: a polynomial in the masks of its key.
///
/// Its operations are exact modulo `2^127 - 1`, need no key and have no noise. Its size grows with
/// the computation, and its shape reveals the computation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ciphertext<M: Mode> {
    pub(crate) polynomial: Polynomial,
    pub(crate) key: KeyId,
    pub(crate) mode: PhantomData<M>,
}

impl<M: Mode> Ciphertext<M> {
    pub(crate) fn new(polynomial: Polynomial, key: KeyId) -> Self {
        Ciphertext { polynomial, key, mode: PhantomData }
    }

    /// Returns the polynomial, all of which is public.
    pub fn polynomial(&self) -> &Polynomial {
        &self.polynomial
    }

    /// Returns the public name of the key that it belongs to.
    pub fn key(&self) -> KeyId {
        self.key
    }

    /// Returns the name of the mode, `compat` or `native`.
    pub fn mode(&self) -> &'static str {
        M::NAME
    }

    fn with(&self, polynomial: Polynomial) -> Self {
        Self::new(polynomial, self.key)
    }

    pub(crate) fn same_key(&self, key: KeyId) -> Result<(), Error> {
        if self.key == key {
            return Ok(());
        }
        let (left, right) = (self.key.short(), key.short());
        Err(fathom::Error::KeyMismatch { left, right }.into())
    }

    /// Computes `self + other`. The result has at most the monomials of both.
    ///
    /// # Errors
    /// [`fathom::Error::KeyMismatch`].
    pub fn add(&self, other: &Self) -> Result<Self, Error> {
        self.same_key(other.key)?;
        Ok(self.with(self.polynomial.plus(&other.polynomial)))
    }

    /// Computes `self - other`.
    ///
    /// # Errors
    /// [`fathom::Error::KeyMismatch`].
    pub fn sub(&self, other: &Self) -> Result<Self, Error> {
        self.add(&other.neg())
    }

    /// Computes `-self`.
    pub fn neg(&self) -> Self {
        self.mul_scalar(-Fp::ONE)
    }

    /// Computes `factor * self` for a public factor.
    pub fn mul_scalar(&self, factor: Fp) -> Self {
        self.with(self.polynomial.scaled(factor))
    }

    /// Computes `self / divisor` for a public divisor. This is division in the field, so `7 / 2` is
    /// not 3.
    ///
    /// # Errors
    /// [`fathom::Error::DivisionByZero`].
    pub fn div_scalar(&self, divisor: Fp) -> Result<Self, Error> {
        if divisor == Fp::ZERO {
            return Err(fathom::Error::DivisionByZero.into());
        }
        Ok(self.mul_scalar(divisor.inverse()))
    }

    /// Computes `self + constant` for a public constant.
    pub fn add_scalar(&self, constant: Fp) -> Self {
        self.with(self.polynomial.clone().plus_constant(constant))
    }

    /// Computes `self - constant` for a public constant.
    pub fn sub_scalar(&self, constant: Fp) -> Self {
        self.add_scalar(-constant)
    }

    /// Computes `self * other`. For operands of `a` and `b` monomials, the result has at most `(a +
    /// 1)(b + 1)`, and fewer if the operands share inputs.
    ///
    /// # Errors
    /// [`fathom::Error::KeyMismatch`]; [`Error::TooLarge`] past 2^22 monomials.
    pub fn mul(&self, other: &Self) -> Result<Self, Error> {
        self.same_key(other.key)?;
        Ok(self.with(self.polynomial.times(&other.polynomial)?))
    }

    /// Computes `self^2`.
    ///
    /// # Errors
    /// As [`Ciphertext::mul`].
    pub fn square(&self) -> Result<Self, Error> {
        self.mul(self)
    }

    /// Computes `sum_i left[i] * right[i]` over pairs; `None` without pairs.
    ///
    /// # Errors
    /// As [`Ciphertext::mul`].
    pub fn dot(pairs: &[(&Self, &Self)]) -> Result<Option<Self>, Error> {
        let products: Vec<Self> = pairs.iter().map(|(x, y)| x.mul(y)).collect::<Result<_, _>>()?;
        let Some(first) = products.first() else { return Ok(None) };
        products.iter().try_for_each(|product| product.same_key(first.key))?;
        let polynomials: Vec<Polynomial> =
            products.iter().map(|product| product.polynomial.clone()).collect();
        Ok(Some(first.with(Polynomial::sum(&polynomials))))
    }
}
