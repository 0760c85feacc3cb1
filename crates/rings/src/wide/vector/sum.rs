//! Sums of the elements of one vector.

use super::{Element, Vector, VectorEvaluator};
use crate::Error;
use crate::rlwe::rotate::sum_of_rotations;
use crate::rlwe::{LimbCount, Noise, NoiseModel, Relation};
use fathom_ring::{Eval, Poly, rotation_exponent, row_swap_exponent};
use std::convert::Infallible;
use std::fmt;

impl VectorEvaluator {
    /// Adds up all elements: the result has one element.
    ///
    /// Needs the keys of [`Rotations::for_sum`](crate::rlwe::Rotations::for_sum) for as many
    /// elements, or those of `Rotations::for_slot_sum` for more than half of the capacity. Rotates
    /// once for each bit of the number of elements, and once more for each bit that is set.
    ///
    /// # Errors
    /// As [`VectorEvaluator::add`]; [`Error::MissingGaloisKey`], [`Error::KeyLevel`];
    /// [`Error::Components`] for a product before relinearisation; [`Error::Count`] for a vector
    /// without elements.
    pub fn sum_slots<T: Element>(&self, a: &Vector<T>) -> Result<Vector<T>, Error> {
        self.sum_prefix(a, a.len())
    }

    /// Adds up the first `count` elements, as [`VectorEvaluator::sum_slots`] adds up all.
    ///
    /// # Errors
    /// As [`VectorEvaluator::sum_slots`]; [`Error::Count`] for a `count` out of range.
    pub fn sum_prefix<T: Element>(&self, a: &Vector<T>, count: usize) -> Result<Vector<T>, Error> {
        let operation = "sum_prefix";
        self.check_key(&[a])?;
        a.linear(operation)?;
        if count == 0 || count > a.len() {
            return Err(Error::Count { operation, count, limit: a.len() });
        }
        let model = &self.params().tables().model;
        let noise = summed_noise(model, a.noise, count, a.limb_count());
        self.params().refuse_beyond_budget(operation, noise, &[a])?;
        let row = self.params().degree() / 2;
        let first = self.sum_of_row(a, count.min(row))?;
        let sum = match count.saturating_sub(row) {
            0 => first,
            rest => {
                let second = self.sum_of_row(a, rest)?;
                self.add(&first, &self.swap_rows(&second)?)?
            }
        };
        // The other slots hold sums of other elements.
        Ok(Vector { length: 1, ..sum })
    }

    /// Adds up the first `count` elements of each row, in the first slot of the row.
    fn sum_of_row<T: Element>(&self, a: &Vector<T>, count: usize) -> Result<Vector<T>, Error> {
        sum_of_rotations(a, count, |sum, rotated, step| {
            let exponent = rotation_exponent(self.params().degree(), step);
            self.add(sum, &self.permuted(rotated, exponent, format_args!("rotation by {step}"))?)
        })
    }

    fn swap_rows<T: Element>(&self, a: &Vector<T>) -> Result<Vector<T>, Error> {
        self.permuted(a, row_swap_exponent(self.params().degree()), format_args!("row swap"))
    }

    /// Applies an automorphism: switches the key of `c_1 / t`, for every prime `t`, multiplies by
    /// `t` and permutes.
    fn permuted<T: Element>(
        &self,
        a: &Vector<T>,
        exponent: usize,
        rotation: fmt::Arguments<'_>,
    ) -> Result<Vector<T>, Error> {
        let missing = || Error::MissingGaloisKey { exponent, rotation: rotation.to_string() };
        let galois = self.keys.galois.get(&exponent).ok_or_else(missing)?;
        galois.key.check_level(self.params().vector_level(), rotation)?;
        let (tables, chain) = (self.params().tables(), a.limb_count());
        let permute = |part: Poly<Eval>| galois.automorphism.apply(&part);
        let residues = tables.residues.iter().zip(&a.residues).map(|(residue, parts)| {
            let [x0, mut x1] = self.switched(&galois.key, residue, &parts[1])?;
            let mut sum = parts[0].clone();
            sum.mul_scalar_add_assign(&x0, &residue.factor);
            x1.mul_scalar_assign(&residue.factor);
            Ok(vec![permute(sum), permute(x1)])
        });
        let residues = residues.collect::<Result<_, Error>>()?;
        let noise = tables.model.key_switched(a.noise, chain);
        Ok(a.computed(residues, noise, a.largest))
    }
}

/// Bounds the noise of a sum of `count` elements: that of a sum of as many rotations.
pub(super) fn summed_noise(
    model: &NoiseModel,
    noise: Noise,
    count: usize,
    limbs: LimbCount,
) -> Noise {
    let row = model.degree / 2;
    let sum_of_row = |count: usize| {
        let sum = sum_of_rotations(&noise, count, |sum, rotated, _| {
            let rotated = model.key_switched(*rotated, limbs);
            Ok::<_, Infallible>(sum.plus(rotated, Relation::Any))
        });
        match sum {
            Ok(sum) => sum,
            Err(impossible) => match impossible {},
        }
    };
    let first = sum_of_row(count.min(row));
    match count.saturating_sub(row) {
        0 => first,
        rest => first.plus(model.key_switched(sum_of_row(rest), limbs), Relation::Any),
    }
}
