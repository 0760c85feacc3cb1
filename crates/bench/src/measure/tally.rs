//! Results of the rounds of a case so far.

use std::time::Duration;

use fathom_cases::effort::{Effort, LONG_CALL, Series};
use fathom_cases::record::Bytes;
use fathom_drivers::protocol::{Bootstraps, CiphertextBytes, NoiseStep, Variance};

use super::workbench::Checked;

/// Samples, checks, noise and sizes of a case.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) series: Series,
    pub(super) checked: Checked,
    pub(super) noise: NoiseStep,
    pub(super) bootstraps: Option<Bootstraps>,
    pub(super) variance: Option<Variance>,
    pub(super) bytes: Bytes,
    /// Products that succeeded, if the case counts them.
    pub(super) depth_reached: Option<usize>,
}

impl Tally {
    /// Returns the median of the samples so far, in nanoseconds per call.
    pub(super) fn median_ns(&self) -> Option<f64> {
        self.series.summary().map(|summary| summary.median)
    }

    /// Returns true if one call is long enough to be a sample and a round.
    pub(super) fn call_is_long(&self) -> bool {
        self.median_ns().is_some_and(|ns| ns >= LONG_CALL.as_nanos() as f64)
    }

    /// Returns the number of samples that fill the share of a round.
    pub(super) fn samples_a_round(&self, effort: &Effort) -> usize {
        let floor = if self.call_is_long() { 1 } else { effort.floor.div_ceil(2) };
        let sample = self.median_ns().unwrap_or(0.0) * self.series.results.max(1) as f64;
        let slice = effort.slice().as_nanos() as f64;
        let samples = if sample > 0.0 { (slice / sample) as usize } else { floor };
        match effort.samples_left(&self.series) {
            Some(left) => left.min(samples.clamp(1, 50)),
            None => samples.clamp(floor, 50),
        }
    }

    /// Returns true if the case needs no more rounds.
    pub(super) fn is_complete(&self, effort: &Effort, rounds: usize, spent: Duration) -> bool {
        let untimed = self.series.samples.is_empty();
        let wrong = self.checked.mismatches > 0;
        let enough = effort.are_enough_rounds(rounds, spent) || self.call_is_long();
        untimed || wrong || (enough && effort.is_enough(&self.series, spent))
    }

    /// Keeps the sizes of a fresh ciphertext.
    pub(super) fn note_input(&mut self, bytes: Option<CiphertextBytes>) {
        if let Some(bytes) = bytes {
            self.bytes.ct_in = Some(bytes.packed);
            self.bytes.ct_theory = Some(bytes.theory);
            self.bytes.ct_seeded = bytes.seeded.or(self.bytes.ct_seeded);
        }
    }
}
