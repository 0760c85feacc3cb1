//! The figures of a record: times and sizes.

use serde::{Deserialize, Serialize};

use super::security::round1;
use crate::effort::Series;

/// Times in nanoseconds, as integers, for one call or one result of a batch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TimeNs {
    /// Number of samples.
    pub n: usize,
    /// Number of calls in a sample.
    pub iterations: usize,
    /// All samples in the order taken.
    pub samples: Vec<u64>,
    /// Number of samples in each round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<usize>,
    /// Median.
    pub median: u64,
    /// 95 % confidence interval of the median; null below 6 samples.
    pub ci95: Option<[u64; 2]>,
    /// Median absolute deviation from the median, not scaled.
    pub mad: u64,
    /// Smallest sample.
    pub min: u64,
    /// 95th percentile.
    pub p95: u64,
    /// 99th percentile.
    pub p99: u64,
    /// Mean.
    pub mean: u64,
    /// Standard deviation.
    pub stddev: u64,
    /// Samples outside the Tukey fences, counted and kept.
    pub outliers: Outliers,
    /// Correlation of each sample with its successor (lag-1 autocorrelation).
    pub lag1: f64,
    /// Processor time per call in nanoseconds, over all threads of the driver; null if unknown.
    pub cpu: Option<u64>,
    /// Involuntary context switches over all samples; null if unknown.
    pub involuntary_switches: Option<u64>,
    /// Codes of doubts about the samples; `fathom explain` describes them.
    pub flags: Vec<String>,
}

/// Counts of samples outside the Tukey fences.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Outliers {
    /// Samples between 1.5 and 3 interquartile ranges outside the quartiles.
    pub mild: usize,
    /// Samples more than 3 interquartile ranges outside the quartiles.
    pub severe: usize,
}

impl TimeNs {
    /// Computes the figures of a series; returns `None` before its first sample.
    pub fn of(series: &Series) -> Option<Self> {
        let figures = series.summary()?;
        let whole = |ns: f64| ns.round() as u64;
        let results = (figures.n * series.results.max(1)) as u64;
        Some(Self {
            n: figures.n,
            iterations: series.iterations,
            rounds: series.rounds.clone(),
            samples: series.samples.iter().map(|&ns| whole(ns)).collect(),
            median: whole(figures.median),
            ci95: figures.ci95.map(|ends| ends.map(whole)),
            mad: whole(figures.mad),
            min: whole(figures.min),
            p95: whole(figures.p95),
            p99: whole(figures.p99),
            mean: whole(figures.mean),
            stddev: whole(figures.standard_deviation),
            outliers: Outliers { mild: figures.outliers.mild, severe: figures.outliers.severe },
            lag1: (crate::stats::lag1_autocorrelation(&series.samples) * 1e3).round() / 1e3,
            cpu: series.cpu_ns.map(|ns| ns / results),
            involuntary_switches: series.involuntary_switches,
            flags: series.flags().into_iter().map(Into::into).collect(),
        })
    }

    /// Returns the number of operations per second at the median time.
    pub fn per_second(&self) -> f64 {
        round1(1e9 / self.median.max(1) as f64)
    }
}

/// Sizes in bytes; null if unknown.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Bytes {
    /// A fresh input ciphertext, serialised.
    pub ct_in: Option<u64>,
    /// A fresh input ciphertext whose uniform polynomial is stored as a seed.
    pub ct_seeded: Option<u64>,
    /// The output ciphertext, serialised; for a decryption after a chain, the ciphertext decrypted.
    pub ct_out: Option<u64>,
    /// Theoretical size of `ct_in`.
    pub ct_theory: Option<u64>,
    /// Theoretical size of `ct_out`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ct_theory_out: Option<u64>,
    /// Bytes of the secret key.
    pub sk: Option<u64>,
    /// Bytes of the public key.
    pub pk: Option<u64>,
    /// Bytes of the relinearisation key.
    pub relin: Option<u64>,
    /// All rotation keys of the session.
    pub galois: Option<u64>,
    /// Bootstrapping key, serialised; the exact schemes have none.
    pub bootstrapping: Option<u64>,
    /// Bootstrapping key in memory, ready for use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bootstrapping_memory: Option<u64>,
    /// Peak resident set size of the driver so far.
    pub peak_rss: Option<u64>,
}
