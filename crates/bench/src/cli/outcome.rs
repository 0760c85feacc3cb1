//! Exit codes of commands.

use std::fmt::Display;

/// Outcome of a command; the number is the exit code of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The command succeeded.
    Ok = 0,
    /// The command found a regression, a doubtful figure, or a case that failed.
    Check = 1,
    /// The command cannot be carried out as given.
    Usage = 2,
    /// A result was wrong.
    Wrong = 3,
    /// No case ran.
    Nothing = 4,
    /// Two runs have no case in common.
    Incomparable = 5,
}

/// A failure: the text for stderr and the exit code.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) exit: Exit,
    pub(super) text: String,
}

pub(super) type Outcome = Result<Exit, Failure>;

impl Failure {
    pub(super) fn usage(text: impl Display) -> Self {
        Self { exit: Exit::Usage, text: text.to_string() }
    }

    pub(super) fn nothing(text: impl Display) -> Self {
        Self { exit: Exit::Nothing, text: text.to_string() }
    }
}
