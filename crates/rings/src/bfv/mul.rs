//! The scale-invariant product: no level is used up.

use super::{Ciphertext, Evaluator, MsbCiphertext};
use crate::Error;
use crate::rlwe::{Bounds, Noise, Relation};

impl Evaluator {
    /// Multiplies as the BFV paper does: computes `round(t / Q * c c')`, relinearised, at the level
    /// of the operands.
    ///
    /// [`Evaluator::mul`] is several times faster. Use this one for irregular levels: a chain that
    /// has no prime to spare, or ciphertexts that must stay under one modulus. Source: Halevi,
    /// Polyakov, Shoup, eprint 2018/117; noise in docs/maths/noise.md.
    ///
    /// # Errors
    /// As [`Evaluator::mul`]; [`Error::Ring`] if there are not enough auxiliary primes.
    pub fn mul_scale_invariant(&self, a: &Ciphertext, b: &Ciphertext) -> Result<Ciphertext, Error> {
        let operation = "mul_scale_invariant";
        let (left, right) = self.same_level(a, b)?;
        left.pair(operation)?;
        right.pair(operation)?;
        let level = left.level();
        let noise = self.scale_invariant_noise(&left, &right);
        let lineage = left.lineage.union(&right.lineage);
        let (left, right) = (left.to_msb(), right.to_msb());
        let tables = self.params.context().scale_invariant(level)?;
        let [l0, l1] = [&left.parts[0], &left.parts[1]];
        let [r0, r1] = [&right.parts[0], &right.parts[1]];
        let parts = tables.tensor(&[([l0, l1], [r0, r1])]).into();
        let t = self.params.plain().modulus();
        let factor = t.mul(left.factor, right.factor);
        let product = MsbCiphertext { parts, factor, noise, lineage, ..left };
        let lsb = self.params.from_msb(&product).and_then(|c| c.checked(operation, &[a, b]))?;
        self.relinearize(&lsb)
    }

    /// Returns a bound on the noise of a scale-invariant product. With phases
    /// `v = Q (g m / t + k) + e` over the rationals, `t/Q` times their product is `Q g g' m m' / t`
    /// plus `t (k e' + k' e) + g m e' + g' m' e + (t/Q) e e'`. The integer polynomial `k` counts
    /// how often the phase wraps around modulo `Q`; it is of the size of a rounding error.
    fn scale_invariant_noise(&self, a: &Ciphertext, b: &Ciphertext) -> Noise {
        let context = self.params.context();
        let relation = a.lineage.relation(&b.lineage);
        let wrap = context.model.rounding_error(2); // Of t k.
        let message = Noise::of_message(self.params.message_norms());
        let one = |x: Noise| {
            let wrapped = context.model.multiplied(wrap, x, relation);
            // The contribution of the two messages is counted once, below.
            let error = Noise { message: Bounds::default(), ..x };
            wrapped.plus(context.model.multiplied(message, error, relation), Relation::Any)
        };
        let cross = one(a.noise).plus(one(b.noise), Relation::Any);
        let small = context.model.multiplied(a.noise, b.noise, relation);
        let small = small.times((-self.params.context().model.log2_modulus(a.limb_count())).exp2());
        let bound = self.params.degree() as f64 * self.params.plain_modulus() as f64;
        let messages = Noise::of_message(context.model.message_of_coefficients(bound));
        let sum = cross.plus(small, Relation::Any).plus(messages, Relation::Any);
        // The same norms of the operands and of the rounding occur in every term.
        let norms = [a.noise, b.noise, wrap].map(Noise::tails_with_norms);
        let product = Noise { tails: norms.iter().sum(), ..sum };
        product.plus_independent(context.model.rounding_error(3))
    }
}
