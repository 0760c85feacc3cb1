//! The scale-invariant product: the factor of fresh ciphertexts is kept, and no level is used up.
//!
//! With the plaintext modulus `t = X - 2`, let `a_i = [t^-1 c_i]_Q` be the components of a
//! ciphertext divided by `t`, with centred coefficients. The tensor product of two such pairs,
//! multiplied by `t / Q` and rounded, and then multiplied by `t`, has the phase
//!
//! ```text
//! w_out = w t u' + w' t u - w w' / Q - t r
//! ```
//!
//! for the phases `w`, `w'`, the components `u = (a_0 + a_1 s) / Q` over the modulus and a rounding
//! error `r` of three components. Each product therefore adds about the same number of bits of
//! noise, about 17, whatever the noise of its operands is, where the tensor product of `w` and `w'`
//! would multiply their sizes.
//!
//! *The factor.* Modulo `t` the message is multiplied by `-Q^-1`. Fresh encryptions of these
//! parameters carry the factor `-Q`, so that products carry it again. A factor modulo `2^N + 1` is
//! an integer of thousands of bits; unlike one modulo a small `t` it cannot be matched to another
//! by a small multiplier.
//!
//! *Sums.* Without `t r` the phase is linear in the product of both pairs. Exact products are
//! therefore added up before they are divided and rounded: the noise of the sum is that of the
//! terms and one `t r`. The auxiliary primes of the division are ten bits longer for it, enough for
//! 1024 products at once; longer lists are divided in parts.
//!
//! Source: Halevi, Polyakov, Shoup, eprint 2018/117, with `X - 2` as the plaintext modulus (Chen,
//! Laine, Player, Xia, eprint 2018/1285); derivation in docs/maths/gbfv.md.

use super::{Ciphertext, Content, Evaluator, Factor, Wide};
use crate::Error;
use crate::rlwe::{AlignedPair, Lineage, Mechanics, Noise, NoiseModel, Relation};
use fathom_ring::{Eval, Poly};

/// The operands of one product.
type Pair<'a> = (&'a Ciphertext, &'a Ciphertext);

impl Evaluator {
    /// Computes the sum of the scale-invariant products of at least one pair. Exact products are
    /// added up, then divided once and relinearised once.
    ///
    /// Source: Halevi, Polyakov, Shoup, eprint 2018/117, with `X - 2` as the plaintext modulus;
    /// docs/maths/gbfv.md.
    pub(super) fn sum_of_scaled(
        &self,
        operation: &'static str,
        pairs: &[Pair<'_>],
    ) -> Result<Ciphertext, Error> {
        let level = pairs[0].0.level();
        let at_once = if self.same_meta(pairs) {
            self.params.context().scale_invariant(level)?.capacity()
        } else {
            1
        };
        let sums: Result<Vec<_>, _> =
            pairs.chunks(at_once).map(|pairs| self.scaled(operation, pairs)).collect();
        let sum = self.sum(&sums?)?;
        let operands: Vec<_> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        self.relinearize(&sum)?.checked(operation, &operands)
    }

    /// Computes the sum of the scale-invariant products of pairs, before relinearisation: the
    /// tensor products are added up, multiplied by `t / Q` and rounded once.
    ///
    /// Shapes: operands of two components, at one level, whose products have equal factors; three
    /// components out, at the same level. Noise: [`exact_noise`] of every pair and one rounding
    /// error of three components.
    fn scaled(&self, operation: &'static str, pairs: &[Pair<'_>]) -> Result<Ciphertext, Error> {
        let aligned: Result<Vec<_>, _> = pairs.iter().map(|(a, b)| self.same_level(a, b)).collect();
        let aligned = aligned?;
        let (left, _) = &aligned[0];
        let level = left.level();
        let product = self.meta_of_products(&aligned);
        Wide::check_range(&self.params, operation, product)?;
        let (noise, lineage) = self.noise_of_scaled(&aligned);
        let operands: Vec<_> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        self.params.check_budget(operation, left.meta, level, noise, &operands)?;
        let context = self.params.context();
        let factor = context.factor();
        let quotients = |x: &Ciphertext| -> Result<[Poly<Eval>; 2], Error> {
            // The components divided by t, as integers modulo Q, are what the scale-invariant
            // product multiplies.
            Ok(x.pair(operation)?.map(|part| factor.quotient(part)))
        };
        let halves: Result<Vec<_>, Error> =
            aligned.iter().map(|(a, b)| Ok([quotients(a)?, quotients(b)?])).collect();
        let halves = halves?;
        let rows: Vec<_> = halves.iter().map(|[a, b]| (a.each_ref(), b.each_ref())).collect();
        let parts = context.scale_invariant(level)?.tensor(&rows);
        // Multiplied by t again, the phase is one of the form f m + t e.
        let parts = parts.iter().map(|part| factor.times(part)).collect();
        let standard = Factor::negated_modulus(level.limbs().get());
        let meta = Content { factor: product.factor.times(standard.inverse()), ..product };
        Ok(Ciphertext { meta, lineage, ..left.with(parts, noise) })
    }

    /// Returns the noise of a sum of products that is divided once, and the lineage of the sum.
    fn noise_of_scaled(&self, pairs: &[AlignedPair<'_, Wide>]) -> (Noise, Lineage) {
        let context = self.params.context();
        let log2_modulus = self.params.context().model.log2_modulus(pairs[0].0.limb_count());
        let nothing = (Noise::default(), Lineage::none());
        let (sum, lineage) = pairs.iter().fold(nothing, |(noise, lineage), (a, b)| {
            let relation = a.lineage.relation(&b.lineage);
            let product = exact_noise(&context.model, [a.noise, b.noise], relation, log2_modulus);
            let sources = a.lineage.union(&b.lineage);
            (noise.plus(product, lineage.relation(&sources)), lineage.union(&sources))
        });
        (sum.plus_independent(context.model.rounding_error(3)), lineage)
    }
}

/// Returns the noise of a scale-invariant product before relinearisation, with its rounding error.
/// `log2_modulus` is that of the modulus `Q` at the level of the product.
pub(super) fn scaled_noise(
    model: &NoiseModel,
    noises: [Noise; 2],
    relation: Relation,
    log2_modulus: f64,
) -> Noise {
    let exact = exact_noise(model, noises, relation, log2_modulus);
    exact.plus_independent(model.rounding_error(3))
}

/// Returns the noise of a product of two phases that is divided without rounding.
///
/// With `u` the components over the modulus, `u_0 + u_1 s`, a phase is `w = Q t u` modulo `Q`, and
/// that of the product is `w t u' + w' t u - w w' / Q`.
fn exact_noise(
    model: &NoiseModel,
    [a, b]: [Noise; 2],
    relation: Relation,
    log2_modulus: f64,
) -> Noise {
    // The components over the modulus are uniform on an interval of length 1, as rounding errors
    // are.
    let wrap = model.rounding_error(2);
    let cross = |noise: Noise| model.multiplied(noise, wrap, relation);
    let small = model.multiplied(a, b, relation).times((-log2_modulus).exp2());
    cross(a).plus(cross(b), Relation::Any).plus(small, Relation::Any)
}
