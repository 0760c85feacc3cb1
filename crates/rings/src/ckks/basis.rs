//! Polynomials in the power basis or the Chebyshev basis: values, derivatives, division.

use fathom_ring::Complex64;
use std::ops::{MulAssign, SubAssign};

/// The basis in which a polynomial is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Powers.
    Powers,
    /// Chebyshev polynomials.
    Chebyshev,
}

/// Returns the value of `p` at a number, by the recurrence of the basis.
pub(super) fn value_at(basis: Basis, p: &[f64], x: Complex64) -> Complex64 {
    let (mut previous, mut current) = (Complex64::ZERO, Complex64::ONE);
    let mut sum = Complex64::ZERO;
    for (i, &c) in p.iter().enumerate() {
        sum += current * c;
        let next = match basis {
            Basis::Chebyshev if i > 0 => 2.0 * x * current - previous,
            Basis::Chebyshev | Basis::Powers => x * current,
        };
        (previous, current) = (current, next);
    }
    sum
}

/// Returns the coefficients of the derivative, in the same basis.
pub(super) fn derivative(basis: Basis, p: &[f64]) -> Vec<f64> {
    let degree = p.len() - 1;
    if basis == Basis::Powers {
        return p.iter().enumerate().skip(1).map(|(i, c)| i as f64 * c).collect();
    }
    // c'_k = c'_(k+2) + 2 (k + 1) c_(k+1).
    let mut out = vec![0.0; degree + 2];
    for k in (0..degree).rev() {
        out[k] = out[k + 2] + 2.0 * (k + 1) as f64 * p[k + 1];
    }
    out[0] *= 0.5;
    out.truncate(degree.max(1));
    out
}

/// Divides by a basis element: returns `(q, r)` with `p = q B_k + r`, for `k` above half of the
/// degree.
pub fn divided<C>(basis: Basis, p: &[C], k: usize) -> (Vec<C>, Vec<C>)
where
    C: Copy + SubAssign + MulAssign<f64>,
{
    let (mut q, mut r) = (p[k..].to_vec(), p[..k].to_vec());
    if basis == Basis::Chebyshev {
        // T_(k+j) = 2 T_j T_k - T_(k-j).
        for j in 1..q.len() {
            r[k - j] -= q[j];
            q[j] *= 2.0;
        }
    }
    (q, r)
}
