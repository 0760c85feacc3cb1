//! The harness side of the protocol: one driver process, with one session a group of cases.

use serde::de::IgnoredAny;

use super::process::{Fault, Launch, Process};
use super::protocol::{
    Capabilities, Decrypt, Decrypted, Encoded, Encoding, Encrypt, Encrypted, Handle, Hello, Keygen,
    Keys, LibraryInfo, Numbers, PROTOCOL, ParamsInfo, ParamsRequest, Plaintext, Prepare, Prepared,
    Run, Timed, Verb,
};

/// A driver that has said hello.
#[derive(Debug)]
pub struct Driver {
    process: Process,
    /// The library behind it.
    pub library: LibraryInfo,
}

impl Driver {
    /// Starts a driver and greets it.
    ///
    /// # Errors
    /// Any [`Fault`]; another protocol version is nonsense.
    pub fn start(launch: &Launch) -> Result<Self, Fault> {
        let mut process = Process::spawn(launch)?;
        let hello: Hello = process.call(Verb::Hello)?;
        if hello.protocol != PROTOCOL {
            let why = format!("the driver speaks {} and not {PROTOCOL}", hello.protocol);
            return Err(Fault::Nonsense { why, text: hello.protocol });
        }
        Ok(Self { process, library: hello.library })
    }

    /// What the library can do.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn capabilities(&mut self) -> Result<Capabilities, Fault> {
        self.process.call(Verb::Capabilities)
    }

    /// Opens a session without keys, for so many threads with inputs of their own, and so many
    /// within one operation.
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
        let scheme = scheme.into();
        let request = Prepare { scheme, params, threads, op_threads, seed };
        let prepared: Prepared = self.process.call(Verb::Prepare(request))?;
        match prepared.params.fault() {
            None => Ok(prepared),
            Some(why) => Err(Fault::Nonsense { why, text: format!("{:?}", prepared.params) }),
        }
    }

    /// Largest resident set of the driver so far, in bytes.
    pub fn peak_rss(&self) -> u64 {
        self.process.peak_rss()
    }

    /// Makes keys.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn keygen(&mut self, request: Keygen) -> Result<Keys, Fault> {
        self.process.call(Verb::Keygen(request))
    }

    /// Encrypts one vector.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn encrypt(&mut self, request: Encrypt) -> Result<Encrypted, Fault> {
        self.process.call(Verb::Encrypt(request))
    }

    /// Encodes one vector.
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
        self.process.call::<Encoded>(Verb::Plaintext(request)).map(|encoded| encoded.pt)
    }

    /// Times one operation.
    ///
    /// # Errors
    /// Refused with `noise_exhausted` and others; any other [`Fault`]. A reply with another number
    /// of outputs than input sets, or without samples, is nonsense.
    pub fn run(&mut self, request: Run) -> Result<Timed, Fault> {
        let (sets, asked) = (request.inputs.len(), request.samples);
        let timed: Timed = self.process.call(Verb::Run(request))?;
        let samples = timed.samples_ns.len();
        if timed.outputs.len() != sets || samples == 0 || samples > asked {
            let why = format!("{sets} input sets and at most {asked} samples were asked for");
            let text = format!("{} outputs and {samples} samples", timed.outputs.len());
            return Err(Fault::Nonsense { why, text });
        }
        Ok(timed)
    }

    /// Decrypts and decodes, or only decodes a plaintext.
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
        self.process.call::<Decrypted>(Verb::Decrypt(request)).map(|decrypted| decrypted.values)
    }

    /// Forgets handles.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn forget(&mut self, handles: Vec<Handle>) -> Result<(), Fault> {
        if handles.is_empty() {
            return Ok(());
        }
        self.process.call::<IgnoredAny>(Verb::Drop { handles }).map(|_| ())
    }

    /// Sends a line, whatever it is, and returns the line that answers it.
    ///
    /// # Errors
    /// Any [`Fault`] but a refusal.
    pub fn exchange(&mut self, line: &str) -> Result<Vec<u8>, Fault> {
        self.process.exchange(line.as_bytes().to_vec())
    }

    /// Says goodbye and waits for the driver to end, at most so long; `None` if it goes on.
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

    /// Ends the driver politely.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn bye(mut self) -> Result<(), Fault> {
        self.process.call::<IgnoredAny>(Verb::Bye).map(|_| ())
    }
}

/// A session with its parameters, as the runner passes it around.
#[derive(Clone, Debug)]
pub struct OpenSession {
    /// Its name in requests.
    pub id: u64,
    /// Its parameters.
    pub params: ParamsInfo,
}
