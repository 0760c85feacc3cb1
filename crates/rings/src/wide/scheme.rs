//! Wide integers over the core of ring schemes: messages, the effect of operations on factor and
//! width, and the two products.

use super::{
    Ciphertext, Content, Evaluator, Factor, Integer, Multiplicand, Params, Plaintext, Product,
    PublicKey, SecretKey, Wide, encrypt,
};
use crate::Error;
use crate::rlwe::mod_switch::common_level;
use crate::rlwe::{AlignedPair, Bounds, Level, Mechanics, Scheme, Sign, Summand};
use fathom_ring::SecretRng;

impl Mechanics for Wide {
    fn fresh_meta(params: &Params, level: Level) -> Content {
        params.fresh_content(level, params.widest_bits())
    }

    fn zero_meta(params: &Params, level: Level) -> Content {
        params.fresh_content(level, 0)
    }

    fn message_bound(params: &Params) -> Bounds {
        Integer::digits_bound(params.widest_bits())
    }

    fn multiplied(_: &Params, left: Content, right: Content) -> Content {
        let (factor, width) = (left.factor.times(right.factor), left.width.times(right.width));
        Content { factor, width }
    }

    fn summed(_: &Params, left: Content, right: Content) -> Content {
        Content { width: left.width.plus(right.width), ..left }
    }

    fn addable(left: Content, right: Content) -> bool {
        left.factor == right.factor
    }

    fn check_range(
        params: &Params,
        operation: &'static str,
        content: Content,
    ) -> Result<(), Error> {
        content.width.check(operation, params.widest_bits())
    }

    fn switched(_: &Params, content: Content, from: Level, to: Level) -> Content {
        let dropped = to.limbs().get()..from.limbs().get();
        Content { factor: dropped.fold(content.factor, Factor::divided_by_prime), ..content }
    }

    fn aligned<'a>(
        evaluator: &Evaluator,
        a: &'a Ciphertext,
        b: &'a Ciphertext,
    ) -> Result<AlignedPair<'a, Wide>, Error> {
        let level = common_level(a, b)?;
        let both = (evaluator.switched(a, level), evaluator.switched(b, level));
        if Self::addable(both.0.meta, both.1.meta) {
            return Ok(both);
        }
        Err(Error::FactorMismatch)
    }

    fn sum_of_products(
        evaluator: &Evaluator,
        operation: &'static str,
        pairs: &[(&Ciphertext, &Ciphertext)],
    ) -> Result<Ciphertext, Error> {
        match evaluator.params().product() {
            Product::Tensor => evaluator.sum_of_tensors(operation, pairs),
            Product::ScaleInvariant => evaluator.sum_of_scaled(operation, pairs),
        }
    }
}

impl Scheme for Wide {
    type Value = Integer;
    type Scalar = Integer;
    type Plaintext = Plaintext;
    type Factor = Multiplicand;

    /// Encodes one integer, or none as zero.
    fn encode(params: &Params, values: &[Integer]) -> Result<Plaintext, Error> {
        match values {
            [] => params.encode(0),
            [value] => params.encode(value.clone()),
            _ => Err(Error::TooManyValues { given: values.len(), capacity: 1 }),
        }
    }

    fn decode(message: &Plaintext) -> Result<Vec<Integer>, Error> {
        Ok(vec![message.value().clone()])
    }

    fn to_factor(message: &Plaintext, level: impl Into<Level>) -> Result<Multiplicand, Error> {
        message.params().check_level(level.into())?;
        Ok(message.to_multiplicand())
    }

    fn encrypt_sk(
        secret: &SecretKey,
        message: &Plaintext,
        level: Level,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext, Error> {
        encrypt::encrypt_sk(secret, message, level, rng)
    }

    fn encrypt_pk(
        public: &PublicKey,
        message: &Plaintext,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext, Error> {
        encrypt::encrypt_pk(public, message, rng)
    }

    fn decrypt(secret: &SecretKey, ciphertext: &Ciphertext) -> Result<Plaintext, Error> {
        secret.opened(ciphertext)
    }

    fn times_factor(
        evaluator: &Evaluator,
        a: &Ciphertext,
        factor: &Multiplicand,
    ) -> Result<Ciphertext, Error> {
        evaluator.times_plain(a, factor)
    }

    fn times_scalar(
        evaluator: &Evaluator,
        a: &Ciphertext,
        scalar: Integer,
    ) -> Result<Ciphertext, Error> {
        evaluator.times_plain(a, &evaluator.params.encode(scalar)?.to_multiplicand())
    }

    fn plus_scalar(
        evaluator: &Evaluator,
        a: &Ciphertext,
        scalar: Integer,
        sign: Sign,
    ) -> Result<Ciphertext, Error> {
        evaluator.params.encode(scalar)?.added(evaluator, a, sign)
    }
}
