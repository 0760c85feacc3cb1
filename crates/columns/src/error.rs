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
        /// The name of the column.
        column: String,
        /// The fault, and what to write instead.
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
        /// The operation that was asked for.
        operation: &'static str,
        /// The name of the column.
        column: String,
        /// The reason, and what to do instead.
        reason: String,
    },
    /// The layout in which a column is stored does not serve an operation, and another one does.
    #[error(
        "{operation} of column {column:?} needs it stored with the use `{needed}`: {price:.1} \
         bytes a row instead of {present:.1}{alternative}"
    )]
    MissingUse {
        /// The operation that was asked for.
        operation: &'static str,
        /// The name of the column.
        column: String,
        /// The use to add to the column in the schema.
        needed: Use,
        /// The column takes as many bytes a row with this use.
        price: f64,
        /// The column takes as many bytes a row as it is stored.
        present: f64,
        /// Another remedy; empty if there is none.
        alternative: String,
    },
    /// A query compares encrypted values, and the server has no evaluation keys of the table.
    #[error(
        "comparisons of the encrypted column {column:?} need the evaluation keys of the table: the \
         owner of the secret key generates them (`fathom-columns keygen --eval FILE`, \
         `TableKey::evaluation_keys`), and the server is given them (`fathom-columns query --eval \
         FILE`, `Server::with_evaluation_keys`)"
    )]
    MissingEvaluationKeys {
        /// The name of the column.
        column: String,
    },
    /// An encrypted predicate takes more products in a row than the parameters have room for.
    #[error(
        "the predicate takes more products in a row than the table has room for: the last one \
         needs {needed_bits:.1} bits of noise budget, and {left_bits:.1} are left; combine fewer \
         encrypted conditions, or ask for them in queries of their own"
    )]
    Depth {
        /// Bits of noise budget that the refused operation needs.
        needed_bits: f64,
        /// Bits of noise budget that the operands have.
        left_bits: f64,
    },
    /// A table has a column of another type than the schema states, or none.
    #[error("column {column:?} is {found}; the schema states {expected}")]
    Type {
        /// The name of the column.
        column: String,
        /// The type that the table has.
        found: String,
        /// The type that the schema states.
        expected: String,
    },
    /// A cell of a text file is no value of its column. The text is not repeated.
    #[error("line {line}, column {column:?}: not {expected}")]
    Cell {
        /// The cell is in this line of the file; the first line has number 1.
        line: u64,
        /// The name of the column.
        column: String,
        /// The value that the column holds.
        expected: String,
    },
    /// A value is outside the range that the schema states. The value is not repeated.
    #[error(
        "row {row}, column {column:?}: the value is outside the declared range {low} to {high}; \
         declare a wider `range`"
    )]
    ValueOutOfRange {
        /// The number of the row, counted from 0.
        row: usize,
        /// The name of the column.
        column: String,
        /// The least value of the range.
        low: String,
        /// The greatest value of the range.
        high: String,
    },
    /// A value is missing in a column that the schema declares without missing values.
    #[error(
        "row {row}, column {column:?}: the value is missing; declare the column `nulls = true`"
    )]
    Null {
        /// The number of the row, counted from 0.
        row: usize,
        /// The name of the column.
        column: String,
    },
    /// There are more groups than an operation can serve.
    #[error("column {column:?} has {count} groups or more; {operation} serves {limit}: {remedy}")]
    Groups {
        /// The name of the column.
        column: String,
        /// A lower bound on the number of groups.
        count: usize,
        /// The name of the operation.
        operation: &'static str,
        /// The number of groups that the operation serves.
        limit: usize,
        /// The remedy.
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
    /// A table was written in another version of its layout.
    #[error(
        "the table has version {found} of the layout, and this library reads version {reads}; \
         encrypt the clear table again, under the same key if you like"
    )]
    Version {
        /// The table has this version.
        found: u32,
        /// The version that is read.
        reads: u32,
    },
    /// A cell of a table is damaged, or it is the cell of another place: another column, block or
    /// table.
    #[error(
        "column {column:?}, block {block}: the cell does not fit its checksum; it is damaged, or \
         belongs to another column, block or table; take the table as it was encrypted"
    )]
    Misplaced {
        /// The column of the encrypted table.
        column: String,
        /// The block has this number; the first one has number 0.
        block: usize,
    },
    /// An object belongs to another secret key or other parameters.
    #[error("{what} belongs to key {found}, but this key is {expected}; take the key of its table")]
    OtherKey {
        /// The object.
        what: &'static str,
        /// The identifier of the key of the object.
        found: String,
        /// The identifier of the key at hand.
        expected: String,
    },
    /// A decrypted total is not possible for as many values of the declared range: the server, or
    /// who sent the table, broke the protocol.
    #[error("the decrypted {total} of column {column:?} exceeds what {count} values can give")]
    ImpossibleTotal {
        /// The quantity: `sum` or `sum of squares`.
        total: &'static str,
        /// The name of the column.
        column: String,
        /// The number of values that the server claims.
        count: u64,
    },
    /// A file cannot be opened, read or written, or is of another kind and not replaced.
    #[error("{path}: {source}")]
    File {
        /// The path of the file.
        path: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// Threads could not be started.
    #[error("{count} threads could not be started: {reason}")]
    Threads {
        /// The number of threads that was asked for.
        count: usize,
        /// The reason that the system gives.
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

#[cfg(feature = "files")]
impl From<fathom_base::whole_file::NotWritten> for Error {
    fn from(error: fathom_base::whole_file::NotWritten) -> Error {
        Error::file(&error.path, error.source)
    }
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
