//! Functions of a slot as sums of powers of the exponential.
//!
//! After the exponential a slot holds `E = exp(2 pi i turns m)`, and every function that a
//! bootstrapping can apply has the form
//!
//! ```text
//! f(m) = 2 Re sum_k c_k E^k
//! ```
//!
//! of which three kinds are made here. The *identity*, for numbers up to a limit, is a
//! least-squares fit by sines on an eighth of a turn to either side. A *table* of `p` values
//! interpolates them at the `p`-th roots of unity, so that it is exact at every integer modulo `p`;
//! its degree is `p / 2`, and an error of an operand comes through with the slope between the
//! values. A *smooth function* is a least-squares fit by sines and cosines on a part of the period;
//! of several periods the one with the least error is taken.
//!
//! *Bounds.* A fit is compared with its function at 131,073 points. Between two points at the
//! distance `h`, a function exceeds its value at the nearer one by at most `h^2 / 8` times its
//! second derivative, which is bounded by the coefficients of the fit and stated by the caller for
//! the function. Messages may exceed their limit by a thousandth, because a message with an error
//! is all that the ciphertext holds; the grid reaches as far.
//!
//! A sine alone (`sin(2 pi x) / 2 pi`) errs by the cube of the angle, which would take messages far
//! smaller than an eighth of the modulus, and the bits between would be lost.

use super::fit::{Parity, Waves, fit};
use crate::numbers::{RATIO, SERIES_DEPTH, cleaning_depth};
use fathom_ring::Complex64;
use std::f64::consts::{E, TAU};

/// A function `2 Re sum_k coefficients[k] E^k` of the exponential `E = exp(2 pi i turns m)` of a
/// number `m`, which is the real or the imaginary part of a slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub(super) kind: Kind,
    pub(super) coefficients: Vec<Complex64>,
    /// The turns that a slot of 1 is.
    pub(super) turns: f64,
    pub(super) domain: Domain,
    /// The largest absolute value of the real and the imaginary part of a slot.
    pub(super) limit: f64,
    /// Bound on what the sum differs by from the function that it stands for.
    pub(super) approximation: f64,
    /// Bound on the slope in the domain.
    pub(super) slope: f64,
    /// Bound on half of the second derivative, or zero where the slope holds around the domain too.
    pub(super) bend: f64,
    /// Bound on the results.
    pub(super) largest: f64,
    /// The error of a result that must not be reached, so that it can be rounded to a value;
    /// infinite where results are not rounded.
    pub(super) room: f64,
    /// Bits of the order of the roots of unity to which the exponential is brought before its
    /// powers; `None` where it is taken as it is.
    pub(super) cleaning: Option<u32>,
}

/// The kind of function that a series stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Identity,
    Smooth,
    Table,
}

/// The numbers that a slot may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Domain {
    /// All up to the limit.
    Interval,
    /// Integers, which count modulo this number.
    Residues(usize),
}

/// The part of a message by which it may exceed its bound because of its error.
pub(super) const EXCESS: f64 = 1.0 / 1024.0;
/// Points at which the error of a fit is looked at, on either side of zero.
const GRID: i32 = 1 << 16;
/// The distance of two of them.
const STEP: f64 = (1.0 + EXCESS) / GRID as f64;
/// The factor of a second derivative: between two points, a function exceeds its value at the
/// nearer one by at most this times its second derivative.
const BETWEEN: f64 = STEP * STEP / 8.0;

/// Returns the points, up to slightly beyond 1.
fn grid() -> impl Iterator<Item = f64> {
    (-GRID..=GRID).map(|i| f64::from(i) * STEP)
}

impl Series {
    /// Returns the identity for numbers up to `limit`, as a sum of this number of sines.
    pub(super) fn identity(limit: f64, harmonics: usize) -> Series {
        let waves = fit(|m| m, 1.0 / RATIO, harmonics, Parity::Odd);
        let unit = Series::of_waves(&waves, 1.0 / RATIO);
        let approximation = unit.fit_error(|m| m, unit.bend_near());
        Series {
            kind: Kind::Identity,
            coefficients: unit.coefficients.iter().map(|c| c * limit).collect(),
            turns: 1.0 / (RATIO * limit),
            limit,
            approximation: approximation * limit,
            slope: 1.0,
            largest: limit,
            ..unit
        }
    }

