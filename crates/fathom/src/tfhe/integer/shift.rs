//! Shifts and rotations.

use super::digits::{DIGIT_MAX, SPACE};
use super::radix::{Radix, constant, pair, total, two};
use super::word::sealed::Sealed;
use super::{FheUint, Integer, Word};
use crate::tfhe::{Block, Error, Evaluator, Function, Lut};
use std::sync::LazyLock;

/// How far to shift.
#[derive(Clone, Copy, Debug)]
pub enum Amount<'a> {
    /// A public number of bits.
    Clear(u32),
    /// The blocks of an encrypted number of bits.
    Encrypted(&'a [Block]),
}

/// What a shift takes as its amount: a `u32` or an encrypted unsigned integer of any width.
pub trait ShiftAmount {
    /// The amount.
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

/// Where bits move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// To more significant places.
    Left,
    /// To less significant places.
    Right,
}

/// What moves in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    Zero,
    /// The top bit.
    Sign,
    /// What moves out at the other end.
    Rotation,
}

/// Where bits move, and what moves in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    pub(super) direction: Direction,
    pub(super) fill: Fill,
}

impl Mode {
    /// The block, of `length`, that moves to `place` when all move by `distance`; none if what
    /// arrives is filled in.
    pub(super) fn source(self, place: usize, distance: usize, length: usize) -> Option<usize> {
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

impl Evaluator {
    /// `a << amount`. The amount counts modulo the least power of two that is not below the bits of
    /// `T`.
    ///
    /// Cost, for n blocks: of a clear amount, n bootstraps if it is odd, else none; of an encrypted
    /// amount n + 1 for each two bits of it, about.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn shl<T: Integer>(&self, a: &T, amount: impl ShiftAmount) -> Result<T, Error> {
        self.shift(a, amount.amount(), Mode { direction: Direction::Left, fill: Fill::Zero })
    }

    /// `a >> amount`: the sign moves in if `T` is signed. Amount and cost as in [`Evaluator::shl`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn shr<T: Integer>(&self, a: &T, amount: impl ShiftAmount) -> Result<T, Error> {
        let fill = if T::SIGNED { Fill::Sign } else { Fill::Zero };
        self.shift(a, amount.amount(), Mode { direction: Direction::Right, fill })
    }

    /// Rotation to more significant places. Amount and cost as in [`Evaluator::shl`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn rotate_left<T: Integer>(&self, a: &T, amount: impl ShiftAmount) -> Result<T, Error> {
        self.shift(a, amount.amount(), Mode { direction: Direction::Left, fill: Fill::Rotation })
    }

    /// Rotation to less significant places. Amount and cost as in [`Evaluator::shl`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn rotate_right<T: Integer>(&self, a: &T, amount: impl ShiftAmount) -> Result<T, Error> {
        self.shift(a, amount.amount(), Mode { direction: Direction::Right, fill: Fill::Rotation })
    }

    fn shift<T: Integer>(&self, a: &T, amount: Amount<'_>, mode: Mode) -> Result<T, Error> {
        let radix = self.radix()?;
        let blocks = radix.blocks(a)?;
        let amount_bits = T::BITS.next_power_of_two().trailing_zeros() as usize;
        let blocks = match amount {
            Amount::Clear(amount) => {
                let amount = amount as usize & ((1 << amount_bits) - 1);
                radix.shifted_clear(blocks, amount, mode)?
            }
            Amount::Encrypted(amount) => {
                radix.check(amount)?;
                let stages = radix.stages(amount, amount_bits)?;
                radix.shifted(blocks, &stages, mode)?
            }
        };
        Ok(T::wrap(blocks))
    }
}

/// An amount as codes that select among moves.
struct Stages {
    /// Codes from 0 to 3, each with the blocks to move by for 1, 2 and 3.
    moves: Vec<(Block, [usize; 3])>,
    /// Whether to move by one bit more.
    bit: Block,
}

