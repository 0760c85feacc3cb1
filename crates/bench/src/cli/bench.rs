//! `fathom bench`: chooses the cases, runs them, writes the result files and prints the table.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use fathom_cases::machine::{self, Machine, Warning};
use fathom_cases::program;
use fathom_cases::record::ratio;
use fathom_cases::record::{Case, Context, History, SCHEMA, Status, Tool};
use fathom_documents::nine65;
use fathom_documents::options::Options;
use fathom_drivers::process::Launch;

use super::applications::{self as programs, PeersWanted};
use super::bench_args::{BenchArgs, Format};
use super::choice::{Choice, admits, choose, floor_time, nothing_left};
use super::contest;
use super::dry_run::dry_run;
use super::effects;
use super::outcome::{Exit, Failure, Outcome};
use super::progress::{Keeper, Kept};
use super::shared::{RESULTS, check_build, stop_on_interrupt, style, warn};
use crate::applications::{self, ApplicationCase, Wanted};
use crate::measure::run;
use crate::measure::runner::Runner;
use crate::measure::self_comparison;
use crate::plan::libraries::{Libraries, Missing};
use crate::plan::order::Plan;
use crate::plan::suite::{CaseSpec, Selection};
use crate::report::all_csv::{AllCsv, CSV_HEADER};
use crate::report::output::{FolderError, ResultFiles};
use crate::report::terminal::ratios::ratios;
use crate::report::terminal::table::{self, Style};
use crate::report::terminal::{self, verdict, verified};
use crate::suites;

/// The measurements of a run.
pub(super) struct Measured<'a> {
    pub(super) context: &'a Context,
    pub(super) options: &'a Options,
    pub(super) cases: &'a [Case],
    pub(super) outcomes: &'a [program::Outcome],
    pub(super) folder: &'a Path,
}

pub(super) fn run(args: &BenchArgs) -> Outcome {
    run_then(args, |_| Ok(()))
}

/// Runs the cases, then hands them to `then` before the command ends.
pub(super) fn run_then(
    args: &BenchArgs,
    then: impl FnOnce(&Measured<'_>) -> Result<(), Failure>,
) -> Outcome {
    let mut choice = choose(args)?;
    effects::check(args, &choice)?;
    let mut launch = args.driver.launch()?;
    if args.driver.reply_time.is_none() {
        launch.reply_time = launch.reply_time.max(choice.reply_time);
    }
    if args.dry_run {
        return list(args, &launch, &mut choice);
    }
    check_build(args.allow_debug)?;
    // What cannot be written is reported before any time is spent on measurements.
    let output = args.programs.output()?;
    let started = machine::rfc3339(SystemTime::now());
    let mut files = result_files(args, &started)?;
    let libraries = libraries(args, &launch, &choice)?;
    let meter = args.programs.meter(&choice.programs, choice.programs_budget, args.seed);
    add_peers(&mut choice, &libraries, &args.suites)?;
    let Choice { cases, programs, applications, selection, options, budget, .. } = choice;
    // Each library gets the time that the engine alone would get, unless --budget sets the total.
    let count = libraries.known().len() as u32;
    let budget = if args.budget.is_some() { budget } else { budget * count };
    name_missing(&libraries.missing(&cases));
    let stop = stop_on_interrupt()?;
    let floor = noise_floor(&launch, &cases, floor_time(budget));
    let context = context(args, started, floor);
    for Warning { code, text, fix } in &context.warnings {
        eprintln!("warning {code}: {text} ({fix})");
    }
    let home = files.folder().to_owned();
    files.begin(&context).map_err(|error| unwritable(&error))?;
    let plan = Plan {
        cases,
        divisions: args.divisions.clone(),
        budget,
        each: None,
        calls: args.programs.iterations(),
        seed: args.seed,
    };
    let count: usize = plan.blocks(&libraries).iter().map(Vec::len).sum();
    let applications = applications_of(args, &launch, &applications, &selection, &stop)?;
    let mut predictions = programs::predictions(&applications, &stop);
    let mut keeper = Keeper::new(files, count + programs.len() + applications.len());
    let mut runner = Runner::new(&mut keeper, &stop);
    run::run(&plan, &libraries, &mut runner);
    let outcomes = suites::run(&programs, || meter.clone(), &mut runner);
    let effort = args.programs.effort(args.seed);
    let predict = |case: &ApplicationCase| predictions.renewed(case);
    applications::run(&applications, &launch, &effort, predict, &mut runner);
    let written = |cases: &[Case]| {
        if let Some(output) = output {
            output.write(&nine65::document(&context, &options, cases, &outcomes))?;
        }
        let (context, options, outcomes, folder) = (&context, &options, &outcomes, &*home);
        then(&Measured { context, options, cases, outcomes, folder })
    };
    let interrupted = stop.load(Ordering::SeqCst);
    finish(args, keeper, &context, interrupted, written)
}

/// Lists what would run. Only a peer's driver can say which sets it bootstraps.
fn list(args: &BenchArgs, launch: &Launch, choice: &mut Choice) -> Outcome {
    if choice.races_bootstraps {
        let libraries = libraries(args, launch, choice)?;
        add_peers(choice, &libraries, &args.suites)?;
    }
    dry_run(args, choice)?;
    Ok(Exit::Ok)
}

/// Starts the engine, and the peers if they have a part in the run.
pub(super) fn libraries(
    args: &BenchArgs,
    launch: &Launch,
    choice: &Choice,
) -> Result<Libraries, Failure> {
    let alone = choice.cases.is_empty() && !choice.races_bootstraps;
    let peers = if alone { &["none".to_owned()][..] } else { &args.peers };
    contest::gather(&args.driver, launch, peers, args.peers_folder.as_deref())
}

/// Puts the bootstrappings of peers, as far as they are wanted, before the programs: after them
/// this process keeps memory that a peer would lack. Refuses a run of nothing.
pub(super) fn add_peers(
    choice: &mut Choice,
    libraries: &Libraries,
    named: &[String],
) -> Result<(), Failure> {
    if choice.races_bootstraps {
        let own = std::mem::take(&mut choice.programs);
        let of_peers = libraries.known().iter().skip(1).flat_map(suites::bootstraps_of);
        let wanted = of_peers.filter(|program| admits(&choice.selection, program));
        choice.programs = wanted.chain(own).collect();
    }
    let Choice { cases, programs, applications, .. } = choice;
    if cases.is_empty() && programs.is_empty() && applications.is_empty() {
        return Err(nothing_left(named));
    }
    Ok(())
}

pub(super) fn name_missing(missing: &[Missing]) {
    for Missing { library, scheme, cases } in missing {
        eprintln!("{library} has no scheme {scheme}: {cases} cases are unsupported");
    }
}

/// Returns the cases of the whole programs that are wanted, on the engine and on the peers asked
/// for, as far as they are selected.
pub(super) fn applications_of(
    args: &BenchArgs,
    launch: &Launch,
    wanted: &[Wanted],
    selection: &Selection,
    stop: &AtomicBool,
) -> Result<Vec<ApplicationCase>, Failure> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let peers =
        PeersWanted { driver: &args.driver, peers: &args.peers, folder: &args.peers_folder };
    let contestants = programs::contestants(peers, launch, stop)?;
    programs::cases(wanted, &contestants, selection)
}

