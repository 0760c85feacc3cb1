//! Shifts and rotations.
//!
//! By a clear amount, blocks change places, and an odd one joins each with its neighbour: one
//! bootstrap per block. By an encrypted amount, three bits of it at a time move whole blocks: the
//! blocks lie in an encrypted table, which one bootstrap reads at all 16 places less the amount
//! (`blocks.rs`). The lowest bit comes last and splits each block into the bits that stay and the
//! bit that leaves, which also makes the blocks canonical again. What the bits of an amount beyond
//! the width do is the matter of `stages.rs`.
//!
//! Multiplexers for each bit of the amount, the usual barrel shifter, take a bootstrap per block
//! and bit; this way takes one per nine blocks and three bits, and one per block at the end.

pub(super) mod blocks;
pub(super) mod clear;
mod stages;

use crate::tfhe::integer::blocks::total;
use crate::tfhe::integer::tables::fixed;
use crate::tfhe::integer::value::digits::{self, DIGIT_MAX, SPACE};
use crate::tfhe::integer::value::operand::Number;
use crate::tfhe::integer::{Amount, FheBool, FheInteger, Integers, U256};
use crate::tfhe::{Block, Error, Lut};
use clear::{Direction, Fill, Mode};
use stages::Stages;
use std::sync::LazyLock;

impl Integers {
    /// Computes `a << amount`. At every width, amounts of the number of bits of `T` and more shift
    /// everything out, which leaves 0.
    ///
    /// Cost, for n blocks: n bootstraps for an odd clear amount and none for an even one; for an
    /// encrypted amount, n and about n / 9 for every three bits of it. Each digit of the amount
    /// that is of no use within the width costs another quarter of a bootstrap, and all of them
    /// together two: amounts of a short type are cheaper.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn shl<T: FheInteger>(&self, a: &T, amount: impl Amount) -> Result<T, Error> {
        self.shift(a, self.amount(&amount)?, Mode { direction: Direction::Left, fill: Fill::Zero })
    }

    /// Computes `a >> amount`, with sign extension if `T` is signed: amounts of the number of bits
    /// and more leave 0, or -1 of a negative number. Amount and cost are as in [`Integers::shl`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn shr<T: FheInteger>(&self, a: &T, amount: impl Amount) -> Result<T, Error> {
        let fill = if a.is_signed() { Fill::Sign } else { Fill::Zero };
        self.shift(a, self.amount(&amount)?, Mode { direction: Direction::Right, fill })
    }

    /// Rotates bits to the left. Amounts count modulo the number of bits.
    ///
    /// Cost: that of [`Integers::shl`] if the number of bits is a power of two. Otherwise, each
    /// two digits of the amount that are of no use within it cost a bootstrap for every digit of
    /// the greatest useful amount, and their sum is computed.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn rotate_left<T: FheInteger>(&self, a: &T, amount: impl Amount) -> Result<T, Error> {
        self.shift(
            a,
            self.amount(&amount)?,
            Mode { direction: Direction::Left, fill: Fill::Rotation },
        )
    }

    /// Rotates bits to the right. Amount and cost are as in [`Integers::rotate_left`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn rotate_right<T: FheInteger>(&self, a: &T, amount: impl Amount) -> Result<T, Error> {
        self.shift(
            a,
            self.amount(&amount)?,
            Mode { direction: Direction::Right, fill: Fill::Rotation },
        )
    }

    /// Computes [`Integers::shl`], and whether the amount is at least the number of bits. Cost:
    /// that of the shift and of a comparison of the amount with a clear value.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn overflowing_shl<T: FheInteger>(
        &self,
        a: &T,
        amount: impl Amount,
    ) -> Result<(T, FheBool), Error> {
        let amount = amount.amount();
        Ok((self.shl(a, amount)?, self.is_beyond(a, amount.as_number()?)?))
    }

    /// Computes [`Integers::shr`], and whether the amount is at least the number of bits. Cost:
    /// that of [`Integers::overflowing_shl`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn overflowing_shr<T: FheInteger>(
        &self,
        a: &T,
        amount: impl Amount,
    ) -> Result<(T, FheBool), Error> {
        let amount = amount.amount();
        Ok((self.shr(a, amount)?, self.is_beyond(a, amount.as_number()?)?))
    }

    /// Computes [`Integers::shl`], and whether the amount is less than the number of bits. Cost:
    /// that of [`Integers::overflowing_shl`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn checked_shl<T: FheInteger>(
        &self,
        a: &T,
        amount: impl Amount,
    ) -> Result<(T, FheBool), Error> {
        let (shifted, beyond) = self.overflowing_shl(a, amount)?;
        Ok((shifted, self.not(&beyond)?))
    }

    /// Computes [`Integers::shr`], and whether the amount is less than the number of bits. Cost:
    /// that of [`Integers::overflowing_shr`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn checked_shr<T: FheInteger>(
        &self,
        a: &T,
        amount: impl Amount,
    ) -> Result<(T, FheBool), Error> {
        let (shifted, beyond) = self.overflowing_shr(a, amount)?;
        Ok((shifted, self.not(&beyond)?))
    }

    /// Returns whether a shift amount is at least the number of bits of `a`.
    fn is_beyond<T: FheInteger>(&self, a: &T, amount: Number<'_>) -> Result<FheBool, Error> {
        match amount {
            Number::Clear(amount) => Ok(FheBool::trivial(amount >= a.bits() as u128)),
            Number::Encrypted(amount) => {
                let bits = digits::DIGIT_BITS * amount.len();
                let width = U256::from(a.bits() as u32);
                if digits::mask(bits) < width {
                    return Ok(FheBool::trivial(false));
                }
                let width = digits::trivial(width, bits);
                FheBool::from_block(self.order(
                    amount,
                    &width,
                    false,
                    &self.tables.greater_equal,
                )?)
            }
        }
    }

    fn shift<T: FheInteger>(&self, a: &T, amount: Number<'_>, mode: Mode) -> Result<T, Error> {
        let blocks = self.blocks(a)?;
        let blocks = match amount {
            Number::Clear(amount) => {
                let width = a.bits() as u128;
                let amount = match mode.fill {
                    Fill::Zero | Fill::Sign => amount.min(width),
                    Fill::Rotation => amount % width,
                } as usize;
                self.shifted_clear(blocks, amount, mode)?
            }
            Number::Encrypted(amount) => {
                self.shifted(blocks, &self.stages(amount, a.bits(), mode.fill)?, mode)?
            }
        };
        Ok(a.like(blocks))
    }
}

