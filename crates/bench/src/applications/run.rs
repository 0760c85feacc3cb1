//! Runs whole programs one after another.

use std::time::Duration;

use fathom_cases::record::Predicted;
use fathom_drivers::process::Launch;

use super::choice::ApplicationCase;
use super::measure::{Effort, Watcher, measure};
use super::record::record;
use crate::measure::runner::Runner;

/// Tells an observer the phase of a case.
struct Phase<'a, 'b> {
    id: String,
    runner: &'a mut Runner<'b>,
}

impl Watcher for Phase<'_, '_> {
    fn phase(&mut self, what: &str, expected: Option<Duration>) {
        let expected = expected.filter(|time| *time >= Duration::from_secs(1));
        let about = expected.map(|time| format!(" (about {} s)", time.as_secs().max(1)));
        self.runner.round(&format!("{}: {what}{}", self.id, about.unwrap_or_default()));
    }
}

/// Runs every case until the run is stopped. `predict` returns the prediction of a case at the
/// speed of the moment; it is called before and after the case, and the mean is recorded.
pub fn run(
    cases: &[ApplicationCase],
    verifier: &Launch,
    effort: &Effort,
    mut predict: impl FnMut(&ApplicationCase) -> Option<Predicted>,
    runner: &mut Runner<'_>,
) {
    runner.each(cases, |runner, case| {
        let effort = &effort.with_at_most(case.seeds);
        let before = predict(case);
        let ended = {
            let stop = runner.stop();
            let mut watcher = Phase { id: case.id(), runner };
            measure(case, verifier, effort, &mut watcher, stop)
        };
        if ended.is_err() && runner.is_stopped() {
            return;
        }
        // A case that has failed has no time to compare a prediction with.
        let after = before.filter(|_| ended.is_ok()).and_then(|_| predict(case));
        let predicted = before.map(|before| after.map_or(before, |after| before.mean(after)));
        runner.finished(&record(case, effort, ended, predicted));
    });
}