/// Measures the noise floor on a case of the plan; returns it rounded, or `None` if that fails.
pub(super) fn noise_floor(launch: &Launch, cases: &[CaseSpec], budget: Duration) -> Option<f64> {
    let case = self_comparison::probe(cases)?;
    match self_comparison::noise_floor(launch, &case, 4, budget) {
        Ok(floor) => Some((floor * 1e4).round() / 1e4),
        Err(fault) => {
            eprintln!("the noise floor could not be measured: {fault}");
            None
        }
    }
}

pub(super) fn context(args: &BenchArgs, started: String, noise_floor_rel: Option<f64>) -> Context {
    let machine = Machine::here();
    let mut warnings = machine.warnings();
    if let Some(floor) = noise_floor_rel.filter(|floor| *floor > 0.05) {
        warnings.push(Warning {
            code: "W-NOISE".into(),
            text: format!("the same case measured twice differs by up to {:.1} %", floor * 100.0),
            fix: "run again when idle; differences below this are not significant".into(),
        });
    }
    let command: Vec<String> = std::env::args().skip(1).collect();
    Context {
        kind: "context".into(),
        schema: SCHEMA.into(),
        run_id: format!("{started}-{}", std::process::id()),
        started,
        command: format!("fathom {}", command.join(" ")),
        seed: args.seed,
        tool: Tool::this(),
        machine,
        warnings,
        noise_floor_rel,
    }
}

/// Creates the result files in the folder of the user, or in a new one in the folder of runs.
fn result_files(args: &BenchArgs, started: &str) -> Result<ResultFiles, Failure> {
    let files = if let Some(folder) = &args.out {
        ResultFiles::create(folder)
    } else {
        let name = format!("{}-{}", started.replace(':', ""), machine::host());
        ResultFiles::create_unique(Path::new(RESULTS), &name)
    };
    files.map_err(|error| unwritable(&error))
}

pub(super) fn unwritable(error: &FolderError) -> Failure {
    match error {
        FolderError::Taken { .. } => Failure::usage(error),
        FolderError::Unwritable { .. } => {
            Failure::nothing(format!("{error}; choose another --out"))
        }
    }
}

