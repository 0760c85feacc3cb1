//! Values of integer polynomials at the complex roots of `X^N + 1` (the canonical embedding).

use crate::secret::TORUS_KERNEL;
use fathom_kernels::RealRow;
use fathom_kernels::torus::FourierTable;
use std::f64::consts::PI;
use std::sync::OnceLock;

/// Smallest degree of the floating-point transform.
const SMALLEST: usize = 256;
const LARGEST: usize = 65_536;

/// Inverse of the rounding granularity, which exceeds the relative error of a transform and the
/// differences between kernels, so that all kernels give the same bound.
const GRID: f64 = 65_536.0;

/// Relative error of the square of a value, with room to spare.
const MARGIN: f64 = 1e-9;

/// Bounds on values at the roots of `X^N + 1`, for one degree `N`.
#[derive(Debug)]
pub struct RootValues {
    degree: usize,
    /// The table of degree `N`, or of the largest degree available; built on first use.
    table: OnceLock<FourierTable>,
}

impl RootValues {
    /// Makes the bounds for the roots of `X^degree + 1`, for a power of two up to 131072.
    pub fn new(degree: usize) -> RootValues {
        RootValues { degree, table: OnceLock::new() }
    }

    /// Returns a bound on `|p(z)|` over all roots `z`, rounded up by a factor of at most
    /// `1 + 2^-15`. Shapes: at most `N` coefficients, up to `2^52` in absolute value.
    ///
    /// Up to degree 65536 the bound is exact apart from rounding up; above, it is the sum of the
    /// bounds of the even and the odd coefficients. The result is public, as part of a noise bound;
    /// nothing else depends on the coefficients, and intermediate values are wiped.
    pub fn largest(&self, coefficients: &[i64]) -> f64 {
        round_up(self.largest_squares(coefficients).map(f64::sqrt).sum())
    }

    /// Returns whether `|p(z)| <= limit` at all roots `z`, for a secret polynomial as in
    /// [`RootValues::largest`]. Squares are compared, because a logarithm or a square root may take
    /// a time that depends on its argument: nothing but the answer depends on the coefficients.
    #[expect(clippy::needless_bitwise_bool, reason = "no branch on a secret")]
    pub fn within(&self, coefficients: &[i64], limit: f64) -> bool {
        let mut squares = self.largest_squares(coefficients);
        let [even, odd] = [(); 2].map(|()| squares.next().unwrap_or(0.0));
        debug_assert!(squares.next().is_none());
        // sqrt(even) + sqrt(odd) <= limit.
        let rest = limit * limit / (1.0 + MARGIN) - even - odd;
        (rest >= 0.0) & (4.0 * even * odd <= rest * rest)
    }

    /// Returns the largest `|p(z)|^2`, for each part of the polynomial that has its own transform.
    fn largest_squares(&self, coefficients: &[i64]) -> impl Iterator<Item = f64> {
        let stride = self.degree.div_ceil(LARGEST);
        (0..stride).map(move |first| {
            let part = coefficients.iter().skip(first).step_by(stride).map(|&c| c as f64);
            if self.degree < SMALLEST { self.direct(part) } else { self.transformed(part) }
        })
    }

    fn transformed(&self, coefficients: impl Iterator<Item = f64>) -> f64 {
        let degree = self.degree.min(LARGEST);
        let table = self.table.get_or_init(|| FourierTable::new(degree));
        let mut polynomial = RealRow::zeroed(degree);
        for (real, coefficient) in polynomial.iter_mut().zip(coefficients) {
            *real = coefficient;
        }
        let mut spectrum = RealRow::zeroed(degree);
        TORUS_KERNEL.forward(table, &polynomial, &mut spectrum);
        // Lines of eight real and eight imaginary parts, each with a maximum of its own.
        let mut greatest = [0.0_f64; 8];
        for line in spectrum.as_chunks::<16>().0 {
            for (lane, greatest) in greatest.iter_mut().enumerate() {
                let (re, im) = (line[lane], line[8 + lane]);
                *greatest = greatest.max(re * re + im * im);
            }
        }
        let largest = greatest.into_iter().fold(0.0, f64::max);
        polynomial.wipe();
        spectrum.wipe();
        largest
    }

    /// Computes the bound term by term, for degrees below those of the transform.
    fn direct(&self, coefficients: impl Iterator<Item = f64>) -> f64 {
        let coefficients: Vec<f64> = coefficients.collect();
        let at = |root: usize| {
            let angle = PI * (2 * root + 1) as f64 / self.degree as f64;
            let terms = coefficients.iter().enumerate().map(|(power, c)| {
                let (sin, cos) = (angle * power as f64).sin_cos();
                (c * cos, c * sin)
            });
            let (re, im) = terms.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1));
            re * re + im * im
        };
        (0..self.degree / 2).map(at).fold(0.0, f64::max)
    }
}

/// Rounds up to a multiple of `2^-16` times the next lower power of two.
fn round_up(x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let unit = x.log2().floor().exp2() / GRID;
    ((x * (1.0 + 1e-9)) / unit).ceil() * unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_transform_finds_what_the_definition_finds(
            polynomial in prop::collection::vec(-1000i64..1000, 512),
        ) {
            let roots = RootValues::new(512);
            let direct = roots.direct(polynomial.iter().map(|&c| c as f64)).sqrt();
            let largest = roots.largest(&polynomial);
            prop_assert!(roots.within(&polynomial, direct * (1.0 + 1e-8)));
            prop_assert!(!roots.within(&polynomial, direct * (1.0 - 1e-8)));
            prop_assert!(largest >= direct && largest <= direct * (1.0 + 1.0 / 30_000.0));
        }
    }

    #[test]
    fn simple_polynomials_have_the_values_that_they_have() {
        for degree in [64, 256, 4096, 1 << 17] {
            let roots = RootValues::new(degree);
            let near = |x: f64, y: f64| (x - y).abs() <= y / 30_000.0;
            assert!(roots.largest(&[]) < f64::MIN_POSITIVE);
            assert!(near(roots.largest(&[-7]), 7.0));
            let mut monomial = vec![0; degree];
            monomial[degree / 3] = 5;
            assert!(near(roots.largest(&monomial), 5.0));
            // 1 + X + ... + X^(N-1) has |2 / (z - 1)| at z, and so 1 / sin(pi / 2N) at most.
            let all = roots.largest(&vec![1; degree]);
            let expected = 1.0 / (PI / (2 * degree) as f64).sin();
            assert!(all >= expected * (1.0 - 1e-9) && all <= 1.5 * expected, "{degree}: {all}");
        }
    }
}
