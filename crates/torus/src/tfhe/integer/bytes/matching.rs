//! Comparison of a pattern with a string at many places at once.

use super::text::byte;
use super::{BYTE_BLOCKS, Padding, Text};
use crate::tfhe::integer::Integers;
use crate::tfhe::integer::blocks::{constant, nibbles, total, without_copies};
use crate::tfhe::integer::value::digits::SPACE;
use crate::tfhe::{Block, Error, Lut};

/// The greatest number of flags in one sum.
const MAX_FLAGS: usize = 16;

impl Integers {
    /// Returns, for each place up to `places`, flags that are all 0 if the pattern stands there.
    /// The string is continued by zero bytes; a pattern that is padded ends before its padding.
    pub(super) fn mismatches(
        &self,
        string: &[Block],
        pattern: Text<'_>,
        places: usize,
    ) -> Result<Vec<Vec<Block>>, Error> {
        let length = BYTE_BLOCKS * (places + pattern.capacity());
        let mut string = string.to_vec();
        string.resize(string.len().max(length), constant(0));
        match (pattern, pattern.padding()) {
            (Text::Clear(bytes), _) => self.clear_mismatches(&string, bytes, places),
            (Text::Encrypted(pattern), Padding::None) => {
                self.byte_mismatches(&string, pattern.blocks(), places)
            }
            (Text::Encrypted(pattern), Padding::Zeros) => {
                self.padded_mismatches(&string, pattern.blocks(), places)
            }
        }
    }

    /// Compares each nibble of the string with all nibbles of the pattern, by one bootstrap.
    fn clear_mismatches(
        &self,
        string: &[Block],
        pattern: &[u8],
        places: usize,
    ) -> Result<Vec<Vec<Block>>, Error> {
        // One table has a function for each different nibble of the pattern, so that a bootstrap
        // compares a nibble of the string for all places of the pattern that may meet it.
        let halves = [0, 4].map(|shift| {
            let half: Vec<i32> = pattern.iter().map(|byte| i32::from(byte >> shift & 15)).collect();
            let mut values = half.clone();
            values.sort_unstable();
            values.dedup();
            (half, values)
        });
        let used = places + pattern.len().saturating_sub(1);
        if pattern.is_empty() {
            return Ok(vec![Vec::new(); places]);
        }
        let tables = [other_than(&halves[0].1)?, other_than(&halves[1].1)?];
        let jobs = tables.iter().enumerate().flat_map(|(index, table)| {
            (0..used).map(move |place| (nibbles(byte(string, place)).swap_remove(index), table))
        });
        let flags = self.layer(&jobs.collect::<Vec<_>>())?;
        let flag = |place: usize, at: usize, index: usize| {
            let (half, values) = &halves[index];
            let function = values.iter().position(|value| *value == half[at]);
            flags[index * used + place + at][function.expect("the list has every nibble")].clone()
        };
        let of_place = |place| {
            let nibbles = (0..pattern.len()).flat_map(|at| [(at, 0), (at, 1)]);
            nibbles.map(|(at, index)| flag(place, at, index)).collect()
        };
        Ok((0..places).map(of_place).collect())
    }

    fn byte_mismatches(
        &self,
        string: &[Block],
        pattern: &[Block],
        places: usize,
    ) -> Result<Vec<Vec<Block>>, Error> {
        let jobs: Vec<Vec<_>> = (0..places)
            .map(|place| {
                let part = &string[BYTE_BLOCKS * place..][..pattern.len()];
                self.difference_jobs(part, pattern)
            })
            .collect();
        let mut flags = self.layer(&jobs.concat())?.into_iter().flatten();
        Ok(jobs.iter().map(|jobs| flags.by_ref().take(jobs.len()).collect()).collect())
    }

    /// Compares as `clear_mismatches` does with an encrypted pattern, whose zero bytes are padding:
    /// their flags do not count.
    fn padded_mismatches(
        &self,
        string: &[Block],
        pattern: &[Block],
        places: usize,
    ) -> Result<Vec<Vec<Block>>, Error> {
        let length = pattern.len() / BYTE_BLOCKS;
        let pairs = || (0..places).flat_map(|place| (0..length).map(move |at| (place, at)));
        let jobs: Vec<Vec<_>> = pairs()
            .map(|(place, at)| self.difference_jobs(byte(string, place + at), byte(pattern, at)))
            .collect();
        let present = pattern.chunks_exact(BYTE_BLOCKS).map(|byte| (total(byte), &self.tables.any));
        let all: Vec<_> = jobs.concat().into_iter().chain(present).collect();
        let mut flags = self.layer(&all)?.into_iter().flatten();
        let different: Vec<Block> = jobs
            .iter()
            .map(|jobs| total(&flags.by_ref().take(jobs.len()).collect::<Vec<_>>()))
            .collect();
        let present: Vec<Block> = flags.collect();
        // At most four flags of one byte, and 8 if the byte of the pattern is padding.
        let table = Lut::new(SPACE, 0..=12, |x| i32::from((1..8).contains(&x)))?;
        let inputs = pairs().zip(different).map(|((_, at), different)| {
            different.unchecked_add_scaled(&present[at].sub_from(1), 8)
        });
        let counted = self.apply_each(inputs, &table)?;
        Ok(counted.chunks(length.max(1)).map(<[Block]>::to_vec).collect())
    }

    /// Returns, for each list of flags, whether none of them is set.
    pub(super) fn none_of(&self, mut lists: Vec<Vec<Block>>) -> Result<Vec<Block>, Error> {
        loop {
            let sums: Vec<Vec<Block>> = lists.iter().map(|flags| self.sums(flags)).collect();
            // Lists that are one sum already wait for the longer ones, so that all of them share
            // the last layer.
            if sums.iter().all(|sums| sums.len() <= 1) {
                let sums = sums.iter().map(total);
                return self.apply_each(sums, &self.tables.none);
            }
            let long = |sums: &[Block]| sums.len() > 1;
            let inputs = sums.iter().filter(|sums| long(sums)).flatten().cloned();
            let mut flags = self.apply_each(inputs, &self.tables.any)?.into_iter();
            for (list, sums) in lists.iter_mut().zip(&sums).filter(|(_, sums)| long(sums)) {
                *list = flags.by_ref().take(sums.len()).collect();
            }
        }
    }

    /// Returns the sums of as many flags as a bootstrap can count.
    fn sums(&self, flags: &[Block]) -> Vec<Block> {
        let limit = self.params().max_noise_variance();
        let mut sums: Vec<Block> = Vec::new();
        let mut counted = 0;
        for flag in without_copies(flags) {
            let longer = sums.last().map(|sum| sum.unchecked_add(&flag));
            let longer = longer.filter(|sum| sum.noise_variance() <= limit && counted < MAX_FLAGS);
            if longer.is_some() {
                sums.pop();
            } else {
                counted = 0;
            }
            sums.push(longer.unwrap_or(flag));
            counted += 1;
        }
        sums
    }
}

/// Returns the table that tells of a nibble, for each value, whether it is another one.
fn other_than(values: &[i32]) -> Result<Lut, Error> {
    let functions: Vec<_> =
        values.iter().map(|&value| move |x: i32| i32::from(x != value)).collect();
    if let [one] = &functions[..] {
        return Lut::new(SPACE, 0..=15, one);
    }
    let functions: Vec<crate::tfhe::Function<'_>> =
        functions.iter().map(|f| f as crate::tfhe::Function<'_>).collect();
    Lut::multi_value(SPACE, 0..=15, &functions)
}
