//! Values at a point.

use super::Polynomial;
use crate::hfhe::Fp;

impl Polynomial {
    /// Returns the value where the mask of seed `i` is `masks[i]`. The time depends on the shape of
    /// the polynomial, not on the masks.
    pub(crate) fn evaluate(&self, masks: &[Fp]) -> Fp {
        debug_assert_eq!(masks.len(), self.seeds.len(), "one mask for each seed");
        self.terms.iter().fold(self.constant, |sum, (weight, monomial)| {
            let power = |exponent, mask: Fp| if exponent == 1 { mask } else { mask.pow(exponent) };
            sum + monomial
                .iter()
                .fold(weight, |x, f| x * power(f.exponent.into(), masks[f.seed as usize]))
        })
    }
}
