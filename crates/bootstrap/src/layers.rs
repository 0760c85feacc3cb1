//! The maps between slots and coefficients as products of sparse matrices.
//!
//! Inside a bootstrapping, slot `j` is the value at the exponent `(-3)^j`: with powers of 3 alone,
//! the map from coefficients to slots has no fast transform. Both conventions agree in the slots of
//! even number and are conjugate in those of odd number.
//!
//! With `w_k = m_k + i m_(k+n)` for the `n = N/2` slots, the slots are `U w`, and for the bit
//! reversal `P`, `U P` is the product of `log2 n` layers of butterflies. The layer of stride `h`
//! maps the pair `(x_j, x_(j+h))` of every block of `2h` slots to
//!
//! ```text
//! (x_j + t_j x_(j+h), x_j - t_j x_(j+h)),    t_j = exp(2 pi i (-3)^j / 8h).
//! ```
//!
//! It has diagonals at the shifts `0`, `h` and `-h` alone, whose values repeat after `2h` slots. A
//! few layers in a row are one matrix with `2^(v+1) - 1` diagonals (Chen, Chillotti, Song, eprint
//! 2018/1043; Han, Hhan, Cheon, eprint 2018/1073). The derivation is in docs/maths/bootstrap.md.

use super::steps::Steps;
use fathom_ring::Complex64;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// The direction of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// The map from slots that hold coefficients, in bit-reversed order, to the polynomial with
    /// these coefficients.
    ToCoefficients,
    /// The map from a polynomial to slots that hold its coefficients, in bit-reversed order.
    ToSlots,
}

/// A sparse matrix over the slots: `out[i] = sum_s diagonal_s[i mod period] in[i + s]`.
#[derive(Clone, Debug)]
pub(super) struct Factor {
    /// The number of slots.
    slots: usize,
    /// The number of slots after which every diagonal repeats.
    pub(super) period: usize,
    /// The difference of neighbouring shifts.
    pub(super) stride: usize,
    /// The diagonals by their shifts, which are between `-slots / 2` and `slots / 2`.
    pub(super) diagonals: BTreeMap<i64, Vec<Complex64>>,
}

/// Returns the factors of a transform in the order in which they are applied, for numbers of layers
/// that add up to `log2 slots`.
pub(super) fn factors(direction: Direction, slots: usize, layers: &[usize]) -> Vec<Factor> {
    debug_assert_eq!(1 << layers.iter().sum::<usize>(), slots);
    let count = slots.ilog2();
    let strides: Vec<usize> = match direction {
        Direction::ToCoefficients => (0..count).map(|bit| 1 << bit).collect(),
        Direction::ToSlots => (0..count).rev().map(|bit| 1 << bit).collect(),
    };
    let mut rest = strides.as_slice();
    let mut factors = Vec::with_capacity(layers.len());
    for &length in layers {
        let (group, later) = rest.split_at(length);
        rest = later;
        let all = group.iter().map(|&stride| Factor::layer(direction, slots, stride));
        factors.extend(all.reduce(|first, next| next.after(&first)));
    }
    factors
}

impl Factor {
    /// Returns one layer.
    fn layer(direction: Direction, slots: usize, stride: usize) -> Factor {
        let period = 2 * stride;
        let zero = || vec![Complex64::ZERO; period];
        let [mut own, mut ahead, mut behind] = [zero(), zero(), zero()];
        let order = 8 * stride;
        let mut exponent = 1;
        for j in 0..stride {
            let root = Complex64::cis(TAU * exponent as f64 / order as f64);
            // The next power of -3, by which slots are numbered here.
            exponent = exponent * (order - 3) % order;
            let lower = j + stride;
            match direction {
                Direction::ToCoefficients => {
                    (own[j], ahead[j]) = (Complex64::ONE, root);
                    (own[lower], behind[lower]) = (-root, Complex64::ONE);
                }
                Direction::ToSlots => {
                    // The butterfly has the rows (1, t) and (1, -t), and its inverse (1/2, 1/2) and
                    // (1/2t, -1/2t), where 1/t is the conjugate of the root t.
                    let half = Complex64::from(0.5);
                    let inverse = half * root.conj();
                    (own[j], ahead[j]) = (half, half);
                    (own[lower], behind[lower]) = (-inverse, inverse);
                }
            }
        }
        let mut factor = Factor { slots, period, stride, diagonals: BTreeMap::new() };
        factor.add(0, own);
        factor.add(stride as i64, ahead);
        factor.add(-(stride as i64), behind);
        factor
    }

