//! The automorphisms `X -> X^g` of the ring, applied to polynomials in the NTT domain.

use crate::{Eval, Poly};
use fathom_kernels::order::automorphism_indices;

/// The automorphism `X -> X^exponent`, which permutes every row in the NTT domain.
#[derive(Clone, Debug)]
pub struct Automorphism {
    exponent: usize,
    indices: Vec<u32>,
}

impl Automorphism {
    /// Makes `X -> X^exponent` for an odd exponent below `2 * degree`.
    pub fn new(degree: usize, exponent: usize) -> Automorphism {
        debug_assert!(exponent % 2 == 1 && exponent < 2 * degree);
        Automorphism { exponent, indices: automorphism_indices(degree, exponent) }
    }

    /// Returns the Galois element `g`.
    pub fn exponent(&self) -> usize {
        self.exponent
    }

    /// Returns `p(X^g)`. Takes no transforms.
    pub fn apply(&self, p: &Poly<Eval>) -> Poly<Eval> {
        let mut out = Poly::uninitialized(p.ring(), p.limbs());
        for row in 0..p.limbs().len() {
            p.ring().kernel().permute(out.row_mut(row), p.row(row), &self.indices);
        }
        out
    }
}

/// Generator, together with -1, of the odd residues modulo `2N`: slot `i` of the first row is the
/// value at `psi^(3^i)`.
pub(crate) const GENERATOR: usize = 3;

/// Returns the Galois element that rotates both rows of `degree / 2` slots to the left by `steps`,
/// which may be negative.
pub fn rotation_exponent(degree: usize, steps: i64) -> usize {
    let order = degree as i64 / 2;
    let steps = steps.rem_euclid(order);
    (0..steps).fold(1, |power, _| power * GENERATOR % (2 * degree))
}

/// Returns the steps, from 0 to `N/2 - 1`, of the rotation that a Galois element of a power of two
/// `degree` is; none if it swaps the rows.
///
/// The logarithm to the base of the generator is found bit by bit: for `i` from 1 on, the power
/// `2^i` of the generator is `1 + 2^(i + 2)` modulo `2^(i + 3)`; rotations are 1 or 3 modulo 8.
pub fn rotation_steps(degree: usize, exponent: usize) -> Option<i64> {
    let (mut power, mut square, mut steps) = (1_usize, GENERATOR, 0);
    for bit in 0..degree.ilog2().saturating_sub(1) {
        let within = 1_usize.checked_shl(bit + 3).unwrap_or(0).wrapping_sub(1);
        if (power ^ exponent) & within != 0 {
            steps |= 1 << bit;
            power = power.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
    }
    let all = degree.wrapping_mul(2).wrapping_sub(1);
    ((power ^ exponent) & all == 0).then_some(steps)
}

/// Returns the Galois element that swaps the two rows of slots.
pub fn row_swap_exponent(degree: usize) -> usize {
    // That of the largest degree is the largest number.
    degree.wrapping_mul(2).wrapping_sub(1)
}
