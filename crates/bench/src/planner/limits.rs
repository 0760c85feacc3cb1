//! Limits of a task, and how near a prediction comes to each.

use std::time::Duration;

use fathom_planner::Prediction;
use serde::{Deserialize, Serialize};

use crate::format;

/// Least security in bits.
const LEAST_SECURITY_BITS: f64 = 128.0;

/// Greatest base-2 logarithm of the probability of a wrong result.
const GREATEST_FAILURE_LOG2: f64 = -40.0;

/// The resources that the user allows; `None` stands for no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Time of a request: encryption, computation and decryption, without keys.
    pub time: Option<Duration>,
    /// Memory of the server in bytes.
    pub memory: Option<u64>,
    /// Bytes that the client sends until the first result: keys and encrypted inputs.
    pub upload: Option<u64>,
}

/// A resource that can run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Time of a request.
    Time,
    /// Memory of the server.
    Memory,
    /// Bytes that the client sends.
    Upload,
    /// Security of the parameters.
    Security,
    /// Probability of a wrong result.
    Failure,
}

/// The part of a limit that a prediction uses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// The limit.
    pub limit: Limit,
    /// The used part: more than 1 exceeds the limit.
    pub used: f64,
    /// The factor by which operations, inputs and results can grow until the limit is reached; null
    /// if their number has no influence.
    pub growth: Option<f64>,
    /// The limit and the predicted number, in words.
    pub text: String,
}

impl Limits {
    /// Returns the part of each limit that a prediction uses, the largest first. Without a limit of
    /// the user, memory is limited by that of the machine, and time and upload are not.
    pub fn shares(&self, prediction: &Prediction, ram_bytes: Option<u64>) -> Vec<Share> {
        let mut shares = Vec::new();
        let mut add = |limit, used: f64, text| {
            shares.push(Share { limit, used, growth: Some(1.0 / used), text });
        };
        if let Some(limit) = self.time {
            let (time, limit) = (prediction.request_ns(), limit.as_nanos() as f64);
            let text = format!("{} of {}", format::long_time(time), format::long_time(limit));
            add(Limit::Time, time / limit, text);
        }
        if let Some(limit) = self.memory.or(ram_bytes) {
            let (memory, limit) = (prediction.server_peak_bytes as f64, limit as f64);
            let text = format!("{} of {}", format::bytes(memory), format::bytes(limit));
            add(Limit::Memory, memory / limit, text);
        }
        if let Some(limit) = self.upload {
            let (upload, limit) = (prediction.sent_bytes() as f64, limit as f64);
            let text = format!("{} of {}", format::bytes(upload), format::bytes(limit));
            add(Limit::Upload, upload / limit, text);
        }
        shares.push(security(prediction.security_bits));
        shares.extend(prediction.failure_log2.map(failure));
        shares.sort_by(|a, b| b.used.total_cmp(&a.used));
        shares
    }
}

/// Returns the limit that a growing task reaches first.
pub fn nearest(shares: &[Share]) -> Option<&Share> {
    let growing = shares.iter().filter_map(|share| Some((share, share.growth?)));
    growing.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(share, _)| share)
}

/// Returns the share of the security that is required.
fn security(bits: f64) -> Share {
    let text = format!("{bits:.1} bits, at least {LEAST_SECURITY_BITS:.0} are required");
    let used = if bits > 0.0 { LEAST_SECURITY_BITS / bits } else { f64::INFINITY };
    Share { limit: Limit::Security, used, growth: None, text }
}

/// Returns the share of the probability of a wrong result that is allowed, by its logarithm.
fn failure(log2: f64) -> Share {
    let text = format!("2^{log2:.0}, at most 2^{GREATEST_FAILURE_LOG2:.0} is allowed");
    let used = if log2 < 0.0 { GREATEST_FAILURE_LOG2 / log2 } else { f64::INFINITY };
    let growth = Some((GREATEST_FAILURE_LOG2 - log2).exp2());
    Share { limit: Limit::Failure, used, growth, text }
}

impl Limit {
    /// Returns the name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Memory => "memory of the server",
            Self::Upload => "upload",
            Self::Security => "security",
            Self::Failure => "probability of a wrong result",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_planner::predict_tfhe;
    use fathom_planner::samples::{costs, work};

    fn shares(limits: Limits, failure: f64, ram: Option<u64>) -> Vec<(Limit, f64)> {
        let prediction = predict_tfhe(&work(&[(8, 1)], [0; 3]), 1, &costs(1), 160.0, Some(failure));
        let shares = limits.shares(&prediction, ram).into_iter();
        shares.map(|share| (share.limit, share.used)).collect()
    }

    #[test]
    fn limits_are_compared_by_the_part_that_is_used() {
        let limits =
            Limits { time: Some(Duration::from_micros(9)), memory: None, upload: Some(500_050) };
        let found = shares(limits, -163.0, Some(80_100_000));
        let expected = [
            (Limit::Upload, 2.0),
            (Limit::Security, 0.8),
            (Limit::Time, 0.5),
            (Limit::Failure, 0.25),
            (Limit::Memory, 0.1),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_breaks_first_is_what_the_least_growth_reaches() {
        let limits = Limits { time: Some(Duration::from_micros(45)), ..Limits::default() };
        let prediction = predict_tfhe(&work(&[(8, 1)], [0; 3]), 1, &costs(1), 130.0, Some(-46.0));
        let shares = limits.shares(&prediction, None);
        let growth: Vec<_> = shares.iter().map(|share| (share.limit, share.growth)).collect();
        let time = 1.0 / (4500.0 / 45_000.0);
        let expected =
            [(Limit::Security, None), (Limit::Failure, Some(8.0)), (Limit::Time, Some(time))];
        assert_eq!(growth, expected);
        assert_eq!(nearest(&shares).unwrap().limit, Limit::Failure);
    }

    #[test]
    fn security_that_is_no_number_of_bits_is_none() {
        for bits in [f64::NAN, -1.0, -0.0, f64::NEG_INFINITY] {
            assert!(security(bits).used >= f64::INFINITY, "{bits}");
        }
    }

    #[test]
    fn without_limits_the_machine_and_the_scheme_set_them() {
        let found = shares(Limits::default(), -163.0, None);
        assert_eq!(found, [(Limit::Security, 0.8), (Limit::Failure, 0.25)]);
        assert_eq!(shares(Limits::default(), -1.0, None)[0], (Limit::Failure, f64::INFINITY));
        let own = Limits { memory: Some(801_000), ..Limits::default() };
        assert_eq!(shares(own, -163.0, Some(1))[0], (Limit::Memory, 10.0));
    }
}
