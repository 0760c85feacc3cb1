//! The two ways of treating levels and scales.

use crate::rlwe::Levels;
use std::fmt::Debug;

/// The party that brings operands to one level and one scale: [`Automatic`] or [`Explicit`].
pub trait Mode: Copy + Debug + Send + Sync + sealed::Sealed + 'static {
    /// Short name of the scheme in this mode, as in result files and frames.
    const NAME: &'static str;
    /// The party that brings operands to one level.
    const LEVELS: Levels;
}

/// The evaluator brings operands to one level and one scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Automatic {}

/// Operands at different levels or scales are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explicit {}

impl Mode for Automatic {
    const NAME: &'static str = "ckks";
    const LEVELS: Levels = Levels::Automatic;
}

impl Mode for Explicit {
    const NAME: &'static str = "ckkx";
    const LEVELS: Levels = Levels::Explicit;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Automatic {}
    impl Sealed for super::Explicit {}
}
