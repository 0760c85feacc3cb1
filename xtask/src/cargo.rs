//! Commands of cargo, and the programs that it builds.

use std::path::{Path, PathBuf};
use std::process::Command;

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

/// Returns the names of the programs in a folder of tests or examples, sorted: files, and folders
/// with a `main.rs`.
pub(crate) fn programs(root: &Path, folder: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(root.join(folder)) else { return Vec::new() };
    let name = |path: PathBuf| {
        let is_program =
            path.extension().is_some_and(|it| it == "rs") || path.join("main.rs").exists();
        is_program.then(|| Some(path.file_stem()?.to_str()?.to_owned()))?
    };
    let mut names: Vec<String> = entries.flatten().filter_map(|entry| name(entry.path())).collect();
    names.sort();
    names
}
