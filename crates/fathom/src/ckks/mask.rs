//! Products with masks, which keep some slots and clear the others, and sums of what they keep.
//!
//! A mask that is rounded at a scale keeps the errors of the slots that it keeps, and those of all
//! others times its own rounding. A sum over all slots after it therefore adds as many errors of
//! the operand as slots are kept; what it adds of all slots are the roundings of mask and product.
//! docs/maths/ckks.md, "Sums of slots that a mask keeps".

use super::mul_plain::Multiplicand;
use super::{Ckks, Mode};
use crate::Error;
use crate::rlwe::{
    Bounds, Ciphertext, Encoding, Evaluator, Facts, Gain, Level, Noise, Relation, Selection,
};

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Returns a factor in the slots that are kept and zeros in the others, for a level.
    pub(super) fn mask(
        &self,
        keeps: &dyn Fn(usize) -> bool,
        factor: f64,
        level: Level,
    ) -> Result<Multiplicand<M>, Error> {
        let values: Vec<f64> =
            (0..self.slots()).map(|slot| if keeps(slot) { factor } else { 0.0 }).collect();
        self.params.encode_public(&values)?.to_multiplicand(level)
    }

    /// Multiplies by a mask of the level of the ciphertext.
    pub(super) fn times_mask(
        &self,
        a: &Ciphertext<Ckks<M>>,
        mask: &Multiplicand<M>,
        keeps: &dyn Fn(usize) -> bool,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let selected = self.mul_plain(a, mask)?;
        if (0..self.slots()).all(keeps) {
            return Ok(selected);
        }
        Ok(Ciphertext { facts: selected.facts.selected(), ..selected })
    }

    /// Adds up the slots of a selection, of a ciphertext with a level for the mask.
    pub(super) fn sum_of_mask(
        &self,
        a: &Ciphertext<Ckks<M>>,
        Selection { operation, keeps, terms, factor }: Selection<'_>,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let mask = self.mask(keeps, factor, a.level())?;
        let selected = self.times_mask(a, &mask, keeps)?;
        // The same operations on the same bounds, with the errors of the operand and without.
        let alike = self.masked_noise(a, a.noise, &mask, &selected) == selected.noise;
        if !alike {
            return self.sum_of_few(operation, &selected, terms);
        }
        let message = Noise::of_message(a.noise.message);
        let own = self.masked_noise(a, message, &mask, &selected);
        let sum = self.sum_of_few(operation, &Ciphertext { noise: own, ..selected }, terms)?;
        let gain = self.gain_of_mask(factor, terms, mask.rounding_error());
        let operand = Noise {
            message: Bounds::default(),
            random: gain.of_random(a.noise.random),
            rest: gain.of_rest(a.noise.rest),
            tails: a.noise.tails,
        };
        let noise = sum.noise.plus(operand.times(sum.meta / a.meta), Relation::Any);
        Ciphertext { noise, ..sum }.checked(operation, &[a])
    }

    /// Bounds the product with a mask, at the level of the result, for an operand of this noise.
    fn masked_noise(
        &self,
        a: &Ciphertext<Ckks<M>>,
        noise: Noise,
        mask: &Multiplicand<M>,
        selected: &Ciphertext<Ckks<M>>,
    ) -> Noise {
        let error = <Ckks<M> as Encoding>::META_ERROR;
        let product = mask.multiplied(noise).with_relative_error(error).ordered();
        if selected.level() == a.level() {
            return product;
        }
        let switched =
            self.params.switched_noise(product, a.parts.len(), a.level(), selected.level());
        switched.with_relative_error(error)
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
