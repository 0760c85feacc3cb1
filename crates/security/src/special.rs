//! Special functions for the probabilities of guesses. Natural logarithms.

use std::f64::consts::PI;

/// Argument from which the series of [`ln_gamma`] has an error below 1e-14.
const STIRLING_LIMIT: f64 = 20.0;

/// Returns `ln Gamma(x)` for `x > 0`, with an absolute error below 1e-11 up to `x = 1e6`.
///
/// Source: Stirling's series, Abramowitz and Stegun 6.1.41, after the recurrence 6.1.15.
pub(crate) fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < STIRLING_LIMIT {
        shift += x.ln();
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    let series =
        (1.0 / 12.0 - inverse * (1.0 / 360.0 - inverse * (1.0 / 1260.0 - inverse / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * PI).ln() + series - shift
}

/// Returns `ln` of the binomial coefficient `n` over `k`; minus infinity if it is zero.
pub(crate) fn ln_binomial(n: u32, k: u32) -> f64 {
    if k > n {
        return f64::NEG_INFINITY;
    }
    let factorial = |count: u32| ln_gamma(f64::from(count) + 1.0);
    factorial(n) - factorial(k) - factorial(n - k)
}

/// Returns `ln` of the volume of the unit ball in `dimension` dimensions.
pub(crate) fn ln_ball_volume(dimension: f64) -> f64 {
    0.5 * dimension * PI.ln() - ln_gamma(0.5 * dimension + 1.0)
}

/// Returns the error function for `0 <= x <= 7`, with a relative error below 1e-13.
///
/// Source: Abramowitz and Stegun 7.1.6, all of whose terms are positive.
pub(crate) fn erf(x: f64) -> f64 {
    let (mut term, mut sum, mut denominator) = (1.0, 1.0, 1.0);
    while term > f64::EPSILON * sum {
        denominator += 2.0;
        term *= 2.0 * x * x / denominator;
        sum += term;
    }
    2.0 / PI.sqrt() * x * (-x * x).exp() * sum
}

/// The distribution of one coordinate of a uniform unit vector.
pub(crate) struct UnitCoordinate {
    /// `(dimension - 1) / 2`.
    a: f64,
    /// `ln` of the inverse of the beta function at `(a, 1/2)`.
    ln_factor: f64,
}

impl UnitCoordinate {
    /// Makes the distribution in `dimension` dimensions, at least 2.
    pub(crate) fn new(dimension: f64) -> Self {
        let a = 0.5 * (dimension - 1.0);
        Self { a, ln_factor: ln_gamma(a + 0.5) - ln_gamma(a) - ln_gamma(0.5) }
    }

    /// Returns the probability that the coordinate's square is at most `square`: the incomplete
    /// beta function `I_square(1/2, a)`. The relative error of its complement is below 1e-10.
    ///
    /// Source: the continued fraction 26.5.8 of Abramowitz and Stegun.
    pub(crate) fn probability(&self, square: f64) -> f64 {
        if square >= 1.0 {
            return 1.0;
        }
        let (a, b, y) = (self.a, 0.5, 1.0 - square);
        let front = (a * y.ln() + b * square.ln() + self.ln_factor).exp();
        // I_square(b, a) = 1 - I_y(a, b); the fraction converges fast for y < (a+1)/(a+b+2).
        if y < (a + 1.0) / (a + b + 2.0) {
            1.0 - front / a * beta_fraction(a, b, y)
        } else {
            front / b * beta_fraction(b, a, square)
        }
    }
}

/// Number of terms of the continued fraction of the incomplete beta function.
const FRACTION_TERMS: u32 = 300;

/// Returns the continued fraction of `I_x(a, b)` without its front factor, by Lentz's method.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let nonzero = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / nonzero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for m in (1..=FRACTION_TERMS).map(f64::from) {
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        for term in [even, odd] {
            d = 1.0 / nonzero(1.0 + term * d);
            c = nonzero(1.0 + term / c);
            value *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-14 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gamma_function_interpolates_the_factorial() {
        let mut ln_factorial = 0.0;
        for n in 1..=400u32 {
            ln_factorial += f64::from(n).ln();
            assert!((ln_gamma(f64::from(n) + 1.0) - ln_factorial).abs() < 1e-10, "{n}");
        }
        assert!((ln_gamma(0.5) - 0.5 * PI.ln()).abs() < 1e-12);
    }

    #[test]
    fn binomials_count_subsets() {
        assert!((ln_binomial(10, 3) - 120f64.ln()).abs() < 1e-10);
        assert!(ln_binomial(7, 0).abs() < 1e-10);
        assert!(ln_binomial(3, 4).is_infinite());
        // The numbers of subsets of each size sum to 2^64.
        let all: f64 = (0..=64).map(|k| ln_binomial(64, k).exp()).sum();
        assert!((all.log2() - 64.0).abs() < 1e-9);
    }

    #[test]
    fn the_unit_ball_has_its_known_volumes() {
        for (dimension, volume) in [(1.0, 2.0), (2.0, PI), (3.0, 4.0 / 3.0 * PI)] {
            assert!((ln_ball_volume(dimension).exp() - volume).abs() < 1e-9);
        }
    }

    #[test]
    fn a_coordinate_of_a_unit_vector_has_its_closed_forms() {
        for square in [0.01f64, 0.2, 0.5, 0.8, 0.99] {
            // In three dimensions a coordinate is uniform (Archimedes), in two it is a cosine.
            assert!((UnitCoordinate::new(3.0).probability(square) - square.sqrt()).abs() < 1e-12);
            let circle = 2.0 / PI * square.sqrt().asin();
            assert!((UnitCoordinate::new(2.0).probability(square) - circle).abs() < 1e-12);
        }
        assert!((UnitCoordinate::new(500.0).probability(1.5) - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn in_many_dimensions_a_coordinate_is_nearly_normal() {
        for k in [0.5, 1.0, 2.0, 3.0] {
            let normal = erf(k / std::f64::consts::SQRT_2);
            let coordinate = UnitCoordinate::new(40_000.0).probability(k * k / 40_000.0);
            assert!((coordinate - normal).abs() < 1e-4, "{k}: {coordinate} {normal}");
        }
    }
}
