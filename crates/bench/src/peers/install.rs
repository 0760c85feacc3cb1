//! Installs a peer: runs the steps of its manifest one after another in its folder.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use fathom_drivers::protocol::LibraryInfo;

use super::peers_folder::{Peer, State};

/// Name of the log that an installation leaves in the peer's folder.
pub const LOG: &str = "install.log";
/// Number of last lines of a failed step that are shown.
const LAST_LINES: usize = 12;

/// Receives the events of an installation.
pub trait Progress {
    /// Called when a step begins, with its number from 1, the number of steps, and its command.
    fn step(&mut self, number: usize, count: usize, command: &str);
    /// Called for every line that the step writes.
    fn line(&mut self, line: &str);
}

/// Reason why a peer is not installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// A program or library that the installation needs is missing.
    #[error("{name} needs that `{command}` succeeds: {hint}")]
    Missing {
        /// The peer.
        name: String,
        /// The command that failed.
        command: String,
        /// Advice on installing the missing program.
        hint: String,
    },
    /// A step could not be started.
    #[error("{name}, step {number} ({command}): {reason}")]
    NotStarted {
        /// The peer.
        name: String,
        /// Number of the step, from 1.
        number: usize,
        /// Command of the step.
        command: String,
        /// Message of the system.
        reason: String,
    },
    /// A step failed.
    #[error(transparent)]
    Failed(#[from] Box<FailedStep>),
    /// The installation was interrupted with Ctrl-C.
    #[error("{name}: stopped; `fathom peers install {name}` begins again")]
    Stopped {
        /// The peer.
        name: String,
    },
    /// The log cannot be written.
    #[error("{path}: {reason}")]
    Log {
        /// The file.
        path: String,
        /// Message of the system.
        reason: String,
    },
    /// All steps succeeded, but the driver does not answer.
    #[error("{name} is installed and its driver does not answer: {reason}")]
    Silent {
        /// The peer.
        name: String,
        /// Description of the driver's fault.
        reason: String,
    },
}

/// A step that exited with an error.
#[derive(Debug, thiserror::Error)]
#[error(
    "{name}, step {number} ({command}) ended with {status}. Its last lines:\n{}\n\
     The whole log: {}. After the cause is mended: fathom peers install {name}",
    .last.join("\n"), .log.display()
)]
pub struct FailedStep {
    /// The peer.
    pub name: String,
    /// Number of the step, from 1.
    pub number: usize,
    /// Command of the step.
    pub command: String,
    /// Exit code or signal.
    pub status: String,
    /// The last lines of its output.
    pub last: Vec<String>,
    /// Path of the log with its whole output.
    pub log: PathBuf,
}

