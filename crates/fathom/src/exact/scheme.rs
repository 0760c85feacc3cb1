//! The effect of the core's operations on the factor, and the two products.

use super::{Ciphertext, Evaluator, Exact, Factor, Integer, Params, Product};
use crate::Error;
use crate::rlwe::mod_switch::common_level;
use crate::rlwe::{Both, Level, Rest, Scheme};

impl Scheme for Exact {
    fn fresh_meta(params: &Params, level: Level) -> Factor {
        params.fresh_factor(level)
    }

    fn message_bound(params: &Params) -> Rest {
        Integer::digits_bound(params.widest_bits())
    }

    fn multiplied(_: &Params, left: Factor, right: Factor) -> Factor {
        left.times(right)
    }

    fn switched(_: &Params, factor: Factor, from: Level, to: Level) -> Factor {
        (to.limbs().get()..from.limbs().get()).fold(factor, Factor::divided_by_prime)
    }

    fn aligned<'a>(
        evaluator: &Evaluator,
        a: &'a Ciphertext,
        b: &'a Ciphertext,
    ) -> Result<Both<'a, Exact>, Error> {
        let level = common_level(a, b)?;
        let both = (evaluator.switched(a, level), evaluator.switched(b, level));
        if both.0.meta == both.1.meta {
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
