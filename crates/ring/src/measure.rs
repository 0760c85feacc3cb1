//! The size of a polynomial as a polynomial over the integers.

use crate::{Coeff, Poly, Ring};

impl Poly<Coeff> {
    /// `log2` of the largest absolute value of a coefficient, taken as the centred representative
    /// modulo the product of all chain primes present. Zero counts as one. Slow: for debugging and
    /// measuring.
    pub fn log2_largest_centred(&self) -> f64 {
        let ring = self.ring();
        let rows = self.limbs().chain_count();
        let size = |i: usize| {
            let residues: Vec<u64> = (0..rows).map(|row| self.row(row)[i]).collect();
            let negated: Vec<u64> =
                residues.iter().enumerate().map(|(r, &x)| ring.modulus(r).neg(x)).collect();
            let (positive, negative) = (mixed_radix(ring, residues), mixed_radix(ring, negated));
            let least =
                if positive.iter().rev().le(negative.iter().rev()) { positive } else { negative };
            log2(ring, &least)
        };
        (0..ring.degree()).map(size).fold(0.0, f64::max)
    }
}

/// The digits `d` with `x = d_0 + d_1 q_0 + d_2 q_0 q_1 + ...` (Garner), from the residues of `x`.
fn mixed_radix(ring: &Ring, mut residues: Vec<u64>) -> Vec<u64> {
    for i in 0..residues.len() {
        for j in i + 1..residues.len() {
            let m = ring.modulus(j);
            let difference = m.sub(residues[j], m.reduce(residues[i]));
            // The primes are distinct, so the inverse exists.
            let inverse = m.inverse(m.reduce(ring.modulus(i).value())).unwrap_or(0);
            residues[j] = m.mul(difference, inverse);
        }
    }
    residues
}

fn log2(ring: &Ring, digits: &[u64]) -> f64 {
    let radix = |i: usize| ring.modulus(i).value() as f64;
    let value = digits.iter().enumerate().rev().fold(0.0, |acc, (i, &d)| acc * radix(i) + d as f64);
    value.max(1.0).log2()
}
