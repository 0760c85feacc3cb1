//! The harness side of the protocol: one driver process, with a session for each group of cases.

use std::collections::HashMap;

use serde::de::{DeserializeOwned, IgnoredAny};

use super::limits::{self, RESERVED_NAME, Violation, violation};
use super::process::{Fault, Launch, Origin, Process};
use super::protocol::{
    Decrypt, Decrypted, Encoded, Encoding, Encrypt, Encrypted, Handle, Hello, Keygen, Keys,
    LibraryInfo, Numbers, PROTOCOL, ParamsRequest, Plaintext, Prepare, Prepared, Run, SchemeInfo,
    Timed, Verb,
};
use super::reply_checks::Limited;
use crate::ops::Scheme;

/// A driver that has answered `hello`.
#[derive(Debug)]
pub struct Driver {
    process: Process,
    /// Name, version and build of the driver's library.
    pub library: LibraryInfo,
    /// Schemes of the library under their present names, each with its presets and operations.
    pub schemes: Vec<SchemeInfo>,
    sessions: HashMap<u64, Open>,
    /// Ciphertexts and plaintexts that the driver holds, each with its session.
    live: HashMap<Handle, u64>,
    /// Schemes that the driver announces by an earlier name: the present one, and that.
    earlier: HashMap<&'static str, String>,
}

/// The parameters and items of an open session, against which replies are checked.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// log2 of the ciphertext modulus.
    log_q: f64,
    /// Number of parallel operations.
    threads: usize,
}

impl Driver {
    /// Starts a driver and sends `hello`.
    ///
    /// # Errors
    /// Any [`Fault`]; another protocol version is [`Fault::Nonsense`], and a peer that uses the
    /// engine's name is a [`Fault::Violation`].
    pub fn start(launch: &Launch) -> Result<Self, Fault> {
        let mut process = Process::spawn(launch)?;
        let hello: Hello = process.call(Verb::Hello)?;
        if hello.protocol != PROTOCOL {
            let text = limits::printable(&hello.protocol, 80);
            let why = format!("the driver speaks another version than {PROTOCOL}");
            return Err(Fault::Nonsense { why, text });
        }
        hello.check()?;
        if hello.library.name == RESERVED_NAME && launch.origin == Origin::Foreign {
            let allowed = "any other name: this one is reserved for the engine of this program";
            let field = limits::LIBRARY_NAME.field;
            return Err(violation(field, format!("`{RESERVED_NAME}`"), allowed).into());
        }
        let (sessions, live) = (HashMap::new(), HashMap::new());
        let (library, mut schemes, mut earlier) = (hello.library, hello.schemes, HashMap::new());
        for SchemeInfo { scheme, .. } in &mut schemes {
            if let Some(present) = Scheme::renamed(scheme) {
                earlier.insert(present, std::mem::replace(scheme, present.into()));
            }
        }
        Ok(Self { process, library, schemes, sessions, live, earlier })
    }

    /// Sends a request and checks every field of its reply; `more` checks relations between fields.
    /// A driver that breaks a limit is killed.
    fn ask<T: DeserializeOwned + Limited>(
        &mut self,
        verb: Verb,
        more: impl FnOnce(&mut Self, &T) -> Result<(), Violation>,
    ) -> Result<T, Fault> {
        let reply: T = self.process.call(verb)?;
        match reply.check().and_then(|()| more(self, &reply)) {
            Ok(()) => Ok(reply),
            Err(violation) => {
                self.process.stop();
                Err(violation.into())
            }
        }
    }

    /// Records a new item of a session.
    ///
    /// # Errors
    /// A handle that already names an item.
    fn note_item(&mut self, session: u64, handle: Handle) -> Result<(), Violation> {
        if self.live.insert(handle, session).is_none() {
            return Ok(());
        }
        let found = format!("{handle}, which names another item");
        Err(violation("a new handle", found, "a number never used before"))
    }

