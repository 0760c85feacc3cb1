//! Which residues a polynomial keeps.

/// The residues (*limbs*) of a polynomial: a prefix of the chain primes, then all special primes or
/// none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limbs {
    chain: usize,
    special: usize,
}

impl Limbs {
    /// The first `count` chain primes.
    pub fn chain(count: usize) -> Self {
        Limbs { chain: count, special: 0 }
    }

    /// The first `count` chain primes and `special` special primes.
    pub fn extended(count: usize, special: usize) -> Self {
        Limbs { chain: count, special }
    }

    /// Number of chain primes.
    pub fn chain_count(self) -> usize {
        self.chain
    }

    /// Number of special primes.
    pub fn special_count(self) -> usize {
        self.special
    }

    /// Number of residue rows.
    pub fn len(self) -> usize {
        self.chain + self.special
    }

    /// True if there is no residue at all.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// True if every row of `self` is also a row of `other`.
    pub fn within(self, other: Limbs) -> bool {
        self.chain <= other.chain && self.special <= other.special
    }
}
