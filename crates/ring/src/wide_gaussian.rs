//! Discrete Gaussians over the integers of any large parameter, in constant time.
//!
//! A wide Gaussian is a sum of narrow ones with the weights 1, 4, 16, ... and one last weight that
//! fits the sum to the parameter (convolution: Micciancio and Walter, eprint 2017/259). Adding
//! `w X` to a sum `S` of parameter `s` gives the parameter `sqrt(s^2 + w^2 v)`, where `v` is the
//! [`BASE_VARIANCE`], with a relative error of each probability below `2^-131` if
//! `1 / s^2 + 1 / (w^2 v) <= 17 / (v w^2)`: then the smoothing parameter of `w Z` with error
//! `2^-133` is not exceeded. For the sum of the first `n` powers of 4, `s^2 = v (16^n - 1) / 15`,
//! and every weight up to `4^n` satisfies the condition.
//!
//! The narrow samples come from 127-bit thresholds, each of which is compared with every sample.
//! Their statistical distance from the base distribution is below `2^-121`. A wide sample adds up
//! at most 51 of them, so that its distance from the discrete Gaussian is below `2^-115`.
//! Floating-point methods are no choice here: their results lie on a grid that, in the tails, is
//! coarser than what the noise should hide.

mod thresholds;

use crate::{Error, SecretRng, WideCoefficients};
use thresholds::{BASE_VARIANCE, THRESHOLDS};
use zeroize::Zeroizing;

/// A sampler of the discrete Gaussian over the integers with a wide parameter.
#[derive(Clone, Debug)]
pub struct WideGaussian {
    /// Weights of the narrow samples that are added up.
    weights: Vec<i128>,
}

impl WideGaussian {
    /// Greatest parameter: `2^100`.
    pub const LARGEST: f64 = 1_267_650_600_228_229_401_496_703_205_376.0;

    /// Makes a sampler whose parameter is at least `deviation`, and at least `sqrt(80)`. Above
    /// that, it exceeds `deviation` by a factor of at most 1.42, and of at most 1.04 from 160 on.
    ///
    /// # Errors
    /// [`Error::WideParameter`] unless the deviation is between 0 and [`WideGaussian::LARGEST`].
    pub fn new(deviation: f64) -> Result<WideGaussian, Error> {
        if !(0.0..=WideGaussian::LARGEST).contains(&deviation) {
            return Err(Error::WideParameter { deviation, largest: WideGaussian::LARGEST });
        }
        let mut weights = vec![1];
        while variance(&weights) < deviation * deviation {
            let power = weights[weights.len() - 1] << 2;
            weights.push(power);
            if variance(&weights) >= deviation * deviation {
                // The last weight need not be as large.
                weights.pop();
                let missing = deviation * deviation - variance(&weights);
                let least = (missing / f64::from(BASE_VARIANCE)).sqrt().ceil();
                weights.push((least as i128).clamp(1, power));
                break;
            }
        }
        Ok(WideGaussian { weights })
    }

    /// Returns the parameter: the standard deviation of samples.
    pub fn deviation(&self) -> f64 {
        variance(&self.weights).sqrt()
    }

    /// Draws `count` independent samples.
    pub fn sample(&self, rng: &mut SecretRng, count: usize) -> WideCoefficients {
        let mut sums = Zeroizing::new(vec![0; count]);
        let mut words = Zeroizing::new(vec![0; 2 * count]);
        rng.during(|rng| {
            for &weight in &self.weights {
                rng.fill_words(&mut words);
                for (sum, words) in sums.iter_mut().zip(words.as_chunks().0) {
                    *sum += weight * i128::from(narrow(words));
                }
            }
        });
        let total: i128 = self.weights.iter().sum();
        WideCoefficients::from_integers(&sums, total as f64 * THRESHOLDS.len() as f64)
    }
}

/// Returns the variance of a sum of narrow samples with these weights.
fn variance(weights: &[i128]) -> f64 {
    let squares = weights.iter().map(|&weight| (weight as f64).powi(2));
    f64::from(BASE_VARIANCE) * squares.sum::<f64>()
}

