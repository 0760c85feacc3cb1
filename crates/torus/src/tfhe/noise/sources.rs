//! Noise as a sum of independent sources, so that copies of a ciphertext count correctly.
//!
//! The failure probability of a bootstrap depends on the variance of its argument's noise. The
//! variance of a sum is the sum of the variances only if the noises are independent, and in
//! circuits they often are not: a block may be added to itself, two tables of one argument have the
//! same accumulator, a ciphertext may be read twice from a file. The noise of a block is therefore
//! kept as `sum_i w_i e_i` over identified sources `e_i`, and the variance follows from the
//! weights:
//!
//! - one source: `(sum w_i)^2 v`, exactly, because it is the same ciphertext;
//! - different fresh encryptions and different accumulators: `sum w_i^2 v_i`;
//! - coefficients of one accumulator: they share a random walk, see [`Walk`] and `accumulator.rs`;
//! - a source of unknown origin: its standard deviation is added to that of the rest
//!   (Cauchy-Schwarz), which holds for any dependence.
//!
//! Fresh sources are numbered; received ciphertexts are named by the first words of their mask, up
//! to the sign, so that a copy or a negative is recognised. Accumulators are named by what
//! determines them.
//!
//! *Arithmetic.* Variances are integers in units of `1 / 4096` of a bootstrap's output, and weights
//! are 32-bit integers. Everything saturates: a weight that overflows becomes [`LOST`], which
//! nothing cancels, and the variance is then the largest integer. Square roots of the variances of
//! unknown sources are floating-point numbers; their squared sum is lowered by a relative `1e-12`
//! before it is rounded up, so that rounding errors do not raise a whole number to the next.
//!
//! *Why variances alone do not suffice.* `A` and `2 A + B` have the variances 1 and 5, and their
//! sum would count as 6 instead of 10. Refusing operands of unknown origin would forbid every
//! computation on stored results.
//!
//! Most blocks have one source, and two terms are kept inline, so that sums take no allocation.

use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering::{Equal, Greater, Less};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

/// The noise of a block as a linear combination of noise sources.
///
/// A block added to itself thus has the square of its multiple as a factor of the variance, and a
/// block subtracted from itself has no noise. Each fresh ciphertext, each received ciphertext and
/// each accumulator of a blind rotation is a source. Different sources are independent. The
/// coefficients of one accumulator, which are what bootstraps return, have the errors of its masks
/// in common ([`Walk`]).
///
/// A ciphertext that was computed elsewhere is a source of [unknown
/// origin](Noise::of_unknown_origin), which may depend on every other. Its standard deviation, not
/// its variance, is added to that of the rest (Cauchy-Schwarz inequality).
#[derive(Clone, Debug, Default)]
pub(in crate::tfhe) struct Noise {
    /// Sorted by source and place, without duplicates.
    terms: SmallVec<[Term; 2]>,
}

/// A multiple of a source, or of one coefficient of it if it is an accumulator.
#[derive(Clone, Copy, Debug)]
pub(in crate::tfhe) struct Term {
    pub(in crate::tfhe) source: u64,
    /// Noise variance in units of [`Noise::UNIT`], saturating.
    pub(in crate::tfhe) variance: u32,
    /// Nonzero; [`LOST`] after an overflow.
    pub(in crate::tfhe) weight: i32,
    /// The place of the coefficient in the accumulator.
    pub(in crate::tfhe) place: u16,
    pub(in crate::tfhe) walk: Walk,
}

/// The part of the noise that the coefficients of an accumulator have in common: a random walk
/// along its places. A coefficient has the sum of the steps up to its place less the sum of the
/// steps behind it.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::tfhe) struct Walk {
    /// Number of places, and of steps; 0 for a source that is no accumulator.
    pub(in crate::tfhe) steps: u16,
    /// Variance of one step, in units of [`Noise::UNIT`].
    pub(in crate::tfhe) step: u16,
}

/// The weight of a source after an overflow, which nothing cancels.
const LOST: i32 = i32::MAX;

/// The bit that marks a source of unknown origin. These sources come last among the terms.
const UNKNOWN: u64 = 1 << 63;

