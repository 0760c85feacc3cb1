//! `peer.toml`: the description of a peer, its installation and its start.

use std::collections::BTreeMap;
use std::path::Path;

use fathom_cases::pace::SetTime;
use fathom_cases::question::PeerPresets;
use serde::Deserialize;

/// File name of the manifest in the peer's folder.
pub const FILE: &str = "peer.toml";

/// The contents of a `peer.toml`. Unknown fields are errors, so that misspelt names are reported.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Name of the peer's folder and of the library in its driver's `hello`.
    pub name: String,
    /// Display name of the library.
    pub title: String,
    /// Version of the library that the lockfile pins.
    pub version: String,
    /// Licence of the library, as an SPDX expression if it has one.
    pub license: String,
    /// Home page of the library.
    pub homepage: String,
    /// True for the engine as users of another language reach it: measured beside peers and never
    /// ranked, because it is none. It has no whole programs.
    #[serde(default)]
    pub own: bool,
    /// True if encryption and operations with clear vectors include encoding, and decryption
    /// decoding, because the library has no calls for them: these rows are not ranked beside those
    /// of libraries that have.
    #[serde(default)]
    pub encodes: bool,
    /// Whole programs that the driver offers in the roles `client` and `server`.
    #[serde(default)]
    pub programs: Vec<String>,
    /// Programs that the installation requires.
    #[serde(default)]
    pub requires: Vec<Requirement>,
    /// Installation of the peer.
    pub install: Install,
    /// The command that starts the peer's driver.
    pub run: Run,
    /// Presets of the engine, each with the peer's preset of the same meaning.
    #[serde(default)]
    pub presets: BTreeMap<String, String>,
    /// Presets of the engine, each with the peer's presets for the same messages but a different
    /// failure probability; these are compared in the division `failure`.
    #[serde(default)]
    pub unequal_failure: BTreeMap<String, Vec<String>>,
    /// Sets under which the library bootstraps, each with the time of its keys and of one call, for
    /// the estimate of `fathom bench --dry-run`.
    #[serde(default)]
    pub bootstraps: BTreeMap<String, SetTime>,
}

/// A program that a peer's installation needs, or that tests for something the installation needs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// Name of the program, looked up in `PATH`.
    pub program: String,
    /// Arguments with which the program must succeed when run in the peer's folder.
    #[serde(default)]
    pub version_args: Vec<String>,
    /// Instructions to install it.
    pub hint: String,
}

/// Installation of a peer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Install {
    /// Approximate duration on two cores, in minutes.
    pub minutes: f64,
    /// Programs with their arguments, run one after another in the peer's folder, without a
    /// shell.
    pub steps: Vec<Vec<String>>,
}

/// Start of a peer's driver.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Program and arguments, run in the peer's folder. A program with a `/` in its name is a
    /// file of the folder; the peer is installed if it exists.
    pub command: Vec<String>,
    /// Environment variables that the testbed sets to the number of threads of one operation before
    /// the start, for libraries that read it only once.
    #[serde(default)]
    pub thread_env: Vec<String>,
}

/// Reason why a manifest was refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// The file cannot be read.
    #[error("{path} cannot be read: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// Message of the system.
        reason: String,
    },
    /// The text is not a manifest.
    #[error("{path} is no description of a peer: {reason}")]
    Malformed {
        /// The file.
        path: String,
        /// Description of the error, with its position.
        reason: String,
    },
    /// A field has an invalid value.
    #[error("{path}: `{field}` {reason}")]
    Field {
        /// The file.
        path: String,
        /// The field.
        field: &'static str,
        /// The requirement on the value.
        reason: String,
    },
}

impl Manifest {
    /// Reads the manifest of the peer in `folder`.
    ///
    /// # Errors
    /// Any [`ManifestError`].
    pub fn read(folder: &Path) -> Result<Self, ManifestError> {
        let path = folder.join(FILE);
        let text = std::fs::read_to_string(&path).map_err(|e| ManifestError::Unreadable {
            path: path.display().to_string(),
            reason: e.to_string(),
        })?;
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        Self::parse(&text, &path.display().to_string(), &name.unwrap_or_default())
    }

    /// Parses the text of the manifest at `path`, in a folder named `folder`.
    ///
    /// # Errors
    /// Any [`ManifestError`] except [`ManifestError::Unreadable`].
    pub fn parse(text: &str, path: &str, folder: &str) -> Result<Self, ManifestError> {
        let manifest: Self = toml::from_str(text).map_err(|e| ManifestError::Malformed {
            path: path.into(),
            reason: e.to_string().trim().to_owned(),
        })?;
        match manifest.fault(folder) {
            None => Ok(manifest),
            Some((field, reason)) => Err(ManifestError::Field { path: path.into(), field, reason }),
        }
    }

    /// Returns the peer's own names for presets of the engine.
    pub fn peer_presets(&self) -> PeerPresets {
        PeerPresets { equal: self.presets.clone(), unequal_failure: self.unequal_failure.clone() }
    }

