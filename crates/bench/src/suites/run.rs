//! Runs programs one after another.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::meter::Meter;
use super::program::Program;
use crate::measure::run::Observer;
use crate::record::Case;

/// The record of a program, and what it found besides.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The record of the program in the result file.
    pub case: Case,
    /// Details that the record has no field for; null if there are none.
    pub details: Value,
}

/// Runs every program with a meter from `meter`, until `stop` is set.
pub fn run(
    programs: &[Program],
    meter: impl Fn() -> Meter,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for program in programs {
        if stop.load(Ordering::SeqCst) {
            break;
        }
        observer.round(&program.id());
        let outcome = run_one(program, meter());
        observer.finished(&outcome.case);
        outcomes.push(outcome);
    }
    outcomes
}

/// Runs one program.
pub fn run_one(program: &Program, mut meter: Meter) -> Outcome {
    let ended = program.work(&mut meter);
    let case = program.record(&meter, &ended);
    Outcome { case, details: meter.details }
}
