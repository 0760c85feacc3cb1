//! A case during its measurement: rounds of fresh inputs, samples and verified results.

use std::time::{Duration, Instant};

use fathom_cases::effort::Effort;
use fathom_cases::stats;
use fathom_drivers::ops::Measure;
use fathom_drivers::process::Fault;

use super::tally::Tally;
use super::workbench::Workbench;
use super::{calls, keygen, untimed};
use crate::plan::suite::CaseSpec;

/// A case between its first and its last round.
#[derive(Debug)]
pub struct CaseRun {
    /// The specification of the case.
    pub spec: CaseSpec,
    effort: Effort,
    pub(super) tally: Tally,
    rounds: usize,
    spent: Duration,
    /// The session in which a case of key generation makes its keys.
    own_session: Option<u64>,
    pub(super) fault: Option<Fault>,
    done: bool,
}

impl CaseRun {
    /// Creates a case that has not begun.
    pub fn new(spec: CaseSpec, effort: Effort) -> Self {
        Self {
            spec,
            effort,
            tally: Tally::default(),
            rounds: 0,
            spent: Duration::ZERO,
            own_session: None,
            fault: None,
            done: false,
        }
    }

    /// Returns true if the case needs no more rounds.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Returns true if the case was stopped before its first round.
    pub fn was_never_begun(&self) -> bool {
        self.rounds == 0 && self.fault.is_none()
    }

    /// Returns the median of the samples so far, in nanoseconds per call.
    pub fn median_ns(&self) -> Option<f64> {
        self.tally.median_ns()
    }

    /// Returns the median of each round so far, in nanoseconds per call.
    pub fn round_medians(&self) -> Vec<f64> {
        stats::medians_of_parts(&self.tally.series.samples, &self.tally.series.rounds)
    }

    /// Ends the case because of `fault`; samples taken so far are kept but never ranked.
    pub fn fail(&mut self, fault: Fault) {
        self.fault = Some(fault);
        self.done = true;
    }

    /// Ends the case before it is complete.
    pub fn interrupt(&mut self) {
        self.tally.series.interrupted = true;
        self.done = true;
    }

    /// Runs one round: makes fresh inputs, takes samples and checks every result.
    ///
    /// # Errors
    /// Any [`Fault`] of the driver; the caller then ends the case with [`CaseRun::fail`].
    pub fn round(&mut self, bench: &mut Workbench) -> Result<(), Fault> {
        let start = Instant::now();
        let Self { spec, effort, tally, .. } = self;
        bench.inputs = spec.inputs;
        match spec.op.measure() {
            Measure::Calls => calls::round(tally, &spec.op, effort, bench)?,
            Measure::Keygen | Measure::RotationKeygen => {
                keygen::round(tally, spec, effort, &mut self.own_session, bench)?;
            }
            Measure::Sizes => untimed::sizes(tally, bench)?,
            Measure::PastBudget => untimed::chain(tally, &spec.op, spec.inputs, bench)?,
        }
        self.rounds += 1;
        self.tally.series.end_round();
        self.spent += start.elapsed();
        self.done |= self.tally.is_complete(&self.effort, self.rounds, self.spent);
        Ok(())
    }
}
