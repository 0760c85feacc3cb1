//! `fathom bench --dry-run`: lists what would run, and how long it would take.

use std::time::Duration;

use super::applications::{self, predictions};
use super::bench_args::{BenchArgs, Format};
use super::choice::{Choice, floor_time};
use super::contest;
use super::outcome::Failure;
use super::shared::style;
use crate::applications::{ApplicationCase, Contestant, Effort};
use crate::drivers::engine::Engine;
use crate::drivers::process::Launch;
use crate::plan::order;
use crate::record::Predicted;
use crate::report::terminal::table::{self, Style};

/// A line of the list.
struct Line {
    id: String,
    /// The share of the budget that it may use, or the time that the planner predicts; `None` if
    /// there is no prediction.
    time: Option<Duration>,
    meaning: String,
}

/// Prints the id of every case and program with its time, and the sum.
pub(super) fn dry_run(args: &BenchArgs, choice: &Choice) -> Result<(), Failure> {
    let lines = lines(args, choice);
    match args.format {
        Format::Json => {
            for Line { id, time, .. } in &lines {
                let nanoseconds = time.map(|time| time.as_nanos() as u64);
                println!("{}", serde_json::json!({ "id": id, "at_most_ns": nanoseconds }));
            }
        }
        Format::Csv => {
            println!("id,at_most_s");
            for Line { id, time, .. } in &lines {
                let seconds = time.map(|time| format!("{:.2}", time.as_secs_f64()));
                println!("{id},{}", seconds.unwrap_or_default());
            }
        }
        Format::Table | Format::Md => {
            let style = if args.format == Format::Md { Style::Markdown } else { style() };
            let mut table = table::empty(style, &["case", "at most", "what"]);
            for Line { id, time, meaning } in &lines {
                let time = time.map(|time| table::duration(time.as_nanos() as u64));
                table.add_row([id, &time.unwrap_or_else(|| "unknown".into()), meaning]);
            }
            println!("{table}");
        }
    }
    total(args, choice, &lines)
}

/// Prints how long the run takes, with the peers that are asked for.
fn total(args: &BenchArgs, choice: &Choice, lines: &[Line]) -> Result<(), Failure> {
    let folder = args.peers_folder.as_deref();
    let peers = if choice.cases.is_empty() {
        0
    } else {
        contest::chosen(&args.driver, &args.peers, folder)?.len()
    };
    let mut total: Duration = lines.iter().filter_map(|line| line.time).sum();
    if !choice.cases.is_empty() {
        total += floor_time(choice.budget);
    }
    // A budget of the user is for all libraries together.
    if args.budget.is_none() {
        total += choice.budget * peers as u32;
    }
    let beside = if peers > 0 { format!(" with {peers} peers") } else { String::new() };
    eprintln!("{} cases, about {} s in all{beside}", lines.len(), total.as_secs());
    let unknown = lines.iter().filter(|line| line.time.is_none()).count();
    if unknown > 0 {
        eprintln!("of these, {unknown} whole programs have no predicted time and are not counted");
    }
    Ok(())
}

fn lines(args: &BenchArgs, choice: &Choice) -> Vec<Line> {
    let times = order::estimate(&choice.cases, choice.budget);
    let cases = choice.cases.iter().zip(times).map(|(case, time)| Line {
        id: case.id("fathom"),
        time: Some(time),
        meaning: case.op.meaning().to_owned(),
    });
    let share = args.programs.share(&choice.programs, choice.programs_budget);
    let programs = choice.programs.iter().map(|program| Line {
        id: program.id(),
        time: Some(share),
        meaning: program.meaning.clone(),
    });
    cases.chain(programs).chain(whole_programs(args, choice)).collect()
}

/// Returns the whole programs of the engine, with the times that the planner predicts: unit costs
/// that it lacks are measured once and kept.
fn whole_programs(args: &BenchArgs, choice: &Choice) -> Vec<Line> {
    let engine = Contestant::local(&Engine, Launch::engine(""));
    let cases = applications::cases(&choice.applications, &[engine], &choice.selection);
    let cases = cases.unwrap_or_default();
    let predictions = predictions(&cases);
    let effort = args.programs.effort(args.seed);
    let line = |case: &ApplicationCase| Line {
        id: case.id(),
        time: predictions.get(case).map(|predicted| time(&predicted, case, &effort)),
        meaning: case.method.clone(),
    };
    cases.iter().map(line).collect()
}

/// Returns the time of a case: its keys once, each seed from encryption to decryption, and more
/// computations while their time lasts.
fn time(predicted: &Predicted, case: &ApplicationCase, effort: &Effort) -> Duration {
    let seeds = effort.seeds.len().min(case.seeds.unwrap_or(usize::MAX)).max(1) as u64;
    let Predicted { keygen_ns, keys_ns, encrypt_ns, compute_ns, decrypt_ns, .. } = *predicted;
    let each = encrypt_ns + compute_ns + decrypt_ns;
    let more = (effort.computations as u64).saturating_sub(seeds).saturating_mul(compute_ns);
    let more = more.min(effort.time.as_nanos().try_into().unwrap_or(u64::MAX));
    // A program that takes longer than the time for more is not repeated.
    let more = if compute_ns > more { 0 } else { more };
    Duration::from_nanos(keygen_ns + keys_ns + seeds * each + more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::applications::{Wanted, choose};

    #[test]
    fn a_program_is_predicted_with_its_keys_its_seeds_and_what_its_time_allows() {
        let engine = Contestant::local(&Engine, Launch::engine(""));
        let wanted = Wanted {
            workload: "transfer".into(),
            sizes: vec!["tiny".into()],
            threads: vec![1],
            ..Wanted::default()
        };
        let mut case = choose(&wanted, &[engine]).unwrap().remove(0);
        let predicted = Predicted {
            keygen_ns: 1_000_000_000,
            keys_ns: 500_000_000,
            encrypt_ns: 10_000_000,
            compute_ns: 2_000_000_000,
            decrypt_ns: 1_000_000,
            ..Predicted::default()
        };
        let effort =
            Effort { seeds: vec![1, 2, 3], computations: 30, time: Duration::from_secs(1) };
        assert_eq!(time(&predicted, &case, &effort), Duration::from_millis(1500 + 3 * 2011));
        case.seeds = Some(1);
        assert_eq!(time(&predicted, &case, &effort), Duration::from_millis(1500 + 2011));
        let short = Predicted { compute_ns: 1_000_000, ..predicted };
        assert_eq!(time(&short, &case, &effort), Duration::from_millis(1500 + 12 + 29));
    }
}
