//! Measurement rules: calls per sample, number of samples, and flags for doubtful series.

use std::time::{Duration, Instant};

use fathom_drivers::protocol::Timed;

use crate::stats::{self, Summary};

/// Calls of at least this duration form a sample each, have no warm-up, and are not repeated beyond
/// the budget to reach the minimum number of samples.
pub const LONG_CALL: Duration = Duration::from_secs(1);

/// Samples of a record: with one fewer, the median has no interval.
pub const RECORDED: usize = 6;

/// Calls of at least this duration are not repeated for the sake of a record.
pub const ONCE: Duration = Duration::from_mins(10);

/// Distribution of a case's budget over rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// Number of rounds over which the budget is spread.
    pub planned: u32,
    /// Minimum number of rounds, unless calls are long or the budget is spent.
    pub fewest: usize,
    /// Minimum number of rounds in that case too, unless a single call is long.
    pub at_least: usize,
}

/// Rounds of a case whose library runs alone; the second round runs the cases in reverse order.
pub const ALONE: Rounds = Rounds { planned: 4, fewest: 2, at_least: 2 };

/// Rounds of a case compared with other libraries: ratios come from pairs of rounds, and few pairs
/// give a wide interval.
pub const BESIDE_OTHERS: Rounds = Rounds { planned: 8, fewest: 6, at_least: stats::FEWEST_PAIRS };

/// Rounds of a case in a run that has far exceeded its time.
pub const HURRIED: Rounds = Rounds { planned: 1, fewest: 1, at_least: 1 };

/// Duration and precision of the measurement of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Wall-clock time of the case, including everything.
    pub budget: Duration,
    /// Minimum number of samples, even over budget, if a call takes less than ten seconds.
    pub floor: usize,
    /// Number of samples that no budget lowers, if a call takes less than [`ONCE`].
    pub least: usize,
    /// Maximum number of samples.
    pub ceiling: usize,
    /// Target for half the width of the median's 95 % interval, relative to the median.
    pub half_width: f64,
    /// Minimum duration of a sample; a sample has enough calls to reach it.
    pub sample: Duration,
    /// Distribution of the budget over rounds.
    pub rounds: Rounds,
    /// Number of calls of each thread, if it is fixed; the budget then limits nothing.
    pub calls: Option<usize>,
}

impl Effort {
    /// Returns the rules of the methodology for a case with `budget`.
    pub fn within(budget: Duration) -> Self {
        Self {
            budget,
            floor: 10,
            least: 1,
            ceiling: 400,
            half_width: 0.02,
            sample: Duration::from_millis(1).max(50 * timer_resolution()),
            rounds: ALONE,
            calls: None,
        }
    }

    /// Returns the wall-clock time of one round.
    pub fn slice(&self) -> Duration {
        self.budget / self.rounds.planned
    }

    /// Returns true if `rounds` rounds suffice after `spent` of wall-clock time.
    pub fn are_enough_rounds(&self, rounds: usize, spent: Duration) -> bool {
        if self.calls.is_some() {
            return true;
        }
        let late = spent >= self.budget;
        rounds >= if late { self.rounds.at_least } else { self.rounds.fewest }
    }

    /// Returns the minimum number of samples for an operation whose call lasts `call`.
    pub fn floor_for(&self, call: Duration) -> usize {
        if call > Duration::from_secs(10) { self.floor.div_ceil(2) } else { self.floor }
    }

    /// Returns the calls of each thread in a sample for an operation whose call lasts `call`; at
    /// least 1.
    pub fn iterations_for(&self, call: Duration) -> usize {
        let calls = self.sample.as_nanos().div_ceil(call.as_nanos().max(1));
        calls.clamp(1, 1 << 20) as usize
    }

    /// Returns the number of samples that a series of fixed length still needs; `None` if its
    /// length is not fixed.
    pub fn samples_left(&self, series: &Series) -> Option<usize> {
        let samples = self.calls?.div_ceil(series.iterations.max(1));
        Some(samples.saturating_sub(series.samples.len()).max(1))
    }

    /// Returns true if a series is complete after `spent` of wall-clock time.
    pub fn is_enough(&self, series: &Series, spent: Duration) -> bool {
        let n = series.samples.len();
        if let Some(calls) = self.calls {
            return n * series.iterations.max(1) >= calls;
        }
        let Some(summary) = series.summary() else { return false };
        let call = Duration::from_nanos(summary.median as u64);
        if n < self.least && call < ONCE {
            return false;
        }
        if call >= LONG_CALL && spent + call > self.budget {
            return true;
        }
        if n < self.floor_for(call) {
            // The minimum may cost three budgets; a slower case ends with the samples it has.
            return n > 0 && spent > 3 * self.budget;
        }
        let exact = summary.relative_half_width() <= self.half_width;
        exact || n >= self.ceiling || spent >= self.budget
    }
}

