//! The checks of continuous integration after the tests.

use std::path::Path;
use std::time::Instant;

use crate::cargo::{CRATES, FEATURES, cargo, succeeds};

/// A cargo command, in parts, with its environment.
struct Step {
    name: &'static str,
    arguments: &'static [&'static [&'static str]],
    environment: &'static [(&'static str, &'static str)],
}

const STEPS: [Step; 5] = [
    Step { name: "format", arguments: &[&["fmt", "--all", "--", "--check"]], environment: &[] },
    Step {
        name: "lints",
        arguments: &[
            &["clippy", "--workspace", "--all-targets"],
            &FEATURES,
            &["--", "-D", "warnings"],
        ],
        environment: &[],
    },
    // With an example, the libraries have the features that the lints checked; without, cargo
    // leaves out those of the tests, and checks everything again.
    Step {
        name: "docs",
        arguments: &[
            &["doc", "--no-deps", "--lib", "--bin", "xtask", "--example", "million_rows"],
            &CRATES,
            &FEATURES,
        ],
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
    },
    Step {
        name: "without threads",
        arguments: &[&["check", "--package", "fathom", "--no-default-features", "--test", "alone"]],
        environment: &[],
    },
    // In the profile of the tests, whose libraries are built.
    Step {
        name: "benches once",
        arguments: &[&["test"], &CRATES, &FEATURES, &["--bench", "*", "--", "--test"]],
        environment: &[],
    },
];

/// Runs every step, also after a failure, and prints a summary.
pub(crate) fn run(root: &Path) -> bool {
    let timed = |name, work: &dyn Fn() -> bool| {
        let start = Instant::now();
        let ok = work();
        (name, ok, start.elapsed().as_secs())
    };
    let mut results = vec![timed("tidy", &|| crate::tidy::run(root))];
    results.extend(STEPS.iter().map(|step| timed(step.name, &|| step.run(root))));
    results.push(timed("one build", &|| crate::one_build::run(root)));
    results.push(timed("documents", &|| crate::book::run(root)));
    results.push(timed("licences and advisories", &|| crate::deny::run(root)));
    results.push(timed("wasm", &|| crate::wasm::run(root)));
    results.push(timed("address sanitizer", &|| asan(root)));
    for (name, ok, seconds) in &results {
        println!("ci: {name:<24}{:<8}{seconds:>5} s", if *ok { "ok" } else { "FAILED" });
    }
    results.iter().all(|(_, ok, _)| *ok)
}

impl Step {
    fn run(&self, root: &Path) -> bool {
        let arguments = self.arguments.concat();
        println!("ci: {}: cargo {}", self.name, arguments.join(" "));
        let mut cargo = cargo(root);
        cargo.args(arguments).envs(self.environment.iter().copied());
        succeeds(&mut cargo)
    }
}

/// Tests the kernels, which hold the only unsafe code, under `AddressSanitizer`.
///
/// The sanitizer is an unstable compiler flag, which the stable compiler accepts with
/// `RUSTC_BOOTSTRAP`; it supports few targets.
pub(crate) fn asan(root: &Path) -> bool {
    const TARGET: &str = "x86_64-unknown-linux-gnu";
    if !(cfg!(target_os = "linux") && std::env::consts::ARCH == "x86_64") {
        println!("asan: SKIPPED: only set up for {TARGET}");
        return true;
    }
    let mut cargo = cargo(root);
    cargo
        .args(["test", "--package", "fathom-kernels", "--lib", "--tests", "--target", TARGET])
        .args(["--config", "profile.test.package.fathom-kernels.opt-level=1"])
        .args(["--config", "profile.test.package.'*'.opt-level=0"])
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-Zsanitizer=address")
        .env("CARGO_TARGET_DIR", root.join("target/asan"));
    succeeds(&mut cargo)
}
