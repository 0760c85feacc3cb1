//! `fathom check-claims`: reports doubtful figures in a published table.

use std::path::{Path, PathBuf};

use clap::Args;
use fathom_documents::beside::{self, Beside};
use fathom_documents::evidence::Evidence;
use fathom_documents::judged;
use fathom_documents::{Doubt, Finding, Row, documents, outcomes, own};

use super::earlier;
use super::outcome::{Exit, Failure, Outcome};
use super::report::in_folder;
use super::shared::{stored, style, text_of};
use crate::report::table::Table;
use crate::report::terminal::table::draw;

#[derive(Debug, Args)]
pub(super) struct ClaimsArgs {
    /// CSV table with the header scheme,mode,op,mean,stddev,unit,n and, if known, params,line; or
    /// results.jsonl of `fathom bench`
    #[arg(value_name = "FILE.csv", required_unless_present = "document")]
    file: Option<PathBuf>,
    /// A published table that comes with this program: 000 to 004
    #[arg(long, value_name = "NUMBER", conflicts_with = "file")]
    document: Option<String>,
    /// Results of `fathom bench`, shown beside the claims
    #[arg(long, value_name = "RESULTS")]
    beside: Option<PathBuf>,
    /// Print every finding, not only the first few of each kind
    #[arg(long)]
    verbose: bool,
}

/// Number of findings of one kind that are printed without --verbose.
const FEW: usize = 5;

pub(super) fn run(args: &ClaimsArgs) -> Outcome {
    let rows = rows(args)?;
    let findings = fathom_documents::check(&rows);
    for doubt in Doubt::ALL {
        print(doubt, &findings, args.verbose);
    }
    if let Some(results) = &args.beside {
        compare(args, &rows, results)?;
    }
    let count = |doubt: Doubt| findings.iter().filter(|finding| finding.doubt == doubt).count();
    let counts = Doubt::ALL.map(|doubt| (count(doubt), doubt.code()));
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, code)| format!("{count} {code}")).collect();
    let summary = if counts.is_empty() { "no doubt".to_owned() } else { counts.join(", ") };
    println!("{} rows: {summary}", rows.len());
    Ok(if findings.is_empty() { Exit::Ok } else { Exit::Check })
}

/// Reads the table that the arguments name.
fn rows(args: &ClaimsArgs) -> Result<Vec<Row>, Failure> {
    if let Some(name) = &args.document {
        let known = || {
            let all =
                documents::ALL.map(|document| format!("{} ({})", document.name, document.title));
            Failure::usage(format!("there is no document `{name}`; there are {}", all.join(", ")))
        };
        return Ok(documents::find(name).ok_or_else(known)?.rows());
    }
    let file = args.file.as_deref().unwrap_or_else(|| Path::new(""));
    let name = file.display();
    let rows = if file.extension().is_some_and(|extension| extension == "jsonl") {
        own::rows(&stored(file)?.cases)
    } else {
        let text = text_of(file)?;
        earlier::table(&name.to_string(), &text);
        let rows = fathom_documents::read(&text);
        rows.map_err(|error| Failure::usage(format!("{name}: {error}")))?
    };
    if rows.is_empty() {
        return Err(Failure::nothing(format!("{name}: there is no row under the header")));
    }
    Ok(rows)
}

/// Prints the findings of one kind, and what would settle them.
fn print(doubt: Doubt, findings: &[Finding], verbose: bool) {
    let found: Vec<&Finding> = findings.iter().filter(|finding| finding.doubt == doubt).collect();
    let shown = if verbose { found.len() } else { FEW };
    for finding in found.iter().take(shown) {
        println!("{:<16} {}", doubt.code(), finding.text());
    }
    if found.len() > shown {
        println!("{:<16} and {} more; --verbose prints them", "", found.len() - shown);
    }
    if !found.is_empty() {
        println!("{:<16} settled by: {}", "", doubt.settled_by());
    }
}

/// Prints every claim that has a measured counterpart beside it.
fn compare(args: &ClaimsArgs, rows: &[Row], results: &Path) -> Result<(), Failure> {
    let path = in_folder(results);
    let cases = stored(&path)?.cases;
    let columns =
        ["claim", "printed", "measured here", "samples", "ratio", "outcome", "case", "remark"];
    let mut printed = Table::new("", &columns);
    let judged = match &args.document {
        Some(document) => judged::document(document, rows, &Evidence::of(&cases)),
        None => beside::pairs(rows, &cases),
    };
    let shown = |beside: &&Beside<'_>| args.verbose || beside.case.is_some();
    for beside in judged.iter().filter(shown) {
        printed.push_texts(beside.cells());
    }
    println!("{}", draw(&printed, style()));
    println!(
        "{} of {} claims; --verbose prints those that stand alone with the reason. A ratio \
         compares machines too: the printed figures are of the document's.",
        outcomes::counts(judged.iter().map(|beside| beside.outcome)),
        rows.len()
    );
    Ok(())
}
