//! The diagonals of a matrix as plaintexts.

use super::{Bounds, Context, Noise, Norms};
use fathom_ring::{Eval, Limbs, Poly};

/// The diagonals that share a giant step.
#[derive(Clone, Debug)]
pub(crate) struct Giant {
    pub(crate) step: usize,
    pub(crate) diagonals: Vec<Diagonal>,
}

/// One diagonal of a matrix.
#[derive(Clone, Debug)]
pub(crate) struct Diagonal {
    pub(crate) baby_step: usize,
    /// Rotated back by the giant step, over the primes of the map's level and the special ones.
    pub(crate) values: Poly<Eval>,
    pub(crate) norms: Norms,
    /// For inexact values: the norms of the exact multiplicand, and those of the difference.
    pub(crate) inexact: Option<[Bounds; 2]>,
}

impl Diagonal {
    /// Prepares a diagonal over these limbs, given by the signed coefficients of its encoding,
    /// which is rotated back by the giant step.
    pub(crate) fn new(
        context: &Context,
        limbs: Limbs,
        baby_step: usize,
        coefficients: &[i64],
    ) -> Diagonal {
        let lifted = context.lift(limbs, coefficients);
        let norms = Norms::of(coefficients, &context.roots);
        Diagonal { baby_step, values: lifted.into_eval(), norms, inexact: None }
    }

    /// Creates a diagonal of these values, over the limbs of one level and the special primes. They
    /// stand for the first of two polynomials, up to the second.
    pub(crate) fn inexact(
        baby_step: usize,
        values: Poly<Eval>,
        norms: Norms,
        inexact: [Bounds; 2],
    ) -> Diagonal {
        Diagonal { baby_step, values, norms, inexact: Some(inexact) }
    }

    /// Returns the noise of a product with it.
    pub(crate) fn multiplied(&self, noise: Noise) -> Noise {
        match self.inexact {
            None => noise.times_polynomial(self.norms),
            Some([message, error]) => noise.times_inexact(self.norms, message, error),
        }
    }
}
