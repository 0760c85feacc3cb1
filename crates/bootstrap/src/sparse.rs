//! Sparse slots: bootstrapping of messages that repeat.
//!
//! The polynomial of a message whose slots repeat after `n'` of `n` lies in the subring of
//! `X^(n/n')`, where both maps have `log2 n'` layers. The overflow of the last prime does not: it
//! is projected to the subring, by the sum of the rotations by multiples of `n'`. As the diagonals
//! of all factors repeat after `n'` slots, that sum may stand behind the first factor, which leads
//! back from the sparse secret. It multiplies what repeats by `n/n'`, and the diagonals of the
//! second factor are divided by that.
//!
//! The last factor puts the real parts of results in the first half of every period of `2 n'`
//! slots, and the imaginary parts in the second half, so that one evaluation serves both. Its last
//! weights are polynomials, with the values `1` and `i` in these halves.
//!
//! Of a message that does not repeat, every step sees the mean of the slots `j, j + n', ...` alone:
//! the result is that mean, with the same bounds.

use super::stages::Stages;
use super::steps::twisted_exponent;
use fathom_base::Error;

/// Fewest slots that a period may have: every factor of both maps has a layer.
const FEWEST_SLOTS: usize = 8;

impl Stages {
    /// Returns the same rings with the maps of messages that repeat after this number of slots.
    ///
    /// # Errors
    /// [`Error::Spec`] for a number that is not a power of two from [`FEWEST_SLOTS`] to half of the
    /// slots of the ring.
    pub(super) fn repeating(&self, slots: usize) -> Result<Stages, Error> {
        let most = self.raised.degree() / 4;
        if !slots.is_power_of_two() || !(FEWEST_SLOTS..=most).contains(&slots) {
            let reason = format!("{slots} is not a power of two from {FEWEST_SLOTS} to {most}");
            return Err(Error::Spec { field: "slots", reason });
        }
        let layers = slots.ilog2() as usize;
        let mut stages = self.clone();
        stages.out_layers = split(layers, self.schedule.out_layers.len());
        stages.in_layers = split(layers, self.schedule.in_layers.len());
        stages.slots = slots;
        Ok(stages)
    }

    /// Returns the Galois elements of the rotations whose sums with what is rotated, one after the
    /// other, project to what repeats, from the smallest rotation up.
    pub(super) fn projection(&self) -> impl Iterator<Item = usize> {
        let (degree, slots) = (self.raised.degree(), self.slots());
        let doublings = self.copies().ilog2();
        (0..doublings).map(move |i| twisted_exponent(degree, (slots << i) as i64))
    }
}

/// Splits a number of layers into factors of nearly as many, the larger ones first.
fn split(layers: usize, factors: usize) -> Vec<usize> {
    (0..factors).map(|i| (layers + factors - 1 - i) / factors).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_split_evenly_and_no_factor_is_empty() {
        assert_eq!(split(3, 3), [1, 1, 1]);
        assert_eq!(split(12, 3), [4, 4, 4]);
        assert_eq!(split(14, 3), [5, 5, 4]);
        assert_eq!(split(13, 2), [7, 6]);
        for layers in FEWEST_SLOTS.ilog2() as usize..16 {
            for factors in 2..=3 {
                let split = split(layers, factors);
                assert_eq!(split.iter().sum::<usize>(), layers);
                assert!(split.iter().all(|layers| *layers > 0));
            }
        }
    }
}
