//! Rules about rates on several cores, and about batches of users.

use super::finding::{Doubt, Finding};
use crate::table::Row;

/// Largest relative difference of two figures of which one was computed from the other and both
/// were rounded.
const ROUNDING: f64 = 0.01;
/// Largest relative difference of an efficiency, which is printed with three digits.
const EFFICIENCY: f64 = 0.01;
/// Smallest efficiency of a rate on all cores against the time on one.
const LEAST_EFFICIENCY: f64 = 0.5;
/// Largest relative excess of a rate over that of as many single cores.
const EXCESS: f64 = 0.05;
/// Largest relative difference of two rates that depend on a share, which is printed with two
/// digits.
const SHARE: f64 = 0.2;

/// Checks every row.
pub(super) fn check(rows: &[Row]) -> Vec<Finding> {
    type Rule = fn(&[Row], &Row) -> Option<Finding>;
    let rules: [Rule; 5] = [efficiency, users, latency, pipeline, against];
    rows.iter().flat_map(|row| rules.iter().filter_map(|rule| rule(rows, row))).collect()
}

/// Returns the row of the same scheme and mode with that operation, on a number of cores if one is
/// given.
fn beside<'a>(rows: &'a [Row], row: &Row, op: &str, cores: Option<f64>) -> Option<&'a Row> {
    let fits = |other: &Row| cores.is_none() || other.number("cores") == cores;
    rows.iter().find(|other| other.is_beside(row, op) && fits(other))
}

/// Finds efficiencies that are not the rate over that of one core times the cores, and rates above
/// those of as many single cores.
fn efficiency(rows: &[Row], row: &Row) -> Option<Finding> {
    let cores = row.number("cores")?;
    let stem = row.op.strip_suffix("_efficiency").or_else(|| row.op.strip_suffix("_users"));
    let stem = stem.or_else(|| row.op.strip_suffix("_batches"))?;
    let rates = ["users", "batches"].into_iter().filter_map(|unit| {
        let op = format!("{stem}_{unit}");
        let of = |cores| beside(rows, row, &op, Some(cores)).filter(|rate| rate.mean > 0.0);
        Some((of(1.0)?, of(cores)?))
    });
    if row.op.ends_with("_efficiency") {
        let found = |(one, all): (&Row, &Row)| 100.0 * all.mean / (cores * one.mean);
        let rates: Vec<_> = rates.collect();
        let fits = |rate: &(&Row, &Row)| (row.mean / found(*rate) - 1.0).abs() <= EFFICIENCY;
        let wrong = rates.iter().find(|rate| !fits(rate))?;
        let why = format!(
            "printed {} %, where {} per second on {cores} cores and {} on one are {:.1} %",
            row.mean,
            wrong.1.mean,
            wrong.0.mean,
            found(*wrong)
        );
        return Some(Finding::new(Doubt::EfficiencyMismatch, &[row, wrong.1], why));
    }
    let one = beside(rows, row, &row.op, Some(1.0))?;
    (row.mean > cores * one.mean * (1.0 + EXCESS)).then(|| {
        let why = format!(
            "{} per second on {cores} cores, more than as many times the {} of one",
            row.mean, one.mean
        );
        Finding::new(Doubt::RateMismatch, &[row, one], why)
    })
}

/// Finds rates of users that are not the rate of batches times the users of one.
fn users(rows: &[Row], row: &Row) -> Option<Finding> {
    let stem = row.op.strip_suffix("_users")?;
    let (each, cores) = (row.number("users")?, row.number("cores")?);
    let batches = beside(rows, row, &format!("{stem}_batches"), Some(cores))?;
    let implied = each * batches.mean;
    ((row.mean / implied - 1.0).abs() > ROUNDING).then(|| {
        let why = format!(
            "{} users per second, where {} batches of {each} are {implied:.0}",
            row.mean, batches.mean
        );
        Finding::new(Doubt::RateMismatch, &[row, batches], why)
    })
}

/// Finds figures on one core that do not follow from the latency of one batch.
fn latency(rows: &[Row], row: &Row) -> Option<Finding> {
    let batch = beside(rows, row, "batch_latency", None)?;
    let (seconds, users) = (batch.seconds()?, batch.number("users")?);
    let on_one_core = row.number("cores") == Some(1.0);
    let implied = match row.op.as_str() {
        "per_user_latency" => seconds / users,
        "users_throughput" | "scaling_users" if on_one_core => users / seconds,
        "scaling_batches" if on_one_core => 1.0 / seconds,
        _ => return None,
    };
    ((row.base() / implied - 1.0).abs() > ROUNDING).then(|| {
        let why = format!(
            "{}, where a batch of {users} in {} implies {implied:.4e}",
            row.figure(),
            batch.figure()
        );
        Finding::new(Doubt::RateMismatch, &[row, batch], why)
    })
}

/// Finds rates of a pipeline on many cores that are far from the latency of one batch, of which the
/// stage has a stated share.
fn pipeline(rows: &[Row], row: &Row) -> Option<Finding> {
    let (cores, share) = (row.number("cores")?, row.number("fhe_share")?);
    let batch = beside(rows, row, "batch_latency", None)?;
    let users = row.number("users")?;
    let ideal = cores * users / (batch.seconds()? / share);
    let efficiency = row.mean / ideal;
    let possible = (LEAST_EFFICIENCY..=1.0 + EXCESS).contains(&efficiency);
    (!possible).then(|| {
        let why = format!(
            "{} per second are {:.0} % of the {ideal:.0} that {} a batch imply on {cores} cores",
            row.mean,
            100.0 * efficiency,
            batch.figure()
        );
        Finding::new(Doubt::RateMismatch, &[row, batch], why)
    })
}

/// Finds rates of a pipeline that the scaling of its stage contradicts.
fn against(rows: &[Row], row: &Row) -> Option<Finding> {
    let (cores, share) = (row.number("cores")?, row.number("fhe_share")?);
    let stage = beside(rows, row, "scaling_users", Some(cores))?;
    let implied = stage.mean * share;
    ((row.mean / implied - 1.0).abs() > SHARE).then(|| {
        let why = format!(
            "the scaling of the stage, {} per second with {:.0} % of the time, implies \
             {implied:.0} for the whole, printed {}",
            stage.mean,
            100.0 * share,
            row.mean
        );
        Finding::new(Doubt::RateMismatch, &[row, stage], why)
    })
}
