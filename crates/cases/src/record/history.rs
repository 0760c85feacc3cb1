//! The medians of each case over the runs of a machine.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::application::Phases;
use super::case::{Case, Context, Status};
use super::stored::Stored;

/// The start of a run, in the order of time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunStart {
    /// RFC 3339, UTC, so that the order of the texts is that of time.
    pub started: String,
    /// Identifier that distinguishes runs of one second.
    pub run_id: String,
}

impl From<&Context> for RunStart {
    fn from(context: &Context) -> Self {
        Self { started: context.started.clone(), run_id: context.run_id.clone() }
    }
}

/// The verified medians of a case in nanoseconds, by the start of the run.
pub type Medians = BTreeMap<RunStart, u64>;

/// The verified medians of every case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    medians: BTreeMap<String, Medians>,
    runs: BTreeSet<RunStart>,
}

impl History {
    /// Reads the result files of a folder and of its subfolders, of the processor `cpu` only if it
    /// is given. What cannot be read is left out and passed to `warn`.
    ///
    /// # Errors
    /// The folder, if it cannot be listed, with the reason.
    pub fn read(
        folder: &Path,
        cpu: Option<&str>,
        mut warn: impl FnMut(&str),
    ) -> Result<Self, String> {
        let mut history = Self::default();
        for file in files(folder)? {
            let stored = match Stored::read(&file) {
                Ok(stored) => stored,
                Err(error) => {
                    warn(&format!("{}: left out: {error}", file.display()));
                    continue;
                }
            };
            for warning in stored.warnings(&file) {
                warn(&warning);
            }
            match &stored.context {
                Some(context) if cpu.is_none_or(|cpu| context.machine.cpu == cpu) => {
                    history.add_run(context, &stored.cases);
                }
                None if !stored.cases.is_empty() => {
                    let file = file.display();
                    warn(&format!("{file}: left out: the line that names its machine is missing"));
                }
                Some(_) | None => {}
            }
        }
        Ok(history)
    }

    /// Adds the verified medians of a run; nothing changes if it is known.
    pub fn add_run(&mut self, context: &Context, cases: &[Case]) {
        let run = RunStart::from(context);
        self.runs.insert(run.clone());
        for case in cases.iter().filter(|case| case.verify.status == Status::Ok) {
            if let Some(time) = &case.time_ns {
                self.add(&case.id, run.clone(), time.median);
            }
        }
    }

    /// Adds the median of a case in a run.
    pub fn add(&mut self, id: &str, run: RunStart, median_ns: u64) {
        self.medians.entry(id.into()).or_default().insert(run, median_ns);
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

/// Returns the phases of every whole program in its latest verified run on the processor `cpu`, by
/// its id. What cannot be read is left out: an estimate does without it.
pub fn latest_phases(folder: &Path, cpu: &str) -> BTreeMap<String, Phases> {
    let mut latest: BTreeMap<String, (RunStart, Phases)> = BTreeMap::new();
    for content in
        files(folder).unwrap_or_default().iter().filter_map(|file| std::fs::read(file).ok())
    {
        // Of other cases, which have many samples, no line is parsed.
        let is_read = |line: &&[u8]| {
            let text = std::str::from_utf8(line).unwrap_or_default();
            text.contains("\"kind\":\"context\"") || text.contains("\"application\":{")
        };
        let lines: Vec<&[u8]> = content.split(|byte| *byte == b'\n').filter(is_read).collect();
        let Stored { context, cases, .. } = Stored::of(&lines.join(&b'\n'));
        let Some(context) = context.filter(|context| context.machine.cpu == cpu) else { continue };
        let run = RunStart::from(&context);
        let verified = cases.into_iter().filter(|case| case.verify.status == Status::Ok);
        for Case { id, application, .. } in verified {
            let Some(phases) = application.map(|application| application.phases) else { continue };
            if latest.get(&id).is_none_or(|(known, _)| *known < run) {
                latest.insert(id, (run.clone(), phases));
            }
        }
    }
    latest.into_iter().map(|(id, (_, phases))| (id, phases)).collect()
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
