//! Runs the cases of a plan: one driver process a library, scheme, parameter set and number of
//! threads; cases of one kind take turns in rounds; each record goes out as soon as it is whole.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::case_run::CaseRun;
use crate::drivers::client::Driver;
use crate::drivers::process::{Fault, Launch};
use crate::drivers::protocol::{Capabilities, Code, Keygen, LibraryInfo, ParamsRequest, Refusal};
use crate::measure::Effort;
use crate::record::Case;
use crate::stats::SplitMix64;
use crate::suite::CaseSpec;
use crate::workbench::Workbench;

/// Times a driver that died is started again.
const RESTARTS: usize = 3;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How each library's driver is started.
    pub launches: Vec<Launch>,
    /// The cases, the same for each library.
    pub cases: Vec<CaseSpec>,
    /// Wall time for all of them.
    pub budget: Duration,
    /// Seed of the clear inputs.
    pub seed: u64,
}

/// Hears of what happens during a run.
pub trait Observer {
    /// A case is about to have a round.
    fn round(&mut self, id: &str);
    /// A case is finished.
    fn finished(&mut self, case: &Case);
}

/// What every driver of a run says of itself.
#[derive(Clone, Debug)]
pub struct Libraries {
    known: Vec<(Launch, LibraryInfo, Capabilities)>,
}

impl Libraries {
    /// Greets every driver.
    ///
    /// # Errors
    /// The fault of the first driver that does not answer.
    pub fn greet(launches: &[Launch]) -> Result<Self, Fault> {
        let greeted = launches.iter().map(|launch| {
            let mut driver = Driver::start(launch)?;
            let capabilities = driver.capabilities()?;
            let library = driver.library.clone();
            driver.bye()?;
            Ok((launch.clone(), library, capabilities))
        });
        Ok(Self { known: greeted.collect::<Result<_, Fault>>()? })
    }

    /// The libraries.
    pub fn infos(&self) -> impl Iterator<Item = &LibraryInfo> {
        self.known.iter().map(|(_, library, _)| library)
    }

    /// What the libraries can do, in the same order.
    pub fn capabilities(&self) -> impl Iterator<Item = &Capabilities> {
        self.known.iter().map(|(_, _, capabilities)| capabilities)
    }
}

/// Runs `plan` until it is done or `stop` is set, and tells `observer`; cases that had samples
/// when `stop` was set are recorded with the flag `interrupted`.
pub fn run(plan: &Plan, libraries: &Libraries, observer: &mut dyn Observer, stop: &AtomicBool) {
    let deadline = Instant::now() + plan.budget;
    let mut benches = Benches::new(plan, libraries);
    let mut left: f64 = plan.cases.iter().map(weight).sum::<f64>() * libraries.known.len() as f64;
    let blocks = blocks(&plan.cases);
    let (later, mut done) = (blocks.concat(), 0);
    for block in blocks {
        let now = deadline.saturating_duration_since(Instant::now());
        let share = |case: &CaseSpec| now.mul_f64(weight(case) / left.max(1e-9));
        let mut cases: Vec<(usize, CaseRun)> = Vec::new();
        for case in &block {
            for library in 0..libraries.known.len() {
                let effort = Effort::within(share(case));
                cases.push((library, CaseRun::new(case.clone(), effort)));
            }
        }
        left -= cases.iter().map(|(_, case)| weight(&case.spec)).sum::<f64>();
        run_block(&mut cases, &mut benches, observer, stop);
        done += block.len();
        benches.retain(&later[done..]);
        if stop.load(Ordering::SeqCst) {
            return;
        }
    }
}

/// How long each case may take when all share `budget`.
pub fn estimate(cases: &[CaseSpec], budget: Duration) -> Vec<Duration> {
    let total: f64 = cases.iter().map(weight).sum();
    cases.iter().map(|case| budget.mul_f64(weight(case) / total.max(1e-9))).collect()
}

/// Time that a case takes relative to a timed one.
fn weight(case: &CaseSpec) -> f64 {
    case.op.weight()
}

/// Cases by kind of operation, in the order in which the kinds first appear.
fn blocks(cases: &[CaseSpec]) -> Vec<Vec<CaseSpec>> {
    let mut blocks: Vec<Vec<CaseSpec>> = Vec::new();
    for case in cases {
        let same = |block: &&mut Vec<CaseSpec>| block[0].op.block() == case.op.block();
        match blocks.iter_mut().find(same) {
            Some(block) => block.push(case.clone()),
            None => blocks.push(vec![case.clone()]),
        }
    }
    blocks
}

/// Rounds over the cases, forwards, backwards, backwards, forwards, ..., until all are done.
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

type Key = (usize, String, String, [usize; 2]);

/// The drivers of a run, started when they are first needed.
struct Benches<'a> {
    plan: &'a Plan,
    libraries: &'a Libraries,
    slots: HashMap<Key, Slot>,
}

#[derive(Default)]
struct Slot {
    bench: Option<Workbench>,
    starts: usize,
    refused: Option<Fault>,
}

impl<'a> Benches<'a> {
    fn new(plan: &'a Plan, libraries: &'a Libraries) -> Self {
        Self { plan, libraries, slots: HashMap::new() }
    }