    /// Returns the function with these values at `0, 1, 2, ...` modulo their number, by
    /// trigonometric interpolation.
    ///
    /// Source: Bae, Kim, Stehle, Suvanto, eprint 2024/1637; Chung, Kim, Kim, Lee, eprint 2024/274.
    pub(super) fn interpolating(values: &[f64], limit: f64) -> Series {
        let count = values.len();
        let root = |power: usize| Complex64::cis(-TAU * (power % count) as f64 / count as f64);
        let roots: Vec<_> = (0..count).map(root).collect();
        let sum = |k: usize| -> Complex64 {
            values.iter().enumerate().map(|(m, value)| roots[k * m % count] * value).sum()
        };
        let coefficient = |k: usize| {
            let halved = if k == 0 || 2 * k == count { 0.5 } else { 1.0 };
            sum(k) * (halved / count as f64)
        };
        let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        let mut series = Series {
            kind: Kind::Table,
            coefficients: (0..=count / 2).map(coefficient).collect(),
            turns: 1.0 / count as f64,
            domain: Domain::Residues(count),
            limit,
            // The rounding of sums in double precision.
            approximation: 64.0 * f64::EPSILON * largest * count as f64,
            slope: 0.0,
            bend: 0.0,
            largest,
            room: least_gap(values) / 2.0,
            cleaning: None,
        };
        let slope = |m: usize| series.slope_at(m as f64).abs();
        series.slope = (0..count).map(slope).fold(0.0, f64::max);
        series.bend = series.bend_bound();
        series
    }

    /// Returns the function with these values at `first, first + 1, ...`, where a step is this many
    /// turns and all steps together are about one turn: the interpolation at equal distances, whose
    /// remainders are interpolated until they vanish. `None` if steps differ so much from equal
    /// parts of a turn that they do not.
    pub(super) fn through(values: &[f64], first: i64, turns: f64) -> Option<Series> {
        let count = values.len() as i64;
        let mut around = values.to_vec();
        around.rotate_right(first.rem_euclid(count) as usize);
        let limit = first.unsigned_abs().max((first + count - 1).unsigned_abs());
        let mut series = Series::interpolating(&around, limit as f64);
        series.turns = turns;
        let allowed = 256.0 * f64::EPSILON * series.largest * count as f64;
        let remainders = |series: &Series| -> Vec<f64> {
            let remainder = |(i, value): (i64, &f64)| value - series.value_at((first + i) as f64);
            (0..).zip(values).map(remainder).collect()
        };
        let greatest = |all: &[f64]| all.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let mut left = remainders(&series);
        for _ in 0..ROUNDS {
            if greatest(&left) <= allowed / 4.0 {
                break;
            }
            left.rotate_right(first.rem_euclid(count) as usize);
            let more = Series::interpolating(&left, 1.0);
            for (sum, more) in series.coefficients.iter_mut().zip(&more.coefficients) {
                *sum += more;
            }
            left = remainders(&series);
        }
        if greatest(&left) > allowed {
            return None;
        }
        series.approximation = allowed + 64.0 * f64::EPSILON * series.largest * count as f64;
        let slope = |i: i64| series.slope_at((first + i) as f64).abs();
        series.slope = (0..count).map(slope).fold(0.0, f64::max);
        series.bend = series.bend_bound();
        Some(series)
    }

    /// Returns the same function divided by a number.
    pub(super) fn divided(mut self, divisor: f64) -> Series {
        self.coefficients.iter_mut().for_each(|c| *c /= divisor);
        let numbers = [
            &mut self.approximation,
            &mut self.slope,
            &mut self.bend,
            &mut self.largest,
            &mut self.room,
        ];
        for number in numbers {
            *number /= divisor;
        }
        self
    }

