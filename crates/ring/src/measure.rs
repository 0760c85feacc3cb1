//! Absolute values of a polynomial's coefficients as integers.

use crate::{Coeff, Poly, Ring};

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
pub(crate) fn inverses(ring: &Ring, rows: usize) -> Vec<Vec<u64>> {
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
