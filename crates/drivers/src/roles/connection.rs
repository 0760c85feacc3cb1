//! The other end of a role: a process that the testbed starts and asks.

use std::ffi::{OsStr, OsString};
use std::io::{BufReader, BufWriter};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use super::message::{self, Reply, Request, Step};
use crate::process::{Fault, Launch};
use crate::process_usage::peak_rss;

/// Interval at which a wait looks for an interruption.
const TICK: Duration = Duration::from_millis(100);

/// A running role. Dropping it kills the process.
#[derive(Debug)]
pub struct Connection {
    child: Child,
    input: BufWriter<ChildStdin>,
    replies: Receiver<std::io::Result<(Reply, Vec<u8>)>>,
    next_id: u64,
    reply_time: Duration,
    peak_rss: u64,
    transcript: Option<Vec<u8>>,
}

/// A reply with its payload.
#[derive(Clone, Debug)]
pub struct Received {
    /// The line of the reply.
    pub reply: Reply,
    /// The bytes that follow the line.
    pub payload: Vec<u8>,
    /// Time from the request to the reply, transfers included.
    pub wall: Duration,
}

impl Connection {
    /// Starts a driver in a role: its command with the arguments `role` and the name of the role in
    /// place of its own.
    ///
    /// # Errors
    /// [`Fault::NotStarted`].
    pub fn spawn(launch: &Launch, role: &str) -> Result<Self, Fault> {
        let mut child = Command::new(&launch.program)
            .args(role_arguments(launch))
            .args(["role", role])
            .current_dir(launch.folder.as_deref().unwrap_or_else(|| std::path::Path::new(".")))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .process_group(0)
            .spawn()
            .map_err(|e| Fault::NotStarted(format!("{}: {e}", launch.program.display())))?;
        let pipe_missing = || Fault::NotStarted("no pipe to the role".into());
        let input = child.stdin.take().ok_or_else(pipe_missing)?;
        let output = child.stdout.take().ok_or_else(pipe_missing)?;
        let (sender, replies) = sync_channel(1);
        std::thread::spawn(move || {
            let mut output = BufReader::with_capacity(1 << 20, output);
            let length = |reply: &Reply| reply.payload_bytes;
            while let Some(reply) = message::read(&mut output, length).transpose() {
                let last = reply.is_err();
                if sender.send(reply).is_err() || last {
                    return;
                }
            }
        });
        Ok(Self {
            child,
            input: BufWriter::with_capacity(1 << 20, input),
            replies,
            next_id: 1,
            reply_time: launch.reply_time,
            peak_rss: 0,
            transcript: None,
        })
    }

    /// Keeps every byte that is sent from now on, for [`Connection::transcript`].
    pub fn record(&mut self) {
        self.transcript = Some(Vec::new());
    }

    /// Returns every byte that was sent since [`Connection::record`].
    pub fn transcript(&self) -> &[u8] {
        self.transcript.as_deref().unwrap_or_default()
    }

    /// Returns the peak resident set size of the process so far, in bytes; 0 if unknown.
    pub fn peak_rss(&self) -> u64 {
        self.peak_rss
    }

    /// Sends a request and waits for its reply, until `stop` is set.
    ///
    /// # Errors
    /// [`Fault::Refused`], after which the process goes on; after any other fault it is killed.
    pub fn call(
        &mut self,
        step: Step,
        payload: &[u8],
        stop: &AtomicBool,
    ) -> Result<Received, Fault> {
        let id = self.next_id;
        self.next_id += 1;
        let request = Request { id, step, payload_bytes: payload.len() as u64 };
        if let Some(transcript) = &mut self.transcript {
            let written = message::write(transcript, &request, payload);
            written.map_err(|error| Fault::NotStarted(error.to_string()))?;
        }
        let start = Instant::now();
        if let Err(error) = message::write(&mut self.input, &request, payload) {
            return Err(self.ended(&error.to_string()));
        }
        let received = self.wait(start, stop)?;
        self.peak_rss = self.peak_rss.max(peak_rss(self.child.id()));
        if received.reply.id != id {
            let why = format!("expected the reply to request {id}");
            let text = format!("a reply to request {}", received.reply.id);
            self.stop();
            return Err(Fault::Nonsense { why, text });
        }
        match received.reply.error {
            Some(refusal) => Err(Fault::Refused(refusal)),
            None => Ok(received),
        }
    }

    fn wait(&mut self, start: Instant, stop: &AtomicBool) -> Result<Received, Fault> {
        loop {
            match self.replies.recv_timeout(TICK) {
                Ok(Ok((reply, payload))) => {
                    return Ok(Received { reply, payload, wall: start.elapsed() });
                }
                Ok(Err(error)) => {
                    self.stop();
                    let why = error.to_string();
                    return Err(Fault::Nonsense { why, text: "a reply".into() });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended("closed its output")),
                Err(RecvTimeoutError::Timeout) if stop.load(Ordering::SeqCst) => {
                    self.stop();
                    return Err(Fault::NotStarted("the run was stopped".into()));
                }
                Err(RecvTimeoutError::Timeout) if start.elapsed() > self.reply_time => {
                    self.stop();
                    return Err(Fault::Hung { after: self.reply_time, stderr: String::new() });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn ended(&mut self, otherwise: &str) -> Fault {
        let status = self.child.try_wait().ok().flatten();
        self.stop();
        let status = status.map_or_else(|| otherwise.to_owned(), |status| status.to_string());
        Fault::Crashed { status, stderr: String::new() }
    }

    fn stop(&mut self) {
        // These fail only if the process has already exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Returns the arguments of a driver without the word that starts its driver protocol.
fn role_arguments(launch: &Launch) -> impl Iterator<Item = &OsStr> {
    launch.arguments.iter().map(OsString::as_os_str).filter(|word| *word != "driver")
}
