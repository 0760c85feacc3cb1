//! Walks from the root to a leaf that evaluate the comparison of one node in each level only.
//!
//! The decisions so far, as an integer, are the encrypted index of the reached node among those of
//! its level. The nodes of the level form an encrypted table, which one bootstrap reads at that
//! index.
//!
//! A table has 16 entries, so an index holds at most four decisions. After four decisions the walk
//! is at the root of one of 16 subtrees. For each position in a subtree, one bootstrap reads the
//! node at that position of the reached subtree. The walk then continues in the tree that was read.

use fathom::tfhe::{Block, Evaluator, Function, Lut, TableRead};

use super::branch::{Parts, positive};
use crate::Error;
use crate::schemes::blocks::{layer, map};

/// Number of values of an encrypted table.
const PLACES: usize = 16;
/// Number of decisions that are the index of a table.
const LEVELS: usize = 4;

/// The labels of a tree's leaves, from left to right.
#[derive(Clone)]
pub(super) enum Leaves {
    /// Labels, or parts of labels: one block or the low and the high digit.
    Encrypted(Vec<Parts>),
    Clear(Vec<u64>),
}

/// A query in a tree.
pub(super) struct Walk {
    /// The comparisons at the nodes of each level, from left to right.
    pub(super) levels: Vec<Vec<Parts>>,
    pub(super) leaves: Leaves,
}

/// Values of which one is to be read.
struct Choice {
    values: Vec<Parts>,
    index: Block,
}

/// Returns the label of the leaf that each walk reaches, as one block. All walks have the same
/// depth.
pub(super) fn labels(evaluator: &Evaluator, mut walks: Vec<Walk>) -> Result<Vec<Block>, Error> {
    while walks.first().is_some_and(|walk| !walk.levels.is_empty()) {
        let paths = decide(evaluator, &walks)?;
        walks = enter(evaluator, walks, &paths)?;
    }
    let parts = walks.into_iter().map(|walk| match walk.leaves {
        Leaves::Encrypted(mut leaves) => leaves.swap_remove(0),
        Leaves::Clear(labels) => vec![Block::trivial(evaluator.params().space(), labels[0] as i32)],
    });
    join(evaluator, &parts.collect::<Vec<_>>())
}

/// Makes the decisions of up to four levels and returns them as one integer, the first decision in
/// its highest bit.
fn decide(evaluator: &Evaluator, walks: &[Walk]) -> Result<Vec<Block>, Error> {
    let levels = walks.first().map_or(0, |walk| walk.levels.len()).min(LEVELS);
    let roots: Vec<Parts> = walks.iter().map(|walk| walk.levels[0][0].clone()).collect();
    let mut paths = positive(evaluator, &roots)?;
    for level in 1..levels {
        let choices = walks
            .iter()
            .zip(&paths)
            .map(|(walk, path)| Choice { values: walk.levels[level].clone(), index: path.clone() });
        let reached = choose(evaluator, &choices.collect::<Vec<_>>())?;
        let decisions = positive(evaluator, &reached)?;
        for (path, decision) in paths.iter_mut().zip(decisions) {
            *path = decision.add_scaled(path, 2)?;
        }
    }
    Ok(paths)
}

/// Returns the walks in the subtrees that were entered.
fn enter(evaluator: &Evaluator, walks: Vec<Walk>, paths: &[Block]) -> Result<Vec<Walk>, Error> {
    let levels = walks.first().map_or(0, |walk| walk.levels.len()).min(LEVELS);
    let subtrees = 1 << levels;
    let mut choices = Vec::new();
    let mut choose_from = |values: &[Parts], path: &Block| {
        let count = values.len() / subtrees;
        choices.extend((0..count).map(|place| Choice {
            values: values.iter().skip(place).step_by(count).cloned().collect(),
            index: path.clone(),
        }));
    };
    for (walk, path) in walks.iter().zip(paths) {
        walk.levels[levels..].iter().for_each(|nodes| choose_from(nodes, path));
        if let Leaves::Encrypted(leaves) = &walk.leaves {
            choose_from(leaves, path);
        }
    }
    let mut chosen = choose(evaluator, &choices)?.into_iter();
    let mut clear = clear_leaves(evaluator, &walks, paths)?.into_iter();
    let walks = walks.into_iter().map(|walk| {
        let mut take = |count: usize| chosen.by_ref().take(count).collect::<Vec<_>>();
        let nodes = walk.levels[levels..].iter().map(|nodes| take(nodes.len() / subtrees));
        let levels = nodes.collect();
        let leaves = match walk.leaves {
            Leaves::Encrypted(leaves) => take(leaves.len() / subtrees),
            Leaves::Clear(_) => clear.next().unwrap_or_default(),
        };
        Walk { levels, leaves: Leaves::Encrypted(leaves) }
    });
    Ok(walks.collect())
}

