//! Centred representatives of coefficients: as doubles, and the largest of them as a logarithm.
//!
//! Both write the residues of a coefficient as mixed-radix digits (Garner's algorithm),
//! `x = d_0 + d_1 q_0 + d_2 q_0 q_1 + ...`, with the inverses of the primes modulo each other.
//! Those of `to_centered_reals` are balanced, and no branch depends on them, because they may be
//! secret.

use crate::{Coeff, Poly, Ring};
use fathom_kernels::RealRow;

impl Poly<Coeff> {
    /// Returns the coefficients, as centred representatives modulo the product of all chain primes
    /// present, rounded to doubles.
    ///
    /// They are evaluated from balanced mixed-radix digits (Garner's algorithm). The relative error
    /// is at most [`Poly::centered_error`]. No branch depends on a coefficient.
    pub fn to_centered_reals(&self) -> RealRow {
        let ring = self.ring();
        let rows = self.limbs().chain_count();
        let inverses = inverses(ring, rows);
        let moduli: Vec<_> = (0..rows).map(|row| ring.modulus(row)).collect();
        let radices: Vec<f64> = moduli.iter().map(|m| m.value() as f64).collect();
        let mut digits = vec![0; rows];
        let mut reals = RealRow::zeroed(ring.degree());
        for (i, real) in reals.iter_mut().enumerate() {
            digits.iter_mut().enumerate().for_each(|(row, digit)| *digit = self.row(row)[i]);
            let mut signed = 0;
            for first in 0..rows {
                let (digit, q) = (digits[first], moduli[first].value());
                let upper = u64::from(digit > q / 2);
                for later in first + 1..rows {
                    let m = moduli[later];
                    let balanced = m.sub(m.reduce(digit), upper * m.reduce(q));
                    digits[later] = m.mul(m.sub(digits[later], balanced), inverses[first][later]);
                }
                signed = digit as i64 - (upper * q) as i64;
                digits[first] = signed as u64;
            }
            let last = signed as f64;
            let lower = digits.iter().zip(&radices).rev().skip(1);
            *real = lower.fold(last, |sum, (&digit, radix)| sum * radix + digit as i64 as f64);
        }
        fathom_kernels::wipe(&mut digits);
        reals
    }

    /// Returns the bound on the relative error of [`Poly::to_centered_reals`] with `rows` rows.
    ///
    /// The mixed-radix digits are evaluated by Horner's rule. A step computes `X = Y q + d` from
    /// the result `Y` of the step before, with a prime `q` and a digit `|d| <= q / 2`. Since
    /// `|Y q| <= 2 |X|`, it at most doubles the relative error of `Y`; its own roundings add at
    /// most four units of `2^-53`.
    pub fn centered_error(rows: usize) -> f64 {
        4.0 * ((rows as f64).exp2() - 1.0) * (f64::EPSILON / 2.0)
    }
}

impl Poly<Coeff> {
    /// Returns `log2` of the largest absolute value of the coefficients, taken as centred
    /// representatives modulo the product of all chain primes present. A zero polynomial counts as
    /// one. Slow: for debugging and measurements.
    pub fn log2_largest_centered(&self) -> f64 {
        let ring = self.ring();
        let rows = self.limbs().chain_count();
        let inverses = inverses(ring, rows);
        let mut size = [vec![0; rows], vec![0; rows]];
        let mut largest = 0.0f64;
        for i in 0..ring.degree() {
            let [positive, negative] = &mut size;
            for row in 0..rows {
                positive[row] = self.row(row)[i];
                negative[row] = ring.modulus(row).neg(positive[row]);
            }
            to_mixed_radix(ring, &inverses, positive);
            to_mixed_radix(ring, &inverses, negative);
            let least =
                if positive.iter().rev().le(negative.iter().rev()) { positive } else { negative };
            largest = largest.max(log2(ring, least));
        }
        largest
    }
}

/// Returns the inverse of prime `i` modulo prime `j` at `[i][j]`, for `i < j`.
fn inverses(ring: &Ring, rows: usize) -> Vec<Vec<u64>> {
    let inverse = |i: usize, j: usize| {
        let m = ring.modulus(j);
        m.inverse(m.reduce(ring.modulus(i).value())).expect("the primes of a ring are distinct")
    };
    let row = |i: usize| (0..rows).map(|j| if i < j { inverse(i, j) } else { 0 }).collect();
    (0..rows).map(row).collect()
}

/// Converts the residues of `x` to the mixed-radix digits `d` with
/// `x = d_0 + d_1 q_0 + d_2 q_0 q_1 + ...` (Garner's algorithm).
fn to_mixed_radix(ring: &Ring, inverses: &[Vec<u64>], residues: &mut [u64]) {
    for i in 0..residues.len() {
        for j in i + 1..residues.len() {
            let m = ring.modulus(j);
            let difference = m.sub(residues[j], m.reduce(residues[i]));
            residues[j] = m.mul(difference, inverses[i][j]);
        }
    }
}

fn log2(ring: &Ring, digits: &[u64]) -> f64 {
    let radix = |i: usize| ring.modulus(i).value() as f64;
    let value = digits.iter().enumerate().rev().fold(0.0, |acc, (i, &d)| acc * radix(i) + d as f64);
    value.max(1.0).log2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limbs, WideCoefficients, primes_below};

    #[test]
    fn lifts_return_the_integers() {
        let primes = primes_below(40.0, 512, 3, &[]).unwrap();
        let ring = Ring::new(256, &primes, &[]).unwrap();
        let reals: Vec<f64> = (0..256).map(|i| (f64::from(i) - 128.0) / 129.0).collect();
        for (rows, bits) in [(1, 38), (2, 30), (2, 78), (3, 60), (3, 104)] {
            let scale = f64::from(bits).exp2();
            let wide = WideCoefficients::rounded(&reals, scale, scale);
            let poly = wide.to_eval(&ring, Limbs::chain(rows)).into_masked().into_coeff();
            for (found, expected) in poly.to_centered_reals().iter().zip(wide.to_reals()) {
                let bound = expected.abs() * (Poly::centered_error(rows) + f64::EPSILON);
                assert!((found - expected).abs() <= bound, "{found} instead of {expected}");
            }
        }
    }
}
