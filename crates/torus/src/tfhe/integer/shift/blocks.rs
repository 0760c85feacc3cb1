//! Moves of whole blocks by an encrypted distance.
//!
//! Blocks that follow each other in the direction of the move lie side by side in an encrypted
//! table, followed by zeros. Reading the table at each place less the distance gives the block that
//! arrives there. One bootstrap does this for all places of the table.

use super::clear::{Direction, Fill, Mode};
use crate::tfhe::encrypted_table::Lookup;
use crate::tfhe::integer::Integers;
use crate::tfhe::integer::blocks::{constant, total};
use crate::tfhe::integer::value::digits::{DIGIT_MAX, SPACE};
use crate::tfhe::{Block, Error};

/// A move of whole blocks by an encrypted multiple of a step.
pub(in crate::tfhe::integer) struct Move {
    /// The multiple, 0 to 7.
    pub(in crate::tfhe::integer) multiple: Block,
    /// The number of blocks in a step.
    pub(in crate::tfhe::integer) step: usize,
}

/// Blocks that lie side by side in a table.
struct Piece {
    /// The places of the blocks; `None` for a block that moves in.
    sources: Vec<Option<usize>>,
    /// Target of each table entry of the piece and of the zeros behind it: the place of the new
    /// block that it computes, or `None` if no block needs it.
    targets: Vec<Option<usize>>,
}

impl Integers {
    /// Moves all blocks. `filler` is the block that moves in, if it is not 0.
    pub(in crate::tfhe::integer) fn moved(
        &self,
        blocks: &[Block],
        filler: Option<&Block>,
        Move { multiple, step }: &Move,
        mode: Mode,
    ) -> Result<Vec<Block>, Error> {
        let most = multiple.span().high as usize;
        let runs = runs(blocks.len(), *step, mode);
        let pieces: Vec<_> = runs.iter().flat_map(|run| pieces(run, most, mode.fill)).collect();
        let tables = side_by_side(pieces);
        let block = |&source: &Option<usize>| match source.map_or(filler, |place| blocks.get(place))
        {
            Some(block) => block.clone(),
            None => constant(0),
        };
        let slots = tables.iter().map(|pieces| {
            let mut slots = Vec::new();
            for piece in pieces {
                slots.extend(piece.sources.iter().map(block));
                // With zeros behind a piece, a distance that leads out of it reads no block of the
                // next one.
                slots.resize(slots.len() + most, constant(0));
            }
            slots
        });
        let encrypted = self.evaluator().tables(slots.collect())?;
        let targets: Vec<(Vec<usize>, Vec<usize>)> = tables
            .iter()
            .map(|pieces| {
                let targets = pieces.iter().flat_map(|piece| &piece.targets).enumerate();
                targets.filter_map(|(place, &target)| Some((place, target?))).unzip()
            })
            .collect();
        let index = multiple.mul_scalar(-1);
        let lookups = encrypted.iter().zip(&targets);
        let lookups: Vec<_> =
            lookups.map(|(table, (places, _))| Lookup { index: &index, table, places }).collect();
        let mut arrived = vec![Vec::new(); blocks.len()];
        for (read, (_, targets)) in self.evaluator().look_up(&lookups)?.into_iter().zip(&targets) {
            for (block, &target) in read.into_iter().zip(targets) {
                arrived[target].push(block);
            }
        }
        // At most one of the blocks that arrive at a place is nonzero.
        Ok(arrived.iter().map(|blocks| total(blocks).within(0, DIGIT_MAX)).collect())
    }
}

/// Returns lists of places that blocks pass in repeated moves by one step. For a rotation, the last
/// is followed by the first.
fn runs(length: usize, step: usize, mode: Mode) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = match mode.fill {
        Fill::Zero | Fill::Sign => {
            (0..step.min(length)).map(|first| (first..length).step_by(step).collect()).collect()
        }
        Fill::Rotation => {
            // A step that has a divisor in common with the length makes several cycles.
            let mut seen = vec![false; length];
            let mut run = |first: usize| {
                let places = (0..length).map(|index| (first + index * step) % length);
                places.take_while(|&place| !std::mem::replace(&mut seen[place], true)).collect()
            };
            (0..length).map(&mut run).filter(|run: &Vec<usize>| !run.is_empty()).collect()
        }
    };
    if mode.direction == Direction::Right {
        for run in &mut runs {
            run.reverse();
        }
    }
    runs
}

/// Divides a list of places into pieces that fit a table with `most` zeros behind them.
fn pieces(run: &[usize], most: usize, fill: Fill) -> Vec<Piece> {
    let moving_in = if fill == Fill::Sign { most } else { 0 };
    let mut entries = vec![None; moving_in];
    entries.extend(run.iter().copied().map(Some));
    let target = |entry: usize| match fill {
        Fill::Rotation => Some(run[entry % run.len()]),
        Fill::Zero | Fill::Sign => entries.get(entry).copied().flatten(),
    };
    let length = SPACE.half() as usize - most;
    let starts = (0..entries.len()).step_by(length);
    let piece = |start: usize| {
        let sources = entries[start..].iter().copied().take(length).collect::<Vec<_>>();
        let targets = (start..start + sources.len() + most).map(target).collect();
        Piece { sources, targets }
    };
    starts.map(piece).collect()
}

/// Puts as many pieces into each table as fit, with the zeros behind them.
fn side_by_side(pieces: Vec<Piece>) -> Vec<Vec<Piece>> {
    let mut tables: Vec<Vec<Piece>> = Vec::new();
    let mut room = 0;
    for piece in pieces {
        let length = piece.targets.len();
        match tables.last_mut() {
            Some(table) if length <= room => table.push(piece),
            _ => {
                tables.push(vec![piece]);
                room = SPACE.half() as usize;
            }
        }
        room -= length;
    }
    tables
}
