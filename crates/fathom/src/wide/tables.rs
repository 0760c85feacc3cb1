//! The tables of exact integers.

use super::Spec;

/// The tables of exact integers.
#[derive(Debug)]
pub struct Tables {
    pub(super) spec: Spec,
}