/// Measures the smallest step of the monotonic clock.
pub fn timer_resolution() -> Duration {
    let smallest = (0..50).filter_map(|_| {
        let start = Instant::now();
        (0..10_000).map(|_| start.elapsed()).find(|step| !step.is_zero())
    });
    smallest.min().unwrap_or(Duration::from_nanos(1))
}

/// The samples of one case, in the order in which they were taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Nanoseconds per result; a call has one result, unless it is a batch.
    pub samples: Vec<f64>,
    /// Number of samples in each round, in order.
    pub rounds: Vec<usize>,
    /// Number of calls in a sample, of each thread.
    pub iterations: usize,
    /// Number of results in a sample, over all its calls and threads; the divisor of its time.
    pub results: usize,
    /// Processor time in nanoseconds over all samples; `None` if unknown for some part.
    pub cpu_ns: Option<u64>,
    /// Involuntary context switches over all samples; `None` if unknown for some part.
    pub involuntary_switches: Option<u64>,
    /// Shortest of a few calls, each on new inputs; `None` if not measured.
    pub first_call_ns: Option<u64>,
    /// True if the run was stopped before the series was complete.
    pub interrupted: bool,
}

impl Series {
    /// Appends the samples of a `run`, each with `results` results.
    pub fn extend(&mut self, timed: &Timed, results: usize) {
        let first = self.samples.is_empty();
        let sum = |old: Option<u64>, new: Option<u64>| {
            if first { new } else { old.zip(new).map(|(a, b)| a + b) }
        };
        self.cpu_ns = sum(self.cpu_ns, timed.cpu_ns);
        self.involuntary_switches = sum(self.involuntary_switches, timed.involuntary_switches);
        self.results = results;
        self.samples.extend(timed.samples_ns.iter().map(|&ns| ns as f64 / results as f64));
    }

    /// Marks the end of a round, to which the samples since the last mark belong.
    pub fn end_round(&mut self) {
        let own = self.samples.len() - self.rounds.iter().sum::<usize>();
        self.rounds.push(own);
    }

    /// Returns the figures of the series; `None` before the first sample.
    pub fn summary(&self) -> Option<Summary> {
        Summary::of(&self.samples)
    }

