//! The evaluator of small integers, and functions of one and of two of them.

use super::ShortInt;
use super::short_int::check_bounds;
use crate::tfhe::{Block, Error, Evaluator, Job, Lut, Params};

/// Computes on small integers. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ShortInts {
    evaluator: Evaluator,
}

impl ShortInts {
    /// Over an evaluator of any parameter set.
    ///
    /// # Errors
    /// [`Error::Spec`] if the carry has fewer bits than the message, or the noise limit is below
    /// `(2^message_bits + 1)^2`: two messages, which may be the same, would not fit a block.
    pub fn new(evaluator: Evaluator) -> Result<ShortInts, Error> {
        let spec = evaluator.params().spec();
        if spec.carry_bits < spec.message_bits {
            let reason = format!("at least the {} bits of the message", spec.message_bits);
            return Err(Error::Spec { field: "carry_bits", reason });
        }
        // `a * 2^message_bits + b`, where `b` may be `a`: then the noises add up.
        let least = (1u32 << spec.message_bits).saturating_add(1).saturating_pow(2);
        if spec.max_norm < least {
            let reason = format!("at least {least}, for a message twice in one block");
            return Err(Error::Spec { field: "max_norm", reason });
        }
        Ok(ShortInts { evaluator })
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        self.evaluator.params()
    }

    /// `f` of the message, modulo `2^message_bits`: any function of one integer. One bootstrap; the
    /// result is canonical.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn apply(&self, a: &ShortInt, f: impl Fn(u32) -> u32) -> Result<ShortInt, Error> {
        let lut = self.table(a.block(), |x| self.reduced(f(self.message_of(x))))?;
        self.look_up(a.block(), &lut)
    }

    /// `f` of both messages, modulo `2^message_bits`: any function of two integers, by one
    /// bootstrap of both in one block. The result is canonical.
    ///
    /// # Errors
    /// [`Error::OutsideDomain`] or [`Error::NoiseExceeded`] if both do not fit one block,
    /// [`Error::ParamsMismatch`].
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

    /// As [`ShortInts::unchecked_apply_two`], after refreshing the operands if they do not fit.
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
            Err(Error::OutsideDomain { .. } | Error::NoiseExceeded { .. }) => {
                let refreshed = self.refresh(&[a, b])?;
                self.unchecked_apply_two(&refreshed[0], &refreshed[1], f)
            }
            other => other,
        }
    }

    /// Canonical forms of the operands: one bootstrap for each that is not canonical, all at once.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn refresh(&self, operands: &[&ShortInt]) -> Result<Vec<ShortInt>, Error> {
        operands.iter().try_for_each(|a| self.own(a).map(drop))?;
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

    /// `a * width + (b - least b)`, which determines both.
    pub(super) fn pack(&self, a: &ShortInt, b: &ShortInt) -> Result<Packed, Error> {
        let (a, b) = (self.own(a)?, self.own(b)?);
        let (low, high) = b.range();
        let width = high - low + 1;
        let block = self.bounded(b.plus_constant(-low).plus_scaled(a, width))?;
        Ok(Packed { block, width, low })
    }

    /// The block of an integer of these parameters.
    pub(super) fn own<'a>(&self, a: &'a ShortInt) -> Result<&'a Block, Error> {
        self.evaluator.check_block(a.block())?;
        Ok(a.block())
    }

    /// A block that is sure to be taken by a bootstrap of any function.
    pub(super) fn bounded(&self, block: Block) -> Result<Block, Error> {
        check_bounds(self.params(), &block)?;
        Ok(block)
    }

    /// The table of a function of the whole block.
    pub(super) fn table(&self, block: &Block, f: impl Fn(i32) -> i32) -> Result<Lut, Error> {
        self.evaluator.check_block(block)?;
        let (low, high) = block.range();
        Lut::new(block.space(), low..=high, f)
    }

    pub(super) fn look_up(&self, block: &Block, lut: &Lut) -> Result<ShortInt, Error> {
        self.evaluator.apply(block, lut).map(ShortInt::new)
    }

    /// The number of messages.
    pub(super) fn modulus(&self) -> i32 {
        self.params().message_modulus()
    }

    /// The message in an integer with carries.
    pub(super) fn message_of(&self, x: i32) -> u32 {
        x.rem_euclid(self.modulus()).unsigned_abs()
    }

    /// A value modulo the number of messages.
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
    /// The table of a function of both messages.
    pub(super) fn table(
        &self,
        ints: &ShortInts,
        f: impl Fn(u32, u32) -> i32,
    ) -> Result<Lut, Error> {
        ints.table(&self.block, |x| self.at(ints, x, &f))
    }

    /// `f` of the messages that the integer `x` holds.
    pub(super) fn at(&self, ints: &ShortInts, x: i32, f: impl Fn(u32, u32) -> i32) -> i32 {
        let (a, b) = (x.div_euclid(self.width), x.rem_euclid(self.width) + self.low);
        f(ints.message_of(a), ints.message_of(b))
    }
}
