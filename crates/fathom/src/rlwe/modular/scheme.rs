//! The schemes that compute exactly on integers modulo `t`.

use super::Tables;
use crate::rlwe::{Encoding, Level, Params};

/// BFV or BGV.
pub trait Modular: Encoding<Meta = u64, Facts = (), Tables = Tables> {
    /// Returns the factor modulo `t` with which a fresh encryption at a level holds its message.
    #[doc(hidden)]
    fn fresh_factor(params: &Params<Self>, level: Level) -> u64;
}
