//! `fathom compare`: compares the results of two runs.

use std::path::{Path, PathBuf};

use clap::Args;
use fathom_cases::record::compare::{Report, Verdict};
use fathom_cases::record::{Case, Stored};

use super::outcome::{Exit, Failure, Outcome};
use super::report::in_folder;
use super::shared::{stored, style};
use super::values::share;
use crate::report::table::Table;
use crate::report::terminal::table::draw;

#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// Result file of the earlier run, or its folder
    a: PathBuf,
    /// Result file of the later run, or its folder
    b: PathBuf,
    /// Exit with 1 if a case became slower by more than this, such as 5%
    #[arg(long, value_name = "SHARE", value_parser = share)]
    fail_if: Option<f64>,
}

pub(super) fn run(args: &CompareArgs) -> Outcome {
    let (floor_a, a) = read(&args.a)?;
    let (floor_b, b) = read(&args.b)?;
    let floor = floor_a.max(floor_b);
    let report = Report::of(&a, &b, floor);
    let mut table = Table::new("", &["", "case", "B / A", "99 % interval"]);
    for case in &report.compared {
        let [low, high] = case.ratio.interval;
        table.push_texts([
            case.verdict.mark().to_string(),
            case.id.clone(),
            format!("{:.3}", case.ratio.ratio),
            format!("{low:.3} .. {high:.3}"),
        ]);
    }
    println!("{}", draw(&table, style()));
    for (id, status) in &report.broken {
        println!("{id}: correct in A, {status} in B");
    }
    for id in &report.unmatched {
        println!("{id}: present in one run only");
    }
    conclude(&report, floor, args.fail_if)
}

fn conclude(report: &Report, floor: f64, fail_if: Option<f64>) -> Outcome {
    if report.compared.is_empty() && report.broken.is_empty() {
        let text = format!(
            "the two runs have no case with verified times in both: nothing was compared \
             ({} cases are in one run only)",
            report.unmatched.len()
        );
        return Err(Failure { exit: Exit::Incomparable, text });
    }
    let changed = report.compared.iter().filter(|c| c.verdict != Verdict::Indistinguishable);
    if changed.count() == 0 {
        println!("No difference above the noise floor of {:.1} %.", floor * 100.0);
    } else {
        println!("Geometric mean of B / A: {:.3}", report.geometric_mean());
    }
    if !report.broken.is_empty() {
        return Ok(Exit::Check);
    }
    let regressions = fail_if.map_or_else(Vec::new, |limit| report.regressions(limit));
    for case in &regressions {
        println!("regression: {} is {:.3} times as slow", case.id, case.ratio.ratio);
    }
    Ok(if regressions.is_empty() { Exit::Ok } else { Exit::Check })
}

fn read(path: &Path) -> Result<(f64, Vec<Case>), Failure> {
    let path = in_folder(path);
    let Stored { context, cases, .. } = stored(&path)?;
    if cases.is_empty() {
        let text = format!("{} holds no case: there is nothing to compare", path.display());
        return Err(Failure::nothing(text));
    }
    Ok((context.and_then(|context| context.noise_floor_rel).unwrap_or(0.0), cases))
}
