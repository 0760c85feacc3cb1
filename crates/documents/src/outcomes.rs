//! The outcomes of a run of a published document: `outcomes.csv` of `fathom reproduce`.

use super::beside::{Beside, Outcome};
use super::table::Row;

/// Header of `outcomes.csv`.
pub const HEADER: &str = "document,line,claim,outcome,case,why";

/// One row of `outcomes.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// Number of the document.
    pub document: String,
    /// Line of the document's table.
    pub line: usize,
    /// Name of the row.
    pub claim: String,
    /// The outcome for the figure.
    pub outcome: Outcome,
    /// The case beside it; empty if there is none.
    pub case: String,
    /// The reason why the outcome is not `verified`, or a remark.
    pub why: String,
}

/// Returns the row of `outcomes.csv` of a claim.
pub fn line(document: &str, beside: &Beside<'_>) -> String {
    let case = beside.case.map_or("", |case| case.id.as_str());
    let why = beside.why.replace(['\n', ','], ";");
    let Row { line, .. } = beside.row;
    format!("{document},{line},{},{},{case},{why}", beside.row.name(), beside.outcome.word())
}

/// Reads `outcomes.csv`.
///
/// # Errors
/// The number of the first line that is not such a row.
pub fn read(csv: &str) -> Result<Vec<Recorded>, String> {
    let rows = csv.lines().enumerate().filter(|(_, line)| !line.is_empty() && *line != HEADER);
    rows.filter(|(_, line)| !line.starts_with('#'))
        .map(|(number, text)| {
            let fields: Vec<&str> = text.splitn(6, ',').collect();
            let wrong = || format!("line {} is no row of {HEADER}", number + 1);
            let [document, line, claim, outcome, case, why] = fields[..] else {
                return Err(wrong());
            };
            Ok(Recorded {
                document: document.into(),
                line: line.parse().map_err(|_| wrong())?,
                claim: claim.into(),
                outcome: Outcome::parse(outcome).ok_or_else(wrong)?,
                case: case.into(),
                why: why.into(),
            })
        })
        .collect()
}

/// Describes how many of the outcomes are of each kind: `40 verified, 3 refused`.
pub fn counts(outcomes: impl IntoIterator<Item = Outcome>) -> String {
    let outcomes: Vec<Outcome> = outcomes.into_iter().collect();
    let parts = Outcome::ALL.iter().filter_map(|kind| {
        let number = outcomes.iter().filter(|outcome| *outcome == kind).count();
        (number > 0).then(|| format!("{number} {}", kind.word()))
    });
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { "none".into() } else { parts.join(", ") }
}
