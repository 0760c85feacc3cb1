//! The encoding over the core of ring schemes: a real scale, which the evaluator or the caller
//! keeps equal.

use super::reserved::Reserved;
use super::{SlotFacts, Spec};
use crate::rlwe::{Encoding, Levels, Shortage, sealed::Sealed};
use fathom_ring::Embedding;
use fathom_security::{Adversary, SecretDistribution, max_log_modulus};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::OnceLock;

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

    /// Levels are short if even a message of ones would not fit. Otherwise the values need more
    /// room, or the errors, whichever is larger.
    fn remedy(tables: &Tables, scale: f64, shortage: Shortage) -> &'static str {
        if scale.log2() + 2.0 >= shortage.modulus_bits {
            return if may_be_deeper(&tables.spec, shortage.largest_modulus_bits) {
                "take parameters of greater depth, for instance with Params::for_precision"
            } else {
                "no parameters are deeper: take some of Params::bootstrappable, and bootstrap on \
                 the way"
            };
        }
        if shortage.message >= shortage.errors {
            return "the values are too large for the primes that are left: scale them down, or \
                    plan with Params::for_circuit, which makes room for them in Spec::base_bits";
        }
        "the errors are too large for the primes that are left, not the values: take a closer \
         approximation, or a larger scale"
    }
}

/// Returns whether some parameters of this scale and security have one level more.
fn may_be_deeper(spec: &Spec, largest_modulus_bits: f64) -> bool {
    let limit = max_log_modulus(
        LARGEST_DEGREE,
        SecretDistribution::Ternary,
        spec.security,
        Adversary::Classical,
    );
    largest_modulus_bits + spec.scale_bits <= limit.map_or(0.0, f64::from)
}

/// The largest degree of parameters.
pub(super) const LARGEST_DEGREE: usize = 1 << 16;

/// The largest scale of a ciphertext, `2^500`, so that products of two scales are numbers too.
pub(super) const LARGEST_SCALE: f64 = f64::from_bits((1023 + 500) << 52);

/// The tables of the encoding.
#[derive(Debug)]
pub struct Tables {
    pub(super) spec: Spec,
    /// The scale of a fresh ciphertext at each level.
    pub(super) scales: Vec<f64>,
    /// The embeddings of the subrings of `X^(N/d)`, by `log2 d`; built on first use.
    pub(super) embeddings: Vec<OnceLock<Embedding>>,
    /// The primes reserved for a bootstrapping, where the parameters allow one.
    pub(crate) reserved: Option<Reserved>,
}

/// The party that brings operands to one level and one scale: [`Automatic`] or [`Explicit`].
pub trait Mode: Copy + Debug + Send + Sync + Sealed + 'static {
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

impl Sealed for Automatic {}

impl Mode for Automatic {
    const NAME: &'static str = "ckks";
    const LEVELS: Levels = Levels::Automatic;
}

impl Sealed for Explicit {}

impl Mode for Explicit {
    const NAME: &'static str = "ckkx";
    const LEVELS: Levels = Levels::Explicit;
}
