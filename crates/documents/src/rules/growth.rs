//! Rules about one operation at several sizes: a larger one takes longer, but by no more than its
//! algorithm grows.
//!
//! Sizes are the width of an integer (`mul_u16` beside `mul_u32`), the number in the name of a
//! program (`sort8_u8` beside `sort16_u8`), and the degree and modulus of a parameter set. Rows
//! that state their samples are compared with three standard errors, so that noise is no doubt.

use std::cmp::Ordering::Equal;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::finding::{Doubt, Finding};
use super::samples::is_unstable;
use crate::table::Row;

/// Share by which a larger size may be faster: printed figures are rounded and machines not idle.
const SHORTFALL: f64 = 0.1;
/// The same for figures that are stated as approximate.
const ROUGH_SHORTFALL: f64 = 0.25;
/// Standard errors by which two measured means must differ.
const ERRORS: f64 = 3.0;
/// Factor by which a time may exceed the growth of its algorithm.
const SLACK: f64 = 2.0;
/// Growth of a product or a quotient of integers, the steepest of the operations.
const WIDTH_EXPONENT: f64 = 2.0;

/// Programs by the beginning of their names, with the exponent of their growth in the number that
/// follows. A tree has twice as many nodes for each level.
const PROGRAMS: [(&str, Growth); 7] = [
    ("sort", Growth::Power(2.0)),
    ("floyd_warshall", Growth::Power(3.0)),
    ("tree_depth", Growth::Doubling),
    ("db", Growth::Power(1.0)),
    ("dot", Growth::Power(1.0)),
    ("inner_product", Growth::Power(1.0)),
    ("inner_product_plain", Growth::Power(1.0)),
];

/// Operations that switch keys, whose time depends on more than degree and modulus: sets are
/// compared only where both state the same `key_switching`, or none.
const SWITCHING: [&str; 8] =
    ["mul", "square", "relin", "rotate", "dot", "inner_product", "polynomial", "keygen"];

/// The growth of a program's time with its size.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Growth {
    /// The time grows with this power of the size.
    Power(f64),
    /// Twice for each step of the size, and once with the size itself.
    Doubling,
}

impl Growth {
    /// Returns the largest ratio of the times at two sizes.
    fn most(self, small: f64, large: f64) -> f64 {
        match self {
            Self::Power(exponent) => SLACK * (large / small).powf(exponent),
            Self::Doubling => SLACK * (large - small).exp2() * large / small,
        }
    }
}

/// The width of an integer in the name of an operation.
static WIDTH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"_([ui])(\d+)(_|$)").expect("the pattern is constant"));

/// The size in the name of a program.
static SIZE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^([a-z_]+?)(\d+)(_u\d+)?$").expect("the pattern is constant"));

/// A row with its size.
#[derive(Clone, Copy)]
struct Point<'a> {
    row: &'a Row,
    size: f64,
    growth: Growth,
}

/// Checks all operations that occur at several sizes.
pub(super) fn check(rows: &[Row]) -> Vec<Finding> {
    let certain: Vec<&Row> = rows.iter().filter(|row| !is_unstable(row)).collect();
    let is_time = |row: &&Row| row.unit.seconds().is_some();
    let times: Vec<&Row> = certain.iter().copied().filter(is_time).collect();
    let mut findings = families(&times, width);
    findings.extend(families(&times, program));
    findings.extend(sets(&certain));
    findings
}

/// Returns the family and the point of an operation on integers.
fn width(row: &Row) -> Option<(String, Point<'_>)> {
    let found = WIDTH.captures(&row.op)?;
    let family = WIDTH.replace(&row.op, "_$1*$3").into_owned();
    let size = found[2].parse().ok()?;
    Some((family, Point { row, size, growth: Growth::Power(WIDTH_EXPONENT) }))
}

/// Returns the family and the point of a program.
fn program(row: &Row) -> Option<(String, Point<'_>)> {
    let found = SIZE.captures(&row.op)?;
    let (_, growth) = PROGRAMS.into_iter().find(|(name, _)| *name == &found[1])?;
    let size: f64 = found[2].parse().ok()?;
    // A dot product of all slots is one product of ciphertexts, whatever their number.
    if row.number("slots") == Some(size) || row.mode.starts_with("simd") {
        return None;
    }
    let width = found.get(3).map_or("", |width| width.as_str());
    Some((format!("{}*{width}", &found[1]), Point { row, size, growth }))
}

