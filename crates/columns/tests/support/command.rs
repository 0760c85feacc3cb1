//! Runs of the command `fathom-columns`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A finished run of the command.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `fathom-columns` to its end.
pub(crate) fn run(arguments: &[&str]) -> Run {
    let output =
        Command::new(env!("CARGO_BIN_EXE_fathom-columns")).args(arguments).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Creates an empty folder for a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
