//! Rules about units: which a name implies, and which times an operation can take.

use fathom_drivers::ops::Op;
use fathom_drivers::ops::torus::{CarryMode, Gate, IntegerKind, IntegerOp};

use super::finding::{Doubt, Finding};
use crate::table::Row;
use crate::unit::Unit;

/// Endings of names, each with the units that it allows.
const ENDINGS: [(&str, &[Unit]); 5] = [
    ("_bytes", &[Unit::Bytes]),
    ("_us", &[Unit::Microseconds]),
    ("_ms", &[Unit::Milliseconds]),
    ("_throughput", &[Unit::PerSecond]),
    ("_efficiency", &[Unit::Percent]),
];

/// Shortest and longest time of one bootstrap of a CPU that a figure may imply, in seconds. The
/// published ones lie between 0.2 ms, on all cores of a large machine, and 150 ms.
const BOOTSTRAP: [f64; 2] = [10e-6, 0.5];

/// Checks that names and units agree, and that times are possible.
pub(super) fn check(rows: &[Row]) -> Vec<Finding> {
    rows.iter().flat_map(|row| ending(row).into_iter().chain(duration(row))).collect()
}

fn ending(row: &Row) -> Option<Finding> {
    let (ending, allowed) = ENDINGS.iter().find(|(ending, _)| row.op.ends_with(ending))?;
    if allowed.contains(&row.unit) {
        return None;
    }
    let why = format!("a name that ends in `{ending}` has a figure in {}", row.unit.name());
    Some(Finding::new(Doubt::UnitMismatch, &[row], why))
}

fn duration(row: &Row) -> Option<Finding> {
    let (seconds, bootstraps) = (row.seconds()?, bootstraps(&row.op)?);
    let each = seconds / bootstraps;
    if (BOOTSTRAP[0]..=BOOTSTRAP[1]).contains(&each) {
        return None;
    }
    let why = format!(
        "{} for about {bootstraps:.0} bootstraps is {each:.3} s each; published ones take 0.2 \
         to 150 ms",
        row.figure()
    );
    Some(Finding::new(Doubt::ImplausibleUnit, &[row], why))
}

/// Returns the approximate number of bootstraps of an operation of a torus scheme.
fn bootstraps(op: &str) -> Option<f64> {
    if Gate::parse(op).is_some_and(|gate| gate != Gate::Not) {
        return Some(1.0);
    }
    if let Some(op) = integer(op) {
        return Some(op.rough_bootstraps());
    }
    // The programs of document 003: (a b) < c, (a < b) c, and (a b) < (c d).
    let (program, bits) = op.split_once("_u")?;
    let blocks = bits.parse::<f64>().ok()? / 2.0;
    let (product, comparison) = (blocks * blocks + 2.0 * blocks, blocks);
    match program {
        "w1" | "w2" => Some(product + comparison),
        "w3" => Some(2.0 * product + comparison),
        _ => None,
    }
}

/// Parses an operation on integers that bootstraps, by any published name.
fn integer(op: &str) -> Option<IntegerOp> {
    let own = op.replace("ilog2", "log2").replace("rotl", "rotate_left");
    let own = own.replace("rotr", "rotate_right");
    let bootstraps = |op: &IntegerOp| op.kind != IntegerKind::Not && op.mode == CarryMode::Default;
    Op::parse(&own)?.integer().filter(bootstraps)
}
