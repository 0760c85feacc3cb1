//! Shifts and rotations by clear amounts, and the ways in which the bits of all shifts move.

use crate::tfhe::integer::Integers;
use crate::tfhe::integer::blocks::{constant, pair};
use crate::tfhe::integer::value::digits::DIGIT_BITS;
use crate::tfhe::{Block, Error};

/// The direction in which bits move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tfhe::integer) enum Direction {
    /// Towards more significant places.
    Left,
    /// Towards less significant places.
    Right,
}

/// The bits that move in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tfhe::integer) enum Fill {
    Zero,
    /// The sign bit.
    Sign,
    /// The bits that move out at the other end.
    Rotation,
}

/// The direction in which bits move, and the bits that move in.
#[derive(Clone, Copy, Debug)]
pub(in crate::tfhe::integer) struct Mode {
    pub(in crate::tfhe::integer) direction: Direction,
    pub(in crate::tfhe::integer) fill: Fill,
}

impl Mode {
    /// Returns the place, of `length`, from which the block at `place` comes if all move by
    /// `distance`; `None` if it is filled in.
    pub(in crate::tfhe::integer) fn source(
        self,
        place: usize,
        distance: usize,
        length: usize,
    ) -> Option<usize> {
        let around = distance % length;
        match (self.direction, self.fill) {
            (Direction::Left, Fill::Rotation) => Some((place + length - around) % length),
            (Direction::Right, Fill::Rotation) => Some((place + around) % length),
            (Direction::Left, Fill::Zero | Fill::Sign) => place.checked_sub(distance),
            (Direction::Right, Fill::Zero | Fill::Sign) => {
                Some(place + distance).filter(|&source| source < length)
            }
        }
    }
}

impl Integers {
    /// Computes `a << amount` with zeros shifted in.
    pub(in crate::tfhe::integer) fn shifted_left(
        &self,
        a: &[Block],
        amount: usize,
    ) -> Result<Vec<Block>, Error> {
        self.shifted_clear(a, amount, Mode { direction: Direction::Left, fill: Fill::Zero })
    }

    /// Computes `a >> amount` with zeros shifted in.
    pub(in crate::tfhe::integer) fn shifted_right(
        &self,
        a: &[Block],
        amount: usize,
    ) -> Result<Vec<Block>, Error> {
        self.shifted_clear(a, amount, Mode { direction: Direction::Right, fill: Fill::Zero })
    }

    /// Shifts by a clear amount. Whole blocks move without a bootstrap; an odd amount costs one for
    /// each block that is not filled in.
    pub(in crate::tfhe::integer) fn shifted_clear(
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
        self.apply_each(pairs.map(|(own, next)| pair(own, next)), table)
    }
}