/// The number of the next source.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl Noise {
    /// The variance of a bootstrap's output, as an integer.
    pub(in crate::tfhe) const UNIT: u32 = 1 << 12;

    /// Returns the noise of a new source; no noise for a variance of 0.
    pub(in crate::tfhe) fn new(variance: u32) -> Noise {
        Noise::of(NEXT.fetch_add(1, Ordering::Relaxed), variance, 1)
    }

    /// Returns the noise of a received ciphertext. All of its copies and their negatives have one
    /// source.
    pub(in crate::tfhe) fn of_mask(mask: &[u32], variance: u32) -> Noise {
        let (&[first, second], _) = mask.split_first_chunk().expect("masks have hundreds of words");
        let name = |first: u32, second: u32| u64::from(first) << 32 | u64::from(second);
        let (name, negated) =
            (name(first, second), name(first.wrapping_neg(), second.wrapping_neg()));
        Noise::of(name.min(negated), variance, if name <= negated { 1 } else { -1 })
    }

    /// Returns this noise as one that may depend on any other, except copies of the same
    /// ciphertext.
    pub(in crate::tfhe) fn of_unknown_origin(mut self) -> Noise {
        for term in &mut self.terms {
            term.source |= UNKNOWN;
        }
        self
    }

    /// Returns a linear combination of coefficients of one accumulator, given by different places.
    pub(in crate::tfhe) fn of_coefficients(terms: impl Iterator<Item = Term>) -> Noise {
        let known = |term: Term| Term { source: term.source & !UNKNOWN, ..term };
        let terms = terms.filter(|term| term.variance > 0 && term.weight != 0).map(known);
        let mut terms: SmallVec<[Term; 2]> = terms.collect();
        terms.sort_unstable_by_key(Term::key);
        Noise { terms }
    }

    /// Returns the sources and their weights.
    pub(in crate::tfhe) fn terms(&self) -> impl Hash {
        let terms = self.terms.iter().map(|term| (term.key(), term.weight));
        terms.collect::<SmallVec<[_; 4]>>()
    }

    fn of(source: u64, variance: u32, weight: i32) -> Noise {
        let (source, variance) = (source & !UNKNOWN, variance.saturating_mul(Noise::UNIT));
        let term = Term { source, variance, weight, place: 0, walk: Walk::default() };
        Noise { terms: if variance > 0 { smallvec![term] } else { SmallVec::new() } }
    }

    /// Returns whether there is no noise at all.
    #[inline]
    pub(in crate::tfhe) fn is_none(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns the variance in units of the variance of a bootstrap's output, rounded up;
    /// [`u32::MAX`] if it is larger.
    #[inline]
    pub(in crate::tfhe) fn variance(&self) -> u32 {
        if self.terms.last().is_some_and(|term| term.source >= UNKNOWN) {
            return self.variance_with_unknown();
        }
        u32::try_from(joint_variance(&self.terms).div_ceil(Noise::UNIT.into())).unwrap_or(u32::MAX)
    }

    /// Returns the variance if there are terms of unknown origin: the square of the sum of their
    /// standard deviations and of the standard deviation of all other terms together.
    #[cold]
    fn variance_with_unknown(&self) -> u32 {
        if self.terms.iter().any(Term::is_lost) {
            return u32::MAX;
        }
        let variance = |term: &Term| f64::from(term.weight).powi(2) * f64::from(term.variance);
        let unknown = self.terms.partition_point(|term| term.source < UNKNOWN);
        let known = joint_variance(&self.terms[..unknown]) as f64;
        let deviations = self.terms[unknown..].iter().map(|term| variance(term).sqrt());
        let sum = (known.sqrt() + deviations.sum::<f64>()).powi(2) / f64::from(Noise::UNIT);
        // The square root has rounding errors in its last bits, which are not noise. The conversion
        // saturates.
        (sum * (1.0 - 1e-12)).ceil() as u32
    }

    /// Returns the variance after adding the output of a bootstrap that is still to come: one more,
    /// unless noise of unknown origin may depend on that output.
    pub(in crate::tfhe) fn variance_with_output(&self) -> u32 {
        self.add_scaled(&Noise::new(1), 1).variance()
    }

    /// Computes `self + other * factor`.
    #[inline]
    pub(in crate::tfhe) fn add_scaled(&self, other: &Noise, factor: i32) -> Noise {
        // The most frequent case: two blocks with one source each, which differ.
        if let ([one], [two]) = (&self.terms[..], &other.terms[..])
            && one.key() != two.key()
            && factor != 0
        {
            let (one, two) = (*one, two.times(factor));
            let terms = if one.key() < two.key() { [one, two] } else { [two, one] };
            return Noise { terms: SmallVec::from_buf(terms) };
        }
        let (mut own, mut theirs) = (&self.terms[..], &other.terms[..]);
        let mut terms = SmallVec::new();
        loop {
            let order = match (own, theirs) {
                ([], []) => return Noise { terms },
                ([_, ..], []) => Less,
                ([], [_, ..]) => Greater,
                ([ours, ..], [other, ..]) => ours.key().cmp(&other.key()),
            };
            let (first, added) = (own.first().copied(), theirs.first().map(|x| x.times(factor)));
            terms.extend(
                match order {
                    Less => first,
                    Equal => first.zip(added).map(|(first, added)| first.plus(added)),
                    Greater => added,
                }
                .filter(|term| term.weight != 0),
            );
            own = &own[usize::from(order != Greater)..];
            theirs = &theirs[usize::from(order != Less)..];
        }
    }

    /// Computes `self * factor`.
    pub(in crate::tfhe) fn scaled(&self, factor: i32) -> Noise {
        let terms = self.terms.iter().map(|term| term.times(factor));
        Noise { terms: terms.filter(|term| term.weight != 0).collect() }
    }
}

