//! BFV: exact integers modulo `t`, with automatic levels.
//!
//! Messages stand at the top of the modulus at the border ([`Ciphertext::to_msb`],
//! [`Params::from_msb`]); between, ciphertexts use the form that BGV uses too, in which products
//! are several times cheaper (docs/decisions/0001-one-core-for-bfv-and-bgv.md).

mod codec;
mod msb;
mod mul;

use crate::Error;
use crate::rlwe::exact::codec::{read_factor, write_factor};
use crate::rlwe::exact::{self, Tables, factor};
use crate::rlwe::{self, Both, Level, Levels, MetaCodec, Rest, Scheme, sealed::Sealed};
use crate::wire::WireError;

/// The scheme of Brakerski, Fan and Vercauteren (eprint 2012/144).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bfv {}

impl Sealed for Bfv {}

impl Scheme for Bfv {
    type Meta = u64;
    type Tables = Tables;

    const NAME: &'static str = "bfv";
    const LEVELS: Levels = Levels::Automatic;

    /// `-Q mod t`, which becomes `round(Q m / t)` at the border.
    fn fresh_meta(params: &Params, level: Level) -> u64 {
        msb::standard_factor(params, level)
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
    ) -> Result<Both<'a, Bfv>, Error> {
        factor::aligned(evaluator, a, b)
    }
}

impl MetaCodec for Bfv {
    const META_FIELD: &'static str = "factor";

    fn write_meta(factor: u64) -> Vec<u8> {
        write_factor(factor)
    }

    fn read_meta(params: &Params, _: Level, bytes: &[u8]) -> Result<u64, WireError> {
        read_factor(params, bytes)
    }
}

pub use exact::{Preset, Spec};
pub use msb::MsbCiphertext;
pub use rlwe::{Rotations, RowSwap};

/// Checked BFV parameters.
pub type Params = rlwe::Params<Bfv>;
/// A message.
pub type Plaintext = exact::Plaintext<Bfv>;
/// A message prepared to multiply ciphertexts.
pub type Multiplicand = exact::Multiplicand<Bfv>;
/// A BFV ciphertext.
pub type Ciphertext = rlwe::Ciphertext<Bfv>;
/// The secret key.
pub type SecretKey = rlwe::SecretKey<Bfv>;
/// The public key.
pub type PublicKey = rlwe::PublicKey<Bfv>;
/// What an evaluator needs.
pub type EvaluationKeys = rlwe::EvaluationKeys<Bfv>;
/// Computes on BFV ciphertexts.
pub type Evaluator = rlwe::Evaluator<Bfv>;
/// A matrix prepared to multiply encrypted vectors.
pub type LinearMap = rlwe::LinearMap<Bfv>;
/// A plaintext or ciphertext in the layout of a [`LinearMap`].
pub use rlwe::Packed;
/// Parameters found for a depth, and why these.
pub type Plan = exact::Plan<Bfv>;
