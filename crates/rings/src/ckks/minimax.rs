//! Odd polynomials that approximate the sign function best, by Remez' algorithm.
//!
//! A comparison of CKKS evaluates a composition of odd polynomials, each of which maps `low..=high`
//! closer to 1 (Lee, Lee, No and Kim, eprint 2020/834, section 4). As the sign is odd, only
//! positive numbers are considered: the best odd polynomial with `k` coefficients is the one whose
//! error `p(x) - 1` has `k + 1` extrema of equal size and alternating sign (Chebyshev). Starting
//! from the extrema of a Chebyshev polynomial, each iteration solves the linear system in which the
//! error at `k + 1` points is `+e, -e, ...`, then moves the points to the extrema of the error
//! found. If more extrema are found than needed, the smaller ones at the ends are left out, which
//! keeps the signs alternating.
//!
//! *Precision.* Coefficients are in the Chebyshev basis of `x / high`, which keeps the system well
//! conditioned; it is solved by elimination with pivots in double precision. Points are searched
//! among 8193 samples that are dense at both ends, where extrema crowd together. The iteration
//! stops where it gains less than `1e-9` of the error, and after 40 rounds at most; the best
//! polynomial seen is returned.
//!
//! *Bound.* The error returned is the largest sampled error, a thousandth of it and `1e-12`.
//! Between neighbouring samples, an error of degree `d` exceeds the larger of the two by about `(pi
//! d / 8192)^2 / 8` of itself, which is `7e-5` for degree 63, the largest that is used. A
//! polynomial whose iteration did not converge would therefore still be evaluated with a correct
//! bound; it would only be a worse approximation.
//!
//! *Beyond the interval.* An odd polynomial of degree `2k - 1` with `k + 1` alternating extrema on
//! `low..=high` has all of its critical points there and on the mirrored interval, so that it is
//! monotonous between and its absolute value is at most `1 + error` everywhere up to `high`.
//! Arguments within the gap thus never leave the domain of the next polynomial.

/// An odd polynomial in the Chebyshev basis of `y = x / high`, with its largest difference from 1
/// for `x` in `low..=high`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OddMinimax {
    /// The coefficients of `T_0, T_1, T_2, ...`; those of even number are zero.
    pub(crate) coefficients: Vec<f64>,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// A bound on `|p(x) - 1|`, a little above the maximum found.
    pub(crate) error: f64,
}

const ITERATIONS: usize = 40;
/// Points at which the error is searched for its extrema.
const SAMPLES: usize = 8192;

impl OddMinimax {
    /// Computes the best odd polynomial of this degree, which is odd, for `0 < low < high`.
    ///
    /// The condition is that the error has alternating extrema at one more point than there are
    /// coefficients (Chebyshev). Each step interpolates at the extrema of the last one.
    pub(crate) fn new(low: f64, high: f64, degree: usize) -> OddMinimax {
        let count = degree.div_ceil(2);
        let (a, samples) = (low / high, samples(low / high));
        let point = |i: usize| {
            let cosine = (std::f64::consts::PI * i as f64 / count as f64).cos();
            0.5 * (1.0 + a) - 0.5 * (1.0 - a) * cosine
        };
        let mut points: Vec<f64> = (0..=count).map(point).collect();
        let mut best = odd(&solve(&points), &samples);
        for _ in 0..ITERATIONS {
            let (coefficients, error) = &best;
            // Too few alternations: rounding errors have reached the size of the error itself, and
            // the best polynomial so far is as good as double precision allows.
            let Some(extrema) = extrema(coefficients, &samples, count + 1) else { break };
            let next = odd(&solve(&extrema), &samples);
            let gained = next.1 < error * (1.0 - 1e-9);
            points = extrema;
            if next.1 < *error {
                best = next;
            }
            if !gained {
                break;
            }
        }
        debug_assert_eq!(points.len(), count + 1);
        let (coefficients, error) = best;
        OddMinimax { coefficients, low, high, error: error * 1.001 + 1e-12 }
    }
}

/// Points of `a..=1`, dense at both ends.
fn samples(a: f64) -> Vec<f64> {
    let cosine = |i: usize| (std::f64::consts::PI * i as f64 / SAMPLES as f64).cos();
    (0..=SAMPLES).map(|i| 0.5 * (1.0 + a) - 0.5 * (1.0 - a) * cosine(i)).collect()
}

/// Returns `T_1, T_3, ...` at a point.
fn odd_basis(y: f64, count: usize) -> Vec<f64> {
    let (mut previous, mut current) = (1.0, y);
    let mut values = vec![y];
    while values.len() < count {
        for _ in 0..2 {
            (previous, current) = (current, 2.0 * y * current - previous);
        }
        values.push(current);
    }
    values
}

