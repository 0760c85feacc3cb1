//! This module bounds what errors of operands change in the results of a table, whether its
//! exponential is cleaned or not.
//!
//! A slot of the integer `v` stands for the root of unity `w = exp(2 pi i v / p)`. With an error of
//! the angle `t` and the error `d` of the exponential it is `w exp(i t) + d`, of which one Newton
//! step for `E^p = 1`,
//!
//! ```text
//! E' = ((p + 1) E - E^(p + 1)) / p,
//! ```
//!
//! makes `w (1 + x)` with `|x|` of second order in `t` and `d`. docs/maths/bootstrap.md proves the
//! bound.

use super::series::Series;
use fathom_ring::Complex64;
use std::f64::consts::{SQRT_2, TAU};

/// The effect on results of errors before the exponential. A result changes by at most the value of
/// a power series without negative coefficients at the error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Response {
    /// `slope e + bend e^2`.
    Direct {
        slope: f64,
        bend: f64,
    },
    Cleaned(Cleaned),
}

impl Response {
    /// Bounds what an error of the operand adds where an internal error is there already. Both are
    /// bounds on slots as complex numbers.
    pub(super) fn between(&self, internal: f64, error: f64) -> f64 {
        match self {
            Response::Direct { slope, bend } => {
                slope * error + bend * (2.0 * internal + error) * error
            }
            Response::Cleaned(cleaned) => {
                cleaned.deviation(internal + error) - cleaned.deviation(internal)
            }
        }
    }

    /// Bounds what the internal error alone changes, but for its part of first order.
    pub(super) fn of_internal(&self, internal: f64) -> f64 {
        match self {
            Response::Direct { bend, .. } => bend * internal * internal,
            // In the real and in the imaginary part.
            Response::Cleaned(cleaned) => SQRT_2 * cleaned.deviation(internal),
        }
    }

    /// Returns the greatest error of an operand that adds at most this much.
    pub(super) fn greatest(&self, internal: f64, added: f64) -> f64 {
        if added <= 0.0 {
            return 0.0;
        }
        if !added.is_finite() {
            return added;
        }
        match self {
            Response::Direct { slope, bend } => {
                let linear = slope + 2.0 * bend * internal;
                if linear + bend <= 0.0 {
                    return f64::INFINITY;
                }
                // Of linear e + bend e^2 = added, in the form that loses no digits.
                2.0 * added / (linear + (linear * linear + 4.0 * bend * added).sqrt())
            }
            Response::Cleaned(_) => {
                // An integer with a larger error is no nearer to it than to another one.
                let (mut low, mut high) = (0.0, 0.5);
                for _ in 0..BISECTIONS {
                    let middle = f64::midpoint(low, high);
                    if self.between(internal, middle) <= added * ROUNDED {
                        low = middle;
                    } else {
                        high = middle;
                    }
                }
                low
            }
        }
    }
}

/// Halvings of an interval, which leave less than double precision resolves.
const BISECTIONS: u32 = 60;
/// Covers the roundings of a difference of two bounds.
const ROUNDED: f64 = 1.0 - 1e-9;

/// The response of a table whose exponential is cleaned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cleaned {
    /// The order `p` of the roots of unity.
    order: f64,
    /// Bound on the error of the exponential that is not one of the operand's.
    exponential: f64,
    /// Bound on the change of a result per change of `E' / w` from 1, at a root of unity.
    gain: f64,
    /// Bound on half of the second derivative there: `sum_k k (k - 1) |c_k|`.
    bend: f64,
    /// The largest power of `E'`.
    degree: f64,
    /// Bound on the error that the evaluation adds at a root of unity.
    own: f64,
}

impl Cleaned {
    /// Returns the response of a table with these errors of the exponential and of the evaluation.
    pub(super) fn new(series: &Series, exponential: f64, own: f64) -> Cleaned {
        let order = f64::from(series.cleaning.unwrap_or_default()).exp2();
        let of_power = |(k, c): (usize, &Complex64)| (k as f64 - 1.0) * k as f64 * c.norm();
        Cleaned {
            order,
            exponential,
            gain: series.gain_at_integers(),
            bend: series.coefficients.iter().enumerate().map(of_power).sum(),
            degree: (series.coefficients.len() - 1) as f64,
            own,
        }
    }

    /// Bounds `|E' / w - 1|` for an error of the operand: half of `(p + 1) t^2`, and what the error
    /// of the exponential adds.
    fn shift(&self, error: f64) -> f64 {
        let (above, d) = (self.order + 1.0, self.exponential);
        let angle = TAU / self.order * error;
        let of_exponential = d * d / 2.0 * (1.0 + d).powf(self.order - 1.0);
        above * (angle * angle / 2.0 + angle * d + of_exponential)
    }

