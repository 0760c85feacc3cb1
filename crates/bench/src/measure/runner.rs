//! The one loop over the units of a run: blocks of interleaved cases on drivers, programs in this
//! process, and whole programs in processes of their own.

use std::sync::atomic::{AtomicBool, Ordering};

use fathom_cases::record::Case;

/// Receives the events of a run.
pub trait Observer {
    /// Called before a round of the case `id`.
    fn round(&mut self, id: &str);
    /// Called when a case is finished.
    fn finished(&mut self, case: &Case);
}

/// Works through the units of a run until somebody stops it, and reports their cases.
pub struct Runner<'a> {
    observer: &'a mut dyn Observer,
    stop: &'a AtomicBool,
}

impl<'a> Runner<'a> {
    /// Creates a runner that reports to `observer` and ends early once `stop` is set.
    pub fn new(observer: &'a mut dyn Observer, stop: &'a AtomicBool) -> Self {
        Self { observer, stop }
    }

    /// Hands every unit to `work`, one after another, until the run is stopped.
    pub fn each<T>(
        &mut self,
        units: impl IntoIterator<Item = T>,
        mut work: impl FnMut(&mut Self, T),
    ) {
        for unit in units {
            if self.is_stopped() {
                return;
            }
            work(self, unit);
        }
    }

    /// Returns true once the run is stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// Returns the flag that stops the run, for work that waits.
    pub fn stop(&self) -> &'a AtomicBool {
        self.stop
    }

    /// Reports that a round of a case begins.
    pub fn round(&mut self, id: &str) {
        self.observer.round(id);
    }

    /// Reports a finished case.
    pub fn finished(&mut self, case: &Case) {
        self.observer.finished(case);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Silent;

    impl Observer for Silent {
        fn round(&mut self, _id: &str) {}
        fn finished(&mut self, _case: &Case) {}
    }

    #[test]
    fn a_stopped_run_begins_no_further_unit() {
        let (stop, mut silent, mut seen) = (AtomicBool::new(false), Silent, Vec::new());
        let mut runner = Runner::new(&mut silent, &stop);
        runner.each(1..=5, |runner, unit| {
            seen.push(unit);
            if unit == 3 {
                runner.stop().store(true, Ordering::SeqCst);
            }
        });
        assert!(runner.is_stopped());
        runner.each(6..=7, |_, unit| seen.push(unit));
        assert_eq!(seen, [1, 2, 3]);
    }
}
