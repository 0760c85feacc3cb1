//! Quantiles of samples.

/// Returns the median of `samples`; `None` if there are none.
pub fn median(samples: &[f64]) -> Option<f64> {
    (!samples.is_empty()).then(|| median_of_sorted(&sorted(samples)))
}

/// Returns the lower quartile by nearest rank; `None` of an empty series. Other work of the machine
/// only lengthens times, so that it is less disturbed than the median.
pub fn lower_quartile(samples: &[f64]) -> Option<f64> {
    (!samples.is_empty()).then(|| quantile_of_sorted(&sorted(samples), 0.25))
}

/// Returns the samples in ascending order.
pub fn sorted(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Returns the median of a sorted series.
///
/// # Panics
/// If it is empty.
pub fn median_of_sorted(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2])
}

/// Returns the nearest-rank quantile of a sorted series; NaN if it is empty.
pub fn quantile_of_sorted(sorted: &[f64], probability: f64) -> f64 {
    let rank = (probability * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.clamp(1, sorted.len().max(1)) - 1).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_of_disturbed_samples_do_not_change_the_lower_quartile() {
        assert_eq!(lower_quartile(&[9.0, 5.0, 8.0, 7.0]), Some(5.0));
        assert_eq!(lower_quartile(&[3.0, 9.0, 1.0, 2.0, 7.0, 8.0, 4.0, 6.0]), Some(2.0));
        assert_eq!(lower_quartile(&[7.0]), Some(7.0));
        assert_eq!(lower_quartile(&[]), None);
    }
}
