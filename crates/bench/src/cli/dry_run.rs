//! `fathom bench --dry-run`: lists what would run.

use std::time::Duration;

use super::applications;
use super::bench_args::{BenchArgs, Format};
use super::choice::Choice;
use super::shared::style;
use crate::applications::Contestant;
use crate::drivers::engine::Engine;
use crate::drivers::process::Launch;
use crate::plan::order;
use crate::report::terminal::table::{self, Style};

/// A line of the list: id, longest time, and description.
type Line = (String, Duration, String);

/// Prints the id of every case and program with the largest share of the time that it may use.
pub(super) fn dry_run(args: &BenchArgs, choice: &Choice) {
    let lines = lines(choice);
    match args.format {
        Format::Json => {
            for (id, time, _) in &lines {
                let line = serde_json::json!({ "id": id, "at_most_ns": time.as_nanos() as u64 });
                println!("{line}");
            }
        }
        Format::Csv => {
            println!("id,at_most_s");
            for (id, time, _) in &lines {
                println!("{id},{:.2}", time.as_secs_f64());
            }
        }
        Format::Table | Format::Md => {
            let style = if args.format == Format::Md { Style::Markdown } else { style() };
            let mut table = table::empty(style, &["case", "at most", "what"]);
            for (id, time, meaning) in &lines {
                table.add_row([id, &table::duration(time.as_nanos() as u64), meaning]);
            }
            println!("{table}");
        }
    }
    let total = choice.budget + choice.programs_budget;
    eprintln!("{} cases, about {} s in all", lines.len(), total.as_secs());
}

fn lines(choice: &Choice) -> Vec<Line> {
    let times = order::estimate(&choice.cases, choice.budget);
    let cases = choice.cases.iter().zip(times);
    let cases = cases.map(|(case, time)| (case.id("fathom"), time, case.op.meaning().to_owned()));
    let share = choice.programs_budget / (choice.programs.len().max(1) as u32);
    let programs = choice.programs.iter();
    let programs = programs.map(|program| (program.id(), share, program.meaning.clone()));
    cases.chain(programs).chain(applications(choice)).collect()
}

/// Returns the whole programs of the engine; their time depends on the machine (`fathom plan`).
fn applications(choice: &Choice) -> Vec<Line> {
    let engine = Contestant::local(&Engine, Launch::engine(""));
    let cases = applications::cases(&choice.applications, &[engine], &choice.selection);
    let cases = cases.unwrap_or_default().into_iter();
    cases.map(|case| (case.id(), Duration::ZERO, case.method.clone())).collect()
}
