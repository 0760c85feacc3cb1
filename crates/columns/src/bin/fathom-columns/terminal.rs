//! Output of the command: an answer on stdout, remarks and progress on stderr, and an exit code.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use indicatif::ProgressBar;

/// A failure: the text for stderr and the exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    code: u8,
    text: String,
}

/// Outcome of a command: the text for stdout.
pub(crate) type Outcome = Result<String, Failure>;

impl Failure {
    /// The command cannot be carried out as given.
    pub(crate) fn usage(text: impl Display) -> Self {
        Self { code: 2, text: text.to_string() }
    }

    /// The machine did not let the command do its work.
    pub(crate) fn nothing(text: impl Display) -> Self {
        Self { code: 4, text: text.to_string() }
    }
}

/// Standard output, which takes an answer piece by piece until it fails.
#[derive(Debug, Default)]
pub(crate) struct Stdout {
    failed: Option<io::Error>,
}

impl Stdout {
    /// Writes bytes; after the first failure, writes nothing more.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        if self.failed.is_none() {
            self.failed = io::stdout().lock().write_all(bytes).err();
        }
    }

    /// Ends the answer. A reader that closed the pipe is no failure; any other error is, because a
    /// part of the answer is lost.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self.failed.or_else(|| io::stdout().lock().flush().err()) {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure {
                code: 1,
                text: format!("stdout takes no more: {error}; make room and run it again"),
            }),
            _ => Ok(()),
        }
    }
}

/// Prints an outcome and returns the exit code.
pub(crate) fn conclude(outcome: Outcome) -> ExitCode {
    let printed = outcome.and_then(|text| {
        let mut stdout = Stdout::default();
        stdout.write(text.as_bytes());
        stdout.finish()
    });
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { code, text }) => {
            remark(format_args!("fathom-columns: {text}"));
            ExitCode::from(code)
        }
    }
}

/// Writes a line to stderr and ignores a failure: there is no other channel to report it on.
pub(crate) fn remark(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Returns a bar on stderr for `count` steps, which is hidden where stderr is no terminal.
pub(crate) fn bar(count: usize) -> ProgressBar {
    ProgressBar::new(count as u64)
}

/// Reads a number of threads.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=fathom::MAX_THREADS).contains(count));
    count.ok_or_else(|| format!("a number of threads from 1 to {}", fathom::MAX_THREADS))
}
