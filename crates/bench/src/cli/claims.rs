//! `fathom check-claims`: reports doubtful figures in a published table.

use std::path::PathBuf;

use clap::Args;

use super::outcome::{Exit, Failure, Outcome};
use crate::claims::{self, Doubt};

#[derive(Debug, Args)]
pub(super) struct ClaimsArgs {
    /// CSV table with the header scheme,mode,op,mean,stddev,unit,n
    #[arg(value_name = "FILE.csv")]
    file: PathBuf,
}

pub(super) fn run(args: &ClaimsArgs) -> Outcome {
    let name = args.file.display();
    let text = super::shared::text_of(&args.file)?;
    let rows = claims::read(&text).map_err(|e| Failure::usage(format!("{name}: {e}")))?;
    if rows.is_empty() {
        return Err(Failure::nothing(format!("{name}: there is no row under the header")));
    }
    let findings = claims::check(&rows);
    for finding in &findings {
        println!("{:<12} {}", finding.doubt.code(), finding.text());
    }
    let count = |doubt: Doubt| findings.iter().filter(|finding| finding.doubt == doubt).count();
    let counts = Doubt::ALL.map(|doubt| format!("{} {}", count(doubt), doubt.code()));
    println!("{} rows: {}", rows.len(), counts.join(", "));
    Ok(if findings.is_empty() { Exit::Ok } else { Exit::Check })
}
