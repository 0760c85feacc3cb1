//! A program: what it is called, and what it does.

use std::fmt;

use fathom::Error;

use super::meter::Meter;

/// Work of a program: times, then compares with its oracle.
type Work = Box<dyn Fn(&mut Meter) -> Result<(), Error>>;

/// A measurement of several operations, or of none that a scheme has.
pub struct Program {
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
        Self { scheme, params, op, threads: 1, meaning, work: Box::new(work) }
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

    /// States the number of threads.
    pub fn on_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Returns the id `fathom/<scheme>/<params>/<op>?<lane>`.
    pub fn id(&self) -> String {
        format!("fathom/{}", self.question())
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
    pub(super) fn work(&self, meter: &mut Meter) -> Result<(), Error> {
        (self.work)(meter)
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Program({})", self.id())
    }
}
