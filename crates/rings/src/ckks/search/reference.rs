//! Slots in double precision, with a bound on their own error.

use super::super::{Complex64, Interval};
use super::world::ROWS;

/// The slots of a value.
#[derive(Clone, Debug)]
pub(super) struct Clear {
    pub(super) slots: Vec<Complex64>,
    /// Bound on the error of the slots themselves.
    pub(super) slop: f64,
    /// The distance from the slots that the documentation of the last operation allows besides the
    /// error bound; none where that is nothing.
    pub(super) freedom: Option<Vec<f64>>,
}

/// Relative error of one operation.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

impl Clear {
    pub(super) fn new(slots: Vec<Complex64>, slop: f64) -> Clear {
        let mut clear = Clear { slots, slop, freedom: None };
        clear.slop += ROUNDING * clear.largest();
        clear
    }

    pub(super) fn largest(&self) -> f64 {
        self.slots.iter().map(|v| v.norm()).fold(0.0, f64::max)
    }

    /// Tells whether all slots are real numbers.
    pub(super) fn is_real(&self) -> bool {
        self.slots.iter().all(|v| v.im.abs() <= 0.0)
    }

    /// Tells whether all slots are in an interval, up to roundings.
    pub(super) fn is_within(&self, interval: Interval) -> bool {
        let rounding = 1e-12 * interval.low.abs().max(interval.high.abs());
        let (low, high) = (interval.low - rounding, interval.high + rounding);
        self.slots.iter().all(|v| (low..=high).contains(&v.re))
    }

    pub(super) fn map(&self, slope: f64, f: impl Fn(Complex64) -> Complex64) -> Clear {
        Clear::new(self.slots.iter().map(|&v| f(v)).collect(), slope * self.slop)
    }

    /// Applies a function of real numbers.
    pub(super) fn map_real(&self, slope: f64, f: impl Fn(f64) -> f64) -> Clear {
        self.map(slope, |v| f(v.re).into())
    }

    pub(super) fn plus(&self, other: &Clear) -> Clear {
        let slots = self.slots.iter().zip(&other.slots).map(|(a, b)| a + b).collect();
        Clear::new(slots, self.slop + other.slop + ROUNDING * (self.largest() + other.largest()))
    }

    pub(super) fn negated(&self) -> Clear {
        self.map(1.0, |v| -v)
    }

    pub(super) fn times(&self, other: &Clear) -> Clear {
        let slots = self.slots.iter().zip(&other.slots).map(|(a, b)| a * b).collect();
        let slop = self.slop * other.largest() + other.slop * (self.largest() + self.slop);
        Clear::new(slots, slop)
    }

    pub(super) fn rotated(&self, steps: i64) -> Clear {
        let mut slots = self.slots.clone();
        let count = slots.len() as i64;
        slots.rotate_left(steps.rem_euclid(count) as usize);
        Clear { slots, slop: self.slop, freedom: None }
    }

    /// Returns the sum of the first slots, times a factor, in every slot.
    pub(super) fn sum_of_first(&self, count: usize, factor: f64) -> Clear {
        let sum: Complex64 = self.slots[..count].iter().sum();
        let slop = count as f64 * (self.slop + ROUNDING * self.largest());
        Clear::new(vec![sum * factor; self.slots.len()], slop * factor)
    }

    /// Returns the first slots moved to the left, around them or not, and zeros in the others.
    pub(super) fn moved(&self, length: usize, steps: i64, around: bool) -> Clear {
        let slot = |i: usize| {
            let from = i as i64 + steps;
            let from = if around { from.rem_euclid(length as i64) } else { from };
            let inside = i < length && (0..length as i64).contains(&from);
            if inside { self.slots[from as usize] } else { Complex64::ZERO }
        };
        Clear { slots: (0..self.slots.len()).map(slot).collect(), slop: self.slop, freedom: None }
    }

    /// Returns the first slots of every period, and a number in the others.
    pub(super) fn filled(&self, count: usize, period: usize, filler: f64) -> Clear {
        let slot = |(i, slot): (usize, &Complex64)| {
            if i % period < count { *slot } else { filler.into() }
        };
        Clear {
            slots: self.slots.iter().enumerate().map(slot).collect(),
            slop: self.slop,
            freedom: None,
        }
    }

    pub(super) fn sum_of_rotations(&self, count: usize) -> Clear {
        (1..count).fold(self.clone(), |sum, step| sum.plus(&self.rotated(step as i64)))
    }
}

/// Evaluates a polynomial.
pub(super) fn polynomial(coefficients: &[f64], a: &Clear) -> Clear {
    let terms = coefficients.iter().enumerate();
    let size: f64 = terms.map(|(i, c)| c.abs() * a.largest().max(1.0).powi(i as i32)).sum();
    let slope = size * coefficients.len() as f64;
    let value =
        |x: Complex64| coefficients.iter().rev().fold(Complex64::ZERO, |sum, c| sum * x + c);
    let mut clear = a.map(slope, value);
    clear.slop += ROUNDING * slope;
    clear
}

/// Evaluates a sum of Chebyshev polynomials of an interval.
pub(super) fn series(coefficients: &[f64], interval: Interval, a: &Clear) -> Clear {
    let width = interval.high - interval.low;
    let y = |x: f64| (2.0 * x - interval.low - interval.high) / width;
    let size: f64 = coefficients.iter().map(|c| c.abs()).sum();
    let slope = size * (coefficients.len() as f64).powi(2) * 2.0 / width;
    let mut clear = a.map_real(slope, |x| chebyshev(coefficients, y(x)));
    clear.slop += 1e-14 * size * (coefficients.len() as f64).powi(2);
    clear
}

pub(super) fn zipped(a: &Clear, b: &Clear, f: impl Fn(f64, f64) -> f64) -> Clear {
    let slots = a.slots.iter().zip(&b.slots).map(|(a, b)| f(a.re, b.re).into()).collect();
    Clear::new(slots, a.slop + b.slop)
}

/// Returns the sum of the diagonals of a matrix times rotations.
pub(super) fn transformed(matrix: &[Vec<f64>], a: &Clear) -> Clear {
    let count = a.slots.len();
    let entry = |row: usize, column: usize| matrix.get(row).map_or(0.0, |row| row[column]);
    let slot = |i: usize| {
        let term = |d: usize| entry(i % ROWS, (i + d) % ROWS) * a.slots[(i + d) % count];
        (0..ROWS).map(term).sum()
    };
    let largest = matrix.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
    let size = ROWS as f64 * largest;
    Clear::new((0..count).map(slot).collect(), size * (a.slop + ROUNDING * a.largest()))
}

/// Evaluates a sum of Chebyshev polynomials anywhere on the real line.
fn chebyshev(coefficients: &[f64], y: f64) -> f64 {
    let (mut next, mut after) = (0.0, 0.0);
    for c in coefficients.iter().skip(1).rev() {
        (next, after) = (c + 2.0 * y * next - after, next);
    }
    coefficients.first().copied().unwrap_or(0.0) + y * next - after
}
