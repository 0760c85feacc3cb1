//! The multiples of an encrypted integer by the digits 0 to 3.

use super::carry::CarryOut;
use crate::tfhe::encrypted_table::{EncryptedTable, Lookup};
use crate::tfhe::integer::Integers;
use crate::tfhe::integer::blocks::constant;
use crate::tfhe::integer::tables::fixed;
use crate::tfhe::integer::value::digits::{DIGIT_MAX, SPACE};
use crate::tfhe::{Block, Error, Function, Lut};
use std::sync::LazyLock;

/// The number of multiples: by 1, 2 and 3.
const MULTIPLES: usize = DIGIT_MAX as usize;
/// The number of digits whose multiples fit one table.
const DIGITS_OF_TABLE: usize = SPACE.half() as usize / (MULTIPLES + 1);

/// The treatment of the carries of the triple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tfhe::integer) enum Carries {
    /// The carries are kept in the digits, which are at most 5.
    Kept,
    /// The carries are propagated, so that the digits are canonical.
    Resolved,
}

/// An integer with its double and its triple, and encrypted tables of all three.
pub(in crate::tfhe::integer) struct Multiples {
    /// The number of digits of the integer.
    length: usize,
    /// The integer, its double and its triple. The latter two have the requested number of digits.
    pub(in crate::tfhe::integer) values: [Vec<Block>; MULTIPLES],
    /// One table for every [`DIGITS_OF_TABLE`] digits, which holds the digits of 0 and of the
    /// multiples.
    tables: Vec<EncryptedTable>,
}

impl Multiples {
    /// Computes the multiples of an integer, to `digits` digits, which must be at least as many as
    /// it has.
    pub(in crate::tfhe::integer) fn new(
        integers: &Integers,
        integer: &[Block],
        digits: usize,
        carries: Carries,
    ) -> Result<Multiples, Error> {
        let split = &*SPLIT;
        let jobs: Vec<_> = integer.iter().map(|block| (block.clone(), split)).collect();
        let split = integers.layer(&jobs)?;
        // The sum of the low digit of the multiple in this place and the high digit of the one
        // below.
        let sums = |low: usize, high: usize| -> Vec<Block> {
            let part = |place: usize, index: usize| {
                split.get(place).map_or_else(|| constant(0), |parts| parts[index].clone())
            };
            let lower = |place: usize| if place == 0 { constant(0) } else { part(place - 1, high) };
            (0..digits).map(|place| part(place, low).unchecked_add(&lower(place))).collect()
        };
        // The double of a digit is even, so that the sum has no carry.
        let double = sums(0, 1);
        let triple = match carries {
            Carries::Kept => sums(2, 3),
            Carries::Resolved => integers.propagate(sums(2, 3), CarryOut::Dropped)?.0,
        };
        let values = [integer.to_vec(), double, triple];
        let places: Vec<usize> = (0..integer.len()).collect();
        let slots = places.chunks(DIGITS_OF_TABLE).map(|places| {
            let digits = |&place: &usize| {
                let multiples = values.iter().map(move |value| value[place].clone());
                [constant(0)].into_iter().chain(multiples)
            };
            places.iter().flat_map(digits).collect()
        });
        let tables = integers.evaluator().tables(slots.collect())?;
        Ok(Multiples { length: integer.len(), values, tables })
    }

    /// Returns, for each digit, the lowest digits of its product with the integer, in the given
    /// number. One bootstrap computes four of them.
    pub(in crate::tfhe::integer) fn by_digits(
        &self,
        integers: &Integers,
        digits: &[(Block, usize)],
    ) -> Result<Vec<Vec<Block>>, Error> {
        let places: Vec<usize> =
            (0..self.length).map(|place| place % DIGITS_OF_TABLE * (MULTIPLES + 1)).collect();
        let mut lookups = Vec::new();
        for (index, length) in digits {
            let tables = self.tables.iter().zip(places[..*length].chunks(DIGITS_OF_TABLE));
            lookups.extend(tables.map(|(table, places)| Lookup { index, table, places }));
        }
        let mut read = integers.evaluator().look_up(&lookups)?.into_iter().flatten();
        Ok(digits.iter().map(|&(_, length)| read.by_ref().take(length).collect()).collect())
    }
}

/// Maps a digit to the low and the high digit of its double, then of its triple.
static SPLIT: LazyLock<Lut> = LazyLock::new(|| {
    fixed(|| {
        let functions: [Function<'_>; 4] =
            [&|x| (2 * x) & 3, &|x| (2 * x) >> 2, &|x| (3 * x) & 3, &|x| (3 * x) >> 2];
        Lut::many(SPACE, 0..=DIGIT_MAX, &functions)
    })
});
