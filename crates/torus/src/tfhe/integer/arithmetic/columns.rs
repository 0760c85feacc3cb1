//! Sums of many numbers, as columns of small integers that are reduced to digits.
//!
//! Products, sums of lists and counts all end in the same problem: many small integers at each
//! power of two, whose weighted sum is wanted. As in a Wallace tree, one bootstrap takes the sum of
//! several blocks of a column, at most 15, and returns its bits (four columns) or its base-4 digits
//! (two places), so that 15 bits become 4. A layer reduces all full groups of all columns at once
//! (`reduce_full`); what is left is reduced only as far as carries can be propagated, that is to
//! sums of at most 12 a digit with room for the noise of a carry (`reduce_digits`).
//!
//! Blocks that became ready in an earlier layer are taken first, and the largest first, so that
//! groups are full and the depth small. The noise of a sum counts blocks with a common origin as
//! copies, not as independent: a group ends where the range or the noise would not fit.

use super::carry::CarryOut;
use crate::tfhe::integer::Integers;
use crate::tfhe::integer::blocks::{constant, total};
use crate::tfhe::integer::tables::fixed;
use crate::tfhe::integer::value::digits::{DIGIT_BITS, DIGIT_MAX, SPACE};
use crate::tfhe::noise::Noise;
use crate::tfhe::{Block, Error, Function, Lut};
use std::cmp::Reverse;
use std::sync::LazyLock;

/// The greatest sum that one bootstrap takes.
const GROUP_MAX: i32 = 15;
/// The least sum for which a bootstrap is used while larger groups are possible.
const GROUP_FULL: i32 = 13;
/// The greatest sum of a digit, without the carry into it, that needs no further reduction.
const DIGIT_SUM_MAX: i32 = 12;

/// Reserve for the noise variance that the carry adds to a digit's sum. It is 1, or more if the
/// carry is a copy of a summand.
const CARRY_ROOM: u32 = 16;

/// The form of the parts that a sum is split into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tfhe::integer) enum Form {
    /// Bits, each in its own column: a bootstrap reduces up to 15 bits to 4.
    Bits,
    /// Base-4 digits, in every second column: a bootstrap reduces up to five digits to two.
    Digits,
}

impl Form {
    /// Returns the number of columns from one output to the next.
    fn step(self) -> usize {
        match self {
            Form::Bits => 1,
            Form::Digits => DIGIT_BITS,
        }
    }
}

/// The sum of `2^i x` over all blocks `x` of all columns `i`, modulo `2^(number of columns)`. The
/// blocks hold nonnegative integers.
#[derive(Clone, Debug)]
pub(in crate::tfhe::integer) struct Columns {
    form: Form,
    columns: Vec<Vec<Block>>,
}

impl Columns {
    /// Returns empty columns for sums modulo `2^bits`.
    pub(in crate::tfhe::integer) fn new(form: Form, bits: usize) -> Columns {
        Columns { form, columns: vec![Vec::new(); bits] }
    }

    /// Returns columns of the blocks of each base-4 place, for sums modulo `2^bits`.
    pub(in crate::tfhe::integer) fn of_digits(
        form: Form,
        bits: usize,
        places: impl IntoIterator<Item = Vec<Block>>,
    ) -> Columns {
        let mut columns = Columns::new(form, bits);
        for (index, place) in places.into_iter().enumerate() {
            for block in place {
                columns.push(DIGIT_BITS * index, block);
            }
        }
        columns
    }

    /// Returns the blocks of each base-4 place of columns of digits.
    pub(super) fn into_digits(self) -> Vec<Vec<Block>> {
        debug_assert_eq!(self.form, Form::Digits);
        self.columns.into_iter().step_by(DIGIT_BITS).collect()
    }

    /// Returns the number of columns, which is the number of bits of the sum.
    pub(in crate::tfhe::integer) fn places(&self) -> usize {
        self.columns.len()
    }

    /// Adds `2^place block`.
    pub(in crate::tfhe::integer) fn push(&mut self, place: usize, block: Block) {
        debug_assert!(block.span().low >= 0);
        if let Some(column) = self.columns.get_mut(place)
            && block.span().high > 0
        {
            column.push(block);
        }
    }

    /// Returns the sum of a digit, which consists of two columns.
    fn digit_sum(&self, digit: usize) -> Block {
        let odd = self.columns.get(DIGIT_BITS * digit + 1).map_or_else(|| constant(0), total);
        total(&self.columns[DIGIT_BITS * digit]).unchecked_add_scaled(&odd, 2)
    }

