//! A closed or full stdout, and disks that fill up during a run: no panic, a suitable exit code,
//! and no measurement is lost.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]
#![cfg(target_os = "linux")]

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Run, command, fixture, folder, records};

fn finished(mut command: Command) -> Run {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    Run { code: output.status.code().expect("it ended by itself"), stdout, stderr }
}

/// Runs the command with a closed pipe as stdout.
fn into_closed_pipe(mut command: Command) -> Run {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    command.stdout(writer);
    finished(command)
}

fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").unwrap().into()
}

/// Returns the command of a short run on the fixture, with result files in `out`.
fn bench(out: &Path) -> Command {
    let arguments =
        ["bench", "--allow-debug", "--peers", "none", "--budget", "1s", "--ops", "mul,add"];
    let mut command = command(&arguments);
    command.args(["--driver", &fixture(), "--out", out.to_str().unwrap()]);
    command
}

const COMMANDS: [&[&str]; 10] = [
    &["list", "ops"],
    &["list", "suites"],
    &["list", "schemes"],
    &["params", "bfv"],
    &["explain", "drift"],
    &["doctor"],
    &["bench", "--dry-run"],
    &["bench", "--dry-run", "--format", "json"],
    &["security", "--degree", "4096", "--log-q", "106"],
    &["security", "--lwe", "640", "--log-q", "32", "--log-noise", "-13.3"],
];

#[test]
fn m4_a_closed_pipe_ends_a_command_quietly() {
    for arguments in COMMANDS {
        let run = into_closed_pipe(command(arguments));
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
        let silent = !run.stderr.contains("panicked") && !run.stderr.contains("pipe");
        assert!(silent, "{arguments:?}: {}", run.stderr);
    }
    let mut driver = command(&["driver"]);
    let requests = folder("closed-driver").join("requests");
    std::fs::write(&requests, "{\"id\":1,\"verb\":\"hello\"}\n").unwrap();
    driver.stdin(File::open(requests).unwrap());
    let run = into_closed_pipe(driver);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

#[test]
fn m4_a_full_disk_behind_stdout_is_an_error_that_says_so() {
    for arguments in COMMANDS {
        let mut command = command(arguments);
        command.stdout(full());
        let run = finished(command);
        assert_eq!(run.code, 1, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("No space left on device"), "{arguments:?}: {}", run.stderr);
        assert!(!run.stderr.contains("panicked"), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn a_stderr_that_takes_nothing_changes_nothing() {
    let mut command = command(&["explain", "gibberish"]);
    command.stderr(full());
    assert_eq!(finished(command).code, 2);
}

#[test]
fn m4_a_run_whose_stdout_is_closed_or_full_keeps_its_results() {
    let out = folder("full-stdout");
    let mut command = bench(&out);
    command.stdout(full());
    let run = finished(command);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("No space left on device"), "{}", run.stderr);
    assert!(records(&out).len() > 4 && out.join("report.html").exists());
    let out = folder("closed-stdout");
    let run = into_closed_pipe(bench(&out));
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(records(&out).len() > 4 && out.join("report.html").exists());
}

#[test]
fn m4_a_disk_that_fills_up_during_a_run_loses_nothing_that_was_measured() {
    let out = folder("full-disk");
    // The shell's limit on the size of files simulates a full disk: 8 blocks of 512 or 1024 bytes,
    // which hold the context and one or two cases.
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$@\"";
    let run = bench(&out);
    let mut limited = Command::new("sh");
    limited.args(["-c", script, "sh"]).arg(run.get_program()).args(run.get_args());
    let run = finished(limited);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("the files lack"), "{}", run.stderr);
    assert!(run.stderr.contains("no report") && !run.stderr.contains("panicked"), "{}", run.stderr);
    let kept = records(&out);
    assert_eq!(kept[0]["kind"], "context", "the file holds whole lines");
    let shown = run.stdout.lines().filter(|line| line.contains(" plain/")).count();
    assert!(shown >= 4 && kept.len() <= shown, "{} kept, {}", kept.len(), run.stdout);
}
