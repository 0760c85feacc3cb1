//! Products of polynomials.

use super::{Error, Factor, Polynomial, Terms, Union, renumbered};

/// The greatest number of monomials that a product may have before equal ones are merged.
const MAX_TERMS: usize = 1 << 22;

impl Polynomial {
    /// Computes `self * other`.
    pub(crate) fn times(&self, other: &Polynomial) -> Result<Polynomial, Error> {
        let (a, b) = (&self.terms, &other.terms);
        let count = a.len().saturating_mul(b.len()).saturating_add(a.len() + b.len());
        let factors = a
            .factor_count()
            .saturating_mul(b.len())
            .saturating_add(b.factor_count().saturating_mul(a.len()))
            .saturating_add(a.factor_count() + b.factor_count());
        Error::at_most("monomials", count as u64, MAX_TERMS as u64)?;
        Error::at_most("factors", factors as u64, u32::MAX.into())?;
        let Union { seeds, left, right } = Union::of(&self.seeds, &other.seeds);
        let mut terms = Terms::with_capacity(count, factors);
        for i in 0..a.len() {
            for j in 0..b.len() {
                push_product(&mut terms, (a, i, &left), (b, j, &right))?;
            }
        }
        other.append_scaled(self.constant, &right, &mut terms);
        self.append_scaled(other.constant, &left, &mut terms);
        Ok(Polynomial::from_terms(self.constant * other.constant, seeds, &terms))
    }
}

type Numbered<'a> = (&'a Terms, usize, &'a [u32]);

/// Appends the product of two terms.
fn push_product(out: &mut Terms, a: Numbered<'_>, b: Numbered<'_>) -> Result<(), Error> {
    let mut left = renumbered(a.0.monomial(a.1), a.2).peekable();
    let mut right = renumbered(b.0.monomial(b.1), b.2).peekable();
    while let Some(next) = next_of(left.peek(), right.peek()) {
        let same = |f: &Factor| f.seed == next.seed;
        let exponents = [left.next_if(same), right.next_if(same)];
        let sum = exponents.iter().flatten().map(|f| u64::from(f.exponent)).sum();
        let exponent = Error::at_most("an exponent of", sum, u32::MAX.into())? as u32;
        out.factors.push(Factor { exponent, ..next });
    }
    out.push(a.0.weight(a.1) * b.0.weight(b.1), []);
    Ok(())
}

/// Returns the factor with the lower seed.
fn next_of(left: Option<&Factor>, right: Option<&Factor>) -> Option<Factor> {
    match (left, right) {
        (Some(x), Some(y)) => Some(if x.seed <= y.seed { *x } else { *y }),
        (Some(factor), None) | (None, Some(factor)) => Some(*factor),
        (None, None) => None,
    }
}
