//! `shortest-paths` on encrypted integers of TFHE.

use fathom::tfhe::integer::{FheBool, Integers};
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
                FheBool::from_block(integers.apply(&known, &reachable)?)
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
            integers.min_sum(&paths[i * nodes + j], first, second)
        })?;
        for (&(i, j), path) in pairs.iter().zip(new) {
            paths[i * nodes + j] = path;
        }
    }
    Ok(Encrypted::default().with_integers("paths", paths))
}
