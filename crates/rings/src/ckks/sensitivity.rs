//! The effect of a known polynomial on the error of its argument.
//!
//! A ciphertext holds `m + e` in every slot. For a polynomial `p` that the server knows,
//! `p(m + e) = p(m) + p'(m) e + ...`: the derivative on the domain of the messages bounds the first
//! order, and derivatives of higher order bound the remainder. Theorem 7 of docs/maths/ckks.md.

use super::basis::{Basis, derivative, value_at};
use super::{Ckks, Interval, Mode, SlotFacts};
use crate::rlwe::{Bounds, Ciphertext, Noise};
use fathom_ring::Complex64;
use std::f64::consts::PI;

/// The effect of a function on the error of its argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sensitivity {
    /// Bound on the absolute value of the derivative at every message.
    pub(super) slope: f64,
    /// Bound on what the first order leaves out, for the stated error.
    pub(super) remainder: f64,
}

/// Numbers that messages are known to be in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Domain {
    Reals(Interval),
    /// All complex numbers of this absolute value or less.
    Disc(f64),
}

/// Covers the roundings of scales since a part of an error was stated.
const DEVIATION_ROUNDING: f64 = 1e-8;

/// Polynomials of a higher degree are sampled at fewer points for each degree.
const DENSELY_SAMPLED: usize = 2048;

impl Domain {
    fn magnitude(self) -> f64 {
        match self {
            Domain::Reals(interval) => interval.magnitude(),
            Domain::Disc(radius) => radius,
        }
    }

    /// Bounds the absolute value, in the domain, of a polynomial of this degree that takes the
    /// given values: by samples at `k` times as many points, which none exceeds by more than the
    /// factor `1 / cos(pi / 2k)` (Ehlich and Zeller, 1964). A complex polynomial is largest on the
    /// edge of a disc, where it is a trigonometric polynomial.
    pub(super) fn largest(self, degree: usize, value: impl Fn(Complex64) -> Complex64) -> f64 {
        let density = if degree > DENSELY_SAMPLED { 2_u32 } else { 8 };
        let count = density as usize * degree.max(1);
        let point = |k: usize| match self {
            Domain::Reals(interval) => {
                Complex64::from(interval.at((PI * (k as f64 + 0.5) / count as f64).cos()))
            }
            Domain::Disc(radius) => {
                Complex64::from_polar(radius, 2.0 * PI * k as f64 / count as f64)
            }
        };
        // What is not a number exceeds every bound.
        let larger =
            |most: f64, size: f64| if size.is_nan() { f64::INFINITY } else { most.max(size) };
        let sampled = (0..count).map(|k| value(point(k)).norm()).fold(0.0, larger);
        // Ehlich and Zeller: between so many samples for each degree a polynomial cannot exceed the
        // largest by more than this factor.
        sampled / (PI / f64::from(2 * density)).cos()
    }
}

/// Bounds the absolute value of `p` in the domain.
pub(super) fn largest_value(basis: Basis, p: &[f64], domain: Domain) -> f64 {
    let sampled = domain.largest(p.len() - 1, |x| value_at(basis, p, x));
    sampled + rounding(p, |i| power(basis, domain, i))
}

impl Sensitivity {
    /// Returns the effect of `p` on an error of at most `error` in every slot of a message in the
    /// domain, which is part of `-1..=1` in the Chebyshev basis.
    pub(super) fn of(basis: Basis, p: &[f64], domain: Domain, error: f64) -> Sensitivity {
        let derivative = derivative(basis, p);
        let sampled = domain.largest(p.len() - 1, |x| value_at(basis, &derivative, x));
        let size = |i: usize| (i * i) as f64 * power(basis, domain, i - 1);
        let terms = p.iter().enumerate();
        let terms = terms.map(|(i, c)| c.abs() * beyond_first_order(basis, i, domain, error));
        Sensitivity { slope: sampled + rounding(p, size), remainder: terms.sum() }
    }
}

/// Bounds the absolute value of basis element `i` in the domain.
fn power(basis: Basis, domain: Domain, i: usize) -> f64 {
    match basis {
        Basis::Powers => domain.magnitude().powi(i as i32),
        Basis::Chebyshev => 1.0,
    }
}

