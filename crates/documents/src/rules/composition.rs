//! Rules about programs and the operations that they consist of.
//!
//! A program may share work between its operations (one relinearisation for a whole dot product)
//! and may run them in parallel, so it may take less than their sum; but never less than one of
//! them, and not much more than all of them one after another.

use fathom_drivers::ops::{Scheme, SchemeKind};

use super::finding::{Doubt, Finding};
use super::prints::half_a_digit;
use super::samples::is_unstable;
use crate::quantity::DERIVED;
use crate::table::Row;
use crate::unit::Unit;

/// Share by which a program may be faster than its longest operation, for noise and rounding.
const SHORTFALL: f64 = 0.1;
/// Factor by which a program may exceed the sum of its operations.
const EXCESS: f64 = 1.5;
/// Largest relative difference of a figure that was computed from another.
const ROUNDING: f64 = 0.02;

/// Checks every row.
pub(super) fn check(rows: &[Row]) -> Vec<Finding> {
    type Rule = fn(&[Row], &Row) -> Option<Finding>;
    let certain: Vec<Row> = rows.iter().filter(|row| !is_unstable(row)).cloned().collect();
    let compared: [Rule; 4] = [longest, sum, order, batch];
    // One figure was computed from the other, however uncertain both are.
    let computed: [Rule; 2] = [gates, share];
    let of = |rows: &[Row], rules: &[Rule]| {
        let all = rows.iter().flat_map(|row| rules.iter().filter_map(|rule| rule(rows, row)));
        all.collect::<Vec<_>>()
    };
    [of(&certain, &compared), of(rows, &computed)].concat()
}

/// Returns the time of an operation in the mode of the row, or in a mode of single operations
/// of the same library.
fn operation<'a>(rows: &'a [Row], row: &Row, op: &str) -> Option<&'a Row> {
    let is_it = |other: &&Row| {
        let elsewhere =
            other.mode == "operation" && other.params.get("library") == row.params.get("library");
        other.scheme == row.scheme
            && other.op == op
            && other.unit.seconds().is_some()
            && (other.mode == row.mode || elsewhere)
    };
    rows.iter().find(is_it)
}

/// Splits a name such as `dot16` or `sort8_u6` into the program, its size and its width.
fn parts(op: &str) -> Option<(&str, f64, &str)> {
    let (name, width) = op.split_once("_u").map_or((op, ""), |(name, width)| (name, width));
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (name, size) = name.split_at(digits);
    Some((name, size.parse().ok()?, width))
}

/// Returns the operations each of which a program contains at least once.
fn contents(op: &str) -> Vec<String> {
    let Some((name, _, width)) = parts(op) else {
        return if op == "polynomial" { vec!["mul".into()] } else { Vec::new() };
    };
    let compare = || ["compare", "lt", "gt", "le", "ge"].map(|op| format!("{op}_u{width}"));
    match name {
        "dot" => vec!["mul".into()],
        "inner_product" => vec!["mul".into(), "mul_no_relin".into()],
        "inner_product_plain" => vec!["mul_plain".into()],
        "sort" | "db" | "tree_depth" | "floyd_warshall" => compare().into(),
        "w" if op.starts_with("w2_") => compare().into(),
        "w" => std::iter::once(format!("mul_u{width}")).chain(compare()).collect(),
        _ => Vec::new(),
    }
}

/// Returns true for a product of all slots at once, which is a single product of ciphertexts.
fn fills_slots(row: &Row) -> bool {
    let size = parts(&row.op).map(|(_, size, _)| size);
    row.mode.starts_with("simd") || (size.is_some() && row.number("slots") == size)
}

/// Returns true for a scheme whose ciphertexts grow with a sum, so that later sums take longer.
fn grows(row: &Row) -> bool {
    Scheme::parse(&row.scheme).is_some_and(|scheme| scheme.kind() == SchemeKind::Scalars)
}

/// Finds programs that are faster than one of their operations.
fn longest(rows: &[Row], row: &Row) -> Option<Finding> {
    let time = row.seconds()?;
    let operations = contents(&row.op).into_iter();
    let operations = operations.filter_map(|op| operation(rows, row, &op));
    let longest = operations.max_by(|a, b| a.base().total_cmp(&b.base()))?;
    let errors = row.standard_error().hypot(longest.standard_error());
    let least = longest.base() * (1.0 - SHORTFALL) - 3.0 * errors;
    (time < least && !row.params.contains_key("at_least")).then(|| {
        let why = format!(
            "{} for the whole, where {} alone takes {}",
            row.figure(),
            longest.op,
            longest.figure()
        );
        Finding::new(Doubt::Composition, &[row, longest], why)
    })
}

