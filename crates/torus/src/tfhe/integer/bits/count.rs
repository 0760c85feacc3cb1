//! Counts of bits, logarithms and parities.
//!
//! Zeros at an end are counted by nibbles. One multi-value bootstrap returns the zeros of each
//! nibble (4 if it is 0) and whether it is nonzero; flags that tell whether a nibble before it is
//! nonzero follow with as many bootstraps as nibbles, in a depth of one for each sixteen; and a
//! table of count and flag keeps the count of the first nonzero nibble alone. The result is four
//! times the number of nibbles before it, a sum of flags, plus that count. A logarithm is the
//! complement of the leading zeros, plus the width.

use crate::tfhe::integer::arithmetic::carry::CarryOut;
use crate::tfhe::integer::arithmetic::columns::{Columns, Form};
use crate::tfhe::integer::blocks::{
    complements, constant, nibbles, pair, total, two, without_copies,
};
use crate::tfhe::integer::tables::fixed;
use crate::tfhe::integer::value::digits::{self, DIGIT_BITS, DIGIT_MAX, SPACE};
use crate::tfhe::integer::value::traits::sealed::Sealed;
use crate::tfhe::integer::{
    CANONICAL_NOISE_VARIANCE, FheBool, FheInteger, FheUint32, Integers, U256, ValueType,
};
use crate::tfhe::{Block, Error, Function, Lut};
use std::sync::LazyLock;

/// The greatest number of flags in one sum.
const MAX_FLAGS: usize = 16;
/// The number of blocks of the result.
const RESULT_BLOCKS: usize = 16;

/// The end of the integer from which bits are counted.
#[derive(Clone, Copy, Debug)]
enum End {
    Leading,
    Trailing,
}

impl Integers {
    /// Counts the zeros before the highest set bit; for 0, all bits. Cost: about 1.3 bootstraps per
    /// block.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn leading_zeros<T: FheInteger>(&self, a: &T) -> Result<FheUint32, Error> {
        Ok(result(self.zeros_at(self.blocks(a)?, End::Leading)?))
    }

    /// Counts the zeros below the lowest set bit; for 0, all bits. Cost: that of
    /// [`Integers::leading_zeros`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn trailing_zeros<T: FheInteger>(&self, a: &T) -> Result<FheUint32, Error> {
        Ok(result(self.zeros_at(self.blocks(a)?, End::Trailing)?))
    }

    /// Counts the ones before the highest zero bit. Cost: that of [`Integers::leading_zeros`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn leading_ones<T: FheInteger>(&self, a: &T) -> Result<FheUint32, Error> {
        Ok(result(self.zeros_at(&complements(self.blocks(a)?), End::Leading)?))
    }

    /// Counts the ones below the lowest zero bit. Cost: that of [`Integers::leading_zeros`].
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn trailing_ones<T: FheInteger>(&self, a: &T) -> Result<FheUint32, Error> {
        Ok(result(self.zeros_at(&complements(self.blocks(a)?), End::Trailing)?))
    }

    /// Counts the set bits. Cost: about 1.2 bootstraps per block.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn count_ones<T: FheInteger>(&self, a: &T) -> Result<FheUint32, Error> {
        Ok(result(self.ones(self.blocks(a)?)?))
    }

    /// Returns the index of the highest set bit of `a`, taken as unsigned.
    ///
    /// For 0, all base-4 digits that an index can have are set; [`Integers::checked_log2`] detects
    /// this case. Cost: that of [`Integers::leading_zeros`] and at most two bootstraps more.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn log2<T: FheInteger>(&self, a: &T) -> Result<FheUint32, Error> {
        let count = self.zeros_at(self.blocks(a)?, End::Leading)?;
        // The result is BITS - 1 - count, as the sum of the complement of the count and BITS.
        let length = digits::count((usize::BITS - (a.bits() - 1).leading_zeros()) as usize);
        let sums = complements(&count[..length.min(count.len())]).into_iter().enumerate();
        let bits = U256::from(a.bits() as u32);
        let sums = sums.map(|(index, block)| block.add_scalar(digits::digit(bits, index)));
        Ok(result(self.propagate(sums.collect(), CarryOut::Dropped)?.0))
    }

    /// Computes [`Integers::log2`], and whether it is defined, that is, whether `a` is nonzero.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn checked_log2<T: FheInteger>(&self, a: &T) -> Result<(FheUint32, FheBool), Error> {
        Ok((self.log2(a)?, self.to_bool(a)?))
    }

    /// Returns whether the value is odd. Cost: one bootstrap.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn is_odd<T: FheInteger>(&self, a: &T) -> Result<FheBool, Error> {
        FheBool::from_block(self.apply(&self.blocks(a)?[0], &self.tables.odd)?)
    }

    /// Returns whether the value is even. Cost: one bootstrap.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn is_even<T: FheInteger>(&self, a: &T) -> Result<FheBool, Error> {
        FheBool::from_block(self.is_odd(a)?.block().sub_from(1))
    }
}

