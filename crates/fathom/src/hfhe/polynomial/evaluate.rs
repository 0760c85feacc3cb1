//! Values of a polynomial at a point.

use super::Polynomial;
use crate::hfhe::Fp;

impl Polynomial {
    /// Returns the value for the masks `masks[i]` of the seeds `i`. The time depends on the shape
    /// of the polynomial only.
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