    /// Returns the greatest value and the noise variance of [`Columns::digit_sum`].
    fn digit_bounds(&self, digit: usize) -> (i32, u32) {
        let (mut max, mut noise) = (0, Noise::default());
        for (place, weight) in [(DIGIT_BITS * digit, 1), (DIGIT_BITS * digit + 1, 2)] {
            for block in self.columns.get(place).into_iter().flatten() {
                max += weight * block.span().high;
                noise = noise.add_scaled(block.noise(), weight);
            }
        }
        (max, noise.variance())
    }

    /// Removes the blocks of a digit's columns whose noise a bootstrap would reduce, and returns
    /// them. Copies of one ciphertext may be too noisy for any two of them to share a bootstrap.
    fn take_noisy(&mut self, digit: usize) -> Vec<(usize, Block)> {
        let mut taken = Vec::new();
        for place in [DIGIT_BITS * digit, DIGIT_BITS * digit + 1] {
            let Some(column) = self.columns.get_mut(place) else { continue };
            let noisy = column.extract_if(.., |block| {
                block.noise_variance() > 1 && block.span().high <= DIGIT_MAX
            });
            taken.extend(noisy.map(|block| (place, block)));
        }
        taken
    }

    /// Removes the greatest blocks that fit a bootstrap together, in range and noise, and returns
    /// their sum. Returns `None` and leaves the column as it is if the sum is less than `least` or
    /// the column would not get shorter.
    fn take_group(&mut self, place: usize, least: i32, max_noise_variance: u32) -> Option<Group> {
        let column = &mut self.columns[place];
        // Blocks of earlier layers first, so that the depth stays small; large ones first, so that
        // small ones fill the rest of a group.
        column.sort_by_key(|block| (block.depth(), Reverse(block.span().high)));
        let (mut sum, mut noise) = (0, Noise::default());
        let chosen: Vec<bool> = column
            .iter()
            .map(|block| {
                let greatest = sum + block.span().high;
                let with_this = (greatest <= GROUP_MAX)
                    // The noise is that of the sum, not a sum of variances: copies of a ciphertext
                    // in one group count with the square of their number.
                    .then(|| noise.add_scaled(block.noise(), 1))
                    .filter(|noise| noise.variance() <= max_noise_variance);
                let fits = with_this.is_some();
                if let Some(with_this) = with_this {
                    (sum, noise) = (greatest, with_this);
                }
                fits
            })
            .collect();
        let items = chosen.iter().filter(|&&fits| fits).count();
        // A sum of one digit would come back as one digit: no block fewer for a bootstrap.
        if sum < least || items < 2 || sum <= DIGIT_MAX && self.form == Form::Digits {
            return None;
        }
        let mut chosen = chosen.into_iter();
        let group: Vec<_> = column.extract_if(.., |_| chosen.next() == Some(true)).collect();
        Some(Group { place, sum: total(&group) })
    }
}

/// Blocks of a column that share a bootstrap.
struct Group {
    place: usize,
    sum: Block,
}

impl Integers {
    /// Returns the canonical digits of the sum, from digit `start` on.
    pub(in crate::tfhe::integer) fn column_digits(
        &self,
        mut columns: Columns,
        start: usize,
    ) -> Result<Vec<Block>, Error> {
        let mut sums = self.reduced(&mut columns)?;
        let carry = self.carry_beyond(sums.drain(..start))?;
        // Digits below the first one wanted matter by their carry alone.
        sums[0] = sums[0].unchecked_add(&carry);
        Ok(self.propagate(sums, CarryOut::Dropped)?.0)
    }

    /// Returns the last digit of the sum, plus a multiple of 4. Of the digits before it, only the
    /// carries are computed.
    pub(super) fn last_digit(&self, mut columns: Columns) -> Result<Block, Error> {
        let mut sums = self.reduced(&mut columns)?;
        let last = sums.pop().expect("a sum has digits");
        Ok(last.unchecked_add(&self.carry_beyond(sums)?))
    }

    /// Returns the carry out of the sums of some digits, without these digits.
    fn carry_beyond(&self, sums: impl IntoIterator<Item = Block>) -> Result<Block, Error> {
        sums.into_iter().try_fold(constant(0), |carry, sum| {
            let sum = sum.unchecked_add(&carry);
            let greatest = sum.span().high >> DIGIT_BITS;
            Ok(self.apply(&sum, &self.tables.carry)?.within(0, greatest))
        })
    }

    /// Reduces the columns until the carries of all digits can be propagated, and returns the sum
    /// of each digit.
    fn reduced(&self, columns: &mut Columns) -> Result<Vec<Block>, Error> {
        self.reduce_full(columns)?;
        self.reduce_digits(columns)?;
        let digits = columns.columns.len().div_ceil(DIGIT_BITS);
        Ok((0..digits).map(|digit| columns.digit_sum(digit)).collect())
    }

