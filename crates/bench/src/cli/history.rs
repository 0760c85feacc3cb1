//! `fathom history`: the medians of each case over the runs of this machine.

use std::path::PathBuf;

use clap::Args;
use fathom_cases::machine::Machine;
use fathom_cases::record::{History, Medians};
use regex::Regex;

use super::earlier;
use super::outcome::{Exit, Failure, Outcome};
use super::shared::{style, warn};
use crate::report::table::Table;
use crate::report::terminal::table::{draw, duration};

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

pub(super) fn run(args: &HistoryArgs) -> Outcome {
    let own = Machine::here().cpu;
    let cpu = (!args.all_machines).then_some(own.as_str());
    let mut history = History::read(&args.folder, cpu, warn).map_err(Failure::usage)?;
    let filter = args.filter.as_ref().map(earlier::filter);
    history.retain(|id| filter.as_ref().is_none_or(|filter| filter.is_match(id)));
    if history.iter().len() == 0 {
        let folder = args.folder.display();
        let text = format!("{folder} holds no verified result of this machine: `fathom bench`");
        return Err(Failure::nothing(text));
    }
    let header = ["case", "runs", "first", "last", "last / first", "fastest"];
    let mut table = Table::new("", &header);
    for (id, medians) in history.iter() {
        table.push_texts(row(id, medians));
    }
    println!(
        "{}\n{} cases in {} runs.",
        draw(&table, style()),
        history.iter().len(),
        history.runs()
    );
    Ok(Exit::Ok)
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
    use fathom_cases::record::RunStart;

    #[test]
    fn a_row_compares_the_last_run_with_the_first() {
        let run = |date: &str| RunStart { started: date.into(), run_id: date.into() };
        let medians = [("2026-11-21", 500), ("2026-11-20", 1000), ("2026-11-22", 2000)];
        let medians = medians.map(|(date, ns)| (run(date), ns)).into_iter().collect();
        let [id, runs, first, last, change, fastest] = row("x", &medians);
        assert_eq!([&*id, &*runs, &*first, &*last], ["x", "3", "1.00 us", "2.00 us"]);
        assert_eq!([&*change, &*fastest], ["2.000", "500 ns"]);
    }
}
