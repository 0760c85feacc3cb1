//! Products with clear integers.
//!
//! A nibble of `a` has 16 values, so that one multi-value bootstrap returns every bit of its
//! multiple of `b`, and the bits are added in columns: half a bootstrap per digit before that sum.
//! High digits have few bits of their multiples below the width. For them, sums of shifted copies
//! may be cheaper, which take no bootstrap before the sum but leave more summands: `b` is recoded
//! to digits -1, 0, 1 and 2, and a negative one adds the complement of a digit and a constant.
//!
//! Which of the two is cheaper for how many digits depends on `b` in no simple way: on where
//! groups of 15 fill up. [`Integers::cheapest_cut`] therefore simulates four cuts on clear blocks,
//! which takes microseconds to milliseconds, beside bootstraps of milliseconds each.

use super::columns::{Columns, Form};
use crate::tfhe::integer::blocks::{complement, constant, nibbles};
use crate::tfhe::integer::value::digits::{DIGIT_BITS, DIGIT_MAX, SPACE, digit};
use crate::tfhe::integer::{Integers, U256};
use crate::tfhe::{Block, Counts, Error, Function, Lut, Span};

/// Bits of two digits.
const NIBBLE_BITS: usize = 2 * DIGIT_BITS;

/// A clear factor as bits, least significant first.
pub(in crate::tfhe::integer) type Bits = Vec<bool>;

/// Returns the low `length` bits of a clear value.
pub(in crate::tfhe::integer) fn bits_of(value: U256, length: usize) -> Bits {
    (0..length).map(|i| (digit(value, i / DIGIT_BITS) >> (i % DIGIT_BITS)) & 1 == 1).collect()
}

impl Integers {
    /// Computes `a b` modulo the width.
    pub(in crate::tfhe::integer) fn product_clear(
        &self,
        a: &[Block],
        b: U256,
    ) -> Result<Vec<Block>, Error> {
        if b == U256::ZERO {
            return Ok(vec![constant(0); a.len()]);
        }
        if b.count_ones() == 1 {
            return self.shifted_left(a, b.trailing_zeros() as usize);
        }
        let tabled = self.cheapest_cut(a, b)?;
        self.product_cut(a, b, tabled)
    }

    /// Returns the number of low digits of `a` for which [`Integers::product_cut`] takes the fewest
    /// bootstraps. It is found by a simulation on clear integers, whose cost is negligible.
    fn cheapest_cut(&self, a: &[Block], b: U256) -> Result<usize, Error> {
        let simulated: Vec<_> = a.iter().map(Block::to_simulated).collect();
        let all = a.len();
        let mut cuts = vec![all, all.saturating_sub(2), all.saturating_sub(4), 0];
        cuts.dedup();
        let costs = cuts.iter().map(|&tabled| {
            let integers = Integers::over(self.evaluator().to_simulated());
            integers.product_cut(&simulated, b, tabled)?;
            let Counts { bootstraps, layers } = integers.counts();
            Ok((bootstraps, layers))
        });
        let costs = costs.collect::<Result<Vec<_>, Error>>()?;
        let cheapest = costs.into_iter().zip(cuts).min();
        Ok(cheapest.expect("there are cuts to choose from").1)
    }

    /// Computes `a b` modulo the width: the multiples of the `tabled` low digits of `a` by lookup
    /// tables, those of the other digits as sums of shifted copies.
    fn product_cut(&self, a: &[Block], b: U256, tabled: usize) -> Result<Vec<Block>, Error> {
        let bits = DIGIT_BITS * a.len();
        let (low, high) = a.split_at(tabled);
        let form = if low.is_empty() { Form::Digits } else { Form::Bits };
        let mut columns = Columns::new(form, bits);
        self.add_multiple(&mut columns, low, &bits_of(b, bits))?;
        columns.add_shifted_copies(high, tabled, b);
        self.column_digits(columns, 0)
    }

