//! Progress on stderr during a run, and the record of its cases.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::measure::run::Observer;
use crate::record::{Case, Status};
use crate::report::output::ResultFiles;

/// Returns a bar for `count` steps, on a terminal.
pub(super) fn bar(count: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(count as u64), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// Writes each finished case to the files and shows a bar.
pub(super) struct Keeper {
    files: ResultFiles,
    bar: ProgressBar,
    /// All finished cases so far.
    cases: Vec<Case>,
    /// Number of cases, counted from the first, that are in the files.
    saved: usize,
    /// The error that kept the next case out of the files.
    failure: Option<std::io::Error>,
}

/// The files that a run leaves.
pub(super) struct Kept {
    pub(super) files: ResultFiles,
    pub(super) cases: Vec<Case>,
    /// Number of cases that the files lack, and the error.
    pub(super) unsaved: Option<(usize, std::io::Error)>,
}

impl Keeper {
    pub(super) fn new(files: ResultFiles, count: usize) -> Self {
        let bar = bar(count);
        Self { files, bar, cases: Vec::new(), saved: 0, failure: None }
    }

    /// Removes the progress bar and tries once more to save the remaining cases.
    pub(super) fn into_kept(mut self) -> Kept {
        self.bar.finish_and_clear();
        self.save();
        let missing = self.cases.len() - self.saved;
        let unsaved = self.failure.map(|error| (missing, error));
        Kept { files: self.files, cases: self.cases, unsaved }
    }

    /// Writes the cases that the files lack, in order; a disk that was full may have room again.
    fn save(&mut self) {
        let full_before = self.failure.take().is_some();
        while let Some(case) = self.cases.get(self.saved) {
            if let Err(error) = self.files.add(case) {
                if !full_before {
                    let text = format!("{}: not saved yet: {error}", case.id);
                    self.bar.suspend(|| eprintln!("{text}"));
                }
                self.failure = Some(error);
                return;
            }
            self.saved += 1;
        }
    }
}

impl Observer for Keeper {
    fn round(&mut self, id: &str) {
        self.bar.set_message(id.to_owned());
    }

    fn finished(&mut self, case: &Case) {
        self.bar.inc(1);
        let surprising = !case.verify.expected && case.verify.status != Status::Unsupported;
        if surprising {
            let is_right = case.verify.status == Status::Ok;
            let remark = if is_right { "a refusal was expected" } else { "the result was wrong" };
            let reason = case.verify.reason.as_deref().unwrap_or(remark);
            let text = format!("{}: {}: {reason}", case.id, case.verify.status.word());
            self.bar.suspend(|| eprintln!("{text}"));
        }
        self.cases.push(case.clone());
        self.save();
    }
}