    /// Returns the fit of a function on `-1..=1` whose second derivative is at most `curvature`
    /// there, with as many frequencies as this number of levels allows.
    pub(super) fn fitting(f: impl Fn(f64) -> f64, curvature: f64, depth: usize) -> Series {
        let frequencies = (1 << depth) - 1;
        let of_period = |period: f64| {
            let waves = fit(&f, 1.0 / period, frequencies, Parity::None);
            let series = Series::of_waves(&waves, 1.0 / period);
            let approximation = series.fit_error(&f, series.bend_bound() + curvature / 2.0);
            Series { approximation, ..series }
        };
        // Long periods make fits close and coefficients large, which multiply the errors of the
        // exponential.
        let cost = |series: &Series| series.approximation + EXPONENTIAL_ERROR * series.gain();
        let fits = PERIODS.map(of_period);
        let mut best = fits.into_iter().min_by(|a, b| cost(a).total_cmp(&cost(b)));
        let mut series = best.take().expect("there are periods");
        let steepest = grid().map(|m| series.slope_at(m).abs()).fold(0.0, greater);
        let largest = grid().map(|m| series.value_at(m).abs()).fold(0.0, greater);
        // At most half a step from a point of the grid, or within the excess of its end.
        series.slope = steepest + 2.0 * series.bend_bound() * (STEP + EXCESS);
        series.largest = largest + series.slope * STEP + series.approximation;
        series
    }

    /// Returns the sum of waves, for numbers up to 1.
    fn of_waves(waves: &Waves, turns: f64) -> Series {
        let wave = |row: &[f64], k: usize| row.get(k).copied().unwrap_or(0.0) / 2.0;
        let coefficient = |k: usize| match k.checked_sub(1) {
            None => Complex64::from(wave(&waves.cosines, 0)),
            Some(before) => Complex64::new(wave(&waves.cosines, k), -wave(&waves.sines, before)),
        };
        Series {
            kind: Kind::Smooth,
            coefficients: (0..=waves.sines.len()).map(coefficient).collect(),
            turns,
            domain: Domain::Interval,
            limit: 1.0,
            approximation: 0.0,
            slope: 0.0,
            bend: 0.0,
            largest: 0.0,
            room: f64::INFINITY,
            cleaning: None,
        }
    }

    /// Returns the number of levels that the powers take, and the cleaning before them.
    pub(super) fn depth(&self) -> usize {
        (self.order_bits() as usize + cleaning_depth(self.cleaning)).max(SERIES_DEPTH)
    }

    /// Returns the bits of the order of the roots of unity that the powers of a table separate.
    pub(super) fn order_bits(&self) -> u32 {
        (self.coefficients.len() - 1).ilog2() + 1
    }

    /// Returns the value at a number.
    pub(super) fn value_at(&self, m: f64) -> f64 {
        self.sum_at(m, |_| Complex64::ONE)
    }

    /// Bounds the difference from the function at numbers that differ from integers by at most a
    /// millionth.
    pub(super) fn error_near_integers(&self) -> f64 {
        // With cleaning, the slope is zero, and the second derivative grows by the order and 1.
        let bend = self.bend * self.cleaning.map_or(1.0, |bits| f64::from(bits).exp2() + 1.0);
        self.approximation + 1e-6 * (self.slope + 1e-6 * bend)
    }

    /// Returns the slope at a number.
    fn slope_at(&self, m: f64) -> f64 {
        self.sum_at(m, |k| Complex64::new(0.0, self.frequency(k)))
    }

    /// Returns the sum with every coefficient multiplied by a factor.
    fn sum_at(&self, m: f64, factor: impl Fn(usize) -> Complex64) -> f64 {
        let root = Complex64::cis(TAU * self.turns * m);
        let (mut power, mut sum) = (Complex64::ONE, 0.0);
        for (k, coefficient) in self.coefficients.iter().enumerate() {
            sum += 2.0 * (coefficient * power * factor(k)).re;
            power *= root;
        }
        sum
    }

    /// Bounds the values at all numbers, those between integers too.
    pub(super) fn largest_anywhere(&self) -> f64 {
        // A cleaned exponential is at most 1 + 2/p, for powers of up to p/2.
        let power = self.cleaning.map_or(1.0, |_| E);
        2.0 * power * self.coefficients.iter().map(|c| c.norm()).sum::<f64>()
    }

