//! `shortest-paths`: for each intermediate node, all pairs in parallel.

use fathom_workloads::{Data, Error, Task};
use rayon::prelude::*;
use tfhe::prelude::{FheOrd, IfThenElse, OverflowingAdd};
use tfhe::{FheBool, FheUint};

use super::columns::{Encrypted, Field, Kind};
use super::program::Program;
use super::width::{Width, with_width};

/// The program.
pub(super) const PROGRAM: Program = Program {
    method: "for each intermediate node the sums of all pairs, their overflow, and a selection",
    supports: |task| match is_reachability(task) {
        true => Ok(()),
        false => with_width!(task.number("bits")?, _Id => Ok(())),
    },
    inputs: |task| matrix(task, "graph"),
    outputs: |task| matrix(task, "paths"),
    circuit: |task, _: &Data, inputs| {
        let nodes = task.number("nodes")?;
        if is_reachability(task) {
            return improve(inputs, nodes, reach);
        }
        with_width!(task.number("bits")?, Id => improve(inputs, nodes, shorten::<Id>))
    },
};

/// Returns true if only the existence of paths is computed.
fn is_reachability(task: &Task) -> bool {
    task.variant == "reachability"
}

fn matrix(task: &Task, name: &'static str) -> Result<Vec<Field>, Error> {
    let nodes = task.number("nodes")?;
    let integer = || task.number("bits").map(Kind::Integer);
    let kind = if is_reachability(task) { Kind::Truth } else { integer()? };
    Ok(vec![Field::new(name, kind, nodes * nodes)])
}

/// Improves the paths of all pairs by each intermediate node in turn. A path that starts or ends
/// there, or that returns to its start, cannot improve.
fn improve<V: Clone + Send + Sync + 'static>(
    inputs: &Encrypted,
    nodes: usize,
    improved: fn(&V, &V, &V) -> V,
) -> Result<Encrypted, Error> {
    let mut paths = inputs.column::<V>("graph")?.to_vec();
    for k in 0..nodes {
        let may_improve = |&(i, j): &(usize, usize)| i != j && i != k && j != k;
        let all = (0..nodes).flat_map(|i| (0..nodes).map(move |j| (i, j)));
        let pairs: Vec<_> = all.filter(may_improve).collect();
        let path = |i: usize, j: usize| &paths[i * nodes + j];
        let improve = |&(i, j): &(usize, usize)| improved(path(i, j), path(i, k), path(k, j));
        let new: Vec<_> = pairs.par_iter().map(improve).collect();
        for (&(i, j), new) in pairs.iter().zip(new) {
            paths[i * nodes + j] = new;
        }
    }
    Ok(Encrypted::default().with("paths", paths))
}

/// Returns the shorter of a path and one through another node, whose length is the greatest value
/// if it overflows and therefore never shorter.
fn shorten<N: Width>(path: &FheUint<N>, first: &FheUint<N>, second: &FheUint<N>) -> FheUint<N> {
    let (sum, overflowed) = first.overflowing_add(second);
    let stays = overflowed | path.le(&sum);
    stays.if_then_else(path, &sum)
}

/// Returns whether there is a path, or one through another node.
fn reach(path: &FheBool, first: &FheBool, second: &FheBool) -> FheBool {
    path | (first & second)
}
