//! `decision-tree` on blocks of TFHE.

use fathom::tfhe::integer::{FheValue, Integers, RadixInt, ValueType};
use fathom::tfhe::{Block, Lut, Params};

use super::branch::{Parts, differences, parts};
use super::model::{LABEL_BITS, MOST_BITS, MOST_DEPTH, MOST_TREES, Model, SCORE_BITS};
use super::plain::{Nodes, comparisons};
use super::walk::{Leaves, Walk, labels};
use crate::schemes::blocks::{layer, pair};
use crate::schemes::tfhe::{Encrypted, Field, Kind, Program};
use crate::work::Excerpt;
use crate::{Data, Error, Task};

/// The walks of queries through trees as a program on blocks.
pub(super) const PROGRAM: Program = Program {
    method: "one comparison a level, of the node that encrypted tables select by the path so far",
    params: Params::INTEGERS,
    supports,
    inputs,
    outputs,
    circuit,
    excerpt,
};

/// Number of walks that are computed at once, so that memory does not grow with the queries.
const PART: usize = 64;

/// Queries are independent, and as many are simulated as are computed at once, but one at least.
fn excerpt(task: &Task) -> Option<Excerpt> {
    let trees = (*task.shape.get("trees")?).max(1);
    Excerpt::of_number(task, "queries", (PART as u64 / trees).max(1))
}

fn supports(task: &Task) -> Result<(), Error> {
    let model = Model::of(task)?;
    let limits = [
        ("trees", model.trees, MOST_TREES),
        ("levels", model.depth, MOST_DEPTH),
        ("bits", model.bits, MOST_BITS),
    ];
    let refused = limits.iter().find(|(_, number, most)| *number == 0 || number > most);
    match refused {
        Some((what, number, most)) => {
            let reason = format!("{number} {what}, not from 1 to {most}");
            Err(Error::Unsupported { scheme: "tfhe", reason })
        }
        None => Ok(()),
    }
}

fn inputs(task: &Task) -> Result<Vec<Field>, Error> {
    let model = Model::of(task)?;
    let kind = Kind::Integer(model.bits);
    let mut fields = vec![Field::new("query", kind, model.queries * model.features)];
    if model.encrypted {
        fields.push(Field::new("threshold", kind, model.trees * model.nodes()));
        let label = Kind::Integer(LABEL_BITS);
        fields.push(Field::new("label", label, model.trees * model.leaves()));
    }
    Ok(fields)
}

fn outputs(task: &Task) -> Result<Vec<Field>, Error> {
    let model = Model::of(task)?;
    let kind = if model.trees == 1 { Kind::Block } else { Kind::Integer(SCORE_BITS) };
    Ok(vec![Field::new("score", kind, model.queries)])
}

fn circuit(
    integers: &Integers,
    task: &Task,
    public: &Data,
    inputs: &Encrypted,
) -> Result<Encrypted, Error> {
    let model = Model::of(task)?;
    let features = public.integers("feature")?;
    model.check_features(features)?;
    let queries = inputs.integers("query")?.chunks(model.features);
    let queries: Vec<Vec<&[Block]>> =
        queries.map(|query| query.iter().map(FheValue::blocks).collect()).collect();
    let mut reached = Vec::with_capacity(model.queries * model.trees);
    for queries in queries.chunks((PART / model.trees).max(1)) {
        let trees = if model.encrypted {
            encrypted_walks(&model, features, inputs, queries)?
        } else {
            plain_walks(integers, &model, public, queries)?
        };
        let mut trees = trees.into_iter();
        loop {
            let walks: Vec<Walk> = trees.by_ref().take(PART).collect();
            if walks.is_empty() {
                break;
            }
            reached.extend(labels(integers.evaluator(), walks)?);
        }
    }
    if model.trees == 1 {
        return Ok(Encrypted::default().with_blocks("score", reached));
    }
    let scores = sums(integers, &reached, model.trees)?;
    Ok(Encrypted::default().with_integers("score", scores))
}

