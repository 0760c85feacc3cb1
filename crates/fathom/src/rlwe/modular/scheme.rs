//! The schemes that compute exactly on integers modulo `t`, and the tables of their encoding.

use super::Spec;
use crate::rlwe::{Encoding, Level, Params};
use fathom_ring::{PlainRing, ToPlain};

/// BFV or BGV.
pub trait Modular: Encoding<Meta = u64, Facts = (), Tables = Tables> {
    /// Returns the factor modulo `t` with which a fresh encryption at a level holds its message.
    #[doc(hidden)]
    fn fresh_factor(params: &Params<Self>, level: Level) -> u64;
}

/// The tables of the encoding modulo `t`.
#[derive(Debug)]
pub struct Tables {
    pub(super) spec: Spec,
    pub(super) plain: PlainRing,
    /// The map to residues modulo `t`, by the number of limbs less one.
    pub(super) to_plain: Vec<ToPlain>,
}
