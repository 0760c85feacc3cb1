//! Sorting of short lists by ranks.
//!
//! The rank of an element is the number of elements before it in order. It is a sum of truth
//! values, which is itself the index of a lookup: the digits of the element lie in an encrypted
//! table of zeros, and reading this table at all places less the rank returns the digit at one
//! place, its rank, and zeros at the others. The sums over all elements are the sorted list.

use super::sort::{Element, Key};
use crate::tfhe::encrypted_table::Lookup;
use crate::tfhe::integer::Integers;
use crate::tfhe::integer::blocks::{constant, total};
use crate::tfhe::integer::value::digits::{DIGIT_MAX, SPACE};
use crate::tfhe::{Block, Error, Lut};

/// The greatest number of elements: the number of values in an encrypted table.
pub(super) const MOST: usize = SPACE.half() as usize;

impl Integers {
    /// Sorts parts of a list, of at most [`MOST`] elements each.
    pub(super) fn rank_sort(
        &self,
        parts: &[&[Element]],
        key: Key,
    ) -> Result<Vec<Vec<Element>>, Error> {
        let compared: Vec<(&Element, &Element)> = parts
            .iter()
            .flat_map(|part| pairs(part.len()).map(|(i, j)| (&part[i], &part[j])))
            .collect();
        // Whether the first of the pair comes after the second. Equal elements keep their order.
        let mut flags = self
            .map(&compared, |integers, (a, b)| {
                let [a, b] = [a, b].map(|element| &element[..key.length]);
                integers.order(a, b, key.signed, &integers.tables.greater)
            })?
            .into_iter();
        let mut lists: Vec<Vec<Vec<Block>>> =
            parts.iter().map(|part| vec![Vec::new(); part.len()]).collect();
        for (part, list) in parts.iter().zip(&mut lists) {
            for (i, j) in pairs(part.len()) {
                let after = flags.next().expect("there is a flag for each pair");
                list[j].push(after.sub_from(1));
                list[i].push(after);
            }
        }
        let ranks = self.ranks(lists.into_iter().flatten().collect())?;
        self.moved_to_ranks(parts, &ranks)
    }
}

/// Returns all pairs of indices below `count`, the lesser first.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |i| (i + 1..count).map(move |j| (i, j)))
}

impl Integers {
    /// Returns the sum of each list of flags. If copies of flags add up to more noise than a
    /// bootstrap takes, partial sums are bootstrapped first.
    fn ranks(&self, lists: Vec<Vec<Block>>) -> Result<Vec<Block>, Error> {
        let limit = self.params().max_noise_variance();
        let identity = Lut::new(SPACE, 0..=SPACE.half() - 1, |x| x)?;
        let mut jobs = Vec::new();
        let sums: Vec<Block> = lists.iter().map(total).collect();
        for (sum, flags) in sums.iter().zip(&lists) {
            if sum.noise_variance() > limit {
                jobs.extend(flags.chunks(MOST / 4).map(|flags| (total(flags), &identity)));
            }
        }
        let mut parts = self.layer(&jobs)?.into_iter().flatten();
        let rank = |(sum, flags): (Block, &Vec<Block>)| {
            let count = flags.len().div_ceil(MOST / 4);
            if sum.noise_variance() <= limit {
                sum
            } else {
                total(&parts.by_ref().take(count).collect::<Vec<_>>())
            }
        };
        Ok(sums.into_iter().zip(&lists).map(rank).collect())
    }

    /// Moves every element to its rank within its part.
    fn moved_to_ranks(
        &self,
        parts: &[&[Element]],
        ranks: &[Block],
    ) -> Result<Vec<Vec<Element>>, Error> {
        let ranks: Vec<Block> = ranks.iter().map(|rank| rank.mul_scalar(-1)).collect();
        let (mut slots, mut places) = (Vec::new(), Vec::new());
        for part in parts {
            let (together, spacing) = layout(part.len());
            for digits in part.iter().flat_map(|element| element.chunks(together)) {
                let mut table = vec![constant(0); MOST];
                let mut read = Vec::new();
                for (index, digit) in digits.iter().enumerate() {
                    table[index * spacing] = digit.clone();
                    read.extend((0..part.len()).map(|place| index * spacing + place));
                }
                slots.push(table);
                places.push(read);
            }
        }
        let tables = self.evaluator().tables(slots)?;
        let elements =
            parts.iter().flat_map(|part| part.iter().map(move |element| (part.len(), element)));
        let indices = elements.zip(&ranks).flat_map(|((count, element), rank)| {
            std::iter::repeat_n(rank, element.len().div_ceil(layout(count).0))
        });
        let lookups = indices.zip(&tables).zip(&places);
        let lookups: Vec<_> =
            lookups.map(|((index, table), places)| Lookup { index, table, places }).collect();
        let mut read = self.evaluator().look_up(&lookups)?.into_iter().flatten();
        // For each part, place and digit, the contributions of all elements.
        let mut contributions = Vec::new();
        for part in parts {
            let digits = part.first().map_or(0, Vec::len);
            let mut sums = vec![vec![Vec::with_capacity(part.len()); digits]; part.len()];
            for _ in *part {
                for digit in 0..digits {
                    for place in &mut sums {
                        let block = read.next().expect("every place of every digit was read");
                        place[digit].push(block);
                    }
                }
            }
            contributions.push(sums);
        }
        let flat: Vec<_> = contributions.iter().flatten().flatten().map(Vec::as_slice).collect();
        let mut sums = self.single_nonzero(&flat)?.into_iter();
        let element = |digits: &Vec<Vec<Block>>| sums.by_ref().take(digits.len()).collect();
        let mut element = element;
        Ok(contributions.iter().map(|part| part.iter().map(&mut element).collect()).collect())
    }

    /// Returns the sum of each list of digits, at most one of which is nonzero, as a canonical
    /// digit.
    fn single_nonzero(&self, lists: &[&[Block]]) -> Result<Vec<Block>, Error> {
        let limit = self.params().max_noise_variance();
        let sum = |digits: &[Block]| total(digits).within(0, DIGIT_MAX);
        let sums: Vec<Block> = lists.iter().map(|digits| sum(digits)).collect();
        let mut jobs = Vec::new();
        for (digits, whole) in lists.iter().zip(&sums) {
            if whole.noise_variance() <= limit {
                jobs.push((whole.clone(), &self.tables.message));
            } else {
                // Two outputs have no more noise together than a digit may have.
                let halves = digits.chunks(digits.len().div_ceil(2));
                jobs.extend(halves.map(|digits| (sum(digits), &self.tables.message)));
            }
        }
        let mut fresh = self.layer(&jobs)?.into_iter().flatten();
        let mut next = || fresh.next().expect("there is an output for each job");
        let result = |(digits, whole): (&&[Block], &Block)| {
            let first = next();
            if whole.noise_variance() <= limit || digits.len() < 2 {
                first
            } else {
                first.unchecked_add(&next()).within(0, DIGIT_MAX)
            }
        };
        Ok(lists.iter().zip(&sums).map(result).collect())
    }
}

/// Returns the number of digits that share a table, and the distance between them, for lists of
/// `count` elements.
pub(super) fn layout(count: usize) -> (usize, usize) {
    let together = MOST / count.clamp(1, MOST);
    (together, MOST / together)
}
