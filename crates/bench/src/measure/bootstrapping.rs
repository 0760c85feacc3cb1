//! A set of gigabytes of keys under which a driver bootstraps, with these keys.

use fathom::ckks::Complex64;
use fathom_drivers::client::Driver;
use fathom_drivers::ops::{BOOTSTRAP, TABLE};
use fathom_drivers::process::{Fault, Launch};
use fathom_drivers::protocol::{
    Args, Encoding, Encrypt, Encrypted, Handle, KeyKind, Keygen, Keys, Numbers, ParamsInfo,
    ParamsRequest, Run, SchemeInfo, Timed,
};

/// A `Circuit` is what is computed under such keys: an operation of a scheme in the protocol, on
/// values in one encoding.
#[derive(Debug)]
pub struct Circuit {
    /// Name of the scheme, whose presets are the sets.
    pub scheme: &'static str,
    /// Name of the operation.
    pub op: &'static str,
    encoding: Encoding,
}

/// Bootstrapping of complex slots.
pub const REFRESH: Circuit = Circuit { scheme: "ckks", op: BOOTSTRAP, encoding: Encoding::Complex };

/// A function of small integers that a bootstrapping applies to all values.
pub const LOOKUP: Circuit =
    Circuit { scheme: "ckks_table", op: TABLE, encoding: Encoding::Coefficients };

impl Circuit {
    /// Returns the sets under which a library computes the circuit; none without the operation.
    #[must_use]
    pub fn sets<'a>(&self, schemes: &'a [SchemeInfo]) -> &'a [String] {
        let found = schemes.iter().find(|found| found.scheme == self.scheme);
        let found = found.filter(|found| found.ops.iter().any(|op| op == self.op));
        found.map_or(&[], |found| &found.params)
    }
}

/// A driver with a session of a set that bootstraps, and its keys.
#[derive(Debug)]
pub struct Bootstrapping {
    circuit: &'static Circuit,
    driver: Driver,
    session: u64,
    /// The parameters.
    pub params: ParamsInfo,
    /// The keys, as the driver describes them.
    pub keys: Keys,
}

impl Bootstrapping {
    /// Starts a driver and makes the keys of a set.
    ///
    /// # Errors
    /// Any [`Fault`]; refused with `unsupported` where the memory does not suffice.
    pub fn open(launch: &Launch, circuit: &'static Circuit, set: &str) -> Result<Self, Fault> {
        let mut driver = Driver::start(launch)?;
        let request = ParamsRequest::Preset { preset: set.into() };
        let prepared = driver.prepare(circuit.scheme, request, [1, 1], None)?;
        let (session, params) = (prepared.session, prepared.params);
        let rotations = Vec::new();
        let keys = driver.keygen(Keygen { session, rotations, row_swap: 0, reps: 1 })?;
        Ok(Self { circuit, driver, session, params, keys })
    }

    /// Encrypts values in the encoding of the circuit, at the level that a bootstrapping takes.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn encrypt(&mut self, values: Numbers) -> Result<Encrypted, Fault> {
        self.driver.encrypt(Encrypt {
            session: self.session,
            values,
            mode: KeyKind::Sk,
            encoding: self.circuit.encoding,
            level: Some(0),
        })
    }

    /// Computes the circuit on a ciphertext `warmup` times, and then at most `samples` times, each
    /// timed, of which none begins after `budget_ns`.
    ///
    /// # Errors
    /// Any [`Fault`].
    pub fn run(
        &mut self,
        input: Handle,
        args: Args,
        [warmup, samples]: [usize; 2],
        budget_ns: Option<u64>,
    ) -> Result<Timed, Fault> {
        self.driver.run(Run {
            session: self.session,
            op: self.circuit.op.into(),
            args,
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
    pub fn decrypt(&mut self, timed: &Timed) -> Result<Numbers, Fault> {
        // The client has refused a reply without the output of a call.
        let output = timed.outputs.iter().flatten().next().copied().unwrap_or_default();
        self.driver.decrypt(self.session, output, self.circuit.encoding)
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

/// Returns complex numbers as the values of the encoding `complex`: pairs of reals.
#[must_use]
pub fn pairs(message: &[Complex64]) -> Numbers {
    message.iter().flat_map(|z| [z.re, z.im]).collect::<Vec<_>>().into()
}

/// Returns the complex numbers of values of the encoding `complex`.
#[must_use]
pub fn complex(values: &Numbers) -> Vec<Complex64> {
    values.to_reals().chunks_exact(2).map(|part| Complex64::new(part[0], part[1])).collect()
}
