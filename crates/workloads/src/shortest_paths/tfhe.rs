//! `shortest-paths` on encrypted integers of TFHE.

use fathom::tfhe::integer::{FheBool, FheValue, Integers, RadixInt, ValueType};
use fathom::tfhe::{Lut, Params};

use super::graph::{is_reachability, pairs_through};
use crate::schemes::tfhe::{Encrypted, Field, Kind, Program};
use crate::work::Excerpt;
use crate::{Data, Error, Task};

/// The algorithm of Floyd and Warshall as a program on encrypted integers.
pub(super) const PROGRAM: Program = Program {
    method: "minima with sums, all pairs of one intermediate node at once",
    params: Params::INTEGERS,
    supports: |_| Ok(()),
    inputs: |task| matrix(task, "graph"),
    outputs: |task| matrix(task, "paths"),
    circuit,
    excerpt,
};

fn matrix(task: &Task, name: &'static str) -> Result<Vec<Field>, Error> {
    let (nodes, bits) = (task.number("nodes")?, task.number("bits")?);
    let kind = if is_reachability(task) { Kind::Truth } else { Kind::Integer(bits) };
    Ok(vec![Field::new(name, kind, nodes * nodes)])
}

/// The number of a shape that stops the computation after this number of intermediate nodes.
const ROUNDS: &str = "rounds";

/// The greatest number of nodes for which all rounds are simulated. All rounds cost the same.
const SIMULATED: u64 = 16;

fn excerpt(task: &Task) -> Option<Excerpt> {
    let nodes = *task.shape.get("nodes")?;
    let mut part = task.clone();
    part.shape.insert(ROUNDS.into(), 1);
    (nodes > SIMULATED).then_some(Excerpt { task: part, times: nodes })
}

fn circuit(
    integers: &Integers,
    task: &Task,
    _: &Data,
    inputs: &Encrypted,
) -> Result<Encrypted, Error> {
    let nodes = task.number("nodes")?;
    let rounds = task.number(ROUNDS).unwrap_or(nodes);
    if is_reachability(task) {
        let mut paths = inputs.truths("graph")?.to_vec();
        // Either two edges in a row or, with twice their weight, the path itself.
        let reachable = Lut::new(integers.params().space(), 0..=4, |x| i32::from(x >= 2))?;
        for k in 0..rounds {
            let pairs = pairs_through(nodes, k);
            let new = integers.map(&pairs, |integers, &(i, j)| {
                let [first, second] = [&paths[i * nodes + k], &paths[k * nodes + j]];
                let known = first.block().add(second.block())?;
                let known = known.add_scaled(paths[i * nodes + j].block(), 2)?;
                FheBool::from_block(integers.evaluator().apply(&known, &reachable)?)
            })?;
            for (&(i, j), path) in pairs.iter().zip(new) {
                paths[i * nodes + j] = path;
            }
        }
        return Ok(Encrypted::default().with_truths("paths", paths));
    }
    let mut paths = inputs.integers("graph")?.to_vec();
    for k in 0..rounds {
        let pairs = pairs_through(nodes, k);
        let new = integers.map(&pairs, |integers, &(i, j)| {
            let [first, second] = [&paths[i * nodes + k], &paths[k * nodes + j]];
            min_sum(integers, &paths[i * nodes + j], [first, second])
        })?;
        for (&(i, j), path) in pairs.iter().zip(new) {
            paths[i * nodes + j] = path;
        }
    }
    Ok(Encrypted::default().with_integers("paths", paths))
}

/// Computes the lesser of `a` and the exact sum `b + c`: one step of a shortest path.
///
/// The sum is not saturated: its carry is one more digit of it, which takes part in the comparison
/// as a sign, without a bootstrap. Cost: a sum, a comparison and a selection.
fn min_sum(
    integers: &Integers,
    a: &RadixInt,
    [b, c]: [&RadixInt; 2],
) -> Result<RadixInt, fathom::Error> {
    let (sum, carry) = integers.overflowing_add(b, c)?;
    let wide = ValueType::unsigned(a.bits() + 2)?;
    let exact = RadixInt::from_blocks(wide, [sum.blocks(), carry.blocks()].concat())?;
    let is_less = integers.lt(&exact, &integers.cast_to(a, wide)?)?;
    integers.select(&is_less, &sum, a)
}

#[cfg(test)]
mod tests {
    use fathom::tfhe::Block;
    use fathom::tfhe::integer::FheInteger;

    use super::*;

    #[test]
    fn a_sum_that_overflows_is_not_the_lesser() {
        let integers = Integers::simulated(&Params::preset(Params::INTEGERS).unwrap()).unwrap();
        let space = integers.params().space();
        // Numbers of bootstraps, as docs/maths/tfhe-programs.md states them.
        for (bits, bootstraps) in [(8, 11), (16, 22), (26, 36), (32, 43), (64, 86)] {
            let ty = ValueType::unsigned(bits).unwrap();
            let number = |value: u64| {
                RadixInt::from_digits(ty, value, |x| Block::simulated(space, x, (0, 3))).unwrap()
            };
            let most = u64::MAX >> (64 - bits);
            for (a, b, c) in [
                (most, most, 1),
                (most, most, most),
                (5, 2, 3),
                (5, 2, 2),
                (5, 3, 3),
                (0, most, 1),
                (most, most - 1, 1),
            ] {
                let before = integers.counts().bootstraps;
                let least = min_sum(&integers, &number(a), [&number(b), &number(c)]).unwrap();
                assert_eq!(integers.counts().bootstraps - before, bootstraps, "{bits} bits");
                let value = least.to_digits(|block| space.decode(block.lwe().body()));
                let expected = u128::from(a).min(u128::from(b) + u128::from(c));
                assert_eq!(value.to_string(), expected.to_string(), "min({a}, {b} + {c})");
            }
        }
    }
}
