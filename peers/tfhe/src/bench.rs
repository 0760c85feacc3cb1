//! Which rows run, and what they gave.

use crate::race::{Contestant, Failure, Outcome, Times, median, race};
use serde::Serialize;
use std::time::Duration;

/// What the command line asks for.
pub struct Selection {
    /// Rows whose id contains one of these; all if there are none.
    pub filters: Vec<String>,
    /// Time of one row, about.
    pub budget: Duration,
}

/// A row of the table of times.
#[derive(Debug, Serialize)]
pub struct TimeRow {
    /// `<group>/<what>`: the name for filters.
    pub id: String,
    /// Median time of one result of Fathom, in milliseconds.
    pub engine_ms: f64,
    /// Median time of one result of tfhe-rs, in milliseconds.
    pub peer_ms: f64,
    /// Times faster Fathom is on the clock: the median over rounds.
    pub ratio: f64,
    /// Times less processor time Fathom takes: the median over rounds.
    pub cpu_ratio: f64,
    /// Rounds. One round is a single shot.
    pub n: usize,
    /// Outputs decrypted.
    pub checked: usize,
    /// Outputs that were right.
    pub correct: usize,
    /// Every round of Fathom, in seconds.
    pub engine: Times,
    /// Every round of tfhe-rs, in seconds.
    pub peer: Times,
}

/// A row of the table of sizes.
#[derive(Debug, Serialize)]
pub struct SizeRow {
    /// What it is.
    pub id: String,
    /// Bytes of Fathom.
    pub engine_bytes: u64,
    /// Bytes of tfhe-rs.
    pub peer_bytes: u64,
}

/// Runs the rows that are asked for and keeps what they gave.
pub struct Bench {
    selection: Selection,
    /// Times so far.
    pub times: Vec<TimeRow>,
    /// Sizes so far.
    pub sizes: Vec<SizeRow>,
}

impl Bench {
    /// Nothing measured yet.
    pub fn new(selection: Selection) -> Bench {
        Bench { selection, times: Vec::new(), sizes: Vec::new() }
    }

    /// Whether a row is asked for.
    pub fn wants(&self, id: &str) -> bool {
        let filters = &self.selection.filters;
        filters.is_empty() || filters.iter().any(|filter| id.contains(filter))
    }

    /// Measures a row if it is asked for.
    ///
    /// # Errors
    /// Those of the contestants.
    pub fn row(
        &mut self,
        id: &str,
        engine: Contestant<'_>,
        peer: Contestant<'_>,
    ) -> Result<(), Failure> {
        if !self.wants(id) {
            return Ok(());
        }
        eprintln!("{id} ...");
        let outcome = race(engine, peer, self.selection.budget)?;
        let row = TimeRow::new(id, outcome);
        eprintln!("{id}: {:.2} times faster", row.ratio);
        self.times.push(row);
        Ok(())
    }

    /// Notes two sizes.
    pub fn size(&mut self, id: &str, engine_bytes: u64, peer_bytes: u64) {
        self.sizes.push(SizeRow { id: id.to_owned(), engine_bytes, peer_bytes });
    }

    /// Whether every output was right.
    pub fn verified(&self) -> bool {
        self.times.iter().all(|row| row.correct == row.checked)
    }
}

impl TimeRow {
    fn new(id: &str, outcome: Outcome) -> TimeRow {
        TimeRow {
            id: id.to_owned(),
            engine_ms: 1e3 * median(outcome.engine.wall.clone()),
            peer_ms: 1e3 * median(outcome.peer.wall.clone()),
            ratio: outcome.ratio(),
            cpu_ratio: outcome.cpu_ratio(),
            n: outcome.engine.wall.len(),
            checked: outcome.checked,
            correct: outcome.correct,
            engine: outcome.engine,
            peer: outcome.peer,
        }
    }
}