/// Bounds the rounding errors of a sum of terms of the given sizes, times the coefficients.
fn rounding(p: &[f64], size: impl Fn(usize) -> f64) -> f64 {
    let unit = 8.0 * f64::EPSILON * p.len() as f64;
    p.iter().enumerate().skip(1).map(|(i, c)| c.abs() * size(i) * unit).sum()
}

/// Bounds the sum of the terms of second and higher order of basis element `i` at `m + e`, for `m`
/// in the domain and `|e| <= error`.
fn beyond_first_order(basis: Basis, i: usize, domain: Domain, error: f64) -> f64 {
    let size = domain.magnitude();
    let mut sum = 0.0;
    // Term `k` is a bound on derivative `k` times `error^k / k!`. In the Chebyshev basis, it is
    // that at 1 (V. Markov).
    let mut term = 1.0;
    for k in 1..=i {
        let (j, n) = (k as f64 - 1.0, i as f64);
        term *= match basis {
            Basis::Chebyshev => (n * n - j * j) / ((2.0 * j + 1.0) * k as f64) * error,
            Basis::Powers => (n - j) / k as f64 * error,
        };
        if k > 1 {
            sum += match basis {
                Basis::Chebyshev => term,
                Basis::Powers => term * size.powi((i - k) as i32),
            };
        }
    }
    sum
}

/// Bounds the absolute value of the Chebyshev polynomial `T_i` at all numbers that differ from a
/// number of `-1..=1` by at most `error`.
pub(super) fn chebyshev_bound(i: usize, error: f64) -> f64 {
    let degree = i as f64;
    let domain = Domain::Reals(Interval::UNIT);
    1.0 + degree * degree * error + beyond_first_order(Basis::Chebyshev, i, domain, error)
}

impl<M: Mode> Ciphertext<Ckks<M>> {
    /// Returns the bound on the error in every slot, without that of decoding.
    pub(super) fn slot_error(&self) -> f64 {
        self.params.context().model.norms(self.noise).root / self.meta
    }

    /// Returns the same ciphertext as an exact encryption of the sum of its message and its error.
    pub(super) fn taken_exactly(&self) -> Self {
        let held = self.noise.message.plus(self.params.context().model.norms(self.noise));
        let facts = SlotFacts { deviation: 0.0, ..self.facts };
        let noise = Noise::of_message(held).resting_on(self.noise);
        Ciphertext { facts, ..self.with(self.parts.clone(), noise) }
    }

    /// Returns the same ciphertext for the message that it approximates itself, whose slots are
    /// real numbers as well, and the bound on the difference of the two messages.
    pub(super) fn taken_as_approximated(&self) -> (Self, f64) {
        let deviation = self.facts.deviation;
        let part = Bounds::of_root_values(deviation * self.meta);
        // A little less, for the roundings of scales since.
        let less = part.times(1.0 - DEVIATION_ROUNDING);
        let noise = Noise {
            message: self.noise.message.plus(part),
            rest: self.noise.rest.minus(less),
            ..self.noise
        };
        let padding = self.facts.padding.map(|p| p.widened(deviation));
        let facts = SlotFacts { deviation: 0.0, padding, ..self.facts };
        (Ciphertext { facts, ..self.with(self.parts.clone(), noise) }, deviation)
    }

    /// Returns the same ciphertext for a message that differs from its own by a real number of at
    /// most `error` in every slot.
    pub(super) fn deviating(self, error: f64) -> Self {
        let facts = SlotFacts { deviation: self.facts.deviation + error, ..self.facts };
        Ciphertext { facts, ..self }.with_error(error)
    }

    /// Returns this result of a function with the error that `operand` had before.
    pub(super) fn with_error_of(mut self, operand: &Self, effect: Sensitivity) -> Self {
        let slope = effect.slope * self.meta / operand.meta;
        self.noise = self.noise.plus_mapped(operand.noise, slope, self.params.degree());
        self.with_noise_in_slots(effect.remainder)
    }