/// Returns the leaves of the subtrees that were entered, for the walks whose labels are clear:
/// functions of the path. A single label has the noise of a bootstrap; the digits of several share
/// one bootstrap.
fn clear_leaves(
    evaluator: &Evaluator,
    walks: &[Walk],
    paths: &[Block],
) -> Result<Vec<Vec<Parts>>, Error> {
    let space = evaluator.params().space();
    let (mut tables, mut inputs) = (Vec::new(), Vec::new());
    for (walk, path) in walks.iter().zip(paths) {
        let Leaves::Clear(labels) = &walk.leaves else { continue };
        let top = path.range().1;
        let count = labels.len() / (top as usize + 1);
        let label = |path: i32, place: usize| labels[path as usize * count + place] as i32;
        let table = if count == 1 {
            Lut::new(space, 0..=top, |path| label(path, 0))?
        } else {
            let places = (0..count).flat_map(|place| [0, 2].map(|shift| (place, shift)));
            let digits: Vec<_> = places
                .map(|(place, shift)| move |path: i32| (label(path, place) >> shift) & 3)
                .collect();
            let digits: Vec<Function<'_>> = digits.iter().map(|f| f as Function<'_>).collect();
            Lut::multi_value(space, 0..=top, &digits)?
        };
        tables.push((table, if count == 1 { 1 } else { 2 }));
        inputs.push(path.clone());
    }
    let jobs: Vec<_> = inputs.into_iter().zip(tables.iter().map(|(table, _)| table)).collect();
    let outputs = layer(evaluator, &jobs)?.into_iter().zip(&tables);
    Ok(outputs
        .map(|(blocks, (_, parts))| blocks.chunks(*parts).map(<[Block]>::to_vec).collect())
        .collect())
}

/// Reads one of each choice's values, in one layer.
fn choose(evaluator: &Evaluator, choices: &[Choice]) -> Result<Vec<Parts>, Error> {
    let mut reads = Vec::new();
    for Choice { values, index } in choices {
        let parts: Vec<usize> = (0..values[0].len()).collect();
        for parts in parts.chunks(PLACES / values.len()) {
            let slots = parts.iter().flat_map(|&part| values.iter().map(move |value| &value[part]));
            reads.push(TableRead {
                slots: slots.cloned().collect(),
                index: index.clone(),
                places: (0..parts.len()).map(|part| part * values.len()).collect(),
            });
        }
    }
    let mut results = evaluator.read_tables(&reads)?.into_iter().flatten();
    let parts = choices.iter().map(|choice| choice.values[0].len());
    Ok(parts.map(|parts| results.by_ref().take(parts).collect()).collect())
}

/// Returns each label as one block. Of a label in two digits, the high digit is multiplied by 4 in
/// a bootstrap, which leaves less noise than a multiple.
fn join(evaluator: &Evaluator, labels: &[Parts]) -> Result<Vec<Block>, Error> {
    let highs: Vec<Block> = labels.iter().filter_map(|parts| parts.get(1)).cloned().collect();
    let quadruple = Lut::new(evaluator.params().space(), 0..=3, |x| 4 * x)?;
    let mut highs = map(evaluator, &highs, &quadruple)?.into_iter();
    let label = |parts: &Parts| match highs.next() {
        Some(high) => Ok(parts[0].add(&high)?),
        None => Ok(parts[0].clone()),
    };
    labels.iter().map(label).collect()
}
