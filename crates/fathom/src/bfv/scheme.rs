//! The encoding of BFV.

use crate::rlwe::modular::{Modular, Tables};
use crate::rlwe::{Encoding, Level, Levels, Params, sealed::Sealed};

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
    fn fresh_factor(params: &Params<Bfv>, level: Level) -> u64 {
        standard_factor(params, level)
    }
}

/// Returns `-Q mod t` for the modulus `Q` of `level`.
pub(super) fn standard_factor(params: &Params<Bfv>, level: Level) -> u64 {
    let t = params.plain().modulus();
    let q = params.chain()[..level.limbs().get()].iter().fold(1, |acc, &q| t.mul(acc, t.reduce(q)));
    t.neg(q)
}
