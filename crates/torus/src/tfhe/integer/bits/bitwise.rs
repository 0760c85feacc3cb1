//! Bitwise operations, and logical operations on truth values.

use crate::tfhe::integer::blocks::{constant, pair};
use crate::tfhe::integer::value::digits::{SPACE, digit};
use crate::tfhe::integer::value::operand::Side;
use crate::tfhe::integer::{FheValue, Integers, Operand, U256, ValueType};
use crate::tfhe::{Block, Error, Lut};

/// A bitwise function of two digits.
type Function = fn(i32, i32) -> i32;

impl Integers {
    /// Computes the bitwise AND. Cost: one bootstrap per block. With a clear operand, digits 0 and
    /// 3 need none.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::ClearOutOfRange`] for a clear operand.
    pub fn and<T: FheValue>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        self.bitwise(a, &b, |a, b| a & b)
    }

    /// Computes the bitwise OR. Cost: that of [`Integers::and`].
    ///
    /// # Errors
    /// As [`Integers::and`].
    pub fn or<T: FheValue>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        self.bitwise(a, &b, |a, b| a | b)
    }

    /// Computes the bitwise exclusive OR. Cost: that of [`Integers::and`].
    ///
    /// # Errors
    /// As [`Integers::and`].
    pub fn xor<T: FheValue>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        self.bitwise(a, &b, |a, b| a ^ b)
    }

    /// Computes the bitwise complement. Cost: no bootstrap.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn not<T: FheValue>(&self, a: &T) -> Result<T, Error> {
        let blocks = self.blocks(a)?.iter();
        Ok(a.like(blocks.map(|block| block.sub_from(a.value_type().top())).collect()))
    }
}

impl Integers {
    fn bitwise<T: FheValue>(
        &self,
        a: &T,
        b: &impl Operand<T>,
        function: Function,
    ) -> Result<T, Error> {
        let digits = self.blocks(a)?;
        let blocks = match self.side(a.value_type(), b)? {
            Side::Encrypted(b) => {
                let table = pair_table(function)?;
                self.apply_each(digits.iter().zip(b).map(|(a, b)| pair(a, b)), &table)?
            }
            Side::Clear(b) => self.bitwise_clear(digits, a.value_type(), b, function)?,
        };
        let top = a.value_type().top();
        Ok(a.like(blocks.into_iter().map(|block| block.within(0, top)).collect()))
    }

    /// Computes the function with a clear operand. For some digits it is the identity, the
    /// complement or a constant, which need no bootstrap.
    fn bitwise_clear(
        &self,
        a: &[Block],
        ty: ValueType,
        b: U256,
        function: Function,
    ) -> Result<Vec<Block>, Error> {
        let top = ty.top();
        let pairs = a.iter().enumerate().map(|(index, block)| (block, digit(b, index)));
        let all = |digit: i32, expected: &dyn Fn(i32) -> i32| {
            (0..=top).all(|x| function(x, digit) == expected(x))
        };
        let mut tables = Vec::new();
        for digit in 0..=top {
            tables.push(single_table(move |x| function(x, digit))?);
        }
        let mut jobs = Vec::new();
        let mut free = Vec::new();
        for (block, digit) in pairs {
            let value = function(0, digit);
            free.push(if all(digit, &|x| x) {
                Some(block.clone())
            } else if all(digit, &|x| top - x) {
                Some(block.sub_from(top))
            } else if all(digit, &|_| value) {
                Some(constant(value))
            } else {
                jobs.push((block.clone(), &tables[digit as usize]));
                None
            });
        }
        let mut computed = self.layer(&jobs)?.into_iter().flatten();
        Ok(free.into_iter().filter_map(|block| block.or_else(|| computed.next())).collect())
    }
}

/// Returns the table of the function on the digits `a` and `b` of `a + 4 b`.
fn pair_table(function: Function) -> Result<Lut, Error> {
    Lut::new(SPACE, 0..=15, move |x| function(x & 3, x >> 2))
}

fn single_table(function: impl Fn(i32) -> i32) -> Result<Lut, Error> {
    Lut::new(SPACE, 0..=3, function)
}
