//! The accuracy of the planner's predictions of the programs of a run.

use std::collections::BTreeMap;

use super::application::Application;
use super::case::{Case, Status};

/// Largest deviation of a prediction that is called accurate.
pub const ACCURATE: f64 = 0.3;

/// Predictions compared with measurements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// Number of predicted and measured computations.
    pub predicted: usize,
    /// Number of those that deviate by at most 30 %.
    pub accurate: usize,
    /// Id and deviation of the one that deviates most, relative to the measured time.
    pub worst: Option<(String, f64)>,
    /// Number of tasks for which the planner chose among several measured implementations.
    pub choices: usize,
    /// Number of those whose choice had the shortest request.
    pub fastest: usize,
}

impl Accuracy {
    /// Compares all verified cases that have a prediction.
    pub fn of(cases: &[Case]) -> Self {
        let verified = cases.iter().filter(|case| case.verify.status == Status::Ok);
        let programs = verified.filter_map(|case| Some((case, case.application.as_ref()?)));
        let mut accuracy = Self::default();
        let mut tasks: BTreeMap<_, Vec<&Application>> = BTreeMap::new();
        for (case, application) in programs {
            let Some(deviation) = application.deviation() else { continue };
            accuracy.predicted += 1;
            accuracy.accurate += usize::from(deviation.abs() <= ACCURATE);
            let worst = accuracy.worst.as_ref().map_or(0.0, |(_, worst)| worst.abs());
            if deviation.abs() >= worst {
                accuracy.worst = Some((case.id.clone(), deviation));
            }
            let task = (case.lib.name.as_str(), application.task.id(), case.lane.op_threads);
            tasks.entry(task).or_default().push(application);
        }
        for programs in tasks.values().filter(|programs| programs.len() > 1) {
            let time = |program: &&&Application| program.phases.request_ns();
            let chosen = |program: &&&Application| {
                program.predicted.is_some_and(|predicted| predicted.chosen)
            };
            let Some(choice) = programs.iter().find(chosen) else { continue };
            accuracy.choices += 1;
            let fastest = programs.iter().map(|program| time(&program)).min();
            accuracy.fastest += usize::from(Some(time(&choice)) == fastest);
        }
        accuracy
    }

    /// Returns the comparison in words; `None` if nothing was predicted.
    pub fn sentence(&self) -> Option<String> {
        let (id, worst) = self.worst.as_ref()?;
        let (accurate, predicted) = (self.accurate, self.predicted);
        let text = format!(
            "The planner predicted {accurate} of {predicted} computations within {:.0} %; the \
             largest deviation is {:+.0} % ({id}).",
            ACCURATE * 100.0,
            worst * 100.0
        );
        let (fastest, choices) = (self.fastest, self.choices);
        Some(match choices {
            0 => text,
            _ => format!("{text} Its choice was the fastest in {fastest} of {choices} tasks."),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Predicted;
    use serde_json::json;

    /// A case of `sort` on `threads` threads; times in milliseconds.
    fn case(threads: usize, place: usize, [predicted, measured]: [u64; 2], chosen: bool) -> Case {
        let size = format!("tiny.{place}");
        let ns = |ms: u64| ms * 1_000_000;
        serde_json::from_value(json!({
            "kind": "case", "id": format!("fathom/tfhe/{size}/sort-plain?op_threads={threads}"),
            "scheme": "tfhe", "op": "sort-plain", "scenario": "latency",
            "lib": { "name": "fathom", "version": "1", "build": "", "isa_used": "" },
            "lane": { "pack": "scalar", "slots": 1, "threads": 1, "op_threads": threads,
                "inputs": "sk" },
            "semantics": { "kind": "exact_integers", "p": null }, "params": null,
            "security": null,
            "verify": {
                "status": "ok", "expected": true, "checked": 1, "mismatches": 0,
                "noise_budget_bits": { "before": null, "after": null, "predicted_after": null },
                "p_fail_log2": null,
            },
            "time_ns": null, "bytes": {}, "derived": {}, "provenance": "measured",
            "application": {
                "task": { "workload": "sort", "variant": "plain", "size": "tiny", "shape": {} },
                "method": "m", "seeds": [1], "parameters": "p",
                "phases": { "keygen_ns": 1, "keys_ns": 1, "encrypt_ns": 1, "load_ns": 1,
                    "compute_cold_ns": 1, "compute_warm_ns": ns(measured), "answer_ns": 1,
                    "decrypt_ns": 1 },
                "messages": { "keys": 1, "upload": 1, "download": 1 },
                "client_peak_bytes": 1, "server_peak_bytes": 1, "compute_cpu_ns": null,
                "predicted": Predicted { compute_ns: ns(predicted), chosen,
                    ..Predicted::default() },
            },
        }))
        .unwrap()
    }

    #[test]
    fn deviations_and_choices_are_counted() {
        let cases = [
            case(1, 0, [110, 100], true),
            case(1, 1, [160, 200], false),
            case(2, 0, [40, 80], true),
            case(2, 1, [60, 60], false),
            case(4, 0, [10, 10], true),
        ];
        let accuracy = Accuracy::of(&cases);
        assert_eq!((accuracy.predicted, accuracy.accurate), (5, 4));
        assert_eq!((accuracy.choices, accuracy.fastest), (2, 1));
        let sentence = accuracy.sentence().unwrap();
        let parts =
            ["4 of 5", "-50 % (fathom/tfhe/tiny.0/sort-plain?op_threads=2)", "1 of 2 tasks"];
        assert!(parts.iter().all(|part| sentence.contains(part)), "{sentence}");
        assert_eq!(Accuracy::of(&[]).sentence(), None);
    }
}
