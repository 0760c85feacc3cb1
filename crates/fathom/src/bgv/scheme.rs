//! The encoding of BGV.

use crate::rlwe::modular::{Modular, Tables};
use crate::rlwe::{Encoding, Level, Levels, Params, sealed::Sealed};

/// The scheme of Brakerski, Gentry and Vaikuntanathan (eprint 2011/277).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bgv {}

impl Sealed for Bgv {}

impl Encoding for Bgv {
    type Meta = u64;
    type Facts = ();
    type Tables = Tables;

    const NAME: &'static str = "bgv";
    const LEVELS: Levels = Levels::Explicit;
}

impl Modular for Bgv {
    fn fresh_factor(_: &Params<Bgv>, _: Level) -> u64 {
        1
    }
}
