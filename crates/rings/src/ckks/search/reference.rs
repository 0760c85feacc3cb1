//! The same steps in double precision, with a bound on their own error.

use super::super::{Complex64, Interval, Mode};
use super::step::Step;
use super::world::{ROWS, STEPS, World};

/// The slots of a value.
#[derive(Clone, Debug)]
pub(super) struct Clear {
    pub(super) slots: Vec<Complex64>,
    /// Bound on the error of the slots themselves.
    pub(super) slop: f64,
}

/// The slots that a step should give.
pub(super) struct Expected {
    pub(super) clear: Clear,
    /// The distance from them that the documentation allows besides the error bound, for each slot;
    /// none where that is nothing.
    pub(super) freedom: Option<Vec<f64>>,
}

/// Relative error of one operation.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

impl Clear {
    pub(super) fn new(slots: Vec<Complex64>, slop: f64) -> Clear {
        let mut clear = Clear { slots, slop };
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

    fn map(&self, slope: f64, f: impl Fn(Complex64) -> Complex64) -> Clear {
        Clear::new(self.slots.iter().map(|&v| f(v)).collect(), slope * self.slop)
    }

    /// Applies a function of real numbers.
    fn map_real(&self, slope: f64, f: impl Fn(f64) -> f64) -> Clear {
        self.map(slope, |v| f(v.re).into())
    }

    fn plus(&self, other: &Clear) -> Clear {
        let slots = self.slots.iter().zip(&other.slots).map(|(a, b)| a + b).collect();
        Clear::new(slots, self.slop + other.slop + ROUNDING * (self.largest() + other.largest()))
    }

    fn negated(&self) -> Clear {
        self.map(1.0, |v| -v)
    }

    fn times(&self, other: &Clear) -> Clear {
        let slots = self.slots.iter().zip(&other.slots).map(|(a, b)| a * b).collect();
        let slop = self.slop * other.largest() + other.slop * (self.largest() + self.slop);
        Clear::new(slots, slop)
    }

    fn rotated(&self, steps: i64) -> Clear {
        let mut slots = self.slots.clone();
        let count = slots.len() as i64;
        slots.rotate_left(steps.rem_euclid(count) as usize);
        Clear { slots, slop: self.slop }
    }

    /// Returns the sum of the first slots, times a factor, in every slot.
    fn sum_of_first(&self, count: usize, factor: f64) -> Clear {
        let sum: Complex64 = self.slots[..count].iter().sum();
        let slop = count as f64 * (self.slop + ROUNDING * self.largest());
        Clear::new(vec![sum * factor; self.slots.len()], slop * factor)
    }

    /// Returns the first slots moved to the left, around them or not, and zeros in the others.
    fn moved(&self, length: usize, steps: i64, around: bool) -> Clear {
        let slot = |i: usize| {
            let from = i as i64 + steps;
            let from = if around { from.rem_euclid(length as i64) } else { from };
            let inside = i < length && (0..length as i64).contains(&from);
            if inside { self.slots[from as usize] } else { Complex64::ZERO }
        };
        Clear { slots: (0..self.slots.len()).map(slot).collect(), slop: self.slop }
    }

    /// Returns the first slots of every period, and a number in the others.
    fn filled(&self, count: usize, period: usize, filler: f64) -> Clear {
        let slot = |(i, slot): (usize, &Complex64)| {
            if i % period < count { *slot } else { filler.into() }
        };
        Clear { slots: self.slots.iter().enumerate().map(slot).collect(), slop: self.slop }
    }

    fn sum_of_rotations(&self, count: usize) -> Clear {
        (1..count).fold(self.clone(), |sum, step| sum.plus(&self.rotated(step as i64)))
    }
}

impl<M: Mode> World<M> {
    /// Returns what a step gives on clear values.
    pub(super) fn expected(&self, step: &Step, c: &[&Clear]) -> Expected {
        let slots = self.slots();
        let a = c[0];
        let message = |m: &super::message::Message| Clear::new(m.slots(slots), 0.0);
        let clear = match step {
            Step::Add => a.plus(c[1]),
            Step::Sub => a.plus(&c[1].negated()),
            Step::Neg => a.negated(),
            Step::Mul | Step::Tensor { .. } => a.times(c[1]),
            Step::Square => a.times(a),
            Step::Dot => a.times(c[1]).plus(&c[1].times(c[2])),
            Step::Conjugate => a.map(1.0, |v| v.conj()),
            Step::TwiceRealPart => a.map(2.0, |v| (2.0 * v.re).into()),
            Step::Rotate(steps) => a.rotated(*steps),
            Step::RotateMany(which) => a.rotated(STEPS[*which]),
            Step::SumRotations(count) => a.sum_of_rotations(*count),
            Step::SumSlots => a.sum_of_rotations(slots),
            Step::SumPrefix(count) => a.sum_of_first(*count, 1.0),
            Step::Mean(count) => a.sum_of_first(*count, 1.0 / *count as f64),
            Step::NormSquared(count) => a.times(a).sum_of_first(*count, 1.0),
            Step::Replicate(slot) => a.rotated(*slot as i64).sum_of_first(1, 1.0),
            Step::RotatePrefix(length, steps) => a.moved(*length, *steps, true),
            Step::ShiftPrefix(length, steps) => a.moved(*length, *steps, false),
            Step::FillRest(count, period, filler) => a.filled(*count, *period, *filler),
            Step::WeightedSum(weights) => {
                let terms = c.iter().zip(weights).map(|(c, w)| c.map(w.abs(), |v| v * *w));
                terms.reduce(|sum, next| sum.plus(&next)).expect("there are three terms")
            }
            Step::MulScalar(number) => a.map(number.norm(), |v| v * number),
            Step::AddScalar(number) => a.map(1.0, |v| v + number),
            Step::SubScalar(number) => a.map(1.0, |v| v - number),
            Step::MulPlain(m) => a.times(&message(m)),
            Step::AddPlain(m) | Step::AddAddend(m) => a.plus(&message(m)),
            Step::SubPlain(m) => a.plus(&message(m).negated()),
            Step::Transform(which) => transformed(&self.matrices[*which], a),
            Step::Assume(_)
            | Step::Rescale
            | Step::DropTo(_)
            | Step::SwitchTo(_)
            | Step::Travel
            | Step::TravelFresh
            | Step::Encrypt { .. } => a.clone(),
            _ => return self.expected_function(step, c),
        };
        Expected { clear, freedom: None }
    }

