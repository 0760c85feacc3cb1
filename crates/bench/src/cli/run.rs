//! `fathom run`: computes a whole program on encrypted data and verifies its result.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clap::{Args, ValueEnum};
use fathom_cases::machine::processors;
use fathom_cases::record::{Case, Status};
use fathom_drivers::process::Launch;
use indicatif::ProgressBar;

use super::applications::{PeersWanted, STEP_TIME, contestants, predictions};
use super::outcome::{Exit, Failure, Outcome};
use super::shared::{DriverArgs, Interrupt, check_build, steady, style};
use super::values::{duration, threads};
use crate::applications::{self, ApplicationCase, Contestant, Effort, Wanted};
use crate::measure::runner::{Observer, Runner};
use crate::report::table::Table;
use crate::report::terminal::applications as text;
use crate::report::terminal::factors;
use crate::report::terminal::table::{self, Style};

/// Arguments of `fathom run`.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// The program; a list of all if absent
    workload: Option<String>,
    /// The function, for programs that have several (default: the first)
    #[arg(long)]
    variant: Option<String>,
    /// The size of the task
    #[arg(long, default_value = "tiny")]
    size: String,
    /// The scheme: `all`, a name, or `auto` for the one that `fathom plan` chooses
    #[arg(long, default_value = "auto")]
    scheme: String,
    /// Threads of the server (default: all processors)
    #[arg(long, value_name = "COUNT", value_parser = threads)]
    threads: Option<usize>,
    /// Number of seeds: each gives other inputs, which are computed and verified
    #[arg(long, value_name = "COUNT", default_value_t = 3, value_parser = seeds)]
    seeds: u64,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Time for computations beyond one of each seed
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    budget: Duration,
    /// Peer libraries to run the same program on: `none`, `all`, or names
    #[arg(long, value_delimiter = ',', default_value = "none")]
    peers: Vec<String>,
    /// Folder of the peers (default: `peers` in this folder or the nearest one above)
    #[arg(long, value_name = "DIR")]
    peers_folder: Option<PathBuf>,
    /// Format of the output on stdout
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Run even though this is a debug build, whose times are meaningless
    #[arg(long)]
    allow_debug: bool,
    #[command(flatten)]
    driver: DriverArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    Text,
    /// The records, one JSON object per line
    Json,
}

pub(super) fn run(args: &RunArgs) -> Outcome {
    let Some(name) = &args.workload else {
        list();
        return Ok(Exit::Ok);
    };
    check_build(args.allow_debug)?;
    let ended = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&ended);
    let interrupt = Interrupt::watch(move || kept(counted.load(Ordering::SeqCst)))?;
    let stop = Arc::clone(&interrupt.stop);
    let launch = Launch { reply_time: STEP_TIME, ..args.driver.launch()? };
    let peers =
        PeersWanted { driver: &args.driver, peers: &args.peers, folder: &args.peers_folder };
    let contestants = contestants(peers, &launch, &stop)?;
    let mut cases = cases(args, name, &contestants)?;
    let mut predictions = predictions(&cases, &stop);
    if args.scheme == "auto" {
        predictions.retain_choices(&mut cases);
    }
    let effort = Effort {
        seeds: (0..args.seeds).map(|index| args.seed.wrapping_add(index)).collect(),
        computations: 30,
        time: args.budget,
        least: 1,
    };
    let mut shown = Shown { format: args.format, bar: steady(), cases: Vec::new(), ended };
    let predict = |case: &ApplicationCase| predictions.renewed(case);
    let mut runner = Runner::new(&mut shown, &stop);
    applications::run(&cases, &launch, &effort, predict, &mut runner);
    let stopped = interrupt.is_over();
    let count = shown.cases.len();
    let exit = shown.conclude();
    if stopped {
        eprintln!("\n{}", kept(count));
    }
    Ok(if stopped && exit == Exit::Ok { Exit::Check } else { exit })
}