fn result(digits: Vec<Block>) -> FheUint32 {
    FheUint32::wrap(ValueType::of::<FheUint32>(), padded(digits))
}

fn padded(mut digits: Vec<Block>) -> Vec<Block> {
    digits.resize(RESULT_BLOCKS, constant(0));
    digits
}

impl Integers {
    /// Counts the zero bits before the first that is set; for none, all bits, rounded up to a
    /// multiple of four. The bits are in separate blocks.
    pub(in crate::tfhe::integer) fn trailing_zeros_of_bits(
        &self,
        bits: &[Block],
    ) -> Result<FheUint32, Error> {
        let mut bits = bits.to_vec();
        bits.resize(bits.len().next_multiple_of(4).max(4), constant(0));
        let digits = bits.chunks(2).map(|bits| bits[0].unchecked_add_scaled(&bits[1], 2));
        let mut digits: Vec<Block> = digits.collect();
        self.quieten_nibbles(&mut digits)?;
        Ok(result(self.zeros_at(&digits, End::Trailing)?))
    }

    /// Bootstraps the digits of those nibbles that have too much noise for a bootstrap, because
    /// their digits are sums with noise in common.
    fn quieten_nibbles(&self, digits: &mut [Block]) -> Result<(), Error> {
        let limit = self.evaluator().params().max_noise_variance();
        let fits = |nibble: &[Block]| total_of_nibble(nibble).noise_variance() <= limit;
        let noisy = digits.chunks(2).filter(|nibble| !fits(nibble)).flatten().cloned();
        let mut fresh =
            self.apply_each(noisy.collect::<Vec<_>>(), &self.tables.message)?.into_iter();
        for nibble in digits.chunks_mut(2).filter(|nibble| !fits(nibble)) {
            for digit in nibble {
                *digit = fresh.next().expect("each digit of the nibble was bootstrapped");
            }
        }
        Ok(())
    }

    /// Returns the number of zeros at one end, as digits.
    ///
    /// It is four times the number of zero nibbles at that end, plus the number of zeros in the
    /// first nonzero nibble.
    fn zeros_at(&self, a: &[Block], end: End) -> Result<Vec<Block>, Error> {
        let tables = &*TABLES;
        let (nibbles, first, table) = match end {
            End::Leading => (leading_nibbles(a), &tables.leading_first, &tables.leading),
            End::Trailing => (trailing_nibbles(a), &tables.trailing_first, &tables.trailing),
        };
        let jobs: Vec<_> = nibbles
            .into_iter()
            .enumerate()
            .map(|(index, nibble)| (nibble, if index == 0 { first } else { table }))
            .collect();
        let mut zeros = Vec::new();
        let mut nonzero = Vec::new();
        for outputs in self.layer(&jobs)? {
            let [count, flag] = two(vec![outputs]);
            zeros.push(count);
            nonzero.push(flag);
        }
        let before = self.flags_before(&nonzero)?;
        // If all nibbles before are 0, this is the count up to 4. A count of 4 is a flag of its
        // own.
        let masked = zeros.iter().zip(&before).skip(1);
        let jobs: Vec<_> = masked
            .map(|(zeros, before)| (zeros.unchecked_add_scaled(before, 5), &tables.masked))
            .collect();
        let mut rest = vec![zeros[0].clone()];
        let mut whole = vec![nonzero[0].sub_from(1)];
        for outputs in self.layer(&jobs)? {
            let [count, all] = two(vec![outputs]);
            rest.push(count);
            whole.push(all);
        }
        let bits = usize::BITS - (DIGIT_BITS * a.len()).leading_zeros();
        let places = digits::count(bits as usize) * DIGIT_BITS;
        let mut columns = Columns::new(Form::Digits, places);
        columns.push(0, self.only_nonzero(rest)?);
        for flag in whole {
            columns.push(DIGIT_BITS, flag);
        }
        self.column_digits(columns, 0)
    }

    /// Returns, for each index, a block that is 0 if no flag before it is set, and otherwise 1 or
    /// 2.
    fn flags_before(&self, flags: &[Block]) -> Result<Vec<Block>, Error> {
        let mut before = vec![constant(0)];
        let sum = |flags: &[Block]| total(&without_copies(flags));
        before.extend((1..flags.len().min(3)).map(|index| sum(&flags[..index])));
        // Every second index gets a flag made by a bootstrap, from the flags since the last one of
        // an earlier layer. The index after it adds the flag of its predecessor.
        let (mut base, mut since) = (constant(0), 0);
        while before.len() < flags.len() {
            let start = before.len();
            let end = flags.len().min(since + MAX_FLAGS);
            let places = (start..end.max(start + 1)).step_by(2);
            let sums = places.clone().map(|place| sum(&flags[since..place]).unchecked_add(&base));
            for (place, any) in places.zip(self.apply_each(sums, &self.tables.any)?) {
                before.push(any.clone());
                if place + 1 < flags.len() {
                    before.push(any.unchecked_add(&flags[place]));
                }
                (base, since) = (any, place);
            }
        }
        Ok(before)
    }

