//! Comparison of two runs: finds the cases that changed by more than chance and noise explain.

use std::collections::HashMap;

use crate::record::{Case, Status};
use crate::stats::{Ratio, bootstrap_ratio};

/// One case in both runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Case id.
    pub id: String,
    /// Time of the second run divided by that of the first, with a 99 % interval.
    pub ratio: Ratio,
    /// Conclusion from the ratio.
    pub verdict: Verdict,
}

/// Conclusion from a ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The interval lies below 1 and the change exceeds the noise floor.
    Faster,
    /// The interval lies above 1 and the change exceeds the noise floor.
    Slower,
    /// The change is not significant.
    Indistinguishable,
}

impl Verdict {
    /// Returns the character that marks the verdict in tables.
    pub fn mark(self) -> char {
        match self {
            Self::Faster => '+',
            Self::Slower => '-',
            Self::Indistinguishable => '~',
        }
    }
}

/// The result of comparing two runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Cases with correct results and times in both, in the order of the first run.
    pub compared: Vec<Comparison>,
    /// Cases that were correct in the first run but not in the second, with the reason.
    pub broken: Vec<(String, String)>,
    /// Cases that only one run has.
    pub unmatched: Vec<String>,
}

impl Report {
    /// Compares run `b` with run `a`; differences below `noise_floor` are not significant.
    pub fn of(a: &[Case], b: &[Case], noise_floor: f64) -> Self {
        let mut later: HashMap<&str, &Case> =
            b.iter().map(|case| (case.id.as_str(), case)).collect();
        let mut report = Self::default();
        for before in a {
            match later.remove(before.id.as_str()) {
                Some(after) => report.pair(before, after, noise_floor),
                None => report.unmatched.push(before.id.clone()),
            }
        }
        let only_b = b.iter().filter(|case| later.contains_key(case.id.as_str()));
        report.unmatched.extend(only_b.map(|case| case.id.clone()));
        report
    }

    /// Returns the cases slower by more than `limit` (0.05 for 5 %), beyond chance and noise.
    pub fn regressions(&self, limit: f64) -> Vec<&Comparison> {
        let slower = |c: &&Comparison| c.verdict == Verdict::Slower && c.ratio.ratio > 1.0 + limit;
        self.compared.iter().filter(slower).collect()
    }

    /// Returns the geometric mean of the ratios; 1 if there are none.
    pub fn geometric_mean(&self) -> f64 {
        let logs: Vec<f64> = self.compared.iter().map(|c| c.ratio.ratio.ln()).collect();
        if logs.is_empty() { 1.0 } else { (logs.iter().sum::<f64>() / logs.len() as f64).exp() }
    }

    fn pair(&mut self, before: &Case, after: &Case, noise_floor: f64) {
        let right = |case: &Case| case.verify.status == Status::Ok || case.verify.expected;
        if right(before) && !right(after) {
            self.broken.push((before.id.clone(), after.verify.status.word().into()));
            return;
        }
        let ok = before.verify.status == Status::Ok && after.verify.status == Status::Ok;
        let (Some(old), Some(new)) = (&before.time_ns, &after.time_ns) else { return };
        let series = |samples: &[u64]| samples.iter().map(|&ns| ns as f64).collect::<Vec<_>>();
        let (old, new) = (series(&old.samples), series(&new.samples));
        if let Some(ratio) = bootstrap_ratio(&new, &old, 0.99, 1).filter(|_| ok) {
            let verdict = judge(ratio, noise_floor, old.len().min(new.len()));
            self.compared.push(Comparison { id: before.id.clone(), ratio, verdict });
        }
    }
}

fn judge(ratio: Ratio, noise_floor: f64, samples: usize) -> Verdict {
    let above_noise = ratio.ratio.max(1.0 / ratio.ratio) - 1.0 > noise_floor;
    let [low, high] = ratio.interval;
    if !above_noise || samples < 6 {
        Verdict::Indistinguishable
    } else if low > 1.0 {
        Verdict::Slower
    } else if high < 1.0 {
        Verdict::Faster
    } else {
        Verdict::Indistinguishable
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_drivers::random::SplitMix64;

    fn case(id: &str, status: &str, samples: &[u64]) -> Case {
        let mut time = serde_json::json!({
            "n": samples.len(), "iterations": 1, "samples": samples, "median": 0, "ci95": null,
            "mad": 0, "min": 0, "p95": 0, "p99": 0, "mean": 0, "stddev": 0, "lag1": 0.0,
            "outliers": { "mild": 0, "severe": 0 }, "cpu": null, "involuntary_switches": null,
            "flags": [],
        });
        if samples.is_empty() {
            time = serde_json::Value::Null;
        }
        serde_json::from_value(serde_json::json!({
            "kind": "case", "id": id, "scheme": "bfv", "op": "mul", "scenario": "latency",
            "lib": { "name": "x", "version": "1", "build": "", "isa_used": "" },
            "lane": { "pack": "simd", "slots": 1, "threads": 1, "inputs": "pk" },
            "semantics": { "kind": "exact_mod_p", "p": 2 }, "params": null, "security": null,
            "verify": {
                "status": status, "expected": status == "ok", "checked": 1, "mismatches": 0,
                "noise_budget_bits": { "before": null, "after": null, "predicted_after": null },
                "p_fail_log2": null,
            },
            "time_ns": time, "bytes": {}, "derived": {}, "provenance": "measured",
        }))
        .unwrap()
    }

    fn around(center: usize, seed: u64) -> Vec<u64> {
        let mut random = SplitMix64(seed);
        (0..30).map(|_| (center + random.below(center / 20)) as u64).collect()
    }

    #[test]
    fn a_run_does_not_differ_from_itself_or_from_its_repetition() {
        let alarms = (0..20).filter(|&seed| {
            let a = [case("m", "ok", &around(100_000, seed))];
            let b = [case("m", "ok", &around(100_000, seed + 100))];
            let same = Report::of(&a, &a, 0.0);
            assert_eq!(same.compared[0].verdict, Verdict::Indistinguishable);
            Report::of(&a, &b, 0.02).compared[0].verdict != Verdict::Indistinguishable
        });
        assert!(alarms.count() <= 1);
    }

    #[test]
    fn a_slower_case_is_a_regression_only_beyond_limit_and_noise() {
        let a = [case("m", "ok", &around(100_000, 1))];
        let b = [case("m", "ok", &around(108_000, 2))];
        assert_eq!(Report::of(&a, &b, 0.02).regressions(0.05).len(), 1);
        assert_eq!(Report::of(&a, &b, 0.02).regressions(0.10).len(), 0);
        assert_eq!(Report::of(&a, &b, 0.20).regressions(0.05).len(), 0);
        let faster = Report::of(&b, &a, 0.02);
        assert_eq!(faster.compared[0].verdict, Verdict::Faster);
        assert!(faster.geometric_mean() < 1.0);
    }

    #[test]
    fn a_result_that_became_wrong_is_broken_and_not_compared() {
        let a = [case("m", "ok", &around(100, 1)), case("only_a", "ok", &[])];
        let b = [case("m", "wrong", &around(50, 1)), case("only_b", "ok", &[])];
        let report = Report::of(&a, &b, 0.0);
        assert!(report.compared.is_empty());
        assert_eq!(report.broken, [("m".to_owned(), "wrong".to_owned())]);
        assert_eq!(report.unmatched, ["only_a", "only_b"]);
    }
}
