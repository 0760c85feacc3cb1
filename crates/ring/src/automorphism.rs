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

/// Returns the Galois element that swaps the two rows of slots.
pub fn row_swap_exponent(degree: usize) -> usize {
    2 * degree - 1
}
