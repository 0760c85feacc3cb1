//! The folder `peers/`, and the state of each peer in it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fathom_drivers::client::Driver;
use fathom_drivers::process::{Fault, Launch};
use fathom_drivers::protocol::{LibraryInfo, SchemeInfo};

use super::manifest::{FILE, Manifest, ManifestError};

/// Longest wait for a peer's `hello`, which may include an interpreter loading a library for the
/// first time.
const HELLO_TIME: Duration = Duration::from_secs(30);

/// The folder of all peers.
#[derive(Clone, Debug)]
pub struct PeersFolder {
    folder: PathBuf,
}

/// One peer: its folder and its manifest.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Absolute path of the folder.
    pub folder: PathBuf,
    /// The contents of the peer's `peer.toml`.
    pub manifest: Manifest,
}

/// State of a peer.
#[derive(Clone, Debug)]
pub enum State {
    /// The driver's program does not exist.
    Absent,
    /// The driver answers `hello`.
    Installed {
        /// The library of the peer.
        library: LibraryInfo,
        /// The schemes that it announces, each with its operations.
        schemes: Vec<SchemeInfo>,
    },
    /// The driver's program exists but does not answer correctly.
    Broken(Fault),
}

/// Reason why peers cannot be found.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PeersFolderError {
    /// There is no folder of peers.
    #[error(
        "there is no folder `peers` here or above; set it with --peers-folder or \
         FATHOM_PEERS"
    )]
    NoFolder,
    /// The given path is not a folder.
    #[error("{path} is no folder; --peers-folder or FATHOM_PEERS names the folder of the peers")]
    NotAFolder {
        /// The given path.
        path: String,
    },
    /// The folder cannot be read.
    #[error("{path} cannot be read: {reason}")]
    Unreadable {
        /// The folder.
        path: String,
        /// Message of the system.
        reason: String,
    },
    /// There is no peer of that name.
    #[error("there is no peer `{name}`; there are: {}", .known.join(", "))]
    Unknown {
        /// The requested name.
        name: String,
        /// Names of the existing peers.
        known: Vec<String>,
    },
    /// The manifest was refused.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
}

impl PeersFolder {
    /// Finds the folder: the one given, else that of `FATHOM_PEERS`, else the nearest folder
    /// `peers` that holds a peer, from the current one upwards.
    ///
    /// # Errors
    /// [`PeersFolderError::NotAFolder`], [`PeersFolderError::NoFolder`].
    pub fn find(stated: Option<&Path>) -> Result<Self, PeersFolderError> {
        let stated =
            stated.map(Path::to_owned).or_else(|| std::env::var_os("FATHOM_PEERS").map(Into::into));
        let folder = if let Some(folder) = stated {
            if !folder.is_dir() {
                return Err(PeersFolderError::NotAFolder { path: folder.display().to_string() });
            }
            Some(folder)
        } else {
            let here = std::env::current_dir().ok();
            let candidates = here.iter().flat_map(|here| here.ancestors());
            candidates.map(|above| above.join("peers")).find(|folder| holds_a_peer(folder))
        };
        let folder = folder.and_then(|folder| folder.canonicalize().ok());
        folder.map(|folder| Self { folder }).ok_or(PeersFolderError::NoFolder)
    }

    /// Returns the names of all peers, in alphabetical order.
    ///
    /// # Errors
    /// [`PeersFolderError::Unreadable`].
    pub fn names(&self) -> Result<Vec<String>, PeersFolderError> {
        let entries =
            std::fs::read_dir(&self.folder).map_err(|e| PeersFolderError::Unreadable {
                path: self.folder.display().to_string(),
                reason: e.to_string(),
            })?;
        let folders = entries.flatten().filter(|entry| entry.path().join(FILE).is_file());
        let mut names: Vec<String> =
            folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        Ok(names)
    }

    /// Returns the peer of that name.
    ///
    /// # Errors
    /// [`PeersFolderError::Unknown`], or the error in its manifest.
    pub fn peer(&self, name: &str) -> Result<Peer, PeersFolderError> {
        let known = self.names()?;
        if !known.iter().any(|other| other == name) {
            return Err(PeersFolderError::Unknown { name: name.into(), known });
        }
        let folder = self.folder.join(name);
        Ok(Peer { manifest: Manifest::read(&folder)?, folder })
    }
}

fn holds_a_peer(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder);
    entries.is_ok_and(|entries| entries.flatten().any(|entry| entry.path().join(FILE).is_file()))
}

impl Peer {
    /// Returns true if the driver's program exists; a program without `/` is looked up when
    /// started.
    pub fn is_built(&self) -> bool {
        let program = &self.manifest.run.command[0];
        !program.contains('/') || self.folder.join(program).exists()
    }

    /// Returns how to start its driver.
    pub fn launch(&self) -> Launch {
        let command = &self.manifest.run.command;
        let program = if command[0].contains('/') {
            self.folder.join(&command[0]).into_os_string()
        } else {
            OsString::from(&command[0])
        };
        let arguments: Vec<&str> = command[1..].iter().map(String::as_str).collect();
        Launch {
            folder: Some(self.folder.clone()),
            thread_env: self.manifest.run.thread_env.clone(),
            ..Launch::new(program, &arguments)
        }
    }

    /// Starts its driver and sends `hello`.
    pub fn state(&self) -> State {
        if !self.is_built() {
            return State::Absent;
        }
        let launch = Launch { reply_time: HELLO_TIME, ..self.launch() };
        let greeted = Driver::start(&launch).and_then(|driver| {
            let (library, schemes) = (driver.library.clone(), driver.schemes.clone());
            driver.bye()?;
            self.check_name(&library)?;
            Ok(State::Installed { library, schemes })
        });
        match greeted {
            Ok(installed) => installed,
            Err(fault) => State::Broken(fault),
        }
    }

    /// Checks that the name in `hello` is the folder's, because case ids begin with it.
    ///
    /// # Errors
    /// [`Fault::Nonsense`].
    pub fn check_name(&self, library: &LibraryInfo) -> Result<(), Fault> {
        let name = &self.manifest.name;
        if library.name == *name {
            return Ok(());
        }
        let why = format!("its library is called `{name}` in peer.toml");
        Err(Fault::Nonsense { why, text: library.name.clone() })
    }

    /// Returns a line that says how to install the peer.
    pub fn hint(&self) -> String {
        format!("fathom peers install {}", self.manifest.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_is_none() {
        let missing = PeersFolder::find(Some(Path::new("/no/such/folder"))).unwrap_err();
        assert_eq!(missing, PeersFolderError::NotAFolder { path: "/no/such/folder".into() });
    }
}