/// Finds sums of products that take far longer than their products and sums one after another, and
/// products that take longer than their two stages.
fn sum(rows: &[Row], row: &Row) -> Option<Finding> {
    let time = row.seconds()?;
    let of = |op: &str| operation(rows, row, op).map(Row::base);
    let (parts, what) = match parts(&row.op) {
        Some(("dot", size, "")) if !fills_slots(row) && !grows(row) => {
            let add = of("add").unwrap_or(0.0);
            (size * of("mul")? + (size - 1.0) * add, format!("{size} products and their sum"))
        }
        None if row.op == "mul" => {
            (of("mul_no_relin")? + of("relin")?, "the product and its relinearisation".into())
        }
        Some(_) | None => return None,
    };
    (time > EXCESS * parts + 3.0 * row.standard_error()).then(|| {
        let why = format!("{time:.3e} s, where {what} take {parts:.3e} s one after another");
        Finding::new(Doubt::Composition, &[row], why)
    })
}

/// Finds products that are faster than sums.
fn order(rows: &[Row], row: &Row) -> Option<Finding> {
    let time = row.seconds().filter(|_| row.op == "mul")?;
    let add = operation(rows, row, "add")?;
    (time < add.base() * (1.0 - SHORTFALL)).then(|| {
        let why = format!("a product in {}, a sum in {}", row.figure(), add.figure());
        Finding::new(Doubt::Composition, &[row, add], why)
    })
}

/// Finds estimates of integer operations that are not their gates times the time of one.
fn gates(rows: &[Row], row: &Row) -> Option<Finding> {
    let (_, gates) = DERIVED.into_iter().find(|(op, _)| *op == row.op)?;
    let gate = operation(rows, row, "nand")?;
    let (printed, implied) = (row.seconds()?, gates * gate.base());
    ((printed / implied - 1.0).abs() > ROUNDING).then(|| {
        let why = format!("{printed:.1} s, where {gates} gates take {implied:.1} s");
        Finding::new(Doubt::SumMismatch, &[row, gate], why)
    })
}

/// Finds times a slot that are not that of the operation divided by the slots.
fn share(rows: &[Row], row: &Row) -> Option<Finding> {
    // Another rule finds that the unit is not that of the name.
    let op = row.op.strip_suffix("_per_slot_us").filter(|_| row.unit == Unit::Microseconds)?;
    let whole = operation(rows, row, op)?;
    let slots = row.number("slots").or_else(|| whole.number("slots"))?;
    let (printed, implied) = (row.seconds()?, whole.base() / slots);
    let half = half_a_digit(&row.mean.to_string()) * row.unit.seconds()?;
    ((printed - implied).abs() > half.max(ROUNDING * implied)).then(|| {
        let why = format!(
            "{}, where {} over {slots} slots is {:.4} us",
            row.figure(),
            whole.figure(),
            implied * 1e6
        );
        Finding::new(Doubt::SumMismatch, &[row, whole], why)
    })
}

/// Finds batches of products that contradict each other: `mul_512_seq_ms` is about 512 products,
/// `mul_512_par_ms` no less than its share of them, `mul_512_throughput` 512 over that time.
fn batch(rows: &[Row], row: &Row) -> Option<Finding> {
    let (op, rest) = row.op.split_once('_')?;
    let (count, kind) = rest.split_once('_')?;
    let count: f64 = count.parse().ok()?;
    let beside = |kind: &str| row.beside(rows, &format!("{op}_{count}_{kind}"));
    match kind {
        "throughput" if row.unit == Unit::PerSecond => {
            let all = beside("par_ms")?;
            let implied = count / all.seconds()?;
            ((row.mean / implied - 1.0).abs() > ROUNDING).then(|| {
                let why = format!("{} per second, where the time implies {implied:.0}", row.mean);
                Finding::new(Doubt::RateMismatch, &[row, all], why)
            })
        }
        "par_ms" => {
            let (one, threads) = (beside("seq_ms")?, row.number("threads")?);
            let speedup = one.seconds()? / row.seconds()?;
            (speedup > threads * (1.0 + SHORTFALL)).then(|| {
                let why = format!("{speedup:.1} times as fast on {threads:.0} threads");
                Finding::new(Doubt::Composition, &[row, one], why)
            })
        }
        "seq_ms" => {
            let single = |other: &&Row| {
                let mode = row.mode.strip_prefix("parallel").unwrap_or(&row.mode);
                let mode = mode.strip_prefix('/').filter(|mode| !mode.is_empty());
                other.scheme == row.scheme
                    && other.op == op
                    && other.mode == mode.unwrap_or("scalar")
            };
            let one = rows.iter().find(single)?;
            let (printed, implied) = (row.seconds()?, count * one.seconds()?);
            let apart = (printed / implied).max(implied / printed);
            (apart > EXCESS).then(|| {
                let why = format!("{printed:.3} s, where {count} of them imply {implied:.3} s");
                Finding::new(Doubt::SumMismatch, &[row, one], why)
            })
        }
        _ => None,
    }
}