impl Integers {
    fn shifted(&self, a: &[Block], stages: &Stages, mode: Mode) -> Result<Vec<Block>, Error> {
        // The block that fills the vacant places. It is itself a block that no stage changes.
        let filler = match mode.fill {
            Fill::Sign => Some(self.sign_fill(a)?),
            Fill::Zero | Fill::Rotation => None,
        };
        let mut blocks = a.to_vec();
        for stage in &stages.moves {
            blocks = self.moved(&blocks, filler.as_ref(), stage, mode)?;
        }
        self.moved_by_bit(&blocks, filler.as_ref(), &stages.bit, mode)
    }

    /// Splits each block, by one bootstrap, into the bits that stay and the bit that leaves.
    fn moved_by_bit(
        &self,
        blocks: &[Block],
        filler: Option<&Block>,
        bit: &Block,
        mode: Mode,
    ) -> Result<Vec<Block>, Error> {
        let tables = &*TABLES;
        let table = match mode.direction {
            Direction::Left => &tables.split_left,
            Direction::Right => &tables.split_right,
        };
        let inputs = blocks.iter().chain(filler);
        let jobs: Vec<_> =
            inputs.map(|block| (block.unchecked_add_scaled(bit, 4), table)).collect();
        let mut parts = self.layer(&jobs)?;
        let filler = parts.split_off(blocks.len()).pop();
        let join = |place: usize| {
            let neighbour = mode.source(place, 1, blocks.len()).map(|source| &parts[source]);
            let leaving = neighbour.or(filler.as_ref()).map(|parts| &parts[1]);
            total(parts[place].first().into_iter().chain(leaving)).within(0, DIGIT_MAX)
        };
        Ok((0..blocks.len()).map(join).collect())
    }
}

/// The lookup tables of shifts by encrypted amounts. The argument is a digit plus 4 times a bit.
struct Tables {
    /// The part that stays and the part that leaves in a left shift by the bit.
    split_left: Lut,
    /// The part that stays and the part that leaves in a right shift by the bit.
    split_right: Lut,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    fixed(|| {
        let split = |stay: fn(i32) -> i32, leave: fn(i32) -> i32| {
            let stay = move |x: i32| if x < 4 { x } else { stay(x & 3) };
            let leave = move |x: i32| if x < 4 { 0 } else { leave(x & 3) };
            Lut::many(SPACE, 0..=7, &[&stay, &leave])
        };
        Ok(Tables {
            split_left: split(|x| (2 * x) & 3, |x| x >> 1)?,
            split_right: split(|x| x >> 1, |x| 2 * (x & 1))?,
        })
    })
});
