//! Search for a value in a list.

use super::super::radix::{Radix, constant, truth};
use super::super::{AnyRadixValue, FheBool, FheUint32, Operand};
use crate::tfhe::{Block, Error, Evaluator};

impl Evaluator {
    /// Returns whether an element of the list is equal to `value`. Cost: one comparison for
    /// equality per element, and a sixteenth of a bootstrap.
    ///
    /// # Errors
    /// As [`Evaluator::eq`].
    pub fn contains<T: AnyRadixValue + Sync>(
        &self,
        list: &[T],
        value: impl Operand<T> + Sync,
    ) -> Result<FheBool, Error> {
        let flags = self.equal_elements(list, &value)?;
        truth(self.radix()?.any_flag(flags)?)
    }

    /// Returns the index of the first element that is equal to `value`, and whether there is one;
    /// if not, the index is the length of the list, rounded up to a multiple of four. Cost: one
    /// comparison for equality and about a bootstrap per element.
    ///
    /// # Errors
    /// As [`Evaluator::eq`].
    pub fn find<T: AnyRadixValue + Sync>(
        &self,
        list: &[T],
        value: impl Operand<T> + Sync,
    ) -> Result<(FheUint32, FheBool), Error> {
        let flags = self.equal_elements(list, &value)?;
        self.radix()?.first_flag(&flags)
    }

    fn equal_elements<T: AnyRadixValue + Sync>(
        &self,
        list: &[T],
        value: &(impl Operand<T> + Sync),
    ) -> Result<Vec<Block>, Error> {
        let flags = self.map(list, |evaluator, element| evaluator.eq(element, ByRef(value)))?;
        Ok(flags.into_iter().map(|flag| flag.block().clone()).collect())
    }
}

/// A reference to an operand, as an operand.
struct ByRef<'a, R>(&'a R);

impl<T: AnyRadixValue, R: Operand<T>> Operand<T> for ByRef<'_, R> {
    fn side(&self, ty: super::super::ValueType) -> Result<super::super::Side<'_>, Error> {
        self.0.side(ty)
    }
}

impl Radix<'_> {
    /// Returns the index of the first flag that is set, and whether there is one.
    ///
    /// Equal elements of a public list have the same flag. The later ones are never the first that
    /// is set, and their noise would add up with that of the first.
    pub(in super::super) fn first_flag(
        &self,
        flags: &[Block],
    ) -> Result<(FheUint32, FheBool), Error> {
        let first = |index: usize, flag: &Block| {
            let repeated = flags[..index].iter().any(|earlier| earlier.is_copy_of(flag));
            if repeated { constant(0) } else { flag.clone() }
        };
        let firsts: Vec<Block> =
            flags.iter().enumerate().map(|(index, flag)| first(index, flag)).collect();
        let index = self.trailing_zeros_of_bits(&firsts)?;
        Ok((index, truth(self.any_flag(flags.to_vec())?)?))
    }
}
