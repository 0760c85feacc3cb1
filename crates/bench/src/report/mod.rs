//! The HTML report: a single file that works offline and can be printed.
//!
//! [`render`] reads result lines, gives every case its labels and rank (`catalog`), and builds
//! the sections that have data (`sections`). Charts are Vega-Lite specs made here as JSON; the
//! page in `assets/` only draws, filters and sorts. Every chart has its numbers as a plain table,
//! so the page holds the same information without scripts.
//!
//! Ranking rules: a case is ranked if it was measured (not derived or imported), verified by
//! decryption, sampled more than once, and has at least 128 bits of security. All other cases are
//! shown and marked, but not ranked.

mod catalog;
mod chart;
mod format;
mod input;
mod page;
mod sections;
mod table;
#[cfg(test)]
mod tests;

use catalog::Catalog;

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

/// Renders the report of one or more result files, given as their concatenated text.
///
/// The input is JSON lines of the schema `fathom.result/1`: a `context` line, then its `case`
/// lines, once for every run. Unknown fields and kinds are ignored. The result is a complete
/// HTML document of about 1 MB that refers to nothing outside itself.
///
/// # Errors
/// [`ReportError::Json`] and [`ReportError::Schema`] name the line at fault;
/// [`ReportError::NoCases`] if there is no case to show.
pub fn render(jsonl: &str) -> Result<String, ReportError> {
    let catalog = Catalog::new(input::read(jsonl)?);
    page::render(&catalog, jsonl)
}
