//! The messages of every bootstrapping that is measured.

use fathom::ckks::Complex64;
use fathom_drivers::random::SplitMix64;

/// Returns numbers uniform in the unit disc, and as many ones: the largest message everywhere,
/// which shows an approximation that is worse at its ends.
pub(super) fn messages(seed: u64, slots: usize) -> [Vec<Complex64>; 2] {
    [disc(seed, slots), vec![Complex64::ONE; slots]]
}

fn disc(seed: u64, count: usize) -> Vec<Complex64> {
    let mut random = SplitMix64(seed);
    let mut fraction = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    (0..count)
        .map(|_| Complex64::cis(fraction() * std::f64::consts::TAU) * fraction().sqrt())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_fill_the_unit_disc_evenly() {
        let numbers = disc(7, 4000);
        assert!(numbers.iter().all(|number| number.norm() <= 1.0));
        let inner = numbers.iter().filter(|number| number.norm_sqr() < 0.5).count();
        assert!((1800..2200).contains(&inner), "{inner}");
        assert!(numbers.iter().any(|number| number.norm() > 0.999));
    }
}
