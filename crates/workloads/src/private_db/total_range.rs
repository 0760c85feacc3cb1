//! The range of the total `salary + bonus`, without resolving all carries.
//!
//! Let `a` be the sum of the low nibbles, `b` that of the third digits, and `c` the sum of the
//! rest, so that the total is `a + 16 b + 64 c`. A sum may exceed its place by a carry. A lookup
//! table cannot return both the carry and a comparison of what remains, but it can return the
//! carry and their exclusive or: arguments that differ by 16 then have complementary values. Six
//! bootstraps in three layers compare the total with both ends of the range; the sum and two
//! comparisons take nine in six layers.

use fathom::tfhe::{Block, Evaluator, Lut, Space};

use super::query::TOTALS;
use super::row::Row;
use crate::Error;
use crate::schemes::blocks::{combination, layer, map, pair};

/// The ends of the range: a total is in it if it reaches the first and not the second.
const ENDS: [i32; 2] = [*TOTALS.start() as i32, *TOTALS.end() as i32 + 1];

/// The lookup tables.
struct Tables {
    /// The carry of the low nibbles, and for each end the exclusive or of the carry and whether
    /// the rest reaches that of the end.
    low: Lut,
    /// The table for each end: the difference of the high part `c` from that of the end, from -2 to
    /// 1.
    high: Lut,
    /// The tables for each end: the carry of the third digits and the exclusive or as above.
    middle: [Lut; 2],
    /// The table that tells whether a total reaches an end.
    reaches: Lut,
}

impl Tables {
    fn new(space: Space) -> Result<Self, Error> {
        let carry = |x: i32| i32::from(x >= 16);
        let low = ENDS.map(|end| move |x: i32| i32::from((x % 16 >= end % 16) != (x >= 16)));
        let high = ENDS.map(|end| move |x: i32| (x - end / 64).clamp(-2, 1));
        let middle = |end: i32| {
            Lut::multi_value(
                space,
                0..=27,
                &[&|x| i32::from(Middle::of(x, end).carry), &|x| {
                    let middle = Middle::of(x, end);
                    i32::from(middle.reaches != middle.carry)
                }],
            )
        };
        let reaches = |x: i32| {
            let (high, carry, mixed) = (x / 4 - 2, (x >> 1) & 1, x & 1);
            // Arriving at 1 beyond the end's high part, or at it with the rest reached.
            high + carry + (carry ^ mixed) > 0
        };
        Ok(Self {
            low: Lut::multi_value(space, 0..=30, &[&carry, &low[0], &low[1]])?,
            high: Lut::multi_value(space, 0..=18, &[&high[0], &high[1]])?,
            middle: [middle(ENDS[0])?, middle(ENDS[1])?],
            reaches: Lut::new(space, 0..=15, |x| i32::from(reaches(x)))?,
        })
    }
}

/// The part of a total below 64.
struct Middle {
    /// True if the part has a carry.
    carry: bool,
    /// True if the rest reaches that of the end.
    reaches: bool,
}

impl Middle {
    /// Reads the argument `4 b + 2 carry + mixed`, where `mixed` is the exclusive or of the carry
    /// and whether the low nibble reaches that of the end.
    fn of(argument: i32, end: i32) -> Self {
        let (digits, carry, mixed) = (argument >> 2, (argument >> 1) & 1, argument & 1);
        let sum = digits + carry;
        let rest = 2 * (sum % 4) + (carry ^ mixed);
        Self { carry: sum >= 4, reaches: rest > 2 * ((end / 16) % 4) }
    }
}

/// Returns for each row a block in -1 to 1, which is 1 if the total is in the range and 0
/// otherwise.
pub(super) fn in_range(evaluator: &Evaluator, rows: &[Row<'_>]) -> Result<Vec<Block>, Error> {
    let tables = Tables::new(evaluator.params().space())?;
    let mut jobs = Vec::with_capacity(2 * rows.len());
    let mut thirds = Vec::with_capacity(rows.len());
    for row in rows {
        let digits = row.salary.iter().zip(row.bonus).map(|(a, b)| a.add(b));
        let digits: Vec<Block> = digits.collect::<Result<_, _>>()?;
        jobs.push((pair(&digits[0], &digits[1])?, &tables.low));
        jobs.push((pair(&digits[3], &row.bonus[4])?, &tables.high));
        thirds.push(digits[2].clone());
    }
    let outputs = layer(evaluator, &jobs)?;
    let mut jobs = Vec::with_capacity(2 * rows.len());
    for (third, outputs) in thirds.iter().zip(outputs.chunks(2)) {
        let (carry, mixed) = (&outputs[0][0], &outputs[0][1..]);
        for (mixed, table) in mixed.iter().zip(&tables.middle) {
            jobs.push((combination(&[(third, 4), (carry, 2), (mixed, 1)])?, table));
        }
    }
    let highs = outputs.chunks(2).flat_map(|outputs| &outputs[1]);
    let mut sums = Vec::with_capacity(2 * rows.len());
    for (high, middle) in highs.zip(layer(evaluator, &jobs)?) {
        let sum = combination(&[(high, 4), (&middle[0], 2), (&middle[1], 1)])?;
        sums.push(sum.add_scalar(8));
    }
    let reached = map(evaluator, &sums, &tables.reaches)?;
    reached.chunks(2).map(|ends| Ok(ends[0].sub(&ends[1])?)).collect()
}
