//! Layouts of the users' vectors in the two rows of slots.

/// A layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// The values of a user are as far apart as a row has users: every slot of a user ends with the
    /// user's own sum, and no slot with a sum over several users.
    Strided,
    /// The values of a user are neighbours: only the first slot of a user ends with the sum.
    Consecutive,
}

impl Layout {
    /// Returns the letter in ids.
    pub(super) fn letter(self) -> char {
        match self {
            Self::Strided => 's',
            Self::Consecutive => 'u',
        }
    }

    /// Returns the slot of a user's value, in rows of `row` slots.
    pub(super) fn slot(self, row: usize, terms: usize, [user, term]: [usize; 2]) -> usize {
        let users = row / terms;
        let (start, user) = (user / users * row, user % users);
        match self {
            Self::Strided => start + term * users + user,
            Self::Consecutive => start + user * terms + term,
        }
    }

    /// Returns the rotations whose sums add up the terms of every user.
    pub(super) fn steps(self, row: usize, terms: usize) -> Vec<i64> {
        let first = match self {
            Self::Strided => row / terms,
            Self::Consecutive => 1,
        };
        (0..terms.trailing_zeros()).map(|k| (first << k) as i64).collect()
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