    /// Bounds what an error before the exponential changes in a result.
    fn deviation(&self, error: f64) -> f64 {
        let shift = self.shift(error);
        let growth = (self.degree * shift.ln_1p()).exp_m1();
        // Beyond the numbers of a double, a factor of zero would make it no number.
        if !(shift * shift).is_finite() || growth.is_infinite() {
            return f64::INFINITY;
        }
        self.gain * shift + self.bend * shift * shift * (1.0 + growth) + self.own * growth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(bits: u32, mut state: u64) -> Vec<f64> {
        let count = 1_u64 << bits;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1442);
            ((state >> 33) % count) as f64
        };
        (0..count).map(|_| next()).collect()
    }

    fn series(values: &[f64], cleaning: Option<u32>) -> Series {
        Series { cleaning, ..Series::interpolating(values, values.len() as f64) }
    }

    /// Returns the value of the table at an exponential, after the Newton step.
    fn value_at(series: &Series, exponential: Complex64) -> f64 {
        let order = series.coefficients.len() as f64 * 2.0 - 2.0;
        let power = exponential.powf(order + 1.0);
        let cleaned = (exponential * (order + 1.0) - power) / order;
        let (mut power, mut sum) = (Complex64::ONE, 0.0);
        for coefficient in &series.coefficients {
            sum += 2.0 * (coefficient * power).re;
            power *= cleaned;
        }
        sum
    }

    /// At the greatest error of an operand, with the error of the exponential in every direction,
    /// no value of any table is missed, and the worst of them is not far from half of a step.
    #[test]
    fn the_greatest_operands_lead_to_no_other_value() {
        for bits in 1..=9 {
            let mut worst = 0.0_f64;
            for seed in 0..12 {
                let values = values(bits, seed);
                let series = series(&values, Some(bits));
                if !series.room.is_finite() {
                    continue;
                }
                let order = values.len() as f64;
                for exponential in [0.0, 1e-6, 1e-2 / order] {
                    let cleaned = Cleaned::new(&series, exponential, 0.0);
                    let response = Response::Cleaned(cleaned);
                    let (internal, room) = (1e-3 / order, series.room);
                    let before = cleaned.deviation(internal);
                    let error = response.greatest(internal, room - before);
                    assert_eq!(error > 0.0, before < room, "{bits} bits");
                    for (v, value) in values.iter().enumerate() {
                        let found = largest_deviation(&series, v, internal + error, exponential);
                        let found = (found - value).abs();
                        assert!(found <= room.max(before) + 1e-9, "{bits} bits: {found}");
                        worst = worst.max(found / series.room);
                    }
                }
            }
            assert!(worst > 0.3, "{bits} bits: the worst is {worst} of the room");
        }
    }

    /// Returns the value that is farthest from that of an integer, of all with these errors.
    fn largest_deviation(series: &Series, v: usize, error: f64, exponential: f64) -> f64 {
        let order = series.coefficients.len() as f64 * 2.0 - 2.0;
        let exact = series.value_at(v as f64);
        let mut farthest = exact;
        for sign in [-1.0, -0.5, 0.5, 1.0] {
            let root = Complex64::cis(TAU / order * (v as f64 + sign * error));
            for direction in 0..8 {
                let noise = Complex64::cis(TAU / 8.0 * f64::from(direction)) * exponential;
                let found = value_at(series, root + noise);
                if (found - exact).abs() > (farthest - exact).abs() {
                    farthest = found;
                }
            }
        }
        farthest
    }

    /// Without structure in its values, a table of `p` takes errors that are larger by about the
    /// square root of `p`, where `p` is large.
    #[test]
    fn cleaning_gains_as_much_as_theory_says() {
        for (bits, least, most) in [(1, 0.2, 1.0), (2, 0.6, 2.0), (4, 2.5, 8.0), (8, 10.0, 32.0)] {
            for seed in 20..28 {
                let values = values(bits, seed);
                let plain = series(&values, None);
                if !plain.room.is_finite() {
                    continue;
                }
                let direct = Response::Direct { slope: plain.slope, bend: plain.bend };
                let cleaned = Cleaned::new(&series(&values, Some(bits)), 0.0, 0.0);
                let [before, after] = [direct, Response::Cleaned(cleaned)]
                    .map(|response| response.greatest(0.0, plain.room));
                let gain = after / before;
                assert!((least..most).contains(&gain), "{bits} bits: {gain}");
            }
        }
    }

    #[test]
    fn more_error_never_changes_less() {
        let series = series(&values(4, 3), Some(4));
        let response = Response::Cleaned(Cleaned::new(&series, 1e-4, 1e-3));
        let mut before = 0.0;
        for step in 1..100 {
            let added = response.between(1e-3, 1e-3 * f64::from(step));
            assert!(added > before);
            before = added;
        }
        for error in [1e160, f64::INFINITY] {
            let constant = Series { cleaning: Some(1), ..Series::interpolating(&[1.0; 2], 2.0) };
            let response = Response::Cleaned(Cleaned::new(&constant, 0.0, 0.0));
            assert!(response.between(0.0, error).is_infinite());
        }
        assert!(response.greatest(1e-3, 0.0) <= 0.0);
        assert!(response.greatest(1e-3, f64::INFINITY).is_infinite());
    }
}
