//! Sums of lists.

use super::columns::{Columns, Form};
use super::digits::{DIGIT_BITS, DIGIT_MAX, count};
use super::radix_int::integer_type;
use super::{AnyInteger, AnyRadixValue, FheBool, FheUint32, RadixInt, ValueType};
use crate::tfhe::{Block, Error, Evaluator, ListError, TableError};

impl Evaluator {
    /// Computes the sum of a list: that of integers, wrapping, in their type, or the number of
    /// truth values that are true. It is 0 for an empty list. All carries are propagated once.
    ///
    /// Cost, for `k` integers of n blocks: about `k n / 3 + n` bootstraps; for `k` truth values:
    /// about `k / 11` and one for each digit of the count.
    ///
    /// # Errors
    /// [`ListError::EmptyList`] for an empty list of a type that is known only at run time, and
    /// [`Error::TypeMismatch`] if its elements have different types; [`Error::ParamsMismatch`].
    pub fn sum<'a, T: Summand + 'a>(
        &self,
        values: impl IntoIterator<Item = &'a T>,
    ) -> Result<T::Sum, Error> {
        T::sum(self, values.into_iter())
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
        let (radix, ty) = (self.radix()?, integer_type(ty)?);
        let mut sum = Columns::new(Form::Bits, ty.bits().into());
        for (index, column) in columns.iter().enumerate() {
            radix.check(column)?;
            for block in column {
                let (low, high) = block.range();
                if low < 0 || high > DIGIT_MAX {
                    let (domain_low, domain_high) = (0, DIGIT_MAX);
                    return Err(
                        TableError::OutsideDomain { low, high, domain_low, domain_high }.into()
                    );
                }
                sum.push(DIGIT_BITS * index, block.clone());
            }
        }
        RadixInt::from_blocks(ty, radix.column_digits(sum, 0)?)
    }
}

/// A value of which there is a sum: an integer, or a truth value, whose sum is a count.
pub trait Summand: AnyRadixValue {
    /// The type of the sum.
    type Sum: AnyInteger;

    #[doc(hidden)]
    fn sum<'a>(
        evaluator: &Evaluator,
        values: impl Iterator<Item = &'a Self>,
    ) -> Result<Self::Sum, Error>
    where
        Self: 'a;
}

impl<T: AnyInteger> Summand for T {
    type Sum = T;

    fn sum<'a>(evaluator: &Evaluator, values: impl Iterator<Item = &'a T>) -> Result<T, Error>
    where
        T: 'a,
    {
        let (radix, mut values) = (evaluator.radix()?, values.peekable());
        let first = values.peek().map(|value| value.value_type());
        let ty = first.or_else(T::static_type).ok_or(ListError::EmptyList)?;
        let mut columns = Columns::new(Form::Digits, DIGIT_BITS * count(ty.bits().into()));
        for value in values {
            let got = value.value_type();
            if got != ty {
                return Err(Error::TypeMismatch { expected: ty, got: Some(got) });
            }
            for (index, block) in radix.blocks(value)?.iter().enumerate() {
                columns.push(DIGIT_BITS * index, block.clone());
            }
        }
        Ok(T::wrap_as(ty, radix.column_digits(columns, 0)?))
    }
}

impl Summand for FheBool {
    type Sum = FheUint32;

    fn sum<'a>(
        evaluator: &Evaluator,
        values: impl Iterator<Item = &'a FheBool>,
    ) -> Result<FheUint32, Error> {
        let radix = evaluator.radix()?;
        let mut flags = Vec::new();
        for value in values {
            flags.extend_from_slice(radix.blocks(value)?);
        }
        radix.flag_count(&flags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tfhe::Params;

    #[test]
    fn columns_of_flags_and_digits_add_up() {
        let params = Params::preset(Params::INTEGERS).unwrap();
        let (evaluator, space) = (Evaluator::simulated(&params), params.space());
        let ty = ValueType::unsigned(12).unwrap();
        for count in [0, 1, 16, 100] {
            let column = |top: i32| {
                (0..count).map(move |x| Block::simulated(space, x % (top + 1), (0, top)))
            };
            let columns = [column(1).collect(), Vec::new(), column(3).collect::<Vec<_>>()];
            let sum = evaluator.sum_columns(ty, &columns).unwrap();
            let value = sum.to_digits(|block| space.decode(block.lwe().body()));
            let expected: i32 = (0..count).map(|x| x % 2 + 16 * (x % 4)).sum();
            assert_eq!(value.to_string(), (expected % 4096).to_string());
        }
        let wide = Block::simulated(space, 0, (0, 4));
        let refused = evaluator.sum_columns(ty, &[vec![wide]]).unwrap_err();
        assert!(
            matches!(refused, Error::Table(TableError::OutsideDomain { high: 4, .. })),
            "{refused}"
        );
    }
}
