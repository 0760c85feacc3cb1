//! The RNS basis of a polynomial.

/// The residues (*limbs*) of a polynomial: a prefix of the chain primes and a prefix of the special
/// primes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limbs {
    chain: usize,
    special: usize,
}

impl Limbs {
    /// Returns the first `count` chain primes.
    pub fn chain(count: usize) -> Self {
        Limbs { chain: count, special: 0 }
    }

    /// Returns the first `count` chain primes and `special` special primes.
    pub fn extended(count: usize, special: usize) -> Self {
        Limbs { chain: count, special }
    }

    /// Returns the number of chain primes.
    pub fn chain_count(self) -> usize {
        self.chain
    }

    /// Returns the number of special primes.
    pub fn special_count(self) -> usize {
        self.special
    }

    /// Returns the number of residue rows.
    pub fn len(self) -> usize {
        self.chain + self.special
    }

    /// Returns true if there are no residues.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the row of the prime with this index in a ring of so many chain primes.
    pub(crate) fn row_of(self, prime: usize, chain_primes: usize) -> usize {
        if prime < chain_primes {
            debug_assert!(prime < self.chain);
            prime
        } else {
            self.chain + prime - chain_primes
        }
    }

    /// Returns true if every row of `self` is also a row of `other`.
    pub fn within(self, other: Limbs) -> bool {
        self.chain <= other.chain && self.special <= other.special
    }
}
