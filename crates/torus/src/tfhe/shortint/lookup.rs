//! The evaluator of small integers, and functions of one or two of them.

use super::ShortInt;
use super::short_int::check_bounds;
use crate::tfhe::TableError;
use crate::tfhe::{Block, Error, EvaluationKeys, Evaluator, Job, Lut, Params};
use std::sync::Arc;

/// Evaluator of operations on small integers. It is cheap to clone.
#[derive(Clone, Debug)]
pub struct ShortInts {
    evaluator: Evaluator,
}

impl ShortInts {
    /// Returns the operations on small integers over an evaluator.
    ///
    /// # Errors
    /// [`Error::Spec`] if the carry has fewer bits than the message, or if the noise limit is below
    /// `(2^message_bits + 1)^2`: two messages, possibly copies of each other, would not fit one
    /// block.
    pub fn new(evaluator: Evaluator) -> Result<ShortInts, Error> {
        let spec = evaluator.params().spec();
        if spec.carry_bits < spec.message_bits {
            let reason = format!("at least the {} bits of the message", spec.message_bits);
            return Err(Error::Spec { field: "carry_bits", reason });
        }
        // This is the factor for `a * 2^message_bits + b` if `b` is a copy of `a`.
        let least = (1u32 << spec.message_bits).saturating_add(1).saturating_pow(2);
        if spec.max_noise_variance < least {
            let reason = format!("at least {least}, for a message twice in one block");
            return Err(Error::Spec { field: "max_noise_variance", reason });
        }
        Ok(ShortInts { evaluator })
    }

    /// Returns the operations on small integers under `keys`, on `threads` threads of their own.
    ///
    /// # Errors
    /// As [`ShortInts::new`] and [`Evaluator::new`].
    pub fn with_keys(
        keys: impl Into<Arc<EvaluationKeys>>,
        threads: usize,
    ) -> Result<ShortInts, Error> {
        ShortInts::new(Evaluator::new(keys, threads)?)
    }

    /// Returns the operations on small integers without keys, which compute in the clear.
    ///
    /// # Errors
    /// As [`ShortInts::new`].
    pub fn simulated(params: &Params) -> Result<ShortInts, Error> {
        ShortInts::new(Evaluator::simulated(params))
    }

    /// Returns the evaluator.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// Returns the parameters.
    pub fn params(&self) -> &Params {
        self.evaluator.params()
    }