    /// Returns the doubts about the series, as codes that `fathom explain` describes.
    pub fn flags(&self) -> Vec<&'static str> {
        let Some(summary) = self.summary() else { return Vec::new() };
        let mut flags = Vec::new();
        let mut note = |present: bool, code| {
            if present {
                flags.push(code);
            }
        };
        note(self.interrupted, "interrupted");
        note(summary.n == 1, "single_shot");
        note((2..10).contains(&summary.n), "few_samples");
        note(summary.n >= 10 && summary.relative_half_width() > 0.05, "wide_interval");
        note(self.looks_cached(&summary), "cached_work");
        note(stats::drifts(&self.samples), "drift");
        note(stats::is_bimodal(&self.samples), "bimodal");
        let preempted = self.involuntary_switches.unwrap_or(0);
        note(preempted > summary.n as u64 / 2, "preempted");
        flags
    }

    /// Returns true if calls on known inputs are five times faster than the first ones, or if a few
    /// samples differ widely although the process was not preempted.
    fn looks_cached(&self, summary: &Summary) -> bool {
        let remembered = self.first_call_ns.is_some_and(|ns| ns as f64 > 5.0 * summary.median);
        let undisturbed = self.involuntary_switches.unwrap_or(0) == 0;
        remembered || (undisturbed && stats::looks_cached(summary))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effort() -> Effort {
        Effort { sample: Duration::from_millis(1), ..Effort::within(Duration::from_secs(1)) }
    }

    fn series(samples: Vec<f64>) -> Series {
        Series { samples, iterations: 1, ..Series::default() }
    }

    #[test]
    fn a_sample_lasts_a_millisecond() {
        let effort = effort();
        for (ns, calls) in [(1, 1_000_000), (3_000, 334), (999_999, 2), (5_000_000, 1)] {
            assert_eq!(effort.iterations_for(Duration::from_nanos(ns)), calls);
        }
        assert_eq!(effort.iterations_for(Duration::ZERO), 1_000_000);
    }

    #[test]
    fn a_series_ends_when_exact_or_out_of_time_and_never_below_the_floor() {
        let effort = effort();
        let (soon, late) = (Duration::from_millis(1), Duration::from_secs(2));
        let exact = series(vec![100.0; 10]);
        let loose = series((0..20).map(|i| 100.0 + f64::from(i % 5) * 20.0).collect());
        assert!(effort.is_enough(&exact, soon));
        assert!(!effort.is_enough(&series(vec![100.0; 9]), late));
        assert!(effort.is_enough(&series(vec![100.0; 9]), 2 * late));
        assert!(!effort.is_enough(&loose, soon) && effort.is_enough(&loose, late));
        assert!(!effort.is_enough(&series(Vec::new()), 2 * late));
    }

    #[test]
    fn a_fixed_number_of_calls_is_made_whatever_the_time() {
        let effort = Effort { calls: Some(25), ..effort() };
        let late = Duration::from_secs(100);
        let ten_a_sample = |n| Series { iterations: 10, ..series(vec![100.0; n]) };
        assert!(
            !effort.is_enough(&ten_a_sample(2), late) && effort.is_enough(&ten_a_sample(3), late)
        );
        assert_eq!([0, 2, 3].map(|n| effort.samples_left(&ten_a_sample(n))), [3, 1, 1].map(Some));
        assert!(effort.are_enough_rounds(1, Duration::ZERO));
    }

    #[test]
    fn few_rounds_are_enough_only_when_time_is_up() {
        let effort = Effort { rounds: BESIDE_OTHERS, ..effort() };
        let (soon, late) = (Duration::from_millis(1), Duration::from_secs(2));
        assert!(!effort.are_enough_rounds(5, soon) && effort.are_enough_rounds(6, soon));
        assert!(!effort.are_enough_rounds(4, late) && effort.are_enough_rounds(5, late));
        assert_eq!(effort.slice(), Duration::from_millis(125));
    }

    #[test]
    fn a_long_call_is_not_repeated_past_the_budget() {
        let effort = Effort { budget: Duration::from_secs(10), ..effort() };
        let once = series(vec![4e9]);
        assert!(!effort.is_enough(&once, Duration::from_secs(5)));
        assert!(effort.is_enough(&once, Duration::from_secs(7)));
        assert!(!effort.is_enough(&series(vec![0.9e9]), Duration::from_secs(11)));
    }

    #[test]
    fn a_record_has_as_many_samples_as_an_interval_needs_unless_a_call_takes_ten_minutes() {
        let effort = Effort { least: RECORDED, ..effort() };
        let late = Duration::from_hours(3);
        for call in [4.0, 4e9, 500e9] {
            assert!(!effort.is_enough(&series(vec![call; RECORDED - 1]), late), "{call}");
            assert!(effort.is_enough(&series(vec![call; RECORDED]), late), "{call}");
        }
        assert!(effort.is_enough(&series(vec![700e9]), late));
        let figures = series(vec![4e9; RECORDED]).summary().unwrap();
        assert!(figures.ci95.is_some() && series(vec![4e9; 5]).summary().unwrap().ci95.is_none());
    }

    #[test]
    fn calls_of_over_ten_seconds_need_half_the_samples() {
        assert_eq!(effort().floor_for(Duration::from_secs(11)), 5);
        assert_eq!(effort().floor_for(Duration::from_secs(9)), 10);
    }

    #[test]
    fn each_doubt_has_a_flag() {
        assert_eq!(series(vec![1.0]).flags(), ["single_shot"]);
        assert!(series(vec![1.0; 5]).flags().contains(&"few_samples"));
        assert!(series(vec![1870.0, 0.0, 0.0, 0.0, 0.0]).flags().contains(&"cached_work"));
        let ramp: Vec<f64> = (0..40).map(|i| 100.0 + f64::from(i)).collect();
        assert!(series(ramp).flags().contains(&"drift"));
        assert!(series(vec![100.0; 20]).flags().is_empty());
        let remembered = Series { first_call_ns: Some(800), ..series(vec![100.0; 20]) };
        assert_eq!(remembered.flags(), ["cached_work"]);
        let spiked = Series {
            involuntary_switches: Some(1),
            ..series([vec![100.0; 14], vec![9000.0]].concat())
        };
        assert!(!spiked.flags().contains(&"cached_work"));
    }
}
