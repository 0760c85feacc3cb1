//! Reasons why no report could be made.

/// Reason why no report could be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A line is not the JSON of a context or a case; lines count from 1.
    #[error("line {line} is not a result line: {source}")]
    Json {
        /// Number of the line.
        line: usize,
        /// Error of the parser.
        source: serde_json::Error,
    },
    /// The file follows another schema; lines count from 1.
    #[error("line {line} names the schema {found:?}, this report reads \"fathom.result/1\"")]
    Schema {
        /// Number of the context line.
        line: usize,
        /// The schema it names; empty if none.
        found: String,
    },
    /// There is no case to show.
    #[error("the input holds no case; run a suite first")]
    NoCases,
    /// The template could not be rendered.
    #[error("the page could not be written: {0}")]
    Page(#[from] askama::Error),
}
