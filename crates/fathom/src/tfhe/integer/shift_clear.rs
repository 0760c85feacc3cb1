//! Shifts and rotations by clear amounts.

use super::digits::DIGIT_BITS;
use super::radix::{Radix, constant, pair};
use super::shift_mode::{Direction, Fill, Mode};
use crate::tfhe::{Block, Error};

impl Radix<'_> {
    /// Computes `a << amount` with zeros shifted in.
    pub(super) fn shifted_left(&self, a: &[Block], amount: usize) -> Result<Vec<Block>, Error> {
        self.shifted_clear(a, amount, Mode { direction: Direction::Left, fill: Fill::Zero })
    }

    /// Computes `a >> amount` with zeros shifted in.
    pub(super) fn shifted_right(&self, a: &[Block], amount: usize) -> Result<Vec<Block>, Error> {
        self.shifted_clear(a, amount, Mode { direction: Direction::Right, fill: Fill::Zero })
    }

    /// Shifts by a clear amount. Whole blocks move without a bootstrap; an odd amount costs one for
    /// each block that is not filled in.
    pub(super) fn shifted_clear(
        &self,
        a: &[Block],
        amount: usize,
        mode: Mode,
    ) -> Result<Vec<Block>, Error> {
        let filler = match mode.fill {
            Fill::Sign if amount > 0 => self.sign_fill(a)?,
            Fill::Sign | Fill::Zero | Fill::Rotation => constant(0),
        };
        let moved = |distance: usize| -> Vec<&Block> {
            let source = |place| mode.source(place, distance, a.len());
            (0..a.len()).map(|place| source(place).map_or(&filler, |s| &a[s])).collect()
        };
        let distance = amount / DIGIT_BITS;
        if amount.is_multiple_of(DIGIT_BITS) {
            return Ok(moved(distance).into_iter().cloned().collect());
        }
        let table = match mode.direction {
            Direction::Left => &self.tables.join_left,
            Direction::Right => &self.tables.join_right,
        };
        // A block and the neighbour from which a bit is shifted in.
        let pairs = moved(distance).into_iter().zip(moved(distance + 1));
        self.map(pairs.map(|(own, next)| pair(own, next)), table)
    }
}