    /// Returns the same ciphertext with an error of at most `error` more in every slot.
    pub(super) fn with_noise_in_slots(mut self, error: f64) -> Self {
        self.noise = self.noise.plus_root_values(error * self.meta);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a number of 0 to 1, different for every index.
    fn number(index: usize) -> f64 {
        (index as f64 * 0.754_877_666).fract()
    }

    fn cases() -> impl Iterator<Item = (Basis, Vec<f64>, Domain)> {
        (0..200).map(|case| {
            let degree = 1 + case % 31;
            let basis = if case % 2 == 0 { Basis::Chebyshev } else { Basis::Powers };
            let p: Vec<f64> = (0..=degree).map(|i| 2.0 * number(37 * case + i * i) - 1.0).collect();
            let high = 0.1 + 0.9 * number(case + 5000);
            let domain = match (basis, case % 3) {
                (Basis::Powers, 0) => Domain::Disc(1.3 * high),
                (Basis::Powers, _) => Domain::Reals(Interval::around_zero(1.3 * high)),
                (Basis::Chebyshev, 0) => Domain::Reals(Interval::new(0.1 * high, high)),
                (Basis::Chebyshev, _) => Domain::Reals(Interval::UNIT),
            };
            (basis, p, domain)
        })
    }

    fn points(domain: Domain) -> Vec<Complex64> {
        (0..500)
            .map(|k| match domain {
                Domain::Reals(interval) => {
                    Complex64::from(interval.at(-1.0 + 2.0 * f64::from(k) / 499.0))
                }
                Domain::Disc(radius) => {
                    let length = radius * f64::from(k % 10 + 1) / 10.0;
                    Complex64::from_polar(length, 0.37 * f64::from(k))
                }
            })
            .collect()
    }

    #[test]
    fn bounds_hold_for_every_argument_and_error() {
        for (basis, p, domain) in cases() {
            let most = largest_value(basis, &p, domain);
            for error in [1e-9, 1e-4, 0.05] {
                let effect = Sensitivity::of(basis, &p, domain, error);
                let derivative = derivative(basis, &p);
                for (k, x) in points(domain).into_iter().enumerate() {
                    let e = Complex64::from_polar(error, k as f64);
                    let value = value_at(basis, &p, x);
                    assert!(value.norm() <= most);
                    let slope = value_at(basis, &derivative, x);
                    assert!(slope.norm() <= effect.slope, "{basis:?} {p:?}");
                    let rest = (value_at(basis, &p, x + e) - value - slope * e).norm();
                    let rounding = 1e-13 * (1.0 + most);
                    assert!(rest <= effect.remainder + rounding, "{basis:?} {p:?} {rest}");
                }
            }
        }
    }

    #[test]
    fn bounds_are_near() {
        for (basis, p, domain) in cases() {
            let derivative = derivative(basis, &p);
            let sampled = |p: &[f64]| {
                let sizes = points(domain).into_iter().map(|x| value_at(basis, p, x).norm());
                sizes.fold(0.0, f64::max)
            };
            let effect = Sensitivity::of(basis, &p, domain, 1e-12);
            assert!(largest_value(basis, &p, domain) <= 1.2 * sampled(&p));
            assert!(effect.slope <= 1.2 * sampled(&derivative), "{basis:?} {domain:?}");
            assert!(effect.remainder < 1e-15);
        }
    }

    #[test]
    fn basis_elements_stay_within_their_bound_near_the_interval() {
        for i in 0..40 {
            for error in [0.0, 1e-6, 0.01] {
                let mut element = vec![0.0; i + 1];
                element[i] = 1.0;
                for k in 0..200 {
                    let x = Complex64::from((0.1 * f64::from(k)).cos());
                    let e = Complex64::from_polar(error, f64::from(k));
                    let value = value_at(Basis::Chebyshev, &element, x + e).norm();
                    assert!(value <= chebyshev_bound(i, error) + 1e-12);
                }
            }
        }
    }

    #[test]
    fn what_is_not_a_number_has_no_bound() {
        let domain = Domain::Reals(Interval::UNIT);
        let most = largest_value(Basis::Powers, &[f64::INFINITY, f64::NEG_INFINITY], domain);
        assert!(most.is_infinite());
    }
}