fn value(coefficients: &[f64], y: f64) -> f64 {
    let odd: Vec<f64> = coefficients.iter().skip(1).step_by(2).copied().collect();
    odd_basis(y, odd.len()).iter().zip(&odd).map(|(t, c)| t * c).sum()
}

/// Returns the coefficients for which the error has equal size and alternating sign at the points.
fn solve(points: &[f64]) -> Vec<f64> {
    let size = points.len();
    let row = |(i, &y): (usize, &f64)| {
        let mut row = odd_basis(y, size - 1);
        // The unknown beside the coefficients is the common size of the errors, with alternating
        // signs.
        row.push(if i % 2 == 0 { 1.0 } else { -1.0 });
        row.push(1.0);
        row
    };
    let mut rows: Vec<Vec<f64>> = points.iter().enumerate().map(row).collect();
    for column in 0..size {
        let largest =
            |a: &usize, b: &usize| rows[*a][column].abs().total_cmp(&rows[*b][column].abs());
        let pivot = (column..size).max_by(largest).expect("every column has a row");
        rows.swap(column, pivot);
        let pivot_row = rows[column].clone();
        for row in &mut rows[column + 1..] {
            let factor = row[column] / pivot_row[column];
            row.iter_mut().zip(&pivot_row).for_each(|(x, p)| *x -= factor * p);
        }
    }
    let mut solution = vec![0.0; size];
    for i in (0..size).rev() {
        let known: f64 = (i + 1..size).map(|j| rows[i][j] * solution[j]).sum();
        solution[i] = (rows[i][size] - known) / rows[i][i];
    }
    solution.truncate(size - 1);
    solution
}

/// Returns the polynomial and its largest error on the samples.
fn odd(odd: &[f64], samples: &[f64]) -> (Vec<f64>, f64) {
    let mut coefficients = vec![0.0; 2 * odd.len()];
    coefficients.iter_mut().skip(1).step_by(2).zip(odd).for_each(|(to, from)| *to = *from);
    let error = |y: &f64| (value(&coefficients, *y) - 1.0).abs();
    let largest = samples.iter().map(error).fold(0.0, f64::max);
    (coefficients, largest)
}

/// Returns one extremum of the error for each interval of constant sign, if there are at least
/// `count`; of more, the `count` neighbouring ones with the largest errors.
fn extrema(coefficients: &[f64], samples: &[f64], count: usize) -> Option<Vec<f64>> {
    let mut found: Vec<(f64, f64)> = Vec::new();
    for &y in samples {
        let error = value(coefficients, y) - 1.0;
        match found.last_mut() {
            Some((at, last)) if *last * error > 0.0 => {
                if error.abs() > last.abs() {
                    (*at, *last) = (y, error);
                }
            }
            _ => found.push((y, error)),
        }
    }
    // Dropping an end keeps the signs of the others alternating; dropping a point in between would
    // not.
    while found.len() > count {
        let first_is_smaller = found[0].1.abs() < found[found.len() - 1].1.abs();
        found.remove(if first_is_smaller { 0 } else { found.len() - 1 });
    }
    (found.len() == count).then(|| found.into_iter().map(|(y, _)| y).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known closed form: the best multiple of `x` on `a..=1` is `2 x / (1 + a)`.
    #[test]
    fn degree_one_is_the_secant() {
        let p = OddMinimax::new(0.2, 1.0, 1);
        assert!((p.coefficients[1] - 2.0 / 1.2).abs() < 1e-9);
        assert!((p.error - 0.8 / 1.2).abs() < 2e-3);
    }

    /// The error of a best approximation alternates with one size at one more point than there are
    /// coefficients.
    #[test]
    fn errors_alternate_with_equal_size() {
        for (low, degree) in [(0.1, 3), (0.05, 7), (0.02, 15), (0.5, 7)] {
            let p = OddMinimax::new(low, 1.0, degree);
            let points = extrema(&p.coefficients, &samples(low), degree.div_ceil(2) + 1).unwrap();
            let sizes: Vec<f64> =
                points.iter().map(|y| (value(&p.coefficients, *y) - 1.0).abs()).collect();
            let largest = sizes.iter().copied().fold(0.0, f64::max);
            assert!(sizes.iter().all(|s| *s > 0.99 * largest), "{low}, {degree}: {sizes:?}");
            assert!(p.error >= largest && p.error < 1.01 * largest + 1e-9);
        }
    }
}
