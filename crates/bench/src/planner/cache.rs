//! Measured unit costs in a file of the user, one for each machine.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha3::{Digest, Sha3_256};

use super::ring_costs::RingCosts;
use super::tfhe_costs::TfheCosts;
use crate::drivers::engine::Engine;
use crate::drivers::library::Library;
use crate::measure::machine::{Caches, Machine};
use crate::record::Tool;
use crate::report::whole_file;

/// Version of the file format; files of other versions are measured again.
const FORMAT: u32 = 3;

/// The machine and the build of the engine, on which unit costs depend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Processor model.
    pub cpu: String,
    /// Number of processors that this process may use.
    pub cores: usize,
    /// Extensions of the processor.
    pub isa: Vec<String>,
    /// Cache sizes in bytes.
    pub caches: Caches,
    /// Memory in bytes.
    pub ram_bytes: Option<u64>,
    /// Instruction set that the engine uses.
    pub isa_used: String,
    /// Version and build of the engine.
    pub engine: String,
}

impl Fingerprint {
    /// Returns that of this machine and this build.
    pub fn here() -> Self {
        let Machine { cpu, cores, isa, caches, ram_bytes, .. } = Machine::here();
        let (engine, tool) = (Library::info(&Engine), Tool::this());
        let build = format!("{} {}, {}", engine.version, tool.profile, engine.build);
        Self { cpu, cores, isa, caches, ram_bytes, isa_used: engine.isa_used, engine: build }
    }

    /// Returns the name of the file of this fingerprint.
    fn file_name(&self) -> String {
        let text = serde_json::to_string(self).expect("text and numbers are valid JSON");
        let hash = Sha3_256::digest(text.as_bytes());
        let number = hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
        format!("unit-costs-{number:016x}.json")
    }
}

/// Unit costs of a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitCosts {
    format: u32,
    /// The machine.
    pub fingerprint: Fingerprint,
    /// TFHE: one entry for each parameter set and number of threads.
    pub tfhe: Vec<TfheCosts>,
    /// BFV and CKKS: one entry for each set of parameters and number of threads.
    #[serde(default)]
    pub ring: Vec<RingCosts>,
}

impl UnitCosts {
    /// Returns the costs of a machine before anything was measured.
    pub fn new(fingerprint: Fingerprint) -> Self {
        Self { format: FORMAT, fingerprint, tfhe: Vec::new(), ring: Vec::new() }
    }

    /// Returns the costs of a parameter set on a number of threads, if they were measured.
    pub fn tfhe(&self, params: &str, threads: usize) -> Option<&TfheCosts> {
        self.tfhe.iter().find(|costs| costs.params == params && costs.threads() == threads)
    }

    /// Adds costs in place of those of the same parameter set and number of threads.
    pub fn insert_tfhe(&mut self, costs: TfheCosts) {
        let (params, threads) = (costs.params.clone(), costs.threads());
        self.tfhe.retain(|known| known.params != params || known.threads() != threads);
        self.tfhe.push(costs);
    }

    /// Returns the costs of a set of parameters of a ring scheme on a number of threads, if they
    /// were measured.
    pub fn ring(&self, params: &str, threads: usize) -> Option<&RingCosts> {
        self.ring.iter().find(|costs| costs.is_of(params, threads))
    }

    /// Adds costs in place of those of the same parameters and number of threads. Operations that
    /// the new costs lack keep their times.
    pub fn insert_ring(&mut self, mut costs: RingCosts) {
        let same = |known: &RingCosts| known.is_of(&costs.params, costs.threads);
        if let Some(place) = self.ring.iter().position(same) {
            for (operation, time) in self.ring.swap_remove(place).operations {
                costs.operations.entry(operation).or_insert(time);
            }
        }
        self.ring.push(costs);
    }

