//! Measured unit costs in a file of the user, one for each machine.

use std::path::{Path, PathBuf};

use fathom_base::whole_file::{Replaces, WholeFile};
use fathom_cases::machine::{Caches, Machine};
use fathom_cases::record::Tool;
use fathom_drivers::engine::Engine;
use fathom_drivers::library::Library;
use fathom_planner::{Fingerprint, UnitCosts};
use sha3::{Digest, Sha3_256};

/// Returns the fingerprint of this machine and this build.
pub fn here() -> Fingerprint {
    let Machine { cpu, cores, isa, caches: Caches { l1d, l2, l3 }, ram_bytes, .. } =
        Machine::here();
    let caches = [("l1d", l1d), ("l2", l2), ("l3", l3)];
    let caches = caches.into_iter().filter_map(|(name, size)| Some((name.into(), size?))).collect();
    let (engine, tool) = (Library::info(&Engine), Tool::this());
    let build = format!("{} {}, {}", engine.version, tool.profile, engine.build);
    Fingerprint { cpu, cores, isa, caches, ram_bytes, isa_used: engine.isa_used, engine: build }
}

/// Returns the name of the file of a fingerprint.
fn file_name(fingerprint: &Fingerprint) -> String {
    let text = serde_json::to_string(fingerprint).expect("text and numbers are valid JSON");
    let hash = Sha3_256::digest(text.as_bytes());
    let number = hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
    format!("unit-costs-{number:016x}.json")
}

/// Reads the costs of a machine from a folder. A file that is missing, damaged, of another version
/// or of another machine has no costs.
pub fn read(folder: &Path, fingerprint: Fingerprint) -> UnitCosts {
    let text = std::fs::read_to_string(folder.join(file_name(&fingerprint)));
    let read = text.ok().and_then(|text| UnitCosts::from_json(&text, &fingerprint));
    read.unwrap_or_else(|| UnitCosts::new(fingerprint))
}

/// Writes costs to a folder, which is made if it is missing. Readers see the old file or the new
/// one, never a part of it.
///
/// # Errors
/// Those of the file system.
pub fn write(costs: &UnitCosts, folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join(file_name(&costs.fingerprint));
    Ok(WholeFile::replace(&path, Replaces::Text)?.write_whole(costs.to_json().as_bytes())?)
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
    use fathom_planner::samples::costs;
    use fathom_planner::{RingCosts, RingOperation, TfheCosts};

    #[test]
    fn costs_come_back_and_what_is_not_theirs_is_measured_again() {
        let folder = std::env::temp_dir().join(format!("fathom-costs-{}", std::process::id()));
        let here = here();
        let empty = read(&folder, here.clone());
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
            bootstrapping: None,
        };
        for costs in [ring(1, 5.0), ring(2, 6.0), ring(2, 7.0)] {
            known.insert_ring(costs);
        }
        let found =
            [1, 2, 3].map(|level| known.ring("ring", 2)?.time_ns(RingOperation::Mul, level));
        assert_eq!(found, [Some(5.0), Some(7.0), None]);
        assert!(known.ring("ring", 1).is_none());
        write(&known, &folder).unwrap();
        assert_eq!(read(&folder, here.clone()), known);
        assert_eq!(known.tfhe("test", 2).unwrap().keygen_ns, 5.0);
        assert!(known.tfhe("test", 3).is_none() && known.tfhe("other", 2).is_none());

        let other = Fingerprint { cores: here.cores + 1, ..here.clone() };
        assert!(read(&folder, other.clone()).tfhe.is_empty());
        // A file under the name of another machine.
        std::fs::copy(folder.join(file_name(&here)), folder.join(file_name(&other))).unwrap();
        assert!(read(&folder, other).tfhe.is_empty());
        let path = folder.join(file_name(&here));
        let text = std::fs::read_to_string(&path).unwrap();
        let damaged = [
            String::new(),
            text[..text.len() / 2].to_owned(),
            text.replace("\"format\": 4", "\"format\": 3"),
            text.replace("\"keygen_ns\": 5.0", "\"keygen_ns\": -5.0"),
        ];
        for text in damaged {
            std::fs::write(&path, text).unwrap();
            assert!(read(&folder, here.clone()).tfhe.is_empty());
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
