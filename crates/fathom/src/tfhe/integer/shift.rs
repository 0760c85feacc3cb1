//! Shifts and rotations.

use super::digits::{self, DIGIT_BITS, DIGIT_MAX, SPACE};
use super::radix::{Radix, constant, total};
use super::radix_value::sealed::Sealed;
use super::shift_blocks::Move;
use super::shift_mode::{Direction, Fill, Mode};
use super::{AnyInteger, AnyRadixValue, FheUint, RadixInt};
use crate::tfhe::{Block, Error, Evaluator, Lut};
use std::sync::LazyLock;

/// The distance of a shift.
#[derive(Clone, Copy, Debug)]
pub enum Amount<'a> {
    /// A public number of bits.
    Clear(u32),
    /// The blocks of an encrypted number of bits.
    Encrypted(&'a [Block]),
}

/// The amount of a shift: a `u32` or an encrypted integer of any width, whose bits are taken as
/// unsigned.
pub trait ShiftAmount {
    /// Returns the amount.
    fn amount(&self) -> Amount<'_>;
}

impl ShiftAmount for u32 {
    fn amount(&self) -> Amount<'_> {
        Amount::Clear(*self)
    }
}

impl<const BITS: usize> ShiftAmount for &FheUint<BITS>
where
    FheUint<BITS>: Sealed,
{
    fn amount(&self) -> Amount<'_> {
        Amount::Encrypted(self.blocks())
    }
}

/// The digits of an encrypted amount of any unsigned type.
impl ShiftAmount for &RadixInt {
    fn amount(&self) -> Amount<'_> {
        Amount::Encrypted(self.blocks())
    }
}

impl Evaluator {
    /// Computes `a << amount`. The amount counts modulo the least power of two that is at least the
    /// number of bits of `T`.
    ///
    /// Cost, for n blocks: n bootstraps for an odd clear amount and none for an even one; for an
    /// encrypted amount, n and about n / 9 for every three bits of it.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn shl<T: AnyInteger>(&self, a: &T, amount: impl ShiftAmount) -> Result<T, Error> {
        self.shift(a, amount.amount(), Mode { direction: Direction::Left, fill: Fill::Zero })
    }

    /// Computes `a >> amount`, with sign extension if `T` is signed. Amount and cost are as in
    /// [`Evaluator::shl`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn shr<T: AnyInteger>(&self, a: &T, amount: impl ShiftAmount) -> Result<T, Error> {
        let fill = if a.is_signed() { Fill::Sign } else { Fill::Zero };
        self.shift(a, amount.amount(), Mode { direction: Direction::Right, fill })
    }

    /// Rotates bits to the left. Amount and cost are as in [`Evaluator::shl`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn rotate_left<T: AnyInteger>(&self, a: &T, amount: impl ShiftAmount) -> Result<T, Error> {
        self.shift(a, amount.amount(), Mode { direction: Direction::Left, fill: Fill::Rotation })
    }

    /// Rotates bits to the right. Amount and cost are as in [`Evaluator::shl`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn rotate_right<T: AnyInteger>(&self, a: &T, amount: impl ShiftAmount) -> Result<T, Error> {
        self.shift(a, amount.amount(), Mode { direction: Direction::Right, fill: Fill::Rotation })
    }

    fn shift<T: AnyInteger>(&self, a: &T, amount: Amount<'_>, mode: Mode) -> Result<T, Error> {
        let radix = self.radix()?;
        let blocks = radix.blocks(a)?;
        let amount_bits = a.bits().next_power_of_two().trailing_zeros() as usize;
        let blocks = match amount {
            Amount::Clear(amount) => {
                let amount = amount as usize & ((1 << amount_bits) - 1);
                radix.shifted_clear(blocks, amount, mode)?
            }
            Amount::Encrypted(amount) => {
                digits::check_canonical(amount, DIGIT_BITS * amount.len())?;
                radix.check(amount)?;
                radix.shifted(blocks, &radix.stages(amount, amount_bits)?, mode)?
            }
        };
        Ok(a.like(blocks))
    }
}

/// An encrypted amount, split into stages.
struct Stages {
    /// Moves of whole blocks.
    moves: Vec<Move>,
    /// The bit that tells whether to move by one more place.
    bit: Block,
}

/// The number of bits of the amount that one move takes. Its table holds zeros for the greatest
/// multiple, and as many blocks as remain.
const MOVE_BITS: usize = 3;

impl Radix<'_> {
    /// Splits the amount: the lowest bit is a stage of its own, and each three of the other bits
    /// form one stage.
    fn stages(&self, amount: &[Block], bits: usize) -> Result<Stages, Error> {
        let tables = TABLES.as_ref().map_err(Clone::clone)?;
        let digit = |index: usize| amount.get(index).cloned().unwrap_or_else(|| constant(0));
        // Moves start at bits 1, 4, 7 and so on. Every third digit is therefore split, and also the
        // last one if the amount ends within it.
        let is_cut = |index: usize| {
            let low = 2 * index;
            index == 0 || (low < bits && (low.is_multiple_of(MOVE_BITS) || low + 1 == bits))
        };
        let cut: Vec<usize> = (0..bits.div_ceil(2)).filter(|&index| is_cut(index)).collect();
        let jobs: Vec<_> = cut.iter().map(|&index| (digit(index), &tables.bits)).collect();
        let halves = self.layer(&jobs)?;
        // The bit, or the digit that starts at it, and its length.
        let part = |bit: usize| match cut.iter().position(|&index| index == bit / 2) {
            Some(place) => (halves[place][1 - bit % 2].clone(), 1),
            None => (digit(bit / 2), 2),
        };
        let mut moves = Vec::new();
        for first in (1..bits).step_by(MOVE_BITS) {
            let (mut multiple, mut bit) = (constant(0), first);
            while bit < bits.min(first + MOVE_BITS) {
                let (part, length) = part(bit);
                multiple = multiple.unchecked_add_scaled(&part, 1 << (bit - first));
                bit += length;
            }
            moves.push(Move { multiple, step: 1 << (first - 1) });
        }
        moves.retain(|step| step.multiple.range() != (0, 0));
        Ok(Stages { moves, bit: part(0).0 })
    }

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
        let tables = TABLES.as_ref().map_err(Clone::clone)?;
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

/// The lookup tables of shifts by encrypted amounts. The argument of the first two is a digit plus
/// 4 times a bit.
struct Tables {
    /// The part that stays and the part that leaves in a left shift by the bit.
    split_left: Lut,
    /// The part that stays and the part that leaves in a right shift by the bit.
    split_right: Lut,
    /// The high and the low bit of a digit.
    bits: Lut,
}

static TABLES: LazyLock<Result<Tables, Error>> = LazyLock::new(|| {
    let split = |stay: fn(i32) -> i32, leave: fn(i32) -> i32| {
        let stay = move |x: i32| if x < 4 { x } else { stay(x & 3) };
        let leave = move |x: i32| if x < 4 { 0 } else { leave(x & 3) };
        Lut::many(SPACE, 0..=7, &[&stay, &leave])
    };
    Ok(Tables {
        split_left: split(|x| (2 * x) & 3, |x| x >> 1)?,
        split_right: split(|x| x >> 1, |x| 2 * (x & 1))?,
        bits: Lut::many(SPACE, 0..=3, &[&|x| x >> 1, &|x| x & 1])?,
    })
});
