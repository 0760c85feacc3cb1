//! The tables of exact integers.

use super::Spec;
use crate::Error;
use fathom_ring::{FactorPoly, ScaleInvariant};
use std::sync::OnceLock;

/// The tables of exact integers.
#[derive(Debug)]
pub struct Tables {
    pub(super) spec: Spec,
    /// `X - 2` modulo every prime.
    pub(super) factor: FactorPoly,
    /// The tables of the scale-invariant product, by level.
    pub(super) scale_invariant: Vec<OnceLock<Result<ScaleInvariant, Error>>>,
}
