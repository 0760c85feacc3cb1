//! `fathom bench --dry-run`: lists what would run, and how long it would take. Nothing is computed:
//! times are shares of the budget, those of earlier runs on this machine, and those that peers
//! state of their keys.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use fathom_cases::machine::Machine;
use fathom_cases::pace::{Expected, MakesKeys};
use fathom_cases::record::{Phases, latest_phases};
use fathom_drivers::engine::Engine;
use fathom_drivers::process::Launch;

use super::applications;
use super::bench_args::{BenchArgs, Format};
use super::choice::{Choice, floor_time};
use super::contest;
use super::outcome::Failure;
use super::shared::{RESULTS, style};
use crate::applications::{ApplicationCase, Contestant, Effort};
use crate::plan::order;
use crate::report::table::Table;
use crate::report::terminal::table::{self, Style};

/// A line of the list.
struct Line {
    id: String,
    time: Expected,
    meaning: String,
}

/// Prints the id of every case and program with its time, and the sum.
pub(super) fn dry_run(args: &BenchArgs, choice: &Choice) -> Result<(), Failure> {
    let lines = lines(args, choice);
    match args.format {
        Format::Json => {
            for Line { id, time, .. } in &lines {
                let [most, about] =
                    columns(*time).map(|time| time.map(|time| time.as_nanos() as u64));
                println!(
                    "{}",
                    serde_json::json!({ "id": id, "at_most_ns": most, "about_ns": about })
                );
            }
        }
        Format::Csv => {
            println!("id,at_most_s,about_s");
            for Line { id, time, .. } in &lines {
                let seconds = |time: Duration| format!("{:.2}", time.as_secs_f64());
                let [most, about] =
                    columns(*time).map(|time| time.map(seconds).unwrap_or_default());
                println!("{id},{most},{about}");
            }
        }
        Format::Table | Format::Md => {
            let style = if args.format == Format::Md { Style::Markdown } else { style() };
            let mut table = Table::new("", &["case", "time", "what"]);
            for Line { id, time, meaning } in &lines {
                table.push_texts([id, &words(*time), meaning]);
            }
            println!("{}", table::draw(&table, style));
        }
    }
    total(args, choice, &lines)
}

/// Returns the bound and the estimate, of which a time is one.
fn columns(time: Expected) -> [Option<Duration>; 2] {
    match time {
        Expected::AtMost(time) => [Some(time), None],
        Expected::About(time) => [None, Some(time)],
        Expected::Unknown => [None, None],
    }
}

fn words(time: Expected) -> String {
    let said = |time: Duration| table::duration(time.as_nanos().try_into().unwrap_or(u64::MAX));
    match time {
        Expected::AtMost(time) => format!("at most {}", said(time)),
        Expected::About(time) => format!("about {}", said(time)),
        Expected::Unknown => "unknown".into(),
    }
}

/// Prints how long the run takes, with the peers that are asked for.
fn total(args: &BenchArgs, choice: &Choice, lines: &[Line]) -> Result<(), Failure> {
    let folder = args.peers_folder.as_deref();
    let peers = if choice.cases.is_empty() && choice.applications.is_empty() {
        Vec::new()
    } else {
        contest::chosen(&args.driver, &args.peers, folder)?
    };
    let beside = if choice.cases.is_empty() { 0 } else { peers.len() };
    let mut total: Duration = lines.iter().filter_map(|line| line.time.time()).sum();
    if !choice.cases.is_empty() {
        total += floor_time(choice.budget);
    }
    // A budget of the user is for all libraries together.
    if args.budget.is_none() {
        total += choice.budget * beside as u32;
    }
    let with = if beside > 0 { format!(" with {beside} peers") } else { String::new() };
    eprintln!("{} cases, about {} s in all{with}: an estimate", lines.len(), total.as_secs());
    let unknown = lines.iter().filter(|line| line.time == Expected::Unknown).count();
    if unknown > 0 {
        eprintln!(
            "of these, {unknown} have no known time and are not counted: whole programs have one \
             after a run on this machine whose results are in {RESULTS}/, and `fathom plan` \
             predicts each; bootstrappings of peers have one in `peer.toml`"
        );
    }
    if !choice.applications.is_empty() {
        let programs = peers.iter().filter(|peer| !peer.manifest.programs.is_empty());
        for peer in programs {
            eprintln!("{}: its whole programs run too and are not counted", peer.manifest.name);
        }
    }
    Ok(())
}

