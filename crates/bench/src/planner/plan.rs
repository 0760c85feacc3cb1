//! The plan of a task: all implementations with their predictions, and the one to use.

use fathom_planner::Prediction;
use fathom_workloads::Task;
use serde::Serialize;

use super::limits::{Limits, Share};
use crate::format;

/// An error of the planner.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlannerError {
    /// The workload refused the task.
    #[error(transparent)]
    Workload(#[from] fathom_workloads::Error),
    /// The library refused an operation while unit costs were measured.
    #[error("unit costs: {0}")]
    Library(#[from] fathom::Error),
    /// The machine lacks the memory for the bootstrapping keys of the circuit.
    #[error("bootstrapping {shortage}")]
    Memory {
        /// The amount that is needed and the amount that is there.
        shortage: String,
    },
    /// The planner has no unit costs for an operation of the circuit.
    #[error("{scheme} cannot be predicted yet: an operation of the circuit has no unit costs")]
    NoUnitCosts {
        /// The scheme.
        scheme: &'static str,
    },
}

/// An implementation, and what is known about it.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// Position in the list of the workload's implementations.
    pub implementation: usize,
    /// The scheme.
    pub scheme: &'static str,
    /// The algorithm in one sentence.
    pub method: &'static str,
    /// The costs, or the reason why it cannot be used.
    pub verdict: Verdict,
}

/// The answer to the question whether an implementation can be used for a task.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "status")]
pub enum Verdict {
    /// The implementation does not compute this task, or its costs are unknown.
    Refused {
        /// The reason.
        reason: String,
    },
    /// The costs of the implementation are known.
    Predicted {
        /// The costs.
        prediction: Prediction,
        /// The part of each limit that it uses, the largest first.
        shares: Vec<Share>,
    },
}

/// A plan. All its numbers are predictions; none was measured on the task.
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// The task.
    pub task: Task,
    /// Number of threads of the server.
    pub threads: usize,
    /// The limits of the user.
    pub limits: Limits,
    /// All implementations of the workload.
    pub candidates: Vec<Candidate>,
    /// Position in `candidates` of the one to use; null if none is within the limits.
    pub chosen: Option<usize>,
    /// The reason why the implementation was chosen, or why none was.
    pub reason: String,
}

impl Candidate {
    /// Returns the prediction and the shares, if its costs are known.
    pub fn prediction(&self) -> Option<(&Prediction, &[Share])> {
        match &self.verdict {
            Verdict::Refused { .. } => None,
            Verdict::Predicted { prediction, shares } => Some((prediction, shares)),
        }
    }

    /// Returns the limits that it exceeds, the most exceeded first.
    pub fn exceeded(&self) -> impl Iterator<Item = &Share> {
        let shares = self.prediction().map(|(_, shares)| shares).unwrap_or_default();
        shares.iter().filter(|share| !(..=1.0).contains(&share.used))
    }
}

impl Plan {
    /// Chooses the candidate with the shortest request among those within all limits.
    pub fn new(task: Task, threads: usize, limits: Limits, candidates: Vec<Candidate>) -> Self {
        let mut within: Vec<(usize, f64)> = candidates
            .iter()
            .enumerate()
            .filter(|(_, candidate)| candidate.exceeded().next().is_none())
            .filter_map(|(place, candidate)| Some((place, candidate.prediction()?.0.request_ns())))
            .collect();
        within.sort_by(|a, b| a.1.total_cmp(&b.1));
        let reason = reason(&within, &candidates);
        let chosen = within.first().map(|(place, _)| *place);
        Self { task, threads, limits, candidates, chosen, reason }
    }

    /// Returns the candidate to use with its prediction and shares.
    pub fn choice(&self) -> Option<(&Candidate, &Prediction, &[Share])> {
        let candidate = &self.candidates[self.chosen?];
        let (prediction, shares) = candidate.prediction()?;
        Some((candidate, prediction, shares))
    }
}

/// Says why the first of the candidates within the limits, with their times, is chosen.
fn reason(within: &[(usize, f64)], candidates: &[Candidate]) -> String {
    match within {
        [] => match candidates {
            [] => "the workload has no implementation".into(),
            _ => "no implementation is within the limits".into(),
        },
        [_] if candidates.len() == 1 => "it is the only implementation".into(),
        [_] => "it is the only implementation within the limits".into(),
        [(_, first), (next, second), ..] => format!(
            "it takes the least time for a request: {}, {:.1} times less than {}",
            format::long_time(*first),
            second / first,
            candidates[*next].scheme
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_planner::predict_tfhe;
    use fathom_planner::samples::{costs, work};
    use std::time::Duration;

    fn candidate(scheme: &'static str, layers: u64, limits: Limits) -> Candidate {
        let work = work(&[(8, layers)], [1; 3]);
        let prediction = predict_tfhe(&work, 1, &costs(1), 134.6, Some(-128.0));
        let shares = limits.shares(&prediction, None);
        let verdict = Verdict::Predicted { prediction, shares };
        Candidate { implementation: 0, scheme, method: "a method", verdict }
    }

    fn plan(times: &[(&'static str, u64)], limits: Limits) -> Plan {
        let candidates = times.iter().map(|&(scheme, layers)| candidate(scheme, layers, limits));
        let workload = fathom_workloads::find("transfer").unwrap();
        let task = Task::new(workload.spec(), "transfer", "tiny").unwrap();
        let refused = Candidate {
            implementation: 9,
            scheme: "ckks",
            method: "a method",
            verdict: Verdict::Refused { reason: "none".into() },
        };
        Plan::new(task, 1, limits, candidates.chain([refused]).collect())
    }

    #[test]
    fn the_shortest_request_within_the_limits_is_chosen_with_the_reason() {
        let all = [("tfhe", 40), ("bgv", 20), ("bfv", 60)];
        let found = plan(&all, Limits::default());
        assert_eq!(found.choice().unwrap().0.scheme, "bgv");
        assert!(found.reason.contains("2.0 times less than tfhe"), "{}", found.reason);
        let only = plan(&all[..1], Limits::default());
        assert!(only.reason.contains("only implementation within"), "{}", only.reason);
        let limits = Limits { time: Some(Duration::from_nanos(100)), ..Limits::default() };
        let none = plan(&all, limits);
        assert!(none.choice().is_none() && none.reason.contains("no implementation is within"));
        let exceeded: Vec<_> = none.candidates[0].exceeded().map(|share| share.limit).collect();
        assert_eq!(exceeded, [crate::planner::Limit::Time]);
    }
}
