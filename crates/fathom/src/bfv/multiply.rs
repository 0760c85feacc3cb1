//! The scale-invariant product: no level is used up.

use super::{Ciphertext, Evaluator, MsbCiphertext};
use crate::Error;
use crate::rlwe::Noise;

impl Evaluator {
    /// The product of the BFV paper, `round(t / Q * c c')`, relinearised, at the level of the
    /// operands.
    ///
    /// [`Evaluator::multiply`] is several times faster. This one serves where levels are irregular:
    /// a chain too short to give a prime away, or ciphertexts that have to stay under one modulus.
    /// Source: Halevi, Polyakov, Shoup, eprint 2018/117; noise in docs/maths/noise.md.
    ///
    /// # Errors
    /// As [`Evaluator::multiply`]; [`Error::Ring`] if there are not enough auxiliary primes.
    pub fn multiply_scale_invariant(
        &self,
        a: &Ciphertext,
        b: &Ciphertext,
    ) -> Result<Ciphertext, Error> {
        let operation = "multiply_scale_invariant";
        let (left, right) = self.same_level(a, b)?;
        left.pair(operation)?;
        right.pair(operation)?;
        let level = left.level();
        let noise = self.scale_invariant_noise(&left, &right);
        let (left, right) = (left.to_msb(), right.to_msb());
        let tables = self.params.scale_invariant(level)?;
        let [l0, l1] = [&left.parts[0], &left.parts[1]];
        let [r0, r1] = [&right.parts[0], &right.parts[1]];
        let parts = tables.tensor([l0, l1], [r0, r1]).into();
        let t = self.params.plain().modulus();
        let factor = t.mul(left.factor, right.factor);
        let product = MsbCiphertext { params: self.params.clone(), parts, factor, noise };
        let lsb = self.params.from_msb(&product).and_then(|c| c.checked(operation, &[a, b]))?;
        self.relinearize(&lsb)
    }

    /// With phases `v = Q (g m + t k) / t + e` over the rationals, `t/Q` times their product is
    /// `Q m m' / t` plus `t (k e' + k' e)` and smaller terms. `k` is what the phase wraps around:
    /// of the size of a rounding error, and shared as the secret is.
    fn scale_invariant_noise(&self, a: &Ciphertext, b: &Ciphertext) -> Noise {
        let n = self.params.degree() as f64;
        let t = self.params.plain_modulus() as f64;
        let wrap = self.params.context().rounding_error(2); // Of t k.
        let one = |x: Noise| {
            let message = self.params.message_bound();
            let sigma = (x.fixed + x.sigma) * 2.0 * wrap.sigma + x.sigma * message;
            let peak = (2.0 * x.fixed + x.peak) * wrap.peak + x.peak * message;
            Noise { fixed: 0.0, sigma: n.sqrt() * sigma, peak: n * peak, order: x.order + 1 }
        };
        let cross = one(a.noise).plus(one(b.noise));
        let messages = Noise::of_message(n * t);
        cross.plus(messages).plus_independent(self.params.context().rounding_error(3))
    }
}