impl Radix<'_> {
    /// A digit of the amount selects among four moves of whole blocks. The lowest bit is a stage of
    /// its own, and the other bit of its digit goes with the top bit if that has no partner.
    fn stages(&self, amount: &[Block], bits: usize) -> Result<Stages, Error> {
        let tables = TABLES.as_ref().map_err(Clone::clone)?;
        let digit = |index: usize| amount.get(index).cloned().unwrap_or_else(|| constant(0));
        let top = bits / 2;
        let mut moves = Vec::new();
        for index in 1..top {
            let step = 1 << (2 * index - 1);
            moves.push((digit(index), [step, 2 * step, 3 * step]));
        }
        let lowest = digit(0);
        let bit = if bits.is_multiple_of(2) {
            let [second, bit] = two(self.layer(&[(lowest, &tables.bits)])?);
            moves.push((second, [1, 0, 0]));
            bit
        } else {
            let step = (1 << (bits - 1)) / 2;
            let jobs =
                [(pair(&lowest, &digit(top)), &tables.second_and_top), (lowest, &tables.lowest)];
            let [code, bit] = two(self.layer(if bits == 1 { &jobs[1..] } else { &jobs })?);
            if bits == 1 {
                return Ok(Stages { moves, bit: code });
            }
            moves.push((code, [1, step, step + 1]));
            bit
        };
        moves.retain(|(code, _)| code.range() != (0, 0));
        Ok(Stages { moves, bit })
    }

    fn shifted(&self, a: &[Block], stages: &Stages, mode: Mode) -> Result<Vec<Block>, Error> {
        // What moves in from past the end, itself a block that no stage changes.
        let filler = match mode.fill {
            Fill::Sign => Some(self.sign_fill(a)?),
            Fill::Zero | Fill::Rotation => None,
        };
        let mut blocks = a.to_vec();
        for stage in &stages.moves {
            blocks = self.moved_by_code(&blocks, filler.as_ref(), stage, mode)?;
        }
        self.moved_by_bit(&blocks, filler.as_ref(), &stages.bit, mode)
    }

    /// Each block goes, by one bootstrap, to one of four places and as 0 to the other three.
    fn moved_by_code(
        &self,
        blocks: &[Block],
        filler: Option<&Block>,
        (code, moves): &(Block, [usize; 3]),
        mode: Mode,
    ) -> Result<Vec<Block>, Error> {
        let tables = TABLES.as_ref().map_err(Clone::clone)?;
        let table = if code.range().1 <= 1 { &tables.spread_2 } else { &tables.spread_4 };
        let inputs = blocks.iter().chain(filler);
        let jobs: Vec<_> = inputs.map(|block| (block.plus_scaled(code, 4), table)).collect();
        let mut copies = self.layer(&jobs)?;
        let filler = copies.split_off(blocks.len()).pop();
        let distances = [0].into_iter().chain(*moves).take(table.functions());
        let distances: Vec<_> = distances.collect();
        let gather = |place: usize| {
            let copies = distances.iter().enumerate().filter_map(|(choice, &distance)| {
                let source = mode.source(place, distance, blocks.len());
                source.map(|source| &copies[source]).or(filler.as_ref()).map(|c| &c[choice])
            });
            total(copies).within(0, DIGIT_MAX)
        };
        Ok((0..blocks.len()).map(gather).collect())
    }

    /// Each block splits, by one bootstrap, into the bits that stay and the bit that leaves.
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
        let jobs: Vec<_> = inputs.map(|block| (block.plus_scaled(bit, 4), table)).collect();
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

/// The tables of shifts by encrypted amounts. Each argument is a digit and 4 times a code.
struct Tables {
    /// The digit if the code is 0, 1, else 0.
    spread_2: Lut,
    /// The digit if the code is 0, 1, 2, 3, else 0.
    spread_4: Lut,
    /// Of a shift left by the bit: what stays, what leaves.
    split_left: Lut,
    /// Of a shift right by the bit: what stays, what leaves.
    split_right: Lut,
    /// The high and the low bit of a digit.
    bits: Lut,
    /// The low bit of a digit.
    lowest: Lut,
    /// The high bit of the digit and twice the low bit of the code.
    second_and_top: Lut,
}

static TABLES: LazyLock<Result<Tables, Error>> = LazyLock::new(|| {
    let choices: Vec<_> =
        (0..4).map(|choice| move |x: i32| if x >> 2 == choice { x & 3 } else { 0 }).collect();
    let choices: Vec<Function<'_>> = choices.iter().map(|f| f as Function<'_>).collect();
    let split = |stay: fn(i32) -> i32, leave: fn(i32) -> i32| {
        let stay = move |x: i32| if x < 4 { x } else { stay(x & 3) };
        let leave = move |x: i32| if x < 4 { 0 } else { leave(x & 3) };
        Lut::many(SPACE, 0..=7, &[&stay, &leave])
    };
    Ok(Tables {
        spread_2: Lut::many(SPACE, 0..=7, &choices[..2])?,
        spread_4: Lut::multi_value(SPACE, 0..=15, &choices)?,
        split_left: split(|x| (2 * x) & 3, |x| x >> 1)?,
        split_right: split(|x| x >> 1, |x| 2 * (x & 1))?,
        bits: Lut::many(SPACE, 0..=3, &[&|x| x >> 1, &|x| x & 1])?,
        lowest: Lut::new(SPACE, 0..=3, |x| x & 1)?,
        second_and_top: Lut::new(SPACE, 0..=15, |x| ((x >> 1) & 1) + 2 * ((x >> 2) & 1))?,
    })
});
