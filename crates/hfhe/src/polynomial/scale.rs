//! Products with public constants.

use super::{Polynomial, Terms};
use crate::Fp;

impl Polynomial {
    /// Computes `factor * self`.
    pub(crate) fn scaled(&self, factor: Fp) -> Polynomial {
        if factor == Fp::ZERO {
            return Polynomial::default();
        }
        let mut scaled = self.clone();
        scaled.constant *= factor;
        for weight in &mut scaled.terms.weights {
            *weight *= factor;
        }
        scaled
    }

    /// Computes `self + constant`.
    pub(crate) fn plus_constant(mut self, constant: Fp) -> Polynomial {
        self.constant += constant;
        self
    }

    /// Appends `factor * self`, without the constant and with the seeds renumbered, to `out`.
    pub(super) fn append_scaled(&self, factor: Fp, numbers: &[u32], out: &mut Terms) {
        if factor == Fp::ZERO {
            return;
        }
        for (weight, monomial) in self.terms.iter() {
            out.push(factor * weight, super::renumbered(monomial, numbers));
        }
    }
}
