//! The tables of the encoding modulo `t`.

use super::spec::Spec;
use fathom_ring::{PlainRing, ToPlain};

/// The tables of the encoding modulo `t`.
#[derive(Debug)]
pub struct Tables {
    pub(super) spec: Spec,
    pub(super) plain: PlainRing,
    /// The map to residues modulo `t`, by the number of limbs less one.
    pub(super) to_plain: Vec<ToPlain>,
}
