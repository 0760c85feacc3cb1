//! The model in the clear, and the features of images.

use crate::inference::test_images;

/// Features of an image, the last of which is constant.
pub(super) const FEATURES: usize = 4;

/// The features of an image, or the weights.
pub(super) type Row = [f64; FEATURES];

/// The step of an iteration, for the mean over all images.
pub(super) const RATE: f64 = 0.2;

/// Improves weights by one iteration.
pub(super) fn improve(weights: &mut Row, rows: &[Row]) {
    let mut gradient = Row::default();
    for row in rows {
        let margin: f64 = row.iter().zip(&*weights).map(|(x, w)| x * w).sum();
        let doubt = 1.0 / (1.0 + margin.exp());
        gradient.iter_mut().zip(row).for_each(|(sum, x)| *sum += x * doubt);
    }
    let step = RATE / rows.len() as f64;
    weights.iter_mut().zip(gradient).for_each(|(weight, sum)| *weight += step * sum);
}

/// Returns the features of all images of the digits 3 and 8, with the opposite sign for 8: the ink
/// in three parts of the image, compared with that of all images, and a constant.
pub(super) fn rows() -> Vec<Row> {
    let images = test_images();
    let chosen: Vec<_> = images.iter().filter(|image| [3, 8].contains(&image[DIGIT])).collect();
    let mean = |part| chosen.iter().map(|i| ink(i, part)).sum::<f64>() / chosen.len() as f64;
    let means = PARTS.map(mean);
    let row = |image: &&Vec<u64>| {
        let sign = if image[DIGIT] == 3 { 1.0 } else { -1.0 };
        std::array::from_fn(|k| match PARTS.get(k) {
            Some(&part) => sign * (2.0 * (ink(image, part) - means[k])).clamp(-1.0, 1.0),
            None => sign * 0.5,
        })
    };
    chosen.iter().map(row).collect()
}

/// The place of the digit after the pixels of an image.
const DIGIT: usize = 64;
/// The parts of an image whose ink counts: two of its lines, and their left or right half.
const PARTS: [usize; FEATURES - 1] = [2, 4, 7];

/// Returns the ink in a part of an image, from 0 to 1.
fn ink(image: &[u64], part: usize) -> f64 {
    let (top, left) = (part / 2 * 2, part % 2 * 4);
    let pixels = (0..8).map(|i| image[(top + i / 4) * 8 + left + i % 4]);
    pixels.map(|pixel| pixel as f64).sum::<f64>() / 128.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bounds that the server relies on hold for all images, whatever the first one is.
    #[test]
    fn thirty_iterations_tell_the_digits_apart_within_the_promised_bounds() {
        let all = rows();
        for first in 0..all.len() {
            let rows: Vec<Row> = all.iter().cycle().skip(first).take(64).copied().collect();
            let mut weights = Row::default();
            let margin = |row: &Row, w: &Row| row.iter().zip(w).map(|(x, w)| x * w).sum::<f64>();
            for _ in 0..30 {
                improve(&mut weights, &rows);
                assert!(weights.iter().all(|w| w.abs() < super::super::ckks::LARGEST_WEIGHT));
                let largest = rows.iter().map(|row| margin(row, &weights).abs());
                assert!(largest.fold(0.0, f64::max) < super::super::ckks::LARGEST_MARGIN);
            }
            let right = rows.iter().filter(|row| margin(row, &weights) > 0.0).count();
            assert!(right >= 56, "{right} of 64 from image {first} on");
        }
    }
}