/// Describes the output of an interrupted command.
fn kept(ended: usize) -> String {
    let what = match ended {
        0 => "no program had ended, so there is no result".to_owned(),
        1 => "the result of 1 program is on stdout".to_owned(),
        ended => format!("the results of {ended} programs are on stdout"),
    };
    format!("stopped: {what}; nothing of the program that was running is kept")
}

/// Prints the programs with their variants and sizes.
fn list() {
    let mut table = Table::new("", &["program", "variants", "sizes", "schemes", "what"]);
    for workload in fathom_workloads::all() {
        let spec = workload.spec();
        let mut schemes: Vec<_> =
            workload.implementations().iter().map(|program| program.scheme()).collect();
        schemes.dedup();
        let variants: Vec<_> = spec.variants.iter().map(|variant| &*variant.name).collect();
        let sizes: Vec<_> = spec.sizes.iter().map(|size| &*size.name).collect();
        let [variants, sizes, schemes] = [variants, sizes, schemes].map(|names| names.join(", "));
        table.push_texts([spec.name.clone(), variants, sizes, schemes, spec.summary.clone()]);
    }
    println!("{}", table::draw(&table, style()));
    println!("fathom run PROGRAM --variant V --size S --scheme all");
}

/// Returns the cases of the task: every implementation of the scheme, or of all under `auto`.
fn cases(
    args: &RunArgs,
    name: &str,
    contestants: &[Contestant],
) -> Result<Vec<ApplicationCase>, Failure> {
    let named = |scheme: &&String| !["auto", "all"].contains(&scheme.as_str());
    let mut wanted = Wanted {
        workload: name.into(),
        variants: args.variant.iter().cloned().collect(),
        sizes: vec![args.size.clone()],
        schemes: Some(&args.scheme).filter(named).cloned().into_iter().collect(),
        threads: vec![args.threads.unwrap_or_else(processors)],
        seeds: None,
    };
    if wanted.variants.is_empty()
        && let Some(workload) = fathom_workloads::find(name)
    {
        wanted.variants.extend(workload.spec().variants.first().map(|first| first.name.clone()));
    }
    let cases = applications::choose(&wanted, contestants).map_err(Failure::usage)?;
    if cases.is_empty() {
        let text = format!("no library has {name} on {}; see `fathom run`", args.scheme);
        return Err(Failure::usage(text));
    }
    Ok(cases)
}

/// Prints each case when it is finished.
struct Shown {
    format: Format,
    bar: ProgressBar,
    cases: Vec<Case>,
    /// The number of cases, for the handler of Ctrl-C.
    ended: Arc<AtomicUsize>,
}

impl Observer for Shown {
    fn round(&mut self, id: &str) {
        self.bar.set_message(id.to_owned());
    }

    fn finished(&mut self, case: &Case) {
        let line = match self.format {
            Format::Text => text::block(case),
            Format::Json => serde_json::to_string(case).unwrap_or_default(),
        };
        self.bar.suspend(|| println!("{line}"));
        self.cases.push(case.clone());
        self.ended.store(self.cases.len(), Ordering::SeqCst);
    }
}

impl Shown {
    fn conclude(self) -> Exit {
        let Self { format, bar, cases, .. } = self;
        bar.finish_and_clear();
        if format == Format::Text
            && cases.len() > 1
            && let Some(table) = text::programs(&cases, Style::Plain)
        {
            println!("\n{table}");
            if let Some(factors) = factors::factors(&cases, Style::Plain) {
                println!("\n{factors}");
            }
        }
        let any = |status: Status| cases.iter().any(|case| case.verify.status == status);
        if any(Status::Wrong) {
            Exit::Wrong
        } else if !any(Status::Ok) {
            Exit::Nothing
        } else if any(Status::Failed) {
            Exit::Check
        } else {
            Exit::Ok
        }
    }
}

fn seeds(text: &str) -> Result<u64, String> {
    let count = text.parse().ok().filter(|count| (1..=1000).contains(count));
    count.ok_or_else(|| "a number of seeds from 1 to 1000".into())
}