    fn expected_function(&self, step: &Step, c: &[&Clear]) -> Expected {
        let a = c[0];
        let largest = a.largest();
        let clear = match step {
            Step::Polynomial(coefficients) => {
                let terms = coefficients.iter().enumerate();
                let sizes = terms.map(|(i, c)| c.abs() * largest.max(1.0).powi(i as i32));
                let size: f64 = sizes.sum();
                let slope = size * coefficients.len() as f64;
                let value = |x: Complex64| {
                    coefficients.iter().rev().fold(Complex64::ZERO, |sum, c| sum * x + c)
                };
                let mut clear = a.map(slope, value);
                clear.slop += ROUNDING * slope;
                clear
            }
            Step::Chebyshev(coefficients, interval) => {
                let width = interval.high - interval.low;
                let y = |x: f64| (2.0 * x - interval.low - interval.high) / width;
                let size: f64 = coefficients.iter().map(|c| c.abs()).sum();
                let slope = size * (coefficients.len() as f64).powi(2) * 2.0 / width;
                let mut clear = a.map_real(slope, |x| chebyshev(coefficients, y(x)));
                clear.slop += 1e-14 * size * (coefficients.len() as f64).powi(2);
                clear
            }
            Step::Function(function, interval, _) => {
                a.map_real(function.slope(*interval), |x| function.at(x))
            }
            Step::Reciprocal(interval, _) => {
                a.map_real(interval.low.powi(-2), |x| if x > 0.0 { 1.0 / x } else { f64::NAN })
            }
            Step::Sqrt(low, _) => a.map_real(0.5 * low.recip().sqrt(), f64::sqrt),
            Step::InverseSqrt(interval, _) => {
                let inverse = |x: f64| if x > 0.0 { x.sqrt().recip() } else { f64::NAN };
                a.map_real(0.5 * interval.low.powf(-1.5), inverse)
            }
            Step::Sign(which) => {
                let gap = self.signs[*which].gap();
                let vague = |x: f64| if x.abs() < gap { f64::INFINITY } else { 0.0 };
                let freedom = a.slots.iter().map(|v| vague(v.re)).collect();
                let clear = a.map_real(0.0, f64::signum);
                return Expected { clear, freedom: Some(freedom) };
            }
            Step::Gt(which) => {
                let sign = &self.signs[*which];
                let difference = a.plus(&c[1].negated());
                let vague = |x: f64| if x.abs() < sign.gap() { 1.0 + sign.error() } else { 0.0 };
                let freedom = difference.slots.iter().map(|v| vague(v.re)).collect();
                let clear = difference.map_real(0.0, |x| f64::from(u8::from(x > 0.0)));
                return Expected { clear, freedom: Some(freedom) };
            }
            Step::Max(_) => zipped(a, c[1], f64::max),
            Step::Min(_) => zipped(a, c[1], f64::min),
            _ => unreachable!("all other steps are done"),
        };
        Expected { clear, freedom: None }
    }
}

fn zipped(a: &Clear, b: &Clear, f: impl Fn(f64, f64) -> f64) -> Clear {
    let slots = a.slots.iter().zip(&b.slots).map(|(a, b)| f(a.re, b.re).into()).collect();
    Clear::new(slots, a.slop + b.slop)
}

/// Returns the sum of the diagonals of a matrix times rotations.
fn transformed(matrix: &[Vec<f64>], a: &Clear) -> Clear {
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
