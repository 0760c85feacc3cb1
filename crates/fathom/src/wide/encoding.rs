//! The encoding over the core of ring schemes.

use super::{Content, Tables};
use crate::rlwe::{Encoding, Levels, sealed::Sealed};

/// Wide integers modulo `2^N + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wide {}

impl Sealed for Wide {}

impl Encoding for Wide {
    /// The factor of the message in the phase, and its width.
    type Meta = Content;
    type Facts = ();
    type Tables = Tables;

    const NAME: &'static str = "int";
    const LEVELS: Levels = Levels::Automatic;

    fn remedy(_: Content, _: f64) -> &'static str {
        "choose the form and the parameters for the circuit with wide::Circuit::choose"
    }
}
