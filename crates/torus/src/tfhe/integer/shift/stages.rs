//! Encrypted amounts of shifts and rotations, split into stages.
//!
//! The low bits of an amount, as many as tell the places of an integer apart, select the stages of
//! a shift. The higher bits make the last stage of a shift move everything out. For a rotation they
//! do not count at a width that is a power of two; at other widths, it goes by a number that is
//! congruent to the amount, a sum of small residues.

use super::blocks::Move;
use super::clear::Fill;
use crate::tfhe::integer::Integers;
use crate::tfhe::integer::arithmetic::columns::{Columns, Form};
use crate::tfhe::integer::blocks::{constant, nibbles};
use crate::tfhe::integer::tables::fixed;
use crate::tfhe::integer::value::digits::{self, DIGIT_BITS, DIGIT_MAX, SPACE};
use crate::tfhe::{Block, Error, Lut, Span};
use std::sync::LazyLock;

/// The number of bits of the amount that one move takes. Its table holds zeros for the greatest
/// multiple, and as many blocks as remain.
const MOVE_BITS: usize = 3;

/// An encrypted amount, split into stages.
pub(in crate::tfhe::integer) struct Stages {
    /// Moves of whole blocks.
    pub(in crate::tfhe::integer) moves: Vec<Move>,
    /// The bit that tells whether to move by one more place.
    pub(in crate::tfhe::integer) bit: Block,
}

/// Returns the number of bits of an amount that tell the places of an integer apart.
fn amount_bits(width: usize) -> usize {
    width.next_power_of_two().trailing_zeros() as usize
}

impl Integers {
    /// Returns the stages of an amount for integers of `width` bits.
    pub(in crate::tfhe::integer) fn stages(
        &self,
        amount: &[Block],
        width: usize,
        fill: Fill,
    ) -> Result<Stages, Error> {
        let bits = amount_bits(width);
        let mut stages = match fill {
            Fill::Zero | Fill::Sign => {
                let (mut stages, beyond) = self.low_stages(amount, bits)?;
                self.move_out_if_beyond(&mut stages, &beyond, width)?;
                stages
            }
            Fill::Rotation if width.is_power_of_two() => self.low_stages(amount, bits)?.0,
            Fill::Rotation => {
                let (amount, bits) = self.congruent(amount, width)?;
                self.low_stages(&amount, bits)?.0
            }
        };
        stages.moves.retain(|step| step.multiple.span() != Span::of(0));
        Ok(stages)
    }

    /// Splits the low bits of an amount: the lowest bit is a stage of its own, and each three of
    /// the other bits form one stage. Returns the bits above them, too.
    fn low_stages(&self, amount: &[Block], bits: usize) -> Result<(Stages, Vec<Block>), Error> {
        let table = &*BITS;
        let digit = |index: usize| amount.get(index).cloned().unwrap_or_else(|| constant(0));
        // Moves start at bits 1, 4, 7 and so on. Every third digit is therefore split, and also the
        // last one if the amount ends within it.
        let is_cut = |index: usize| {
            let low = 2 * index;
            index == 0 || (low < bits && (low.is_multiple_of(MOVE_BITS) || low + 1 == bits))
        };
        let cut: Vec<usize> = (0..bits.div_ceil(2)).filter(|&index| is_cut(index)).collect();
        let jobs: Vec<_> = cut.iter().map(|&index| (digit(index), table)).collect();
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
        let odd = (bits % 2 == 1).then(|| part(bits).0);
        let beyond = odd.into_iter().chain(amount.iter().skip(bits.div_ceil(2)).cloned());
        Ok((Stages { moves, bit: part(0).0 }, beyond.collect()))
    }

    /// Makes the last move one that moves all blocks out, if a bit of `beyond` is set. Cost: a
    /// quarter of a bootstrap for each of these digits, and one.
    fn move_out_if_beyond(
        &self,
        stages: &mut Stages,
        beyond: &[Block],
        width: usize,
    ) -> Result<(), Error> {
        let beyond = self.any_nonzero(beyond)?;
        if beyond.is_clear() && beyond.clear_value() == 0 {
            return Ok(());
        }
        let Some(last) = stages.moves.last_mut() else {
            // One block, which the bit alone does not move out.
            stages.moves.push(Move { multiple: beyond, step: 1 });
            return Ok(());
        };
        let (most, out) =
            (last.multiple.span().high, width.div_ceil(DIGIT_BITS * last.step) as i32);
        let table = Lut::new(SPACE, 0..=2 * most + 1, |x| if x > most { out } else { x })?;
        let either = last.multiple.unchecked_add_scaled(&beyond, most + 1);
        last.multiple = self.apply(&either, &table)?.within(0, most.max(out));
        Ok(())
    }

    /// Returns the digits of a number that is congruent to the amount modulo the width, and the
    /// number of bits that it may have: the sum of the low digits of the amount and of the residues
    /// of its nibbles above them.
    ///
    /// Cost: a bootstrap for each nibble above the low digits and each digit of a residue, and the
    /// sum.
    fn congruent(&self, amount: &[Block], width: usize) -> Result<(Vec<Block>, usize), Error> {
        let length = digits::count(amount_bits(width));
        let (low, high) = amount.split_at(amount.len().min(length));
        if high.is_empty() {
            return Ok((low.to_vec(), DIGIT_BITS * length));
        }
        let high = nibbles(high);
        let mut factor = (1 << (DIGIT_BITS * length)) % width;
        let mut tables = Vec::with_capacity(high.len() * length);
        for nibble in &high {
            for place in 0..length {
                let digit = |x: i32| {
                    let residue = x as usize * factor % width;
                    (residue >> (DIGIT_BITS * place)) as i32 & DIGIT_MAX
                };
                tables.push(Lut::new(SPACE, 0..=nibble.span().high, digit)?);
            }
            factor = 16 * factor % width;
        }
        let inputs = high.iter().flat_map(|nibble| std::iter::repeat_n(nibble, length));
        let jobs: Vec<_> = inputs.cloned().zip(&tables).collect();
        let residues = self.layer(&jobs)?.into_iter().flatten();
        let greatest = (1 << (DIGIT_BITS * length)) - 1 + high.len() * (width - 1);
        let bits = (usize::BITS - greatest.leading_zeros()) as usize;
        let mut columns = Columns::new(Form::Digits, DIGIT_BITS * digits::count(bits));
        for (place, digit) in low.iter().enumerate() {
            columns.push(DIGIT_BITS * place, digit.clone());
        }
        for (index, digit) in residues.enumerate() {
            columns.push(DIGIT_BITS * (index % length), digit);
        }
        Ok((self.column_digits(columns, 0)?, bits))
    }
}

/// The high and the low bit of a digit.
static BITS: LazyLock<Lut> =
    LazyLock::new(|| fixed(|| Lut::many(SPACE, 0..=3, &[&|x| x >> 1, &|x| x & 1])));
