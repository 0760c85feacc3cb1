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

pub mod all_csv;
mod catalog;
mod chart;
mod error;
pub mod export;
pub(crate) use crate::format;
pub mod import;
mod input;
pub mod output;
mod page;
#[cfg(feature = "parquet")]
mod parquet;
mod questions;
mod sections;
pub(crate) mod table;
pub mod terminal;
#[cfg(test)]
mod tests;

use catalog::Catalog;
use fathom_cases::record::earlier;

pub use catalog::Extras;
pub use error::ReportError;

/// The bytes that every report starts with: a report replaces no other file.
pub(crate) const PAGE_START: &[u8] = b"<!doctype html>";

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
    render_with(jsonl, Extras::default())
}

/// Renders a report with more than its results; see [`render`].
///
/// # Errors
/// Those of [`render`].
pub fn render_with(jsonl: &str, extras: Extras) -> Result<String, ReportError> {
    let jsonl = earlier::present_lines(jsonl);
    page::render(&catalog(&jsonl, extras)?, &jsonl)
}

/// Reads the lines of a report.
fn catalog(jsonl: &str, extras: Extras) -> Result<Catalog, ReportError> {
    Ok(Catalog { extras, ..Catalog::new(input::read(jsonl)?) })
}
