//! A factor of the maps between slots and coefficients, applied to a ciphertext.
//!
//! With `B` rotations that share one decomposition (baby steps) and `G` further ones, each of which
//! turns the sum so far by `B` strides (Horner's rule), a factor takes the keys of `B + 1`
//! rotations:
//!
//! ```text
//! sum_j d_j rot(v, a + j h)
//!     = sum_g rot(sum_b rot(d_(gB+b), -gBh) rot(v, a + b h), gBh)
//! ```
//!
//! All sums are modulo `Q P`; the result is divided by `P` and by the last prime at once (Bossuat,
//! Mouchet, Troncoso-Pastoriza, Hubaux, eprint 2020/1203).

use super::layers::Factor;
use super::steps::{Steps, twisted_exponent};
use super::threads::Threads;
use fathom_ring::{
    BlockPoly, Complex64, Embedding, Eval, Limbs, Poly, SecretPoly, WideCoefficients,
};
use fathom_rings::internals::{Context, Galois, LimbCount};
use std::collections::BTreeMap;

/// Galois keys by their exponents.
pub(super) type GaloisMap = BTreeMap<usize, Galois>;

/// A ciphertext of two components.
pub(super) type Pair = [Poly<Eval>; 2];

/// A prepared factor.
#[derive(Debug)]
pub(super) struct SlotMap {
    steps: Steps,
    /// The number of primes before and after.
    from: LimbCount,
    to: LimbCount,
    /// The diagonals by giant and baby step.
    diagonals: Vec<Vec<Option<BlockPoly>>>,
}

impl SlotMap {
    /// Prepares a factor for ciphertexts of this number of primes, which leaves the second number,
    /// with diagonals of this scale.
    pub(super) fn prepare(
        context: &Context,
        factor: &Factor,
        [from, to]: [LimbCount; 2],
        scale: f64,
    ) -> SlotMap {
        let steps = factor.steps();
        let limbs = from.extended(context.special_count());
        let embedding = embedding_of(factor.period);
        let diagonal = |g: usize, b: usize| {
            let turned = g as i64 * steps.giant();
            let values = factor.diagonals.get(&(turned + steps.baby(b)))?;
            let value =
                |i: usize| values[(i as i64 - turned).rem_euclid(factor.period as i64) as usize];
            let values: Vec<_> = (0..factor.period).map(value).collect();
            Some(encoded(context, &embedding, &values, scale, limbs))
        };
        let row = |g| (0..steps.babies()).map(|b| diagonal(g, b)).collect();
        SlotMap { steps, from, to, diagonals: (0..steps.giants()).map(row).collect() }
    }

    /// Applies the factor and divides by the primes that it takes.
    pub(super) fn apply(
        &self,
        context: &Context,
        keys: &GaloisMap,
        threads: &Threads,
        [c0, c1]: &Pair,
    ) -> Pair {
        let limbs = self.from;
        let extended = limbs.extended(context.special_count());
        debug_assert_eq!(c0.limbs(), limbs.chain());
        let key = |step| keys.get(&twisted_exponent(context.degree(), step));
        let babies = self.babies(context, key, threads, [c0, c1]);
        let inner = |g: usize, half: usize| {
            let present = self.diagonals[g]
                .iter()
                .zip(&babies)
                .filter_map(|(d, baby)| Some((d.as_ref()?, &baby[half])));
            let (diagonals, rotations): (Vec<_>, Vec<_>) = present.unzip();
            BlockPoly::dot(&diagonals, &rotations, extended)
        };
        // Horner's rule: every giant step rotates the sum so far by the same number of slots, so
        // that one key serves all of them.
        let last = self.steps.giants() - 1;
        let mut sum = threads.both(|half| inner(last, half));
        let down = context.mod_down(extended, limbs);
        for g in (0..last).rev() {
            let galois = key(self.steps.giant()).expect("the keys of a factor are complete");
            let [s0, s1] = sum;
            // Only the second component is decomposed, and therefore divided by P; the first stays
            // modulo Q P.
            let [mut x0, x1] = galois.key.vector.product(&down.apply(s1));
            x0.add_assign(&s0);
            let rotated = [x0, x1];
            sum = threads.both(|half| {
                let mut sum = galois.automorphism.apply(&rotated[half]);
                sum.add_assign(&inner(g, half));
                sum
            });
        }
        let down = context.mod_down(extended, self.to);
        threads.both(|half| down.apply(sum[half].clone()))
    }

    /// Computes the rotations by baby steps times `P`, from one decomposition.
    fn babies<'k>(
        &self,
        context: &Context,
        key: impl Fn(i64) -> Option<&'k Galois> + Sync,
        threads: &Threads,
        [c0, c1]: [&Poly<Eval>; 2],
    ) -> Vec<Pair> {
        let special = context.times_special(c0);
        let galois = |b: usize| {
            let step = self.steps.baby(b);
            (step != 0).then(|| key(step).expect("the keys of a factor are complete"))
        };
        let count = self.steps.babies();
        let first = (0..count).find_map(galois);
        let digits = first.map(|galois| galois.key.vector.decompose(c1));
        threads.map(count, |b| {
            let (Some(galois), Some(digits)) = (galois(b), &digits) else {
                return [special.clone(), context.times_special(c1)];
            };
            let [mut x0, x1] = galois.key.vector.multiply(digits);
            x0.add_assign(&special);
            [x0, x1].map(|x| galois.automorphism.apply(&x))
        })
    }
}

/// Fewest slots that are transformed.
const FEWEST_SLOTS: usize = Embedding::SMALLEST / 2;

/// Returns the transform of values that repeat with this period.
pub(super) fn embedding_of(period: usize) -> Embedding {
    Embedding::new(2 * period.max(FEWEST_SLOTS))
}

/// Returns the number of coefficients that are not zero in the encoding of a diagonal of this
/// period.
pub(super) fn coefficient_count(period: usize) -> usize {
    2 * period
}

/// Encodes the values of a diagonal, which repeat in the slots of a bootstrapping, at a scale. As
/// many values differ as there are coefficients that are not zero.
pub(super) fn encoded(
    context: &Context,
    embedding: &Embedding,
    values: &[Complex64],
    scale: f64,
    limbs: Limbs,
) -> BlockPoly {
    let poly = encoded_poly(context, embedding, values, scale, limbs);
    BlockPoly::new(&poly, 2 * embedding.slot_count())
}

/// Encodes values as [`encoded`] does, with all values of the polynomial.
pub(super) fn encoded_poly(
    context: &Context,
    embedding: &Embedding,
    values: &[Complex64],
    scale: f64,
    limbs: Limbs,
) -> Poly<Eval> {
    // Slots of odd number are conjugate to those at powers of 3.
    let value = |i: usize| {
        let value = values[i % values.len()];
        if i.is_multiple_of(2) { value } else { value.conj() }
    };
    let slots: Vec<_> = (0..embedding.slot_count()).map(value).collect();
    let coefficients = embedding.coefficients(&slots);
    let largest = values.iter().map(|v| v.norm()).fold(0.0, f64::max);
    // A coefficient is a mean of values times roots of unity.
    let bound = largest * scale * 1.001 + 1.0;
    let integers = WideCoefficients::rounded(&coefficients, scale, bound);
    let degree = context.degree();
    let count = coefficients.len();
    let integers = integers.spread(degree / count, degree);
    SecretPoly::into_masked(integers.to_eval(&context.ring, limbs))
}
