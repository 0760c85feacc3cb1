//! The pairing of cases with the figures of a table: a case measures what a figure states if it has
//! the same parameters, failure probability and threads. A case that differs stands in for the
//! figure, without a ratio, and so does one of which the document leaves the degree or the failure
//! probability open to doubt.

use fathom_cases::record::{Case, ratio};
use fathom_drivers::ops::Scheme;

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

/// Compares what the row prints of its ring: the degree, also if it prints no modulus, and the
/// modulus if it does.
fn set(row: &Row, case: &Case) -> Option<String> {
    let own = case.params.as_ref()?;
    if let Some(n) = row.number("config_n").filter(|n| *n as usize != own.n) {
        return Some(format!("N = {}, where the document prints {n}", own.n));
    }
    let n = row.number("n")?;
    let Some(log_q) = row.number("log_q") else {
        let same = own.n == n as usize;
        return (!same).then(|| format!("N = {}, where the document prints {n}", own.n));
    };
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
    let Some(stated) = row.number("p_fail_log2") else {
        let bootstraps = Scheme::parse(&row.scheme).is_some_and(|s| s.kind().bootstraps());
        let set = row.params.get("set").filter(|_| bootstraps)?;
        return Some(format!("p_fail 2^{own:.0}, where none is known of the document's {set}"));
    };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table;
    use serde_json::{Value, json};

    /// A case with these parameters, as a record has it.
    fn case(scheme: &str, params: &Value) -> Case {
        serde_json::from_value(json!({
            "kind": "case", "id": format!("fathom/{scheme}/set/mul"), "scheme": scheme, "op": "mul",
            "scenario": "latency",
            "lib": { "name": "fathom", "version": "1", "build": "", "isa_used": "" },
            "lane": { "pack": "scalar", "slots": 1, "threads": 1, "inputs": "sk" },
            "semantics": { "kind": "exact_integers", "p": null }, "params": params,
            "security": null,
            "verify": {
                "status": "ok", "expected": true, "checked": 1, "mismatches": 0,
                "noise_budget_bits": { "before": null, "after": null, "predicted_after": null },
                "p_fail_log2": null,
            },
            "time_ns": null, "bytes": {}, "derived": {}, "provenance": "measured",
        }))
        .unwrap()
    }

    fn row(scheme: &str, params: &str) -> Row {
        let table = format!("{}\n{scheme},m,mul,1,,ms,,{params},1\n", table::HEADER);
        table::read(&table).unwrap().remove(0)
    }

    #[test]
    fn a_printed_degree_is_compared_without_a_printed_modulus() {
        let own = json!({ "name": "e1", "n": 4096, "log_q": 60.0, "log_qp": 106.0,
            "plain_modulus": 65537, "slots": 4096, "levels": 1, "secret": "ternary",
            "sigma": 3.19, "depth": 1, "p_fail_log2": -128.0 });
        let own = case("bfv", &own);
        let differences = |params| differences(&row("bfv", params), &own);
        assert!(differences("n=4096;towers=3;t=65537").is_empty());
        let half = "N = 4096, where the document prints 8192";
        assert_eq!(differences("n=8192;towers=3;t=65537"), [half]);
        assert!(differences("t=65537").is_empty(), "nothing is printed");
    }

    #[test]
    fn a_named_set_is_alike_at_a_known_and_equal_failure_probability_only() {
        let own = json!({ "name": "u_bool_64", "n": 1024, "log_q": 32.0, "log_qp": 32.0,
            "slots": 1, "levels": 0, "secret": "binary", "sigma": 1.0, "depth": 0,
            "p_fail_log2": -64.0 });
        let own = case("tfhe", &own);
        let differences = |params| differences(&row("tfhe", params), &own);
        assert!(differences("set=A;p_fail_log2=-64.017").is_empty());
        let other = "p_fail 2^-64, where the document's set has 2^-23.6";
        assert_eq!(differences("set=A;p_fail_log2=-23.6"), [other]);
        assert_eq!(differences("set=A"), ["p_fail 2^-64, where none is known of the document's A"]);
    }

    /// The sets of tfhe-rs that document 002 names, with what their source states.
    #[test]
    fn every_set_of_tfhe_rs_that_is_measured_has_a_failure_probability() {
        let rows =
            crate::documents::ALL.into_iter().find(|found| found.name == "002").unwrap().rows();
        let own = |row: &&Row| {
            row.params.get("library").is_some_and(|library| library == "tfhe-rs")
                && !row.params.contains_key("imported")
        };
        for row in rows.iter().filter(own) {
            assert!(row.number("p_fail_log2").is_some_and(|bits| bits < -20.0), "{}", row.name());
        }
    }
}
