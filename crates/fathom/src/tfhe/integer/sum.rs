//! Sums of lists.

use super::columns::{Columns, Form};
use super::digits::{DIGIT_BITS, DIGIT_MAX, count};
use super::radix_int::integer_type;
use super::{Integer, RadixInt, ValueType};
use crate::tfhe::TableError;
use crate::tfhe::{Block, Error, Evaluator};

impl Evaluator {
    /// Computes the sum of a list, wrapping, which is 0 for an empty list. All carries are
    /// propagated once. Cost, for `k` integers of n blocks: about `k n / 3 + n` bootstraps.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn sum<'a, T: Integer + 'a>(
        &self,
        integers: impl IntoIterator<Item = &'a T>,
    ) -> Result<T, Error> {
        let radix = self.radix()?;
        let mut columns = Columns::new(Form::Digits, DIGIT_BITS * count(T::BITS));
        for integer in integers {
            for (index, block) in radix.blocks(integer)?.iter().enumerate() {
                columns.push(DIGIT_BITS * index, block.clone());
            }
        }
        Ok(T::wrap(radix.column_digits(columns, 0)?))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tfhe::Params;
    use crate::tfhe::integer::AnyInteger;

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
