//! The libraries of a run: how each is started, and what it says of itself.

use crate::drivers::client::Driver;
use crate::drivers::process::{Fault, Launch};
use crate::drivers::protocol::{Capabilities, Code, LibraryInfo, ParamsRequest, Refusal};
use crate::question::{Division, PeerPresets};
use crate::suite::CaseSpec;

/// A library that may take part.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// How its driver is started.
    pub launch: Launch,
    /// What it is in the run.
    pub role: Role,
}

/// What a library is in a run.
#[derive(Clone, Debug)]
pub enum Role {
    /// The first of the run, asked for presets by name; ratios are against it.
    Engine,
    /// Asked for purposes, or for its own presets of the same meaning.
    Peer {
        /// Its name, before it has said so itself.
        name: String,
        /// Its own names for presets of the engine.
        presets: PeerPresets,
    },
}

/// A library that answered.
#[derive(Clone, Debug)]
pub struct Known {
    /// How it is started.
    pub entrant: Entrant,
    /// Who it is.
    pub info: LibraryInfo,
    /// What it can do.
    pub capabilities: Capabilities,
}

/// What every driver of a run says of itself.
#[derive(Clone, Debug, Default)]
pub struct Libraries {
    known: Vec<Known>,
    silent: Vec<(String, Fault)>,
}

impl Libraries {
    /// Greets every driver. A peer that does not answer is left out and named by
    /// [`Libraries::silent`].
    ///
    /// # Errors
    /// The fault of the engine's driver, without which there is no run.
    pub fn greet(entrants: &[Entrant]) -> Result<Self, Fault> {
        let mut libraries = Self::default();
        for entrant in entrants {
            match (greet(entrant), &entrant.role) {
                (Ok(known), _) => libraries.known.push(known),
                (Err(fault), Role::Engine) => return Err(fault),
                (Err(fault), Role::Peer { name, .. }) => {
                    libraries.silent.push((name.clone(), fault));
                }
            }
        }
        Ok(libraries)
    }

    /// Greets one driver in the role of the engine.
    ///
    /// # Errors
    /// Its fault.
    pub fn alone(launch: &Launch) -> Result<Self, Fault> {
        Self::greet(&[Entrant { launch: launch.clone(), role: Role::Engine }])
    }

    /// The libraries that answered, the engine first.
    pub fn known(&self) -> &[Known] {
        &self.known
    }

    /// Peers that did not answer, each with its fault.
    pub fn silent(&self) -> &[(String, Fault)] {
        &self.silent
    }

    /// The libraries.
    pub fn infos(&self) -> impl Iterator<Item = &LibraryInfo> {
        self.known.iter().map(|known| &known.info)
    }

    /// What the libraries can do, in the same order.
    pub fn capabilities(&self) -> impl Iterator<Item = &Capabilities> {
        self.known.iter().map(|known| &known.capabilities)
    }

    /// The cases that `case` stands for, each with the number of its library: the engine's own,
    /// and one for each peer and division. A library without the scheme has no case at all.
    pub fn cases(&self, case: &CaseSpec, divisions: &[Division]) -> Vec<(usize, CaseSpec)> {
        let mut cases = Vec::new();
        for (number, library) in self.known.iter().enumerate() {
            if library.scheme(&case.scheme).is_none() {
                continue;
            }
            match &library.entrant.role {
                Role::Engine => cases.push((number, case.clone())),
                Role::Peer { presets, .. } => {
                    let asked = divisions.iter().flat_map(|way| case.for_peer(presets, *way));
                    cases.extend(asked.map(|case| (number, case)));
                }
            }
        }
        cases
    }
}

impl Libraries {
    /// Schemes of `cases` that no library has.
    pub fn missing(&self, cases: &[CaseSpec]) -> Vec<String> {
        let has = |scheme: &str| self.known.iter().any(|known| known.scheme(scheme).is_some());
        let missing = cases.iter().map(|case| &case.scheme).filter(|scheme| !has(scheme));
        let mut missing: Vec<String> = missing.cloned().collect();
        missing.dedup();
        missing.sort();
        missing.dedup();
        missing
    }
}

impl Known {
    /// Whether the library has what `case` needs.
    ///
    /// # Errors
    /// Refused with `unsupported` and what is missing.
    pub fn check(&self, case: &CaseSpec) -> Result<(), Fault> {
        let missing = |what: String| {
            let message = format!("{} has no {what}", self.info.name);
            Err(Fault::Refused(Refusal::new(Code::Unsupported, message)))
        };
        let Some(scheme) = self.scheme(&case.scheme) else {
            return missing(format!("scheme {}", case.scheme));
        };
        if let ParamsRequest::Preset { preset } = &case.request
            && !scheme.params.contains(preset)
        {
            return missing(format!("parameters {preset} for {}", case.scheme));
        }
        match case.op.needs().into_iter().find(|op| !scheme.ops.iter().any(|o| o == &**op)) {
            Some(op) => missing(format!("operation {op} for {}", case.scheme)),
            None => Ok(()),
        }
    }

    /// Names of its operations in a scheme.
    pub fn operations(&self, scheme: &str) -> &[String] {
        self.scheme(scheme).map_or(&[], |found| &found.ops)
    }

    fn scheme(&self, name: &str) -> Option<&crate::drivers::protocol::SchemeInfo> {
        self.capabilities.schemes.iter().find(|found| found.scheme == name)
    }
}

fn greet(entrant: &Entrant) -> Result<Known, Fault> {
    let mut driver = Driver::start(&entrant.launch)?;
    let capabilities = driver.capabilities()?;
    let info = driver.library.clone();
    driver.bye()?;
    if let Role::Peer { name, .. } = &entrant.role
        && *name != info.name
    {
        let why = format!("its library is called `{name}` in peer.toml");
        return Err(Fault::Nonsense { why, text: info.name });
    }
    Ok(Known { entrant: entrant.clone(), info, capabilities })
}
