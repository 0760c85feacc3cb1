//! Encoding: integers to polynomials with small coefficients and back.

use super::width::log2_bound;
use super::{Factor, Integer, Params, Width, limbs};
use crate::Error;
use crate::rlwe::Norms;
use fathom_ring::{Eval, Limbs, Poly, SecretCoefficients};
use zeroize::Zeroize;

/// A message: an integer under parameters that can hold it. Wiped when dropped.
#[derive(Clone, Debug)]
pub struct Plaintext {
    pub(super) params: Params,
    pub(super) value: Integer,
}

/// An integer prepared to multiply ciphertexts: transformed once, used often.
#[derive(Clone, Debug)]
pub struct Multiplicand {
    pub(super) params: Params,
    pub(super) values: Poly<Eval>,
    pub(super) norms: Norms,
    /// The bound on its absolute value, not that of its type.
    pub(super) width: Width,
}

impl Params {
    /// Returns the message that holds an integer: of a type of 32, 64 or 128 bits, or wider as an
    /// [`Integer`]. The width of its type is public.
    ///
    /// # Errors
    /// [`WideError::TooWide`](crate::wide::WideError::TooWide) if its type is wider than `N - 1`
    /// bits.
    pub fn encode(&self, value: impl Into<Integer>) -> Result<Plaintext, Error> {
        let value = value.into();
        self.check_bits(value.bits())?;
        Ok(Plaintext { params: self.clone(), value })
    }

    /// Returns the message that holds an integer of at most `bits` bits, which are public instead
    /// of the width of its type: results are narrower, and have less noise.
    ///
    /// # Errors
    /// [`WideError::TooWide`](super::WideError::TooWide) for more than `N - 1` bits;
    /// [`WideError::BeyondWidth`](super::WideError::BeyondWidth) if
    /// the absolute value is not below `2^bits`.
    pub fn encode_within(&self, value: impl Into<Integer>, bits: u32) -> Result<Plaintext, Error> {
        self.check_bits(bits)?;
        let value = value.into().narrowed(bits)?;
        Ok(Plaintext { params: self.clone(), value })
    }

    /// Returns the polynomial of an integer times a factor: its digits in base 2.
    pub(super) fn digits(&self, value: &Integer, factor: Factor) -> SecretCoefficients {
        let scaled = self.scaled(value, factor);
        let mut digits = scaled.digits();
        digits.resize(self.degree(), 0);
        SecretCoefficients::new(digits)
    }

    /// Returns the integer times a factor, centred modulo `2^N + 1`.
    pub(super) fn scaled(&self, value: &Integer, factor: Factor) -> Integer {
        if factor == Factor::default() {
            return value.clone();
        }
        let ring = &self.context().ring;
        let limb_count = self.degree() / 64;
        let mut words = value.magnitude().to_vec();
        words.resize(limb_count + 1, 0);
        let mut sign = value.sign() ^ if factor.negative { u64::MAX } else { 0 };
        for (prime, &exponent) in factor.exponents.iter().enumerate() {
            for _ in 0..exponent.unsigned_abs() {
                let m = ring.modulus(prime);
                if exponent > 0 {
                    limbs::multiply(&mut words, m.value());
                } else {
                    limbs::divide(&mut words, m);
                }
                // Centring may have changed the sign, which is kept apart from the magnitude and is
                // as secret: masks move it, and no branch.
                let negative = limbs::sign(&words);
                limbs::negate_if(&mut words, negative);
                sign ^= negative;
            }
        }
        words.truncate(limb_count);
        Integer::from_parts(sign, words, self.widest_bits())
    }

    /// Returns the value at `X = 2` of a polynomial with integer coefficients below `2^100`,
    /// centred modulo `2^N + 1`.
    pub(super) fn evaluated(&self, coefficients: &[i128]) -> Integer {
        let limb_count = self.degree() / 64;
        let mut words = vec![0; limb_count + 1];
        let mut carry = 0i128;
        for (limb, coefficients) in words.iter_mut().zip(coefficients.chunks_exact(64)) {
            for (bit, coefficient) in coefficients.iter().enumerate() {
                // A bit of the sum stays, and the rest goes on to the next one. The shift rounds
                // down, so that negative coefficients borrow from the bits above them. The carry
                // stays below 2^101.
                carry += coefficient;
                *limb |= (carry as u64 & 1) << bit;
                carry >>= 1;
            }
        }
        // 2^N = -1.
        limbs::subtract_signed(&mut words, carry);
        limbs::center(&mut words);
        let sign = limbs::sign(&words);
        limbs::negate_if(&mut words, sign);
        words.truncate(limb_count);
        Integer::from_parts(sign, words, self.widest_bits())
    }
}

impl Plaintext {
    /// Returns the parameters that the plaintext belongs to.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Returns the integer.
    pub fn value(&self) -> &Integer {
        &self.value
    }

    /// Transforms the message for products with ciphertexts. The message is public: noise and width
    /// of the products tell its size.
    pub fn to_multiplicand(&self) -> Multiplicand {
        let context = self.params.context();
        let digits = self.params.digits(&self.value, Factor::default());
        // The message is public, so that its own norms bound the noise of products, not the worst
        // ones of its width.
        let norms = Norms::of(digits.expose(), &context.roots);
        let limbs = Limbs::chain(context.ring.chain_len());
        let values = context.lift(limbs, digits.expose()).into_eval();
        let width = Width::Bits(log2_bound(self.value.magnitude()));
        Multiplicand { params: self.params.clone(), values, norms, width }
    }
}

impl PartialEq for Plaintext {
    fn eq(&self, other: &Plaintext) -> bool {
        self.params == other.params && self.value == other.value
    }
}

impl Drop for Plaintext {
    fn drop(&mut self) {
        self.value.zeroize();
    }
}
