//! Layouts of several vectors in the rows of slots of one ciphertext.

/// A layout of vectors of equal length, a power of two up to that of a row, in the slots of one
/// ciphertext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The values of a vector are as far apart as a row has vectors: every slot of a vector ends
    /// with the vector's own sum, and no slot with a sum over several vectors.
    Strided,
    /// The values of a vector are neighbours: only the first slot of a vector ends with the sum.
    Consecutive,
}

impl Layout {
    /// Returns the slot of a value, in rows of `row` slots; `terms` is the length of a vector, and
    /// `place` the number of the vector and the position in it.
    pub fn slot(self, row: usize, terms: usize, place: [usize; 2]) -> usize {
        let [vector, term] = place;
        let vectors = row / terms;
        let (start, vector) = (vector / vectors * row, vector % vectors);
        match self {
            Self::Strided => start + term * vectors + vector,
            Self::Consecutive => start + vector * terms + term,
        }
    }

    /// Returns the rotations whose sums add up the values of every vector.
    pub fn steps(self, row: usize, terms: usize) -> Vec<i64> {
        let first = match self {
            Self::Strided => row / terms,
            Self::Consecutive => 1,
        };
        (0..terms.ilog2()).map(|k| (first << k) as i64).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_a_slot_of_its_own() {
        for layout in [Layout::Strided, Layout::Consecutive] {
            let slot = |user, term| layout.slot(2048, 128, [user, term]);
            let all = (0..32).flat_map(|user| (0..128).map(move |term| (user, term)));
            let mut slots: Vec<usize> = all.map(|(user, term)| slot(user, term)).collect();
            slots.sort_unstable();
            assert!(slots.into_iter().eq(0..4096));
            assert_eq!(layout.steps(2048, 128).len(), 7);
        }
    }
}
