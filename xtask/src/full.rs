//! The checks at full length: those that continuous integration leaves out because they would take
//! longer than half an hour.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::cargo::{Check, cargo, succeeds};
use crate::{book, search, user};

/// A check that `.ci/run` leaves to `cargo xtask full`, and why.
struct Left {
    name: &'static str,
    reason: &'static str,
    check: Check,
}

const LEFT: [Left; 10] = [
    Left {
        name: "portable kernel",
        reason: "all tests of rings and schemes; CI compares digests of results on every kernel",
        check: portable,
    },
    Left {
        name: "without threads",
        reason: "tests of a library without rayon, which is another build; CI compiles them",
        check: without_threads,
    },
    Left {
        name: "a user's release build",
        reason: "from nothing, with its stack frames; CI runs that crate in the dev profile",
        check: user::released,
    },
    Left {
        name: "secrets on the stack",
        reason: "in a release build of hfhe; debug assertions, as in CI, wipe more",
        check: stack,
    },
    Left {
        name: "documentation site",
        reason: "it installs mdBook; CI checks pages, blocks and links of the sources",
        check: book::site,
    },
    Left {
        name: "environments of Python",
        reason: "nine pairs of Python and NumPy; CI takes the default Python with each NumPy",
        check: environments,
    },
    Left { name: "search for noise", reason: "CI runs a short search", check: search::noise },
    Left { name: "search for errors", reason: "CI runs a short search", check: search::ckks },
    Left { name: "search of TFHE", reason: "CI runs a short search", check: search::tfhe },
    Left { name: "mixing", reason: "CI mixes thousands of operations", check: search::mixing },
];

/// Prints what continuous integration leaves to this verb.
pub(crate) fn print_left(_: &Path) -> bool {
    println!("left to `cargo xtask full`:");
    for Left { name, reason, .. } in &LEFT {
        println!("  {name:<24}{reason}");
    }
    true
}

/// Runs the tests, the checks of continuous integration and everything that it leaves out.
pub(crate) fn run(root: &Path) -> bool {
    let common: [(&str, Check); 4] = [
        ("tests", crate::test::run),
        ("checks", crate::ci::run),
        ("a user's crate", user::run),
        ("README", crate::readme::run),
    ];
    let left = LEFT.iter().map(|left| (left.name, left.check));
    let mut results = Vec::new();
    for (name, check) in common.into_iter().chain(left) {
        let start = Instant::now();
        results.push((name, check(root), start.elapsed().as_secs()));
    }
    for (name, ok, seconds) in &results {
        println!("full: {name:<24}{:<8}{seconds:>6} s", if *ok { "ok" } else { "FAILED" });
    }
    results.iter().all(|(_, ok, _)| *ok)
}

/// Tests rings and schemes on the portable kernel, whose results must be those of the fastest one.
fn portable(root: &Path) -> bool {
    let packages = [
        "fathom-ring",
        "fathom-rings",
        "fathom-bootstrap",
        "fathom-torus",
        "fathom",
        "fathom-hfhe",
    ]
    .map(|name| ["--package", name]);
    let mut cargo = cargo(root);
    cargo.arg("test").args(packages.as_flattened()).args(["--all-features", "--tests"]);
    succeeds(cargo.arg("--no-fail-fast").env("FATHOM_KERNEL", "portable"))
}

/// Tests the library without its feature `rayon`.
fn without_threads(root: &Path) -> bool {
    let arguments = ["test", "--package", "fathom", "--no-default-features", "--test", "alone"];
    succeeds(cargo(root).args(arguments))
}

/// Tests what a released build leaves of secrets on the stack: builds with debug assertions wipe
/// more of it.
fn stack(root: &Path) -> bool {
    let arguments = ["test", "--release", "--package", "fathom-hfhe", "--all-features"];
    succeeds(cargo(root).args(arguments).args(["--test", "hfhe_tests", "stack"]))
}

/// Builds the wheel as it is published and tests it under every Python and array library.
fn environments(root: &Path) -> bool {
    let mut test = Command::new("bindings/python/test");
    succeeds(test.current_dir(root).env("FATHOM_ENVIRONMENTS", "all"))
}
