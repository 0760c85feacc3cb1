//! Sets of rotations.

use fathom_ring::{rotation_exponent, rotation_steps, row_swap_exponent};
use std::collections::BTreeSet;

/// The rotations for which a set of Galois keys is made.
///
/// ```
/// # use fathom_rings as fathom;
/// use fathom::prelude::*;
///
/// // All that sums over 64 slots, one step to the right and the row swap need.
/// let rotations = Rotations::for_sum(64).with_steps(&[-1]).with_row_swap();
/// assert_eq!(rotations.steps, [-1, 1, 2, 4, 8, 16, 32]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rotations {
    /// Steps to the left within the rows; negative ones to the right.
    pub steps: Vec<i64>,
    /// The key that swaps the two rows of slots.
    pub row_swap: RowSwap,
}

/// The presence of a key that swaps the two rows of slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum RowSwap {
    /// No key.
    #[default]
    Without,
    /// One key.
    With,
}

impl Rotations {
    /// Returns the empty set.
    pub fn none() -> Rotations {
        Rotations::default()
    }

    /// Returns the set of these steps, without the row swap.
    pub fn steps(steps: &[i64]) -> Rotations {
        Rotations { steps: steps.to_vec(), row_swap: RowSwap::Without }
    }

    /// Returns the powers of two below half of `degree` and the row swap, which suffice to sum all
    /// slots.
    pub fn for_slot_sum(degree: usize) -> Rotations {
        Rotations::for_sum(degree / 2).with_row_swap()
    }

    /// Returns the powers of two below `count`, which suffice to add up `count` rotations.
    pub fn for_sum(count: usize) -> Rotations {
        let steps =
            (0..usize::BITS - 1).map(|k| 1i64 << k).take_while(|&step| (step as usize) < count);
        Rotations { steps: steps.collect(), row_swap: RowSwap::Without }
    }

    /// Returns the powers of two up to a quarter of `degree`, to the left and to the right, from
    /// which [`Evaluator::rotate_composed`](super::Evaluator::rotate_composed) composes
    /// every rotation: about `2 log2 N` keys in place of `N/2`.
    pub fn for_any_step(degree: usize) -> Rotations {
        let powers = Rotations::for_sum(degree / 2).steps;
        // Half a row to the left is half a row to the right.
        let half = degree as u64 / 4;
        let right = powers.iter().map(|step| -step).filter(|step| step.unsigned_abs() != half);
        let steps = right.chain(powers.iter().copied()).collect();
        Rotations { steps, row_swap: RowSwap::Without }
    }

    /// Returns the set with these steps too.
    #[must_use]
    pub fn with_steps(self, steps: &[i64]) -> Rotations {
        self.and(&Rotations::steps(steps))
    }

    /// Returns the set with the row swap.
    #[must_use]
    pub fn with_row_swap(self) -> Rotations {
        Rotations { row_swap: RowSwap::With, ..self }
    }

    /// Returns the rotations of both sets.
    #[must_use]
    pub fn and(mut self, other: &Rotations) -> Rotations {
        self.steps.extend(&other.steps);
        self.steps.sort_unstable();
        self.steps.dedup();
        if other.row_swap == RowSwap::With {
            self.row_swap = RowSwap::With;
        }
        self
    }

    /// Returns the rotations with these Galois elements, by ascending steps from 1 to `N/2 - 1`.
    pub(crate) fn of_exponents(degree: usize, exponents: &BTreeSet<usize>) -> Rotations {
        let step = |&exponent: &usize| rotation_steps(degree, exponent);
        let steps: BTreeSet<i64> = exponents.iter().filter_map(step).filter(|&s| s != 0).collect();
        let swaps = exponents.contains(&row_swap_exponent(degree));
        Rotations {
            steps: steps.into_iter().collect(),
            row_swap: if swaps { RowSwap::With } else { RowSwap::Without },
        }
    }

    pub(crate) fn exponents(&self, degree: usize) -> Vec<usize> {
        let rotations = self.steps.iter().map(|&s| rotation_exponent(degree, s));
        let swap = (self.row_swap == RowSwap::With).then(|| row_swap_exponent(degree));
        rotations.chain(swap).filter(|&e| e != 1).collect()
    }
}
