//! Times the calls of a program and compares its results.

use std::hint::black_box;
use std::time::{Duration, Instant};

use fathom::ckks::Complex64;
use fathom_drivers::process::Fault;
use fathom_drivers::protocol::{KeyKind, NoiseStep, ParamsInfo, Timed};
use serde_json::Value;

use crate::effort::{Effort, RECORDED, Series};
use crate::record::{Bytes, Refresh, Roofline};

/// The stopwatch and the oracle's desk of one program.
#[derive(Clone, Debug)]
pub struct Meter {
    effort: Effort,
    /// Number of calls to time, if the command line fixes it.
    calls: Option<usize>,
    seed: u64,
    /// True to alter one value of every result before it is compared.
    mutate: bool,
    pub(crate) series: Series,
    pub(crate) checked: u64,
    pub(crate) mismatches: u64,
    pub(crate) depth_reached: Option<usize>,
    pub(crate) refusal_expected: bool,
    pub(crate) params: Option<ParamsInfo>,
    pub(crate) inputs: KeyKind,
    pub(crate) noise: NoiseStep,
    pub(crate) remark: Option<String>,
    pub(crate) roofline: Option<Roofline>,
    pub(crate) details: Value,
    pub(crate) values: Option<usize>,
    pub(crate) bytes: Bytes,
    pub(crate) refresh: Option<Refresh>,
    pub(crate) nearness: Option<Nearness>,
    pub(crate) skipped: Option<String>,
    pub(crate) fault: Option<Fault>,
}

/// The distance of approximate results from the values expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearness {
    /// Largest error so far.
    pub(crate) error: f64,
    /// Largest error that is allowed.
    pub(crate) tolerance: f64,
}

impl Meter {
    /// Creates the meter of a program with `budget` of wall-clock time.
    pub fn new(budget: Duration, seed: u64) -> Self {
        Self {
            effort: Effort::within(budget),
            calls: None,
            seed,
            mutate: false,
            series: Series { iterations: 1, results: 1, ..Series::default() },
            checked: 0,
            mismatches: 0,
            depth_reached: None,
            refusal_expected: false,
            params: None,
            inputs: KeyKind::Pk,
            noise: NoiseStep::default(),
            remark: None,
            roofline: None,
            details: Value::Null,
            values: None,
            bytes: Bytes::default(),
            refresh: None,
            nearness: None,
            skipped: None,
            fault: None,
        }
    }

    /// Takes at least as many samples as a record has.
    pub fn recording(mut self) -> Self {
        self.effort.least = RECORDED;
        self
    }

    /// Times exactly this many calls, or as many as make whole samples.
    pub fn with_calls(self, calls: Option<usize>) -> Self {
        Self { calls, ..self }
    }

    /// Alters one value of every result before it is compared, so that a test sees that each
    /// program compares its results.
    pub fn mutating(self) -> Self {
        Self { mutate: true, ..self }
    }

    /// Returns the seed of the clear inputs.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the number of calls to time, if the command line fixes it.
    pub fn calls(&self) -> Option<usize> {
        self.calls
    }

    /// Returns the wall-clock time of the program.
    pub fn budget(&self) -> Duration {
        self.effort.budget
    }

    /// Times `call`, which has `results` results, until the samples suffice; returns the result of
    /// the last call.
    ///
    /// # Errors
    /// The first error of `call`.
    pub fn time<T, E>(
        &mut self,
        results: usize,
        mut call: impl FnMut() -> Result<T, E>,
    ) -> Result<T, E> {
        let begin = Instant::now();
        black_box(call()?);
        let start = Instant::now();
        let mut last = black_box(call()?);
        let iterations = self.effort.iterations_for(start.elapsed());
        (self.series.iterations, self.series.results) = (iterations, iterations * results);
        loop {
            let start = Instant::now();
            for _ in 0..iterations {
                last = black_box(call()?);
            }
            self.sample(start.elapsed());
            if self.is_enough(begin.elapsed()) {
                return Ok(last);
            }
        }
    }

    /// Times `call` like [`Meter::time`] if it cannot fail.
    pub fn time_plain<T>(&mut self, results: usize, mut call: impl FnMut() -> T) -> T {
        let Ok(last) = self.time(results, || Ok::<T, std::convert::Infallible>(call()));
        last
    }

    /// Times one call, as one sample.
    ///
    /// # Errors
    /// The error of `call`.
    pub fn once<T, E>(&mut self, call: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let start = Instant::now();
        let result = black_box(call()?);
        self.sample(start.elapsed());
        Ok(result)
    }

    /// Adds the samples of a run of one call each that a driver has timed.
    pub fn add_run(&mut self, timed: &Timed) {
        self.series.extend(timed, 1);
    }

    /// Adds a sample that the program has timed itself: all results of one round of calls.
    pub fn sample(&mut self, elapsed: Duration) {
        let results = self.series.results.max(1) as f64;
        self.series.samples.push(elapsed.as_nanos() as f64 / results);
    }

    /// States how many results one sample has, for programs that time themselves.
    pub fn results_a_sample(&mut self, results: usize) {
        self.series.results = results;
    }

