//! BGV: exact integers modulo `t`, with levels in the caller's hands.
//!
//! [`Evaluator::mul`] ends one level lower; operands at different levels are refused until
//! [`Evaluator::mod_switch_to`] brings them together.

use crate::Error;
use crate::rlwe::exact::codec::{read_factor, write_factor};
use crate::rlwe::exact::{self, Tables, factor};
use crate::rlwe::{self, Both, Level, Levels, MetaCodec, Rest, Scheme, sealed::Sealed};
use crate::wire::WireError;

/// The scheme of Brakerski, Gentry and Vaikuntanathan (eprint 2011/277).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bgv {}

impl Sealed for Bgv {}

impl Scheme for Bgv {
    type Meta = u64;
    type Tables = Tables;

    const NAME: &'static str = "bgv";
    const LEVELS: Levels = Levels::Explicit;

    fn fresh_meta(_: &Params, _: Level) -> u64 {
        1
    }

    fn message_bound(params: &Params) -> Rest {
        params.message_norms()
    }

    fn multiplied(params: &Params, left: u64, right: u64) -> u64 {
        params.multiplied_factor(left, right)
    }

    fn switched(params: &Params, meta: u64, from: Level, to: Level) -> u64 {
        params.switched_factor(meta, from, to)
    }

    fn aligned<'a>(
        evaluator: &Evaluator,
        a: &'a Ciphertext,
        b: &'a Ciphertext,
    ) -> Result<Both<'a, Bgv>, Error> {
        factor::aligned(evaluator, a, b)
    }
}

impl MetaCodec for Bgv {
    const META_FIELD: &'static str = "factor";

    fn write_meta(factor: u64) -> Vec<u8> {
        write_factor(factor)
    }

    fn read_meta(params: &Params, _: Level, bytes: &[u8]) -> Result<u64, WireError> {
        read_factor(params, bytes)
    }
}

pub use exact::{Preset, Spec};
pub use rlwe::{Rotations, RowSwap};

/// Checked BGV parameters.
pub type Params = rlwe::Params<Bgv>;
/// A message.
pub type Plaintext = exact::Plaintext<Bgv>;
/// A message prepared to multiply ciphertexts.
pub type Multiplicand = exact::Multiplicand<Bgv>;
/// A BGV ciphertext.
pub type Ciphertext = rlwe::Ciphertext<Bgv>;
/// The secret key.
pub type SecretKey = rlwe::SecretKey<Bgv>;
/// The public key.
pub type PublicKey = rlwe::PublicKey<Bgv>;
/// What an evaluator needs.
pub type EvaluationKeys = rlwe::EvaluationKeys<Bgv>;
/// Computes on BGV ciphertexts.
pub type Evaluator = rlwe::Evaluator<Bgv>;
/// A matrix prepared to multiply encrypted vectors.
pub type LinearMap = rlwe::LinearMap<Bgv>;
/// A plaintext or ciphertext in the layout of a [`LinearMap`].
pub use rlwe::Packed;
/// Parameters found for a depth, and why these.
pub type Plan = exact::Plan<Bgv>;
