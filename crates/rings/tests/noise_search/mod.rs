//! An adversarial search for a noise bound that is too small: hill climbing over circuits, messages
//! and plaintexts for the ratio of the measured noise to its bound.
//!
//! A circuit is an expression over encryptions, made or received, and over sums of rotations and
//! of products of many of them under one key, in which errors that are alike add up. The noise of
//! every expression that the search evaluates is measured, also of those that are parts of others;
//! parts that expressions share are evaluated once under each key. Equal expressions count once.
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

mod integers;
mod rows;
mod shape;
mod slots;
mod subject;

use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{Encryption, Modular, Params, Preset};
use fathom::wide::{self, Wide};
use fathom::{Gadget, SecurityLevel};
use fathom_circuits::{Climber, seed, sets, setting};
use std::time::{Duration, Instant};
use subject::{Searched, Subject};

/// Number of circuits after which the next set follows.
const BATCH: u64 = 2500;

/// The ratio of noise and bound that every search finds in a circuit.
const NEAR: f64 = 1.0 / 256.0;

/// Sets of a short run: presets, the second gadget, a plan, exact integers.
const SETS: &str = "e1,e1d2,e2,e1-256,positional-8,planned-1-786433-192,e4,integers-12";

/// A search, whatever its scheme.
trait Climbing {
    fn run_until(&mut self, circuits: u64);
    fn circuits(&self) -> u64;
    fn tightest(&self) -> Option<(f64, String)>;
    fn fault(&self) -> Option<&str>;
}

impl<S: Searched> Climbing for Climber<Subject<S>> {
    fn run_until(&mut self, circuits: u64) {
        Climber::run_until(self, circuits);
    }

    fn circuits(&self) -> u64 {
        Climber::circuits(self)
    }

    fn tightest(&self) -> Option<(f64, String)> {
        Climber::tightest(self)
    }

    fn fault(&self) -> Option<&str> {
        Climber::fault(self)
    }
}

/// A search, its name, and the time that it took so far.
struct Run {
    name: String,
    search: Box<dyn Climbing>,
    time: Duration,
}

impl Run {
    fn new<S: Searched>(set: &str, params: Params<S>, seed: u64) -> Run {
        let search = Climber::new(seed, move |seed| Subject::<S>::new(&params, seed));
        let name = format!("{} {set}", S::TITLE);
        Run { name, search: Box::new(search), time: Duration::ZERO }
    }

    /// Returns the searches of every scheme that has this set.
    fn all(set: &str, seed: u64) -> Vec<Run> {
        if let Some(params) = integers(set) {
            return vec![Run::new::<Wide>(set, params, seed)];
        }
        vec![
            Run::new::<Bfv>(set, params(set), seed),
            Run::new::<Bgv>(set, params(set), seed + 1000),
        ]
    }

    fn run_until(&mut self, circuits: u64) {
        let start = Instant::now();
        self.search.run_until(circuits);
        self.time += start.elapsed();
    }

    /// Prints a row of the table: what was found so far.
    fn print(&self) {
        let (ratio, program) = self.search.tightest().unwrap_or_default();
        let (circuits, seconds) = (self.search.circuits(), self.time.as_secs());
        let (slack, circuit) = (-ratio.log2(), program.trim_end().replace('\n', "; "));
        println!(
            "| {} | {circuits} | {ratio:.3} | {slack:.2} | {seconds} | {circuit} |",
            self.name
        );
    }
}

/// Returns the parameters of a name: a preset, `depth-DEPTH`, `planned-DEPTH-MODULUS-SECURITY`, or
/// `positional-BITS` for the preset without special primes and a base of as many bits.
fn params<S: Modular>(set: &str) -> Params<S> {
    if let Ok(preset) = set.parse::<Preset>() {
        return Params::<S>::preset(preset).unwrap();
    }
    let planned = |depth, t, security| {
        let plan = Params::for_depth(depth as usize, t, Encryption::PublicKey, security);
        plan.unwrap().into_params()
    };
    let (kind, numbers) = set.split_once('-').expect("a name has a number");
    let numbers: Vec<u64> = numbers.split('-').map(|number| number.parse().unwrap()).collect();
    match (kind, numbers.as_slice()) {
        ("depth", &[depth]) => planned(depth, 65537, SecurityLevel::Bits128),
        ("planned", &[depth, t, bits]) => {
            let levels = [SecurityLevel::Bits128, SecurityLevel::Bits192, SecurityLevel::Bits256];
            planned(depth, t, levels[(bits / 64 - 2) as usize])
        }
        ("positional", &[base_log]) => {
            let mut spec = Preset::E1Bits256.spec();
            spec.gadget = Gadget::Positional { base_log: base_log as u32 };
            Params::<S>::new(spec).unwrap()
        }
        _ => panic!("no set has the name {set}"),
    }
}

/// Returns the parameters of exact integers of this name: a preset, or `integers-BITS` for a set
/// with a positional gadget.
fn integers(set: &str) -> Option<wide::Params> {
    if let Ok(preset) = set.parse::<wide::Preset>() {
        return Some(wide::Params::preset(preset).unwrap());
    }
    let base_log = set.strip_prefix("integers-")?.parse().unwrap();
    let mut spec = wide::Preset::E4.spec();
    (spec.name, spec.chain_bits, spec.special_bits) = (set.to_owned(), vec![45.0], Vec::new());
    spec.gadget = Gadget::Positional { base_log };
    Some(wide::Params::new(spec).unwrap())
}

#[test]
fn no_circuit_is_found_that_exceeds_its_bound() {
    let (circuits, seed) = (setting("FATHOM_SEARCH_CIRCUITS", 100), seed(1));
    let mut batches = vec![BATCH; (circuits / BATCH) as usize];
    batches.push(circuits % BATCH);
    println!("| set | circuits | worst measured / bound | bits | seconds | circuit |");
    println!("|---|---:|---:|---:|---:|---|");
    let mut runs: Vec<Run> = sets(SETS).iter().flat_map(|set| Run::all(set, seed)).collect();
    let mut until = 0;
    for batch in batches {
        until += batch;
        for run in &mut runs {
            run.run_until(until);
            run.print();
            assert!(run.search.fault().is_none(), "{}: {}", run.name, run.search.fault().unwrap());
        }
    }
    for run in &runs {
        let (ratio, _) = run.search.tightest().unwrap_or_default();
        assert!(ratio > NEAR, "{}: nothing comes near its bound", run.name);
    }
}