fn finish(
    args: &BenchArgs,
    keeper: Keeper,
    context: &Context,
    interrupted: bool,
    write: impl FnOnce(&[Case]) -> Result<(), Failure>,
) -> Outcome {
    let Kept { files, cases, unsaved } = keeper.into_kept();
    let folder = files.folder();
    if cases.is_empty() {
        return Err(Failure::nothing(
            "nothing ran: the run was stopped before its first case ended; give it more time with \
             --budget, or fewer cases with --filter",
        ));
    }
    // What the files lack is shown whole.
    let text = text(args.format, args.verbose || unsaved.is_some(), &cases, context);
    if args.is_part {
        // The command that asked for the run prints its results.
    } else if args.programs.owns_stdout() {
        eprintln!("{text}");
    } else {
        println!("{text}");
    }
    let saved = report_saved(&cases, unsaved, folder);
    let reported = files.write_report(history(args, context));
    match &reported {
        Ok(report) => eprintln!("report: {}", report.display()),
        Err(error) => {
            let folder = folder.display();
            eprintln!("no report: {error}; make room and run `fathom report {folder}`");
        }
    }
    let exit = summary(&cases, interrupted);
    write(&cases)?;
    let written = saved && reported.is_ok();
    Ok(if exit == Exit::Ok && !written { Exit::Check } else { exit })
}

/// Returns the runs of this machine beside a run in the default folder; none for a folder of the
/// user, whose neighbours may be anything.
fn history(args: &BenchArgs, context: &Context) -> History {
    if args.out.is_some() {
        return History::default();
    }
    History::read(Path::new(RESULTS), Some(&context.machine.cpu), warn).unwrap_or_else(|error| {
        eprintln!("the report has no history: {error}");
        History::default()
    })
}

/// Reports on stderr how many cases the files lack; returns true if they have all.
fn report_saved(cases: &[Case], unsaved: Option<(usize, std::io::Error)>, folder: &Path) -> bool {
    let Some((missing, error)) = unsaved else { return true };
    eprintln!(
        "fathom: {}: {error}: the files lack {missing} of {} cases, which are shown here only",
        folder.display(),
        cases.len()
    );
    false
}

/// Returns the cases in a format; as a table, the verdict alone unless `all` is asked for.
fn text(format: Format, all: bool, cases: &[Case], context: &Context) -> String {
    match format {
        Format::Table => {
            let floor = context.noise_floor_rel.unwrap_or(0.0);
            let verdict = verdict::verdict(cases, floor, all);
            if all { format!("{}\n\n{verdict}", tables(cases, context, style())) } else { verdict }
        }
        Format::Md => tables(cases, context, Style::Markdown),
        Format::Csv => {
            let mut csv = AllCsv::default();
            let rows = cases.iter().flat_map(|case| csv.rows(case));
            std::iter::once(CSV_HEADER.to_owned()).chain(rows).collect::<Vec<_>>().join("\n")
        }
        Format::Json => {
            let lines = std::iter::once(serde_json::to_string(context))
                .chain(cases.iter().map(serde_json::to_string));
            lines.flatten().collect::<Vec<_>>().join("\n")
        }
    }
}

/// Returns the cases, then the bootstrap counts of torus schemes and what bootstrappings of CKKS
/// leave, then the ratios if several
/// libraries ran.
fn tables(cases: &[Case], context: &Context, style: Style) -> String {
    let rows = ratio::rows(cases, context.noise_floor_rel.unwrap_or(0.0));
    let tables = [
        Some(table::cases(cases, style)),
        verified::torus(cases, style),
        terminal::refreshes::refreshes(cases, style),
        terminal::applications::programs(cases, style),
        terminal::factors::factors(cases, style),
        (!rows.is_empty()).then(|| ratios(&rows, style)),
    ];
    tables.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

/// Prints the number of cases with each outcome on stderr and chooses the exit code.
fn summary(cases: &[Case], interrupted: bool) -> Exit {
    let count = |keep: fn(&Case) -> bool| cases.iter().filter(|case| keep(case)).count();
    let ok = count(|case| case.verify.status == Status::Ok);
    let refused = count(|c| c.verify.status == Status::NoiseExhausted && c.verify.expected);
    let exhausted = count(|c| c.verify.status == Status::NoiseExhausted && !c.verify.expected);
    let unsupported = count(|case| case.verify.status == Status::Unsupported);
    let failed = count(|case| case.verify.status == Status::Failed);
    let past = count(Case::is_past_budget);
    let wrong = count(|case| case.verify.status == Status::Wrong) - past;
    if past > 0 {
        eprintln!("{past} cases of peers exceeded their noise budget without an error");
    }
    eprintln!(
        "{} cases: {ok} ok, {refused} refused as expected, {exhausted} out of noise budget, \
         {unsupported} unsupported, {failed} failed, {wrong} wrong",
        cases.len()
    );
    if wrong > 0 {
        Exit::Wrong
    } else if ok + refused == 0 {
        Exit::Nothing
    } else if failed + exhausted > 0 || interrupted {
        Exit::Check
    } else {
        Exit::Ok
    }
}
