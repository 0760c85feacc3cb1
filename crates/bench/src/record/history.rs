//! The medians of each case over the runs of a machine.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::case::{Case, Context, Status, read};

/// The verified medians of a case in nanoseconds, by the start of the run (RFC 3339, UTC, so that
/// the order of the texts is that of time).
pub type Medians = BTreeMap<String, u64>;

/// The verified medians of every case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    medians: BTreeMap<String, Medians>,
    runs: BTreeSet<String>,
}

impl History {
    /// Reads the result files of a folder and of its subfolders, of the processor `cpu` only if it
    /// is given.
    ///
    /// # Errors
    /// The path that cannot be read, with the reason.
    pub fn read(folder: &Path, cpu: Option<&str>) -> Result<Self, String> {
        let mut history = Self::default();
        for file in files(folder)? {
            let unreadable = |why: String| format!("{}: {why}", file.display());
            let text = std::fs::read_to_string(&file).map_err(|e| unreadable(e.to_string()))?;
            if let (Some(context), cases) = read(&text).map_err(unreadable)?
                && cpu.is_none_or(|cpu| context.machine.cpu == cpu)
            {
                history.add_run(&context, &cases);
            }
        }
        Ok(history)
    }

    /// Adds the verified medians of a run; nothing changes if it is known.
    pub fn add_run(&mut self, context: &Context, cases: &[Case]) {
        self.runs.insert(context.started.clone());
        for case in cases.iter().filter(|case| case.verify.status == Status::Ok) {
            if let Some(time) = &case.time_ns {
                self.add(&case.id, &context.started, time.median);
            }
        }
    }

    /// Adds the median of a case in the run that began at `started`.
    pub fn add(&mut self, id: &str, started: &str, median_ns: u64) {
        self.medians.entry(id.into()).or_default().insert(started.into(), median_ns);
    }

    /// Keeps the cases whose id passes a test.
    pub fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        self.medians.retain(|id, _| keep(id));
    }

    /// Returns the number of runs added.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// Iterates over the cases in the order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Medians)> {
        self.medians.iter().map(|(id, medians)| (id.as_str(), medians))
    }
}

/// Returns the result files in the folder and in its subfolders, in the order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path().join("results.jsonl"))
        .chain([folder.join("results.jsonl")])
        .filter(|file| file.is_file())
        .collect();
    files.sort();
    Ok(files)
}
