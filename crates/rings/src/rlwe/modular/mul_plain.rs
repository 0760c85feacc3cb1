//! Sums and products of a ciphertext with a plaintext or an integer, and the mask that keeps some
//! slots.

use super::{Modular, Multiplicand, Plaintext};
use crate::Error;
use crate::rlwe::sealed::Sealed;
use crate::rlwe::{Bounds, Ciphertext, Evaluator, Noise, Relation, Sign, Summand};
use fathom_ring::{Poly, Scalar};

impl<S: Modular> Evaluator<S> {
    pub(super) fn times_plain(
        &self,
        a: &Ciphertext<S>,
        b: &Multiplicand<S>,
    ) -> Result<Ciphertext<S>, Error> {
        self.check_key(&[a])?;
        self.params.same(&b.params)?;
        let noise = a.noise.times_polynomial(b.norms);
        let product = |p: &Poly<_>| Poly::product(p, &b.values, a.limbs());
        let parts = a.parts.iter().map(product).collect();
        self.check_noise_and_mask(a.with(parts, noise), "mul_plain", &[a])
    }

    /// Computes the inner product with prepared plaintexts:
    /// `decrypt(out) = sum_i decrypt(all[i]) * plain[i]`, in every slot, with one pass over the
    /// products. Ciphertexts of different levels or factors are multiplied one by one.
    ///
    /// Noise: as [`Evaluator::mul_plain`] and [`Evaluator::add`].
    ///
    /// # Errors
    /// As [`Evaluator::mul_plain`]; [`Error::ListLength`] for lists of different lengths or none.
    pub fn dot_plain(
        &self,
        all: &[Ciphertext<S>],
        plain: &[Multiplicand<S>],
    ) -> Result<Ciphertext<S>, Error> {
        let terms = self.terms("dot_plain", all, &[plain.len()])?;
        plain.iter().try_for_each(|plain| self.params.same(&plain.params))?;
        let meta = terms.all[0].meta;
        if terms.all.iter().any(|term| term.meta != meta) {
            let products = all.iter().zip(plain).map(|(a, b)| self.mul_plain(a, b));
            return self.sum(&products.collect::<Result<Vec<_>, _>>()?);
        }
        let values: Vec<_> = plain.iter().map(|plain| &plain.values).collect();
        let noise = |i: usize, noise: Noise| noise.times_polynomial(plain[i].norms);
        self.dot_of_terms(&terms, &values, meta, (), noise)
    }

    pub(super) fn times_constant(&self, a: &Ciphertext<S>, b: i64) -> Result<Ciphertext<S>, Error> {
        self.check_key(&[a])?;
        let t = self.params.plain().modulus();
        let b = t.to_signed(t.from_signed(b));
        let scalar = Scalar::from_signed(&self.params.context().ring, b);
        let mut parts = a.parts.clone();
        for p in &mut parts {
            p.mul_scalar_assign(&scalar);
        }
        let noise = a.noise.times(b.unsigned_abs() as f64);
        self.check_noise_and_mask(a.with(parts, noise), "mul_scalar", &[a])
    }

    pub(super) fn plus_constant(
        &self,
        a: &Ciphertext<S>,
        constant: i64,
        sign: Sign,
    ) -> Result<Ciphertext<S>, Error> {
        self.check_key(&[a])?;
        let t = self.params.plain().modulus();
        let constant = t.from_signed(constant);
        let constant = if sign == Sign::Minus { t.neg(constant) } else { constant };
        let lifted = t.to_signed(t.mul(constant, a.meta));
        let mut parts = a.parts.clone();
        let scalar = Scalar::from_signed(&self.params.context().ring, lifted);
        parts[0].add_constant_assign(&scalar);
        let added = Noise::of_message(Bounds::of_root_values(lifted.unsigned_abs() as f64));
        a.with(parts, a.noise.plus(added, Relation::Independent)).checked(sign.of_scalar(), &[a])
    }
}

impl<S: Modular> Sealed for Plaintext<S> {}

impl<S: Modular> Summand<S> for Plaintext<S> {
    fn added(
        &self,
        evaluator: &Evaluator<S>,
        a: &Ciphertext<S>,
        sign: Sign,
    ) -> Result<Ciphertext<S>, Error> {
        evaluator.check_key(&[a])?;
        evaluator.params.same(self.params())?;
        let summand = self.summand(a.meta, a.limbs());
        let first = sign.combined(&a.parts[0], summand.expose(), a.limbs());
        let parts = std::iter::once(first).chain(a.parts[1..].iter().cloned()).collect();
        let added = Noise::of_message(evaluator.params.message_norms());
        let noise = a.noise.plus(added, Relation::Independent);
        a.with(parts, noise).checked(sign.of_plain(), &[a])
    }
}

impl<S: Modular> Evaluator<S> {
    /// Multiplies the slots that are to be kept by one and all others by zero.
    pub(crate) fn with_slots(
        &self,
        a: &Ciphertext<S>,
        keeps: &dyn Fn(usize) -> bool,
    ) -> Result<Ciphertext<S>, Error> {
        let mask: Vec<u64> = (0..self.params.degree()).map(|slot| u64::from(keeps(slot))).collect();
        self.mul_plain(a, &self.params.encode(&mask)?.to_multiplicand())
    }
}
