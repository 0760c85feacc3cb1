//! The encoding over the core of ring schemes: a real scale.

use super::{Automatic, Mode, SlotFacts, Tables};
use crate::rlwe::{Encoding, Levels, sealed::Sealed};
use std::marker::PhantomData;

/// The scheme of Cheon, Kim, Kim and Song (eprint 2016/421).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ckks<M: Mode = Automatic>(PhantomData<M>);

impl<M: Mode> Sealed for Ckks<M> {}

impl<M: Mode> Encoding for Ckks<M> {
    /// The scale: the phase is the scale times the message, plus noise.
    type Meta = f64;
    type Facts = SlotFacts;
    type Tables = Tables;

    const NAME: &'static str = M::NAME;
    const LEVELS: Levels = M::LEVELS;
    /// A change of the scale takes at most three operations in double precision.
    const META_ERROR: f64 = 4.0 * f64::EPSILON;

    /// Levels are short if even a message of ones would not fit, and range if it would.
    fn remedy(scale: f64, modulus_bits: f64) -> &'static str {
        if scale.log2() + 2.0 < modulus_bits {
            return "the values are too large for the primes that are left: scale them down, or \
                    take larger ones in Spec::base_bits";
        }
        "take parameters of greater depth, for instance with Params::for_precision"
    }
}