    /// Adds a diagonal.
    fn add(&mut self, shift: i64, values: Vec<Complex64>) {
        let slots = self.slots as i64;
        // Of the two shifts by half of the slots, which are the same, the positive one is kept.
        let shift = (shift + slots / 2 - 1).rem_euclid(slots) - (slots / 2 - 1);
        match self.diagonals.get_mut(&shift) {
            Some(sum) => sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += value),
            None => _ = self.diagonals.insert(shift, values),
        }
    }

    /// Returns the product that applies `first` and then this matrix.
    fn after(&self, first: &Factor) -> Factor {
        let (slots, period) = (self.slots, self.period.max(first.period));
        let stride = self.stride.min(first.stride);
        let mut product = Factor { slots, period, stride, diagonals: BTreeMap::new() };
        for (&shift, outer) in &self.diagonals {
            for (&step, inner) in &first.diagonals {
                let value = |i: usize| {
                    let from = (i as i64 + shift).rem_euclid(slots as i64) as usize;
                    // The outer diagonal reads the slot that the inner matrix has made.
                    outer[i % self.period] * inner[from % first.period]
                };
                product.add(shift + step, (0..period).map(value).collect());
            }
        }
        product
    }

    /// Returns a bound on the root of the sum, over the baby steps, of the squares of what a slot
    /// of the result takes of the error of each: the sum of the absolute values of its diagonals.
    pub(super) fn baby_gain(&self) -> f64 {
        let steps = self.steps();
        let squares = |slot: usize| -> f64 {
            let mut sums = vec![0.0; steps.babies()];
            for (&shift, diagonal) in &self.diagonals {
                sums[steps.baby_of(shift)] += diagonal[slot].norm();
            }
            sums.iter().map(|sum| sum * sum).sum()
        };
        (0..self.period).map(squares).fold(0.0, f64::max).sqrt()
    }

    /// Returns the rotations by which it is applied.
    pub(super) fn steps(&self) -> Steps {
        let mut shifts = self.diagonals.keys();
        let first = *shifts.next().expect("a factor has several diagonals");
        let last = *shifts.next_back().expect("a factor has several diagonals");
        Steps::new(first, last, self.stride as i64)
    }

    /// Multiplies what leads to the second half of every other period of as many slots as the
    /// matrix has by `-i`: of results that repeat, the first halves have the real parts, and the
    /// second ones have the imaginary parts as their real parts.
    pub(super) fn packing(mut self) -> Factor {
        let (slots, period) = (self.slots, self.period);
        for values in self.diagonals.values_mut() {
            let turn = |i: usize| if i < slots { Complex64::ONE } else { -Complex64::I };
            *values = (0..2 * slots).map(|i| values[i % period] * turn(i)).collect();
        }
        (self.slots, self.period) = (2 * slots, 2 * slots);
        self
    }

    /// Multiplies the matrix by a number.
    pub(super) fn times(mut self, factor: f64) -> Factor {
        self.diagonals.values_mut().flatten().for_each(|value| *value *= factor);
        self
    }

    /// Applies the matrix to slots in the clear.
    #[cfg(test)]
    pub(super) fn apply(&self, values: &[Complex64]) -> Vec<Complex64> {
        let entry = |i: usize| {
            let term = |(&shift, diagonal): (&i64, &Vec<Complex64>)| {
                let from = (i as i64 + shift).rem_euclid(self.slots as i64) as usize;
                diagonal[i % self.period] * values[from]
            };
            self.diagonals.iter().map(term).sum()
        };
        (0..self.slots).map(entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn numbers(count: usize) -> Vec<Complex64> {
        let mut state = 5_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        (0..count).map(|_| Complex64::new(next(), next())).collect()
    }

    /// The slots of the polynomial with the coefficients `w`, term by term.
    fn dense(generator: usize, w: &[Complex64]) -> Vec<Complex64> {
        let degree = 2 * w.len();
        let exponents =
            std::iter::successors(Some(1), |e| Some(e * generator % (2 * degree))).take(w.len());
        let angle = |power: usize| PI * (power % (2 * degree)) as f64 / degree as f64;
        let term = |e: usize, k: usize| Complex64::cis(angle(e * k));
        exponents.map(|e| w.iter().enumerate().map(|(k, w)| term(e, k) * w).sum()).collect()
    }

    fn reversed(values: &[Complex64]) -> Vec<Complex64> {
        let bits = values.len().ilog2();
        (0..values.len()).map(|k| values[k.reverse_bits() >> (usize::BITS - bits)]).collect()
    }

    fn applied(factors: &[Factor], values: Vec<Complex64>) -> Vec<Complex64> {
        factors.iter().fold(values, |values, factor| factor.apply(&values))
    }

    fn distance(a: &[Complex64], b: &[Complex64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    }

    #[test]
    fn the_factors_make_the_polynomial_with_the_coefficients_in_the_slots() {
        for (slots, layers) in [(32, vec![2, 3]), (128, vec![3, 2, 2]), (64, vec![6])] {
            let w = numbers(slots);
            let factors = factors(Direction::ToCoefficients, slots, &layers);
            let image = applied(&factors, reversed(&w));
            let degree = 2 * slots;
            assert!(distance(&image, &dense(2 * degree - 3, &w)) < 1e-11);
            // Slots at powers of 3 have no such transform: the convention matters.
            assert!(distance(&image, &dense(3, &w)) > 1.0);
        }
    }

    #[test]
    fn both_directions_are_inverse_to_each_other() {
        let w = numbers(256);
        let out = factors(Direction::ToCoefficients, 256, &[3, 3, 2]);
        let back = factors(Direction::ToSlots, 256, &[2, 4, 2]);
        assert!(distance(&applied(&back, applied(&out, w.clone())), &w) < 1e-12);
    }

    #[test]
    fn a_group_of_layers_has_as_many_diagonals_as_its_shifts() {
        let slots = 1 << 9;
        let counts = |direction| -> Vec<usize> {
            let factors = factors(direction, slots, &[3, 3, 3]);
            factors.iter().map(|factor| factor.diagonals.len()).collect()
        };
        assert_eq!(counts(Direction::ToCoefficients), [15, 15, 8]);
        assert_eq!(counts(Direction::ToSlots), [8, 15, 15]);
    }
}
