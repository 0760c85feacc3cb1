//! Layers of lookup tables on blocks of TFHE, for circuits that are finer than operations on
//! integers.

use fathom::tfhe::{Block, Evaluator, Job, Lut};

use crate::Error;

/// Evaluates independent lookup tables in one layer and returns the outputs of each.
pub(crate) fn layer(
    evaluator: &Evaluator,
    jobs: &[(Block, &Lut)],
) -> Result<Vec<Vec<Block>>, Error> {
    let jobs: Vec<_> = jobs.iter().map(|(input, lut)| Job { input, lut }).collect();
    Ok(evaluator.bootstrap(&jobs)?)
}

/// Evaluates a table of one function on every input, in one layer.
pub(crate) fn map(evaluator: &Evaluator, inputs: &[Block], lut: &Lut) -> Result<Vec<Block>, Error> {
    let jobs: Vec<_> = inputs.iter().map(|input| Job { input, lut }).collect();
    Ok(evaluator.bootstrap(&jobs)?.into_iter().flatten().collect())
}

/// Returns `low + 4 high`.
pub(crate) fn pair(low: &Block, high: &Block) -> Result<Block, Error> {
    Ok(low.add_scaled(high, 4)?)
}

/// Returns the sum of `factor * block` over all terms, of which there is at least one.
pub(crate) fn combination(terms: &[(&Block, i32)]) -> Result<Block, Error> {
    let zero = Block::trivial(terms[0].0.space(), 0);
    let add = |sum: Block, (block, factor): &(&Block, i32)| sum.add_scaled(block, *factor);
    Ok(terms.iter().try_fold(zero, add)?)
}
