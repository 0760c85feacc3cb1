//! Schemes whose messages are slots.

use super::{Ciphertext, Evaluator, Mechanics, Params};
use crate::Error;

/// A scheme with slots in a number of rows. Rotations, sums of slots and linear maps need it.
pub trait Slotted: Mechanics {
    /// Number of rows of slots: 2, or 1 if the second row is determined by the first.
    const ROWS: usize;

    /// Set if the value of a slot is that of the message at a root of `X^N + 1`, so that sums of
    /// slots are sums of such values.
    #[doc(hidden)]
    const SLOTS_ARE_ROOTS: bool = false;

    /// Refuses parameters whose messages have no slots.
    ///
    /// # Errors
    /// [`Error::NoSlots`] for a plaintext modulus that is not 1 modulo twice the degree.
    fn check_slots(params: &Params<Self>) -> Result<(), Error>;

    /// Adds the rows to each other, so that every row holds the sum.
    ///
    /// # Errors
    /// As [`Evaluator::rotate`].
    #[doc(hidden)]
    fn sum_of_rows(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
    ) -> Result<Ciphertext<Self>, Error>;

    /// Multiplies the slots that are to be kept by a number, which is 1 in exact schemes, and all
    /// others by zero.
    ///
    /// # Errors
    /// As `mul_plain`.
    #[doc(hidden)]
    fn selected(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
        keeps: &dyn Fn(usize) -> bool,
        factor: f64,
    ) -> Result<Ciphertext<Self>, Error>;
}

/// A scheme with two rows of slots, which [`Evaluator::swap_rows`] swaps.
pub trait TwoRows: Slotted {}
