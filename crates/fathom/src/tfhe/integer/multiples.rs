//! The multiples of an encrypted integer by a digit.

use super::carry::CarryOut;
use super::digits::{DIGIT_MAX, SPACE};
use super::radix::{Radix, constant, pair};
use crate::tfhe::{Block, EncryptedTable, Error, Lookup, Lut};
use std::sync::LazyLock;

/// Multiples of an integer: by 1, 2 and 3.
const MULTIPLES: usize = DIGIT_MAX as usize;
/// Digits of which one table holds all multiples.
const DIGITS_OF_TABLE: usize = SPACE.half() as usize / (MULTIPLES + 1);

/// An integer with its double and its triple, and tables of all three.
pub(super) struct Multiples {
    /// Digits of the integer.
    length: usize,
    /// The integer, its double and its triple; the latter two with as many digits as asked for.
    pub(super) values: [Vec<Block>; MULTIPLES],
    /// For every [`DIGITS_OF_TABLE`] digits, those of 0 and of the multiples.
    tables: Vec<EncryptedTable>,
}

impl Multiples {
    /// The multiples of an integer, to `digits` digits, at least as many as it has.
    pub(super) fn new(
        radix: &Radix<'_>,
        integer: &[Block],
        digits: usize,
    ) -> Result<Multiples, Error> {
        let double_table = DOUBLE.as_ref().map_err(Clone::clone)?;
        let doubles = (0..digits).map(|place| {
            let own = integer.get(place).cloned().unwrap_or_else(|| constant(0));
            let lower = if place == 0 { constant(0) } else { integer[place - 1].clone() };
            pair(&own, &lower)
        });
        let double = radix.map(doubles, double_table)?;
        let sums = double.iter().enumerate().map(|(place, double)| match integer.get(place) {
            Some(block) => double.plus(block),
            None => double.clone(),
        });
        let triple = radix.propagate(sums.collect(), CarryOut::Dropped)?.0;
        let values = [integer.to_vec(), double, triple];
        let places: Vec<usize> = (0..integer.len()).collect();
        let slots = places.chunks(DIGITS_OF_TABLE).map(|places| {
            let digits = |&place: &usize| {
                let multiples = values.iter().map(move |value| value[place].clone());
                [constant(0)].into_iter().chain(multiples)
            };
            places.iter().flat_map(digits).collect()
        });
        let tables = radix.evaluator().tables(slots.collect())?;
        Ok(Multiples { length: integer.len(), values, tables })
    }

    /// For each digit, the lowest digits of its product with the integer, as many as are asked for
    /// and the integer has: four by each bootstrap.
    pub(super) fn by_digits(
        &self,
        radix: &Radix<'_>,
        digits: &[(Block, usize)],
    ) -> Result<Vec<Vec<Block>>, Error> {
        let places: Vec<usize> =
            (0..self.length).map(|place| place % DIGITS_OF_TABLE * (MULTIPLES + 1)).collect();
        let mut lookups = Vec::new();
        for (index, length) in digits {
            let tables = self.tables.iter().zip(places[..*length].chunks(DIGITS_OF_TABLE));
            lookups.extend(tables.map(|(table, places)| Lookup { index, table, places }));
        }
        let mut read = radix.evaluator().look_up(&lookups)?.into_iter().flatten();
        Ok(digits.iter().map(|&(_, length)| read.by_ref().take(length).collect()).collect())
    }
}

/// The digit of the double, of a digit and 4 times the one below it.
static DOUBLE: LazyLock<Result<Lut, Error>> =
    LazyLock::new(|| Lut::new(SPACE, 0..=15, |x| ((2 * x) & 3) + (x >> 3)));
