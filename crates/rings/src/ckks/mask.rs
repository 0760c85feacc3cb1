//! Products with masks, which keep some slots and clear the others, and sums of what they keep.
//!
//! A mask that is rounded at a scale keeps the errors of the slots that it keeps, and those of all
//! others times its own rounding. A sum over all slots after it therefore adds as many errors of
//! the operand as slots are kept; what it adds of all slots are the roundings of the mask. The
//! product is divided after the sum, so that the errors of rotations, and the rounding of the
//! division, are small beside the scale. docs/maths/ckks.md, "Sums of slots that a mask keeps".

use super::facts::{Padding, Places};
use super::mul_plain::Multiplicand;
use super::{Ckks, Mode};
use crate::Error;
use crate::rlwe::{
    Bounds, Ciphertext, Encoding, Evaluator, Facts, Gain, Level, Mechanics, Noise, Random,
    Relation, Selection, Slotted,
};
use fathom_ring::Seed;

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Returns a factor in the slots that are kept and zeros in the others, for a level.
    pub(super) fn mask(
        &self,
        keeps: &dyn Fn(usize) -> bool,
        factor: f64,
        level: Level,
    ) -> Result<Multiplicand<M>, Error> {
        self.params.encode_public(&self.mask_values(keeps, factor))?.to_multiplicand(level)
    }

    fn mask_values(&self, keeps: &dyn Fn(usize) -> bool, factor: f64) -> Vec<f64> {
        (0..self.slots()).map(|slot| if keeps(slot) { factor } else { 0.0 }).collect()
    }

    /// Keeps the first `count` slots of every `period` slots, whose number divides that of all, and
    /// fills the others with a number, one level lower: for functions of vectors that leave slots
    /// without a value, where a zero would be outside of the interval.
    ///
    /// # Errors
    /// As `mul_plain`; [`Error::Shape`] for a period that does not divide the number of slots or a
    /// count beyond it; [`DomainError::NotFinite`](super::DomainError).
    pub fn fill_rest(
        &self,
        a: &Ciphertext<Ckks<M>>,
        count: usize,
        period: usize,
        filler: f64,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let slots = self.slots();
        if period == 0 || !slots.is_multiple_of(period) || count > period {
            let wanted = format!("a period that divides {slots}, and no more values than it has");
            let got = format!("{count} values of {period}");
            return Err(Error::Shape { operation: "fill_rest", wanted, got });
        }
        let keeps = |slot: usize| slot % period < count;
        let mut kept = <Ckks<M>>::selected(self, a, &keeps, 1.0)?;
        let rest: Vec<f64> = (0..slots).map(|i| if keeps(i) { 0.0 } else { filler }).collect();
        let largest = kept.tracked_magnitude().max(filler.abs());
        let filled = self.add_plain(&kept, &self.params.encode_public(&rest)?)?.bounded(largest);
        if count == period {
            return Ok(filled);
        }
        // A vector that repeats leaves such slots in every repetition.
        let places = if period < slots { Places::Unknown } else { Places::Tail };
        let padding = Padding { center: filler.into(), places, ..Padding::ZEROS };
        kept.facts.padding = Some(padding);
        Ok(Ciphertext { facts: kept.facts, ..filled })
    }

    /// Multiplies by a mask of the level of the ciphertext.
    pub(super) fn times_mask(
        &self,
        a: &Ciphertext<Ckks<M>>,
        mask: &Multiplicand<M>,
        keeps: &dyn Fn(usize) -> bool,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let product = self.times_mask_undivided(a, mask, keeps)?;
        <Ckks<M>>::after_plain_product(self, product)
    }

    /// Multiplies by a mask, and keeps the level and the scale of the product.
    fn times_mask_undivided(
        &self,
        a: &Ciphertext<Ckks<M>>,
        mask: &Multiplicand<M>,
        keeps: &dyn Fn(usize) -> bool,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let product = self.times_plain_undivided(a, mask)?;
        if (0..self.slots()).all(keeps) {
            return Ok(product);
        }
        Ok(Ciphertext { facts: product.facts.selected(), ..product })
    }

    /// Adds up the slots of a selection, of a ciphertext with a level for the mask.
    pub(super) fn sum_of_mask(
        &self,
        a: &Ciphertext<Ckks<M>>,
        Selection { operation, keeps, terms, factor }: Selection<'_>,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let plain = self.params.encode_public(&self.mask_values(keeps, factor))?;
        let mask = plain.to_dithered_multiplicand(a.level(), &seed_of(a))?;
        let selected = self.times_mask_undivided(a, &mask, keeps)?;
        // The same operations on the same bounds, with the errors of the operand and without.
        if masked_noise(a.noise, &mask) != selected.noise {
            let sum = self.sum_of_few(operation, &selected, terms)?;
            return <Ckks<M>>::after_plain_product(self, sum);
        }
        let message = Noise::of_message(a.noise.message);
        let dither = mask.dithered(message);
        let own = Noise { random: Random::default(), ..masked_noise(message, &mask) };
        let sum = self.sum_of_few(operation, &Ciphertext { noise: own, ..selected }, terms)?;
        let gain = self.gain_of_mask(factor, terms, mask.rounding_error());
        let operand = Noise {
            message: Bounds::default(),
            random: gain.of_random(a.noise.random),
            rest: gain.of_rest(a.noise.rest),
            tails: a.noise.tails,
        };
        let all = Gain::of_rotations(self.slots());
        let dither = Noise { random: all.of_random(dither.random), ..dither };
        let shared = operand.times(sum.meta / a.meta).plus_independent(dither);
        let noise = sum.noise.plus(self.in_every_slot(shared), Relation::Any);
        let sum = Ciphertext { noise, ..sum }.checked(operation, &[a])?;
        <Ckks<M>>::after_plain_product(self, sum)
    }

    /// Bounds an error that is the same number in every slot. As a random polynomial it would have
    /// a direction in which it is large, and sums of slots count the errors of others in that
    /// direction too.
    fn in_every_slot(&self, error: Noise) -> Noise {
        let norms = self.params.context().model.norms(error);
        Noise::of_rest(Bounds::of_root_values(norms.root)).with_tails(error.tails_with_norms())
    }

    /// Bounds the matrix of as many equal rows as there are slots: a mask that is rounded by at
    /// most `error` in every slot.
    fn gain_of_mask(&self, factor: f64, terms: usize, error: f64) -> Gain {
        let (slots, terms) = (self.slots() as f64, terms as f64);
        let row = terms.sqrt() * factor + slots.sqrt() * error;
        let largest = terms * factor + slots * error;
        Gain { largest, row, euclidean: slots.sqrt() * row }.times(1.0)
    }
}

/// Returns a seed that depends on the mask of a ciphertext alone, which no message depends on.
fn seed_of<M: Mode>(a: &Ciphertext<Ckks<M>>) -> Seed {
    let mut hasher = blake3::Hasher::new_derive_key("fathom 1 rounding of a mask");
    for word in a.parts[1..].iter().flat_map(|part| part.row(0)) {
        hasher.update(&word.to_le_bytes());
    }
    Seed(*hasher.finalize().as_bytes())
}

/// Bounds the product with a mask, for an operand of this noise.
fn masked_noise<M: Mode>(noise: Noise, mask: &Multiplicand<M>) -> Noise {
    let error = <Ckks<M> as Encoding>::META_ERROR;
    mask.multiplied(noise).with_relative_error(error).ordered()
}
