//! `shortest-paths`: the algorithm of Floyd and Warshall on a directed graph.

mod graph;
mod tfhe;

use std::sync::LazyLock;

use self::graph::is_reachability;
use crate::{Data, Error, Implementation, Inputs, Random, Spec, Task, Workload};

/// The shortest distances between all nodes of an encrypted directed graph, or which are reachable.
pub(crate) struct ShortestPaths;

impl Workload for ShortestPaths {
    fn spec(&self) -> &Spec {
        static SPEC: LazyLock<Spec> =
            LazyLock::new(|| Spec::parse(include_str!("../../specs/shortest-paths.toml")));
        &SPEC
    }

    fn generate(&self, task: &Task, random: &mut Random) -> Result<Inputs, Error> {
        let (nodes, bits) = (task.number("nodes")?, task.number("bits")? as u32);
        let greatest = u64::MAX >> (64 - bits);
        let mut graph = Vec::with_capacity(nodes * nodes);
        for (i, j) in (0..nodes).flat_map(|i| (0..nodes).map(move |j| (i, j))) {
            let edge = random.chance(3, 10);
            // Long edges make sums that saturate, edges of length 0 make ties.
            let length = match random.below(8) {
                0 => 0,
                1 => random.bits(bits),
                _ => random.below((greatest / 8).max(2)),
            };
            graph.push(match (i == j, edge, is_reachability(task)) {
                (true, _, false) => 0,
                (false, false, false) => greatest,
                (false, true, false) => length,
                (_, _, true) => u64::from(i == j || edge),
            });
        }
        let secret = Data::new().with_integers("graph", graph);
        Ok(Inputs { public: Data::new(), secret })
    }

    fn reference(&self, task: &Task, inputs: &Inputs) -> Result<Data, Error> {
        let nodes = task.number("nodes")?;
        let greatest = u64::MAX >> (64 - task.number("bits")?);
        let mut paths = inputs.secret.integers("graph")?.to_vec();
        for k in 0..nodes {
            for (i, j) in (0..nodes).flat_map(|i| (0..nodes).map(move |j| (i, j))) {
                let (first, second) = (paths[i * nodes + k], paths[k * nodes + j]);
                let path = &mut paths[i * nodes + j];
                *path = if is_reachability(task) {
                    *path | (first & second)
                } else {
                    (*path).min(first.saturating_add(second).min(greatest))
                };
            }
        }
        Ok(Data::new().with_integers("paths", paths))
    }

    fn implementations(&self) -> Vec<Box<dyn Implementation>> {
        vec![Box::new(tfhe::PROGRAM)]
    }
}
