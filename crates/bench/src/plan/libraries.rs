//! The libraries of a run: how each is started, and its self-description.

use std::collections::{BTreeMap, BTreeSet};

use fathom_cases::pace::SetTime;
use fathom_cases::question::{Division, PeerPresets};
use fathom_drivers::client::Driver;
use fathom_drivers::process::{Fault, Launch};
use fathom_drivers::protocol::{Code, LibraryInfo, ParamsRequest, Refusal, SchemeInfo};

use crate::plan::suite::CaseSpec;

/// A library that may take part in a run.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// Command that starts its driver.
    pub launch: Launch,
    /// Role in the run.
    pub role: Role,
}

/// Role of a library in a run.
#[derive(Clone, Debug)]
pub enum Role {
    /// The first library of the run, measured on presets by name; the numerator of all ratios.
    Engine,
    /// A library that chooses parameters for a purpose, or runs its own presets of the same
    /// meaning.
    Peer {
        /// Name of the library, from its manifest.
        name: String,
        /// True for the engine as users of another language reach it, which is not ranked.
        own: bool,
        /// True if its encryption includes encoding, and its decryption decoding.
        encodes: bool,
        /// The library's own names for presets of the engine.
        presets: PeerPresets,
        /// Sets under which it bootstraps, with the times that its manifest states.
        bootstraps: BTreeMap<String, SetTime>,
    },
}

/// A library whose driver answered `hello`, with its name and presets.
#[derive(Clone, Debug)]
pub struct Known {
    /// Command that starts the library, and its role.
    pub entrant: Entrant,
    /// Name, version and build, as the library reports them.
    pub info: LibraryInfo,
    /// Supported schemes, each with its operations and presets.
    pub schemes: Vec<SchemeInfo>,
}

/// The self-descriptions of all libraries of a run.
#[derive(Clone, Debug, Default)]
pub struct Libraries {
    known: Vec<Known>,
    silent: Vec<(String, Fault)>,
}

/// A scheme that a library lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Name of the library.
    pub library: String,
    /// The name of the scheme.
    pub scheme: String,
    /// Number of cases of the run in that scheme.
    pub cases: usize,
}

impl Libraries {
    /// Sends `hello` to every driver, to all at once. A peer that does not answer is skipped and
    /// listed by [`Libraries::silent`].
    ///
    /// # Errors
    /// The fault of the engine's driver, without which no run is possible.
    pub fn greet(entrants: &[Entrant]) -> Result<Self, Fault> {
        let mut libraries = Self::default();
        let answers: Vec<_> = std::thread::scope(|scope| {
            let asked: Vec<_> = entrants.iter().map(|one| scope.spawn(|| greet(one))).collect();
            let answers = asked.into_iter().map(std::thread::ScopedJoinHandle::join);
            answers.map(|answer| answer.expect("a fault of a driver is an error")).collect()
        });
        for (answer, entrant) in answers.into_iter().zip(entrants) {
            match (answer, &entrant.role) {
                (Ok(known), _) => libraries.known.push(known),
                (Err(fault), Role::Engine) => return Err(fault),
                (Err(fault), Role::Peer { name, .. }) => {
                    libraries.silent.push((name.clone(), fault));
                }
            }
        }
        Ok(libraries)
    }

    /// Sends `hello` to one driver, in the role of the engine.
    ///
    /// # Errors
    /// The fault of the driver.
    pub fn alone(launch: &Launch) -> Result<Self, Fault> {
        Self::greet(&[Entrant { launch: launch.clone(), role: Role::Engine }])
    }

    /// Returns the libraries that answered, the engine first.
    pub fn known(&self) -> &[Known] {
        &self.known
    }

    /// Returns the peers that did not answer, each with its fault.
    pub fn silent(&self) -> &[(String, Fault)] {
        &self.silent
    }

    /// Iterates over the descriptions of the libraries.
    pub fn infos(&self) -> impl Iterator<Item = &LibraryInfo> {
        self.known.iter().map(|known| &known.info)
    }

    /// Returns the cases for `case`, each with the number of its library: the engine's own, and one
    /// for each peer with the scheme and each division. A case whose scheme the engine lacks is its
    /// case all the same, which [`Known::check`] refuses as unsupported, so that no case is lost.
    pub fn cases(&self, case: &CaseSpec, divisions: &[Division]) -> Vec<(usize, CaseSpec)> {
        let mut cases = Vec::new();
        for (number, library) in self.known.iter().enumerate() {
            match &library.entrant.role {
                Role::Engine => cases.push((number, case.clone())),
                Role::Peer { .. } if library.scheme(&case.scheme).is_none() => {}
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
    /// Returns the schemes of `cases` that some library lacks, each with that library's name and
    /// the number of cases in the scheme.
    pub fn missing(&self, cases: &[CaseSpec]) -> Vec<Missing> {
        let schemes: BTreeSet<&str> = cases.iter().map(|case| case.scheme.as_str()).collect();
        let of = |library: &Known, scheme: &str| {
            let count = cases.iter().filter(|case| case.scheme == scheme).count();
            let (library, scheme) = (library.info.name.clone(), scheme.to_owned());
            Missing { library, scheme, cases: count }
        };
        let lacks = |library: &Known, scheme: &str| library.scheme(scheme).is_none();
        let per_library = self.known.iter().flat_map(|library| {
            let lacking = schemes.iter().filter(move |scheme| lacks(library, scheme));
            lacking.map(move |scheme| of(library, scheme))
        });
        per_library.collect()
    }
}

impl Known {
    /// Checks that the library supports everything that `case` needs.
    ///
    /// # Errors
    /// A refusal `unsupported` that names what is missing.
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
        match case.op.needs().find(|op| !scheme.ops.iter().any(|own| own == op)) {
            Some(op) => missing(format!("operation {op} for {}", case.scheme)),
            None => Ok(()),
        }
    }

    /// Returns the time of a set under which the library bootstraps, if its manifest states one.
    pub fn set_time(&self, set: &str) -> Option<SetTime> {
        match &self.entrant.role {
            Role::Engine => None,
            Role::Peer { bootstraps, .. } => bootstraps.get(set).copied(),
        }
    }

    /// Returns true for the engine as users of another language reach it.
    pub fn is_own(&self) -> bool {
        matches!(self.entrant.role, Role::Peer { own: true, .. })
    }

    /// Returns true if encryption includes encoding, and decryption decoding.
    pub fn encodes(&self) -> bool {
        matches!(self.entrant.role, Role::Peer { encodes: true, .. })
    }

    /// Returns the names of the library's operations in a scheme.
    pub fn operations(&self, scheme: &str) -> &[String] {
        self.scheme(scheme).map_or(&[], |found| &found.ops)
    }

    fn scheme(&self, name: &str) -> Option<&SchemeInfo> {
        self.schemes.iter().find(|found| found.scheme == name)
    }
}

fn greet(entrant: &Entrant) -> Result<Known, Fault> {
    let driver = Driver::start(&entrant.launch)?;
    let (info, schemes) = (driver.library.clone(), driver.schemes.clone());
    driver.bye()?;
    if let Role::Peer { name, .. } = &entrant.role
        && *name != info.name
    {
        let why = format!("its library is called `{name}` in peer.toml");
        return Err(Fault::Nonsense { why, text: info.name });
    }
    Ok(Known { entrant: entrant.clone(), info, schemes })
}
