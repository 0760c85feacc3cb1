//! Concatenation.

use super::super::digits;
use super::super::radix::constant;
use super::super::shift_blocks::Move;
use super::super::shift_clear::{Direction, Fill, Mode};
use super::encrypt::check_nonzero;
use super::{BYTE_BLOCKS, ByteStrings, FheBytes, Padding, Text};
use crate::tfhe::Error;

impl ByteStrings {
    /// Returns `a` followed by `b`, which is padded if one of them is. Cost: no bootstrap if `a` is
    /// not padded. Otherwise, `b` moves to an encrypted place: the length of `a`, and for each
    /// base-4 digit of it, and once more, about a bootstrap per block of the result.
    ///
    /// If only one of two encrypted strings is padded, the caller states that the other one has no
    /// zero byte, as in [`FheBytes::from_integers`]: the result could not tell it from padding.
    ///
    /// # Errors
    /// [`Error::ValueOutOfRange`] if `a` is padded and `b` is clear and has a zero byte;
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn concat<'b>(&self, a: &FheBytes, b: impl Into<Text<'b>>) -> Result<FheBytes, Error> {
        let radix = self.evaluator().radix()?;
        let b = b.into();
        Text::from(a).check(&radix)?;
        b.check(&radix)?;
        if let (Padding::Zeros, Text::Clear(bytes)) = (a.padding(), b) {
            check_nonzero(bytes)?;
        }
        let mut moved = b.blocks().into_owned();
        if a.padding() == Padding::None {
            let blocks = a.blocks().iter().cloned().chain(moved).collect();
            return Ok(FheBytes::wrap(blocks, b.padding()));
        }
        let length = self.len(a)?;
        let places = digits::count((usize::BITS - a.capacity().leading_zeros()) as usize);
        let mode = Mode { direction: Direction::Left, fill: Fill::Zero };
        let (mut step, mut reach) = (1, b.capacity());
        for digit in &super::super::AnyRadixValue::blocks(&length)[..places] {
            reach = (reach + 3 * step).min(a.capacity() + b.capacity());
            moved.resize(BYTE_BLOCKS * reach, constant(0));
            let by = Move { multiple: digit.clone(), step: BYTE_BLOCKS * step };
            moved = radix.moved(&moved, None, &by, mode)?;
            step *= 4;
        }
        moved.resize(BYTE_BLOCKS * (a.capacity() + b.capacity()), constant(0));
        // One of the two blocks at each place is 0.
        for (block, own) in moved.iter_mut().zip(a.blocks()) {
            *block = block.unchecked_add(own).within(0, digits::DIGIT_MAX);
        }
        let blocks = radix.map(moved, &radix.tables.message)?;
        Ok(FheBytes::wrap(blocks, Padding::Zeros))
    }
}
