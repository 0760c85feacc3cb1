//! The content of a ciphertext: a sparse polynomial in the masks of its seeds.

mod add;
mod evaluate;
mod multiply;
mod scale;

use super::{Error, Fp, Seed};

/// A power of one seed's mask inside a monomial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Factor {
    /// Index of the seed in [`Polynomial::seeds`].
    pub(crate) seed: u32,
    /// The exponent, which is nonzero.
    pub(crate) exponent: u32,
}

/// A polynomial `c + sum_i w_i X^{m_i}` over [`Fp`], whose variables `X` are the masks of seeds.
/// All content is public.
///
/// It is kept in normal form, so that equal polynomials have equal representations:
///
/// - seeds ascend strictly, and each occurs in a monomial;
/// - the factors of a monomial ascend strictly by seed, and no monomial is empty;
/// - monomials ascend strictly as lists of factors, and no weight is zero.
///
/// Zero terms and repeated monomials therefore do not occur. If inputs are used several times, this
/// makes the difference between exponential and polynomial growth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polynomial {
    pub(crate) constant: Fp,
    pub(crate) seeds: Vec<Seed>,
    pub(crate) terms: Terms,
}

/// Weights and monomials. The factors of all monomials are in one list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Terms {
    weights: Vec<Fp>,
    /// The index after the last factor of each monomial.
    ends: Vec<u32>,
    factors: Vec<Factor>,
}

impl Terms {
    pub(crate) fn with_capacity(terms: usize, factors: usize) -> Terms {
        Terms {
            weights: Vec::with_capacity(terms),
            ends: Vec::with_capacity(terms),
            factors: Vec::with_capacity(factors),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    pub(crate) fn factor_count(&self) -> usize {
        self.factors.len()
    }

    pub(crate) fn weight(&self, term: usize) -> Fp {
        self.weights[term]
    }

    /// Returns the factors of a monomial.
    pub(crate) fn monomial(&self, term: usize) -> &[Factor] {
        let start = if term == 0 { 0 } else { self.ends[term - 1] as usize };
        &self.factors[start..self.ends[term] as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Fp, &[Factor])> {
        (0..self.len()).map(|term| (self.weight(term), self.monomial(term)))
    }

    /// Returns the index of a monomial; the terms must be in normal form.
    pub(crate) fn find(&self, monomial: &[Factor]) -> Option<u32> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.monomial(middle).cmp(monomial) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle as u32),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Appends a term.
    pub(crate) fn push(&mut self, weight: Fp, monomial: impl IntoIterator<Item = Factor>) {
        self.factors.extend(monomial);
        self.weights.push(weight);
        self.ends.push(self.factors.len() as u32);
    }

    /// Returns these terms in normal form: sorted, equal monomials merged, zeros removed.
    pub(crate) fn normalized(&self) -> Terms {
        // Numbers are sorted instead of terms, whose factors lie in one list and have different
        // lengths.
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by_key(|&term| self.monomial(term as usize));
        let mut out = Terms::with_capacity(self.len(), self.factor_count());
        let same = |a: &u32, b: &u32| self.monomial(*a as usize) == self.monomial(*b as usize);
        for group in order.chunk_by(same) {
            let weight = group.iter().fold(Fp::ZERO, |sum, &term| sum + self.weight(term as usize));
            if weight != Fp::ZERO {
                out.push(weight, self.monomial(group[0] as usize).iter().copied());
            }
        }
        out
    }
}

impl Polynomial {
    /// Returns the polynomial with these terms. The factors of each monomial must ascend strictly
    /// by seed; the monomials may have any order.
    pub(crate) fn from_terms(constant: Fp, seeds: Vec<Seed>, terms: &Terms) -> Polynomial {
        let mut polynomial = Polynomial { constant, seeds, terms: terms.normalized() };
        polynomial.drop_unused_seeds();
        polynomial
    }

    /// Returns `constant + sum_i weight_i X_{seed_i}` for distinct seeds and nonzero weights.
    pub(crate) fn linear<const N: usize>(constant: Fp, mut terms: [(Seed, Fp); N]) -> Polynomial {
        terms.sort_unstable_by_key(|term| term.0);
        let seeds = terms.map(|term| term.0).to_vec();
        let mut out = Terms::with_capacity(N, N);
        for (seed, (_, weight)) in (0..).zip(terms) {
            out.push(weight, [Factor { seed, exponent: 1 }]);
        }
        Polynomial { constant, seeds, terms: out }
    }

    /// Returns the constant term, which no mask hides.
    pub fn constant(&self) -> Fp {
        self.constant
    }

    /// Returns the number of monomials, without the constant.
    pub fn term_count(&self) -> usize {
        self.terms.len()
    }

    /// Returns the number of distinct seeds.
    pub fn seed_count(&self) -> usize {
        self.seeds.len()
    }

    /// Returns the degree: the greatest number of masks, counted with multiplicity, in one
    /// monomial.
    pub fn degree(&self) -> u64 {
        let degree = |monomial: &[Factor]| monomial.iter().map(|f| u64::from(f.exponent)).sum();
        self.terms.iter().map(|(_, monomial)| degree(monomial)).max().unwrap_or(0)
    }

    /// Restores the first condition of the normal form after monomials were removed.
    fn drop_unused_seeds(&mut self) {
        let mut used = vec![false; self.seeds.len()];
        for factor in &self.terms.factors {
            used[factor.seed as usize] = true;
        }
        if used.iter().all(|&used| used) {
            return;
        }
        let mut next = 0;
        let renumbered: Vec<u32> = used
            .iter()
            .map(|&used| {
                let number = next;
                next += u32::from(used);
                number
            })
            .collect();
        for factor in &mut self.terms.factors {
            factor.seed = renumbered[factor.seed as usize];
        }
        let mut used = used.into_iter();
        self.seeds.retain(|_| used.next().unwrap_or(false));
    }
}

/// The union of two lists of seeds, and the indices in it of the seeds of both.
struct Union {
    seeds: Vec<Seed>,
    left: Vec<u32>,
    right: Vec<u32>,
}

impl Union {
    fn of(left: &[Seed], right: &[Seed]) -> Union {
        let mut union = Union {
            seeds: Vec::with_capacity(left.len() + right.len()),
            left: Vec::with_capacity(left.len()),
            right: Vec::with_capacity(right.len()),
        };
        let (mut i, mut j) = (0, 0);
        while i < left.len() || j < right.len() {
            let next = match (left.get(i), right.get(j)) {
                (Some(a), Some(b)) => *a.min(b),
                (Some(seed), None) | (None, Some(seed)) => *seed,
                (None, None) => break,
            };
            let number = union.seeds.len() as u32;
            if left.get(i) == Some(&next) {
                union.left.push(number);
                i += 1;
            }
            if right.get(j) == Some(&next) {
                union.right.push(number);
                j += 1;
            }
            union.seeds.push(next);
        }
        union
    }
}

/// Returns a monomial with its seeds renumbered. The order of factors and monomials does not
/// change, since the numbers ascend.
fn renumbered<'a>(
    monomial: &'a [Factor],
    numbers: &'a [u32],
) -> impl Iterator<Item = Factor> + Clone + 'a {
    monomial.iter().map(|f| Factor { seed: numbers[f.seed as usize], ..*f })
}
