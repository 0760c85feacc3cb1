//! Functions that the integration tests share.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]
#![allow(dead_code, reason = "each test program uses a part")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A finished run of the command.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `fathom` to its end.
pub(crate) fn fathom(arguments: &[&str]) -> Run {
    let output = command(arguments).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Returns the `fathom` command with arguments.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.args(arguments);
    command
}

/// The driver of a library that behaves or misbehaves as its arguments say.
pub(crate) fn fixture() -> String {
    env!("CARGO_BIN_EXE_fixture_driver").to_owned()
}

/// The driver of a library that bootstraps in the clear.
pub(crate) fn bootstrap_fixture() -> String {
    env!("CARGO_BIN_EXE_bootstrap_fixture").to_owned()
}

/// Creates an empty folder for this test program.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns the path of a published table.
pub(crate) fn published_table() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/published-table.csv")
}

/// Returns the lines of a result file, context first.
pub(crate) fn records(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("results.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the cases whose id ends with the operation.
pub(crate) fn cases_of<'a>(records: &'a [Value], op: &str) -> Vec<&'a Value> {
    records.iter().filter(|record| record["op"] == op).collect()
}

/// Adds a peer that a script starts to a folder of peers, with the given installation steps.
pub(crate) fn add_peer(peers: &Path, name: &str, script: &str, steps: &str) {
    let folder = peers.join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("run.sh"), script).unwrap();
    let manifest = format!(
        r#"name = "{name}"
title = "A fixture"
version = "1"
license = "MIT"
homepage = "https://example.org"
[[requires]]
program = "sh"
version_args = ["-c", "true"]
hint = "every system has it"
[install]
minutes = 0.1
steps = {steps}
[run]
command = ["sh", "run.sh"]
"#
    );
    std::fs::write(folder.join("peer.toml"), manifest).unwrap();
}
