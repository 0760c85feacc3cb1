//! Claims beside what this machine measured.

use super::coverage;
use super::table::Row;
use crate::ops::Scheme;
use crate::record::{Case, Status};

/// A claim and the case of the same operation.
#[derive(Clone, Debug)]
pub struct Pair<'a> {
    /// The claim.
    pub row: &'a Row,
    /// The case, which was verified.
    pub case: &'a Case,
    /// Measured median in seconds, or size in bytes if the claim is a size.
    pub measured: f64,
}

impl Pair<'_> {
    /// Returns the cells of a table: claim, figure, measured figure, ratio, case.
    pub fn cells(&self) -> Vec<String> {
        let size = self.row.bytes();
        // A rate has no counterpart in seconds, so the time of its operation stands beside it.
        let printed = size.or_else(|| self.row.seconds());
        let measured = match size {
            Some(_) => format!("{} bytes", self.measured),
            None => milliseconds(self.measured),
        };
        vec![
            self.row.name(),
            self.row.figure(),
            measured,
            printed.map_or_else(String::new, |printed| format!("{:.2}x", printed / self.measured)),
            self.case.id.clone(),
        ]
    }
}

fn milliseconds(seconds: f64) -> String {
    format!("{:.6} ms", seconds * 1e3)
}

/// Returns the rows of a shipped document, each with the first of its cases that is verified in
/// `cases`, or with the reason why there is none.
pub fn document<'a>(
    document: &str,
    rows: &'a [Row],
    cases: &'a [Case],
) -> Vec<(&'a Row, Result<Pair<'a>, String>)> {
    let measured = |row: &'a Row| -> Result<Pair<'a>, String> {
        let rule = coverage::rule(document, row).ok_or("no rule covers the row")?;
        if let Some(reason) = &rule.reason {
            return Err(format!("imported, out of scope: {reason}"));
        }
        let ids: Vec<String> =
            rule.cases(row).iter().map(|case| format!("fathom/{case}")).collect();
        let done = |id: &String| {
            let case = cases.iter().find(|case| case.id == *id)?;
            let ok = case.verify.status == Status::Ok;
            let measured = if row.bytes().is_some() { bytes(case) } else { seconds(case) };
            Some(Pair { row, case, measured: measured.filter(|_| ok)? })
        };
        let none = || format!("imported, not in these results: {}", ids.join(", "));
        ids.iter().find_map(done).ok_or_else(none)
    };
    rows.iter().map(|row| (row, measured(row))).collect()
}

fn seconds(case: &Case) -> Option<f64> {
    Some(case.time_ns.as_ref()?.median as f64 / 1e9)
}

/// Returns the size that a case records: of its ciphertext, or of the public key.
fn bytes(case: &Case) -> Option<f64> {
    let sizes = &case.bytes;
    let key = case.op.starts_with("pk_").then(|| sizes.bootstrapping.or(sizes.pk));
    key.unwrap_or_else(|| sizes.ct_out.or(sizes.ct_in)).map(|bytes| bytes as f64)
}

/// Returns every timed claim for which the engine has a verified case of the same scheme and
/// operation on one thread, together with that case. If there are several, it is the one with the
/// claim's depth.
pub fn pairs<'a>(rows: &'a [Row], cases: &'a [Case]) -> Vec<Pair<'a>> {
    rows.iter().filter_map(|row| pair(row, cases)).collect()
}

fn pair<'a>(row: &'a Row, cases: &'a [Case]) -> Option<Pair<'a>> {
    row.seconds()?;
    let (scheme, op) = (scheme(&row.scheme), op(row));
    let depth = row.number("depth").unwrap_or(1.0) as u32;
    let suits = |case: &&Case| {
        case.scheme == scheme
            && case.op == op
            && case.verify.status == Status::Ok
            && case.lane.threads == 1
            && case.lib.name == "fathom"
    };
    let found = cases.iter().filter(suits);
    let case = found.min_by_key(|case| {
        let own = case.params.as_ref().map_or(0, |params| params.depth);
        own.abs_diff(depth)
    })?;
    Some(Pair { row, case, measured: seconds(case)? })
}

/// Returns the testbed's name of a scheme.
fn scheme(name: &str) -> &str {
    if name == "pvac" { Scheme::Hfhe.name() } else { name }
}

/// Returns the testbed's name of an operation.
fn op(row: &Row) -> String {
    let hfhe = scheme(&row.scheme) == Scheme::Hfhe.name();
    let bits = Scheme::parse(&row.scheme).is_some_and(|scheme| scheme.kind().bootstraps());
    let op = row.op.replace("ilog2", "log2").replace("rotl", "rotate_left");
    match op.replace("rotr", "rotate_right").as_str() {
        "encrypt" if !hfhe && !bits => "encrypt_pk".into(),
        "encrypt" | "encrypt_1bit" => "encrypt_sk".into(),
        "decrypt_1bit" => "decrypt".into(),
        other => other.to_owned(),
    }
}
