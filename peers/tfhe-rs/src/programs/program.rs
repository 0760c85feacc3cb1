//! A program: everything but the circuit.

use fathom_bench::record::assess;
use fathom_workloads::{Client, Data, Error, Implementation, Parameters, Server, Task, Work};

use super::client::ProgramClient;
use super::columns::{Encrypted, Field};
use super::server::ProgramServer;
use crate::presets::{self, Preset};

/// The set that tfhe-rs has as its default, [`tfhe::ConfigBuilder::default`].
const PRESET: &str = "message_2_carry_2";

/// A program on tfhe-rs.
#[derive(Clone, Copy)]
pub(super) struct Program {
    /// The algorithm in one sentence.
    pub(super) method: &'static str,
    /// Refuses tasks that the circuit does not compute.
    pub(super) supports: fn(&Task) -> Result<(), Error>,
    /// The columns that the client encrypts.
    pub(super) inputs: fn(&Task) -> Result<Vec<Field>, Error>,
    /// The columns of the result.
    pub(super) outputs: fn(&Task) -> Result<Vec<Field>, Error>,
    /// The circuit: on the clear columns of the server and the encrypted ones of the client. Every
    /// thread that runs it has the server key.
    pub(super) circuit: fn(&Task, &Data, &Encrypted) -> Result<Encrypted, Error>,
}

impl Implementation for Program {
    fn scheme(&self) -> &'static str {
        "tfhe"
    }

    fn method(&self) -> &'static str {
        self.method
    }

    fn supports(&self, task: &Task) -> Result<(), Error> {
        (self.supports)(task)
    }

    fn parameters(&self, _: &Task) -> Result<Parameters, Error> {
        let info = preset()?.describe();
        let security = assess(&info).and_then(|security| security.classical);
        Ok(Parameters {
            name: info.name,
            security_bits: security.unwrap_or_default(),
            failure_log2: info.p_fail_log2,
        })
    }

    fn client(&self, task: &Task) -> Result<Box<dyn Client>, Error> {
        let (inputs, outputs) = ((self.inputs)(task)?, (self.outputs)(task)?);
        Ok(Box::new(ProgramClient::new(inputs, outputs)?))
    }

    fn server(&self, task: &Task, threads: usize) -> Result<Box<dyn Server>, Error> {
        Ok(Box::new(ProgramServer::new(*self, task.clone(), threads)?))
    }

    fn simulate(&self, _: &Task, _: usize, _: &Data) -> Result<Work, Error> {
        let reason = "its circuits are not simulated".into();
        Err(Error::Unsupported { scheme: "tfhe", reason })
    }
}

fn preset() -> Result<Preset, Error> {
    let missing = || Error::Message(format!("there is no set {PRESET}"));
    presets::all().find(|preset| preset.name == PRESET).ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::preset;
    use crate::presets::Set;
    use tfhe::shortint::AtomicPatternParameters;
    use tfhe::{ClientKey, ConfigBuilder};

    #[test]
    fn the_reported_parameters_are_the_default_ones() {
        let key = ClientKey::generate(ConfigBuilder::default());
        let Set::Blocks(set) = preset().unwrap().set else { unreachable!("integers need blocks") };
        assert_eq!(key.computation_parameters(), AtomicPatternParameters::from(set));
    }
}
