//! The long runs of tests whose ordinary runs are short.

use std::path::Path;
use std::process::Command;

/// A test with its settings for a long run. Settings in the environment take precedence.
struct LongRun {
    /// The package of the test.
    package: &'static str,
    /// The options of cargo that choose the test program.
    program: &'static [&'static str],
    /// Arguments of the test program.
    arguments: &'static [&'static str],
    /// Environment variables and their values.
    settings: &'static [(&'static str, &'static str)],
}

/// Hill climbing for a noise bound of BFV, BGV or exact integers that is too small.
const NOISE: LongRun = LongRun {
    package: "fathom-rings",
    program: &["--test", "rings_tests"],
    arguments: &["noise_search::"],
    settings: &[
        ("FATHOM_SEARCH_CIRCUITS", "25000"),
        (
            "FATHOM_SEARCH_SETS",
            "e1,e1-192,e1-256,e1d2,e1-t786433,e2,e2-192,e2-256,e-t2013265921,e5-192,e5-256,\
             positional-3,positional-8,positional-20,planned-1-786433-192,planned-1-65537-192,\
             e4,e4d,integers-12",
        ),
    ],
};

/// Random circuits of CKKS for an error beyond its bound: unit tests, because insecure rings
/// are not public.
const CKKS: LongRun = LongRun {
    package: "fathom-rings",
    program: &["--lib"],
    arguments: &["ckks::search"],
    settings: &[("FATHOM_SEARCH_CIRCUITS", "16000")],
};

/// Hill climbing for a linear combination of TFHE blocks whose noise exceeds its bound.
const TFHE: LongRun = LongRun {
    package: "fathom-torus",
    program: &["--test", "torus_tests"],
    arguments: &["tfhe_mixed::search::search_all", "--ignored"],
    settings: &[],
};

/// Random operations that mix keys, parameters and types: BFV, BGV, CKKS, exact integers and
/// vectors.
const MIXING: LongRun = LongRun {
    package: "fathom-rings",
    program: &["--test", "rings_tests"],
    arguments: &["mixing::"],
    settings: &[("FATHOM_MIXING_OPERATIONS", "100000")],
};

/// The same for FHEW, which runs a hundredth of the operations.
const FHEW_MIXING: LongRun = LongRun {
    package: "fathom-fhew",
    program: &["--test", "fhew_tests"],
    arguments: &["mixing"],
    settings: &[("FATHOM_MIXING_OPERATIONS", "100000")],
};

/// The same for TFHE.
const TFHE_MIXING: LongRun = LongRun {
    package: "fathom-torus",
    program: &["--test", "torus_tests"],
    arguments: &["tfhe_mixed::mixed_operations"],
    settings: &[("FATHOM_MIXING_OPERATIONS", "1000000"), ("FATHOM_MIXING_REAL", "0.01")],
};

/// Searches for noise bounds that are too small in BFV, BGV and exact integers.
pub(crate) fn noise(root: &Path) -> bool {
    run(root, &NOISE)
}

/// Searches for errors of CKKS beyond their bounds.
pub(crate) fn ckks(root: &Path) -> bool {
    run(root, &CKKS)
}

/// Searches for noise bounds that are too small in TFHE.
pub(crate) fn tfhe(root: &Path) -> bool {
    run(root, &TFHE)
}

/// Mixes keys, parameters and types at random, a million operations in all.
pub(crate) fn mixing(root: &Path) -> bool {
    [MIXING, FHEW_MIXING, TFHE_MIXING].iter().all(|long| run(root, long))
}

fn run(root: &Path, long: &LongRun) -> bool {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args(["test", "--package", long.package, "--all-features"]);
    cargo.args(long.program).arg("--").args(long.arguments).arg("--nocapture");
    for (name, value) in long.settings {
        if std::env::var_os(name).is_none() {
            cargo.env(name, value);
        }
    }
    cargo.status().is_ok_and(|status| status.success())
}
