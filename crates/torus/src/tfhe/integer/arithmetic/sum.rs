//! Sums of lists and of columns.

use super::columns::{Columns, Form};
use crate::tfhe::integer::blocks::is_canonical;
use crate::tfhe::integer::value::digits::{DIGIT_BITS, DIGIT_MAX};
use crate::tfhe::integer::value::radix_int::integer_type;
use crate::tfhe::integer::value::traits::sealed::Sealed;
use crate::tfhe::integer::{FheBool, FheUint32, FheValue, Integers, RadixInt, ValueType};
use crate::tfhe::{Block, Error, ListError, TableError};

/// The greatest value of a block of columns whose carry is computed: any two blocks share a
/// bootstrap.
const COLUMN_MAX: i32 = 7;

impl Integers {
    /// Computes the sum of a list: that of integers, wrapping, in their type, or the number of
    /// truth values that are true. It is 0 for an empty list. All carries are propagated once.
    ///
    /// Cost, for `k` integers of n blocks: about `k n / 3 + n` bootstraps; for `k` truth values:
    /// about `k / 11` and one for each digit of the count.
    ///
    /// # Errors
    /// [`ListError::EmptyList`] for an empty list of a type that is known only at run time, and
    /// [`Error::TypeMismatch`] if its elements have different types; [`Error::ParamsMismatch`].
    pub fn sum<'a, T: FheValue + 'a>(
        &self,
        values: impl IntoIterator<Item = &'a T>,
    ) -> Result<T::Sum, Error> {
        let mut values = values.into_iter().peekable();
        let first = values.peek().map(|value| value.value_type());
        let ty = first.or_else(T::static_type).ok_or(ListError::EmptyList)?;
        let mut places = vec![Vec::new(); ty.blocks()];
        for value in values {
            let got = value.value_type();
            if got != ty {
                return Err(Error::TypeMismatch { expected: ty, got: Some(got) });
            }
            for (place, block) in places.iter_mut().zip(self.blocks(value)?) {
                place.push(block.clone());
            }
        }
        if ty == ValueType::of::<FheBool>() {
            let flags = places.swap_remove(0);
            return Ok(T::Sum::wrap(ValueType::of::<FheUint32>(), self.flag_count(&flags)?));
        }
        let columns = Columns::of_digits(Form::Digits, ty.bits().into(), places);
        Ok(T::Sum::wrap(ty, self.column_digits(columns, 0)?))
    }

    /// Computes the sum of `4^i x` over all blocks `x` of `columns[i]`, each of which holds 0 to 3,
    /// modulo the width of `ty`: a count of truth values, or a sum of integers of any widths.
    ///
    /// Cost, for a column of `k` blocks: about `k / 11` bootstraps if they hold 0 or 1, `0.28 k` if
    /// they hold 0 to 3, and one for each digit of the sum.
    ///
    /// # Errors
    /// [`TableError::OutsideDomain`] if a block may hold another value; [`Error::NoiseExceeded`];
    /// [`Error::TypeMismatch`] if `ty` is not a type of integers; [`Error::ParamsMismatch`].
    pub fn sum_columns(&self, ty: ValueType, columns: &[Vec<Block>]) -> Result<RadixInt, Error> {
        let ty = integer_type(ty)?;
        self.check_columns(columns, DIGIT_MAX)?;
        let columns = Columns::of_digits(Form::Bits, ty.bits().into(), columns.iter().cloned());
        RadixInt::from_blocks(ty, self.column_digits(columns, 0)?)
    }

    /// Returns whether the sum of `4^i x` over all blocks `x` of `columns[i]` reaches `4^k`, for
    /// `k` columns. The digits of the sum are not computed, only its carries: `a >= b` is the carry
    /// of `a + (4^k - b)`, also for sums and products that are still columns.
    ///
    /// Blocks hold 0 to 7, and the caller states that the sum is less than `2 * 4^k`; if this is
    /// wrong, so is the result. Cost: one bootstrap per column, and about 0.28 per block beyond the
    /// first four of a column.
    ///
    /// # Errors
    /// [`TableError::OutsideDomain`] if a block may hold another value; [`Error::NoiseExceeded`];
    /// [`Error::ParamsMismatch`].
    pub fn carry_of_columns(&self, columns: &[Vec<Block>]) -> Result<FheBool, Error> {
        self.check_columns(columns, COLUMN_MAX)?;
        let bits = DIGIT_BITS * (columns.len() + 1);
        let sum = Columns::of_digits(Form::Digits, bits, columns.iter().cloned());
        let carry = self.last_digit(sum)?;
        // It is canonical unless carries of whole groups met in the last column.
        if is_canonical(&carry) {
            return FheBool::from_block(carry.within(0, 1));
        }
        FheBool::from_block(self.apply(&carry, &self.tables.any)?)
    }

    /// Refuses blocks that may be outside of 0 to `most`, or do not belong here.
    fn check_columns(&self, columns: &[Vec<Block>], most: i32) -> Result<(), Error> {
        for block in columns.iter().flatten() {
            let ((low, high), domain_high) = (block.range(), most);
            if low < 0 || high > most {
                return Err(
                    TableError::OutsideDomain { low, high, domain_low: 0, domain_high }.into()
                );
            }
        }
        columns.iter().try_for_each(|column| self.check(column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tfhe::Params;
    use crate::tfhe::integer::FheInteger;

    #[test]
    fn columns_of_flags_and_digits_add_up() {
        let params = Params::preset(Params::INTEGERS).unwrap();
        let (integers, space) = (Integers::simulated(&params).unwrap(), params.space());
        let ty = ValueType::unsigned(12).unwrap();
        for count in [0, 1, 16, 100] {
            let column = |top: i32| {
                (0..count).map(move |x| Block::simulated(space, x % (top + 1), (0, top)))
            };
            let columns = [column(1).collect(), Vec::new(), column(3).collect::<Vec<_>>()];
            let sum = integers.sum_columns(ty, &columns).unwrap();
            let value = sum.to_digits(|block| space.decode(block.lwe().body()));
            let expected: i32 = (0..count).map(|x| x % 2 + 16 * (x % 4)).sum();
            assert_eq!(value.to_string(), (expected % 4096).to_string());
        }
        let wide = Block::simulated(space, 0, (0, 4));
        let refused = integers.sum_columns(ty, &[vec![wide]]).unwrap_err();
        assert!(
            matches!(refused, Error::Table(TableError::OutsideDomain { high: 4, .. })),
            "{refused}"
        );
    }
}
