//! The shape of the trees.

use crate::{Error, Task};

/// Width of a label.
pub(super) const LABEL_BITS: usize = 4;
/// Width of the score of a forest.
pub(super) const SCORE_BITS: usize = 12;
/// The greatest number of trees whose score has [`SCORE_BITS`] bits.
pub(super) const MOST_TREES: usize = 1 << (SCORE_BITS - LABEL_BITS);
/// The greatest depth of a tree.
pub(super) const MOST_DEPTH: usize = 8;
/// The greatest width of a feature.
pub(super) const MOST_BITS: usize = 16;

/// The numbers of a task.
#[derive(Clone, Copy, Debug)]
pub(super) struct Model {
    pub(super) trees: usize,
    pub(super) depth: usize,
    pub(super) features: usize,
    pub(super) bits: usize,
    pub(super) queries: usize,
    /// True if the client encrypts thresholds and labels.
    pub(super) encrypted: bool,
}

impl Model {
    /// Returns the numbers of a task.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the task lacks one of them.
    pub(super) fn of(task: &Task) -> Result<Self, Error> {
        Ok(Self {
            trees: task.number("trees")?,
            depth: task.number("depth")?,
            features: task.number("features")?,
            bits: task.number("bits")?,
            queries: task.number("queries")?,
            encrypted: task.variant == "encrypted-model",
        })
    }

    /// Returns the number of nodes of a tree.
    pub(super) fn nodes(&self) -> usize {
        self.leaves() - 1
    }

    /// Returns the number of leaves of a tree.
    pub(super) fn leaves(&self) -> usize {
        1 << self.depth
    }

    /// Checks the numbers of the features that the nodes test.
    ///
    /// # Errors
    /// [`Error::Column`].
    pub(super) fn check_features(&self, features: &[u64]) -> Result<(), Error> {
        let expected = self.trees * self.nodes();
        if features.len() != expected {
            let problem = format!("has {} values in place of {expected}", features.len());
            return Err(Error::column("feature", problem));
        }
        match features.iter().find(|&&feature| feature >= self.features as u64) {
            Some(feature) => Err(Error::column("feature", format!("holds {feature}"))),
            None => Ok(()),
        }
    }
}
