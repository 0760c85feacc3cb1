//! The roles and the parameters of a program.

use fathom_cases::record::assess;
use fathom_workloads::{Client, Data, Error, Implementation, Parameters, Server, Task, Work};

use super::client::ProgramClient;
use super::program::Program;
use super::server::ProgramServer;
use crate::presets::{self, Preset};

/// The set that tfhe-rs has as its default, [`tfhe::ConfigBuilder::default`].
const PRESET: &str = "message_2_carry_2";

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
