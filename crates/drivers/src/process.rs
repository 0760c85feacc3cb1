//! A driver as an untrusted child process: it may crash, hang, or send too much or malformed
//! output.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::limits::{self, LONGEST_LINE, LONGEST_REFUSAL, Violation};
use super::process_usage::peak_rss;
use super::protocol::{Refusal, Request, Verb};

/// Owner of a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The engine of this program.
    Engine,
    /// Any other library, which may not use the engine's name.
    Foreign,
}

/// The command that starts a driver, and whether it is the engine's own driver.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Owner of the driver.
    pub origin: Origin,
    /// Program to run.
    pub program: OsString,
    /// Arguments of the command.
    pub arguments: Vec<OsString>,
    /// Folder in which it runs; the current folder if absent.
    pub folder: Option<PathBuf>,
    /// Environment variables that are set to [`Launch::op_threads`].
    pub thread_env: Vec<String>,
    /// Number of threads that one operation may use.
    pub op_threads: usize,
    /// Longest wait for one reply.
    pub reply_time: Duration,
    /// Longest reply, in bytes.
    pub reply_bytes: usize,
}

impl Launch {
    /// Creates a launch with the default limits: two minutes and 64 MiB per reply.
    pub fn new(program: impl Into<OsString>, arguments: &[&str]) -> Self {
        Self {
            origin: Origin::Foreign,
            program: program.into(),
            arguments: arguments.iter().map(OsString::from).collect(),
            folder: None,
            thread_env: Vec::new(),
            op_threads: 1,
            reply_time: Duration::from_mins(2),
            reply_bytes: LONGEST_LINE,
        }
    }

    /// Creates the launch of the engine's own driver: this program, found at `program`.
    pub fn engine(program: impl Into<OsString>) -> Self {
        Self { origin: Origin::Engine, ..Self::new(program, &["driver"]) }
    }
}

/// Failure of a driver to answer a request.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// The driver refused the request and keeps running.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The driver could not be started.
    #[error("the driver did not start: {0}")]
    NotStarted(String),
    /// The driver exited.
    #[error("the driver ended without a reply ({status}){}", said(.stderr))]
    Crashed {
        /// Exit code or signal.
        status: String,
        /// The end of the driver's output on stderr.
        stderr: String,
    },
    /// The driver gave no reply in time and was killed.
    #[error("the driver gave no reply within {} s{}", .after.as_secs_f64(), said(.stderr))]
    Hung {
        /// The limit.
        after: Duration,
        /// The end of the driver's output on stderr.
        stderr: String,
    },
    /// The reply was longer than allowed and the driver was killed.
    #[error("the driver wrote over {limit} bytes in one reply")]
    Flooded {
        /// The limit.
        limit: usize,
    },
    /// A field of its reply lies outside the limits and it was killed.
    #[error(transparent)]
    Violation(#[from] Violation),
    /// The reply is malformed, and the driver was killed.
    #[error("the driver's reply makes no sense ({why}): {text}")]
    Nonsense {
        /// Description of the error.
        why: String,
        /// The beginning of the reply.
        text: String,
    },
}

impl Fault {
    /// Returns the message, without the kind of a refusal, which the status of a case states.
    pub fn reason(&self) -> String {
        if let Self::Refused(refusal) = self { refusal.message.clone() } else { self.to_string() }
    }

    /// Returns true if the process no longer runs.
    pub fn is_fatal(&self) -> bool {
        !matches!(self, Self::Refused(_))
    }

    /// Returns a stable word for the kind, used in records.
    pub fn code(&self) -> String {
        match self {
            Self::Refused(refusal) => refusal.code.to_string(),
            Self::NotStarted(_) => "not_started".into(),
            Self::Crashed { .. } => "crashed".into(),
            Self::Hung { .. } => "hung".into(),
            Self::Flooded { .. } => "flooded".into(),
            Self::Violation(_) => "protocol_violation".into(),
            Self::Nonsense { .. } => "nonsense".into(),
        }
    }
}

