//! Runs the cases of a plan. Each library, scheme, parameter set and number of threads has one
//! driver process; cases of one kind are measured in interleaved rounds; each record is written as
//! soon as it is complete.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::benches::Benches;
use crate::case_run::CaseRun;
use crate::libraries::Libraries;
use crate::measure::{ALONE, BESIDE_OTHERS, Effort, HURRIED};
use crate::question::Division;
use crate::record::Case;
use crate::suite::CaseSpec;

/// A run that has used this multiple of its budget gives the remaining cases one round each: a
/// complete table without ranking is preferred to an incomplete one.
const LATE: u32 = 2;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The cases, the same for each library.
    pub cases: Vec<CaseSpec>,
    /// Rules by which the parameters of peers are chosen; each gives cases of its own.
    pub divisions: Vec<Division>,
    /// Wall-clock time for all cases together.
    pub budget: Duration,
    /// Seed of the clear inputs.
    pub seed: u64,
}

/// Receives the events of a run.
pub trait Observer {
    /// Called before a round of the case `id`.
    fn round(&mut self, id: &str);
    /// Called when a case is finished.
    fn finished(&mut self, case: &Case);
}

/// The number of a library and a case for it.
type Entry = (usize, CaseSpec);

impl Plan {
    /// Returns the cases of every library, in blocks that are measured together.
    pub fn blocks(&self, libraries: &Libraries) -> Vec<Vec<Entry>> {
        let together = if libraries.known().len() > 1 { by_parameters } else { by_kind };
        let entries = |case: &CaseSpec| libraries.cases(case, &self.divisions);
        let blocks = together(&self.cases).into_iter();
        let blocks = blocks.map(|block| block.iter().flat_map(entries).collect::<Vec<_>>());
        blocks.filter(|block| !block.is_empty()).collect()
    }
}

/// Runs `plan` until it is done or `stop` is set, and reports to `observer`. Cases that have
/// samples when `stop` is set are recorded with the flag `interrupted`.
pub fn run(plan: &Plan, libraries: &Libraries, observer: &mut dyn Observer, stop: &AtomicBool) {
    let deadline = Instant::now() + plan.budget;
    let blocks = plan.blocks(libraries);
    let (later, mut done) = (blocks.concat(), 0);
    let mut benches = Benches::new(libraries, later.clone(), plan.seed);
    let mut left: f64 = later.iter().map(|(_, case)| weight(case)).sum();
    let usual = if libraries.known().len() > 1 { BESIDE_OTHERS } else { ALONE };
    let patience = deadline + LATE * plan.budget;
    for block in blocks {
        let now = deadline.saturating_duration_since(Instant::now());
        let turns = if Instant::now() > patience { HURRIED } else { usual };
        let share = |case: &CaseSpec| now.mul_f64(weight(case) / left.max(1e-9));
        let begin = |(library, case): &Entry| {
            let effort = Effort { turns, ..Effort::within(share(case)) };
            (*library, CaseRun::new(case.clone(), effort))
        };
        let mut cases: Vec<(usize, CaseRun)> = block.iter().map(begin).collect();
        left -= cases.iter().map(|(_, case)| weight(&case.spec)).sum::<f64>();
        run_block(&mut cases, &mut benches, observer, stop);
        done += block.len();
        benches.retain(&later[done..]);
        if stop.load(Ordering::SeqCst) {
            return;
        }
    }
}

/// Returns the largest share of `budget` that each case may use.
pub fn estimate(cases: &[CaseSpec], budget: Duration) -> Vec<Duration> {
    let total: f64 = cases.iter().map(weight).sum();
    cases.iter().map(|case| budget.mul_f64(weight(case) / total.max(1e-9))).collect()
}

/// Returns the time of a case relative to a timed case.
fn weight(case: &CaseSpec) -> f64 {
    case.op.weight()
}

/// Groups the cases by kind of operation, in the order in which the kinds first appear.
fn by_kind(cases: &[CaseSpec]) -> Vec<Vec<CaseSpec>> {
    gathered(cases, |case| case.op.block().to_owned())
}

/// Groups the cases by scheme, parameters and lanes, so that few drivers run at the same time, and
/// within these groups by kind of operation.
fn by_parameters(cases: &[CaseSpec]) -> Vec<Vec<CaseSpec>> {
    let sets = gathered(cases, |case| (case.scheme.clone(), case.params.clone(), case.lanes()));
    sets.iter().flat_map(|set| by_kind(set)).collect()
}

/// Groups the cases with equal keys, in the order in which the keys first appear.
fn gathered<K: PartialEq>(cases: &[CaseSpec], key: impl Fn(&CaseSpec) -> K) -> Vec<Vec<CaseSpec>> {
    let mut groups: Vec<(K, Vec<CaseSpec>)> = Vec::new();
    for case in cases {
        let own = key(case);
        match groups.iter_mut().find(|(other, _)| *other == own) {
            Some((_, group)) => group.push(case.clone()),
            None => groups.push((own, vec![case.clone()])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Runs rounds over the cases in alternating order (forwards, backwards, backwards, forwards, ...)
/// until all are done.
fn run_block(
    cases: &mut [(usize, CaseRun)],
    benches: &mut Benches<'_>,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) {
    for round in 0.. {
        let backwards = matches!(round % 4, 1 | 2);
        for turn in 0..cases.len() {
            let index = if backwards { cases.len() - 1 - turn } else { turn };
            let (library, case) = &mut cases[index];
            if case.is_done() {
                continue;
            }
            if stop.load(Ordering::SeqCst) {
                case.interrupt();
            } else {
                observer.round(&case.spec.id(&benches.info(*library).name));
                let result = benches.get(*library, &case.spec).and_then(|b| case.round(b));
                if let Err(fault) = result {
                    benches.note(*library, &case.spec, &fault);
                    case.fail(fault);
                }
            }
            let began = !case.was_never_begun();
            if case.is_done() && began {
                let bench = benches.peek(*library, &case.spec);
                observer.finished(&case.record(benches.info(*library), bench));
            }
        }
        if cases.iter().all(|(_, case)| case.is_done()) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{Selection, Suite};

    fn schemes() -> Vec<CaseSpec> {
        Suite::built_in("schemes").unwrap().cases("x", &Selection::default())
    }

    #[test]
    fn blocks_hold_cases_of_one_kind_and_lose_none() {
        let cases = schemes();
        for blocks in [by_kind(&cases), by_parameters(&cases)] {
            assert_eq!(blocks.iter().map(Vec::len).sum::<usize>(), cases.len());
            for block in &blocks {
                assert!(block.iter().all(|case| case.op.block() == block[0].op.block()));
            }
        }
        let deep = |case: &&CaseSpec| case.op.block() == "depth";
        let blocks = by_kind(&cases);
        let depth = blocks.iter().find(|block| deep(&&block[0])).unwrap();
        assert_eq!(depth.len(), cases.iter().filter(deep).count());
    }

    #[test]
    fn beside_others_a_parameter_set_comes_up_once() {
        let blocks = by_parameters(&schemes());
        let mut sets: Vec<(String, String, [usize; 2])> = blocks
            .iter()
            .map(|block| (block[0].scheme.clone(), block[0].params.clone(), block[0].lanes()))
            .collect();
        sets.dedup();
        let mut distinct = sets.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(sets.len(), distinct.len());
    }
}
