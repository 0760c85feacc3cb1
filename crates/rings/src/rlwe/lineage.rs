//! The lineage of a ciphertext: the fresh encryptions that it was computed from.

use super::Relation;
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// A ciphertext of more sources than this counts as one of unknown sources.
const MOST_SOURCES: usize = 128;

/// The fresh encryptions that a ciphertext was computed from, as far as that is known.
///
/// Given the keys, ciphertexts without a source in common have independent noise. A source is named
/// by the mask of its encryption, so that copies that travelled have the name of the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lineage {
    /// Sources are unknown: the ciphertext came from outside, or has too many of them.
    Unknown,
    /// The sources in ascending order, each once.
    Known(SmallVec<[u64; 2]>),
}

impl Lineage {
    /// Creates the lineage of a fresh encryption of this name.
    pub(crate) fn of(source: u64) -> Lineage {
        Lineage::Known(SmallVec::from_slice(&[source]))
    }

    /// Creates the empty lineage, of a value without encryption.
    pub fn none() -> Lineage {
        Lineage::Known(SmallVec::new())
    }

    /// Determines how the noises of two ciphertexts are related.
    pub(crate) fn relation(&self, other: &Lineage) -> Relation {
        match (self, other) {
            (Lineage::Known(left), Lineage::Known(right)) if disjoint(left, right) => {
                Relation::Independent
            }
            (Lineage::Known(_) | Lineage::Unknown, _) => Relation::Any,
        }
    }

    /// Determines for each of several ciphertexts how its noise is related to that of all before
    /// it, however many sources these have, and the lineage of a result computed from all.
    pub(crate) fn relations<'a>(
        all: impl Iterator<Item = &'a Lineage>,
    ) -> (Vec<Relation>, Lineage) {
        let (mut relations, mut sources) = (Vec::new(), BTreeSet::new());
        let mut all_known = true;
        for lineage in all {
            let Lineage::Known(own) = lineage else {
                // After an operand of unknown sources, the sum may depend on anything that follows.
                (all_known, sources) = (false, BTreeSet::new());
                relations.push(Relation::Any);
                continue;
            };
            let new = own.iter().filter(|source| sources.insert(**source)).count();
            let independent = all_known && new == own.len();
            relations.push(if independent { Relation::Independent } else { Relation::Any });
        }
        // The relations above are exact however many sources there are; only what is kept for later
        // operations is limited.
        if !all_known || sources.len() > MOST_SOURCES {
            return (relations, Lineage::Unknown);
        }
        (relations, Lineage::Known(sources.into_iter().collect()))
    }

    /// Returns the lineage of a result computed from both.
    pub fn union(&self, other: &Lineage) -> Lineage {
        let (Lineage::Known(left), Lineage::Known(right)) = (self, other) else {
            return Lineage::Unknown;
        };
        if left == right {
            return self.clone();
        }
        let mut all: SmallVec<[u64; 2]> = left.iter().chain(right).copied().collect();
        all.sort_unstable();
        all.dedup();
        if all.len() > MOST_SOURCES { Lineage::Unknown } else { Lineage::Known(all) }
    }
}

/// Tells whether two ascending lists have no element in common.
fn disjoint(left: &[u64], right: &[u64]) -> bool {
    left.iter().all(|source| right.binary_search(source).is_err())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_and_disjoint_sources_are_independent() {
        let [a, b] = [3, 5].map(Lineage::of);
        let both = a.union(&b);
        assert_eq!(a.relation(&b), Relation::Independent);
        for (x, y) in [(&a, &a), (&a, &both), (&both, &b)] {
            assert_eq!(x.relation(y), Relation::Any);
        }
        assert_eq!(Lineage::none().relation(&a), Relation::Independent);
        for known in [&a, &both, &Lineage::none()] {
            assert_eq!(Lineage::Unknown.relation(known), Relation::Any);
            assert_eq!(known.relation(&Lineage::Unknown), Relation::Any);
        }
        assert_eq!(b.union(&a), both);
        assert_eq!(both.union(&both), both);
    }

    #[test]
    fn relations_of_a_list_are_those_to_all_before() {
        let all: Vec<Lineage> = (0..300).map(Lineage::of).collect();
        let (relations, lineage) = Lineage::relations(all.iter());
        assert!(relations.iter().all(|relation| *relation == Relation::Independent));
        assert_eq!(lineage, Lineage::Unknown);
        let [a, b] = [3, 5].map(Lineage::of);
        let (relations, lineage) = Lineage::relations([&a, &b, &a].into_iter());
        assert_eq!(relations, [Relation::Independent, Relation::Independent, Relation::Any]);
        assert_eq!(lineage, a.union(&b));
        let (relations, lineage) = Lineage::relations([&a, &Lineage::Unknown, &b].into_iter());
        assert_eq!(relations, [Relation::Independent, Relation::Any, Relation::Any]);
        assert_eq!(lineage, Lineage::Unknown);
    }

    #[test]
    fn too_many_sources_are_unknown() {
        let all = (0..MOST_SOURCES as u64).map(Lineage::of);
        let most = all.fold(Lineage::none(), |sum, one| sum.union(&one));
        assert_ne!(most, Lineage::Unknown);
        assert_eq!(most.union(&Lineage::of(1 << 40)), Lineage::Unknown);
    }
}
