//! Sums of lists.

use super::Integer;
use super::columns::{Columns, Form};
use super::digits::{DIGIT_BITS, count};
use crate::tfhe::{Error, Evaluator};

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
}
