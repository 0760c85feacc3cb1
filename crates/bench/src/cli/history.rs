//! `fathom history`: the medians of each case over the runs of this machine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use regex::Regex;

use super::outcome::{Exit, Failure, Outcome};
use super::shared::style;
use crate::measure::machine::Machine;
use crate::record::{self, Case, Context, Status};
use crate::report::terminal::table::{self, duration};

#[derive(Debug, Args)]
pub(super) struct HistoryArgs {
    /// Folder whose subfolders hold the results of runs
    #[arg(default_value = "results")]
    folder: PathBuf,
    /// Show only cases whose id matches
    #[arg(long, value_name = "REGEX")]
    filter: Option<Regex>,
    /// Show the runs of every machine, not only of this one
    #[arg(long)]
    all_machines: bool,
}

/// The verified medians of a case in nanoseconds, by the start of the run.
type Medians = BTreeMap<String, u64>;

pub(super) fn run(args: &HistoryArgs) -> Outcome {
    let own = Machine::here().cpu;
    let mut history: BTreeMap<String, Medians> = BTreeMap::new();
    let mut runs = 0;
    for file in files(&args.folder)? {
        let text = super::shared::text_of(&file)?;
        let (Some(context), cases) =
            record::read(&text).map_err(|e| Failure::usage(format!("{}: {e}", file.display())))?
        else {
            continue;
        };
        if args.all_machines || context.machine.cpu == own {
            runs += 1;
            add(&mut history, &context, &cases);
        }
    }
    history.retain(|id, _| args.filter.as_ref().is_none_or(|filter| filter.is_match(id)));
    if history.is_empty() {
        let folder = args.folder.display();
        let text = format!("{folder} holds no verified result of this machine: `fathom bench`");
        return Err(Failure::nothing(text));
    }
    let header = ["case", "runs", "first", "last", "last / first", "fastest"];
    let mut table = table::empty(style(), &header);
    for (id, medians) in &history {
        table.add_row(row(id, medians));
    }
    println!("{table}\n{} cases in {runs} runs.", history.len());
    Ok(Exit::Ok)
}

/// Returns the result files in the folder and in its subfolders, in the order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(folder)
        .map_err(|e| Failure::usage(format!("{}: {e}", folder.display())))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path().join("results.jsonl"))
        .chain([folder.join("results.jsonl")])
        .filter(|file| file.is_file())
        .collect();
    files.sort();
    Ok(files)
}

fn add(history: &mut BTreeMap<String, Medians>, context: &Context, cases: &[Case]) {
    for case in cases.iter().filter(|case| case.verify.status == Status::Ok) {
        if let Some(time) = &case.time_ns {
            let medians = history.entry(case.id.clone()).or_default();
            medians.insert(context.started.clone(), time.median);
        }
    }
}

fn row(id: &str, medians: &Medians) -> [String; 6] {
    let times: Vec<u64> = medians.values().copied().collect();
    let [first, last] = [times.first(), times.last()].map(|time| time.copied().unwrap_or(0));
    let change = if first > 0 { last as f64 / first as f64 } else { 1.0 };
    let least = times.iter().copied().min().unwrap_or(0);
    [
        id.to_owned(),
        times.len().to_string(),
        duration(first),
        duration(last),
        format!("{change:.3}"),
        duration(least),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_compares_the_last_run_with_the_first() {
        let medians = [("2026-11-21", 500), ("2026-11-20", 1000), ("2026-11-22", 2000)];
        let medians = medians.map(|(date, ns)| (date.to_owned(), ns)).into_iter().collect();
        let [id, runs, first, last, change, fastest] = row("x", &medians);
        assert_eq!([&*id, &*runs, &*first, &*last], ["x", "3", "1.00 us", "2.00 us"]);
        assert_eq!([&*change, &*fastest], ["2.000", "500 ns"]);
    }
}
