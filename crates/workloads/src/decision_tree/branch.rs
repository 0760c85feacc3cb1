//! The comparison at a node: `query > threshold`, from the differences of the parts of both.

use fathom::tfhe::{Block, Evaluator, Lut};

use crate::Error;
use crate::schemes::blocks::{combination, map, pair};

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
/// of parts.
///
/// A sum of signs with weights in a ratio of 2 has the sign of the first that is not 0. If the last
/// part is small, its sign is not needed: its value is added, and the weights of the signs start
/// above it.
pub(super) fn positive(evaluator: &Evaluator, comparisons: &[Parts]) -> Result<Vec<Block>, Error> {
    let space = evaluator.params().space();
    let Some(first) = comparisons.first() else { return Ok(Vec::new()) };
    let count = first.len();
    let greatest = |parts: &Parts| parts[count - 1].range().1.max(-parts[count - 1].range().0);
    let last = comparisons.iter().map(greatest).max().unwrap_or(0);
    let sum = last + (last + 1) * ((1 << (count - 1)) - 1);
    let (signed, unit) = if sum < space.half() { (count - 1, last + 1) } else { (count, 1) };
    let sign = Lut::negacyclic(space, 0, &[&|x| x.signum()])?;
    let inputs: Vec<_> = comparisons.iter().flat_map(|parts| &parts[..signed]).cloned().collect();
    let signs = map(evaluator, &inputs, &sign)?;
    let mut sums = Vec::with_capacity(comparisons.len());
    for (index, parts) in comparisons.iter().enumerate() {
        let signs = signs[signed * index..].iter().take(signed);
        let weights = (0..signed).rev().map(|place| unit << place);
        let mut terms: Vec<(&Block, i32)> = signs.zip(weights).collect();
        terms.extend(parts[signed..].iter().map(|part| (part, 1)));
        sums.push(combination(&terms)?);
    }
    let above = Lut::negacyclic(space, 1, &[&|x| i32::from(x > 0)])?;
    map(evaluator, &sums, &above)
}
