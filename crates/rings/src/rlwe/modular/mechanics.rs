//! The schemes modulo `t` over the core of ring schemes: the metadata of a message is its factor
//! modulo `t`.

use super::codec::{read_factor, write_factor};
use super::{Modular, Multiplicand, Plaintext, encrypt, factor};
use crate::Error;
use crate::rlwe::{
    AlignedPair, Bounds, Ciphertext, Evaluator, Level, Mechanics, MetaCodec, Params, PublicKey,
    Scheme, SecretKey, Sign, Slotted, TwoRows,
};
use crate::wire::WireError;
use fathom_ring::SecretRng;

impl<S: Modular> Mechanics for S {
    fn fresh_meta(params: &Params<S>, level: Level) -> u64 {
        S::fresh_factor(params, level)
    }

    fn message_bound(params: &Params<S>) -> Bounds {
        params.message_norms()
    }

    fn multiplied(params: &Params<S>, left: u64, right: u64) -> u64 {
        params.multiplied_factor(left, right)
    }

    fn switched(params: &Params<S>, meta: u64, from: Level, to: Level) -> u64 {
        params.switched_factor(meta, from, to)
    }

    fn aligned<'a>(
        evaluator: &Evaluator<S>,
        a: &'a Ciphertext<S>,
        b: &'a Ciphertext<S>,
    ) -> Result<AlignedPair<'a, S>, Error> {
        factor::aligned(evaluator, a, b)
    }
}

impl<S: Modular> Slotted for S {
    const ROWS: usize = 2;

    fn check_slots(params: &Params<S>) -> Result<(), Error> {
        params.require_slots()
    }

    fn sum_of_rows(evaluator: &Evaluator<S>, a: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        evaluator.sum_of_two_rows(a)
    }

    fn selected(
        evaluator: &Evaluator<S>,
        a: &Ciphertext<S>,
        keeps: &dyn Fn(usize) -> bool,
        _: f64,
    ) -> Result<Ciphertext<S>, Error> {
        evaluator.with_slots(a, keeps)
    }
}

impl<S: Modular> TwoRows for S {}

impl<S: Modular> MetaCodec for S {
    const META_FIELD: &'static str = "factor";

    fn write_meta(factor: u64) -> Vec<u8> {
        write_factor(factor)
    }

    fn read_meta(params: &Params<S>, _: Level, bytes: &[u8]) -> Result<u64, WireError> {
        read_factor(params, bytes)
    }
}

impl<S: Modular> Scheme for S {
    type Value = i64;
    type Scalar = i64;
    type Plaintext = Plaintext<S>;
    type Factor = Multiplicand<S>;

    fn encode(params: &Params<S>, values: &[i64]) -> Result<Plaintext<S>, Error> {
        params.encode_signed(values)
    }

    fn decode(message: &Plaintext<S>) -> Result<Vec<i64>, Error> {
        message.slots_signed()
    }

    fn to_factor(
        message: &Plaintext<S>,
        level: impl Into<Level>,
    ) -> Result<Multiplicand<S>, Error> {
        message.params().check_level(level.into())?;
        Ok(message.to_multiplicand())
    }

    fn encrypt_sk(
        secret: &SecretKey<S>,
        message: &Plaintext<S>,
        level: Level,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<S>, Error> {
        encrypt::encrypt_sk(secret, message, level, rng)
    }

    fn encrypt_pk(
        public: &PublicKey<S>,
        message: &Plaintext<S>,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<S>, Error> {
        encrypt::encrypt_pk(public, message, rng)
    }

    fn decrypt(secret: &SecretKey<S>, ciphertext: &Ciphertext<S>) -> Result<Plaintext<S>, Error> {
        secret.opened(ciphertext)
    }

    fn times_factor(
        evaluator: &Evaluator<S>,
        a: &Ciphertext<S>,
        factor: &Multiplicand<S>,
    ) -> Result<Ciphertext<S>, Error> {
        evaluator.times_plain(a, factor)
    }

    fn times_scalar(
        evaluator: &Evaluator<S>,
        a: &Ciphertext<S>,
        scalar: i64,
    ) -> Result<Ciphertext<S>, Error> {
        evaluator.times_constant(a, scalar)
    }

    fn plus_scalar(
        evaluator: &Evaluator<S>,
        a: &Ciphertext<S>,
        scalar: i64,
        sign: Sign,
    ) -> Result<Ciphertext<S>, Error> {
        evaluator.plus_constant(a, scalar, sign)
    }
}
