//! The outcomes of real runs of the published documents, and the page that counts them.
//!
//! `fathom reproduce` writes `outcomes.csv`; those that the page counts are committed in
//! `records/`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::beside::{Beside, Outcome};
use super::coverage;
use super::documents::{self, Document};
use super::table::Row;

/// Header of `outcomes.csv`.
pub const HEADER: &str = "document,line,claim,outcome,case,why";

/// The committed outcomes.
const RECORDED: &str = include_str!("../../../records/documents-2026-11-26.csv");

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

/// Returns the committed outcomes.
pub fn recorded() -> Vec<Recorded> {
    read(RECORDED).expect("a test reads the committed outcomes")
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

/// The beginning of the page.
const INTRODUCTION: &str = "\
# Coverage of the published tables

Five published documents state times and sizes of homomorphic encryption. Their figures come with
the testbed: `fathom check-claims --document 000` examines the first, and `fathom reproduce 000`
runs its rows. This page counts the outcomes of real runs, which are in `records/`:

| outcome | meaning |
|---|---|
| verified | a case with the row's parameters, failure probability and threads was verified |
| stands in | a verified case differs from the row, as the remark says; there is no ratio |
| refused | the operation would exceed the noise limit of the printed parameters |
| unsupported | the engine lacks the operation |
| not run | the recorded run left the row out, because it takes hours |
| imported | out of scope: the printed figure alone |

The page is generated from `crates/documents/data/coverage.toml` and the recorded outcomes. A test
compares it with both, and the cases with `fathom bench SUITE --dry-run`. This command writes it:
`FATHOM_WRITE_COVERAGE=1 cargo test -p fathom-bench --test bench_tests coverage`.
";

/// Returns the page `docs/coverage.md`.
pub fn page() -> String {
    let recorded = recorded();
    let mut page = INTRODUCTION.to_owned();
    for document in documents::ALL {
        section(&mut page, &document, &recorded);
    }
    page
}

fn section(page: &mut String, document: &Document, recorded: &[Recorded]) {
    let rows = document.rows();
    let own: BTreeMap<usize, &Recorded> = recorded
        .iter()
        .filter(|row| row.document == document.name)
        .map(|row| (row.line, row))
        .collect();
    let linked = |row: &&Row| coverage::rule(document.name, row).is_some_and(|rule| rule.linked);
    let outcome = |row: &Row| own.get(&row.line).map_or(Outcome::NotRun, |row| row.outcome);
    let total = rows.iter().filter(|row| !linked(row)).count();
    let of_own = rows.iter().filter(|row| !linked(row)).map(outcome);
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        "\n## Document {}: {}\n\n{total} figures: {}.",
        document.name,
        document.title,
        counts(of_own)
    );
    let others = rows.iter().filter(linked).count();
    if others > 0 {
        let _ = write!(page, " The page that it links to has {others} more, all imported.");
    }
    page.push_str(
        "\n\n| rows | figures | lines | outcome | cases | remark |\n|---|---|---|---|---|---|\n",
    );
    let rules: Vec<&coverage::Rule> = rows
        .iter()
        .filter_map(|row| coverage::rule(document.name, row))
        .fold(Vec::new(), |mut rules, rule| {
            if !rules.iter().any(|known| std::ptr::eq(*known, rule)) {
                rules.push(rule);
            }
            rules
        });
    for rule in rules {
        let of_rule = |row: &&Row| {
            coverage::rule(document.name, row).is_some_and(|found| std::ptr::eq(found, rule))
        };
        let rows: Vec<&Row> = rows.iter().filter(of_rule).collect();
        let outcomes = rows.iter().map(|row| outcome(row));
        let _ = writeln!(page, "{}", table_row(rule, &rows, &counts(outcomes)));
    }
}

fn table_row(rule: &coverage::Rule, rows: &[&Row], outcome: &str) -> String {
    let names = few(rows.iter().map(|row| row.name()));
    let lines: std::collections::BTreeSet<u64> = rows.iter().filter_map(|row| row.source).collect();
    let lines = match (lines.first(), lines.last()) {
        (Some(first), Some(last)) if first == last => first.to_string(),
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => String::new(),
    };
    let cases = few(rows
        .iter()
        .flat_map(|row| rule.cases(row))
        .map(|case| coverage::stem(&case).to_owned()));
    let measured = rule.suite.as_ref().map(|suite| format!("`bench {suite}`: {cases}"));
    let others = few(rows.iter().flat_map(|row| rule.stand_ins(row)));
    let others = rule.because.as_ref().map(|why| format!("{others} may stand in: {why}"));
    let parts = [rule.reason.clone(), rule.note.clone(), others];
    let remark = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
    let measured = measured.unwrap_or_default();
    format!("| {names} | {} | {lines} | {outcome} | {measured} | {remark} |", rows.len())
}

/// Lists distinct names, of which only the first and the last if there are many.
fn few(names: impl Iterator<Item = String>) -> String {
    let mut distinct: Vec<String> = Vec::new();
    for name in names.map(|name| format!("`{name}`")) {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    match distinct.as_slice() {
        [first, .., last] if distinct.len() > 6 => {
            format!("{first} to {last} ({})", distinct.len())
        }
        names => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every figure has an outcome of a real run, which its rule allows: what has no case is
    /// imported, and nothing else is; a case beside a figure is one of its rule.
    #[test]
    fn every_figure_has_the_outcome_of_a_run_that_its_rule_allows() {
        let recorded = recorded();
        for document in documents::ALL {
            for row in document.rows() {
                let own = |other: &&Recorded| {
                    (other.document.as_str(), other.line) == (document.name, row.line)
                };
                let Some(found) = recorded.iter().find(own) else {
                    panic!("document {}: no outcome of {}", document.name, row.name())
                };
                assert_eq!(found.claim, row.name(), "line {}", row.line);
                let rule = coverage::rule(document.name, &row).unwrap();
                let imported = found.outcome == Outcome::Imported;
                assert_eq!(imported, rule.reason.is_some(), "{}", row.name());
                let cases = rule.cases(&row).into_iter().chain(rule.stand_ins(&row));
                let stems: Vec<String> =
                    cases.map(|case| format!("fathom/{}", coverage::stem(&case))).collect();
                let case = coverage::stem(&found.case).to_owned();
                assert!(case.is_empty() || stems.contains(&case), "{case} for {stems:?}");
                let plain = found.outcome == Outcome::Verified;
                assert!(plain || !found.why.is_empty(), "{} says no reason", row.name());
            }
        }
    }
}
