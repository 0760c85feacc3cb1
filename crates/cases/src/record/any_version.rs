//! Cases of any version of the testbed: a page shows what a line says, whoever wrote it.
//!
//! A line of this version is a [`Case`] as it stands. Another may lack fields: it gets them from a
//! case of which nothing is known, and is shown without a rank.

use serde::Deserialize;
use serde_json::{Value, json};

use super::application::Application;
use super::case::{Case, Status};

/// Fields that a case may lack; their content is that of a present one whose own fields are absent.
const OPTIONAL: [&str; 3] = ["params", "security", "time_ns"];

/// A case of any version.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The case.
    pub case: Case,
    /// True for a line of this version, which has every field; no other case is ranked.
    pub is_whole: bool,
}

impl Shown {
    /// Reads the value of a line.
    ///
    /// # Errors
    /// The first field whose value is none of its type.
    pub fn read(value: Value) -> serde_json::Result<Self> {
        if let Ok(case) = Case::deserialize(&value) {
            return Ok(Self { case, is_whole: true });
        }
        let mut value = value;
        drop_unknown(&mut value);
        complete(&mut value, &blank());
        Ok(Self { case: serde_json::from_value(value)?, is_whole: false })
    }
}

/// Removes values that another version writes in a form of its own.
fn drop_unknown(line: &mut Value) {
    let status = line.pointer_mut("/verify/status");
    if let Some(status) = status.filter(|found| Status::deserialize(&**found).is_err()) {
        *status = Value::Null;
    }
    let rate = line.pointer_mut("/verify/p_fail_log2");
    if let Some(rate) = rate.filter(|found| found.is_number()) {
        *rate = json!({ "predicted": rate, "observed": { "fail": 0, "n": 0 } });
    }
    let provenance = line.get_mut("provenance");
    if let Some(found) = provenance.filter(|found| !found.is_string() && !found.is_null()) {
        *found = found.to_string().into();
    }
    let application = line.get_mut("application");
    if let Some(found) = application.filter(|found| Application::deserialize(&**found).is_err()) {
        *found = Value::Null;
    }
}

/// Gives an object the fields of another that it lacks.
fn complete(value: &mut Value, blank: &Value) {
    let (Some(fields), Some(known)) = (value.as_object_mut(), blank.as_object()) else { return };
    for (name, blank) in known {
        let own = fields.entry(name.clone()).or_insert(Value::Null);
        if !own.is_null() {
            complete(own, blank);
        } else if !OPTIONAL.contains(&name.as_str()) {
            own.clone_from(blank);
        }
    }
}

/// Returns a case of which nothing is known.
fn blank() -> Value {
    json!({
        "kind": "case", "id": "",
        "lib": { "name": "", "version": "", "build": "", "isa_used": "" },
        "scheme": "", "op": "", "scenario": null,
        "lane": { "pack": "", "slots": 1, "threads": 1, "inputs": "pk" },
        "semantics": { "kind": "", "p": null },
        "params": {
            "name": "", "n": 0, "log_q": 0.0, "log_qp": 0.0, "slots": 1, "levels": 0,
            "secret": "", "sigma": 0.0, "depth": 0,
        },
        "security": { "classical": null, "model": "", "source": "", "badge": "" },
        "verify": {
            "status": "unverified", "expected": false, "checked": 0, "mismatches": 0,
            "noise_budget_bits": { "before": null }, "p_fail_log2": null,
        },
        "time_ns": {
            "n": 0, "iterations": 1, "samples": [], "median": 0, "ci95": null, "mad": 0, "min": 0,
            "p95": 0, "p99": 0, "mean": 0, "stddev": 0, "outliers": { "mild": 0, "severe": 0 },
            "lag1": 0.0, "flags": [],
        },
        "bytes": {}, "derived": {}, "provenance": "",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORDS: &str = include_str!("../../../../records/quick-2026-11-20.jsonl");

    #[test]
    fn lines_of_this_version_are_whole_and_keep_every_value() {
        let cases = RECORDS.lines().filter(|line| line.contains("\"kind\":\"case\""));
        for line in cases {
            let value: Value = serde_json::from_str(line).unwrap();
            let shown = Shown::read(value.clone()).unwrap();
            assert!(shown.is_whole, "{line}");
            let again = serde_json::to_value(&shown.case).unwrap();
            assert_eq!(again["time_ns"], value["time_ns"]);
            assert_eq!(again["verify"]["status"], value["verify"]["status"]);
        }
    }

    #[test]
    fn a_line_that_says_little_is_shown_with_what_it_says() {
        let little = json!({
            "kind": "case", "op": "mul", "time_ns": { "median": 5, "n": 2 },
            "verify": { "status": "perhaps", "p_fail_log2": -40.0 }, "provenance": ["a"],
            "application": 1, "field": "of a later version",
        });
        let Shown { case, is_whole } = Shown::read(little).unwrap();
        assert!(!is_whole && case.params.is_none() && case.application.is_none());
        assert_eq!(case.verify.status, Status::Unverified);
        assert_eq!(case.verify.p_fail_log2.map(|rate| rate.predicted), Some(-40.0));
        assert_eq!(case.time_ns.map(|time| (time.n, time.median)), Some((2, 5)));
        assert_eq!((&*case.op, &*case.provenance, case.lane.threads), ("mul", "[\"a\"]", 1));
        assert!(Shown::read(json!({ "kind": "case", "op": 7 })).is_err());
    }
}
