//! The encoding of BFV.

use super::Params;
use super::msb::standard_factor;
use crate::rlwe::modular::{Modular, Tables};
use crate::rlwe::{Encoding, Level, Levels, sealed::Sealed};

/// The scheme of Brakerski, Fan and Vercauteren (eprint 2012/144).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bfv {}

impl Sealed for Bfv {}

impl Encoding for Bfv {
    type Meta = u64;
    type Facts = ();
    type Tables = Tables;

    const NAME: &'static str = "bfv";
    const LEVELS: Levels = Levels::Automatic;
}

impl Modular for Bfv {
    /// Returns the factor `-Q mod t`, which makes the standard BFV form `round(Q m / t)`.
    fn fresh_factor(params: &Params, level: Level) -> u64 {
        standard_factor(params, level)
    }
}
