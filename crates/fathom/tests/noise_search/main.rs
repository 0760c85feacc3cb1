//! An adversarial search for a noise bound that is too small: hill climbing over circuits, messages
//! and plaintexts for the ratio of the measured noise to its bound.
//!
//! A circuit is an expression over fresh encryptions. The noise of every expression that the search
//! evaluates is measured, also of those that are parts of others; parts that expressions share are
//! evaluated once under each key. Equal expressions count once.
//!
//! A short run is an ordinary test. `cargo xtask noise-search` runs it longer:
//! `FATHOM_SEARCH_CIRCUITS` is the number of circuits for each scheme and parameter set,
//! `FATHOM_SEARCH_SETS` a list of their names, `FATHOM_SEARCH_SEED` another seed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "a failure here fails the test"
)]

mod bench;
mod climb;
mod recipe;
mod shape;

use bench::Border;
use climb::Search;
use fathom::SecurityLevel;
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::exact::{Encryption, Params, Preset, Scheme};
use std::time::{Duration, Instant};

/// Number of circuits after which the next set follows.
const BATCH: u64 = 2500;

/// Small reproducible random numbers.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ z >> 31) % bound
    }
}

/// A search, whatever its scheme.
trait Climber {
    fn run_until(&mut self, circuits: u64);
    fn circuits(&self) -> u64;
    fn tightest(&self) -> (f64, String);
}

impl<S: Border> Climber for Search<S> {
    fn run_until(&mut self, circuits: u64) {
        Search::run_until(self, circuits);
    }

    fn circuits(&self) -> u64 {
        Search::circuits(self)
    }

    fn tightest(&self) -> (f64, String) {
        Search::tightest(self)
    }
}

/// A search, its name, and the time that it took so far.
struct Run {
    name: String,
    search: Box<dyn Climber>,
    time: Duration,
}

impl Run {
    fn new<S: Border>(set: &str, seed: u64) -> Run {
        let name = format!("{} {set}", S::NAME);
        Run { name, search: Box::new(Search::<S>::new(params(set), seed)), time: Duration::ZERO }
    }

    fn run_until(&mut self, circuits: u64) {
        let start = Instant::now();
        self.search.run_until(circuits);
        self.time += start.elapsed();
    }

    /// Prints a row of the table: what was found so far.
    fn print(&self) {
        let (slack, circuit) = self.search.tightest();
        let (circuits, seconds) = (self.search.circuits(), self.time.as_secs());
        let ratio = (-slack).exp2();
        println!(
            "| {} | {circuits} | {ratio:.3} | {slack:.2} | {seconds} | {circuit} |",
            self.name
        );
    }
}

fn params<S: Scheme>(set: &str) -> Params<S> {
    if let Some(preset) = Preset::by_name(set) {
        return Params::<S>::preset(preset).unwrap();
    }
    let depth = set.strip_prefix("depth-").and_then(|depth| depth.parse().ok());
    let depth = depth.expect("the sets are presets and depth-<number>");
    Params::for_depth(depth, 65537, Encryption::PublicKey, SecurityLevel::Bits128)
        .unwrap()
        .into_params()
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |n| n.parse().unwrap())
}

#[test]
fn no_circuit_is_found_that_exceeds_its_bound() {
    let circuits = setting("FATHOM_SEARCH_CIRCUITS", 150);
    let seed = setting("FATHOM_SEARCH_SEED", 1);
    let sets = std::env::var("FATHOM_SEARCH_SETS");
    let sets = sets.unwrap_or_else(|_| "e1,e1d2,e1-256,e2".to_owned());
    let mut batches = vec![BATCH; (circuits / BATCH) as usize];
    batches.push(circuits % BATCH);
    println!("| set | circuits | worst measured / bound | bits | seconds | circuit |");
    println!("|---|---:|---:|---:|---:|---|");
    let mut runs: Vec<Run> = Vec::new();
    for set in sets.split(',') {
        runs.push(Run::new::<Bfv>(set, seed));
        runs.push(Run::new::<Bgv>(set, seed + 1000));
    }
    let mut until = 0;
    for batch in batches {
        until += batch;
        for run in &mut runs {
            run.run_until(until);
            run.print();
        }
    }
    for run in &runs {
        let (slack, _) = run.search.tightest();
        assert!(slack < 8.0, "{}: nothing comes near its bound", run.name);
    }
}