    /// Checks that a noise budget does not exceed the modulus.
    fn check_budget(&self, session: u64, bits: Option<f64>) -> Result<(), Violation> {
        let log_q = self.sessions.get(&session).map(|open| open.log_q);
        match bits.zip(log_q).filter(|(bits, log_q)| bits > log_q) {
            None => Ok(()),
            Some((bits, log_q)) => {
                let allowed = format!("at most log_q, which is {log_q}");
                Err(violation(limits::BUDGET.field, bits, allowed))
            }
        }
    }

    /// Sends `hello` again; returns true if the driver still answers it.
    pub fn is_alive(&mut self) -> bool {
        self.ask(Verb::Hello, |_, _: &Hello| Ok(())).is_ok()
    }

    /// Opens a session without keys for `threads` parallel operations, each on `op_threads`
    /// threads.
    ///
    /// # Errors
    /// Refused with `unsupported` or `insecure`; any other [`Fault`].
    pub fn prepare(
        &mut self,
        scheme: &str,
        params: ParamsRequest,
        [threads, op_threads]: [usize; 2],
        seed: Option<u64>,
    ) -> Result<Prepared, Fault> {
        let scheme = self.earlier.get(scheme).map_or(scheme, String::as_str).to_owned();
        let request = Prepare { scheme, params, threads, op_threads, seed };
        self.ask(Verb::Prepare(request), |driver, prepared: &Prepared| {
            let (session, log_q) = (prepared.session, prepared.params.log_q);
            if driver.sessions.insert(session, Open { log_q, threads }).is_none() {
                return Ok(());
            }
            let found = format!("{session}, which is open");
            Err(violation("prepare: session", found, "a number never used before"))
        })
    }

    /// Returns the peak resident set size of the driver so far, in bytes.
    pub fn peak_rss(&self) -> u64 {
        self.process.peak_rss()
    }

