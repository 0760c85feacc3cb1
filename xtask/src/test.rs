//! The tests of the workspace, in one build: `cargo xtask test` is the README's test command.
//!
//! `cargo test --workspace` runs the same tests, and links the examples besides, of which the tests
//! already run a copy. What takes longest is compiling, so a crate has one program for all its
//! integration tests, except those that fork or count the threads of their process.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::cargo::{CRATES, FEATURES, cargo, succeeds};

/// Seed of the random searches. Without it, every run draws another one and prints it.
const SEED: &str = "FATHOM_SEARCH_SEED";

/// Builds and runs all tests, then those of the documentation.
pub(crate) fn run(root: &Path) -> bool {
    let seed = std::env::var(SEED).unwrap_or_else(|_| drawn().to_string());
    println!("test: the seed of random searches is {SEED}={seed}; set it to repeat this run");
    let test = |targets: &[&str]| {
        let mut cargo = cargo(root);
        cargo.arg("test").args(CRATES).args(FEATURES).arg("--no-fail-fast").args(targets);
        succeeds(cargo.env(SEED, &seed))
    };
    let tested = test(&["--lib", "--bins", "--tests"]);
    let documented = test(&["--doc"]);
    if !tested {
        println!("test: FAILED; the seed of random searches was {SEED}={seed}");
    }
    tested && documented
}

/// Returns a number that differs from run to run.
fn drawn() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |time| u64::from(time.subsec_micros()) + 1)
}
