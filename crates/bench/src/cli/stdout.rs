//! Output that tolerates a closed or full stdout or stderr: a line that cannot be written does not
//! abort a command.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};
use std::sync::{Mutex, PoisonError};

use super::outcome::Exit;

/// The first error of writing to stdout: a process has one stdout, and every command writes to it.
static FAILED: Mutex<Option<io::Error>> = Mutex::new(None);

/// Replaces `std::println!`, which panics if stdout is closed.
macro_rules! println {
    ($($part:tt)*) => { $crate::cli::stdout::line(format_args!($($part)*)) };
}

/// Replaces `std::eprintln!`, which panics if stderr is closed.
macro_rules! eprintln {
    ($($part:tt)*) => { $crate::cli::stdout::remark(format_args!($($part)*)) };
}

/// Writes a line to stdout; after the first failure, writes nothing more.
pub(super) fn line(text: Arguments<'_>) {
    let mut failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner);
    if failed.is_none() {
        *failed = writeln!(io::stdout().lock(), "{text}").err();
    }
}

/// Writes bytes to stdout; after the first failure, writes nothing more.
pub(super) fn bytes(bytes: &[u8]) {
    let mut failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner);
    if failed.is_none() {
        *failed = io::stdout().lock().write_all(bytes).err();
    }
}

/// Writes a line to stderr and ignores a failure.
pub(super) fn remark(text: Arguments<'_>) {
    // There is no other channel on which to report the error.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Returns the exit code of a command whose work ended with `exit`: a closed pipe does not change
/// it, any other write error turns success into [`Exit::Check`].
pub(super) fn conclude(exit: Exit) -> Exit {
    let flushed = io::stdout().lock().flush().err();
    let failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner).take().or(flushed);
    match failed {
        None => exit,
        Some(error) if error.kind() == ErrorKind::BrokenPipe => exit,
        Some(error) => {
            eprintln!(
                "fathom: stdout takes no more: {error}; what is missing there was not written \
                 anywhere else but to result files: make room and run the command again"
            );
            if exit == Exit::Ok { Exit::Check } else { exit }
        }
    }
}
