//! Edges, by which the reference represents the weight of a monomial.

use super::{Decoy, Powers, SUBGROUP_ORDER, Sign};
use crate::Fp;
use std::sync::Arc;

/// One summand `sign * weight * g^index` of the weight of a monomial, with its decoy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Index of the monomial in the polynomial.
    pub(crate) term: u32,
    /// Exponent of the generator, below [`SUBGROUP_ORDER`].
    pub(crate) index: u16,
    pub(crate) sign: Sign,
    pub(crate) weight: Fp,
    pub(crate) decoy: Arc<Decoy>,
}

impl Edge {
    /// Returns the summand of the weight of its monomial.
    pub(crate) fn value(&self, powers: &Powers) -> Fp {
        self.sign.apply(self.weight * powers[usize::from(self.index)])
    }
}

/// Merges edges with equal monomial, index and sign: weights and decoys are added, and an edge is
/// removed if both are zero. The order of first appearance is kept.
pub(crate) fn merge(edges: Vec<Edge>) -> Vec<Edge> {
    let mut places = std::collections::HashMap::with_capacity(edges.len());
    let mut merged: Vec<Edge> = Vec::with_capacity(edges.len());
    for edge in edges {
        match places.entry((edge.term, edge.index, edge.sign)) {
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(merged.len());
                merged.push(edge);
            }
            std::collections::hash_map::Entry::Occupied(place) => {
                let first = &mut merged[*place.get()];
                first.weight += edge.weight;
                let decoy = Arc::make_mut(&mut first.decoy);
                decoy.iter_mut().zip(&*edge.decoy).for_each(|(sum, word)| *sum ^= word);
            }
        }
    }
    merged.retain(|edge| edge.weight != Fp::ZERO || edge.decoy.iter().any(|&word| word != 0));
    merged
}

/// Returns `g^-index` from the table of powers.
pub(crate) fn inverse_power(powers: &Powers, index: usize) -> Fp {
    powers[(SUBGROUP_ORDER - index) % SUBGROUP_ORDER]
}
