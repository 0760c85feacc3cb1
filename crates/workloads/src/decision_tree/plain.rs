//! Comparisons with public thresholds.

use std::collections::BTreeMap;

use fathom::tfhe::{Block, Evaluator, Function, Lut};

use super::branch::{Parts, parts};
use super::model::Model;
use crate::Error;
use crate::schemes::blocks::{combination, layer};

/// Number of parts whose signs are added up without a bootstrap.
const TOGETHER: usize = 3;

/// The parts of the thresholds that a part of a feature is compared with, by feature and part, each
/// with the place of its sign.
type Needed = BTreeMap<(usize, usize), BTreeMap<i32, usize>>;

/// The public nodes of all trees.
#[derive(Clone, Copy)]
pub(super) struct Nodes<'a> {
    /// The feature that each node tests.
    pub(super) features: &'a [u64],
    /// The threshold of each node.
    pub(super) thresholds: &'a [u64],
}

impl Nodes<'_> {
    /// Returns the feature and the threshold of each node.
    fn iter(&self) -> impl Iterator<Item = (usize, u64)> {
        let pairs = self.features.iter().zip(self.thresholds);
        pairs.map(|(&feature, &threshold)| (feature as usize, threshold))
    }
}

/// Returns for each query the comparisons of all nodes of all trees: their differences, or, if that
/// takes fewer bootstraps, the sums of their signs.
pub(super) fn comparisons(
    evaluator: &Evaluator,
    model: &Model,
    nodes: Nodes<'_>,
    queries: &[Vec<&[Block]>],
) -> Result<Vec<Vec<Parts>>, Error> {
    let widths = part_widths(model.bits);
    let mut needed = Needed::new();
    for (feature, threshold) in nodes.iter() {
        for (part, value) in clear_parts(threshold, &widths).into_iter().enumerate() {
            let values = needed.entry((feature, part)).or_default();
            let next = values.len();
            values.entry(value).or_insert(next);
        }
    }
    let queries = queries.iter().map(|query| query.iter().map(|digits| parts(digits)).collect());
    let queries = queries.collect::<Result<Vec<Vec<Parts>>, Error>>()?;
    if needed.len() < saved_by_signs(model, widths.len()) {
        return signs(evaluator, &needed, nodes, &widths, &queries);
    }
    let differences = |query: &Vec<Parts>| {
        let differences = nodes.iter().map(|(feature, threshold)| {
            let pairs = query[feature].iter().zip(clear_parts(threshold, &widths));
            pairs.map(|(part, threshold)| part.add_scalar(-threshold)).collect()
        });
        differences.collect()
    };
    Ok(queries.iter().map(differences).collect())
}

/// Returns the number of bootstraps of a query that sums of signs save: they are fewer than the
/// parts of a node, at one node of each level, and, below the fourth level, wherever a node is
/// read.
fn saved_by_signs(model: &Model, parts: usize) -> usize {
    let fewer = parts - parts.div_ceil(together(parts));
    let nodes = model.depth + (1 << model.depth.saturating_sub(4)) - 1;
    model.trees * nodes * fewer
}

/// Returns the number of signs that are added up without a bootstrap.
fn together(parts: usize) -> usize {
    if parts > TOGETHER { 2 } else { TOGETHER }
}

/// Returns the sums of signs of all nodes. One bootstrap for each part of a feature returns its
/// signs against the thresholds of all nodes that test it.
fn signs(
    evaluator: &Evaluator,
    needed: &Needed,
    nodes: Nodes<'_>,
    widths: &[usize],
    queries: &[Vec<Parts>],
) -> Result<Vec<Vec<Parts>>, Error> {
    let space = evaluator.params().space();
    let mut tables = Vec::with_capacity(needed.len());
    for (&(_, part), values) in needed {
        let mut ordered: Vec<(usize, i32)> = values.iter().map(|(v, place)| (*place, *v)).collect();
        ordered.sort_unstable();
        let signs = ordered.into_iter().map(|(_, value)| move |x: i32| (x - value).signum());
        let signs: Vec<_> = signs.collect();
        let signs: Vec<Function<'_>> = signs.iter().map(|f| f as Function<'_>).collect();
        tables.push(Lut::multi_value(space, 0..=(1 << widths[part]) - 1, &signs)?);
    }
    let mut jobs = Vec::with_capacity(queries.len() * tables.len());
    for query in queries {
        for (&(feature, part), table) in needed.keys().zip(&tables) {
            jobs.push((query[feature][part].clone(), table));
        }
    }
    let outputs = layer(evaluator, &jobs)?;
    let places: BTreeMap<(usize, usize), usize> =
        needed.keys().enumerate().map(|(place, &key)| (key, place)).collect();
    let of_query = |signs: &[Vec<Block>]| {
        let node = |(feature, threshold): (usize, u64)| {
            let values = clear_parts(threshold, widths).into_iter().enumerate();
            let signs: Vec<&Block> = values
                .map(|(part, value)| {
                    let key = (feature, part);
                    &signs[places[&key]][needed[&key][&value]]
                })
                .collect();
            joined(&signs)
        };
        nodes.iter().map(node).collect::<Result<Vec<_>, _>>()
    };
    outputs.chunks(tables.len().max(1)).map(of_query).collect()
}

/// Returns the widths in bits of the parts of an integer, the most significant first.
fn part_widths(bits: usize) -> Vec<usize> {
    let alone = (!bits.is_multiple_of(4)).then_some(2);
    std::iter::repeat_n(4, bits / 4).chain(alone).collect()
}

/// Returns the parts of a clear integer, the most significant first.
fn clear_parts(value: u64, widths: &[usize]) -> Vec<i32> {
    let mut rest = value;
    let low_first = widths.iter().rev().map(|width| {
        let part = rest & ((1 << width) - 1);
        rest >>= width;
        part as i32
    });
    let mut parts: Vec<i32> = low_first.collect();
    parts.reverse();
    parts
}

/// Adds up signs with weights in a ratio of 2, as few sums as their noise allows.
fn joined(signs: &[&Block]) -> Result<Parts, Error> {
    let sum = |signs: &[&Block]| {
        let weights = (0..signs.len()).rev().map(|place| 1 << place);
        combination(&signs.iter().copied().zip(weights).collect::<Vec<_>>())
    };
    signs.chunks(together(signs.len())).map(sum).collect()
}
