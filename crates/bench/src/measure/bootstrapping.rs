//! A set that a driver can bootstrap, with its keys.

use fathom::ckks::Complex64;

use crate::drivers::client::Driver;
use crate::drivers::process::{Fault, Launch};
use crate::drivers::protocol::{
    Args, Encoding, Encrypt, Encrypted, Handle, KeyKind, Keygen, Keys, ParamsInfo, ParamsRequest,
    Run, SchemeInfo, Timed,
};
use crate::ops::BOOTSTRAP;

/// The scheme that is bootstrapped.
pub const SCHEME: &str = "ckks";

/// A driver with a session of a set that can be bootstrapped, and its keys.
#[derive(Debug)]
pub struct Bootstrapping {
    driver: Driver,
    session: u64,
    /// The parameters.
    pub params: ParamsInfo,
    /// The keys, as the driver describes them.
    pub keys: Keys,
}

/// Returns the sets that a library can bootstrap; none without the operation.
pub fn sets(schemes: &[SchemeInfo]) -> &[String] {
    let found = schemes.iter().find(|found| found.scheme == SCHEME);
    let found = found.filter(|found| found.ops.iter().any(|op| op == BOOTSTRAP));
    found.map_or(&[], |found| &found.params)
}

impl Bootstrapping {
    /// Starts a driver and makes the keys of a set.
    ///
    /// # Errors
    /// Any [`Fault`]; refused with `unsupported` where the memory does not suffice.
    pub fn open(launch: &Launch, set: &str) -> Result<Self, Fault> {
        let mut driver = Driver::start(launch)?;
        let request = ParamsRequest::Preset { preset: set.into() };
        let prepared = driver.prepare(SCHEME, request, [1, 1], None)?;
        let (session, params) = (prepared.session, prepared.params);
        let rotations = Vec::new();
        let keys = driver.keygen(Keygen { session, rotations, row_swap: 0, reps: 1 })?;
        Ok(Self { driver, session, params, keys })
    }

    /// Encrypts complex numbers, one for each slot, at the level that a bootstrapping takes.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn encrypt(&mut self, message: &[Complex64]) -> Result<Encrypted, Fault> {
        let values: Vec<f64> = message.iter().flat_map(|z| [z.re, z.im]).collect();
        self.driver.encrypt(Encrypt {
            session: self.session,
            values: values.into(),
            mode: KeyKind::Sk,
            encoding: Encoding::Complex,
            level: Some(0),
        })
    }

    /// Bootstraps a ciphertext `warmup` times, and then at most `samples` times, each timed, of
    /// which none begins after `budget_ns`.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn run(
        &mut self,
        input: Handle,
        warmup: usize,
        samples: usize,
        budget_ns: Option<u64>,
    ) -> Result<Timed, Fault> {
        self.driver.run(Run {
            session: self.session,
            op: BOOTSTRAP.into(),
            args: Args::default(),
            inputs: vec![vec![input]],
            warmup,
            iterations: 1,
            samples,
            budget_ns,
        })
    }

    /// Decrypts the result of [`Bootstrapping::run`].
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn decrypt(&mut self, timed: &Timed) -> Result<Vec<Complex64>, Fault> {
        // The client has refused a reply without the output of a call.
        let output = timed.outputs.iter().flatten().next().copied().unwrap_or_default();
        let values = self.driver.decrypt(self.session, output, Encoding::Complex)?.to_reals();
        Ok(values.chunks_exact(2).map(|part| Complex64::new(part[0], part[1])).collect())
    }

    /// Returns the peak memory of the driver so far, in bytes.
    pub fn peak_rss(&self) -> u64 {
        self.driver.peak_rss()
    }

    /// Ends the driver.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn bye(self) -> Result<(), Fault> {
        self.driver.bye()
    }
}