    /// Bounds what a change of the exponential at an integer changes, per size of the change: the
    /// greatest `2 |sum_k k c_k E^k|`.
    pub(super) fn gain_at_integers(&self) -> f64 {
        let count = (1.0 / self.turns).round() as usize;
        let at = |m: usize| {
            let root = Complex64::cis(TAU * self.turns * m as f64);
            let (mut power, mut sum) = (Complex64::ONE, Complex64::ZERO);
            for (k, coefficient) in self.coefficients.iter().enumerate() {
                sum += coefficient * power * (2.0 * k as f64);
                power *= root;
            }
            sum.norm()
        };
        (0..count).map(at).fold(0.0, f64::max)
    }

    fn frequency(&self, k: usize) -> f64 {
        TAU * k as f64 * self.turns
    }

    /// Bounds half of the second derivative, anywhere.
    fn bend_bound(&self) -> f64 {
        let of_power = |(k, c): (usize, &Complex64)| self.frequency(k).powi(2) * c.norm();
        self.coefficients.iter().enumerate().map(of_power).sum()
    }

    /// Returns a bound on the factor by which an error of the exponential comes out.
    fn gain(&self) -> f64 {
        let of_power = |(k, c): (usize, &Complex64)| 2.0 * k as f64 * c.norm();
        self.coefficients.iter().enumerate().map(of_power).sum()
    }

    /// Bounds half of the second derivative at numbers that exceed 1 by at most [`EXCESS`].
    fn bend_near(&self) -> f64 {
        let half = |m: f64| self.sum_at(m, |k| Complex64::from(self.frequency(k).powi(2) / 2.0));
        let largest = grid().map(|m| half(m).abs()).fold(0.0, greater);
        let of_power = |(k, c): (usize, &Complex64)| self.frequency(k).powi(4) * c.norm();
        let fourth: f64 = self.coefficients.iter().enumerate().map(of_power).sum();
        largest + BETWEEN * fourth
    }

    /// Bounds the difference from a function at numbers that exceed 1 by at most [`EXCESS`], where
    /// half of its second derivative is at most `bend`.
    fn fit_error(&self, f: impl Fn(f64) -> f64, bend: f64) -> f64 {
        let largest = grid().map(|m| (self.value_at(m) - f(m)).abs()).fold(0.0, greater);
        largest + 2.0 * BETWEEN * bend
    }

    /// Bounds what an error of the exponential of this size changes.
    pub(super) fn amplified(&self, error: f64) -> f64 {
        let of_power =
            |(k, c): (usize, &Complex64)| 2.0 * c.norm() * (k as f64 * error.ln_1p()).exp_m1();
        self.coefficients.iter().enumerate().map(of_power).sum()
    }
}

/// Interpolations after which remainders are not expected to vanish any more.
const ROUNDS: usize = 40;
/// The error of the exponential for which a fit is chosen.
const EXPONENTIAL_ERROR: f64 = 1.0 / (1_u64 << 24) as f64;
/// The periods that fits are tried with, where the function is wanted on an interval of length 2.
const PERIODS: [f64; 4] = [3.0, 4.0, 6.0, 8.0];

/// Returns the greater of two numbers; what is not a number is above all.
fn greater(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::INFINITY } else { a.max(b) }
}

/// Values whose difference is this part of the largest one differ by roundings of the function.
const SAME_VALUE: f64 = 1.0 / (1_u64 << 50) as f64;