/// Installs `peer` and checks that its driver answers `hello`.
///
/// # Errors
/// Any [`InstallError`]. Files of earlier steps stay in the folder; a later installation runs all
/// steps again.
pub fn install(
    peer: &Peer,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<LibraryInfo, InstallError> {
    check_requirements(peer)?;
    let name = &peer.manifest.name;
    let path = peer.folder.join(LOG);
    let unwritable = |e: std::io::Error| InstallError::Log {
        path: path.display().to_string(),
        reason: e.to_string(),
    };
    let mut log = File::create(&path).map_err(unwritable)?;
    let steps = &peer.manifest.install.steps;
    for (number, step) in (1..).zip(steps) {
        let command = step.join(" ");
        progress.step(number, steps.len(), &command);
        writeln!(log, "$ {command}").map_err(unwritable)?;
        let not_started = |e: std::io::Error| InstallError::NotStarted {
            name: name.clone(),
            number,
            command: command.clone(),
            reason: e.to_string(),
        };
        let child = start(step, &peer.folder).map_err(not_started)?;
        let mut last = VecDeque::new();
        let ended = follow(child, stop, |line| {
            progress.line(line);
            last.push_back(line.to_owned());
            last.keep_last(LAST_LINES);
            writeln!(log, "{line}")
        });
        match ended.map_err(unwritable)? {
            None => return Err(InstallError::Stopped { name: name.clone() }),
            Some(status) if status.success() => {}
            Some(status) => {
                let (name, last, log) = (name.clone(), last.into(), path);
                let status = status.to_string();
                let failed = FailedStep { name, number, command, status, last, log };
                return Err(Box::new(failed).into());
            }
        }
    }
    match peer.state() {
        State::Installed { library, .. } => Ok(library),
        State::Absent => {
            let reason = format!("{} was not created", peer.manifest.run.command[0]);
            Err(InstallError::Silent { name: name.clone(), reason })
        }
        State::Broken(fault) => {
            Err(InstallError::Silent { name: name.clone(), reason: fault.to_string() })
        }
    }
}

/// Checks that this machine has the programs that `peer` needs; reports the first missing one.
///
/// # Errors
/// [`InstallError::Missing`].
pub fn check_requirements(peer: &Peer) -> Result<(), InstallError> {
    for required in &peer.manifest.requires {
        let mut command = Command::new(&required.program);
        command.args(&required.version_args).current_dir(&peer.folder).stdin(Stdio::null());
        let found = command.output().is_ok_and(|output| output.status.success());
        if !found {
            let name = peer.manifest.name.clone();
            let words: Vec<&str> = [&required.program]
                .into_iter()
                .chain(&required.version_args)
                .map(String::as_str)
                .collect();
            return Err(InstallError::Missing {
                name,
                command: words.join(" "),
                hint: required.hint.clone(),
            });
        }
    }
    Ok(())
}

/// Keeps the last `count` entries of a queue.
trait KeepLast {
    fn keep_last(&mut self, count: usize);
}

impl<T> KeepLast for VecDeque<T> {
    fn keep_last(&mut self, count: usize) {
        let excess = self.len().saturating_sub(count);
        self.drain(..excess);
    }
}

/// Starts a step in its own process group, so that Ctrl-C reaches it only through [`follow`].
fn start(step: &[String], folder: &Path) -> std::io::Result<Child> {
    use std::os::unix::process::CommandExt;
    let program = if step[0].contains('/') {
        folder.join(&step[0]).into_os_string()
    } else {
        step[0].clone().into()
    };
    Command::new(program)
        .args(&step[1..])
        .current_dir(folder)
        .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
}

/// Passes every line that `child` writes to `hear`; returns `None` if it was stopped.
fn follow(
    mut child: Child,
    stop: &AtomicBool,
    mut hear: impl FnMut(&str) -> std::io::Result<()>,
) -> std::io::Result<Option<std::process::ExitStatus>> {
    let (sender, lines) = channel();
    let streams: [Option<Box<dyn Read + Send>>; 2] = [
        child.stdout.take().map(|s| Box::new(s) as _),
        child.stderr.take().map(|s| Box::new(s) as _),
    ];
    for stream in streams.into_iter().flatten() {
        let sender = sender.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).trim_end().to_owned();
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
    }
    drop(sender);
    loop {
        match lines.recv_timeout(Duration::from_millis(200)) {
            Ok(line) => hear(&line)?,
            Err(RecvTimeoutError::Disconnected) => return child.wait().map(Some),
            // A step may leave a background process that holds the pipes open.
            Err(RecvTimeoutError::Timeout) => {
                if let Some(status) = child.try_wait()? {
                    return Ok(Some(status));
                }
            }
        }
        if stop.load(Ordering::SeqCst) {
            end_group(&mut child);
            return Ok(None);
        }
    }
}

/// Kills a step and all processes that it started.
fn end_group(child: &mut Child) {
    let group = format!("-{}", child.id());
    let told = Command::new("kill").args(["-TERM", "--", &group]).status();
    if told.is_err() {
        // This fails only if the process has already exited.
        let _ = child.kill();
    }
    let _ = child.wait();
}
