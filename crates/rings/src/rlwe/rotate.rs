//! Rotations of slots, alone, many at once, and summed.

use super::{
    Ciphertext, Evaluator, Facts, Gain, Galois, LimbCount, Mechanics, Noise, Random, Relation,
    Slotted, TwoRows,
};
use crate::Error;
use fathom_ring::{Eval, Poly, rotation_exponent, row_swap_exponent};
use std::fmt;

impl<S: Slotted> Evaluator<S> {
    /// Rotates the rows of slots to the left by `steps`; negative steps go to the right.
    ///
    /// Transforms at `l` limbs with `d` digits and `K` special primes: `d(l + K) + 2K + 2l` with
    /// the hybrid gadget, `l + d l` with the positional one. Noise: that of a key switch is added.
    ///
    /// # Errors
    /// [`Error::MissingGaloisKey`], [`Error::KeyLevel`], [`Error::NoiseExhausted`],
    /// [`Error::Components`], [`Error::NoSlots`].
    pub fn rotate(&self, a: &Ciphertext<S>, steps: i64) -> Result<Ciphertext<S>, Error> {
        S::check_slots(&self.params)?;
        let exponent = rotation_exponent(self.params.degree(), steps);
        self.permuted(a, exponent, format_args!("rotation by {steps}"))
    }

    /// Rotates one ciphertext by several steps, with one decomposition into digits (Halevi and
    /// Shoup, eprint 2018/244).
    ///
    /// Transforms: the decomposition of [`Evaluator::rotate`] once, and `2K + 2l` for each rotation
    /// with the hybrid gadget.
    ///
    /// # Errors
    /// As [`Evaluator::rotate`].
    pub fn rotate_many(
        &self,
        a: &Ciphertext<S>,
        steps: &[i64],
    ) -> Result<Vec<Ciphertext<S>>, Error> {
        S::check_slots(&self.params)?;
        self.check_key(&[a])?;
        let [_, c1] = a.pair("rotate_many")?;
        let mut digits = None;
        let mut rotated = Vec::with_capacity(steps.len());
        for &step in steps {
            let exponent = rotation_exponent(self.params.degree(), step);
            if exponent == 1 {
                rotated.push(a.clone());
                continue;
            }
            let galois = self.galois(exponent, a.level(), format_args!("rotation by {step}"))?;
            let digits = digits.get_or_insert_with(|| galois.key.vector.decompose(c1));
            let switched = galois.key.vector.multiply(digits);
            rotated.push(self.complete_rotation(a, galois, switched, "rotate_many")?);
        }
        Ok(rotated)
    }

    /// Adds up all slots: every slot of the result holds the sum. Needs the keys of
    /// [`Rotations::for_slot_sum`](super::Rotations::for_slot_sum); `log2 N` rotations, each of
    /// which costs about in proportion to the number of primes: where no product follows, bring
    /// the operand to a lower level with [`Evaluator::mod_switch_to`] first.
    ///
    /// # Errors
    /// As [`Evaluator::rotate`].
    pub fn sum_slots(&self, a: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        self.sum_of_few("sum_slots", a, self.params.degree() / 2)
    }

    /// Adds up all slots, of which no more than `terms` in a row are not zero.
    pub(crate) fn sum_of_few(
        &self,
        operation: &'static str,
        a: &Ciphertext<S>,
        terms: usize,
    ) -> Result<Ciphertext<S>, Error> {
        let row = self.sum_of_window(operation, a, self.params.degree() / 2, terms)?;
        self.sum_rows(&Ciphertext { facts: row.facts.summed_up(a.facts), ..row })
    }

    /// Adds the rows of slots to each other, so that every row holds the sum: the operand itself
    /// if there is one row. Two rows need the key of [`RowSwap::With`](super::RowSwap).
    ///
    /// # Errors
    /// As [`Evaluator::rotate`].
    pub fn sum_rows(&self, a: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        S::sum_of_rows(self, a)
    }

    /// Adds the first `count` rotations to the left,
    /// `a + rotate(a, 1) + ... + rotate(a, count - 1)`, so that slot `i` holds the sum of the
    /// `count` slots from `i` on, around the row. `count` is from 1 to `N/2`.
    ///
    /// Rotates by the powers of two below `count`, as `Rotations::for_sum` lists them: once for
    /// each bit of `count`, and once more for each bit that is set, but for the highest.
    ///
    /// # Errors
    /// As [`Evaluator::rotate`]; [`Error::Count`] for a `count` out of range.
    pub fn sum_rotations(&self, a: &Ciphertext<S>, count: usize) -> Result<Ciphertext<S>, Error> {
        self.sum_of_window("sum_rotations", a, count, count)
    }

    /// Adds `count` rotations, where no more than `terms` slots of a row are not zero.
    fn sum_of_window(
        &self,
        operation: &'static str,
        a: &Ciphertext<S>,
        count: usize,
        terms: usize,
    ) -> Result<Ciphertext<S>, Error> {
        S::check_slots(&self.params)?;
        let row = self.params.degree() / 2;
        if count == 0 || count > row {
            return Err(Error::Count { operation, count, limit: row });
        }
        let few = S::SLOTS_ARE_ROOTS && terms < count;
        // Where no more than a few slots of a row are not zero, the message of the sum is smaller
        // than the sum of the bounds.
        let most = if few { terms as f64 * a.noise.message.root } else { f64::INFINITY };
        let sum = sum_of_rotations(a, count, |doubled, rotated, step| {
            self.add_within(doubled, &self.rotate(rotated, step)?, most)
        });
        let sum = sum.map_err(|error| self.as_shortfall_of_sum(error, operation, a, count))?;
        // Modulo t, slots are no values at complex roots, so that nothing better is known than the
        // sum of the bounds.
        if !S::SLOTS_ARE_ROOTS || count == 1 {
            return Ok(sum);
        }
        let noise = self.noise_of_rotations(a.noise, a.limb_count(), count);
        let noise = noise.with_message_within(most);
        Ciphertext { noise, ..sum }.checked(operation, &[a])
    }