fn lines(args: &BenchArgs, choice: &Choice) -> Vec<Line> {
    let times = order::estimate(&choice.cases, choice.budget);
    let cases = choice.cases.iter().zip(times).map(|(case, time)| Line {
        id: case.id("fathom"),
        time: Expected::AtMost(time),
        meaning: case.op.meaning().to_owned(),
    });
    let share = args.programs.share(&choice.programs, choice.programs_budget);
    let mut sets = HashSet::new();
    let programs = choice.programs.iter().map(|program| {
        let is_first = sets.insert((&program.library.name, program.scheme, &program.params));
        let makes_keys = if is_first { MakesKeys::Yes } else { MakesKeys::No };
        Line {
            id: program.id(),
            time: program.pace.expected(share, makes_keys),
            meaning: program.meaning.clone(),
        }
    });
    cases.chain(programs).chain(whole_programs(args, choice)).collect()
}

/// Returns the whole programs of the engine, with the times of their latest runs here. The planner
/// could predict them, but it simulates each, and measures unit costs under real keys.
fn whole_programs(args: &BenchArgs, choice: &Choice) -> Vec<Line> {
    if choice.applications.is_empty() {
        return Vec::new();
    }
    let engine = Contestant::local(&Engine, Launch::engine(""));
    let cases = applications::cases(&choice.applications, &[engine], &choice.selection);
    let cases = cases.unwrap_or_default();
    let known = latest_phases(Path::new(RESULTS), &Machine::here().cpu);
    let effort = args.programs.effort(args.seed);
    let line = |case: &ApplicationCase| Line {
        id: case.id(),
        time: known
            .get(&case.id())
            .map_or(Expected::Unknown, |phases| Expected::About(time(phases, case, &effort))),
        meaning: case.method.clone(),
    };
    cases.iter().map(line).collect()
}

/// Returns the time of a case: its keys once, each seed from encryption to decryption, and more
/// computations while their time lasts.
fn time(phases: &Phases, case: &ApplicationCase, effort: &Effort) -> Duration {
    let seeds = effort.seeds.len().min(case.seeds.unwrap_or(usize::MAX)).max(1) as u64;
    let compute_ns = phases.compute_warm_ns;
    let more = (effort.computations as u64).saturating_sub(seeds).saturating_mul(compute_ns);
    let more = more.min(effort.time.as_nanos().try_into().unwrap_or(u64::MAX));
    // A program that takes longer than the time for more is not repeated.
    let more = if compute_ns > more { 0 } else { more };
    let keys = phases.keygen_ns + phases.keys_ns;
    Duration::from_nanos(keys + seeds * phases.request_ns() + more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::applications::{Wanted, choose};

    #[test]
    fn a_program_takes_its_keys_its_seeds_and_what_its_time_allows() {
        let engine = Contestant::local(&Engine, Launch::engine(""));
        let wanted = Wanted {
            workload: "transfer".into(),
            sizes: vec!["tiny".into()],
            threads: vec![1],
            ..Wanted::default()
        };
        let mut case = choose(&wanted, &[engine]).unwrap().remove(0);
        let phases = Phases {
            keygen_ns: 1_000_000_000,
            keys_ns: 500_000_000,
            encrypt_ns: 10_000_000,
            compute_warm_ns: 2_000_000_000,
            decrypt_ns: 1_000_000,
            ..Phases::default()
        };
        let effort = Effort {
            seeds: vec![1, 2, 3],
            computations: 30,
            time: Duration::from_secs(1),
            least: 1,
        };
        assert_eq!(time(&phases, &case, &effort), Duration::from_millis(1500 + 3 * 2011));
        case.seeds = Some(1);
        assert_eq!(time(&phases, &case, &effort), Duration::from_millis(1500 + 2011));
        let short = Phases { compute_warm_ns: 1_000_000, ..phases };
        assert_eq!(time(&short, &case, &effort), Duration::from_millis(1500 + 12 + 29));
    }
}