/// Returns the least difference of two values that differ by more than roundings.
fn least_gap(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let gaps = sorted.windows(2).map(|pair| pair[1] - pair[0]);
    gaps.filter(|gap| *gap > SAME_VALUE * largest).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identity_returns_its_argument() {
        for limit in [1.0, 5.0] {
            let series = Series::identity(limit, 7);
            // The bound of 2^-34.2 is for messages up to 1, without the excess.
            assert!((series.approximation / limit).log2() < -31.9);
            for m in [-1.0, -0.25, 0.0, 0.7, 1.0] {
                let found = series.value_at(m * limit);
                assert!((found - m * limit).abs() <= series.approximation);
            }
        }
    }

    #[test]
    fn interpolation_passes_through_every_value_and_counts_modulo_their_number() {
        for bits in 1..=9 {
            let count = 1_i64 << bits;
            let values: Vec<f64> = (0..count).map(|v| ((v * v * 37 + 5) % 101) as f64).collect();
            let series = Series::interpolating(&values, count as f64);
            assert_eq!(series.coefficients.len() as i64, count / 2 + 1);
            for (v, value) in (0..).zip(&values) {
                for argument in [v, v - count, v + 3 * count] {
                    let found = series.value_at(argument as f64);
                    assert!((found - value).abs() < 1e-9, "{bits} bits, {argument}: {found}");
                }
                assert!(series.slope_at(v as f64).abs() <= series.slope);
                let near = series.value_at(v as f64 + 0.01);
                assert!((near - value).abs() <= series.slope * 0.01 + series.bend * 1e-4 + 1e-9);
            }
        }
        assert!((least_gap(&[3.0, 1.0, 3.0, 1.5]) - 0.5).abs() < 1e-15);
        assert!(least_gap(&[3.0, 3.0]).is_infinite());
    }

    /// At 65537, 256 steps are one turn but for the 65537th part.
    #[test]
    fn values_at_unequal_parts_of_a_turn_are_interpolated_too() {
        for (count, first, turns) in [
            (256, 0, 256.0 / 65537.0),
            (256, -128, 256.0 / 65537.0),
            (16, -8, 4096.0 / 65537.0),
            (31, 0, 1.0 / 31.0),
            (30, -15, 1365.0 / 40961.0),
        ] {
            let values: Vec<f64> = (0..count).map(|v| ((v * v * 37 + 5) % 101) as f64).collect();
            let series = Series::through(&values, first, turns).unwrap();
            assert!(series.depth() <= 8);
            for (v, value) in (first..).zip(&values) {
                let found = series.value_at(v as f64);
                assert!((found - value).abs() <= series.approximation, "{v}: {found}");
                assert!(series.slope_at(v as f64).abs() <= series.slope);
                let near = series.value_at(v as f64 + 0.01);
                assert!((near - value).abs() <= series.slope * 0.01 + series.bend * 1e-4 + 1e-9);
            }
            let half = series.clone().divided(2.0);
            assert!((half.value_at(3.3) * 2.0 - series.value_at(3.3)).abs() < 1e-9);
            assert!((half.largest_anywhere() * 2.0 - series.largest_anywhere()).abs() < 1e-9);
        }
        let values: Vec<f64> = (0..256).map(f64::from).collect();
        assert!(Series::through(&values, 0, 1.0 / 257.0).is_none());
    }

    #[test]
    fn what_is_not_a_number_is_above_all() {
        assert!(greater(1.0, f64::NAN).is_infinite() && greater(f64::NAN, 1.0).is_infinite());
        assert!((greater(1.0, 2.0) - 2.0).abs() < 1e-15);
        let series = Series::interpolating(&[1.0, 1.0, -1.0, -1.0], 4.0);
        let between = series.value_at(0.5).abs();
        assert!(between > 1.4 && between <= series.largest_anywhere());
    }

    #[test]
    fn a_fit_is_within_its_bound_and_its_slope() {
        let sigmoid = |m: f64| 1.0 / (1.0 + (-4.0 * m).exp());
        for depth in [3, 4, 5] {
            let series = Series::fitting(sigmoid, 2.0, depth);
            assert_eq!(series.depth(), depth);
            for i in -100..=100 {
                let m = f64::from(i) / 100.0;
                assert!((series.value_at(m) - sigmoid(m)).abs() <= series.approximation);
                assert!(series.slope_at(m).abs() <= series.slope);
                assert!(series.value_at(m).abs() <= series.largest);
            }
            assert!(series.approximation < 2f64.powi(-6 - 4 * (depth as i32 - 2)), "{series:?}");
        }
    }
}
