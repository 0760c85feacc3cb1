//! Whole programs for `fathom run` and `fathom bench`: the libraries that have them, and the cases.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fathom_cases::machine::processors;
use fathom_drivers::process::Launch;

use super::contest;
use super::outcome::Failure;
use super::plan;
use super::shared::{DriverArgs, engine, steady};
use crate::applications::{self, ApplicationCase, Contestant, Predictions, Wanted};
use crate::plan::suite::{Selection, Suite};
use crate::planner::{Measuring, Planner};

/// Longest wait for one step of a program.
pub(super) const STEP_TIME: Duration = Duration::from_hours(24);

/// Peers that are asked for.
#[derive(Clone, Copy)]
pub(super) struct PeersWanted<'a> {
    pub(super) driver: &'a DriverArgs,
    pub(super) peers: &'a [String],
    pub(super) folder: &'a Option<PathBuf>,
}

/// Returns the engine and the peers asked for that have programs.
pub(super) fn contestants(
    wanted: PeersWanted<'_>,
    launch: &Launch,
    stop: &AtomicBool,
) -> Result<Vec<Contestant>, Failure> {
    let launch = Launch { reply_time: STEP_TIME, ..launch.clone() };
    let mut found = vec![applications::greet(&launch, stop).map_err(Failure::nothing)?];
    for peer in contest::chosen(wanted.driver, wanted.peers, wanted.folder.as_deref())? {
        if peer.manifest.programs.is_empty() {
            eprintln!("{}: its driver has no whole programs", peer.manifest.name);
            continue;
        }
        let launch = Launch { reply_time: STEP_TIME, ..peer.launch() };
        match applications::greet(&launch, stop) {
            Ok(contestant) => found.push(contestant),
            Err(fault) => eprintln!("{}: skipped: {fault}", peer.manifest.name),
        }
    }
    Ok(found)
}

/// Returns the tasks of suites.
pub(super) fn wanted(suites: &[Suite], selection: &Selection) -> Vec<Wanted> {
    let mut all = Vec::new();
    for suite in suites {
        let groups = suite.applications.iter();
        for group in groups
            .filter(|group| (group.quick || !selection.quick) && (selection.full || !group.full))
        {
            let both = |name: &String| selection.schemes.contains(name);
            let schemes: Vec<_> = match (&*group.schemes, &*selection.schemes) {
                (own, []) => own.to_vec(),
                ([], selected) => selected.to_vec(),
                (own, _) => own.iter().filter(|name| both(name)).cloned().collect(),
            };
            // An empty list stands for all schemes.
            if schemes.is_empty() && !group.schemes.is_empty() {
                continue;
            }
            let mut threads = selection.op_threads.clone();
            if threads.is_empty() {
                threads = vec![1, processors()];
                threads.dedup();
            }
            all.push(Wanted {
                workload: group.workload.clone(),
                variants: group.variants.clone(),
                sizes: group.sizes.clone(),
                schemes,
                threads,
                seeds: group.seeds,
            });
        }
    }
    all
}

/// Returns the cases of tasks that a selection keeps.
pub(super) fn cases(
    wanted: &[Wanted],
    contestants: &[Contestant],
    selection: &Selection,
) -> Result<Vec<ApplicationCase>, Failure> {
    let mut cases: Vec<ApplicationCase> = Vec::new();
    for wanted in wanted {
        cases.extend(applications::choose(wanted, contestants).map_err(Failure::usage)?);
    }
    let mut seen = HashSet::new();
    cases.retain(|case| {
        let named = selection.ops.is_empty() || selection.ops.contains(&case.op());
        let admitted = selection.filter.as_ref().is_none_or(|regex| regex.is_match(&case.id()));
        named && admitted && seen.insert(case.id())
    });
    Ok(cases)
}

/// Returns what the planner predicts of the cases. A debug build has none: its unit costs would say
/// nothing about the machine.
pub(super) fn predictions(cases: &[ApplicationCase], stop: &AtomicBool) -> Predictions {
    if cases.is_empty() || cfg!(debug_assertions) {
        return Predictions::default();
    }
    let bar = steady();
    let shown = bar.clone();
    let report = move |text: &str| shown.set_message(text.to_owned());
    let planner = Planner::new(Measuring::Missing, report);
    let planner = match engine() {
        Ok(engine) => planner.with_server(engine),
        Err(_) => planner,
    };
    let predictions = Predictions::of(cases, planner, stop);
    bar.finish_and_clear();
    if let Some(planner) = predictions.planner() {
        plan::warn(planner);
    }
    predictions
}
