//! Effect of the operations of BFV on the factor of a message, and the rows of slots.

use super::msb::standard_factor;
use super::{Bfv, Ciphertext, Evaluator, Params};
use crate::Error;
use crate::rlwe::exact::codec::{read_factor, write_factor};
use crate::rlwe::exact::factor;
use crate::rlwe::{Both, Level, MetaCodec, Rest, Scheme, Slotted, TwoRows};
use crate::wire::WireError;

impl Scheme for Bfv {
    /// Returns the factor `-Q mod t`, which makes the standard BFV form `round(Q m / t)`.
    fn fresh_meta(params: &Params, level: Level) -> u64 {
        standard_factor(params, level)
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

impl Slotted for Bfv {
    const ROWS: usize = 2;

    fn check_slots(params: &Params) -> Result<(), Error> {
        params.require_slots()
    }

    fn sum_of_rows(evaluator: &Evaluator, a: &Ciphertext) -> Result<Ciphertext, Error> {
        evaluator.sum_of_two_rows(a)
    }

    fn selected(
        evaluator: &Evaluator,
        a: &Ciphertext,
        keeps: &dyn Fn(usize) -> bool,
        _: f64,
    ) -> Result<Ciphertext, Error> {
        evaluator.with_slots(a, keeps)
    }
}

impl TwoRows for Bfv {}

impl MetaCodec for Bfv {
    const META_FIELD: &'static str = "factor";

    fn write_meta(factor: u64) -> Vec<u8> {
        write_factor(factor)
    }

    fn read_meta(params: &Params, _: Level, bytes: &[u8]) -> Result<u64, WireError> {
        read_factor(params, bytes)
    }
}