    /// Reduces full groups of all columns until there are none.
    fn reduce_full(&self, columns: &mut Columns) -> Result<(), Error> {
        let max_noise_variance = self.evaluator().params().max_noise_variance();
        loop {
            let mut groups = Vec::new();
            for place in 0..columns.columns.len() {
                while let Some(group) = columns.take_group(place, GROUP_FULL, max_noise_variance) {
                    groups.push(group);
                }
            }
            if groups.is_empty() {
                return Ok(());
            }
            self.split(columns, groups)?;
        }
    }

    /// Reduces the remaining columns until the carries of all digits can be propagated.
    fn reduce_digits(&self, columns: &mut Columns) -> Result<(), Error> {
        let max_noise_variance = self.evaluator().params().max_noise_variance();
        loop {
            let (mut groups, mut noisy) = (Vec::new(), Vec::new());
            for digit in 0..columns.columns.len().div_ceil(DIGIT_BITS) {
                let (max, noise_variance) = columns.digit_bounds(digit);
                if max <= DIGIT_SUM_MAX && noise_variance + CARRY_ROOM <= max_noise_variance {
                    continue;
                }
                let even = DIGIT_BITS * digit;
                let odd = even + 1;
                let group = (odd < columns.columns.len())
                    // The odd column counts twice in the digit's sum, so that reducing it brings
                    // the sum down faster.
                    .then(|| columns.take_group(odd, 2, max_noise_variance))
                    .flatten();
                match group.or_else(|| columns.take_group(even, 2, max_noise_variance)) {
                    Some(group) => groups.push(group),
                    // No two blocks fit one bootstrap: each is refreshed alone, which lowers the
                    // noise and not the sum.
                    None => noisy.extend(columns.take_noisy(digit)),
                }
            }
            if groups.is_empty() && noisy.is_empty() {
                return Ok(());
            }
            self.split(columns, groups)?;
            self.refresh_noisy(columns, noisy)?;
        }
    }

    /// Bootstraps noisy blocks, in one layer.
    fn refresh_noisy(
        &self,
        columns: &mut Columns,
        noisy: Vec<(usize, Block)>,
    ) -> Result<(), Error> {
        let (places, blocks): (Vec<_>, Vec<_>) = noisy.into_iter().unzip();
        for (place, block) in places.into_iter().zip(self.apply_each(blocks, &self.tables.message)?)
        {
            columns.push(place, block);
        }
        Ok(())
    }

    /// Splits each group into bits or digits in its own and the following columns, in one layer.
    fn split(&self, columns: &mut Columns, groups: Vec<Group>) -> Result<(), Error> {
        let tables = &*SPLITS;
        let tables = match columns.form {
            Form::Bits => &tables.bits,
            Form::Digits => &tables.digits,
        };
        let (places, jobs): (Vec<_>, Vec<_>) = groups
            .into_iter()
            .map(|group| {
                let table = &tables[group.sum.span().high as usize];
                (group.place, (group.sum, table))
            })
            .unzip();
        for (place, outputs) in places.into_iter().zip(self.layer(&jobs)?) {
            for (index, output) in outputs.into_iter().enumerate() {
                columns.push(place + index * columns.form.step(), output);
            }
        }
        Ok(())
    }
}

/// The tables that split sums, indexed by the greatest sum.
struct Splits {
    bits: Vec<Lut>,
    digits: Vec<Lut>,
}

static SPLITS: LazyLock<Splits> = LazyLock::new(|| {
    fixed(|| {
        let table = |form: Form| {
            (0..=GROUP_MAX).map(|max| split_table(form, max)).collect::<Result<Vec<_>, _>>()
        };
        Ok(Splits { bits: table(Form::Bits)?, digits: table(Form::Digits)? })
    })
});

/// Returns the table of the bits or digits of 0 to `max`.
fn split_table(form: Form, max: i32) -> Result<Lut, Error> {
    let (step, mask) = match form {
        Form::Bits => (1, 1),
        Form::Digits => (DIGIT_BITS, DIGIT_MAX),
    };
    let outputs = (0..4 / step).filter(|index| max >> (step * index) > 0 || *index == 0);
    let functions: Vec<_> =
        outputs.map(|index| move |x: i32| (x >> (step * index)) & mask).collect();
    let functions: Vec<Function<'_>> = functions.iter().map(|f| f as Function<'_>).collect();
    Lut::multi_value(SPACE, 0..=max, &functions)
}
