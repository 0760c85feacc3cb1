//! Levels and limb counts: two ways to count the primes of a modulus, kept apart by their types.

use fathom_ring::Limbs;
use std::fmt;

/// The level of a ciphertext: the number of chain primes that can still be dropped.
///
/// A ciphertext at level 0 has one prime left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Level(usize);

impl Level {
    /// The last level, at which no prime can be dropped.
    pub const ZERO: Level = Level(0);

    /// Creates the level at which `primes` chain primes can still be dropped.
    pub const fn new(primes: usize) -> Level {
        Level(primes)
    }

    /// Returns the number of chain primes that can still be dropped.
    pub const fn get(self) -> usize {
        self.0
    }

    /// Returns the level after one more prime is dropped, or `None` at level 0.
    pub fn next(self) -> Option<Level> {
        self.0.checked_sub(1).map(Level)
    }

    /// Returns the next level, or level 0 at level 0, where a switch is omitted because there is no
    /// prime to drop.
    #[doc(hidden)]
    pub fn next_or_last(self) -> Level {
        self.next().unwrap_or(Level::ZERO)
    }

    /// Returns the level before the last prime was dropped.
    #[doc(hidden)]
    pub const fn above(self) -> Level {
        Level(self.0 + 1)
    }

    /// Returns the number of chain primes of a ciphertext at this level.
    #[doc(hidden)]
    pub const fn limbs(self) -> LimbCount {
        LimbCount(self.0 + 1)
    }
}

impl From<usize> for Level {
    fn from(primes: usize) -> Level {
        Level(primes)
    }
}

impl PartialEq<usize> for Level {
    fn eq(&self, other: &usize) -> bool {
        self.0 == *other
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of chain primes of a ciphertext or modulus, at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LimbCount(usize);

impl LimbCount {
    /// Returns the number of chain primes among these limbs, of which there is at least one.
    pub fn of(limbs: Limbs) -> LimbCount {
        debug_assert!(limbs.chain_count() > 0);
        LimbCount(limbs.chain_count())
    }

    /// Returns the number of chain primes; at least 1.
    pub const fn get(self) -> usize {
        self.0
    }

    /// Returns the level of a ciphertext with this many chain primes.
    pub const fn level(self) -> Level {
        Level(self.0 - 1)
    }

    /// Returns the chain primes themselves, without special primes.
    pub fn chain(self) -> Limbs {
        Limbs::chain(self.0)
    }

    /// Returns the chain primes together with `special` special primes.
    pub fn extended(self, special: usize) -> Limbs {
        Limbs::extended(self.0, special)
    }

    /// Iterates over the numbers of chain primes from 1 to this one, ascending.
    pub fn up_to(self) -> impl DoubleEndedIterator<Item = LimbCount> {
        (1..=self.0).map(LimbCount)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_limb_counts_map_to_each_other() {
        for primes in 0..5 {
            let level = Level::new(primes);
            assert_eq!(level.limbs().level(), level);
            assert_eq!(level.limbs().get(), primes + 1);
            assert_eq!(LimbCount::of(level.limbs().extended(2)), level.limbs());
            assert_eq!(level, primes);
        }
        assert_eq!(Level::ZERO.next(), None);
        assert_eq!(Level::new(3).next(), Some(Level::new(2)));
        assert_eq!(
            Level::new(2).limbs().up_to().map(LimbCount::get).collect::<Vec<_>>(),
            [1, 2, 3]
        );
    }
}