/// Returns the walks of all queries in all trees, query by query, for encrypted thresholds.
fn encrypted_walks(
    model: &Model,
    features: &[u64],
    inputs: &Encrypted,
    queries: &[Vec<&[Block]>],
) -> Result<Vec<Walk>, Error> {
    let thresholds = inputs.integers("threshold")?.iter().map(|value| parts(value.blocks()));
    let thresholds = thresholds.collect::<Result<Vec<_>, _>>()?;
    let labels = inputs.integers("label")?.iter().map(|label| {
        let digits = label.blocks();
        Ok(vec![pair(&digits[0], &digits[1])?])
    });
    let labels = labels.collect::<Result<Vec<Parts>, Error>>()?;
    let mut walks = Vec::with_capacity(queries.len() * model.trees);
    for query in queries {
        let query = query.iter().map(|digits| parts(digits)).collect::<Result<Vec<_>, _>>()?;
        let nodes = features.iter().zip(&thresholds);
        let nodes =
            nodes.map(|(&feature, threshold)| differences(&query[feature as usize], threshold));
        let nodes = nodes.collect::<Result<Vec<_>, _>>()?;
        let leaves = labels.chunks(model.leaves());
        walks.extend(nodes.chunks(model.nodes()).zip(leaves).map(|(nodes, leaves)| Walk {
            levels: levels(nodes),
            leaves: Leaves::Encrypted(leaves.to_vec()),
        }));
    }
    Ok(walks)
}

/// Returns the walks of all queries in all trees, query by query, for public thresholds.
fn plain_walks(
    integers: &Integers,
    model: &Model,
    public: &Data,
    queries: &[Vec<&[Block]>],
) -> Result<Vec<Walk>, Error> {
    let nodes =
        Nodes { features: public.integers("feature")?, thresholds: public.integers("threshold")? };
    let labels = public.integers("label")?;
    let mut walks = Vec::with_capacity(queries.len() * model.trees);
    for nodes in comparisons(integers.evaluator(), model, nodes, queries)? {
        let leaves = labels.chunks(model.leaves());
        walks.extend(nodes.chunks(model.nodes()).zip(leaves).map(|(nodes, leaves)| Walk {
            levels: levels(nodes),
            leaves: Leaves::Clear(leaves.to_vec()),
        }));
    }
    Ok(walks)
}

/// Cuts the nodes of a tree into its levels, of which each has twice as many as the one above.
fn levels(nodes: &[Parts]) -> Vec<Vec<Parts>> {
    let mut levels = Vec::new();
    let mut rest = nodes;
    while !rest.is_empty() {
        let (level, below) = rest.split_at((1 << levels.len()).min(rest.len()));
        levels.push(level.to_vec());
        rest = below;
    }
    levels
}

/// Returns the sums of the labels of all trees, query by query.
fn sums(integers: &Integers, labels: &[Block], trees: usize) -> Result<Vec<RadixInt>, Error> {
    let digits = Lut::multi_value(integers.params().space(), 0..=15, &[&|x| x & 3, &|x| x >> 2])?;
    let jobs: Vec<_> = labels.iter().map(|label| (label.clone(), &digits)).collect();
    let digits = layer(integers.evaluator(), &jobs)?;
    let queries = digits.chunks(trees).map(|trees| {
        [0, 1].map(|place| trees.iter().map(|digits| digits[place].clone()).collect::<Vec<_>>())
    });
    let ty = ValueType::unsigned(SCORE_BITS)?;
    let queries: Vec<_> = queries.collect();
    Ok(integers.map(&queries, |integers, columns| integers.sum_columns(ty, columns))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_of_all_sizes_are_right() {
        for variant in ["encrypted-model", "plain-model"] {
            for size in ["tiny", "small", "d6", "medium", "forest"] {
                PROGRAM.check_in_the_clear(["decision-tree", variant, size], 8);
            }
        }
    }

    #[test]
    fn features_of_all_widths_are_compared() {
        let workload = crate::find("decision-tree").unwrap();
        for variant in ["encrypted-model", "plain-model"] {
            for bits in [2, 4, 6, 8, 10, 12, 14, 16] {
                let mut task = Task::new(workload.spec(), variant, "batch").unwrap();
                task.shape.insert("bits".into(), bits);
                task.shape.insert("depth".into(), 5);
                let inputs = workload.inputs(&task, bits).unwrap();
                let outputs = PROGRAM.compute_in_the_clear(&task, &inputs).unwrap();
                workload.verify(&task, &inputs, &outputs).unwrap();
            }
        }
    }

    #[test]
    fn a_feature_that_does_not_exist_is_refused() {
        let workload = crate::find("decision-tree").unwrap();
        let task = Task::new(workload.spec(), "plain-model", "tiny").unwrap();
        let mut inputs = workload.inputs(&task, 1).unwrap();
        inputs.public = inputs.public.with_integers("feature", vec![0, 2, 1]);
        PROGRAM.compute_in_the_clear(&task, &inputs).unwrap_err();
        inputs.public = inputs.public.with_integers("feature", vec![0, 1]);
        PROGRAM.compute_in_the_clear(&task, &inputs).unwrap_err();
    }
}
