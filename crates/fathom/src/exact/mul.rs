//! The scale-invariant product: the factor of fresh ciphertexts is kept, and no level is used up.

use super::{Ciphertext, Evaluator, Factor};
use crate::Error;
use crate::rlwe::{Lineage, Noise, NoiseModel, Relation, Rest, refuse_beyond_budget};
use fathom_ring::{Eval, Poly};

/// The operands of one product.
type Pair<'a> = (&'a Ciphertext, &'a Ciphertext);

impl Evaluator {
    /// Computes the sum of the scale-invariant products of pairs, relinearised once.
    ///
    /// Source: Halevi, Polyakov, Shoup, eprint 2018/117, with `X - 2` as the plaintext modulus;
    /// docs/maths/gbfv.md.
    pub(super) fn sum_of_scaled(
        &self,
        operation: &'static str,
        pairs: &[Pair<'_>],
    ) -> Result<Ciphertext, Error> {
        let products: Result<Vec<_>, _> =
            pairs.iter().map(|&pair| self.scaled(operation, pair)).collect();
        let sum = self.sum(&products?)?;
        let operands: Vec<_> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        self.relinearize(&sum)?.checked(operation, &operands)
    }

    /// Computes one product, of three components.
    fn scaled(&self, operation: &'static str, (a, b): Pair<'_>) -> Result<Ciphertext, Error> {
        let (left, right) = self.same_level(a, b)?;
        let level = left.level();
        let relation = left.lineage.relation(&right.lineage);
        let log2_modulus = self.params.log2_modulus(level);
        let noises = [left.noise, right.noise];
        let noise = scaled_noise(self.params.context(), noises, relation, log2_modulus);
        refuse_beyond_budget(operation, self.params.budget_bits(noise, level), &[a, b])?;
        let context = self.params.context();
        let factor = context.factor();
        let quotients = |x: [&Poly<Eval>; 2]| x.map(|part| factor.quotient(part));
        let [l0, l1] = quotients(left.pair(operation)?);
        let [r0, r1] = quotients(right.pair(operation)?);
        let tables = context.scale_invariant(level)?;
        let parts = tables.tensor([&l0, &l1], [&r0, &r1]);
        let parts = parts.iter().map(|part| factor.times(part)).collect();
        let standard = Factor::negated_modulus(level.limbs().get());
        let meta = left.meta.times(right.meta).times(standard.inverse());
        let lineage: Lineage = left.lineage.union(&right.lineage);
        Ok(Ciphertext { meta, lineage, ..left.with(parts, noise) })
    }
}

/// Returns the noise of a scale-invariant product of two phases before relinearisation.
///
/// With `u` the components over the modulus, `u_0 + u_1 s`, a phase is `w = Q t u` modulo `Q`, and
/// that of the product is `w t u' + w' t u - w w' / Q` plus the rounding of three components.
pub(super) fn scaled_noise(
    model: &NoiseModel,
    [a, b]: [Noise; 2],
    relation: Relation,
    log2_modulus: f64,
) -> Noise {
    let wrap = Noise::fresh(Rest::default(), model.rounding_error(2));
    let cross = |noise: Noise| model.multiplied(noise, wrap, relation);
    let small = model.multiplied(a, b, relation).times((-log2_modulus).exp2());
    let sum = cross(a).plus(cross(b), Relation::Any).plus(small, Relation::Any);
    sum.plus_independent(model.rounding_error(3))
}