    /// Adds `a b` to columns. One bootstrap maps a nibble of `a` to all bits of its multiple.
    pub(in crate::tfhe::integer) fn add_multiple(
        &self,
        columns: &mut Columns,
        a: &[Block],
        b: &[bool],
    ) -> Result<(), Error> {
        let nibbles = nibbles(a);
        let values = if a.len() == 1 { 1 << DIGIT_BITS } else { 1 << NIBBLE_BITS };
        let multiples = multiples(b, values, columns.places());
        // The higher the nibble, the fewer of its bits are within the width.
        let mut inputs = Vec::new();
        for (index, nibble) in nibbles.into_iter().enumerate() {
            let place = NIBBLE_BITS * index;
            let (places, functions) = used_bits(&multiples, columns.places() - place);
            if !places.is_empty() && nibble.span() != Span::of(0) {
                let functions: Vec<_> = functions.iter().map(|f| f as Function<'_>).collect();
                let table = Lut::multi_value(SPACE, 0..=values as i32 - 1, &functions)?;
                inputs.push((place, places, nibble, table));
            }
        }
        let jobs: Vec<_> =
            inputs.iter().map(|(_, _, nibble, table)| (nibble.clone(), table)).collect();
        for ((start, places, _, _), outputs) in inputs.iter().zip(self.layer(&jobs)?) {
            for (place, output) in places.iter().zip(outputs) {
                columns.push(start + place, output);
            }
        }
        Ok(())
    }
}

/// Returns the places below `length` at which a multiple can have a bit, with that bit as a
/// function of the factor.
fn used_bits(multiples: &[Bits], length: usize) -> (Vec<usize>, Vec<impl Fn(i32) -> i32 + '_>) {
    let used = (0..length).filter(|&place| multiples.iter().any(|multiple| multiple[place]));
    let places: Vec<_> = used.collect();
    let bit = |&place: &usize| move |x: i32| i32::from(multiples[x as usize][place]);
    let functions = places.iter().map(bit).collect();
    (places, functions)
}

/// Returns `x b` for each `x`, to `length` bits.
fn multiples(b: &[bool], values: usize, length: usize) -> Vec<Bits> {
    let mut multiples = vec![vec![false; length]];
    for x in 1..values {
        let previous = &multiples[x - 1];
        let mut carry = 0;
        let sum = (0..length).map(|i| {
            let sum = carry + u8::from(previous[i]) + u8::from(b.get(i) == Some(&true));
            carry = sum >> 1;
            sum & 1 == 1
        });
        multiples.push(sum.collect());
    }
    multiples
}

impl Columns {
    /// Adds `4^start a b` modulo the width of the columns.
    fn add_shifted_copies(&mut self, a: &[Block], start: usize, b: U256) {
        let digits = self.places() / DIGIT_BITS;
        let factors = signed_digits(b, digits);
        // A digit is subtracted by adding its complement `3 - digit` and subtracting 3.
        let mut correction = U256::ZERO;
        for (index, block) in a.iter().enumerate() {
            for (place, &factor) in (start + index..digits).zip(&factors) {
                let place = DIGIT_BITS * place;
                if factor < 0 {
                    self.push(place, complement(block));
                    let borrowed = U256::from(DIGIT_MAX as u8) << place as u32;
                    correction = correction.wrapping_sub(borrowed);
                } else {
                    self.push(place, block.mul_scalar(factor));
                }
            }
        }
        for place in 0..digits {
            self.push(DIGIT_BITS * place, constant(digit(correction, place)));
        }
    }
}

/// Returns the low `count` digits of `b` in base 4, recoded to -1, 0, 1 and 2.
fn signed_digits(b: U256, count: usize) -> Vec<i32> {
    let mut carry = 0;
    let signed = (0..count).map(|place| {
        let digit = digit(b, place) + carry;
        carry = i32::from(digit >= DIGIT_MAX);
        digit - 4 * carry
    });
    signed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_digits_are_those_of_the_value() {
        assert_eq!(signed_digits(U256::from(77u8), 4), [1, -1, 1, 1]);
        assert_eq!(signed_digits(U256::from(255u8), 4), [-1, 0, 0, 0]);
        assert_eq!(signed_digits(U256::from(2u8), 2), [2, 0]);
        for value in 0..=255u8 {
            let digits = signed_digits(U256::from(value), 4);
            assert!(digits.iter().all(|digit| (-1..=2).contains(digit)));
            let sum: i32 = digits.iter().rev().fold(0, |sum, digit| 4 * sum + digit);
            assert_eq!(sum.rem_euclid(256), i32::from(value));
        }
    }
}