    /// Reads the costs of a machine from a folder. A file that is missing, damaged, of another
    /// version or of another machine has no costs.
    pub fn read(folder: &Path, fingerprint: Fingerprint) -> Self {
        let text = std::fs::read_to_string(folder.join(fingerprint.file_name()));
        let read = text.ok().and_then(|text| serde_json::from_str::<Self>(&text).ok());
        let own = |costs: &Self| {
            costs.format == FORMAT
                && costs.fingerprint == fingerprint
                && costs.tfhe.iter().all(TfheCosts::is_valid)
                && costs.ring.iter().all(RingCosts::is_valid)
        };
        read.filter(own).unwrap_or_else(|| Self::new(fingerprint))
    }

    /// Writes the costs to a folder, which is made if it is missing. Readers see the old file or
    /// the new one, never a part of it.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let text = serde_json::to_string_pretty(self)? + "\n";
        whole_file::write(&folder.join(self.fingerprint.file_name()), text.as_bytes())
    }
}

/// Returns the folder of the user's caches: `$XDG_CACHE_HOME/fathom`, or `~/.cache/fathom`; `None`
/// if the environment names neither.
pub fn folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = || Some(PathBuf::from(variable("HOME")?).join(".cache"));
    let caches = variable("XDG_CACHE_HOME").map(PathBuf::from).or_else(home)?;
    Some(caches.join("fathom"))
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the numbers are exact in binary")]
mod tests {
    use super::*;
    use crate::planner::prediction::tests::costs;
    use fathom_workloads::RingOperation;

    #[test]
    fn costs_come_back_and_what_is_not_theirs_is_measured_again() {
        let folder = std::env::temp_dir().join(format!("fathom-costs-{}", std::process::id()));
        let here = Fingerprint::here();
        let empty = UnitCosts::read(&folder, here.clone());
        assert!(empty.tfhe.is_empty());
        let mut known = empty.clone();
        known.insert_tfhe(costs(1));
        known.insert_tfhe(costs(2));
        known.insert_tfhe(TfheCosts { keygen_ns: 5.0, ..costs(2) });
        assert_eq!(known.tfhe.len(), 2);
        let ring = |level, time| RingCosts {
            params: "ring".into(),
            threads: 2,
            measured: String::new(),
            operations: [(RingCosts::key(RingOperation::Mul, level), time)].into(),
            join_ns: 1.0,
            keygen_ns: 1.0,
            keys_ns: 1.0,
            encrypt_ns: 1.0,
            load_ns: 1.0,
            answer_ns: 1.0,
            decrypt_ns: 1.0,
            ciphertext_bytes: 1,
            process_bytes: 1,
        };
        for costs in [ring(1, 5.0), ring(2, 6.0), ring(2, 7.0)] {
            known.insert_ring(costs);
        }
        let found =
            [1, 2, 3].map(|level| known.ring("ring", 2)?.time_ns(RingOperation::Mul, level));
        assert_eq!(found, [Some(5.0), Some(7.0), None]);
        assert!(known.ring("ring", 1).is_none());
        known.write(&folder).unwrap();
        assert_eq!(UnitCosts::read(&folder, here.clone()), known);
        assert_eq!(known.tfhe("test", 2).unwrap().keygen_ns, 5.0);
        assert!(known.tfhe("test", 3).is_none() && known.tfhe("other", 2).is_none());

        let other = Fingerprint { cores: here.cores + 1, ..here.clone() };
        assert!(UnitCosts::read(&folder, other.clone()).tfhe.is_empty());
        // A file under the name of another machine.
        std::fs::copy(folder.join(here.file_name()), folder.join(other.file_name())).unwrap();
        assert!(UnitCosts::read(&folder, other).tfhe.is_empty());
        let path = folder.join(here.file_name());
        let text = std::fs::read_to_string(&path).unwrap();
        let damaged = [
            String::new(),
            text[..text.len() / 2].to_owned(),
            text.replace("\"format\": 3", "\"format\": 2"),
            text.replace("\"keygen_ns\": 5.0", "\"keygen_ns\": -5.0"),
        ];
        for text in damaged {
            std::fs::write(&path, text).unwrap();
            assert!(UnitCosts::read(&folder, here.clone()).tfhe.is_empty());
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
