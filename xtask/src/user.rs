//! Checks the library from the point of view of a user, whose crate is outside the workspace: its
//! tests in the dev profile, the stack frames of the libraries, and a release build.

use crate::cargo::{cargo, succeeds};
use crate::frames;
use std::path::Path;
use std::time::Instant;

/// Path of the crate from the root.
const CRATE: &str = "tests/user";
/// Path of its build folder from the root.
const TARGET: &str = "target/user";

/// Tests the crate in the dev profile and checks the stack frames of the libraries.
pub(crate) fn run(root: &Path) -> bool {
    let ok = timed(root, "tests in the dev profile", &["test", "--locked"]);
    ok & frames::check(&root.join(TARGET).join("debug/deps"))
}

/// Builds the crate from nothing in the release profile, checks stack frames, and tests the
/// programs that take too long in the other one.
pub(crate) fn released(root: &Path) -> bool {
    let release = root.join(TARGET).join("release");
    if release.exists() && std::fs::remove_dir_all(&release).is_err() {
        println!("user: {} cannot be removed", release.display());
        return false;
    }
    let ok = timed(root, "release build from nothing", &["build", "--release", "--locked"]);
    let ok = ok & frames::check(&release.join("deps"));
    let programs = ["test", "--release", "--locked", "--test", "programs"];
    ok & timed(root, "programs of real numbers in the release profile", &programs)
}

/// Runs cargo on the crate and prints the elapsed time.
fn timed(root: &Path, name: &str, arguments: &[&str]) -> bool {
    let start = Instant::now();
    let mut cargo = cargo(&root.join(CRATE));
    cargo.args(arguments).env("CARGO_TARGET_DIR", root.join(TARGET));
    let ok = succeeds(&mut cargo);
    println!("user: {name}: {:.0} s", start.elapsed().as_secs_f64());
    ok
}
