//! Time of a layer of bootstraps as a function of its size.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Numbers of bootstraps per thread that are measured.
const PER_THREAD: [u64; 9] = [1, 2, 3, 4, 6, 8, 12, 16, 32];

/// Measured times of layers of some sizes on a number of threads, and the times of all others by
/// interpolation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayerCurve {
    /// Number of threads, at least 1.
    threads: u64,
    /// Time in nanoseconds by the number of bootstraps; at least one.
    points: BTreeMap<u64, f64>,
}

impl LayerCurve {
    /// Returns the sizes of layers to measure on `threads` threads: powers of two below that
    /// number, and multiples of it.
    pub fn sizes(threads: usize) -> Vec<u64> {
        let threads = threads.max(1) as u64;
        let few = (0..).map(|power| 1 << power).take_while(|size| *size < threads);
        few.chain(PER_THREAD.map(|each| each * threads)).collect()
    }

    /// Returns the curve through points, times in nanoseconds by number of bootstraps; `None`
    /// unless there is a point, and all have a positive size and time.
    pub fn new(threads: usize, points: BTreeMap<u64, f64>) -> Option<Self> {
        let curve = Self { threads: threads as u64, points };
        curve.is_valid().then_some(curve)
    }

    /// Returns true if the curve has a point and all its numbers are positive.
    pub(crate) fn is_valid(&self) -> bool {
        let positive = |(size, time): (&u64, &f64)| *size > 0 && time.is_finite() && *time > 0.0;
        self.threads > 0 && !self.points.is_empty() && self.points.iter().all(positive)
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.threads as usize
    }

    /// Returns the measured points: time in nanoseconds by number of bootstraps.
    pub fn points(&self) -> &BTreeMap<u64, f64> {
        &self.points
    }

    /// Returns the time of a layer in nanoseconds.
    ///
    /// If there are more bootstraps than threads, all threads have work until the one with the
    /// largest share ends, so that the size is rounded up to a multiple of the number of threads.
    /// Between measured sizes the time is linear; beyond the largest it is proportional to the
    /// size.
    pub fn time_ns(&self, bootstraps: u64) -> f64 {
        if bootstraps == 0 {
            return 0.0;
        }
        let size = if bootstraps > self.threads {
            bootstraps.next_multiple_of(self.threads)
        } else {
            bootstraps
        };
        let below = self.points.range(..=size).next_back();
        let above = self.points.range(size..).next();
        match (below, above) {
            (Some((low, from)), Some((high, to))) if low < high => {
                from + (to - from) * (size - low) as f64 / (high - low) as f64
            }
            (None | Some(_), Some((_, time))) => *time,
            (Some((largest, time)), None) => time * size as f64 / *largest as f64,
            (None, None) => 0.0,
        }
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the numbers are exact in binary")]
mod tests {
    use super::*;

    fn curve(threads: usize, points: &[(u64, f64)]) -> LayerCurve {
        LayerCurve::new(threads, points.iter().copied().collect()).unwrap()
    }

    #[test]
    fn measured_sizes_have_their_times_and_others_lie_between() {
        let curve = curve(1, &[(1, 10.0), (4, 22.0), (8, 40.0)]);
        let times = [0, 1, 2, 4, 6, 8].map(|size| curve.time_ns(size));
        assert_eq!(times, [0.0, 10.0, 14.0, 22.0, 31.0, 40.0]);
        assert_eq!(curve.time_ns(80), 400.0, "proportional beyond the largest");
    }

    #[test]
    fn the_last_round_of_the_threads_is_as_long_as_the_others() {
        let curve = curve(2, &[(1, 6.0), (2, 10.0), (4, 18.0), (8, 34.0)]);
        assert_eq!(curve.time_ns(1), 6.0, "fewer bootstraps than threads are not rounded");
        assert_eq!(curve.time_ns(3), curve.time_ns(4));
        assert_eq!(curve.time_ns(5), 26.0);
        assert_eq!(curve.time_ns(9), curve.time_ns(10));
    }

    #[test]
    fn sizes_reach_the_number_of_threads_and_curves_need_positive_numbers() {
        assert_eq!(LayerCurve::sizes(1), [1, 2, 3, 4, 6, 8, 12, 16, 32]);
        assert_eq!(LayerCurve::sizes(2), [1, 2, 4, 6, 8, 12, 16, 24, 32, 64]);
        assert_eq!(LayerCurve::sizes(8)[..5], [1, 2, 4, 8, 16]);
        assert!(LayerCurve::new(1, BTreeMap::new()).is_none());
        for point in [(0, 1.0), (1, 0.0), (1, f64::NAN), (1, -1.0)] {
            assert!(LayerCurve::new(1, BTreeMap::from([point])).is_none(), "{point:?}");
        }
        assert!(LayerCurve::new(0, BTreeMap::from([(1, 1.0)])).is_none());
    }
}
