//! Sums and products of a ciphertext with a clear integer.

use super::{Ciphertext, Content, Evaluator, Factor, Integer, Multiplicand, Plaintext, Width};
use crate::Error;
use crate::rlwe::{Noise, Relation};
use fathom_ring::{Eval, Limbs, Poly};

impl Evaluator {
    /// Multiplies by a prepared plaintext: `decrypt(out) = decrypt(a) * b`. No transforms: `b` was
    /// transformed when it was prepared.
    ///
    /// Noise: times the norms of the digits of `b`, of which at most every other one is nonzero.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`], [`Error::ParamsMismatch`], [`Error::Transparent`] for zero
    /// without keys, [`ExactError::Overflow`](super::ExactError::Overflow).
    pub fn mul_plain(&self, a: &Ciphertext, b: &Multiplicand) -> Result<Ciphertext, Error> {
        self.own(&[a])?;
        self.params.same(&b.params)?;
        let noise = a.noise.times_polynomial(b.norms);
        let product = |p: &Poly<_>| Poly::product(p, &b.values, a.limbs());
        let parts = a.parts.iter().map(product).collect();
        let meta = Content { width: a.meta.width.times(b.width), ..a.meta };
        self.settled(Ciphertext { meta, ..a.with(parts, noise) }, "mul_plain", &[a])
    }

    /// Multiplies by a small integer: `decrypt(out) = decrypt(a) * b`. The cost in noise and width
    /// is that of the size of `b`, whatever its type.
    ///
    /// # Errors
    /// As [`Evaluator::mul_plain`].
    pub fn mul_scalar(&self, a: &Ciphertext, b: i64) -> Result<Ciphertext, Error> {
        let plaintext = self.params.encode(b)?;
        self.mul_plain(a, &plaintext.to_multiplicand())
    }

    /// Adds a plaintext: `decrypt(out) = decrypt(a) + b`.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`], [`Error::ParamsMismatch`],
    /// [`ExactError::Overflow`](super::ExactError::Overflow).
    pub fn add_plain(&self, a: &Ciphertext, b: &Plaintext) -> Result<Ciphertext, Error> {
        self.with_plain(a, b, "add_plain", Poly::sum)
    }

    /// Subtracts a plaintext: `decrypt(out) = decrypt(a) - b`.
    ///
    /// # Errors
    /// As [`Evaluator::add_plain`].
    pub fn sub_plain(&self, a: &Ciphertext, b: &Plaintext) -> Result<Ciphertext, Error> {
        self.with_plain(a, b, "sub_plain", Poly::difference)
    }

    fn with_plain(
        &self,
        a: &Ciphertext,
        b: &Plaintext,
        operation: &'static str,
        op: impl Fn(&Poly<Eval>, &Poly<Eval>, Limbs) -> Poly<Eval>,
    ) -> Result<Ciphertext, Error> {
        self.own(&[a])?;
        self.params.same(b.params())?;
        let digits = self.params.digits(&b.value, a.meta.factor);
        let summand = self.params.context().secret_values(a.limbs(), &digits);
        let first = op(&a.parts[0], summand.expose(), a.limbs());
        let parts = std::iter::once(first).chain(a.parts[1..].iter().cloned()).collect();
        // Times a factor, any integer is wide.
        let scaled = a.meta.factor != Factor::default();
        let bits = if scaled { self.params.widest_bits() } else { b.value.bits() };
        let added = Noise::of_message(Integer::digits_bound(bits));
        let noise = a.noise.plus(added, Relation::Independent);
        let width = a.meta.width.plus(Width::Bits(f64::from(b.value.bits())));
        let meta = Content { width, ..a.meta };
        Ciphertext { meta, ..a.with(parts, noise) }.checked(operation, &[a])
    }
}
