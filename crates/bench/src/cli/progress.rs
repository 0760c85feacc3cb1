//! Progress on stderr during a run, and the record of its cases.

use std::time::{Duration, Instant};

use console::Term;
use fathom_cases::record::{Case, Status};
use indicatif::{ProgressBar, ProgressStyle};

use super::shared::{draw_target, is_dumb};
use crate::measure::runner::Observer;
use crate::report::output::ResultFiles;

/// Width of the bar on a terminal of the usual width.
const BAR: usize = 30;

/// Time between two lines that stand for the bar.
const BETWEEN_LINES: Duration = Duration::from_mins(1);

/// Columns of the counts and the time, and of a message that says something.
const BESIDE: usize = 50;

/// Returns a bar for `count` steps, on a terminal.
pub(super) fn bar(count: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(count as u64), draw_target());
    let (_, columns) = Term::stderr().size();
    let style = ProgressStyle::with_template(&template(columns.into()));
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// Returns the template of a line that fits `columns`: the bar shrinks, then it is left out.
fn template(columns: usize) -> String {
    let rest = "{pos}/{len} {elapsed} {wide_msg}";
    match columns.saturating_sub(BESIDE).min(BAR) {
        0..5 => rest.to_owned(),
        cells => format!("{{bar:{cells}}} {rest}"),
    }
}

/// The lines that stand for a bar where stderr is no terminal, such as in a log.
struct Lines {
    begin: Instant,
    last: Instant,
}

impl Lines {
    fn new(begin: Instant) -> Self {
        Self { begin, last: begin }
    }

    /// Returns the line of a time, if the last one is long enough ago.
    fn line(&mut self, now: Instant, done: u64, count: u64, id: &str) -> Option<String> {
        (now.duration_since(self.last) >= BETWEEN_LINES).then(|| {
            self.last = now;
            let seconds = now.duration_since(self.begin).as_secs();
            format!("{done} of {count} cases in {} min {} s: {id}", seconds / 60, seconds % 60)
        })
    }
}

/// Writes each finished case to the files and shows a bar, or lines.
pub(super) struct Keeper {
    files: ResultFiles,
    bar: ProgressBar,
    lines: Option<Lines>,
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
        let hidden = is_dumb() || !Term::stderr().is_term();
        let lines = hidden.then(|| Lines::new(Instant::now()));
        Self { files, bar, lines, cases: Vec::new(), saved: 0, failure: None }
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
        let (done, count) = (self.bar.position(), self.bar.length().unwrap_or_default());
        let line = self.lines.as_mut().and_then(|l| l.line(Instant::now(), done, count, id));
        if let Some(line) = line {
            eprintln!("{line}");
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_has_a_line_a_minute() {
        let begin = Instant::now();
        let mut lines = Lines::new(begin);
        let mut after = |seconds| lines.line(begin + Duration::from_secs(seconds), 3, 94, "a/b");
        assert_eq!(after(59), None);
        assert_eq!(after(61).unwrap(), "3 of 94 cases in 1 min 1 s: a/b");
        assert_eq!(after(120), None);
        assert!(after(121).is_some());
    }

    #[test]
    fn a_line_of_progress_fits_the_terminal() {
        for columns in [20, 40, 54, 57, 80, 200] {
            let template = template(columns);
            let cells = template.strip_prefix("{bar:").and_then(|rest| rest.split_once('}'));
            let cells = cells.map_or(0, |(cells, _)| cells.parse::<usize>().unwrap());
            let line = cells + " 1234/4000 59m ".len();
            assert!(line <= columns, "{columns}: {template}");
            assert!(cells <= BAR && (cells == 0 || line + 20 <= columns), "{columns}: {template}");
        }
        assert!(template(80).contains("{bar:30}") && !template(40).contains("bar"));
    }
}
