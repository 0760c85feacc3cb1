//! The one error of the crate.

use crate::Use;

/// The reason why an operation on encrypted columns was refused. It never holds a value of a
/// table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A schema describes no table.
    #[error("schema, column {column:?}: {reason}")]
    Schema {
        /// Name of the column.
        column: String,
        /// What is wrong, and what to write instead.
        reason: String,
    },
    /// A query names a column that the table does not have.
    #[error("there is no column {name:?}; the table has {known}")]
    UnknownColumn {
        /// The name in the query.
        name: String,
        /// The names of all columns.
        known: String,
    },
    /// No layout of a column serves an operation.
    #[error("{operation} is not possible on column {column:?}: {reason}")]
    Unsupported {
        /// The operation.
        operation: &'static str,
        /// Name of the column.
        column: String,
        /// Why, and what to do instead.
        reason: String,
    },
    /// The layout in which a column is stored does not serve an operation, and another one does.
    #[error(
        "{operation} of column {column:?} needs it stored with the use `{needed}`: {price:.1} \
         bytes a row instead of {present:.1}{alternative}"
    )]
    MissingUse {
        /// The operation.
        operation: &'static str,
        /// Name of the column.
        column: String,
        /// The use to add to the column in the schema.
        needed: Use,
        /// Bytes a row with this use.
        price: f64,
        /// Bytes a row as it is stored.
        present: f64,
        /// Another remedy, if there is one.
        alternative: String,
    },
    /// A table has a column of another type than the schema states, or none.
    #[error("column {column:?} is {found}; the schema states {expected}")]
    Type {
        /// Name of the column.
        column: String,
        /// What the table has.
        found: String,
        /// What the schema states.
        expected: String,
    },
    /// A cell of a text file is no value of its column. The text is not repeated.
    #[error("line {line}, column {column:?}: not {expected}")]
    Cell {
        /// Line of the file, from 1.
        line: u64,
        /// Name of the column.
        column: String,
        /// What the column holds.
        expected: String,
    },
    /// A value is outside the range that the schema states. The value is not repeated.
    #[error(
        "row {row}, column {column:?}: the value is outside the declared range {low} to {high}; \
         declare a wider `range`"
    )]
    ValueOutOfRange {
        /// Number of the row, from 0.
        row: usize,
        /// Name of the column.
        column: String,
        /// Least value.
        low: i64,
        /// Greatest value.
        high: i64,
    },
    /// A value is missing in a column that the schema declares without missing values.
    #[error(
        "row {row}, column {column:?}: the value is missing; declare the column `nulls = true`"
    )]
    Null {
        /// Number of the row, from 0.
        row: usize,
        /// Name of the column.
        column: String,
    },
    /// There are more groups than an operation can serve.
    #[error("column {column:?} has {count} groups or more; {operation} serves {limit}: {remedy}")]
    Groups {
        /// Name of the column.
        column: String,
        /// Number of groups that were found.
        count: usize,
        /// Name of the operation.
        operation: &'static str,
        /// The most groups.
        limit: usize,
        /// What to do instead.
        remedy: &'static str,
    },
    /// A file or message is damaged, or was not written by this crate.
    #[error("{what} is malformed: {reason}")]
    Malformed {
        /// The object.
        what: &'static str,
        /// The part that is wrong.
        reason: String,
    },
    /// An object belongs to another secret key or other parameters.
    #[error("{what} belongs to key {found}, but this key is {expected}; take the key of its table")]
    OtherKey {
        /// The object.
        what: &'static str,
        /// Identifier of its key.
        found: String,
        /// Identifier of the key at hand.
        expected: String,
    },
    /// A decrypted total is not possible for as many values of the declared range: the server, or
    /// who sent the table, broke the protocol.
    #[error("the decrypted {total} of column {column:?} exceeds what {count} values can give")]
    ImpossibleTotal {
        /// `sum` or `sum of squares`.
        total: &'static str,
        /// Name of the column.
        column: String,
        /// Number of values that the server claims.
        count: u64,
    },
    /// A file cannot be opened, read or written.
    #[error("{path}: {source}")]
    File {
        /// Path of the file.
        path: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// Threads could not be started.
    #[error("{count} threads could not be started: {reason}")]
    Threads {
        /// Number of threads.
        count: usize,
        /// The reason.
        reason: String,
    },
    /// An error of the library.
    #[error(transparent)]
    Fathom(#[from] fathom::Error),
    /// An error of Arrow.
    #[error(transparent)]
    Arrow(#[from] arrow_schema::ArrowError),
    /// An error of Parquet.
    #[cfg(feature = "files")]
    #[error(transparent)]
    Parquet(#[from] parquet::errors::ParquetError),
    /// An error of a CSV file.
    #[cfg(feature = "files")]
    #[error(transparent)]
    Csv(#[from] csv::Error),
}

impl Error {
    pub(crate) fn malformed(what: &'static str, reason: impl std::fmt::Display) -> Error {
        Error::Malformed { what, reason: reason.to_string() }
    }

    #[cfg(feature = "files")]
    pub(crate) fn file(path: &std::path::Path, source: std::io::Error) -> Error {
        Error::File { path: path.display().to_string(), source }
    }
}