/// Returns the sample of the base distribution for 128 uniform bits: one for the sign, the others
/// for the magnitude.
fn narrow(words: &[u64; 2]) -> i64 {
    let word = u128::from(words[0]) | u128::from(words[1]) << 64;
    let fraction = word >> 1;
    // The difference is negative if the fraction is below the threshold.
    let below = |threshold: &u128| (fraction.wrapping_sub(*threshold) >> 127) as i64;
    let magnitude: i64 = THRESHOLDS.iter().map(below).sum();
    let sign = -((word & 1) as i64);
    (magnitude ^ sign) - sign
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    /// Fractional bits of the exact computation.
    const BITS: u32 = 320;

    /// Returns `exp(-1/160)` by its series.
    fn exponential() -> BigUint {
        let one = BigUint::from(1_u32) << BITS;
        let (mut even, mut odd) = (BigUint::ZERO, BigUint::ZERO);
        let mut term = one;
        for n in 1_u32..60 {
            if n % 2 == 1 {
                even += &term;
            } else {
                odd += &term;
            }
            term /= 2 * BASE_VARIANCE * n;
        }
        even - odd
    }

    #[test]
    fn thresholds_are_those_of_the_gaussian() {
        let base = exponential();
        let multiplied = |a: &BigUint, b: &BigUint| (a * b) >> BITS;
        let weight = |k: u32| {
            let mut power = BigUint::from(1_u32) << BITS;
            let mut square = base.clone();
            let mut exponent = k * k;
            while exponent > 0 {
                if exponent % 2 == 1 {
                    power = multiplied(&power, &square);
                }
                square = multiplied(&square, &square);
                exponent /= 2;
            }
            power
        };
        let weights: Vec<BigUint> = (0..190).map(weight).collect();
        let all = &weights[0] + weights[1..].iter().sum::<BigUint>() * 2_u32;
        let mut tail = BigUint::ZERO;
        let mut exact: Vec<u128> = weights[1..]
            .iter()
            .rev()
            .map(|weight| {
                tail += weight * 2_u32;
                u128::try_from((&tail << 127) / &all).unwrap()
            })
            .collect();
        exact.reverse();
        exact.retain(|threshold| *threshold > 0);
        assert_eq!(exact, THRESHOLDS);
    }

    /// The probabilities of the base distribution, from its thresholds.
    fn base() -> Vec<(i64, f64)> {
        let unit = 127_f64.exp2();
        let tail = |k: usize| match k {
            0 => unit,
            k => THRESHOLDS.get(k - 1).map_or(0.0, |t| *t as f64),
        };
        let both = |k: usize| match k {
            0 => (unit - tail(1)) / unit,
            k => {
                let (this, next) = (THRESHOLDS[k - 1], THRESHOLDS.get(k).copied().unwrap_or(0));
                (this - next) as f64 / unit / 2.0
            }
        };
        let positive = (1..THRESHOLDS.len()).map(|k| (k as i64, both(k)));
        let negative = positive.clone().map(|(k, p)| (-k, p));
        negative.chain([(0, both(0))]).chain(positive).collect()
    }

    #[test]
    fn sums_of_narrow_gaussians_are_wide_gaussians() {
        for deviation in [12.0, 18.0, 27.0, 36.0] {
            let gaussian = WideGaussian::new(deviation).unwrap();
            let [1, weight] = gaussian.weights[..] else { panic!("{:?}", gaussian.weights) };
            let square = 2.0 * gaussian.deviation().powi(2);
            let density = |x: i64| (-(x * x) as f64 / square).exp();
            let total: f64 = (-1000..=1000).map(density).sum();
            // Further out, the last threshold shows.
            for x in (0..=(8.0 * gaussian.deviation()) as i64).step_by(7) {
                let by = |&(wide, p): &(i64, f64)| {
                    let narrow = x - wide * weight as i64;
                    let of = base().iter().find(|(k, _)| *k == narrow).map_or(0.0, |(_, p)| *p);
                    p * of
                };
                let found: f64 = base().iter().map(by).sum();
                let expected = density(x) / total;
                assert!((found / expected - 1.0).abs() < 1e-9, "{deviation} {x}");
            }
        }
    }

    #[test]
    fn parameters_are_met_and_hardly_exceeded() {
        for log2 in 0..=100 {
            for fraction in [0.0, 0.3, 0.9] {
                let deviation = (f64::from(log2) + fraction).exp2();
                let Ok(gaussian) = WideGaussian::new(deviation) else {
                    assert!(deviation > WideGaussian::LARGEST);
                    continue;
                };
                let factor = gaussian.deviation() / deviation.max(f64::from(BASE_VARIANCE).sqrt());
                let limit = if deviation < 160.0 { 1.42 } else { 1.04 };
                assert!((1.0 - 1e-12..limit).contains(&factor), "2^{log2}: {factor}");
                let weights = &gaussian.weights;
                // The condition of the convolution.
                let last = *weights.last().unwrap();
                assert!(weights.len() <= 51 && last <= 1 << (2 * (weights.len() - 1)));
            }
        }
        for wrong in [f64::NAN, f64::INFINITY, -1.0, 2e30] {
            assert!(matches!(WideGaussian::new(wrong), Err(Error::WideParameter { .. })));
        }
    }

    #[test]
    fn samples_have_their_deviation() {
        let mut rng = SecretRng::insecure_from_seed(3);
        for deviation in [5.0, 40.0, 1e9, 1e15, 1e27] {
            let gaussian = WideGaussian::new(deviation).unwrap();
            let sample = gaussian.sample(&mut rng, 20_000).to_reals();
            let unit = gaussian.deviation();
            let (mean, squares) = sample
                .iter()
                .map(|x| x / unit)
                .fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
            let count = sample.len() as f64;
            assert!((mean / count).abs() < 0.04, "{deviation:e}: {}", mean / count);
            assert!((squares / count - 1.0).abs() < 0.05, "{deviation:e}: {}", squares / count);
        }
    }
}
