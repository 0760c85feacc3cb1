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

use super::super::facts::SlotFacts;
use super::super::{Ckks, Mode};
use super::keys::{BootstrappingKeys, Parts};
use super::stages::Stages;
use super::steps::twisted_exponent;
use crate::Error;
use crate::rlwe::{Ciphertext, Facts, Params, SecretKey};
use crate::wire::frame::OVERHEAD;
use fathom_ring::SecretRng;
use std::sync::Arc;

/// Fewest slots that a period may have: every factor of both maps has a layer.
pub(super) const FEWEST_SLOTS: usize = 8;

impl Stages {
    /// Returns the Galois elements of the rotations whose sums with what is rotated, one after the
    /// other, project to what repeats, from the smallest rotation up.
    pub(super) fn projection(&self) -> impl Iterator<Item = usize> {
        let (degree, slots) = (self.raised.degree(), self.slots());
        let doublings = self.copies().ilog2();
        (0..doublings).map(move |i| twisted_exponent(degree, (slots << i) as i64))
    }
}

/// Splits a number of layers into factors of nearly as many, the larger ones first.
pub(super) fn split(layers: usize, factors: usize) -> Vec<usize> {
    (0..factors).map(|i| (layers + factors - 1 - i) / factors).collect()
}

/// Returns the facts of the means of slots at multiples of a period. Slots without a value are
/// unknown then, because they and others may have a mean.
pub(super) fn of_means<M: Mode>(a: &Ciphertext<Ckks<M>>) -> SlotFacts {
    SlotFacts::default().mapped(a.facts, a.magnitude_bound())
}

impl<M: Mode> SecretKey<Ckks<M>> {
    /// Generates the keys of a bootstrapping of messages that repeat after this number of slots, as
    /// [`Params::encode_repeated`] makes them. They are smaller than those for all slots, and a
    /// bootstrapping takes less time: one evaluation instead of two for complex numbers, and maps
    /// of fewer layers.
    ///
    /// The result of a bootstrapping with them holds the means of the slots `j, j + slots,
    /// j + 2 slots, ...` in each of these, within the same bound. That is the message itself where
    /// it repeats, and else a projection of it: no promise is needed. A function is applied to
    /// these means.
    ///
    /// # Errors
    /// [`Error::Spec`] for a number that is not a power of two from 8 to half of the slots of the
    /// parameters; [`BootstrapError::NoSet`](super::BootstrapError) for parameters that cannot be
    /// bootstrapped.
    pub fn sparse_bootstrapping_keys(
        &self,
        slots: usize,
        rng: &mut SecretRng,
    ) -> Result<BootstrappingKeys<M>, Error> {
        let stages = Arc::new(self.params.stages()?.repeating(slots)?);
        let secret = self.coefficients();
        let parts = Arc::new(Parts::generate(&stages, [&secret; 2], rng));
        Ok(BootstrappingKeys { params: self.params.clone(), key: self.id, stages, parts })
    }
}

impl<M: Mode> Params<Ckks<M>> {
    /// Returns the length in bytes of the keys of [`SecretKey::sparse_bootstrapping_keys`] on the
    /// wire, before they are generated.
    ///
    /// # Errors
    /// Those of [`SecretKey::sparse_bootstrapping_keys`].
    pub fn sparse_bootstrapping_keys_byte_len(&self, slots: usize) -> Result<usize, Error> {
        let stages = self.stages()?.repeating(slots)?;
        Ok(OVERHEAD + stages.keys_meta().len() + stages.keys_len())
    }
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
