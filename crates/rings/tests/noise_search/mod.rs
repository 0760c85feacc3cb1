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

mod bench;
mod climb;
mod integers;
mod recipe;
mod shape;
mod slots;
mod subject;

use climb::Search;
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{Encryption, Modular, Params, Preset};
use fathom::{Gadget, SecurityLevel, wide};
use integers::Integers;
use slots::Slots;
use std::time::{Duration, Instant};
use subject::Subject;

/// Number of circuits after which the next set follows.
const BATCH: u64 = 2500;

/// Sets of a short run: presets, the second gadget, a plan, exact integers.
const SETS: &str = "e1,e1d2,e2,e1-256,positional-8,planned-1-786433-192,e4,integers-12";

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

impl<T: Subject> Climber for Search<T> {
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
    fn new<T: Subject + 'static>(set: &str, params: T::Set, seed: u64) -> Run {
        let name = format!("{} {set}", T::NAME);
        Run { name, search: Box::new(Search::<T>::new(params, seed)), time: Duration::ZERO }
    }

    /// Returns the searches of every scheme that has this set.
    fn all(set: &str, seed: u64) -> Vec<Run> {
        if let Some(params) = integers(set) {
            return vec![Run::new::<Integers>(set, params, seed)];
        }
        vec![
            Run::new::<Slots<Bfv>>(set, params(set), seed),
            Run::new::<Slots<Bgv>>(set, params(set), seed + 1000),
        ]
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

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |n| n.parse().unwrap())
}

#[test]
fn no_circuit_is_found_that_exceeds_its_bound() {
    let circuits = setting("FATHOM_SEARCH_CIRCUITS", 100);
    let seed = setting("FATHOM_SEARCH_SEED", 1);
    let sets = std::env::var("FATHOM_SEARCH_SETS");
    let sets = sets.unwrap_or_else(|_| SETS.to_owned());
    let mut batches = vec![BATCH; (circuits / BATCH) as usize];
    batches.push(circuits % BATCH);
    println!("| set | circuits | worst measured / bound | bits | seconds | circuit |");
    println!("|---|---:|---:|---:|---:|---|");
    let mut runs: Vec<Run> = Vec::new();
    for set in sets.split(',') {
        runs.extend(Run::all(set, seed));
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