    /// Asks the driver to generate the keys of a session, and checks the times that it reports
    /// against the time until its reply.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn keygen(&mut self, request: Keygen) -> Result<Keys, Fault> {
        let (session, reps) = (request.session, request.reps);
        self.ask(Verb::Keygen(request), |driver, keys: &Keys| {
            let wall = driver.process.last_wall();
            let times = [&keys.samples_ns[..], &keys.rotate_samples_ns[..]];
            for (field, times) in ["keygen: samples_ns", "rotate_samples_ns"].iter().zip(times) {
                if times.len() > reps {
                    let found = format!("a list of {} entries", times.len());
                    return Err(violation(field, found, format!("at most the {reps} asked for")));
                }
            }
            driver.live.retain(|_, other| *other != session);
            limits::within_wall_time("keygen: samples_ns", &times.concat(), wall)
        })
    }

    /// Asks the driver to encrypt one vector; returns the handle and the size of the ciphertext.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn encrypt(&mut self, request: Encrypt) -> Result<Encrypted, Fault> {
        let session = request.session;
        self.ask(Verb::Encrypt(request), |driver, encrypted: &Encrypted| {
            driver.check_budget(session, encrypted.noise_budget_bits)?;
            driver.note_item(session, encrypted.ct)
        })
    }

    /// Asks the driver to encode one vector; returns the handle of the plaintext.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn plaintext(
        &mut self,
        session: u64,
        values: Numbers,
        encoding: Encoding,
    ) -> Result<Handle, Fault> {
        let request = Plaintext { session, values, encoding };
        let noted = |driver: &mut Self, encoded: &Encoded| driver.note_item(session, encoded.pt);
        self.ask(Verb::Plaintext(request), noted).map(|encoded| encoded.pt)
    }

    /// Asks the driver to time one operation.
    ///
    /// # Errors
    /// Refused with `noise_exhausted` and others; any other [`Fault`]. A reply with another number
    /// of outputs than input sets, without the output of a call, with no samples or too many, or
    /// with times that do not fit between request and reply is a violation.
    pub fn run(&mut self, request: Run) -> Result<Timed, Fault> {
        let asked = Asked {
            session: request.session,
            sets: request.inputs.len(),
            warmup: request.warmup,
            samples: request.samples,
            iterations: request.iterations,
        };
        self.ask(Verb::Run(request), |driver, timed: &Timed| driver.check_run(asked, timed))
    }

    /// Checks the reply to `run` against its request and the testbed's clock.
    fn check_run(&mut self, asked: Asked, timed: &Timed) -> Result<(), Violation> {
        let [outputs, samples] = [timed.outputs.len(), timed.samples_ns.len()];
        let count = |found| format!("a list of {found} entries");
        if outputs != asked.sets {
            let allowed = format!("one for each of {} input sets", asked.sets);
            return Err(violation("run: outputs", count(outputs), allowed));
        }
        if samples > asked.samples {
            let allowed = format!("at most the {} asked for", asked.samples);
            return Err(violation("run: samples_ns", count(samples), allowed));
        }
        if timed.iterations != asked.iterations {
            let allowed = format!("{}, as asked", asked.iterations);
            return Err(violation("run: iterations", timed.iterations, allowed));
        }
        // Threads take turns with the sets, and each has made all calls of the samples reported.
        let threads = self.sessions.get(&asked.session).map_or(1, |open| open.threads);
        let calls = samples.saturating_mul(asked.iterations).saturating_add(asked.warmup);
        let called = calls.saturating_mul(threads).min(outputs);
        if let Some(set) = timed.outputs[..called].iter().position(Option::is_none) {
            let found = format!("null for set {set}, which had a call");
            return Err(violation("run: outputs", found, "the handle of every result"));
        }
        let wall = self.process.last_wall();
        limits::within_wall_time("run: samples_ns", &timed.samples_ns, wall)?;
        limits::within_processor_time(timed.cpu_ns.unwrap_or(0), wall)?;
        let noise = timed.noise_budget_bits;
        for bits in [noise.before, noise.after, noise.predicted_after] {
            self.check_budget(asked.session, bits)?;
        }
        let mut handles = timed.outputs.iter().flatten();
        handles.try_for_each(|handle| self.note_item(asked.session, *handle))
    }

    /// Asks the driver to decrypt and decode a ciphertext, or to decode a plaintext.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn decrypt(
        &mut self,
        session: u64,
        ct: Handle,
        encoding: Encoding,
    ) -> Result<Numbers, Fault> {
        let request = Decrypt { session, ct, encoding };
        let checked = |_: &mut Self, _: &Decrypted| Ok(());
        self.ask(Verb::Decrypt(request), checked).map(|decrypted| decrypted.values)
    }

    /// Asks the driver to delete the ciphertexts and plaintexts of these handles.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn forget(&mut self, handles: Vec<Handle>) -> Result<(), Fault> {
        if handles.is_empty() {
            return Ok(());
        }
        for handle in &handles {
            self.live.remove(handle);
        }
        self.process.call::<IgnoredAny>(Verb::Drop { handles }).map(|_| ())
    }

    /// Sends an arbitrary line and returns the line that answers it.
    ///
    /// # Errors
    /// Any [`Fault`] but a refusal.
    pub fn exchange(&mut self, line: &str) -> Result<Vec<u8>, Fault> {
        self.process.exchange(line.as_bytes().to_vec())
    }

    /// Sends `bye` and waits at most `longest` for the driver to exit; returns `None` if it still
    /// runs.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn leave(
        mut self,
        longest: std::time::Duration,
    ) -> Result<Option<std::process::ExitStatus>, Fault> {
        self.process.call::<IgnoredAny>(Verb::Bye)?;
        Ok(self.process.wait(longest))
    }

    /// Ends the driver with `bye`.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn bye(mut self) -> Result<(), Fault> {
        self.process.call::<IgnoredAny>(Verb::Bye).map(|_| ())
    }
}

/// The fields of a request `run` against which its reply is checked.
#[derive(Clone, Copy, Debug)]
struct Asked {
    session: u64,
    sets: usize,
    warmup: usize,
    samples: usize,
    iterations: usize,
}
