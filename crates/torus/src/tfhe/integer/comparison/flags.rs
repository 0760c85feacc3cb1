//! Flags that tell whether blocks are nonzero.

use crate::tfhe::integer::Integers;
use crate::tfhe::integer::blocks::{constant, total, without_copies};
use crate::tfhe::{Block, Error};

/// The greatest number of digits in one sum, which is in the domain of the table for truth values.
const MAX_DIGITS: usize = 5;
/// The greatest number of flags in one sum.
const MAX_FLAGS: usize = 16;

impl Integers {
    /// Returns, for each place, whether a digit at that place or above it is nonzero; the last flag
    /// is that of no digit. The flag for place 0 is not computed.
    pub(in crate::tfhe::integer) fn suffix_flags(
        &self,
        digits: &[Block],
    ) -> Result<Vec<Block>, Error> {
        // Four digits and a flag are combined at a time, from the top.
        let mut flags = vec![constant(0); digits.len() + 1];
        let mut end = digits.len();
        while end > 1 {
            let start = end.saturating_sub(4).max(1);
            let sums: Vec<_> = (start..end)
                .map(|place| total(&digits[place..end]).unchecked_add(&flags[end]))
                .collect();
            for (place, flag) in (start..end).zip(self.apply_each(sums, &self.tables.any)?) {
                flags[place] = flag;
            }
            end = start;
        }
        Ok(flags)
    }

    /// Returns whether any digit is nonzero. Cost: about a quarter of a bootstrap per digit.
    pub(in crate::tfhe::integer) fn any_nonzero(&self, digits: &[Block]) -> Result<Block, Error> {
        let digits = without_copies(digits);
        let flags = self.apply_each(digits.chunks(MAX_DIGITS).map(total), &self.tables.any)?;
        self.any_flag(flags)
    }

    /// Returns whether any flag is set, which is 0 for no flags.
    pub(in crate::tfhe::integer) fn any_flag(&self, flags: Vec<Block>) -> Result<Block, Error> {
        let mut flags = without_copies(&flags);
        while flags.len() > 1 {
            flags = self.apply_each(flags.chunks(MAX_FLAGS).map(total), &self.tables.any)?;
        }
        // There are none for no digits.
        Ok(flags.pop().unwrap_or_else(|| constant(0)))
    }
}
