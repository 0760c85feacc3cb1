//! Measures how much longer the operations of a circuit take now than when unit costs were
//! measured.
//!
//! Other machines on the same host share memory and caches, and their load changes within
//! seconds. A prediction from old unit costs would be wrong by this change, so that the operations
//! that take most of a circuit's time are measured again for it.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::work::{BootstrapWork, RingOperation, RingWork};
use fathom::Error;

use crate::layer_curve::LayerCurve;
use crate::measure_ring;
use crate::measure_tfhe::Server;
use crate::ring_costs::RingCosts;
use crate::stats::median;

/// The part of a circuit's time whose operations are measured again, and how many kinds at most.
const SHARE: f64 = 0.9;
const MOST: usize = 6;
/// Time for layers of bootstraps, which outlasts disturbances of a moment, and the numbers of
/// rounds over their sizes.
const LAYER_TIME: Duration = Duration::from_millis(400);
const ROUNDS: std::ops::RangeInclusive<usize> = 3..=200;

/// Returns the slowdown of a circuit of bootstraps: the time of its layers by a new measurement,
/// divided by that of `curve`.
///
/// # Errors
/// Those of the bootstraps.
pub fn of_bootstraps(
    server: &Server,
    curve: &LayerCurve,
    work: &BootstrapWork,
) -> Result<f64, Error> {
    // Larger layers take proportionally longer.
    let largest = curve.points().keys().next_back().copied().unwrap_or(1);
    let time = |(&size, &count): (&u64, &u64)| (size, count as f64 * curve.time_ns(size));
    let most = most_of(work.layers.iter().map(time).collect());
    let mut samples = vec![Vec::new(); most.len()];
    let start = Instant::now();
    for round in 1..=*ROUNDS.end() {
        for ((size, _), times) in most.iter().zip(&mut samples) {
            let size = (*size).min(largest);
            if size <= curve.threads() as u64 {
                // After other sizes, the threads that share a bootstrap sleep.
                server.layer_ns(size)?;
            }
            times.push(server.layer_ns(size)? / curve.time_ns(size));
        }
        if round >= *ROUNDS.start() && start.elapsed() > LAYER_TIME {
            break;
        }
    }
    let slower = samples.iter().filter_map(|times| median(times));
    let (now, then) = most
        .iter()
        .zip(slower)
        .fold((0.0, 0.0), |(now, then), ((_, share), ratio)| (now + share * ratio, then + share));
    Ok(ratio(now, then))
}

/// Returns the slowdown of a circuit of ring operations: their time by a new measurement, divided
/// by that of `costs`.
///
/// # Errors
/// Those of the random generator of the system and of the operations.
pub fn of_ring(work: &RingWork, costs: &RingCosts) -> Result<f64, Error> {
    let time = |(&(operation, level), &count): (&(RingOperation, usize), &f64)| {
        // A bootstrapping takes too long, and its keys longer: other operations stand for it.
        let time = costs.time_ns(operation, level).filter(|_| !operation.is_bootstrap())?;
        Some(((operation, level), count * time))
    };
    let most = most_of(work.spans.iter().filter_map(time).collect());
    let operations: BTreeSet<_> = most.iter().map(|(operation, _)| *operation).collect();
    let again = measure_ring::measure_again(&work.params, costs.threads, &operations)?;
    let (mut now, mut then) = (0.0, 0.0);
    for ((operation, level), share) in most {
        let time = again.get(&RingCosts::key(operation, level));
        if let (Some(time), Some(known)) = (time, costs.time_ns(operation, level)) {
            now += share * time / known;
            then += share;
        }
    }
    Ok(ratio(now, then))
}

/// Returns the ratio; 1 for a circuit without operations.
fn ratio(now: f64, then: f64) -> f64 {
    if then > 0.0 { now / then } else { 1.0 }
}

/// Returns the largest shares that make up most of their sum.
fn most_of<T>(mut shares: Vec<(T, f64)>) -> Vec<(T, f64)> {
    shares.retain(|(_, share)| *share > 0.0);
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    let sum: f64 = shares.iter().map(|(_, share)| share).sum();
    let mut covered = 0.0;
    let enough = shares.iter().position(|(_, share)| {
        covered += share;
        covered >= SHARE * sum
    });
    shares.truncate(enough.map_or(0, |place| place + 1).min(MOST));
    shares
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the numbers are exact in binary")]
mod tests {
    use super::*;
    use crate::samples::work;
    use fathom::tfhe::Params;
    use std::collections::BTreeMap;

    #[test]
    fn the_largest_shares_are_measured() {
        let names = |shares: Vec<(&'static str, f64)>| {
            most_of(shares).into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(names(vec![("a", 1.0), ("b", 80.0), ("c", 0.0), ("d", 15.0)]), ["b", "d"]);
        assert_eq!(names(vec![("a", 1.0)]), ["a"]);
        assert!(names(Vec::new()).is_empty() && names(vec![("a", 0.0)]).is_empty());
        assert_eq!(names(vec![("a", 1.0); 20]).len(), MOST);
        assert_eq!([ratio(3.0, 2.0), ratio(0.0, 0.0)], [1.5, 1.0]);
    }

    #[test]
    fn unit_costs_that_are_too_high_by_a_factor_are_found_too_high_by_it() {
        let params = Params::preset("u_bool_40").unwrap();
        let server = Server::start(&params, 1).unwrap();
        assert!(server.is_of(&params, 1) && !server.is_of(&params, 2));
        let curve = |ns: f64| LayerCurve::new(1, BTreeMap::from([(1, ns)])).unwrap();
        let work = work(&[(1, 4)], [0; 3]);
        let slow = of_bootstraps(&server, &curve(1.0), &work).unwrap();
        assert!(slow > 100.0, "no bootstrap takes a nanosecond: {slow}");
        let fast = of_bootstraps(&server, &curve(1e12), &work).unwrap();
        assert!(fast > 0.0 && fast < 0.1, "no bootstrap takes a quarter of an hour: {fast}");
    }
}
