//! Programs: measurements that are more than one operation of the driver protocol, timed in this
//! process, each with its own oracle.

pub mod desk;
mod meter;
mod record;

use std::fmt;

use fathom::Error;
use fathom_drivers::engine::Engine;
use fathom_drivers::library::Library;
use fathom_drivers::protocol::LibraryInfo;
use serde_json::Value;

use crate::pace::Pace;
use crate::record::Case;

pub use meter::Meter;

/// Work of a program: times, then compares with its oracle.
type Work = Box<dyn Fn(&mut Meter) -> Result<(), Error>>;

/// A measurement of several operations, or of none that a scheme has.
pub struct Program {
    /// The library that it measures.
    pub library: LibraryInfo,
    /// Scheme, `plain` for arithmetic that is not encrypted, or `kernel` for rows of residues.
    pub scheme: &'static str,
    /// Parameter set or size.
    pub params: String,
    /// Name in ids and records.
    pub op: String,
    /// Number of threads that work at the same time.
    pub threads: usize,
    /// Description in one line.
    pub meaning: String,
    /// The properties on which its time depends.
    pub pace: Pace,
    work: Work,
}

impl Program {
    /// Creates a program for one thread.
    pub fn new(
        scheme: &'static str,
        params: impl Into<String>,
        op: impl Into<String>,
        meaning: impl Into<String>,
        work: impl Fn(&mut Meter) -> Result<(), Error> + 'static,
    ) -> Self {
        let (params, op, meaning) = (params.into(), op.into(), meaning.into());
        let (library, work) = (Engine.info(), Box::new(work));
        Self { library, scheme, params, op, threads: 1, meaning, pace: Pace::Share, work }
    }

    /// Creates a program for one thread whose work cannot fail: it computes on clear data.
    pub fn infallible(
        scheme: &'static str,
        params: impl Into<String>,
        op: impl Into<String>,
        meaning: impl Into<String>,
        work: impl Fn(&mut Meter) + 'static,
    ) -> Self {
        Self::new(scheme, params, op, meaning, move |meter| {
            work(meter);
            Ok(())
        })
    }

    /// States the library that it measures; the engine if none is stated.
    pub fn of_library(self, library: LibraryInfo) -> Self {
        Self { library, ..self }
    }

    /// States what its time depends on; its share of the budget if nothing is stated.
    pub fn at_pace(self, pace: Pace) -> Self {
        Self { pace, ..self }
    }

    /// States the number of threads.
    pub fn on_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Returns the id `<library>/<scheme>/<params>/<op>?<lane>`.
    pub fn id(&self) -> String {
        format!("{}/{}", self.library.name, self.question())
    }

    /// Returns the id without the library.
    pub fn question(&self) -> String {
        let lane =
            if self.threads > 1 { format!("?threads={}", self.threads) } else { String::new() };
        format!("{}/{}/{}{lane}", self.scheme, self.params, self.op)
    }

    /// Returns true if the program computes on ciphertexts.
    pub fn is_encrypted(&self) -> bool {
        !matches!(self.scheme, "plain" | "kernel" | "attestation")
    }

    /// Runs the program.
    fn work(&self, meter: &mut Meter) -> Result<(), Error> {
        (self.work)(meter)
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Program({})", self.id())
    }
}

/// The record of a program, and what it found besides.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The record of the program in the result file.
    pub case: Case,
    /// Details that the record has no field for; null if there are none.
    pub details: Value,
}

/// Runs one program.
pub fn run_one(program: &Program, mut meter: Meter) -> Outcome {
    let ended = program.work(&mut meter);
    let case = program.record(&meter, &ended);
    Outcome { case, details: meter.details }
}
