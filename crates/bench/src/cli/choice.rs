//! The work of `fathom bench`: which cases and programs its arguments choose.

use std::time::Duration;

use fathom_cases::program::Program;
use fathom_documents::options::Options;
use fathom_drivers::ops::Op;
use fathom_drivers::ops::torus::IntegerKind;

use super::applications;
use super::bench_args::BenchArgs;
use super::earlier;
use super::outcome::Failure;
use super::programs::ProgramArgs;
use crate::applications::Wanted;
use crate::plan::suite::{self, CaseSpec, Selection, Suite};
use crate::suites;

/// The work of a run, the time for it, and the longest wait for one reply.
pub(super) struct Choice {
    pub(super) cases: Vec<CaseSpec>,
    pub(super) programs: Vec<Program>,
    /// True if the bootstrappings of other libraries are wanted too.
    pub(super) races_bootstraps: bool,
    pub(super) applications: Vec<Wanted>,
    pub(super) selection: Selection,
    pub(super) options: Options,
    pub(super) budget: Duration,
    pub(super) programs_budget: Duration,
    pub(super) reply_time: Duration,
}

/// Share of the time budget that measuring the noise floor may take, and the most time for it.
const FLOOR_SHARE: f64 = 0.06;
const FLOOR_TIME: Duration = Duration::from_secs(8);

/// Returns the time for measuring the noise floor of a run.
pub(super) fn floor_time(budget: Duration) -> Duration {
    budget.mul_f64(FLOOR_SHARE).min(FLOOR_TIME)
}

pub(super) fn choose(args: &BenchArgs) -> Result<Choice, Failure> {
    let every = args.all || args.suites.iter().any(|name| name == "all");
    let default = ["quick".to_owned()];
    let named = if args.suites.is_empty() { &default[..] } else { &args.suites[..] };
    let names = if every { suite::names() } else { named.iter().map(|s| &**s).collect() };
    let suites = names.iter().map(|name| Suite::built_in(name).map_err(Failure::usage));
    let suites: Vec<Suite> = suites.collect::<Result<_, _>>()?;
    let options = args.programs.options(&names, &args.threads, args.quick)?;
    let selection = Selection {
        schemes: args.schemes.iter().map(|name| earlier::scheme(name)).collect(),
        ops: args.ops.clone(),
        widths: args.widths.clone(),
        threads: args.threads.clone(),
        op_threads: args.op_threads.clone(),
        quick: args.quick,
        full: args.full,
        params: ProgramArgs::sets(&options),
        filter: args.filter.as_ref().map(earlier::filter),
    };
    check_names(&selection, &options)?;
    let (mut cases, mut programs) = (Vec::new(), Vec::new());
    let (mut budget, mut programs_budget) = (Duration::ZERO, Duration::ZERO);
    let mut reply_time = Duration::ZERO;
    for suite in &suites {
        budget += if args.quick { suite.quick_budget() } else { suite.budget() };
        programs_budget += suite.programs_budget(args.quick);
        reply_time = reply_time.max(Duration::from_secs(suite.reply_time_s.unwrap_or(0)));
        for case in suite.cases("fathom", &selection) {
            if !cases.contains(&case) && !args.programs.wants_programs_only() {
                cases.push(case);
            }
        }
        programs.extend(suites::programs(&suite.name, &options));
    }
    programs.retain(|program| admits(&selection, program));
    // A bootstrapping of a peer takes minutes with its keys.
    let races_bootstraps = names.contains(&"bootstrap") && !args.quick;
    let applications = applications::wanted(&suites, &selection);
    let nothing = cases.is_empty() && programs.is_empty() && applications.is_empty();
    if nothing && !races_bootstraps {
        return Err(nothing_left(&names));
    }
    let factor = if args.full { 4 } else { 1 };
    let [budget, programs_budget] = [budget * factor, programs_budget * factor];
    let shares = shares(args, [!cases.is_empty(), !programs.is_empty()], [budget, programs_budget]);
    let [budget, programs_budget] = shares;
    Ok(Choice {
        cases,
        programs,
        races_bootstraps,
        applications,
        selection,
        options,
        budget,
        programs_budget,
        reply_time,
    })
}

/// Returns the failure of a selection that leaves nothing of these suites.
pub(super) fn nothing_left(suites: &[impl AsRef<str>]) -> Failure {
    let names = suites.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" ");
    Failure::nothing(format!(
        "no case of {names} is left by this selection; `fathom bench {names} --dry-run` lists \
         them all"
    ))
}

/// Returns true for a program that the selection keeps; programs have no widths, and their suites
/// choose parameter sets themselves.
pub(super) fn admits(selection: &Selection, program: &Program) -> bool {
    let listed = |list: &[String], item: &str| list.is_empty() || list.iter().any(|i| i == item);
    listed(&selection.schemes, program.scheme)
        && listed(&selection.ops, &program.op)
        && selection.widths.is_empty()
        && selection.filter.as_ref().is_none_or(|regex| regex.is_match(&program.id()))
}

/// Returns the time for the cases and for the programs; `--budget` is for both, and with `--quick`
/// only lowers the usual time.
fn shares(args: &BenchArgs, present: [bool; 2], [cases, programs]: [Duration; 2]) -> [Duration; 2] {
    let usual = [(present[0], cases), (present[1], programs)];
    let usual = usual.map(|(present, time)| if present { time } else { Duration::ZERO });
    let total = usual[0] + usual[1];
    let Some(budget) = args.budget.filter(|budget| !args.quick || *budget < total) else {
        return usual;
    };
    let part = |time: Duration| budget.mul_f64(time.as_secs_f64() / total.as_secs_f64().max(1e-9));
    usual.map(part)
}

/// Refuses the names of schemes and operations that no suite has, because they are spelling
/// mistakes.
fn check_names(wanted: &Selection, options: &Options) -> Result<(), Failure> {
    let stems = || IntegerKind::all().map(IntegerKind::stem);
    let all = suite::names().into_iter().flat_map(|suite| suites::programs(suite, options));
    let programs: Vec<Program> = all.collect();
    let known = |name: &str| {
        let program = programs.iter().any(|program| program.op == name)
            || fathom_workloads::all()
                .iter()
                .any(|workload| name.starts_with(&*workload.spec().name));
        program || Op::parse(name).is_some() || stems().any(|stem| stem == name)
    };
    if let Some(name) = wanted.ops.iter().find(|name| !known(name)) {
        let text = format!("there is no operation `{name}`; see `fathom list ops`");
        return Err(Failure::usage(text));
    }
    if wanted.schemes.is_empty() {
        return Ok(());
    }
    let mut schemes = Vec::new();
    for suite in suite::names() {
        let cases = Suite::built_in(suite).map_err(Failure::usage)?;
        let cases = cases.cases("fathom", &Selection::default());
        schemes.extend(cases.into_iter().map(|case| case.scheme));
    }
    schemes.extend(programs.iter().map(|program| program.scheme.to_owned()));
    schemes.sort();
    schemes.dedup();
    match wanted.schemes.iter().find(|name| !schemes.contains(name)) {
        None => Ok(()),
        Some(name) => {
            let known = schemes.join(", ");
            Err(Failure::usage(format!("there is no scheme `{name}`; suites have: {known}")))
        }
    }
}
