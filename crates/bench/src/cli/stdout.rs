//! Stdout and stderr that may be closed or full: a line that cannot be written never ends a
//! command, whose work may be worth more than the line.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};
use std::sync::{Mutex, PoisonError};

use super::Exit;

/// Why stdout took no more: a process has one stdout, and every command writes to it.
static FAILED: Mutex<Option<io::Error>> = Mutex::new(None);

/// Stands for `std::println!`, which panics where stdout is closed.
macro_rules! println {
    ($($part:tt)*) => { $crate::cli::stdout::line(format_args!($($part)*)) };
}

/// Stands for `std::eprintln!`, which panics where stderr is closed.
macro_rules! eprintln {
    ($($part:tt)*) => { $crate::cli::stdout::remark(format_args!($($part)*)) };
}

/// Writes a line to stdout; after the first failure nothing more.
pub(super) fn line(text: Arguments<'_>) {
    let mut failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner);
    if failed.is_none() {
        *failed = writeln!(io::stdout().lock(), "{text}").err();
    }
}

/// Writes a line to stderr, if it takes one.
pub(super) fn remark(text: Arguments<'_>) {
    // There is nowhere left to complain.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// The exit code of a command whose work ended with `exit`: a reader who has seen enough changes
/// nothing, a full disk fails what would be fine.
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