    /// States a want of noise budget within a sum of rotations as one of the whole sum.
    fn as_shortfall_of_sum(
        &self,
        error: Error,
        operation: &'static str,
        a: &Ciphertext<S>,
        count: usize,
    ) -> Error {
        let Error::NoiseExhausted { .. } = error else { return error };
        let (model, limbs) = (&self.params.context().model, a.limb_count());
        let sum = sum_of_rotations(&a.noise, count, |sum, rotated, _| {
            let rotated = model.key_switched(*rotated, limbs);
            Ok::<_, Error>(sum.plus(rotated, Relation::Any))
        });
        let whole = sum
            .and_then(|noise| self.params.check_budget(operation, a.meta, a.level(), noise, &[a]));
        whole.err().unwrap_or(error)
    }

    /// Bounds the noise of the sum of rotations, where slots are values at roots: a slot of the sum
    /// combines errors of different slots. docs/maths/ckks.md, "Sums of rotations".
    pub(crate) fn noise_of_rotations(&self, noise: Noise, limbs: LimbCount, count: usize) -> Noise {
        let gain = Gain::of_rotations(count);
        let switched = self.params.context().model.key_switched(Noise::default(), limbs);
        let own = switched.random.direction;
        let (terms, alone) = (count as f64, f64::from(count.count_ones()));
        // The error of the key switch by s slots is in at most n / 2s places of a slot's sum. The
        // squares of n / 2, n / 4, n / 8, ... add up to a third of n squared.
        let direction = own * (terms * terms / 3.0 + alone).sqrt();
        let root = own * (terms + alone).sqrt();
        let switches = Random::at_roots(direction, root);
        Noise {
            message: gain.of_rest(noise.message),
            random: gain.of_random(noise.random).plus_independent(switches),
            // No slot sums up more errors of rotations than this.
            rest: gain.of_rest(noise.rest).plus(switched.rest.times(terms + alone)),
            tails: noise.tails + switched.tails * (terms + alone),
        }
    }
}

/// Adds up the first `count` rotations of `a`, of which there is at least one, where
/// `add_rotated(x, y, step)` is `x` plus `y` rotated to the left.
///
/// Rotates by the powers of two below `count`: once for each bit of `count`, and once more for each
/// bit that is set, but for the highest.
///
/// # Errors
/// Those of `add_rotated`.
pub(crate) fn sum_of_rotations<V: Clone, E>(
    a: &V,
    count: usize,
    add_rotated: impl Fn(&V, &V, i64) -> Result<V, E>,
) -> Result<V, E> {
    // The sums of `1, 2, 4, ...` rotations, and that of as many as the bits so far say.
    let mut doubled = a.clone();
    let mut sum: Option<V> = None;
    for bit in 0..=count.ilog2() {
        let step = 1 << bit;
        if count & step != 0 {
            sum = Some(match &sum {
                Some(rest) => add_rotated(&doubled, rest, step as i64)?,
                None => doubled.clone(),
            });
        }
        if 2 * step <= count {
            doubled = add_rotated(&doubled, &doubled, step as i64)?;
        }
    }
    Ok(sum.expect("the highest bit of a positive count is set"))
}

impl<S: TwoRows> Evaluator<S> {
    /// Swaps the two rows of slots. As [`Evaluator::rotate`].
    ///
    /// # Errors
    /// As [`Evaluator::rotate`].
    pub fn swap_rows(&self, a: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        S::check_slots(&self.params)?;
        self.permuted(a, row_swap_exponent(self.params.degree()), format_args!("row swap"))
    }

    /// Adds the two rows to each other.
    pub(crate) fn sum_of_two_rows(&self, a: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        self.add(a, &self.swap_rows(a)?)
    }
}

impl<S: Mechanics> Evaluator<S> {
    /// Applies the automorphism with this exponent, which `rotation` names in refusals.
    pub(crate) fn permuted(
        &self,
        a: &Ciphertext<S>,
        exponent: usize,
        rotation: fmt::Arguments<'_>,
    ) -> Result<Ciphertext<S>, Error> {
        self.check_key(&[a])?;
        let [_, c1] = a.pair("rotate")?;
        if exponent == 1 {
            return Ok(a.clone());
        }
        // The key switches to the preimage of the secret, and the permutation comes last: it then
        // acts on two polynomials over the chain instead of on all digits.
        let galois = self.galois(exponent, a.level(), rotation)?;
        let switched = galois.key.vector.product(c1);
        self.complete_rotation(a, galois, switched, "rotate")
    }

    /// Divides by the special primes and permutes.
    fn complete_rotation(
        &self,
        a: &Ciphertext<S>,
        galois: &Galois,
        [x0, x1]: [Poly<Eval>; 2],
        operation: &'static str,
    ) -> Result<Ciphertext<S>, Error> {
        let context = self.params.context();
        let [c0, _] = a.pair(operation)?;
        let (y0, y1) = if context.special_count() == 0 {
            let mut y0 = x0;
            y0.add_assign(c0);
            (y0, x1)
        } else {
            let down = context.mod_down(x0.limbs(), a.limb_count());
            (down.apply_with(x0, c0), down.apply(x1))
        };
        let parts = [y0, y1].map(|y| galois.automorphism.apply(&y)).into();
        let noise = context.model.key_switched(a.noise, a.limb_count());
        let rotated = Ciphertext { facts: a.facts.rotated(), ..a.with(parts, noise) };
        rotated.checked(operation, &[a])
    }
}
