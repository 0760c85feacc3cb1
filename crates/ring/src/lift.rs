//! The integer coefficients of a polynomial modulo a product of few primes.

use crate::{Coeff, Limbs, Poly, Ring};
use fathom_kernels::Modulus;
use zeroize::Zeroizing;

/// `log2` of the largest product of primes whose centred residues are returned.
const MOST_BITS: f64 = 126.0;

impl Poly<Coeff> {
    /// Returns the coefficients as integers centred modulo the product of the primes. `None` if the
    /// product exceeds `2^126`. No branch depends on a coefficient.
    ///
    /// Source: Garner, *The residue number system* (1959), with centred digits: digit `j` of the
    /// mixed-radix form is at most half of prime `j` in absolute value, which makes the sum at most
    /// half of the product.
    pub fn centered_integers(&self) -> Option<Zeroizing<Vec<i128>>> {
        let ring: &Ring = self.ring();
        if self.limbs().is_empty() || ring.log2_product(self.limbs()) > MOST_BITS {
            return None;
        }
        let steps = steps(ring, self.limbs());
        let integer = |i: usize| {
            let mut digits = [0i64; MOST_DIGITS];
            let (mut sum, mut weight) = (0i128, 1i128);
            for (row, step) in steps.iter().enumerate() {
                let m = step.modulus;
                let before = digits.iter().zip(&step.weights);
                // The value of the digits so far, modulo this prime; the next digit makes up the
                // difference.
                let known = before.fold(0, |sum, (&d, &w)| m.add(sum, m.mul(m.from_signed(d), w)));
                let digit = m.mul(m.sub(self.row(row)[i], known), step.inverse);
                digits[row] = m.to_signed(digit);
                sum += i128::from(digits[row]) * weight;
                // The last weight is not used and may wrap.
                weight = weight.wrapping_mul(i128::from(m.value()));
            }
            sum
        };
        Some(Zeroizing::new((0..ring.degree()).map(integer).collect()))
    }
}

/// Primes have at least 13 bits.
const MOST_DIGITS: usize = 10;

/// The constants of one step, for one prime.
struct Step<'a> {
    modulus: &'a Modulus,
    /// The products of the first 0, 1, ... primes, modulo this one.
    weights: Vec<u64>,
    /// The inverse of the product of all earlier primes.
    inverse: u64,
}

fn steps(ring: &Ring, limbs: Limbs) -> Vec<Step<'_>> {
    let primes: Vec<&Modulus> = ring.prime_indices(limbs).map(|i| ring.modulus(i)).collect();
    let step = |row: usize| {
        let m = primes[row];
        let mut weights = vec![1 % m.value()];
        for prime in &primes[..row] {
            weights.push(m.mul(weights[weights.len() - 1], m.reduce(prime.value())));
        }
        let product = weights.pop().expect("there is one weight more than earlier primes");
        let inverse = m.inverse(product).expect("the primes of a ring are distinct");
        Step { modulus: m, weights, inverse }
    };
    (0..primes.len()).map(step).collect()
}
