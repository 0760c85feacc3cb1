//! Programs of suites: measurements that are more than one operation of the driver protocol.
//!
//! A suite file lists operations, which the engine and its peers run behind the protocol. What a
//! published table measures besides (chains of operations, batches on pinned threads, transforms,
//! plain arithmetic) is a [`Program`] here: code over the public interface of the engine, timed in
//! this process, with its own oracle. Cases and programs share ids, records and reports.

mod bootstrap;
mod kernels;
#[cfg(test)]
mod tests;

use fathom_cases::program::{Meter, Outcome, Program, run_one};
use fathom_documents::options::Options;
use fathom_documents::{h33, nine65};

use crate::measure::runner::Runner;

pub use bootstrap::peers::programs as bootstraps_of;

/// Returns the programs of a suite with these options; none for suites of operations only.
pub fn programs(suite: &str, options: &Options) -> Vec<Program> {
    match suite {
        "nine65" => nine65::programs(options),
        "h33" => h33::programs(options),
        "kernels" => kernels::programs(options),
        "bootstrap" => bootstrap::programs(options),
        _ => Vec::new(),
    }
}

/// Runs every program with a meter from `meter`, until the run is stopped.
pub fn run(
    programs: &[Program],
    meter: impl Fn() -> Meter,
    runner: &mut Runner<'_>,
) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    runner.each(programs, |runner, program| {
        runner.round(&program.id());
        let outcome = run_one(program, meter());
        runner.finished(&outcome.case);
        outcomes.push(outcome);
    });
    outcomes
}