    fn info(&self, library: usize) -> &'a LibraryInfo {
        &self.libraries.known[library].1
    }

    fn key(library: usize, case: &CaseSpec) -> Key {
        (library, case.scheme.clone(), case.params.clone(), case.lanes())
    }

    /// Ends the drivers that none of `cases` needs: keys can be large.
    fn retain(&mut self, cases: &[CaseSpec]) {
        self.slots.retain(|key, _| cases.iter().any(|case| Self::key(key.0, case) == *key));
    }

    fn peek(&self, library: usize, case: &CaseSpec) -> Option<&Workbench> {
        self.slots.get(&Self::key(library, case))?.bench.as_ref()
    }

    /// The bench of a case, started if need be.
    fn get(&mut self, library: usize, case: &CaseSpec) -> Result<&mut Workbench, Fault> {
        self.check_capabilities(library, case)?;
        let (plan, launch) = (self.plan, &self.libraries.known[library].0);
        let slot = self.slots.entry(Self::key(library, case)).or_default();
        if let Some(fault) = &slot.refused {
            return Err(fault.clone());
        }
        if slot.bench.is_none() {
            slot.starts += 1;
            match open(plan, launch, case) {
                Ok(bench) => slot.bench = Some(bench),
                Err(fault) => {
                    slot.refused = Some(fault.clone());
                    return Err(fault);
                }
            }
        }
        slot.bench.as_mut().ok_or_else(|| Fault::NotStarted("the driver is gone".into()))
    }

    /// After a fatal fault the process is gone; it may be started again for the next case.
    fn note(&mut self, library: usize, case: &CaseSpec, fault: &Fault) {
        if let Some(slot) = self.slots.get_mut(&Self::key(library, case))
            && fault.is_fatal()
        {
            slot.bench = None;
            if slot.starts > RESTARTS {
                slot.refused = Some(fault.clone());
            }
        }
    }

    fn check_capabilities(&self, library: usize, case: &CaseSpec) -> Result<(), Fault> {
        let (_, info, capabilities) = &self.libraries.known[library];
        let missing = |what: String| {
            let message = format!("{} has no {what}", info.name);
            Err(Fault::Refused(Refusal::new(Code::Unsupported, message)))
        };
        let Some(scheme) = capabilities.schemes.iter().find(|s| s.scheme == case.scheme) else {
            return missing(format!("scheme {}", case.scheme));
        };
        if !scheme.params.contains(&case.params) {
            return missing(format!("parameters {} for {}", case.params, case.scheme));
        }
        match case.op.needs().into_iter().find(|op| !scheme.ops.iter().any(|o| o == &**op)) {
            Some(op) => missing(format!("operation {op} for {}", case.scheme)),
            None => Ok(()),
        }
    }
}

/// Starts a driver with a session and the keys that the plan's cases on it need.
fn open(plan: &Plan, launch: &Launch, case: &CaseSpec) -> Result<Workbench, Fault> {
    let mut driver = Driver::start(launch)?;
    let params = ParamsRequest::Preset { preset: case.params.clone() };
    let prepared = driver.prepare(&case.scheme, params, case.lanes(), None)?;
    let (mut rotations, mut row_swap) = (Vec::new(), false);
    let same = |other: &&CaseSpec| {
        (&other.scheme, &other.params, other.lanes()) == (&case.scheme, &case.params, case.lanes())
    };
    for other in plan.cases.iter().filter(same) {
        let (steps, swap) = other.op.rotation_keys(prepared.params.slots);
        rotations.extend(steps);
        row_swap |= swap;
    }
    rotations.sort_unstable();
    rotations.dedup();
    let session = prepared.session;
    let request = Keygen { session, rotations, row_swap: u8::from(row_swap), reps: 1 };
    let keys = driver.keygen(request)?;
    Ok(Workbench {
        driver,
        session,
        params: prepared.params,
        keys: keys.bytes,
        threads: case.threads,
        op_threads: case.op_threads,
        inputs: case.inputs,
        random: SplitMix64(plan.seed),
    })
}

/// The noise floor: relative differences between two measurements of the same case, interleaved.
///
/// Takes `pairs` pairs of equally long series of `case` on the first library that has it and
/// returns the largest |median ratio - 1|.
///
/// # Errors
/// Any fault of the driver.
pub fn noise_floor(
    libraries: &Libraries,
    launch: &Launch,
    case: &CaseSpec,
    pairs: usize,
    budget: Duration,
) -> Result<f64, Fault> {
    let plan = Plan { launches: vec![launch.clone()], cases: vec![case.clone()], budget, seed: 1 };
    let mut benches = Benches::new(&plan, libraries);
    let each = budget / (2 * pairs.max(1) as u32);
    let mut worst = 0.0_f64;
    for _ in 0..pairs {
        let mut sides = [(); 2].map(|()| CaseRun::new(case.clone(), Effort::within(each)));
        for turn in [0, 1, 1, 0] {
            sides[turn].round(benches.get(0, case)?)?;
        }
        let [a, b] = sides.map(|side| side.median_ns());
        if let (Some(a), Some(b)) = (a, b) {
            worst = worst.max((a / b).max(b / a) - 1.0);
        }
    }
    Ok(worst)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{Selection, Suite};

    #[test]
    fn blocks_hold_cases_of_one_kind_and_lose_none() {
        let cases = Suite::built_in("schemes").unwrap().cases("x", &Selection::default());
        let blocks = blocks(&cases);
        assert_eq!(blocks.iter().map(Vec::len).sum::<usize>(), cases.len());
        for block in &blocks {
            assert!(block.iter().all(|case| case.op.block() == block[0].op.block()));
        }
        let deep = |case: &&CaseSpec| case.op.block() == "depth";
        let depth = blocks.iter().find(|block| deep(&&block[0])).unwrap();
        assert_eq!(depth.len(), cases.iter().filter(deep).count());
    }
}