    /// Returns the nonzero block of a list, canonical; at most one block is nonzero.
    fn only_nonzero(&self, mut blocks: Vec<Block>) -> Result<Block, Error> {
        let max_noise_variance = self.evaluator().params().max_noise_variance();
        loop {
            blocks = without_copies(&blocks);
            let sum = total(&blocks).within(0, DIGIT_MAX);
            if sum.noise_variance() <= CANONICAL_NOISE_VARIANCE {
                return Ok(sum);
            }
            let noise_variance = blocks.iter().map(Block::noise_variance).fold(1, u32::max);
            let length = (max_noise_variance / noise_variance).max(1) as usize;
            let sums = blocks.chunks(length).map(|chunk| total(chunk).within(0, DIGIT_MAX));
            blocks = self.apply_each(sums, &self.tables.message)?;
        }
    }

    /// Returns the number of flags that are set, as the blocks of an `FheUint32`.
    pub(in crate::tfhe::integer) fn flag_count(
        &self,
        flags: &[Block],
    ) -> Result<Vec<Block>, Error> {
        let bits = usize::BITS - flags.len().leading_zeros();
        let places = digits::count(bits as usize).max(1) * DIGIT_BITS;
        let mut columns = Columns::new(Form::Bits, places);
        for flag in flags {
            columns.push(0, flag.clone());
        }
        Ok(padded(self.column_digits(columns, 0)?))
    }

    /// Returns the number of set bits, as digits.
    fn ones(&self, a: &[Block]) -> Result<Vec<Block>, Error> {
        let tables = &*TABLES;
        let bits = usize::BITS - (DIGIT_BITS * a.len()).leading_zeros();
        let mut columns = Columns::new(Form::Bits, digits::count(bits as usize) * DIGIT_BITS);
        let jobs: Vec<_> = nibbles(a).into_iter().map(|nibble| (nibble, &tables.ones)).collect();
        for outputs in self.layer(&jobs)? {
            for (place, output) in outputs.into_iter().enumerate() {
                columns.push(place, output);
            }
        }
        self.column_digits(columns, 0)
    }
}

/// Returns a nibble of one or two digits.
fn total_of_nibble(digits: &[Block]) -> Block {
    nibbles(digits).swap_remove(0)
}

/// Returns the nibbles from the top. If the number of digits is odd, ones are added below the last
/// digit and end the count.
fn leading_nibbles(a: &[Block]) -> Vec<Block> {
    let nibble = |blocks: &[Block]| match blocks {
        [low, high] => pair(low, high),
        _ => pair(&constant(DIGIT_MAX), &total(blocks)),
    };
    a.rchunks(2).map(nibble).collect()
}

/// Returns the nibbles from the bottom. If the number of digits is odd, ones are added above the
/// last digit and end the count.
fn trailing_nibbles(a: &[Block]) -> Vec<Block> {
    let nibble = |blocks: &[Block]| match blocks {
        [low, high] => pair(low, high),
        _ => pair(&total(blocks), &constant(DIGIT_MAX)),
    };
    a.chunks(2).map(nibble).collect()
}

/// The tables of counts.
struct Tables {
    /// Leading zeros of a nibble (4 for 0), and whether it is nonzero.
    leading: Lut,
    /// Leading zeros of a nibble (0 for 0), and whether it is nonzero.
    leading_first: Lut,
    /// Trailing zeros of a nibble (4 for 0), and whether it is nonzero.
    trailing: Lut,
    /// Trailing zeros of a nibble (0 for 0), and whether it is nonzero.
    trailing_first: Lut,
    /// A count below 4 (0 otherwise), and whether it is 4.
    masked: Lut,
    /// The bits of the number of set bits in a nibble.
    ones: Lut,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    fixed(|| {
        let nonzero = |x: i32| i32::from(x != 0);
        let leading = |x: i32| x.leading_zeros() as i32 - 28;
        let trailing = |x: i32| (x | 16).trailing_zeros() as i32;
        let both = |count: Function<'_>| Lut::multi_value(SPACE, 0..=15, &[count, &nonzero]);
        let ones: Vec<_> =
            (0..3).map(|bit| move |x: i32| (x.count_ones() as i32 >> bit) & 1).collect();
        let ones: Vec<Function<'_>> = ones.iter().map(|f| f as Function<'_>).collect();
        Ok(Tables {
            leading: both(&leading)?,
            leading_first: both(&|x| leading(x) & 3)?,
            trailing: both(&trailing)?,
            trailing_first: both(&|x| trailing(x) & 3)?,
            masked: Lut::multi_value(
                SPACE,
                0..=14,
                &[&|x| if x < 4 { x } else { 0 }, &|x| i32::from(x == 4)],
            )?,
            ones: Lut::multi_value(SPACE, 0..=15, &ones)?,
        })
    })
});
