//! The encoding of BFV.

use crate::rlwe::exact::Tables;
use crate::rlwe::{Encoding, Levels, sealed::Sealed};

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
