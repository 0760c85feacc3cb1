//! The comparison at a node: `query > threshold`, from the differences of the parts of both.

use fathom::tfhe::{Block, Evaluator, Lut};

use crate::Error;
use crate::schemes::blocks::{map, pair};

/// The parts of a comparison, the most significant first: integers from -15 to 15, of which the
/// first that is not 0 has the sign of the difference.
pub(super) type Parts = Vec<Block>;

/// Returns the parts of an integer from its digits, the most significant first: nibbles, and the
/// lowest digit alone if the number of digits is odd.
pub(super) fn parts(digits: &[Block]) -> Result<Vec<Block>, Error> {
    let (alone, rest) = digits.split_at(digits.len() % 2);
    let nibbles = rest.chunks(2).rev().map(|digits| pair(&digits[0], &digits[1]));
    let mut parts = nibbles.collect::<Result<Vec<_>, _>>()?;
    parts.extend(alone.iter().cloned());
    Ok(parts)
}

/// Returns the differences of the parts of two integers.
pub(super) fn differences(query: &[Block], threshold: &[Block]) -> Result<Parts, Error> {
    let pairs = query.iter().zip(threshold);
    pairs.map(|(query, threshold)| Ok(query.sub(threshold)?)).collect()
}

/// Returns for every comparison 1 if the difference is positive, else 0. All have the same number
/// of parts, and take one bootstrap for each.
///
/// The difference is positive if its highest part is, or if that is 0 and the rest is positive:
/// if the sum of the highest part and the truth value of the rest is positive. That sum is from -15
/// to 16, and of two arguments that differ by 16 exactly one is positive, as a lookup table needs.
pub(super) fn positive(evaluator: &Evaluator, comparisons: &[Parts]) -> Result<Vec<Block>, Error> {
    let space = evaluator.params().space();
    let table = Lut::new(space, -15..=16, |x| i32::from(x > 0))?;
    let count = comparisons.first().map_or(0, Vec::len);
    let mut truths = vec![Block::trivial(space, 0); comparisons.len()];
    for part in (0..count).rev() {
        let sums = comparisons.iter().zip(&truths).map(|(parts, truth)| parts[part].add(truth));
        truths = map(evaluator, &sums.collect::<Result<Vec<_>, _>>()?, &table)?;
    }
    Ok(truths)
}
