//! Sorting of short lists by counting.
//!
//! A nibble has 16 values, so that one bootstrap tells of each of them whether it exceeds the
//! nibble: it reads a step function at 16 places. The sums of these flags over the other elements
//! are the ranks of all values that the nibble may have, and the nibble is the index at which its
//! own rank is read from an encrypted table of them. Keys of several nibbles are sorted from the
//! least significant nibble up: the next nibbles are read in the order found so far, and ranked.

use super::rank_sort::{MOST, layout};
use super::sort::{Element, Key};
use crate::tfhe::encrypted_table::Lookup;
use crate::tfhe::integer::Integers;
use crate::tfhe::integer::blocks::{constant, nibbles, total};
use crate::tfhe::integer::tables::fixed;
use crate::tfhe::integer::value::digits::{DIGIT_MAX, SPACE};
use crate::tfhe::{Block, Error, Function, Lut};
use std::sync::LazyLock;

/// The greatest value of a nibble.
const NIBBLE_MAX: usize = 15;

impl Integers {
    /// Sorts at most [`MOST`] elements of unsigned keys. Equal elements keep their order.
    pub(super) fn counting_sort(
        &self,
        elements: &[Element],
        key: Key,
    ) -> Result<Vec<Element>, Error> {
        let all = columns_of(elements, key);
        let mut columns = all.iter().cloned();
        let Some(first) = columns.next() else { return Ok(Vec::new()) };
        let mut ranks = self.counted_ranks(&first)?;
        // The elements are in order of the nibbles so far. The next nibbles are read in that order,
        // so that equal ones keep it, and the new rank of an element is that of the place where it
        // stands.
        for column in columns.take(key.length.div_ceil(2) - 1) {
            let order = self.inverse(&ranks)?;
            let ordered = self.gathered(&[column], &order)?.swap_remove(0);
            let moves = self.counted_ranks(&ordered)?;
            ranks = self.gathered(&[moves], &ranks)?.swap_remove(0);
        }
        let order = self.inverse(&ranks)?;
        let sorted = self.gathered(&all, &order)?;
        self.digits_of(&sorted, key, elements.first().map_or(0, Vec::len))
    }

    /// Returns the number of elements before each element in ascending order of these nibbles.
    fn counted_ranks(&self, nibbles: &[Block]) -> Result<Vec<Block>, Error> {
        let steps = &TABLES.steps;
        let jobs: Vec<_> = nibbles.iter().map(|nibble| (nibble.clone(), steps)).collect();
        let flags = self.layer(&jobs)?;
        // Whether a nibble is less than a value.
        let less = |index: usize, value: usize| match value {
            0 => constant(0),
            1..=NIBBLE_MAX => flags[index][NIBBLE_MAX - value].clone(),
            _ => constant(1),
        };
        // The number of elements before one with each value, in the place of the first element.
        let others = |value| (1..nibbles.len()).map(|index| less(index, value)).collect::<Vec<_>>();
        let mut counts: Vec<Block> = (0..=NIBBLE_MAX).map(|value| total(&others(value))).collect();
        // The counts of an element differ from those of the one before it in two terms for each
        // value, which is cheaper than a new sum over all elements.
        let mut slots = Vec::with_capacity(nibbles.len());
        for (index, nibble) in nibbles.iter().enumerate() {
            if index > 0 {
                // Elements before this one come first if they are equal.
                for (value, count) in counts.iter_mut().enumerate() {
                    let before = count.unchecked_add(&less(index - 1, value + 1));
                    *count = before.unchecked_sub(&less(index, value));
                }
            }
            let within = |count: &Block| count.clone().within(0, nibbles.len() as i32 - 1);
            // A table ends with the greatest value that its nibble may have.
            let values = usize::try_from(nibble.span().high).map_or(1, |greatest| greatest + 1);
            slots.push(counts.iter().take(values).map(within).collect());
        }
        let tables = self.evaluator().tables(slots)?;
        let lookups = nibbles.iter().zip(&tables);
        let lookups: Vec<_> =
            lookups.map(|(index, table)| Lookup { index, table, places: &[0] }).collect();
        Ok(self.evaluator().look_up(&lookups)?.into_iter().flatten().collect())
    }

    /// Returns the inverse of a permutation: for each rank the element that has it.
    fn inverse(&self, ranks: &[Block]) -> Result<Vec<Block>, Error> {
        let markers = &TABLES.markers;
        // The first element has the number 0, which is at its place anyhow.
        let jobs = ranks.iter().zip(markers).skip(1);
        let jobs: Vec<_> = jobs.map(|(rank, marker)| (rank.mul_scalar(-1), marker)).collect();
        let read = self.layer(&jobs)?;
        let places = (0..ranks.len()).map(|place| {
            let sum = total(read.iter().map(|places| &places[place]));
            sum.within(0, ranks.len() as i32 - 1)
        });
        Ok(places.collect())
    }

