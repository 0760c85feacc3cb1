//! Runs the cases of a plan. Each library, scheme, parameter set and number of threads has one
//! driver process; cases of one kind are measured in interleaved rounds; each record is written as
//! soon as it is complete.

use std::time::Instant;

use fathom_cases::effort::{ALONE, BESIDE_OTHERS, Effort, HURRIED, RECORDED};
use fathom_drivers::ops::Measure;

use super::benches::Benches;
use super::case_run::CaseRun;
use super::runner::Runner;
use crate::plan::libraries::Libraries;
use crate::plan::order::{Entry, Plan, weight};
use crate::plan::suite::CaseSpec;

/// A run that has used this multiple of its budget gives the remaining cases one round each: a
/// complete table without ranking is preferred to an incomplete one.
const LATE: u32 = 2;

/// Runs `plan` until it is done or the run is stopped. Cases that have samples then are recorded
/// with the flag `interrupted`.
pub fn run(plan: &Plan, libraries: &Libraries, runner: &mut Runner<'_>) {
    let deadline = Instant::now() + plan.budget;
    let blocks = plan.blocks(libraries);
    let (later, mut done) = (blocks.concat(), 0);
    let mut benches = Benches::new(libraries, later.clone(), plan.seed);
    let mut left: f64 = later.iter().map(|(_, case)| weight(case)).sum();
    let usual = if libraries.known().len() > 1 { BESIDE_OTHERS } else { ALONE };
    let patience = deadline + LATE * plan.budget;
    runner.each(blocks, |runner, block| {
        let now = deadline.saturating_duration_since(Instant::now());
        let is_late = plan.each.is_none() && Instant::now() > patience;
        let rounds = if is_late { HURRIED } else { usual };
        let least = if plan.each.is_some() { RECORDED } else { 1 };
        let share = |case: &CaseSpec| match plan.each {
            Some(each) => each.mul_f64(weight(case)),
            None => now.mul_f64(weight(case) / left.max(1e-9)),
        };
        let begin = |(library, case): &Entry| {
            let calls = plan.calls.filter(|_| case.op.measure() == Measure::Calls);
            let effort = Effort { rounds, least, calls, ..Effort::within(share(case)) };
            (*library, CaseRun::new(case.clone(), effort))
        };
        let mut cases: Vec<(usize, CaseRun)> = block.iter().map(begin).collect();
        left -= cases.iter().map(|(_, case)| weight(&case.spec)).sum::<f64>();
        run_block(&mut cases, &mut benches, runner);
        done += block.len();
        benches.retain(&later[done..]);
    });
}

/// Runs rounds over the cases in alternating order (forwards, backwards, backwards, forwards, ...)
/// until all are done.
fn run_block(cases: &mut [(usize, CaseRun)], benches: &mut Benches<'_>, runner: &mut Runner<'_>) {
    for round in 0.. {
        let backwards = matches!(round % 4, 1 | 2);
        for place in 0..cases.len() {
            let index = if backwards { cases.len() - 1 - place } else { place };
            let (library, case) = &mut cases[index];
            if case.is_done() {
                continue;
            }
            if runner.is_stopped() {
                case.interrupt();
            } else {
                runner.round(&case.spec.id(&benches.library(*library).info.name));
                let result = benches.get(*library, &case.spec).and_then(|b| case.round(b));
                if let Err(fault) = result {
                    benches.note(*library, &case.spec, &fault);
                    case.fail(fault);
                }
            }
            let began = !case.was_never_begun();
            if case.is_done() && began {
                let bench = benches.peek(*library, &case.spec);
                runner.finished(&case.record(benches.library(*library), bench));
            }
        }
        if cases.iter().all(|(_, case)| case.is_done()) {
            return;
        }
    }
}
