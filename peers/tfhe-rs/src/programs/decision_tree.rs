//! `decision-tree`: comparisons at all nodes in parallel, then selections from the leaves up.

use fathom_workloads::{Data, Error, Task};
use rayon::prelude::*;
use tfhe::prelude::{CastFrom, FheOrd, FheTrivialEncrypt, IfThenElse};
use tfhe::{FheBool, FheUint, FheUint4, FheUint12};

use super::columns::{Encrypted, Field, Kind};
use super::program::Program;
use super::width::{Width, with_width};

/// The program.
pub(super) const PROGRAM: Program = Program {
    method: "comparisons at all nodes in parallel, selections from the leaves up, sums of labels",
    supports: |task| {
        if task.number("trees")? > MOST_TREES {
            let reason = format!("more than the {MOST_TREES} trees whose score has 12 bits");
            return Err(Error::Unsupported { scheme: "tfhe", reason });
        }
        with_width!(task.number("bits")?, _Id => Ok(()))
    },
    inputs,
    outputs,
    circuit: circuit_of_width,
};

fn circuit_of_width(task: &Task, public: &Data, inputs: &Encrypted) -> Result<Encrypted, Error> {
    with_width!(task.number("bits")?, Id => circuit::<Id>(task, public, inputs))
}

/// The greatest number of trees whose labels of 4 bits have a sum of 12 bits.
const MOST_TREES: usize = 256;

/// Compares a query with the threshold of a node: true goes to the right.
type Comparison<'a, N> = &'a (dyn Fn(&[FheUint<N>], usize) -> FheBool + Sync);

fn is_encrypted(task: &Task) -> bool {
    task.variant == "encrypted-model"
}

/// Returns the numbers of nodes and of leaves of a tree.
fn sizes(task: &Task) -> Result<(usize, usize), Error> {
    let leaves = 1 << task.number("depth")?;
    Ok((leaves - 1, leaves))
}

fn inputs(task: &Task) -> Result<Vec<Field>, Error> {
    let (queries, trees) = (task.number("queries")?, task.number("trees")?);
    let (nodes, leaves) = sizes(task)?;
    let kind = Kind::Integer(task.number("bits")?);
    let mut fields = vec![Field::new("query", kind, queries * task.number("features")?)];
    if is_encrypted(task) {
        fields.push(Field::new("threshold", kind, trees * nodes));
        fields.push(Field::new("label", Kind::Integer(4), trees * leaves));
    }
    Ok(fields)
}

fn outputs(task: &Task) -> Result<Vec<Field>, Error> {
    let bits = if task.number("trees")? == 1 { 4 } else { 12 };
    Ok(vec![Field::new("score", Kind::Integer(bits), task.number("queries")?)])
}

fn circuit<N: Width>(task: &Task, public: &Data, inputs: &Encrypted) -> Result<Encrypted, Error> {
    let features = public.integers("feature")?;
    let (nodes, leaves) = sizes(task)?;
    let trees = task.number("trees")?;
    let width = task.number("features")?;
    check("feature", features, trees * nodes, width as u64)?;
    let queries = inputs.column::<FheUint<N>>("query")?.par_chunks(width);
    let labels: Vec<Vec<FheUint4>> = if is_encrypted(task) {
        let thresholds = inputs.column::<FheUint<N>>("threshold")?;
        let labels = inputs.column::<FheUint4>("label")?;
        let right: Comparison<'_, N> =
            &|query, node| query[features[node] as usize].gt(&thresholds[node]);
        queries.map(|query| reached(query, labels, leaves, right)).collect()
    } else {
        let (thresholds, labels) = (public.integers("threshold")?, public.integers("label")?);
        check("threshold", thresholds, trees * nodes, 1 << task.number("bits")?)?;
        check("label", labels, trees * leaves, 16)?;
        let labels = labels.iter().map(|label| FheUint4::encrypt_trivial(*label));
        let labels: Vec<_> = labels.collect();
        let right: Comparison<'_, N> =
            &|query, node| query[features[node] as usize].gt(thresholds[node]);
        queries.map(|query| reached(query, &labels, leaves, right)).collect()
    };
    let result = Encrypted::default();
    Ok(if trees == 1 {
        result.with("score", labels.into_iter().flatten().collect())
    } else {
        let score = |labels: Vec<FheUint4>| labels.into_iter().map(FheUint12::cast_from).sum();
        result.with::<FheUint12>("score", labels.into_par_iter().map(score).collect())
    })
}

/// Returns for each tree the label of the leaf that a query reaches. The nodes of a tree are in the
/// order of its levels.
fn reached<N: Width>(
    query: &[FheUint<N>],
    labels: &[FheUint4],
    leaves: usize,
    right: Comparison<'_, N>,
) -> Vec<FheUint4> {
    let nodes = leaves - 1;
    let of_tree = |(tree, labels): (usize, &[FheUint4])| {
        let of_node = |node| right(query, tree * nodes + node);
        let decisions: Vec<_> = (0..nodes).into_par_iter().map(of_node).collect();
        let mut level = labels.to_vec();
        while level.len() > 1 {
            let first = level.len() / 2 - 1;
            let pairs = level.par_chunks(2).zip(&decisions[first..]);
            level = pairs.map(|(pair, right)| right.if_then_else(&pair[1], &pair[0])).collect();
        }
        level.swap_remove(0)
    };
    labels.par_chunks(leaves).enumerate().map(of_tree).collect()
}

/// Refuses a clear column of another length, or with values that are not below the bound.
fn check(name: &str, values: &[u64], count: usize, bound: u64) -> Result<(), Error> {
    let problem = if values.len() != count {
        format!("has {} values in place of {count}", values.len())
    } else if let Some(value) = values.iter().find(|value| **value >= bound) {
        format!("holds {value}, which is not below {bound}")
    } else {
        return Ok(());
    };
    Err(Error::Column { column: name.into(), problem })
}
