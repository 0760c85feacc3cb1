//! The rotations of a sparse matrix: baby steps and giant steps.

/// The rotations of a factor: the shifts of its diagonals are `first + (g babies + b) stride`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    first: i64,
    stride: i64,
    babies: usize,
    giants: usize,
}

impl Steps {
    /// Returns the rotations for shifts from the first to the last, at distances of a stride.
    pub(super) fn new(first: i64, last: i64, stride: i64) -> Steps {
        let count = ((last - first) / stride + 1) as usize;
        // A baby step takes no transforms but those of its key's product, and every one has a key.
        let babies = 1 << count.ilog2().div_ceil(2);
        Steps { first, stride, babies, giants: count.div_ceil(babies) }
    }

    /// Returns the number of baby steps.
    pub(super) fn babies(self) -> usize {
        self.babies
    }

    /// Returns the number of giant steps, that of no rotation among them.
    pub(super) fn giants(self) -> usize {
        self.giants
    }

    /// Returns the baby step that a shift takes.
    pub(super) fn baby_of(self, shift: i64) -> usize {
        ((shift - self.first) / self.stride) as usize % self.babies
    }

    /// Returns the rotation of a baby step.
    pub(super) fn baby(self, index: usize) -> i64 {
        self.first + index as i64 * self.stride
    }

    /// Returns the rotation of a giant step.
    pub(super) fn giant(self) -> i64 {
        self.babies as i64 * self.stride
    }

    /// Returns the Galois elements whose keys the factor takes.
    pub(super) fn exponents(self, degree: usize) -> impl Iterator<Item = usize> {
        let giant = (self.giants > 1).then_some(self.giant());
        let steps = (0..self.babies).map(move |b| self.baby(b)).chain(giant);
        steps.map(move |step| twisted_exponent(degree, step)).filter(|&exponent| exponent != 1)
    }
}

/// Returns the Galois element that rotates the slots of a bootstrapping to the left by `steps`.
pub(super) fn twisted_exponent(degree: usize, steps: i64) -> usize {
    let steps = steps.rem_euclid(degree as i64 / 2);
    (0..steps).fold(1, |power, _| power * (2 * degree - 3) % (2 * degree))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_by_even_steps_are_those_of_slots_at_powers_of_3() {
        let degree = 1024;
        for steps in (0..40).step_by(2) {
            let usual = fathom_ring::rotation_exponent(degree, steps);
            assert_eq!(twisted_exponent(degree, steps), usual);
        }
    }
}
