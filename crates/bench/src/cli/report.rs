//! `fathom report`: makes one HTML page from result files.

use std::path::{Path, PathBuf};

use clap::Args;
use fathom_base::whole_file::{Replaces, WholeFile};
use fathom_cases::record::{History, Stored, stored};

use super::outcome::{Exit, Failure, Outcome};
use super::shared::{unreadable, warn};
use crate::report::output::Shown;
use crate::report::{Extras, PAGE_START, render_with};

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
    for path in &args.files {
        // A folder without records is a damaged run; a name that nothing has is a mistake.
        std::fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    }
    let files: Vec<PathBuf> = args.files.iter().map(|path| in_folder(path)).collect();
    let text = shown(&files)?;
    let page = WholeFile::replace(&args.output, Replaces::Starting(PAGE_START));
    let page = page.map_err(Failure::usage)?;
    let history = match &args.history {
        Some(folder) => history(folder, &files)?,
        None => History::default(),
    };
    let extras = Extras { price_per_hour: args.price, history };
    let rendered = render_with(&text, extras).map_err(|e| {
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        Failure::usage(format!("{}: {e}", names.join(", ")))
    })?;
    page.write_whole(rendered.as_bytes()).map_err(Failure::usage)?;
    println!("{}", args.output.display());
    Ok(Exit::Ok)
}

/// Returns the lines of the files that the page shows. A damaged line is left out with a warning,
/// and so is a file without a readable line if another has cases.
fn shown(files: &[PathBuf]) -> Result<String, Failure> {
    let (mut text, mut cases, mut failures) = (String::new(), 0, Vec::new());
    for file in files {
        let content = match std::fs::read(file) {
            Ok(content) => content,
            Err(error) => {
                failures.push(unreadable(file, &error));
                continue;
            }
        };
        match Shown::of(&content) {
            Ok(shown) if shown.cases == 0 && !shown.damaged.is_empty() => {
                let (file, first) = (file.display(), &shown.damaged[0]);
                failures.push(Failure::usage(format!("{file}: {first}")));
            }
            Ok(shown) => {
                let Shown { damaged, renamed, .. } = &shown;
                for warning in stored::warnings(file, damaged, shown.cases, *renamed) {
                    warn(&warning);
                }
                cases += shown.cases;
                text.push_str(&shown.text);
            }
            Err(error) => {
                failures.push(Failure::usage(format!("{}: {error}", file.display())));
            }
        }
    }
    if cases == 0 && !failures.is_empty() {
        return Err(failures.swap_remove(0));
    }
    for failure in failures {
        warn(&format!("left out: {}", failure.text));
    }
    Ok(text)
}

/// Returns the runs in the folder on the processor of the first of the result files, and those of
/// the files themselves.
fn history(folder: &Path, files: &[PathBuf]) -> Result<History, Failure> {
    // What cannot be read of these files has been said.
    let read = files.iter().filter_map(|file| Stored::read(file).ok());
    let runs: Vec<_> = read.filter_map(|run| Some((run.context?, run.cases))).collect();
    let cpu = runs.first().map(|(context, _)| context.machine.cpu.clone());
    let mut history = History::read(folder, cpu.as_deref(), warn).map_err(Failure::usage)?;
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
