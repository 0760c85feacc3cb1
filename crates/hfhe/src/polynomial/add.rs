//! Sums of polynomials.

use super::{Polynomial, Terms, Union, renumbered};
use crate::Fp;
use std::cmp::Ordering;

impl Polynomial {
    /// Computes `self + other` by one pass over both lists of terms.
    pub(crate) fn plus(&self, other: &Polynomial) -> Polynomial {
        let Union { seeds, left, right } = Union::of(&self.seeds, &other.seeds);
        let (a, b) = (&self.terms, &other.terms);
        let mut terms =
            Terms::with_capacity(a.len() + b.len(), a.factor_count() + b.factor_count());
        let (mut i, mut j) = (0, 0);
        let mut cancelled = false;
        while i < a.len() || j < b.len() {
            let order = match (i < a.len(), j < b.len()) {
                (true, true) => {
                    renumbered(a.monomial(i), &left).cmp(renumbered(b.monomial(j), &right))
                }
                (true, false) => Ordering::Less,
                (false, _) => Ordering::Greater,
            };
            let mut weight = Fp::ZERO;
            if order.is_le() {
                weight += a.weight(i);
            }
            if order.is_ge() {
                weight += b.weight(j);
            }
            if weight == Fp::ZERO {
                cancelled = true;
            } else if order.is_le() {
                terms.push(weight, renumbered(a.monomial(i), &left));
            } else {
                terms.push(weight, renumbered(b.monomial(j), &right));
            }
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
        }
        let constant = self.constant + other.constant;
        let mut sum = Polynomial { constant, seeds, terms };
        if cancelled {
            sum.drop_unused_seeds();
        }
        sum
    }

    /// Returns the sum of many polynomials. They are added in pairs, so that each term is moved a
    /// logarithmic number of times.
    pub(crate) fn sum(polynomials: &[Polynomial]) -> Polynomial {
        match polynomials {
            [] => Polynomial::default(),
            [one] => one.clone(),
            many => {
                let (left, right) = many.split_at(many.len() / 2);
                Polynomial::sum(left).plus(&Polynomial::sum(right))
            }
        }
    }
}
