//! Multiplication and division by the factor of the errors.

use crate::{Coeff, Error, ErrorFactor, Eval, Poly, Ring, Scalar, SecretCoefficients};
use fathom_kernels::Modulus;
use std::sync::Arc;

impl ErrorFactor {
    /// Multiplies small coefficients by the polynomial part of the factor: `X - b` or 1. Each of
    /// them grows by a factor of at most `b + 1`.
    pub fn times_polynomial(self, coefficients: SecretCoefficients) -> SecretCoefficients {
        let ErrorFactor::Linear(b) = self else { return coefficients };
        let small = coefficients.expose();
        let shifted = small.last().map(|last| -last).into_iter().chain(small.iter().copied());
        let products = small.iter().zip(shifted).map(|(c, before)| before - i64::from(b) * c);
        SecretCoefficients::new(products.collect())
    }

    /// Multiplies small coefficients by the factor.
    pub fn multiple(self, coefficients: SecretCoefficients) -> SecretCoefficients {
        self.times_polynomial(coefficients).scaled(self.integer().cast_signed())
    }

    /// Refuses a factor by which residues modulo the primes of `ring` cannot be divided.
    ///
    /// # Errors
    /// [`Error::FactorNotUnit`] if a prime divides `t` or `b^N + 1`, or if `b` is below 2.
    pub fn check(self, ring: &Ring) -> Result<(), Error> {
        let refuse = |prime| Err(Error::FactorNotUnit { factor: self, prime });
        if matches!(self, ErrorFactor::Integer(0) | ErrorFactor::Linear(..2)) {
            return refuse(ring.modulus(0).value());
        }
        for m in (0..ring.chain_len() + ring.special_len()).map(|i| ring.modulus(i)) {
            let norm = match self {
                ErrorFactor::One => 1,
                ErrorFactor::Integer(t) => m.reduce(t),
                ErrorFactor::Linear(b) => {
                    m.add(m.pow(m.reduce(u64::from(b)), ring.degree() as u64), 1)
                }
            };
            if norm == 0 {
                return refuse(m.value());
            }
        }
        Ok(())
    }
}

/// A factor prepared to multiply and divide polynomials of a ring in the NTT domain.
#[derive(Debug)]
pub struct FactorPoly {
    values: Poly<Eval>,
    inverses: Poly<Eval>,
}

impl FactorPoly {
    /// Prepares a factor for all primes of a ring.
    ///
    /// # Errors
    /// Those of [`ErrorFactor::check`].
    pub fn new(ring: &Arc<Ring>, factor: ErrorFactor) -> Result<FactorPoly, Error> {
        factor.check(ring)?;
        if let Some(linear) = FactorPoly::polynomial_part(ring, factor) {
            return Ok(linear);
        }
        let constant = |value: fn(&Modulus, u64) -> u64| {
            let mut poly = Poly::<Eval>::zero(ring, ring.all_limbs());
            let t = factor.integer();
            poly.add_constant_assign(&Scalar::new(ring, |m| value(m, m.reduce(t))));
            poly
        };
        let inverse = |m: &Modulus, t| m.inverse(t).expect("the factor was checked to be a unit");
        Ok(FactorPoly { values: constant(|_, t| t), inverses: constant(inverse) })
    }

    /// Returns the polynomial part of a factor that passed [`ErrorFactor::check`]; `None` if it
    /// is 1.
    ///
    /// `(X - b)(X^(N-1) + b X^(N-2) + ... + b^(N-1)) = -(b^N + 1)` gives the inverse.
    pub(crate) fn polynomial_part(ring: &Arc<Ring>, factor: ErrorFactor) -> Option<FactorPoly> {
        let ErrorFactor::Linear(b) = factor else { return None };
        let limbs = ring.all_limbs();
        let mut linear = Poly::<Coeff>::zero(ring, limbs);
        let mut inverse = Poly::<Coeff>::zero(ring, limbs);
        for (row, prime) in ring.prime_indices(limbs).enumerate() {
            let m = ring.modulus(prime);
            let b = m.reduce(u64::from(b));
            linear.row_mut(row)[..2].copy_from_slice(&[m.neg(b), 1]);
            let norm = m.add(m.pow(b, ring.degree() as u64), 1);
            let inverse_norm = m.inverse(norm).expect("the factor was checked to be a unit");
            let mut power = m.neg(inverse_norm);
            for word in inverse.row_mut(row).iter_mut().rev() {
                *word = power;
                power = m.mul(power, b);
            }
        }
        Some(FactorPoly { values: linear.into_eval(), inverses: inverse.into_eval() })
    }

    /// Returns the factor times `x`.
    pub fn times(&self, x: &Poly<Eval>) -> Poly<Eval> {
        Poly::product(x, &self.values, x.limbs())
    }

    /// Returns `x` divided by the factor, modulo every prime of `x`.
    pub fn quotient(&self, x: &Poly<Eval>) -> Poly<Eval> {
        Poly::product(x, &self.inverses, x.limbs())
    }

    /// Returns the values of the factor modulo prime `index` of the ring.
    pub(crate) fn row(&self, index: usize) -> &[u64] {
        self.values.row_of(index)
    }

    /// Divides values modulo prime `index` by the factor.
    pub(crate) fn divide_row(&self, index: usize, row: &mut [u64]) {
        let ring = self.inverses.ring();
        ring.kernel().mul_assign(ring.modulus(index), row, self.inverses.row_of(index));
    }

    /// Computes `out = values * factor` modulo prime `index`; `values` may be lazy.
    pub(crate) fn multiply_row(&self, index: usize, values: &[u64], out: &mut [u64]) {
        let ring = self.values.ring();
        ring.kernel().mul(ring.modulus(index), out, values, self.row(index));
    }
}