impl Term {
    /// Returns what the terms of a sum are told apart by.
    fn key(&self) -> (u64, u16) {
        (self.source, self.place)
    }

    /// Returns whether nothing is known of the term's variance.
    fn is_lost(&self) -> bool {
        self.variance == u32::MAX || self.weight == LOST
    }

    fn times(self, factor: i32) -> Term {
        let weight = match (self.weight, factor) {
            (_, 0) => 0,
            (LOST, _) => LOST,
            (weight, _) => weight.checked_mul(factor).unwrap_or(LOST),
        };
        Term { weight, ..self }
    }

    /// Returns the sum of two terms of one key.
    fn plus(self, other: Term) -> Term {
        let lost = self.weight == LOST || other.weight == LOST;
        let sum = self.weight.checked_add(other.weight).filter(|_| !lost);
        Term { variance: self.variance.max(other.variance), weight: sum.unwrap_or(LOST), ..self }
    }
}

/// Returns the variance of terms of known origin in units of [`Noise::UNIT`], saturating.
#[inline]
fn joint_variance(terms: &[Term]) -> u64 {
    let sources = terms.chunk_by(|a, b| a.source == b.source);
    sources.fold(0, |sum, terms| {
        sum.saturating_add(match terms {
            [term] if !term.is_lost() => {
                let weight = u64::from(term.weight.unsigned_abs());
                (weight * weight).saturating_mul(term.variance.into())
            }
            terms => accumulator_variance(terms),
        })
    })
}

/// Returns the variance of terms of one source: with weights `w_p` of the places `p`, and steps of
/// variance `t`,
///
/// `sum_p (v_p - t steps) w_p^2 + t sum_i (sum_(p >= i) w_p - sum_(p < i) w_p)^2`.
fn accumulator_variance(terms: &[Term]) -> u64 {
    if terms.iter().any(Term::is_lost) {
        return u64::MAX;
    }
    let square = |x: i64| x.unsigned_abs().saturating_pow(2);
    let mut along: i64 = terms.iter().map(|term| i64::from(term.weight)).sum();
    let (mut own, mut walk, mut start) = (0_u64, 0_u64, 0);
    for term in terms {
        let Walk { steps, step } = term.walk;
        let apart = term.variance.saturating_sub(u32::from(steps) * u32::from(step));
        own = own.saturating_add(square(term.weight.into()).saturating_mul(apart.into()));
        let end = u64::from(term.place) + 1;
        // Between two places of the sum the weight of a step is the same, so that the walk is a sum
        // over the few places and not over all coefficients.
        walk = walk.saturating_add(square(along).saturating_mul(end - start));
        // Behind its place, a coefficient counts the steps with the opposite sign.
        (along, start) = (along - 2 * i64::from(term.weight), end);
    }
    let Walk { steps, step } = terms[0].walk;
    let rest = u64::from(steps).saturating_sub(start);
    walk = walk.saturating_add(square(along).saturating_mul(rest));
    own.saturating_add(walk.saturating_mul(step.into()))
}