    fn fault(&self, folder: &str) -> Option<(&'static str, String)> {
        if self.name != folder {
            let reason = format!("is {} and must be the folder's name, {folder}", self.name);
            return Some(("name", reason));
        }
        if self.name == "fathom" {
            return Some(("name", "is the engine's own".into()));
        }
        if self.own && !self.programs.is_empty() {
            return Some((
                "own",
                "is for libraries without whole programs, which are ranked".into(),
            ));
        }
        if self.version.is_empty() {
            return Some(("version", "is empty; a peer is pinned to one".into()));
        }
        if self.run.command.first().is_none_or(String::is_empty) {
            return Some(("run.command", "names no program".into()));
        }
        if self.install.steps.iter().any(|step| step.first().is_none_or(String::is_empty)) {
            return Some(("install.steps", "has a step without a program".into()));
        }
        if !(self.install.minutes > 0.0 && self.install.minutes.is_finite()) {
            return Some(("install.minutes", "must be a positive number".into()));
        }
        if let Some((set, _)) = self.bootstraps.iter().find(|(_, time)| !time.is_possible()) {
            return Some(("bootstraps", format!("states times of {set} that are not positive")));
        }
        let outside = |program: &&String| program.starts_with('/') || program.contains("..");
        let programs = self.install.steps.iter().filter_map(|step| step.first());
        let strange = programs.chain(self.run.command.first()).find(outside);
        strange.map(|program| {
            let reason = format!("is a file outside the peer's folder: {program}");
            ("run.command or install.steps", reason)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
        name = "seal"
        title = "Microsoft SEAL"
        version = "4.1.1"
        license = "MIT"
        homepage = "https://example.org"
        [[requires]]
        program = "python3"
        version_args = ["--version"]
        hint = "Debian: apt install python3-venv"
        [install]
        minutes = 1
        steps = [["python3", "-m", "venv", ".venv"]]
        [run]
        command = [".venv/bin/python", "driver.py"]
    "#;

    fn parse(text: &str) -> Result<Manifest, ManifestError> {
        Manifest::parse(text, "peers/seal/peer.toml", "seal")
    }

    #[test]
    fn a_manifest_is_read_whole() {
        let manifest = parse(GOOD).unwrap();
        assert_eq!(manifest.requires[0].version_args, ["--version"]);
        assert_eq!(manifest.run.command, [".venv/bin/python", "driver.py"]);
        assert!(
            !manifest.own && parse(&GOOD.replace("license", "own = true\nlicense")).unwrap().own
        );
        assert!(manifest.presets.is_empty() && manifest.run.thread_env.is_empty());
        let presets = "[presets]\nx = \"y\"\n[unequal_failure]\nz = [\"u\", \"v\"]
            [bootstraps]\nset = { keys_s = 90, call_s = 30 }";
        let torus = format!("{GOOD}\nthread_env = [\"OMP_NUM_THREADS\"]\n{presets}");
        let manifest = parse(&torus).unwrap();
        assert_eq!(manifest.peer_presets().unequal_failure["z"], ["u", "v"]);
        assert_eq!((manifest.presets["x"].as_str(), manifest.run.thread_env.len()), ("y", 1));
        assert_eq!(manifest.bootstraps["set"], SetTime { keys_s: 90.0, call_s: 30.0 });
    }

    #[test]
    fn a_typing_mistake_is_named_with_its_line() {
        let refused = parse(&GOOD.replace("license", "licence")).unwrap_err();
        let ManifestError::Malformed { reason, .. } = &refused else { panic!("{refused}") };
        assert!(reason.contains("licence") && reason.contains("line 5"), "{reason}");
    }

    #[test]
    fn impossible_values_name_their_field() {
        for (from, to, wanted) in [
            ("name = \"seal\"", "name = \"sea\"", "name"),
            ("\"4.1.1\"", "\"\"", "version"),
            ("license =", "own = true\nprograms = [\"sort\"]\nlicense =", "own"),
            ("minutes = 1", "minutes = -1", "install.minutes"),
            ("[[\"python3\", \"-m\", \"venv\", \".venv\"]]", "[[]]", "install.steps"),
            ("[\".venv/bin/python\", \"driver.py\"]", "[]", "run.command"),
            ("[install]", "[bootstraps]\nx = { keys_s = 0, call_s = 1 }\n[install]", "bootstraps"),
            ("\".venv/bin/python\"", "\"../other\"", "run.command or install.steps"),
        ] {
            let refused = parse(&GOOD.replace(from, to)).unwrap_err();
            let ManifestError::Field { field, .. } = refused else { panic!("{to}: {refused}") };
            assert_eq!(field, wanted, "{to}");
        }
    }

    #[test]
    fn a_folder_without_a_manifest_is_said_to_have_none() {
        let refused = Manifest::read(Path::new("/no/such/peer")).unwrap_err();
        assert!(matches!(refused, ManifestError::Unreadable { .. }), "{refused}");
    }
}
