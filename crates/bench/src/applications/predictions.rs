//! The predictions of the planner for the cases of a run.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use fathom_cases::record::Predicted;
use fathom_drivers::engine::Engine;
use fathom_drivers::library::Library;
use fathom_planner::Prediction;

use super::choice::ApplicationCase;
use crate::planner::{Limits, Plan, Planner, Speed};

/// Predictions by the id of the case.
#[derive(Debug, Default)]
pub struct Predictions {
    known: HashMap<String, Predicted>,
    planner: Option<Planner>,
}

impl Predictions {
    /// Plans the task of every case on this engine without limits; cases of other libraries, and
    /// those that the planner cannot predict, have no prediction. Once `stop` is set, no other case
    /// is planned.
    pub fn of(cases: &[ApplicationCase], mut planner: Planner, stop: &AtomicBool) -> Self {
        let engine = Library::info(&Engine);
        let mut plans: Vec<Plan> = Vec::new();
        let mut predictions = HashMap::new();
        let own = cases.iter().filter(|case| case.library == engine);
        for case in own.take_while(|_| !stop.load(Ordering::SeqCst)) {
            let known = plans
                .iter()
                .position(|plan| plan.task == case.task && plan.threads == case.threads);
            let place = known.or_else(|| {
                let workload = fathom_workloads::find(&case.task.workload)?;
                let limits = Limits::default();
                let (task, threads) = (&case.task, case.threads);
                plans.push(planner.plan(workload, task, threads, limits, Speed::OfUnitCosts).ok()?);
                Some(plans.len() - 1)
            });
            let predicted = place.and_then(|place| predicted(&plans[place], case));
            if let Some(predicted) = predicted {
                predictions.insert(case.id(), predicted);
            }
        }
        Self { known: predictions, planner: Some(planner) }
    }

    /// Returns the planner; `None` if nothing is predicted.
    pub fn planner(&self) -> Option<&Planner> {
        self.planner.as_ref()
    }

    /// Returns the prediction of a case at the present speed of the machine, which changes while
    /// other cases run. The choice stays.
    pub fn renewed(&mut self, case: &ApplicationCase) -> Option<Predicted> {
        let known = self.get(case)?;
        let again = self.planner.as_mut().and_then(|planner| {
            let workload = fathom_workloads::find(&case.task.workload)?;
            let (place, threads) = (case.implementation, case.threads);
            planner.predict_again(workload, place, &case.task, threads).ok()
        });
        Some(again.map_or(known, |prediction| record(&prediction, known.chosen)))
    }

    /// Returns the prediction of a case.
    pub fn get(&self, case: &ApplicationCase) -> Option<Predicted> {
        self.known.get(&case.id()).copied()
    }

    /// Keeps one case of each library and task: the one that the planner chose, or the first if it
    /// chose none.
    pub fn retain_choices(&self, cases: &mut Vec<ApplicationCase>) {
        let chosen = |case: &ApplicationCase| self.get(case).is_some_and(|found| found.chosen);
        let key =
            |case: &ApplicationCase| (case.library.name.clone(), case.task.id(), case.threads);
        let mut kept = std::collections::BTreeMap::new();
        for case in cases.iter() {
            let id = kept.entry(key(case)).or_insert_with(|| case.id());
            if chosen(case) {
                *id = case.id();
            }
        }
        cases.retain(|case| kept.get(&key(case)) == Some(&case.id()));
    }
}

/// Returns what a plan says about the implementation of a case.
fn predicted(plan: &Plan, case: &ApplicationCase) -> Option<Predicted> {
    let same = |place: &usize| plan.candidates[*place].implementation == case.implementation;
    let place = (0..plan.candidates.len()).find(same)?;
    let (prediction, _) = plan.candidates[place].prediction()?;
    Some(record(prediction, plan.chosen == Some(place)))
}

/// Returns the record of a prediction.
fn record(prediction: &Prediction, chosen: bool) -> Predicted {
    Predicted {
        keygen_ns: prediction.keygen_ns.round() as u64,
        keys_ns: prediction.keys_ns.round() as u64,
        encrypt_ns: prediction.encrypt_ns.round() as u64,
        compute_ns: prediction.compute_ns.round() as u64,
        decrypt_ns: prediction.decrypt_ns.round() as u64,
        key_bytes: prediction.key_bytes,
        upload_bytes: prediction.upload_bytes,
        download_bytes: prediction.download_bytes,
        server_peak_bytes: prediction.server_peak_bytes,
        chosen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::applications::{Contestant, Wanted, choose};
    use fathom_drivers::process::Launch;

    fn cases() -> Vec<ApplicationCase> {
        let engine = Contestant::local(&Engine, Launch::engine(""));
        let other = Contestant {
            library: fathom_drivers::protocol::LibraryInfo {
                name: "other".into(),
                ..engine.library.clone()
            },
            ..engine.clone()
        };
        let wanted = Wanted {
            workload: "transfer".into(),
            sizes: vec!["tiny".into()],
            threads: vec![1],
            ..Wanted::default()
        };
        let mut cases = choose(&wanted, &[engine, other]).unwrap();
        cases.retain(|case| case.rank == 0 && case.scheme == "tfhe");
        // A second implementation of the engine.
        let second = ApplicationCase { implementation: 7, rank: 1, ..cases[0].clone() };
        cases.insert(1, second);
        cases
    }

    #[test]
    fn nothing_is_predicted_once_a_run_is_stopped() {
        let planner = Planner::new(crate::planner::Measuring::Missing, |_| {});
        let costs = planner.costs().clone();
        let stopped = Predictions::of(&cases(), planner, &AtomicBool::new(true));
        assert!(cases().iter().all(|case| stopped.get(case).is_none()));
        assert_eq!(stopped.planner().map(Planner::costs), Some(&costs));
    }

    #[test]
    fn one_case_a_library_is_kept_and_the_choice_of_the_planner_if_there_is_one() {
        let mut first = cases();
        Predictions::default().retain_choices(&mut first);
        let implementations = |cases: &[ApplicationCase]| {
            let pairs = cases.iter().map(|case| (case.library.name.clone(), case.implementation));
            pairs.collect::<Vec<_>>()
        };
        let expected = [("fathom".to_owned(), first[0].implementation), ("other".to_owned(), 0)];
        assert_eq!(implementations(&first), expected);
        let mut chosen = cases();
        let predicted = Predicted { chosen: true, ..Predicted::default() };
        let predictions =
            Predictions { known: HashMap::from([(chosen[1].id(), predicted)]), planner: None };
        predictions.retain_choices(&mut chosen);
        let expected = [("fathom".to_owned(), 7), ("other".to_owned(), 0)];
        assert_eq!(implementations(&chosen), expected);
    }
}