/// Returns a hash that identifies an origin.
pub(in crate::tfhe) fn source_name(origin: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    origin.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noises_of_one_source_add_up_and_cancel() {
        let (a, b) = (Noise::new(2), Noise::new(3));
        assert_eq!(a.add_scaled(&b, 1).variance(), 5);
        assert_eq!(a.add_scaled(&b, -4).variance(), 50);
        assert_eq!(a.add_scaled(&a, 1).variance(), 8);
        assert_eq!(a.add_scaled(&a, -1).variance(), 0);
        let both = a.add_scaled(&b, 2);
        assert_eq!(both.add_scaled(&a, 2).variance(), 9 * 2 + 4 * 3);
        assert_eq!(both.add_scaled(&b, -2).variance(), 2);
        assert_eq!(both.scaled(0).variance(), 0);
        let sum = [&a, &b, &a, &b].iter().fold(Noise::default(), |sum, x| sum.add_scaled(x, 1));
        assert_eq!(sum.variance(), 4 * 5);
        assert_eq!(Noise::new(0).variance(), 0);
    }

    #[test]
    fn copies_and_negatives_of_a_ciphertext_have_one_source() {
        let (mask, negative) = ([5, 7, 9], [5u32, 7, 9].map(u32::wrapping_neg));
        let [a, copy] = [0; 2].map(|_| Noise::of_mask(&mask, 1));
        assert_eq!(a.add_scaled(&copy, 1).variance(), 4);
        assert_eq!(a.add_scaled(&Noise::of_mask(&negative, 1), 1).variance(), 0);
        assert_eq!(a.add_scaled(&Noise::of_mask(&[5, 8, 9], 1), 1).variance(), 2);
    }

    /// Fault L6: `A` and `A + B` are received as two ciphertexts.
    #[test]
    fn l6_deviations_of_unknown_origin_add() {
        let [a, b] = [3, 5].map(|word| Noise::of_mask(&[word, 7], 1));
        let [received, sum] = [(8, 1), (9, 2)].map(|(word, noise_variance)| {
            Noise::of_mask(&[word, 7], noise_variance).of_unknown_origin()
        });
        assert_eq!(a.add_scaled(&b, 1).variance(), 2);
        assert_eq!(received.add_scaled(&a, 1).variance(), 4);
        assert_eq!(a.add_scaled(&received, -3).variance(), 16);
        // 1 + 2 + 2 sqrt 2 = 5.83.
        assert_eq!(received.add_scaled(&sum, 1).variance(), 6);
        assert_eq!(received.add_scaled(&received, -1).variance(), 0);
        assert_eq!(received.add_scaled(&received, 2).variance(), 9);
        assert_eq!(sum.add_scaled(&sum.scaled(3), 1).variance(), 32);
        // Known noises are independent of each other: 1 + 1 + 1 + 2 sqrt 2.
        assert_eq!(a.add_scaled(&b, 1).add_scaled(&received, 1).variance(), 6);
        assert_eq!(received.scaled(1 << 16).variance(), u32::MAX);
    }

    #[test]
    fn multiples_beyond_all_bounds_do_not_cancel() {
        let a = Noise::new(1);
        let grown = (0..4).fold(a.clone(), |noise, _| noise.scaled(i32::MIN));
        assert_eq!(grown.variance(), u32::MAX);
        assert_eq!(grown.add_scaled(&grown, -1).variance(), u32::MAX);
        assert_eq!(a.scaled(1 << 16).variance(), u32::MAX);
    }
}
