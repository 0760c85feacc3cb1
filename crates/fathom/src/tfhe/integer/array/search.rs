//! Search for a value in a list.

use super::super::radix::{Radix, truth};
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
    pub(in super::super) fn first_flag(
        &self,
        flags: &[Block],
    ) -> Result<(FheUint32, FheBool), Error> {
        let index = self.trailing_zeros_of_bits(flags)?;
        Ok((index, truth(self.any_flag(flags.to_vec())?)?))
    }
}