    /// Returns true if the samples suffice after `spent`.
    pub fn is_enough(&self, spent: Duration) -> bool {
        match self.calls {
            Some(calls) => self.series.samples.len() * self.series.iterations >= calls,
            None => self.effort.is_enough(&self.series, spent),
        }
    }

    /// Compares every value of a result with the expected one.
    pub fn check<A: Into<i128>, B: Into<i128>>(
        &mut self,
        found: impl IntoIterator<Item = A>,
        expected: impl IntoIterator<Item = B>,
    ) {
        let mut found: Vec<i128> = found.into_iter().map(Into::into).collect();
        let expected: Vec<i128> = expected.into_iter().map(Into::into).collect();
        if self.mutate
            && let Some(last) = found.last_mut()
        {
            *last ^= 1;
        }
        let different = found.iter().zip(&expected).filter(|(a, b)| a != b).count();
        self.checked += expected.len() as u64;
        self.mismatches += (different + found.len().abs_diff(expected.len())) as u64;
    }

    /// Compares every value of an approximate result with the expected one, which it must not miss
    /// by more than `tolerance`; returns the largest error.
    pub fn check_near(
        &mut self,
        found: &[Complex64],
        expected: &[Complex64],
        tolerance: f64,
    ) -> f64 {
        let mut errors: Vec<f64> =
            found.iter().zip(expected).map(|(found, expected)| (found - expected).norm()).collect();
        if self.mutate
            && let Some(last) = errors.last_mut()
        {
            *last = 2.0 * tolerance;
        }
        // What is not a number is wrong too.
        let right = errors.iter().filter(|error| **error <= tolerance).count();
        self.checked += expected.len() as u64;
        self.mismatches += (found.len().max(expected.len()) - right) as u64;
        let error = errors.into_iter().fold(0.0, f64::max);
        let before = self.nearness.map_or((0.0_f64, 0.0_f64), |own| (own.error, own.tolerance));
        let (worst, widest) = (before.0.max(error), before.1.max(tolerance));
        self.nearness = Some(Nearness { error: worst, tolerance: widest });
        error
    }

    /// Returns true if every value compared so far was right.
    pub fn all_right(&self) -> bool {
        self.mismatches == 0
    }

    /// States the parameters of the ciphertexts.
    pub fn params(&mut self, params: ParamsInfo) {
        self.params = Some(params);
    }

    /// States the number of operations that succeeded before a refusal, and whether the refusal is
    /// what the noise of these parameters implies.
    pub fn refused_after(&mut self, depth: usize, expected: bool) {
        self.depth_reached = Some(depth);
        self.refusal_expected = expected;
    }

    /// States the key that encrypts the inputs; the public key if none is stated.
    pub fn inputs(&mut self, inputs: KeyKind) {
        self.inputs = inputs;
    }

    /// States the noise budget before and after, in bits.
    pub fn noise(&mut self, noise: NoiseStep) {
        self.noise = noise;
    }

    /// Adds a remark for the record.
    pub fn remark(&mut self, text: impl Into<String>) {
        self.remark = Some(text.into());
    }

    /// States the work of one call beside the limits of the machine.
    pub fn roofline(&mut self, roofline: Roofline) {
        self.roofline = Some(roofline);
    }

    /// Calls `call` once for its memory, then times single calls until the samples suffice; returns
    /// the result of the last one.
    ///
    /// # Errors
    /// The first error of `call`.
    pub fn time_long<T, E>(&mut self, mut call: impl FnMut() -> Result<T, E>) -> Result<T, E> {
        black_box(call()?);
        let begin = Instant::now();
        loop {
            let last = self.once(&mut call)?;
            if self.is_enough(begin.elapsed()) {
                return Ok(last);
            }
        }
    }

    /// States how many values one call computes: those of a ciphertext, or of a batch in the clear.
    pub fn values(&mut self, values: usize) {
        self.values = Some(values);
    }

    /// States the sizes of keys and ciphertexts, and the memory.
    pub fn bytes(&mut self, bytes: Bytes) {
        self.bytes = bytes;
    }

    /// States what a bootstrapping leaves.
    pub fn refresh(&mut self, refresh: Refresh) {
        self.refresh = Some(refresh);
    }

    /// States why the program did not run on this machine.
    pub fn skip(&mut self, reason: impl Into<String>) {
        self.skipped = Some(reason.into());
    }

    /// States how the driver of another library failed.
    pub fn fault(&mut self, fault: Fault) {
        self.fault = Some(fault);
    }

    /// Adds a remark with the rate of `units` per call.
    pub fn remark_rate(&mut self, units: f64, name: &str) {
        if let Some(ns) = self.median_ns() {
            self.remark(format!("{:.1} {name}", units / ns));
        }
    }

    /// Returns the median of the samples so far, in nanoseconds per result.
    pub fn median_ns(&self) -> Option<f64> {
        self.series.summary().map(|summary| summary.median)
    }

    /// Keeps details that the record has no field for.
    pub fn details(&mut self, details: Value) {
        self.details = details;
    }
}
