//! Values of a polynomial at a point.

use super::{Factor, Polynomial};
use crate::Fp;
use zeroize::optimization_barrier;

/// Monomials of fewer factors are evaluated without an allocation.
const FEW_FACTORS: usize = 8;

impl Polynomial {
    /// Returns the value for the masks `masks[i]` of the seeds `i`. The time depends on the shape
    /// of the polynomial only.
    ///
    /// This is Horner's rule in several variables: monomials ascend, so that those with a common
    /// prefix follow each other, and the sum over them is multiplied once by the last factor of the
    /// prefix. It takes a product for each prefix instead of one for each factor of each monomial.
    pub(crate) fn evaluate(&self, masks: &[Fp]) -> Fp {
        debug_assert_eq!(masks.len(), self.seeds.len(), "one mask for each seed");
        let longest = self.terms.iter().map(|(_, monomial)| monomial.len()).max().unwrap_or(0);
        if longest < FEW_FACTORS {
            self.evaluate_in(&mut [Fp::ZERO; FEW_FACTORS], masks)
        } else {
            self.evaluate_in(&mut vec![Fp::ZERO; longest + 1], masks)
        }
    }

    /// Computes the value with room for a sum for each length of a prefix, zero before and after.
    fn evaluate_in(&self, sums: &mut [Fp], masks: &[Fp]) -> Fp {
        // `sums[k]` is the sum over the terms so far that begin with the first `k` factors of
        // `prefix`, divided by these factors; beyond the length of `prefix` it is zero.
        sums[0] = self.constant;
        let mut prefix: &[Factor] = &[];
        for (weight, monomial) in self.terms.iter() {
            let common = prefix.iter().zip(monomial).take_while(|(a, b)| a == b).count();
            multiply_out(&mut sums[common..], &prefix[common..], masks);
            sums[monomial.len()] = weight;
            prefix = monomial;
        }
        multiply_out(sums, prefix, masks);
        let value = std::mem::take(&mut sums[0]);
        optimization_barrier(sums);
        value
    }
}

/// Multiplies the sums beyond the first by these last factors of the prefix, longest prefix first,
/// and adds each product to the sum before it.
#[inline]
fn multiply_out(sums: &mut [Fp], factors: &[Factor], masks: &[Fp]) {
    for (index, factor) in factors.iter().enumerate().rev() {
        let mask = masks[factor.seed as usize];
        let power = if factor.exponent == 1 { mask } else { mask.pow(factor.exponent.into()) };
        let inner = std::mem::take(&mut sums[index + 1]);
        sums[index] += inner * power;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::polynomial::Terms;
    use proptest::prelude::*;

    /// Returns the sum over the terms of weight times powers of masks.
    fn term_by_term(polynomial: &Polynomial, masks: &[Fp]) -> Fp {
        polynomial.terms.iter().fold(polynomial.constant, |sum, (weight, monomial)| {
            let power = |f: &Factor| masks[f.seed as usize].pow(f.exponent.into());
            sum + monomial.iter().map(power).fold(weight, |product, power| product * power)
        })
    }

    #[test]
    fn a_constant_is_its_own_value() {
        let constant = Polynomial { constant: Fp::from(7_u64), ..Polynomial::default() };
        assert_eq!(constant.evaluate(&[]), Fp::from(7_u64));
    }

    proptest! {
        #[test]
        fn the_value_is_the_sum_over_the_terms(
            constant: u64,
            masks in prop::collection::vec(any::<u128>().prop_map(Fp::new), 5),
            terms in prop::collection::vec((1_u64.., prop::array::uniform5(0_u32..3)), 0..40),
        ) {
            let mut list = Terms::default();
            for (weight, exponents) in terms {
                let powers = (0..).zip(exponents).filter(|(_, exponent)| *exponent > 0);
                let factors: Vec<Factor> =
                    powers.map(|(seed, exponent)| Factor { seed, exponent }).collect();
                if !factors.is_empty() {
                    list.push(weight.into(), factors);
                }
            }
            let seeds: Vec<Seed> = (0..5).map(|i| Seed([i; 3])).collect();
            let (constant, terms) = (constant.into(), list.normalized());
            let polynomial = Polynomial { constant, seeds, terms };
            prop_assert_eq!(polynomial.evaluate(&masks), term_by_term(&polynomial, &masks));
        }
    }
}
