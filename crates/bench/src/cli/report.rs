//! `fathom report`: makes one HTML page from result files.

use std::path::{Path, PathBuf};

use clap::Args;

use super::outcome::{Exit, Failure, Outcome};
use crate::record::{self, History};
use crate::report::{Extras, output};

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
    /// Folder whose subfolders hold earlier results: adds a chart of the times over the runs of the
    /// same processor
    #[arg(long, value_name = "DIR")]
    history: Option<PathBuf>,
}

pub(super) fn run(args: &ReportArgs) -> Outcome {
    let files: Vec<PathBuf> = args.files.iter().map(|path| in_folder(path)).collect();
    for file in &files {
        super::shared::text_of(file)?;
    }
    let history = match &args.history {
        Some(folder) => history(folder, &files)?,
        None => History::default(),
    };
    let extras = Extras { price_per_hour: args.price, history };
    output::write_report(&files, &args.output, extras).map_err(|e| {
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        Failure::usage(format!("{} to {}: {e}", names.join(", "), args.output.display()))
    })?;
    println!("{}", args.output.display());
    Ok(Exit::Ok)
}

/// Returns the runs in the folder on the processor of the first of the result files, and those of
/// the files themselves.
fn history(folder: &Path, files: &[PathBuf]) -> Result<History, Failure> {
    let mut runs = Vec::new();
    for file in files {
        let (context, cases) = record::read(&super::shared::text_of(file)?)
            .map_err(|e| Failure::usage(format!("{}: {e}", file.display())))?;
        runs.extend(context.map(|context| (context, cases)));
    }
    let cpu = runs.first().map(|(context, _)| context.machine.cpu.clone());
    let mut history = History::read(folder, cpu.as_deref()).map_err(Failure::usage)?;
    for (context, cases) in runs.iter().filter(|run| cpu.as_ref() == Some(&run.0.machine.cpu)) {
        history.add_run(context, cases);
    }
    Ok(history)
}

/// Returns the path itself, or that of the result file in it if the path is a folder.
pub(super) fn in_folder(path: &Path) -> PathBuf {
    if path.is_dir() { path.join("results.jsonl") } else { path.into() }
}

fn price(text: &str) -> Result<f64, String> {
    let price = text.parse().ok().filter(|price: &f64| price.is_finite() && *price > 0.0);
    price.ok_or_else(|| "a price in US dollars an hour, more than 0".into())
}
