//! Errors of workloads.

/// An error of a workload.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The library refused an operation.
    #[error(transparent)]
    Library(#[from] fathom::Error),
    /// A workload has no such variant or size, or a size no such number.
    #[error("{workload} has no {kind} {name:?}; choose one of {known}")]
    Unknown {
        /// Name of the workload.
        workload: String,
        /// `variant`, `size` or `number of its shape`.
        kind: &'static str,
        /// The name asked for.
        name: String,
        /// The names that exist, separated by commas.
        known: String,
    },
    /// An implementation does not compute this task.
    #[error("{scheme} does not compute this task: {reason}")]
    Unsupported {
        /// The scheme of the implementation.
        scheme: &'static str,
        /// The limit that the task exceeds, with the numbers.
        reason: String,
    },
    /// A column is missing, has another type, or a value outside its range.
    #[error("column {column:?} {problem}")]
    Column {
        /// Name of the column.
        column: String,
        /// The reason why it is refused, after the name of the column.
        problem: String,
    },
    /// The threads of a server could not be started.
    #[error("the threads of the server could not be started: {0}")]
    Threads(String),
    /// A message between the roles is malformed.
    #[error("malformed message: {0}")]
    Message(String),
    /// A role was asked for a step whose precondition is missing.
    #[error("{0} first")]
    Order(&'static str),
    /// The result is not the one that the specification defines.
    #[error("wrong result in column {column:?}, position {index}: expected {expected}, got {got}")]
    Wrong {
        /// Name of the column.
        column: String,
        /// Position in the column.
        index: usize,
        /// The value of the specification.
        expected: String,
        /// The value that was decrypted.
        got: String,
    },
}

impl Error {
    /// Returns the error of a column.
    pub(crate) fn column(column: &str, problem: impl Into<String>) -> Self {
        Self::Column { column: column.into(), problem: problem.into() }
    }
}
