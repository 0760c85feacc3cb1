//! Search for a value in a list.

use crate::tfhe::integer::blocks::constant;
use crate::tfhe::integer::{FheBool, FheUint32, FheValue, Integers, Operand, Typed};
use crate::tfhe::{Block, Error};

impl Integers {
    /// Returns whether an element of the list is equal to `value`. Cost: one comparison for
    /// equality per element, and a sixteenth of a bootstrap.
    ///
    /// # Errors
    /// As [`Integers::eq`].
    pub fn contains<T: FheValue + Sync>(
        &self,
        list: &[T],
        value: impl Operand<T>,
    ) -> Result<FheBool, Error> {
        let flags = self.equal_elements(list, &value)?;
        FheBool::from_block(self.any_flag(flags)?)
    }

    /// Returns the index of the first element that is equal to `value`, and whether there is one;
    /// if not, the index is the length of the list. Cost: one comparison for equality and about a
    /// bootstrap per element.
    ///
    /// # Errors
    /// As [`Integers::eq`].
    pub fn find<T: FheValue + Sync>(
        &self,
        list: &[T],
        value: impl Operand<T>,
    ) -> Result<(FheUint32, FheBool), Error> {
        let flags = self.equal_elements(list, &value)?;
        self.first_flag(&flags)
    }

    fn equal_elements<T: FheValue + Sync>(
        &self,
        list: &[T],
        value: &impl Operand<T>,
    ) -> Result<Vec<Block>, Error> {
        let value = value.content()?;
        let flags = self.map(list, |integers, element| integers.eq(element, value))?;
        Ok(flags.into_iter().map(|flag| flag.block().clone()).collect())
    }
}

impl Integers {
    /// Returns the index of the first flag that is set, or their number, and whether there is one.
    ///
    /// Equal elements of a public list have the same flag. The later ones are never the first that
    /// is set, and their noise would add up with that of the first.
    pub(in crate::tfhe::integer) fn first_flag(
        &self,
        flags: &[Block],
    ) -> Result<(FheUint32, FheBool), Error> {
        let first = |index: usize, flag: &Block| {
            let repeated = flags[..index].iter().any(|earlier| earlier.is_copy_of(flag));
            if repeated { constant(0) } else { flag.clone() }
        };
        if flags.is_empty() {
            return Ok((FheUint32::trivial(0_u8)?, FheBool::trivial(false)));
        }
        let mut firsts: Vec<Block> =
            flags.iter().enumerate().map(|(index, flag)| first(index, flag)).collect();
        // Zeros fill flags up to a multiple of four: a flag behind the last one ends them.
        if !firsts.len().is_multiple_of(4) {
            firsts.push(constant(1));
        }
        let index = self.trailing_zeros_of_bits(&firsts)?;
        Ok((index, FheBool::from_block(self.any_flag(flags.to_vec())?)?))
    }
}
