//! Units: which there are, which a name implies, and which times an operation can take.

use super::finding::{Doubt, Finding};
use super::table::Row;
use crate::ops::Op;
use crate::ops::torus::{Gate, IntegerKind, IntegerOp};

/// A unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the unit of its name")]
pub enum Unit {
    Nanoseconds,
    Microseconds,
    Milliseconds,
    Seconds,
    Minutes,
    Hours,
    Bytes,
    Kibibytes,
    Mebibytes,
    PerSecond,
    Percent,
}

/// Units by name.
const UNITS: [(&str, Unit); 11] = [
    ("ns", Unit::Nanoseconds),
    ("us", Unit::Microseconds),
    ("ms", Unit::Milliseconds),
    ("s", Unit::Seconds),
    ("min", Unit::Minutes),
    ("h", Unit::Hours),
    ("bytes", Unit::Bytes),
    ("KiB", Unit::Kibibytes),
    ("MiB", Unit::Mebibytes),
    ("ops_per_sec", Unit::PerSecond),
    ("percent", Unit::Percent),
];

impl Unit {
    /// Parses a name.
    ///
    /// # Errors
    /// A sentence with the names that there are.
    pub fn parse(name: &str) -> Result<Self, String> {
        let found = UNITS.iter().find(|(known, _)| *known == name).map(|(_, unit)| *unit);
        let names: Vec<&str> = UNITS.iter().map(|(known, _)| *known).collect();
        found.ok_or_else(|| format!("`{name}` is no unit; there are {}", names.join(", ")))
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        UNITS.iter().find(|(_, unit)| *unit == self).map_or("", |(name, _)| name)
    }

    /// Returns the length of the unit in seconds, if it is one of time.
    pub fn seconds(self) -> Option<f64> {
        match self {
            Self::Nanoseconds => Some(1e-9),
            Self::Microseconds => Some(1e-6),
            Self::Milliseconds => Some(1e-3),
            Self::Seconds => Some(1.0),
            Self::Minutes => Some(60.0),
            Self::Hours => Some(3600.0),
            Self::Bytes | Self::Kibibytes | Self::Mebibytes | Self::PerSecond | Self::Percent => {
                None
            }
        }
    }

    /// Returns the size of the unit in bytes, if it is one of size.
    pub fn bytes(self) -> Option<f64> {
        match self {
            Self::Bytes => Some(1.0),
            Self::Kibibytes => Some(1024.0),
            Self::Mebibytes => Some(1024.0 * 1024.0),
            Self::Nanoseconds
            | Self::Microseconds
            | Self::Milliseconds
            | Self::Seconds
            | Self::Minutes
            | Self::Hours
            | Self::PerSecond
            | Self::Percent => None,
        }
    }
}

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
        "{} {} for about {bootstraps:.0} bootstraps is {each:.3} s each; published ones take 0.2 \
         to 150 ms",
        row.mean,
        row.unit.name()
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

/// Parses an operation on integers of any published name.
fn integer(op: &str) -> Option<IntegerOp> {
    let own = op.replace("ilog2", "log2").replace("rotl", "rotate_left");
    let own = own.replace("rotr", "rotate_right");
    Op::parse(&own)?.integer().filter(|op| op.kind != IntegerKind::Not)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for (name, unit) in UNITS {
            assert_eq!(Unit::parse(name), Ok(unit));
            assert_eq!(unit.name(), name);
        }
        assert!(Unit::parse("parsec").unwrap_err().contains("ops_per_sec"));
    }
}
