//! Products with clear integers.

use super::U256;
use super::columns::{Columns, Form};
use super::digits::{DIGIT_BITS, SPACE, digit};
use super::radix::{Radix, constant, nibbles};
use crate::tfhe::{Block, Counts, Error, Function, Lut, Span};

/// Bits of two digits.
const NIBBLE_BITS: usize = 2 * DIGIT_BITS;

/// A clear factor as bits, least significant first.
pub(super) type Bits = Vec<bool>;

/// Returns the low `length` bits of a clear value.
pub(super) fn bits_of(value: U256, length: usize) -> Bits {
    (0..length).map(|i| (digit(value, i / DIGIT_BITS) >> (i % DIGIT_BITS)) & 1 == 1).collect()
}

impl Radix<'_> {
    /// Computes `a b` modulo the width.
    pub(super) fn product_clear(&self, a: &[Block], b: U256) -> Result<Vec<Block>, Error> {
        if b == U256::ZERO {
            return Ok(vec![constant(0); a.len()]);
        }
        if b.count_ones() == 1 {
            return self.shifted_left(a, b.trailing_zeros() as usize);
        }
        let tabled = self.cheapest_cut(a, b)?;
        self.product_cut(a, b, tabled)
    }

    /// Returns the number of low digits of `a` for which [`Radix::product_cut`] takes the fewest
    /// bootstraps. It is found by a simulation on clear integers, whose cost is negligible.
    fn cheapest_cut(&self, a: &[Block], b: U256) -> Result<usize, Error> {
        let simulated: Vec<_> = a.iter().map(Block::to_simulated).collect();
        let all = a.len();
        let mut cuts = vec![all, all.saturating_sub(2), all.saturating_sub(4), 0];
        cuts.dedup();
        let costs = cuts.iter().map(|&tabled| {
            let evaluator = self.evaluator().to_simulated();
            evaluator.radix()?.product_cut(&simulated, b, tabled)?;
            let Counts { bootstraps, layers } = evaluator.counts();
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
    pub(super) fn add_multiple(
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
