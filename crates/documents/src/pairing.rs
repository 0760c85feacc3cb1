//! The pairing of cases with the figures of a table: a case measures what a figure states if it has
//! the same parameters, failure probability and threads. A case that differs stands in for the
//! figure, without a ratio.

use fathom_cases::record::{Case, ratio};

use super::quantity::{Kind, Quantity};
use super::table::Row;

/// Largest difference in bits of the size of a ciphertext modulus that is printed as an integer.
const ROUNDED_BITS: f64 = 1.0;
/// Bits by which two estimates of one set's security may differ.
const ESTIMATE_BITS: f64 = 3.0;

/// Returns in what a case differs from what a row states; empty if it measures the same.
pub(super) fn differences(row: &Row, case: &Case) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(modulus(row, case));
    found.extend(set(row, case));
    found.extend(security(row, case));
    found.extend(failure(row, case));
    if Quantity::of(row).kind != Kind::Size {
        found.extend(threads(row, case));
    }
    found
}

fn modulus(row: &Row, case: &Case) -> Option<String> {
    let (stated, own) = (row.number("t")?, case.params.as_ref()?.plain_modulus);
    (own != stated as u64).then(|| format!("t = {own}, where the document has {stated}"))
}

/// A row that states its ciphertext modulus or a configuration names a set; any other names a
/// purpose, for which every library chooses its own ring.
fn set(row: &Row, case: &Case) -> Option<String> {
    let own = case.params.as_ref()?;
    if let Some(n) = row.number("config_n").filter(|n| *n as usize != own.n) {
        return Some(format!("N = {}, where the document prints {n}", own.n));
    }
    let (n, log_q) = (row.number("n")?, row.number("log_q")?);
    let same = own.n == n as usize && (own.log_q - log_q).abs() <= ROUNDED_BITS;
    (!same).then(|| {
        format!(
            "set {} with N = {} and a modulus of {:.0} bits, where the document has {n} and \
             {log_q}",
            own.name, own.n, own.log_q
        )
    })
}

/// Compares the level of security with that of a row for a purpose.
fn security(row: &Row, case: &Case) -> Option<String> {
    let claimed = row.number("security").filter(|_| row.number("log_q").is_none())?;
    let own = case.security.as_ref()?.classical?;
    let level = case.security.as_ref()?.level.map_or(0.0, f64::from);
    let same = own + ESTIMATE_BITS >= claimed && (level <= claimed || claimed < 128.0);
    (!same).then(|| format!("{own:.0} bits of security, where the document has {claimed}"))
}

fn failure(row: &Row, case: &Case) -> Option<String> {
    let own = case.params.as_ref()?.p_fail_log2?;
    if let Some(most) = row.number("p_fail_below_log2") {
        return (own > most).then(|| format!("p_fail 2^{own:.0}, above the document's 2^{most}"));
    }
    let stated = row.number("p_fail_log2")?;
    (!ratio::fail_alike(Some(stated), Some(own)))
        .then(|| format!("p_fail 2^{own:.0}, where the document's set has 2^{stated}"))
}

/// Compares the numbers of parallel operations and of threads in one, where the row states them.
fn threads(row: &Row, case: &Case) -> Option<String> {
    let lanes = [("threads", case.lane.threads), ("op_threads", case.lane.op_threads)];
    lanes.into_iter().find_map(|(name, own)| {
        let stated = stated_threads(row, name)?;
        let what = if name == "threads" { "at once" } else { "in one operation" };
        let many = if own == 1 { "1 thread".to_owned() } else { format!("{own} threads") };
        (own != stated).then(|| format!("{many} {what}, where the document has {stated}"))
    })
}

/// Returns the number of threads that a row states: of parallel operations (`threads`, or
/// `cores`), or of threads in one operation (`op_threads`).
pub(super) fn stated_threads(row: &Row, lane: &str) -> Option<usize> {
    let other = if lane == "threads" { row.number("cores") } else { None };
    row.number(lane).or(other).map(|count| count as usize)
}
