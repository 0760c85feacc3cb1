//! An adversarial search for a noise bound that is too small: hill climbing over circuits, messages
//! and plaintexts for the ratio of the measured noise to its bound.
//!
//! A short run is an ordinary test. `cargo xtask noise-search` runs it longer:
//! `FATHOM_SEARCH_CIRCUITS` is the number of circuits for each parameter set, `FATHOM_SEARCH_SETS`
//! a list of their names.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

mod circuit;
mod shape;

use circuit::{Bench, Circuit};
use fathom::SecurityLevel;
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::exact::{Params, Preset, Scheme};
use std::time::Instant;

/// Number of circuits without an improvement after which the search restarts.
const PATIENCE: u32 = 60;
/// Number of circuits that run under one key.
const KEY_LIFE: u32 = 400;

/// The tightest case found for one parameter set.
struct Tightest {
    set: String,
    circuits: u32,
    /// Bits between the measured noise and its bound.
    slack: f64,
    circuit: String,
}

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

fn search<S: Scheme>(params: &Params<S>, circuits: u32, seed: u64) -> Tightest {
    let mut dice = Dice(seed);
    let mut bench = Bench::new(params, seed);
    let mut tightest = (f64::INFINITY, String::new());
    let mut best = (f64::INFINITY, Circuit::random(&mut dice));
    let (mut idle, start) = (0, Instant::now());
    for number in 1..=circuits {
        if number % KEY_LIFE == 0 {
            bench = Bench::new(params, seed + u64::from(number));
        }
        let candidate =
            if idle > PATIENCE { Circuit::random(&mut dice) } else { best.1.mutated(&mut dice) };
        let slack = bench.slack(&candidate);
        assert!(
            slack >= 0.0,
            "{} {}: exceeded by {:.3} bits: {candidate:?}",
            S::NAME,
            params.name(),
            -slack
        );
        if slack < best.0 || idle > PATIENCE {
            idle = 0;
            best = (slack, candidate);
        }
        idle += 1;
        if best.0 < tightest.0 {
            tightest = (best.0, format!("{:?}", best.1));
        }
        if number.is_multiple_of(10_000) {
            let seconds = start.elapsed().as_secs();
            eprintln!("{} {number} circuits, {seconds} s: {:.2}", params.name(), tightest.0);
        }
    }
    let (slack, circuit) = tightest;
    Tightest { set: format!("{} {}", S::NAME, params.name()), circuits, slack, circuit }
}

fn planned<S: Scheme>(depth: usize, security: SecurityLevel) -> Params<S> {
    Params::for_depth(depth, 65537, security).unwrap().into_params()
}

fn run(name: &str, circuits: u32) -> Tightest {
    if let Some(preset) = Preset::by_name(name) {
        let even = name.len().is_multiple_of(2);
        return if even {
            search(&Params::<Bfv>::preset(preset).unwrap(), circuits, 1)
        } else {
            search(&Params::<Bgv>::preset(preset).unwrap(), circuits, 2)
        };
    }
    let depth = name.strip_prefix("depth-").unwrap().parse().unwrap();
    search(&planned::<Bgv>(depth, SecurityLevel::Bits128), circuits, 3)
}

#[test]
fn no_circuit_is_found_that_exceeds_its_bound() {
    let circuits = std::env::var("FATHOM_SEARCH_CIRCUITS").map_or(150, |n| n.parse().unwrap());
    let sets = std::env::var("FATHOM_SEARCH_SETS");
    let sets = sets.unwrap_or_else(|_| "e1,e1d2,e1-256,e2,e5-256".to_owned());
    println!("| set | circuits | worst measured / bound | bits | circuit |");
    println!("|---|---:|---:|---:|---|");
    for name in sets.split(',') {
        let found = run(name, circuits);
        let ratio = (-found.slack).exp2();
        println!(
            "| {} | {} | {ratio:.3} | {:.2} | {} |",
            found.set, found.circuits, found.slack, found.circuit
        );
        assert!(found.slack < 8.0, "{}: nothing comes near its bound", found.set);
    }
}
