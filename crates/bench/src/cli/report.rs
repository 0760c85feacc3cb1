//! `fathom report`: makes one HTML page from result files.

use std::path::PathBuf;

use clap::Args;

use super::outcome::{Exit, Failure, Outcome};
use crate::report::output;

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// Result files (results.jsonl), or folders that hold one
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// HTML page to write
    #[arg(short, long, default_value = "report.html")]
    output: PathBuf,
    /// Price of the machine in US dollars an hour; adds the cost of a million operations
    #[arg(long, value_name = "USD", value_parser = price)]
    price: Option<f64>,
}

pub(super) fn run(args: &ReportArgs) -> Outcome {
    let files: Vec<PathBuf> = args.files.iter().map(|path| in_folder(path)).collect();
    for file in &files {
        super::shared::text_of(file)?;
    }
    output::write_report(&files, &args.output, args.price).map_err(|e| {
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        Failure::usage(format!("{} to {}: {e}", names.join(", "), args.output.display()))
    })?;
    println!("{}", args.output.display());
    Ok(Exit::Ok)
}

/// Returns the path itself, or that of the result file in it if the path is a folder.
pub(super) fn in_folder(path: &std::path::Path) -> PathBuf {
    if path.is_dir() { path.join("results.jsonl") } else { path.into() }
}

fn price(text: &str) -> Result<f64, String> {
    let price = text.parse().ok().filter(|price: &f64| price.is_finite() && *price > 0.0);
    price.ok_or_else(|| "a price in US dollars an hour, more than 0".into())
}
