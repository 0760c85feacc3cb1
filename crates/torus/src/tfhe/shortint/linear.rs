//! Linear operations, which need no bootstrap and keep carries and noise.

use super::short_int::check_bounds;
use super::{ShortInt, ShortInts};
use crate::tfhe::Error;

impl ShortInts {
    /// Computes `a + b` and keeps the carry.
    ///
    /// # Errors
    /// [`TableError::OutsideDomain`](crate::tfhe::TableError::OutsideDomain) or
    /// [`Error::NoiseExceeded`] if no bootstrap would take the sum; [`Error::ParamsMismatch`].
    pub fn unchecked_add(&self, a: &ShortInt, b: &ShortInt) -> Result<ShortInt, Error> {
        let sum = self.check_key(a)?.unchecked_add(self.check_key(b)?);
        check_bounds(self.params(), &sum)?;
        Ok(ShortInt::new(sum))
    }

    /// Computes `a - b` and keeps the borrow, so that the block may become negative.
    ///
    /// # Errors
    /// As [`ShortInts::unchecked_add`].
    pub fn unchecked_sub(&self, a: &ShortInt, b: &ShortInt) -> Result<ShortInt, Error> {
        let difference = self.check_key(a)?.unchecked_sub(self.check_key(b)?);
        check_bounds(self.params(), &difference)?;
        Ok(ShortInt::new(difference))
    }

    /// Computes `-a` and keeps the borrow, so that the block becomes negative.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn unchecked_neg(&self, a: &ShortInt) -> Result<ShortInt, Error> {
        self.bounded(self.check_key(a)?.mul_scalar(-1)).map(ShortInt::new)
    }

    /// Computes `a + scalar` and keeps the carry.
    ///
    /// # Errors
    /// As [`ShortInts::unchecked_add`]; [`Error::ValueOutOfRange`] unless the scalar is a message.
    pub fn unchecked_add_scalar(&self, a: &ShortInt, scalar: u32) -> Result<ShortInt, Error> {
        self.unchecked_add(a, &ShortInt::trivial(self.params(), scalar)?)
    }

    /// Computes `a - scalar` and keeps the borrow.
    ///
    /// # Errors
    /// As [`ShortInts::unchecked_add_scalar`].
    pub fn unchecked_sub_scalar(&self, a: &ShortInt, scalar: u32) -> Result<ShortInt, Error> {
        self.unchecked_sub(a, &ShortInt::trivial(self.params(), scalar)?)
    }

    /// Computes `a * scalar` and keeps the carry. The noise variance grows by the square of the
    /// scalar.
    ///
    /// # Errors
    /// As [`ShortInts::unchecked_add_scalar`].
    pub fn unchecked_mul_scalar(&self, a: &ShortInt, scalar: u32) -> Result<ShortInt, Error> {
        let (factor, _) = ShortInt::trivial(self.params(), scalar)?.block().range();
        self.bounded(self.check_key(a)?.mul_scalar(factor)).map(ShortInt::new)
    }
}
