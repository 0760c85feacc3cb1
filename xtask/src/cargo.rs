//! Commands of cargo.

use std::path::Path;
use std::process::Command;

/// A check: takes the root of the repository and returns true if it passes.
pub(crate) type Check = fn(&Path) -> bool;

/// Features that the default builds leave out and that are tested: a build of the whole workspace
/// takes them, and the main job does without.
pub(crate) const FEATURES: [&str; 2] = ["--features", "fathom-bench/parquet"];

/// The crates that are tested without a Python interpreter.
pub(crate) const CRATES: [&str; 3] = ["--workspace", "--exclude", "fathom-python"];

/// Returns a command of the cargo that runs this program, in the folder `root`.
pub(crate) fn cargo(root: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root);
    cargo
}

/// Runs a command and returns true if it succeeds.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.status().is_ok_and(|status| status.success())
}
