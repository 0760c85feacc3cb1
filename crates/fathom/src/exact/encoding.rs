//! The encoding over the core of ring schemes.

use super::{Factor, Tables};
use crate::rlwe::{Encoding, Levels, sealed::Sealed};

/// Exact integers modulo `2^N + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {}

impl Sealed for Exact {}

impl Encoding for Exact {
    type Meta = Factor;
    type Facts = ();
    type Tables = Tables;

    const NAME: &'static str = "int";
    const LEVELS: Levels = Levels::Automatic;
}
