//! One task on one library: a verifier, a client and a server, each a process of its own.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use fathom_cases::effort::{ONCE, Series};
use fathom_cases::record::{Messages, Phases};
use fathom_drivers::process::{Fault, Launch};
use fathom_drivers::protocol::Bootstraps;
use fathom_drivers::roles::{Connection, Received, Step};
use fathom_workloads::Inputs;

use super::choice::ApplicationCase;

/// The number of inputs and repetitions that are measured.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Seeds of the inputs; at least one.
    pub seeds: Vec<u64>,
    /// Computations in all, more than seeds only if `time` allows them.
    pub computations: usize,
    /// Time for the computations beyond the seeds.
    pub time: Duration,
    /// Computations whatever the time, if one takes less than [`ONCE`]; 1 unless it is for a
    /// record.
    pub least: usize,
}

impl Effort {
    /// Returns the effort with at most `seeds` seeds, if that is stated, and at least one.
    pub(super) fn with_at_most(&self, seeds: Option<usize>) -> Self {
        let mut effort = self.clone();
        effort.seeds.truncate(seeds.unwrap_or(usize::MAX).max(1));
        effort
    }
}

/// Is told which phase runs.
pub trait Watcher {
    /// Called before a phase, with the time that it is expected to take, if that is known.
    fn phase(&mut self, what: &str, expected: Option<Duration>);
}

/// The measurements of one program.
#[derive(Debug, Default)]
pub(super) struct Measured {
    pub(super) parameters: String,
    pub(super) security_bits: Option<f64>,
    pub(super) failure_log2: Option<f64>,
    pub(super) phases: Phases,
    pub(super) messages: Messages,
    pub(super) computations: Series,
    pub(super) compute_cpu_ns: Option<u64>,
    pub(super) bootstraps: Option<Bootstraps>,
    pub(super) checked: u64,
    /// The first wrong result.
    pub(super) wrong: Option<String>,
    pub(super) client_peak_bytes: u64,
    pub(super) server_peak_bytes: u64,
}

/// The three processes.
struct Processes<'a> {
    verifier: Connection,
    client: Connection,
    server: Connection,
    stop: &'a AtomicBool,
    measured: Measured,
}

/// Measures a case. The verifier is the engine's.
///
/// # Errors
/// Any [`Fault`] of a process, its refusals among them.
pub(super) fn measure(
    case: &ApplicationCase,
    verifier: &Launch,
    effort: &Effort,
    watcher: &mut dyn Watcher,
    stop: &AtomicBool,
) -> Result<Measured, Fault> {
    let mut processes = Processes {
        verifier: Connection::spawn(verifier, "verifier")?,
        client: Connection::spawn(&case.launch, "client")?,
        server: Connection::spawn(&case.launch, "server")?,
        stop,
        measured: Measured::default(),
    };
    processes.set_up(case, watcher)?;
    for &seed in &effort.seeds {
        processes.seed(seed, watcher)?;
    }
    let start = Instant::now();
    while processes.measured.computations.samples.len() < effort.computations {
        let call = processes.expected().unwrap_or_default();
        let is_least = processes.measured.computations.samples.len() < effort.least && call < ONCE;
        if !is_least && start.elapsed() + call > effort.time {
            break;
        }
        processes.compute(watcher)?;
        processes.download(watcher)?;
    }
    let Processes { client, server, mut measured, .. } = processes;
    measured.client_peak_bytes = client.peak_rss();
    measured.server_peak_bytes = server.peak_rss();
    Ok(measured)
}

impl Processes<'_> {
    fn set_up(&mut self, case: &ApplicationCase, watcher: &mut dyn Watcher) -> Result<(), Fault> {
        let open = Step::Open {
            task: case.task.clone(),
            implementation: case.implementation,
            threads: case.threads,
        };
        self.verifier.call(open.clone(), &[], self.stop)?;
        self.server.call(open.clone(), &[], self.stop)?;
        let fields = self.client.call(open, &[], self.stop)?.reply.fields;
        self.measured.parameters = fields.parameters.unwrap_or_default();
        self.measured.security_bits = fields.security_bits;
        self.measured.failure_log2 = fields.failure_log2;
        watcher.phase("keys", None);
        let keys = self.client.call(Step::Keys, &[], self.stop)?;
        self.measured.phases.keygen_ns = keys.reply.wall_ns;
        self.measured.messages.keys = keys.payload.len() as u64;
        let accepted = self.server.call(Step::AcceptKeys, &keys.payload, self.stop)?;
        self.measured.phases.keys_ns = accepted.reply.wall_ns;
        Ok(())
    }

    /// Computes and verifies the inputs of a seed.
    fn seed(&mut self, seed: u64, watcher: &mut dyn Watcher) -> Result<(), Fault> {
        let inputs = self.verifier.call(Step::Inputs { seed }, &[], self.stop)?.payload;
        let nonsense = |e: serde_json::Error| Fault::Nonsense {
            why: e.to_string(),
            text: "the inputs".into(),
        };
        let Inputs { public, secret } = serde_json::from_slice(&inputs).map_err(nonsense)?;
        let secret = serde_json::to_vec(&secret).map_err(nonsense)?;
        watcher.phase("encryption", None);
        let upload = self.client.call(Step::Encrypt, &secret, self.stop)?;
        let loaded = self.server.call(Step::Load { public }, &upload.payload, self.stop)?;
        let phases = &mut self.measured.phases;
        phases.encrypt_ns = upload.reply.wall_ns;
        phases.load_ns = loaded.reply.wall_ns;
        self.measured.messages.upload = upload.payload.len() as u64;
        self.compute(watcher)?;
        self.download(watcher)
    }

    fn compute(&mut self, watcher: &mut dyn Watcher) -> Result<(), Fault> {
        watcher.phase("computation", self.expected());
        let Received { reply, .. } = self.server.call(Step::Compute, &[], self.stop)?;
        let measured = &mut self.measured;
        if measured.computations.samples.is_empty() {
            measured.phases.compute_cold_ns = reply.wall_ns;
        }
        measured.computations.samples.push(reply.wall_ns as f64);
        measured.compute_cpu_ns = reply.cpu_ns;
        measured.bootstraps = reply
            .fields
            .bootstraps
            .map(|(count, layers)| Bootstraps { count: count as f64, layers: layers as f64 });
        Ok(())
    }

    /// Fetches, decrypts and verifies the result.
    fn download(&mut self, watcher: &mut dyn Watcher) -> Result<(), Fault> {
        watcher.phase("decryption", None);
        let answer = self.server.call(Step::Answer, &[], self.stop)?;
        let outputs = self.client.call(Step::Decrypt, &answer.payload, self.stop)?;
        let checked = self.verifier.call(Step::Check, &outputs.payload, self.stop)?;
        let measured = &mut self.measured;
        measured.phases.answer_ns = answer.reply.wall_ns;
        measured.phases.decrypt_ns = outputs.reply.wall_ns;
        measured.messages.download = answer.payload.len() as u64;
        if let Some(verdict) = checked.reply.fields.verdict {
            measured.checked += verdict.checked;
            measured.wrong = measured.wrong.take().or(verdict.wrong);
        }
        Ok(())
    }

    /// Returns the time of the last computation.
    fn expected(&self) -> Option<Duration> {
        let last = self.measured.computations.samples.last();
        last.map(|ns| Duration::from_nanos(*ns as u64))
    }
}
