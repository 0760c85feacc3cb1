//! Message and carry of a block, and both halves of a product.

use super::{Operation, ShortInt, ShortInts};
use crate::tfhe::TableError;
use crate::tfhe::{Block, Error, Job, Lut};

impl ShortInts {
    /// Extracts the message, without the carry, by one bootstrap. The result is canonical.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn message(&self, a: &ShortInt) -> Result<ShortInt, Error> {
        let lut = self.table(a.block(), |x| x.rem_euclid(self.modulus()))?;
        self.look_up(a.block(), &lut)
    }

    /// Extracts the carry by one bootstrap: the block divided by `2^message_bits`, rounded down. A
    /// borrow of 1 is -1.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn carry(&self, a: &ShortInt) -> Result<ShortInt, Error> {
        let lut = self.table(a.block(), |x| x.div_euclid(self.modulus()))?;
        self.look_up(a.block(), &lut)
    }

    /// Extracts message and carry.
    ///
    /// This takes one bootstrap if the range of the block has at most a quarter of the values of
    /// the message space, as that of a sum of two messages has, and otherwise two in parallel.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn message_and_carry(&self, a: &ShortInt) -> Result<[ShortInt; 2], Error> {
        let block = self.check_key(a)?;
        let modulus = self.modulus();
        self.pair(block, |x| x.rem_euclid(modulus), |x| x.div_euclid(modulus))
    }

    /// Computes the low and the high half of the product by two bootstraps in parallel, after
    /// refreshing the operands if they do not fit one block. The results are canonical.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn mul_full(&self, a: &ShortInt, b: &ShortInt) -> Result<[ShortInt; 2], Error> {
        let packed = match self.pack(a, b) {
            Err(Error::Table(TableError::OutsideDomain { .. }) | Error::NoiseExceeded { .. }) => {
                let fresh = self.refresh(&[a, b])?;
                self.pack(&fresh[0], &fresh[1])?
            }
            other => other?,
        };
        let half = |operation, x| packed.at(self, x, |a, b| self.clear(operation, a, b));
        self.pair(
            &packed.block,
            |x| half(Operation::MultiplyLow, x),
            |x| half(Operation::MultiplyHigh, x),
        )
    }

    /// Computes the low and the high half of the product by **one** bootstrap. The results have
    /// more noise than a bootstrap's output ([`Block::noise_variance`]).
    ///
    /// # Errors
    /// [`TableError::OutsideDomain`] or [`Error::NoiseExceeded`] if the operands do not fit one
    /// block or a result has too much noise for a bootstrap; [`Error::ParamsMismatch`].
    pub fn unchecked_mul_full(&self, a: &ShortInt, b: &ShortInt) -> Result<[ShortInt; 2], Error> {
        let packed = self.pack(a, b)?;
        let half = |operation, x| packed.at(self, x, |a, b| self.clear(operation, a, b));
        let (low, high) = packed.block.range();
        let lut = Lut::multi_value(
            packed.block.space(),
            low..=high,
            &[&|x| half(Operation::MultiplyLow, x), &|x| half(Operation::MultiplyHigh, x)],
        )?;
        let mut outputs = self.evaluator().bootstrap(&[Job { input: &packed.block, lut: &lut }])?;
        let [low, high] = two(outputs.swap_remove(0));
        Ok([ShortInt::new(self.bounded(low)?), ShortInt::new(self.bounded(high)?)])
    }

    fn clear(&self, operation: Operation, a: u32, b: u32) -> i32 {
        operation.of_messages(a, b, self.params().spec().message_bits) as i32
    }

    /// Computes two functions of one block, by one bootstrap if its range is narrow enough.
    fn pair(
        &self,
        block: &Block,
        f: impl Fn(i32) -> i32,
        g: impl Fn(i32) -> i32,
    ) -> Result<[ShortInt; 2], Error> {
        let (low, high) = block.range();
        let outputs = if 2 * (high - low + 1) <= block.space().half() {
            let lut = Lut::many(block.space(), low..=high, &[&f, &g])?;
            self.evaluator().bootstrap(&[Job { input: block, lut: &lut }])?
        } else {
            let luts = [self.table(block, f)?, self.table(block, g)?];
            self.evaluator().bootstrap(&luts.each_ref().map(|lut| Job { input: block, lut }))?
        };
        Ok(two(outputs.into_iter().flatten().collect()).map(ShortInt::new))
    }
}

/// Returns the outputs of two functions.
fn two(outputs: Vec<Block>) -> [Block; 2] {
    outputs.try_into().unwrap_or_else(|outputs: Vec<Block>| {
        unreachable!("two functions have {} outputs", outputs.len())
    })
}