fn said(stderr: &str) -> String {
    let last: Vec<&str> = stderr.lines().filter(|l| !l.trim().is_empty()).collect();
    match last.as_slice() {
        [] => String::new(),
        lines => {
            let last = lines[lines.len().saturating_sub(3)..].join(" | ");
            format!("; its last words: {}", limits::printable(&last, 2000))
        }
    }
}

/// A running driver. Dropping it kills the process.
#[derive(Debug)]
pub struct Process {
    child: Child,
    requests: Sender<Vec<u8>>,
    lines: Receiver<Line>,
    stderr: Arc<Mutex<VecDeque<u8>>>,
    launch: Launch,
    next_id: u64,
    last_wall: Duration,
    peak_rss: u64,
}

#[derive(Debug)]
enum Line {
    Text(Vec<u8>),
    TooLong,
}

impl Process {
    /// Starts the driver in its own process group, so that Ctrl-C reaches only the harness.
    ///
    /// # Errors
    /// [`Fault::NotStarted`] if the program cannot be run.
    pub fn spawn(launch: &Launch) -> Result<Self, Fault> {
        let threads = launch.op_threads.to_string();
        let mut child = Command::new(&launch.program)
            .args(&launch.arguments)
            .current_dir(launch.folder.as_deref().unwrap_or_else(|| Path::new(".")))
            .envs(launch.thread_env.iter().map(|name| (name, &threads)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|e| Fault::NotStarted(format!("{}: {e}", launch.program.display())))?;
        let pipe_missing = || Fault::NotStarted("no pipe to the driver".into());
        let stdin = child.stdin.take().ok_or_else(pipe_missing)?;
        let stdout = child.stdout.take().ok_or_else(pipe_missing)?;
        let errors = child.stderr.take().ok_or_else(pipe_missing)?;
        // At most one line is queued: a driver that writes without end blocks on its pipe.
        let (sender, lines) = sync_channel(1);
        let limit = launch.reply_bytes;
        std::thread::spawn(move || read_lines(stdout, limit, &sender));
        let (requests, to_write) = channel();
        std::thread::spawn(move || write_lines(stdin, &to_write));
        let stderr = Arc::new(Mutex::new(VecDeque::new()));
        let tail = Arc::clone(&stderr);
        std::thread::spawn(move || keep_tail(errors, &tail));
        Ok(Self {
            child,
            requests,
            lines,
            stderr,
            launch: launch.clone(),
            next_id: 1,
            last_wall: Duration::ZERO,
            peak_rss: 0,
        })
    }

    /// Sends one request and waits for its reply.
    ///
    /// # Errors
    /// [`Fault::Refused`] with the driver's reason; after any other fault the process is killed.
    pub fn call<T: DeserializeOwned>(&mut self, verb: Verb) -> Result<T, Fault> {
        let id = self.next_id;
        self.next_id += 1;
        let line = serde_json::to_vec(&Request { id, verb })
            .map_err(|e| Fault::NotStarted(format!("the request cannot be written: {e}")))?;
        let reply = self.exchange(line)?;
        self.parse(id, &reply)
    }

    /// Sends an arbitrary line and waits for the line that answers it.
    ///
    /// # Errors
    /// Any [`Fault`] but a refusal; the process is then killed.
    pub fn exchange(&mut self, mut line: Vec<u8>) -> Result<Vec<u8>, Fault> {
        line.push(b'\n');
        if let Ok(early) = self.lines.try_recv() {
            self.stop();
            let Line::Text(text) = early else {
                return Err(Fault::Flooded { limit: self.launch.reply_bytes });
            };
            let why = "a line that no request asked for".into();
            return Err(Fault::Nonsense { why, text: quoted(&text) });
        }
        let start = Instant::now();
        // The writer thread has ended only if the driver has exited, and then no reply comes.
        let _ = self.requests.send(line);
        let reply = match self.lines.recv_timeout(self.launch.reply_time) {
            Ok(Line::Text(reply)) => reply,
            Ok(Line::TooLong) => {
                self.stop();
                return Err(Fault::Flooded { limit: self.launch.reply_bytes });
            }
            Err(RecvTimeoutError::Timeout) => {
                self.stop();
                return Err(Fault::Hung { after: self.launch.reply_time, stderr: self.tail() });
            }
            Err(RecvTimeoutError::Disconnected) => return Err(self.crashed()),
        };
        self.last_wall = start.elapsed();
        self.note_peak_rss();
        Ok(reply)
    }

    /// Returns the time from the last request until its reply arrived.
    pub fn last_wall(&self) -> Duration {
        self.last_wall
    }

    /// Waits at most `longest` for the process to exit; returns `None` if it still runs.
    pub fn wait(&mut self, longest: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + longest;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Returns the peak resident set size of the process so far, in bytes; 0 if unknown.
    pub fn peak_rss(&self) -> u64 {
        self.peak_rss
    }

    fn parse<T: DeserializeOwned>(&mut self, id: u64, reply: &[u8]) -> Result<T, Fault> {
        match parse_reply(id, reply) {
            Err(fault) if fault.is_fatal() => {
                self.stop();
                Err(fault)
            }
            other => other,
        }
    }

    fn note_peak_rss(&mut self) {
        self.peak_rss = self.peak_rss.max(peak_rss(self.child.id()));
    }

    fn crashed(&mut self) -> Fault {
        // A driver that closed its output but still runs is killed; one that exited keeps its
        // status.
        std::thread::sleep(Duration::from_millis(20));
        let ended = self.child.try_wait().ok().flatten();
        self.stop();
        let status = ended.map_or_else(|| "closed its output".into(), |s| s.to_string());
        Fault::Crashed { status, stderr: self.tail() }
    }

    /// Kills the process and its process group.
    pub(super) fn stop(&mut self) {
        // These fail only if the process has already exited.
        stop_group(&self.child);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn tail(&self) -> String {
        let tail = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&tail.iter().copied().collect::<Vec<_>>()).into_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The fields that every reply has; all others are skipped without being stored.
#[derive(Deserialize)]
struct Header {
    id: Option<u64>,
    ok: Option<bool>,
}

/// A reply that refuses a request.
#[derive(Deserialize)]
struct Refused {
    error: Refusal,
}

fn parse_reply<T: DeserializeOwned>(id: u64, reply: &[u8]) -> Result<T, Fault> {
    let nonsense = |why: String| Fault::Nonsense { why, text: quoted(reply) };
    let unreadable = |e: serde_json::Error| nonsense(e.to_string());
    let header: Header = match serde_json::from_slice(reply) {
        Ok(header) => header,
        // The line may not be a reply, or its two fields may be malformed.
        Err(error) => {
            serde_json::from_slice::<IgnoredAny>(reply).map_err(unreadable)?;
            return Err(nonsense(format!("`id` or `ok`: {error}")));
        }
    };
    if header.id != Some(id) {
        return Err(nonsense(format!("expected the reply to request {id}")));
    }
    match header.ok {
        Some(true) => serde_json::from_slice(reply).map_err(unreadable),
        Some(false) => {
            if reply.len() > LONGEST_REFUSAL {
                return Err(limits::REFUSAL.broken_by(reply.len()).into());
            }
            let Refused { mut error } =
                serde_json::from_slice(reply).map_err(|e| nonsense(format!("error: {e}")))?;
            error.message = limits::printable(&error.message, LONGEST_REFUSAL);
            Err(Fault::Refused(error))
        }
        None => Err(nonsense("field `ok` is missing".into())),
    }
}

/// Returns the beginning of a line.
fn quoted(line: &[u8]) -> String {
    limits::printable(&String::from_utf8_lossy(&line[..line.len().min(1000)]), 200)
}

#[cfg(unix)]
fn stop_group(child: &Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

fn write_lines(mut stdin: impl Write, requests: &Receiver<Vec<u8>>) {
    for line in requests {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: impl Read, limit: usize, sender: &SyncSender<Line>) {
    let mut reader = BufReader::with_capacity(1 << 16, stdout);
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(limit as u64 + 1).read_until(b'\n', &mut line);
        match read {
            Ok(0) | Err(_) => return,
            Ok(_) if line.len() <= limit && line.last() != Some(&b'\n') => return, // cut off
            Ok(_) if line.len() > limit => {
                // The receiver is dropped only if the process was dropped.
                let _ = sender.send(Line::TooLong);
                return;
            }
            Ok(_) => {
                if sender.send(Line::Text(line)).is_err() {
                    return;
                }
            }
        }
    }
}

fn keep_tail(mut stderr: impl Read, tail: &Mutex<VecDeque<u8>>) {
    const KEPT: usize = 8 << 10;
    let mut chunk = [0_u8; 4096];
    while let Ok(read @ 1..) = stderr.read(&mut chunk) {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend(&chunk[..read]);
        let excess = tail.len().saturating_sub(KEPT);
        tail.drain(..excess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Hello;

    fn shell(script: &str) -> Launch {
        let mut launch = Launch::new("sh", &["-c", script]);
        launch.reply_time = Duration::from_millis(500);
        launch.reply_bytes = 1000;
        launch
    }

    fn hello(script: &str) -> Result<Hello, Fault> {
        Process::spawn(&shell(script)).and_then(|mut process| process.call(Verb::Hello))
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let fault = Process::spawn(&Launch::new("/no/such/driver", &[])).unwrap_err();
        assert!(matches!(&fault, Fault::NotStarted(why) if why.contains("/no/such/driver")));
    }

    #[test]
    fn a_crash_keeps_the_status_and_the_last_words() {
        let fault = hello("echo 'out of cheese' >&2; read line; exit 7").unwrap_err();
        let Fault::Crashed { status, stderr } = fault else { panic!("{fault:?}") };
        assert!(status.contains('7'), "{status}");
        assert_eq!(stderr, "out of cheese\n");
    }

    #[test]
    fn a_driver_that_hangs_is_stopped_in_time() {
        let started = Instant::now();
        let fault = hello("read line; exec sleep 60").unwrap_err();
        assert!(matches!(fault, Fault::Hung { .. }), "{fault:?}");
        assert!(started.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_flood_is_cut_off() {
        let fault = hello("read line; exec yes | tr -d '\\n'").unwrap_err();
        assert_eq!(fault, Fault::Flooded { limit: 1000 });
    }

    #[test]
    fn nonsense_is_quoted() {
        for reply in ["not json", r#"{"id":99,"ok":true}"#, r#"{"id":1}"#, r#"{"id":1,"ok":true}"#]
        {
            let fault = hello(&format!("read line; echo '{reply}'; cat")).unwrap_err();
            let Fault::Nonsense { text, .. } = fault else { panic!("{fault:?}") };
            assert_eq!(text.trim(), reply);
        }
    }

    #[test]
    fn a_refusal_leaves_the_driver_alive() {
        let script = r#"read a
            echo '{"id":1,"ok":false,"error":{"code":"unsupported","message":"no"}}'
            read b; echo '{"id":2,"ok":true,"pt":7}'; cat"#;
        let mut process = Process::spawn(&shell(script)).unwrap();
        let refused = process.call::<Hello>(Verb::Hello).unwrap_err();
        assert_eq!(refused.code(), "unsupported");
        let done: crate::protocol::Encoded = process.call(Verb::Hello).unwrap();
        assert_eq!(done.pt, 7);
    }
}
