//! Products with masks, which keep some slots and clear the others, and sums of what they keep.
//!
//! A mask that is rounded at a scale keeps the errors of the slots that it keeps, and those of all
//! others times its own rounding. A sum over all slots after it therefore adds as many errors of
//! the operand as slots are kept; what it adds of all slots are the roundings of the mask. The
//! product is divided after the sum, so that the errors of rotations, and the rounding of the
//! division, are small beside the scale. docs/maths/ckks.md, "Sums of slots that a mask keeps".

use super::mul_plain::Multiplicand;
use super::{Ckks, Mode};
use crate::Error;
use crate::rlwe::{
    Bounds, Ciphertext, Encoding, Evaluator, Facts, Gain, Level, Mechanics, Noise, Relation,
    Selection,
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
        let mask = self.mask(keeps, factor, a.level())?;
        let selected = self.times_mask_undivided(a, &mask, keeps)?;
        // The same operations on the same bounds, with the errors of the operand and without.
        if masked_noise(a.noise, &mask) != selected.noise {
            let sum = self.sum_of_few(operation, &selected, terms)?;
            return <Ckks<M>>::after_plain_product(self, sum);
        }
        let own = masked_noise(Noise::of_message(a.noise.message), &mask);
        let sum = self.sum_of_few(operation, &Ciphertext { noise: own, ..selected }, terms)?;
        let gain = self.gain_of_mask(factor, terms, mask.rounding_error());
        let operand = Noise {
            message: Bounds::default(),
            random: gain.of_random(a.noise.random),
            rest: gain.of_rest(a.noise.rest),
            tails: a.noise.tails,
        };
        let noise = sum.noise.plus(operand.times(sum.meta / a.meta), Relation::Any);
        let sum = Ciphertext { noise, ..sum }.checked(operation, &[a])?;
        <Ckks<M>>::after_plain_product(self, sum)
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

/// Bounds the product with a mask, for an operand of this noise.
fn masked_noise<M: Mode>(noise: Noise, mask: &Multiplicand<M>) -> Noise {
    let error = <Ckks<M> as Encoding>::META_ERROR;
    mask.multiplied(noise).with_relative_error(error).ordered()
}
