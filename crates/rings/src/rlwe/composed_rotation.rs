//! Rotations by sums of the steps that there are keys for.

use super::{Ciphertext, Evaluator, Galois, Level, Rotations, Slotted};
use crate::Error;
use fathom_ring::rotation_exponent;
use std::collections::VecDeque;
use std::sync::Arc;

impl<S: Slotted> Evaluator<S> {
    /// Rotates the rows of slots to the left by `steps`, in as few rotations as the keys allow:
    /// one if there is a key for `steps`, otherwise several whose steps add up to it. With the keys
    /// of [`Rotations::for_any_step`], no rotation takes more than about a third of `log2 N`
    /// rotations on average and half of it at most.
    ///
    /// Noise and time: those of [`Evaluator::rotate`] for each of them.
    ///
    /// # Errors
    /// As [`Evaluator::rotate`]; [`Error::MissingGaloisKey`] if no steps of the keys add up to
    /// `steps`.
    pub fn rotate_composed(&self, a: &Ciphertext<S>, steps: i64) -> Result<Ciphertext<S>, Error> {
        S::check_slots(&self.params)?;
        self.check_key(&[a])?;
        let row = self.params.degree() / 2;
        let wanted = steps.rem_euclid(row as i64) as usize;
        let refused = || {
            let served = |level| fewest_steps(&self.key_steps(level), row, wanted).is_some();
            let below = (0..a.level().get()).rev().map(Level::new).find(|&level| served(level));
            if let Some(key) = below {
                let operation = format!("rotation by {steps}");
                return Error::KeyLevel { operation, key, needed: a.level() };
            }
            let exponent = rotation_exponent(self.params.degree(), steps);
            let rotation = format!("rotation by {steps}, nor for steps that add up to it");
            Error::MissingGaloisKey { exponent, rotation }
        };
        let parts = fewest_steps(&self.key_steps(a.level()), row, wanted).ok_or_else(refused)?;
        let rotated = parts.into_iter().try_fold(None, |sum: Option<Ciphertext<S>>, step| {
            self.rotate(sum.as_ref().unwrap_or(a), step as i64).map(Some)
        })?;
        Ok(rotated.unwrap_or_else(|| a.clone()))
    }

    /// Returns the steps that there are keys for at a level, from 1 to `N/2 - 1`. A simulated
    /// evaluator, which has all keys, uses those of [`Rotations::for_any_step`].
    fn key_steps(&self, level: Level) -> Vec<usize> {
        let degree = self.params.degree();
        let steps = if self.is_simulated() {
            Rotations::for_any_step(degree).steps
        } else {
            let serves = |(&element, galois): (&usize, &Arc<Galois>)| {
                (galois.key.level() >= level).then_some(element)
            };
            let elements = self.keys().galois.iter().filter_map(serves).collect();
            Rotations::of_exponents(degree, &elements).steps
        };
        steps.into_iter().map(|step| step.rem_euclid(degree as i64 / 2) as usize).collect()
    }
}

/// Returns the shortest list of `steps` whose sum is `wanted` modulo `row`, if there is one.
fn fewest_steps(steps: &[usize], row: usize, wanted: usize) -> Option<Vec<usize>> {
    // The step with which a breadth-first search reached each sum first.
    let mut reached = vec![None; row];
    let mut next = VecDeque::from([0]);
    while wanted != 0 && reached[wanted].is_none() {
        let from = next.pop_front()?;
        for &step in steps {
            let sum = (from + step) % row;
            if sum != 0 && reached[sum].is_none() {
                reached[sum] = Some(step);
                next.push_back(sum);
            }
        }
    }
    let back = |&sum: &usize| reached[sum].map(|step| (sum + row - step) % row);
    let sums = std::iter::successors(Some(wanted), back).filter_map(|sum| reached[sum]);
    Some(sums.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_steps_are_the_shortest() {
        let signed: Vec<usize> = Rotations::for_any_step(64)
            .steps
            .iter()
            .map(|step| step.rem_euclid(32) as usize)
            .collect();
        for wanted in 0..32 {
            let steps = fewest_steps(&signed, 32, wanted).unwrap();
            assert_eq!(steps.iter().sum::<usize>() % 32, wanted);
            // The non-adjacent form of a number has the fewest signed powers of two.
            let weight = |n: usize| ((3 * n) ^ n).count_ones() as usize;
            let least = (0..4).map(|turns| weight(wanted + 32 * turns)).min();
            let least = least.min(Some(weight(32 - wanted)));
            assert_eq!(Some(steps.len()), least, "{wanted}: {steps:?}");
        }
        assert_eq!(fewest_steps(&[6, 28], 32, 2).map(|steps| steps.len()), Some(2));
        assert_eq!(fewest_steps(&[6, 4], 32, 3), None);
        assert_eq!(fewest_steps(&[], 32, 0), Some(Vec::new()));
    }
}
