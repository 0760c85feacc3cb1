//! Runs cases one after another.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fathom_cases::record::Predicted;
use fathom_drivers::process::Launch;

use super::choice::ApplicationCase;
use super::measure::{Effort, Watcher, measure};
use super::record::record;
use crate::measure::run::Observer;

/// Tells an observer the phase of a case.
struct Phase<'a> {
    id: String,
    observer: &'a mut dyn Observer,
}

impl Watcher for Phase<'_> {
    fn phase(&mut self, what: &str, expected: Option<Duration>) {
        let expected = expected.filter(|time| *time >= Duration::from_secs(1));
        let about = expected.map(|time| format!(" (about {} s)", time.as_secs().max(1)));
        self.observer.round(&format!("{}: {what}{}", self.id, about.unwrap_or_default()));
    }
}

/// Runs every case until `stop` is set. `predict` returns the prediction of a case at the speed of
/// the moment; it is called before and after the case, and the mean is recorded.
pub fn run(
    cases: &[ApplicationCase],
    verifier: &Launch,
    effort: &Effort,
    mut predict: impl FnMut(&ApplicationCase) -> Option<Predicted>,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) {
    for case in cases {
        if stop.load(Ordering::SeqCst) {
            return;
        }
        let effort = &effort.with_at_most(case.seeds);
        let before = predict(case);
        let ended = {
            let mut watcher = Phase { id: case.id(), observer };
            measure(case, verifier, effort, &mut watcher, stop)
        };
        if ended.is_err() && stop.load(Ordering::SeqCst) {
            return;
        }
        // A case that has failed has no time to compare a prediction with.
        let after = before.filter(|_| ended.is_ok()).and_then(|_| predict(case));
        let predicted = before.map(|before| after.map_or(before, |after| before.mean(after)));
        observer.finished(&record(case, effort, ended, predicted));
    }
}
