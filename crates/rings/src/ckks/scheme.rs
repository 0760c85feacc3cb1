//! CKKS over the core of ring schemes: messages, the effect of operations on the scale, the row of
//! slots.

use super::encode::Plaintext;
use super::encoding::LARGEST_SCALE;
use super::mul_plain::Multiplicand;
use super::{Ckks, Mode, ScaleError, align, encode, encrypt};
use crate::Error;
use crate::rlwe::{
    AlignedPair, Bounds, Ciphertext, Encryption, Evaluator, Level, Mechanics, Noise, Params,
    PublicKey, Scheme, SecretKey, Selection, Sign, Slotted,
};
use fathom_ring::{Complex64, SecretRng};
use std::borrow::Cow;

impl<M: Mode> Mechanics for Ckks<M> {
    fn last_level(params: &Params<Self>) -> Level {
        params.last_level()
    }

    fn fresh_meta(params: &Params<Self>, level: Level) -> f64 {
        params.level_scale(level)
    }

    /// Returns the norms of messages for which the encoder was given no other magnitude.
    fn message_bound(params: &Params<Self>) -> Bounds {
        Bounds::of_root_values(params.magnitude() * params.largest_scale())
    }

    /// Returns the largest error of rounding the coefficients of a message.
    fn encoding_error(params: &Params<Self>) -> Bounds {
        encode::encoding_error(params, params.magnitude() * params.largest_scale())
    }

    /// Returns the noise of messages for which the encoder was given no other magnitude, in all
    /// slots.
    fn fresh_noise(params: &Params<Self>, encryption: Encryption, level: Level) -> Noise {
        let size = params.magnitude() * params.level_scale(level);
        encrypt::fresh_noise(params, encryption, params.degree(), size)
    }

    fn magnitude(scale: f64, message: Bounds) -> f64 {
        message.root / scale
    }

    fn multiplied(_: &Params<Self>, left: f64, right: f64) -> f64 {
        left * right
    }

    fn check_range(_: &Params<Self>, _: &'static str, scale: f64) -> Result<(), Error> {
        if scale < 1.0 {
            return Err(ScaleError::BelowOne { scale }.into());
        }
        // What is not a number is refused too.
        let fits = scale <= LARGEST_SCALE;
        if fits { Ok(()) } else { Err(ScaleError::TooLarge { scale }.into()) }
    }

    fn switched(params: &Params<Self>, scale: f64, from: Level, to: Level) -> f64 {
        let dropped = &params.chain()[to.limbs().get()..from.limbs().get()];
        dropped.iter().rev().fold(scale, |scale, &q| scale / q as f64)
    }

    fn lowered<'a>(
        evaluator: &Evaluator<Self>,
        a: &'a Ciphertext<Self>,
        level: Level,
    ) -> Result<Cow<'a, Ciphertext<Self>>, Error> {
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
    ) -> Result<AlignedPair<'a, Self>, Error> {
        align::aligned(evaluator, a, b)
    }
}

impl<M: Mode> Scheme for Ckks<M> {
    type Value = f64;
    type Scalar = Complex64;
    type Plaintext = Plaintext<M>;
    type Factor = Multiplicand<M>;

    fn encode(params: &Params<Self>, values: &[f64]) -> Result<Plaintext<M>, Error> {
        params.encode(values)
    }

    fn decode(message: &Plaintext<M>) -> Result<Vec<f64>, Error> {
        Ok(message.slots())
    }

    fn to_factor(
        message: &Plaintext<M>,
        level: impl Into<Level>,
    ) -> Result<Multiplicand<M>, Error> {
        message.to_multiplicand(level)
    }

    fn encrypt_sk(
        secret: &SecretKey<Self>,
        message: &Plaintext<M>,
        level: Level,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<Self>, Error> {
        encrypt::encrypt_sk(secret, message, level, rng)
    }

    fn encrypt_pk(
        public: &PublicKey<Self>,
        message: &Plaintext<M>,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<Self>, Error> {
        encrypt::encrypt_pk(public, message, rng)
    }

    fn decrypt(
        secret: &SecretKey<Self>,
        ciphertext: &Ciphertext<Self>,
    ) -> Result<Plaintext<M>, Error> {
        ciphertext.check_precision("decrypt", None)?;
        secret.decoded(ciphertext)
    }

    fn times_factor(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
        factor: &Multiplicand<M>,
    ) -> Result<Ciphertext<Self>, Error> {
        evaluator.times_plain(a, factor)
    }

    fn times_scalar(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
        scalar: Complex64,
    ) -> Result<Ciphertext<Self>, Error> {
        evaluator.times_number(a, scalar)
    }

    fn plus_scalar(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
        scalar: Complex64,
        sign: Sign,
    ) -> Result<Ciphertext<Self>, Error> {
        evaluator.plus_number(a, scalar, sign)
    }
}

/// The second row holds the conjugates of the first: [`Evaluator::conjugate`] takes its place.
impl<M: Mode> Slotted for Ckks<M> {
    const ROWS: usize = 1;
    const SLOTS_ARE_ROOTS: bool = true;

    fn check_slots(_: &Params<Self>) -> Result<(), Error> {
        Ok(())
    }

    fn sum_of_rows(_: &Evaluator<Self>, a: &Ciphertext<Self>) -> Result<Ciphertext<Self>, Error> {
        Ok(a.clone())
    }

    fn selected(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
        keeps: &dyn Fn(usize) -> bool,
        factor: f64,
    ) -> Result<Ciphertext<Self>, Error> {
        let a = &*evaluator.with_depth(a, 1)?;
        evaluator.times_mask(a, &evaluator.mask(keeps, factor, a.level())?, keeps)
    }

    fn sum_of_selected(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
        selection: Selection<'_>,
    ) -> Result<Ciphertext<Self>, Error> {
        evaluator.sum_of_mask(&*evaluator.with_depth(a, 1)?, selection)
    }
}