    /// Returns, for each column, its values at these indices.
    fn gathered(
        &self,
        columns: &[Vec<Block>],
        indices: &[Block],
    ) -> Result<Vec<Vec<Block>>, Error> {
        let count = columns.first().map_or(0, Vec::len);
        let (together, spacing) = layout(count);
        let slots = columns.chunks(together).map(|columns| {
            let mut slots = vec![constant(0); MOST];
            for (index, column) in columns.iter().enumerate() {
                slots[index * spacing..][..count].clone_from_slice(column);
            }
            slots
        });
        let tables = self.evaluator().tables(slots.collect())?;
        let places: Vec<usize> = (0..together).map(|index| index * spacing).collect();
        let places: Vec<&[usize]> =
            columns.chunks(together).map(|columns| &places[..columns.len()]).collect();
        let of_index = |index| {
            let tables = tables.iter().zip(&places);
            tables.map(move |(table, places)| Lookup { index, table, places })
        };
        let lookups: Vec<_> = indices.iter().flat_map(of_index).collect();
        let mut read = self.evaluator().look_up(&lookups)?.into_iter().flatten();
        let mut gathered = vec![Vec::with_capacity(indices.len()); columns.len()];
        for _ in indices {
            for column in &mut gathered {
                column.extend(read.next());
            }
        }
        Ok(gathered)
    }

    /// Splits columns of nibbles into the digits of elements, of which there are `length`.
    fn digits_of(
        &self,
        columns: &[Vec<Block>],
        key: Key,
        length: usize,
    ) -> Result<Vec<Element>, Error> {
        let of_nibble = |first: usize, digit: usize| (first + digit / 2, digit % 2);
        let of_key = (0..key.length).map(|digit| of_nibble(0, digit));
        let of_value =
            (0..length - key.length).map(|digit| of_nibble(key.length.div_ceil(2), digit));
        let places: Vec<(usize, usize)> = of_key.chain(of_value).collect();
        let count = columns.first().map_or(0, Vec::len);
        let split = [&self.tables.message, &self.tables.carry];
        let job = |index: usize, (column, half): (usize, usize)| {
            (columns[column][index].clone(), split[half])
        };
        let jobs = (0..count).flat_map(|index| places.iter().map(move |&place| job(index, place)));
        let digits = self.layer(&jobs.collect::<Vec<_>>())?.into_iter().flatten();
        let mut digits = digits.map(|digit| digit.within(0, DIGIT_MAX));
        Ok((0..count).map(|_| digits.by_ref().take(length).collect()).collect())
    }
}

/// Returns the nibbles of the keys, then those of the values, of all elements: for each place one
/// column.
fn columns_of(elements: &[Element], key: Key) -> Vec<Vec<Block>> {
    let row = |element: &Element| {
        let (key, value) = element.split_at(key.length);
        [nibbles(key), nibbles(value)].concat()
    };
    let rows: Vec<Vec<Block>> = elements.iter().map(row).collect();
    let places = rows.first().map_or(0, Vec::len);
    (0..places).map(|place| rows.iter().map(|row| row[place].clone()).collect()).collect()
}

/// Returns whether counting sorts these parts of a list, and with fewer bootstraps than comparisons
/// of all pairs. The sums of flags of copies would have too much noise.
pub(super) fn is_better(parts: &[&[Element]], key: Key) -> bool {
    let Some((count, digits)) = parts.first().map(|part| (part.len(), part[0].len())) else {
        return false;
    };
    let tables = |values: usize| values.div_ceil(layout(count).0);
    let passes = key.length.div_ceil(2);
    let columns = passes + (digits - key.length).div_ceil(2);
    let counting = 3 * count + (passes - 1) * 5 * count + count * tables(columns);
    let comparing = count * (count - 1) / 2 * order_cost(passes) + count * tables(digits);
    !key.signed && counting < comparing && !parts.iter().any(|part| has_copies(part, key))
}

/// Returns the number of bootstraps of an order relation between integers of this many nibbles.
fn order_cost(nibbles: usize) -> usize {
    let (mut signs, mut cost) = (nibbles, nibbles + 1);
    while signs > 4 {
        cost += signs.div_ceil(4) - usize::from(signs % 4 == 1);
        signs = signs.div_ceil(4);
    }
    cost
}

/// Returns whether the keys of two elements have the same ciphertext at the same place.
fn has_copies(elements: &[Element], key: Key) -> bool {
    let copied = |(index, element): (usize, &Element)| {
        let copies = |other: &Element| {
            let digits = element[..key.length].iter().zip(other);
            digits.into_iter().any(|(a, b)| !a.is_clear() && a.is_copy_of(b))
        };
        elements[index + 1..].iter().any(copies)
    };
    elements.iter().enumerate().any(copied)
}

/// The lookup tables of counting.
struct Tables {
    /// The table that tells of a nibble whether it is less than 15, 14, ..., 0.
    steps: Lut,
    /// The tables of each element and a negated rank: the number of the element at the place of the
    /// rank, and 0 at the other places.
    markers: Vec<Lut>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    fixed(|| {
        let most = MOST as i32;
        let many = |low: i32, high: i32, function: &dyn Fn(i32, i32) -> i32| {
            let functions: Vec<_> =
                (0..most).map(|place| move |x: i32| function(x, place)).collect();
            let functions: Vec<Function<'_>> =
                functions.iter().map(|f| f as Function<'_>).collect();
            Lut::many(SPACE, low..=high, &functions)
        };
        let marker =
            |element: i32| many(1 - most, 0, &|x, place| element * i32::from(x + place == 0));
        Ok(Tables {
            steps: many(0, most - 1, &|x, place| i32::from(x + place < most - 1))?,
            markers: (0..most).map(marker).collect::<Result<_, _>>()?,
        })
    })
});
