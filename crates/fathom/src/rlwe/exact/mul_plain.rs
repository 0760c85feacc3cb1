//! Sums and products of a ciphertext with a plaintext or an integer.

use super::{Multiplicand, Plaintext, Scheme};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator, Noise, Relation, Rest};
use fathom_ring::{Eval, Limbs, Poly, Scalar};

impl<S: Scheme> Evaluator<S> {
    /// Multiplies by a prepared plaintext: `decrypt(out) = decrypt(a) * b`, in every slot. No
    /// transforms: `b` was transformed when it was prepared.
    ///
    /// Noise: times the Euclidean norm of the coefficients of `b` at a fresh ciphertext; from the
    /// second such product on times up to the largest value of `b` at a root of `X^N + 1`.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`], [`Error::ParamsMismatch`], [`Error::Transparent`] for a zero
    /// plaintext without keys.
    pub fn mul_plain(
        &self,
        a: &Ciphertext<S>,
        b: &Multiplicand<S>,
    ) -> Result<Ciphertext<S>, Error> {
        self.own(&[a])?;
        self.params.same(&b.params)?;
        let noise = a.noise.times_polynomial(b.norms);
        let product = |p: &Poly<_>| Poly::product(p, &b.values, a.limbs());
        let parts = a.parts.iter().map(product).collect();
        self.settled(a.with(parts, noise), "mul_plain", &[a])
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
        self.dot_of_terms(&terms, &values, (meta, S::Facts::default()), noise)
    }

    /// Multiplies by an integer: `decrypt(out) = decrypt(a) * b`. The noise is multiplied by the
    /// absolute value of `b` modulo `t`, centred.
    ///
    /// # Errors
    /// As [`Evaluator::mul_plain`].
    pub fn mul_scalar(&self, a: &Ciphertext<S>, b: i64) -> Result<Ciphertext<S>, Error> {
        self.own(&[a])?;
        let t = self.params.plain().modulus();
        let b = t.to_signed(t.from_signed(b));
        let scalar = Scalar::from_signed(&self.params.context().ring, b);
        let mut parts = a.parts.clone();
        for p in &mut parts {
            p.mul_scalar_assign(&scalar);
        }
        let noise = a.noise.times(b.unsigned_abs() as f64);
        self.settled(a.with(parts, noise), "mul_scalar", &[a])
    }

    /// Adds a plaintext: `decrypt(out) = decrypt(a) + b`. Transforms: one per limb, or none if
    /// [`Plaintext::prepare_sums`] made `b` ready for `a`.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`], [`Error::ParamsMismatch`].
    pub fn add_plain(&self, a: &Ciphertext<S>, b: &Plaintext<S>) -> Result<Ciphertext<S>, Error> {
        self.with_plain(a, b, "add_plain", Poly::sum)
    }

    /// Subtracts a plaintext: `decrypt(out) = decrypt(a) - b`. Transforms: as
    /// [`Evaluator::add_plain`].
    ///
    /// # Errors
    /// As [`Evaluator::add_plain`].
    pub fn sub_plain(&self, a: &Ciphertext<S>, b: &Plaintext<S>) -> Result<Ciphertext<S>, Error> {
        self.with_plain(a, b, "sub_plain", Poly::difference)
    }

    /// Adds an integer to every slot: `decrypt(out) = decrypt(a) + b`. Of a message in
    /// coefficients, it is added to the lowest one. No transforms.
    ///
    /// # Errors
    /// As [`Evaluator::add_plain`].
    pub fn add_scalar(&self, a: &Ciphertext<S>, b: i64) -> Result<Ciphertext<S>, Error> {
        let t = self.params.plain().modulus();
        self.with_constant(a, t.from_signed(b), "add_scalar")
    }

    /// Subtracts an integer from every slot: `decrypt(out) = decrypt(a) - b`. No transforms.
    ///
    /// # Errors
    /// As [`Evaluator::add_plain`].
    pub fn sub_scalar(&self, a: &Ciphertext<S>, b: i64) -> Result<Ciphertext<S>, Error> {
        let t = self.params.plain().modulus();
        self.with_constant(a, t.neg(t.from_signed(b)), "sub_scalar")
    }

    /// Adds an integer modulo `t` to every slot.
    fn with_constant(
        &self,
        a: &Ciphertext<S>,
        constant: u64,
        operation: &'static str,
    ) -> Result<Ciphertext<S>, Error> {
        self.own(&[a])?;
        let t = self.params.plain().modulus();
        let lifted = t.to_signed(t.mul(constant, a.meta));
        let mut parts = a.parts.clone();
        let scalar = Scalar::from_signed(&self.params.context().ring, lifted);
        parts[0].add_constant_assign(&scalar);
        let added = Noise::of_message(Rest::of_root_values(lifted.unsigned_abs() as f64));
        a.with(parts, a.noise.plus(added, Relation::Independent)).checked(operation, &[a])
    }

    fn with_plain(
        &self,
        a: &Ciphertext<S>,
        b: &Plaintext<S>,
        operation: &'static str,
        op: impl Fn(&Poly<Eval>, &Poly<Eval>, Limbs) -> Poly<Eval>,
    ) -> Result<Ciphertext<S>, Error> {
        self.own(&[a])?;
        self.params.same(b.params())?;
        let summand = b.summand(a.meta, a.limbs());
        let first = op(&a.parts[0], summand.expose(), a.limbs());
        let parts = std::iter::once(first).chain(a.parts[1..].iter().cloned()).collect();
        let added = Noise::of_message(self.params.message_norms());
        a.with(parts, a.noise.plus(added, Relation::Independent)).checked(operation, &[a])
    }
}