    /// Computes `f` of the message modulo `2^message_bits`, for any function of one integer, by one
    /// bootstrap. The result is canonical.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn apply(&self, a: &ShortInt, f: impl Fn(u32) -> u32) -> Result<ShortInt, Error> {
        let lut = self.table(a.block(), |x| self.reduced(f(self.message_of(x))))?;
        self.look_up(a.block(), &lut)
    }

    /// Computes `f` of both messages modulo `2^message_bits`, for any function of two integers, by
    /// one bootstrap of a block that holds both. The result is canonical.
    ///
    /// # Errors
    /// [`TableError::OutsideDomain`] or [`Error::NoiseExceeded`] if the operands do not fit one
    /// block; [`Error::ParamsMismatch`].
    pub fn unchecked_apply_two(
        &self,
        a: &ShortInt,
        b: &ShortInt,
        f: impl Fn(u32, u32) -> u32,
    ) -> Result<ShortInt, Error> {
        let packed = self.pack(a, b)?;
        let lut = packed.table(self, |a, b| self.reduced(f(a, b)))?;
        self.look_up(&packed.block, &lut)
    }

    /// Computes [`ShortInts::unchecked_apply_two`] after refreshing the operands if they do not fit
    /// one block.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn apply_two(
        &self,
        a: &ShortInt,
        b: &ShortInt,
        f: impl Fn(u32, u32) -> u32,
    ) -> Result<ShortInt, Error> {
        match self.unchecked_apply_two(a, b, &f) {
            Err(Error::Table(TableError::OutsideDomain { .. }) | Error::NoiseExceeded { .. }) => {
                let refreshed = self.refresh(&[a, b])?;
                self.unchecked_apply_two(&refreshed[0], &refreshed[1], f)
            }
            other => other,
        }
    }

    /// Returns the canonical forms of the operands. Each one that is not canonical takes a
    /// bootstrap; all are one layer.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn refresh(&self, operands: &[&ShortInt]) -> Result<Vec<ShortInt>, Error> {
        operands.iter().try_for_each(|a| self.check_key(a).map(drop))?;
        let needed = |a: &ShortInt| !a.is_canonical(self.params());
        let stale: Vec<_> = operands.iter().filter(|a| needed(a)).map(|a| a.block()).collect();
        let tables = stale.iter().map(|block| self.table(block, |x| x.rem_euclid(self.modulus())));
        let tables: Vec<_> = tables.collect::<Result<_, _>>()?;
        let jobs: Vec<_> =
            stale.iter().zip(&tables).map(|(input, lut)| Job { input, lut }).collect();
        let mut fresh = self.evaluator.bootstrap(&jobs)?.into_iter().flatten();
        let canonical = operands.iter().map(|&a| {
            let fresh = if needed(a) { fresh.next() } else { None };
            fresh.map_or_else(|| a.clone(), ShortInt::new)
        });
        Ok(canonical.collect())
    }

    /// Computes `a * width + (b - low)`, from which both operands can be recovered; `low` is the
    /// least value of `b`.
    pub(super) fn pack(&self, a: &ShortInt, b: &ShortInt) -> Result<Packed, Error> {
        let (a, b) = (self.check_key(a)?, self.check_key(b)?);
        let (low, high) = b.range();
        let width = high - low + 1;
        let block = self.bounded(b.add_scalar(-low).unchecked_add_scaled(a, width))?;
        Ok(Packed { block, width, low })
    }

    /// Returns the block of an integer, if it belongs to the evaluator's parameters and key.
    pub(super) fn check_key<'a>(&self, a: &'a ShortInt) -> Result<&'a Block, Error> {
        self.evaluator.check_block(a.block())?;
        Ok(a.block())
    }

    /// Returns the block, if a bootstrap of any function can take it.
    pub(super) fn bounded(&self, block: Block) -> Result<Block, Error> {
        check_bounds(self.params(), &block)?;
        Ok(block)
    }

    /// Returns the table of a function on the range of the block.
    pub(super) fn table(&self, block: &Block, f: impl Fn(i32) -> i32) -> Result<Lut, Error> {
        self.evaluator.check_block(block)?;
        let (low, high) = block.range();
        Lut::new(block.space(), low..=high, f)
    }

    pub(super) fn look_up(&self, block: &Block, lut: &Lut) -> Result<ShortInt, Error> {
        self.evaluator.apply(block, lut).map(ShortInt::new)
    }

    /// Returns the number of messages.
    pub(super) fn modulus(&self) -> i32 {
        self.params().message_modulus()
    }

    /// Returns the message of an integer with carry.
    fn message_of(&self, x: i32) -> u32 {
        x.rem_euclid(self.modulus()).unsigned_abs()
    }

    /// Returns a value modulo the number of messages.
    pub(super) fn reduced(&self, value: u32) -> i32 {
        (value % self.modulus().unsigned_abs()) as i32
    }
}

/// Two integers in one block.
pub(super) struct Packed {
    pub(super) block: Block,
    width: i32,
    low: i32,
}

impl Packed {
    /// Returns the table of a function of both messages.
    pub(super) fn table(
        &self,
        ints: &ShortInts,
        f: impl Fn(u32, u32) -> i32,
    ) -> Result<Lut, Error> {
        ints.table(&self.block, |x| self.at(ints, x, &f))
    }

    /// Computes `f` of the messages in the integer `x`.
    pub(super) fn at(&self, ints: &ShortInts, x: i32, f: impl Fn(u32, u32) -> i32) -> i32 {
        let (a, b) = (x.div_euclid(self.width), x.rem_euclid(self.width) + self.low);
        f(ints.message_of(a), ints.message_of(b))
    }
}
