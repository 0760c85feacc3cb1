//! The scheme over the core of ring schemes: a real scale and one row of slots.

use super::params::Tables;
use super::{Automatic, Mode};
use super::{align, encode};
use crate::Error;
use crate::rlwe::{
    Both, Ciphertext, Encoding, Evaluator, Level, Levels, Params, Rest, Scheme, sealed::Sealed,
};
use std::borrow::Cow;
use std::marker::PhantomData;

/// The scheme of Cheon, Kim, Kim and Song (eprint 2016/421).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ckks<M: Mode = Automatic>(PhantomData<M>);

impl<M: Mode> Sealed for Ckks<M> {}

impl<M: Mode> Encoding for Ckks<M> {
    /// The scale: the phase is the scale times the message, plus noise.
    type Meta = f64;
    type Tables = Tables;

    const NAME: &'static str = M::NAME;
    const LEVELS: Levels = M::LEVELS;
    /// A change of the scale takes at most three operations in double precision.
    const META_ERROR: f64 = 4.0 * f64::EPSILON;
    const ROWS: usize = 1;
}

impl<M: Mode> Scheme for Ckks<M> {
    fn fresh_meta(params: &Params<Self>, level: Level) -> f64 {
        params.scale(level)
    }

    /// Returns the norms of messages for which the encoder was given no other magnitude.
    fn message_bound(params: &Params<Self>) -> Rest {
        Rest::of_root_values(params.magnitude() * params.largest_scale())
    }

    /// Returns the largest error of rounding the coefficients of a message.
    fn encoding_error(params: &Params<Self>) -> Rest {
        encode::encoding_error(params, params.magnitude() * params.largest_scale())
    }

    fn multiplied(_: &Params<Self>, left: f64, right: f64) -> f64 {
        left * right
    }

    fn switched(params: &Params<Self>, scale: f64, from: Level, to: Level) -> f64 {
        let dropped = &params.chain()[to.limbs().get()..from.limbs().get()];
        dropped.iter().rev().fold(scale, |scale, &q| scale / q as f64)
    }

    fn lowered<'a>(
        evaluator: &Evaluator<Self>,
        a: &'a Ciphertext<Self>,
        level: Level,
    ) -> Cow<'a, Ciphertext<Self>> {
        align::lowered(evaluator, a, level)
    }

    fn after_plain_product(
        evaluator: &Evaluator<Self>,
        product: Ciphertext<Self>,
    ) -> Result<Ciphertext<Self>, Error> {
        Ok(evaluator.rescaled_if_it_fits(product))
    }

    fn aligned<'a>(
        evaluator: &Evaluator<Self>,
        a: &'a Ciphertext<Self>,
        b: &'a Ciphertext<Self>,
    ) -> Result<Both<'a, Self>, Error> {
        align::aligned(evaluator, a, b)
    }
}