/// Compares the neighbours of every family of a scheme and mode.
fn families<'a>(
    rows: &[&'a Row],
    point: impl Fn(&'a Row) -> Option<(String, Point<'a>)>,
) -> Vec<Finding> {
    let mut families: BTreeMap<(&str, &str, String), Vec<Point<'a>>> = BTreeMap::new();
    for row in rows {
        if let Some((family, point)) = point(row) {
            families.entry((&row.scheme, &row.mode, family)).or_default().push(point);
        }
    }
    let mut findings = Vec::new();
    for points in families.values_mut() {
        points.sort_by(|a, b| a.size.total_cmp(&b.size));
        for pair in points.windows(2) {
            if let [small, large] = pair
                && small.size < large.size
            {
                findings.extend(faster(small.row, large.row).or_else(|| steep(*small, *large)));
            }
        }
    }
    findings
}

/// Finds a larger size that is faster than a smaller one.
fn faster(small: &Row, large: &Row) -> Option<Finding> {
    let (less, more) = (small.base(), large.base());
    let rough = [small, large].iter().any(|row| row.params.contains_key("approximate"));
    let allowed = if rough { ROUGH_SHORTFALL } else { SHORTFALL };
    let errors = small.standard_error().hypot(large.standard_error());
    let is_faster = more < less * (1.0 - allowed) && less - more > ERRORS * errors;
    // What takes at least so long may take longer.
    (is_faster && !large.params.contains_key("at_least")).then(|| {
        let why = format!("the smaller has {}, the larger only {}", small.figure(), large.figure());
        Finding::new(Doubt::NotMonotone, &[small, large], why)
    })
}

/// Finds a time that grows by more than its algorithm.
fn steep(small: Point<'_>, large: Point<'_>) -> Option<Finding> {
    let ratio = large.row.base() / small.row.base();
    let most = small.growth.most(small.size, large.size);
    (ratio > most && !small.row.params.contains_key("at_least")).then(|| {
        let why = format!(
            "the time grows {ratio:.1} times from size {} to {}, where the steepest algorithm \
             grows {:.1} times",
            small.size,
            large.size,
            most / SLACK
        );
        Finding::new(Doubt::Growth, &[small.row, large.row], why)
    })
}

/// Finds operations that are faster, and ciphertexts that are smaller, under parameters of at least
/// twice the degree and no smaller a modulus.
fn sets(rows: &[&Row]) -> Vec<Finding> {
    let sized = rows.iter().copied().filter(|row| {
        let is_figure = row.unit.seconds().is_some() || row.op.starts_with("ct_size");
        is_figure && set_size(row).is_some() && !row.op.contains("depth")
    });
    let mut by_op: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    for row in sized {
        by_op.entry((&row.scheme, &row.op)).or_default().push(row);
    }
    let mut findings = Vec::new();
    for rows in by_op.values() {
        for small in rows {
            let larger = rows.iter().filter(|large| is_larger(small, large));
            // The nearest set that is faster stands for all of them.
            let found = larger.filter_map(|large| Some((set_size(large)?, faster(small, large)?)));
            let nearest = found.min_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(Equal));
            findings.extend(nearest.map(|(_, finding)| finding));
        }
    }
    findings
}

/// Returns the degree of a row's parameters, and the bits or the number of primes of their modulus.
fn set_size(row: &Row) -> Option<(f64, f64)> {
    Some((row.number("n")?, row.number("log_q").or_else(|| row.number("towers"))?))
}

/// Returns true if the parameters of `large` make the same operation at least twice the work.
fn is_larger(small: &Row, large: &Row) -> bool {
    let same = |name: &str| small.params.get(name) == large.params.get(name);
    let switches = SWITCHING.iter().any(|op| small.op.starts_with(op));
    let both_state = |name: &str| small.number(name).is_some() == large.number(name).is_some();
    let (Some((n, modulus)), Some((more_n, more_modulus))) = (set_size(small), set_size(large))
    else {
        return false;
    };
    more_n >= 2.0 * n
        && more_modulus >= modulus
        && ["threads", "library", "lane"].iter().all(|name| same(name))
        && both_state("log_q")
        && (!switches || same("key_switching"))
}
