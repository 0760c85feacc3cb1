//! The effect of the core's operations on factor and width, and the two products.

use super::{Ciphertext, Content, Evaluator, Exact, Factor, Integer, Params, Product};
use crate::Error;
use crate::rlwe::mod_switch::common_level;
use crate::rlwe::{Both, Level, Rest, Scheme};

impl Scheme for Exact {
    fn fresh_meta(params: &Params, level: Level) -> Content {
        params.fresh_content(level, params.widest_bits())
    }

    fn zero_meta(params: &Params, level: Level) -> Content {
        params.fresh_content(level, 0)
    }

    fn message_bound(params: &Params) -> Rest {
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
    ) -> Result<Both<'a, Exact>, Error> {
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
