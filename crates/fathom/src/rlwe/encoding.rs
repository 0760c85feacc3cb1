//! The trait by which the encoding of one ring scheme differs from that of another.

use super::Facts;
use std::fmt::Debug;

/// The metadata and tables of a scheme's encoding.
pub trait Encoding: Copy + Debug + Send + Sync + sealed::Sealed + 'static {
    /// Public metadata that the encoding of a message needs: the factor of BFV and BGV, the scale
    /// of a scheme for real numbers.
    type Meta: Copy + Debug + PartialEq + Send + Sync;
    /// What is publicly known of the values of a message.
    type Facts: Facts;
    /// The tables of the encoding, which the parameters hold.
    type Tables: Debug + Send + Sync;

    /// Short name, as in result files and frames.
    const NAME: &'static str;
    /// The party that brings operands to one level.
    const LEVELS: Levels;
    /// Bound on the relative error of metadata after an operation has changed them: that of a few
    /// roundings for a scale in floating point, none for factors.
    const META_ERROR: f64 = 0.0;

    /// Returns the change that makes an operation possible whose result, of this metadata and
    /// modulo primes of so many bits in all, would exceed the noise limit.
    #[doc(hidden)]
    fn remedy(_: Self::Meta, _modulus_bits: f64) -> &'static str {
        "take parameters of greater depth, for instance with Params::for_depth"
    }
}

/// The party that takes care of levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// The evaluator: operands are brought to the lower of their levels.
    Automatic,
    /// The caller: operands at different levels are refused.
    Explicit,
}

pub(crate) mod sealed {
    /// Only this crate adds schemes.
    pub trait Sealed {}
}
