//! `fathom plan`: predicts a program on this machine and chooses an implementation.

use std::time::Duration;

use clap::{Args, ValueEnum};
use fathom_cases::machine::processors;
use fathom_workloads::{Task, Workload};

use super::outcome::{Exit, Failure, Outcome};
use super::shared::{check_build, engine, steady, style};
use super::values::{bytes, duration, threads};
use crate::planner::{Limits, Measuring, Plan, Planner, Speed};
use crate::report::terminal::plan as text;

/// Arguments of `fathom plan`.
#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    /// The program (`fathom run` lists all)
    workload: String,
    /// The function, for programs that have several (default: the first)
    #[arg(long)]
    variant: Option<String>,
    /// The size of the task
    #[arg(long)]
    size: String,
    /// Longest time of a request, without the keys
    #[arg(long, value_name = "SECONDS", value_parser = duration)]
    max_time: Option<Duration>,
    /// Largest memory of the server (default: that of this machine)
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    max_memory: Option<u64>,
    /// Most bytes that the client sends until the first result, keys included
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    max_upload: Option<u64>,
    /// Threads of the server (default: all processors)
    #[arg(long, value_name = "COUNT", value_parser = threads)]
    threads: Option<usize>,
    /// Measure the unit costs of this machine again
    #[arg(long)]
    measure: bool,
    /// Format of the output on stdout
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Measure even though this is a debug build, whose times are meaningless
    #[arg(long)]
    allow_debug: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    Text,
    /// One JSON object
    Json,
}

pub(super) fn run(args: &PlanArgs) -> Outcome {
    check_build(args.allow_debug)?;
    let (workload, task) = task(args)?;
    let limits = Limits { time: args.max_time, memory: args.max_memory, upload: args.max_upload };
    let threads = args.threads.unwrap_or_else(processors);
    let measuring = if args.measure { Measuring::Again } else { Measuring::Missing };
    let bar = steady();
    let shown = bar.clone();
    let report = move |text: &str| shown.set_message(text.to_owned());
    let mut planner = Planner::new(measuring, report).with_server(engine()?);
    let plan = planner.plan(workload, &task, threads, limits, Speed::Present);
    bar.finish_and_clear();
    warn(&planner);
    let plan = plan.map_err(Failure::usage)?;
    match args.format {
        Format::Text => println!("{}", text::plan(&plan, style())),
        Format::Json => println!("{}", json(&plan)?),
    }
    Ok(if plan.chosen.is_some() { Exit::Ok } else { Exit::Check })
}

/// Says on stderr if the next process has to measure again.
pub(super) fn warn(planner: &Planner) {
    if let Some(reason) = planner.unkept() {
        eprintln!("unit costs could not be kept: {reason}");
    }
}

fn task(args: &PlanArgs) -> Result<(&'static dyn Workload, Task), Failure> {
    let workload = fathom_workloads::find(&args.workload).ok_or_else(|| {
        let names = fathom_workloads::all().iter().map(|workload| workload.spec().name.as_str());
        let names = names.collect::<Vec<_>>().join(", ");
        Failure::usage(format!("there is no program {:?}; choose one of {names}", args.workload))
    })?;
    let spec = workload.spec();
    let first = spec.variants.first().map(|variant| variant.name.as_str());
    let variant = args.variant.as_deref().or(first).unwrap_or_default();
    let task = Task::new(spec, variant, &args.size).map_err(Failure::usage)?;
    Ok((workload, task))
}

fn json(plan: &Plan) -> Result<String, Failure> {
    serde_json::to_string_pretty(plan).map_err(Failure::nothing)
}
