//! Sums and products of a ciphertext with a clear integer.

use super::{
    Ciphertext, Content, Evaluator, Factor, Integer, Multiplicand, Plaintext, Wide, Width,
};
use crate::Error;
use crate::rlwe::sealed::Sealed;
use crate::rlwe::{Noise, Relation, Sign, Summand};
use fathom_ring::Poly;

impl Evaluator {
    pub(super) fn times_plain(
        &self,
        a: &Ciphertext,
        b: &Multiplicand,
    ) -> Result<Ciphertext, Error> {
        self.check_key(&[a])?;
        self.params.same(&b.params)?;
        let noise = a.noise.times_polynomial(b.norms);
        let product = |p: &Poly<_>| Poly::product(p, &b.values, a.limbs());
        let parts = a.parts.iter().map(product).collect();
        let meta = Content { width: a.meta.width.times(b.width), ..a.meta };
        self.check_noise_and_mask(Ciphertext { meta, ..a.with(parts, noise) }, "mul_plain", &[a])
    }
}

impl Sealed for Plaintext {}

impl Summand<Wide> for Plaintext {
    fn added(
        &self,
        evaluator: &Evaluator,
        a: &Ciphertext,
        sign: Sign,
    ) -> Result<Ciphertext, Error> {
        evaluator.check_key(&[a])?;
        let params = &evaluator.params;
        params.same(self.params())?;
        let digits = params.digits(&self.value, a.meta.factor);
        let summand = params.context().secret_values(a.limbs(), &digits);
        let first = sign.combined(&a.parts[0], summand.expose(), a.limbs());
        let parts = std::iter::once(first).chain(a.parts[1..].iter().cloned()).collect();
        // Times a factor, any integer is wide.
        let scaled = a.meta.factor != Factor::default();
        let bits = if scaled { params.widest_bits() } else { self.value.bits() };
        let added = Noise::of_message(Integer::digits_bound(bits));
        let noise = a.noise.plus(added, Relation::Independent);
        let width = a.meta.width.plus(Width::Bits(f64::from(self.value.bits())));
        let meta = Content { width, ..a.meta };
        Ciphertext { meta, ..a.with(parts, noise) }.checked(sign.of_plain(), &[a])
    }
}
