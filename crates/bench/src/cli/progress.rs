//! What a person sees on stderr while a run goes on, and what is kept of it.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::ResultFiles;
use crate::plan_run::Observer;
use crate::record::{Case, Status};

/// Writes each finished case to the files and shows a bar.
pub(super) struct Keeper {
    files: ResultFiles,
    bar: ProgressBar,
    /// All cases so far.
    pub(super) cases: Vec<Case>,
    /// The first failure to write, if any.
    pub(super) failure: Option<std::io::Error>,
}

impl Keeper {
    pub(super) fn new(files: ResultFiles, count: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(count as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { files, bar, cases: Vec::new(), failure: None }
    }

    pub(super) fn into_parts(self) -> (ResultFiles, Vec<Case>, Option<std::io::Error>) {
        self.bar.finish_and_clear();
        (self.files, self.cases, self.failure)
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
            let reason = case.verify.reason.as_deref().unwrap_or("the result was wrong");
            let text = format!("{}: {}: {reason}", case.id, case.verify.status.word());
            self.bar.suspend(|| eprintln!("{text}"));
        }
        if let Err(error) = self.files.add(case) {
            self.failure.get_or_insert(error);
        }
        self.cases.push(case.clone());
    }
}
