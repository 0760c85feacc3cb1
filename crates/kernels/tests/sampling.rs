//! The samplers of every kernel: against the oracle, and against the distributions they promise.

use crate::common::{Words, on_every_kernel};
use fathom_kernels::{as_integers, reference};

/// Lengths that three and four divide, and that they do not.
const LENGTHS: [usize; 4] = [64, 128, 192, 1024];

/// Rows of the statistical tests, of 1024 samples each.
const ROWS: usize = 256;

#[test]
fn thresholds_are_counted() {
    on_every_kernel(|kernel| {
        let words = Words(5).row(128, 1 << 63);
        for thresholds in [vec![], vec![words[3]], vec![1 << 62, 1 << 61, 12, 1, 0], words.clone()]
        {
            let mut counts = words.clone();
            kernel.count_above_assign(&mut counts, &thresholds);
            assert_eq!(counts, reference::count_above(&words, &thresholds));
        }
    });
}

#[test]
fn weights_are_compared() {
    on_every_kernel(|kernel| {
        for len in LENGTHS {
            let mut words = Words(6).row(2 * len.div_ceil(3), u64::MAX);
            let groups = [u64::MAX, 0x1f_ffff, 0x1f_ffff << 21, 0x1f_ffff << 42, 1 << 63];
            words.iter_mut().zip(groups).for_each(|(word, group)| *word = group);
            let expected = reference::weight_differences(len, &words);
            let mut out = words;
            out.resize(len, u64::MAX);
            kernel.weight_differences(&mut out);
            assert!(out.iter().zip(&expected).all(|(&out, &expected)| out as i64 == expected));
        }
    });
}

#[test]
fn fractions_give_their_digits_in_base_three() {
    on_every_kernel(|kernel| {
        for len in LENGTHS {
            let mut words = Words(7).row(len / 4, u64::MAX);
            // Both sides of a third, of two thirds and of a 27th; the least and the greatest.
            let third = (1 << 62) / 3 * 4;
            let edges =
                [third + 3, third + 4, 2 * third + 7, 2 * third + 8, third / 9, 0, u64::MAX];
            words.iter_mut().zip(edges).for_each(|(word, edge)| *word = edge);
            let expected = reference::ternary_digits(&words);
            let mut out = words;
            out.resize(len, u64::MAX);
            kernel.ternary_digits(&mut out);
            assert!(out.iter().zip(&expected).all(|(&out, &expected)| out as i64 == expected));
        }
    });
}

/// Samples of one row after the other, from uniform words at its beginning.
fn samples(words: &mut Words, drawn: usize, sampler: impl Fn(&mut [u64])) -> Vec<i64> {
    let mut all = Vec::new();
    for _ in 0..ROWS {
        let mut row = [0; 1024];
        row[..drawn].fill_with(|| words.next());
        sampler(&mut row);
        all.extend(as_integers(&row));
    }
    all
}

/// Pearson's statistic in standard deviations from its mean, of counts against probabilities.
fn deviation(counts: &[usize], probabilities: &[f64]) -> f64 {
    let total = counts.iter().sum::<usize>() as f64;
    let cell = |(&count, &p): (&usize, &f64)| (count as f64 - p * total).powi(2) / (p * total);
    let statistic: f64 = counts.iter().zip(probabilities).map(cell).sum();
    let freedom = counts.len() as f64 - 1.0;
    (statistic - freedom) / (2.0 * freedom).sqrt()
}

/// The chance of each difference from -21 to 21: that of so many ones among 42 bits, less 21.
fn binomial() -> Vec<f64> {
    let mut ways = vec![1.0];
    for _ in 0..42 {
        let shifted = [0.0].into_iter().chain(ways.iter().copied());
        ways = shifted
            .zip(ways.iter().copied().chain([0.0]))
            .map(|(a, b)| f64::midpoint(a, b))
            .collect();
    }
    ways
}

#[test]
fn weight_differences_have_a_centered_binomial_distribution_in_each_third() {
    let chances = binomial();
    // Values that are seen some 20 times; the others are one cell.
    let likely = |value: &i64| chances[(value + 21) as usize] > 2e-4;
    let (inner, outer): (Vec<i64>, Vec<i64>) = (-21..=21).partition(likely);
    let chance = |values: &[i64]| values.iter().map(|v| chances[(v + 21) as usize]).sum::<f64>();
    let cells: Vec<Vec<i64>> = inner.iter().map(|&v| vec![v]).chain([outer]).collect();
    let probabilities: Vec<f64> = cells.iter().map(|cell| chance(cell)).collect();
    on_every_kernel(|kernel| {
        let third = 1024_usize.div_ceil(3);
        let drawn = 2 * third;
        let all = samples(&mut Words(8), drawn, |row| kernel.weight_differences(row));
        assert!(all.iter().all(|value| (-21..=21).contains(value)));
        for places in [0..third, third..drawn, drawn..1024] {
            let part: Vec<i64> =
                all.chunks(1024).flat_map(|row| &row[places.clone()]).copied().collect();
            let count = |cell: &Vec<i64>| part.iter().filter(|v| cell.contains(v)).count();
            let counts: Vec<usize> = cells.iter().map(count).collect();
            let deviation = deviation(&counts, &probabilities);
            assert!((-4.0..5.0).contains(&deviation), "{places:?}: {deviation}");
            let n = part.len() as f64;
            let mean = part.iter().sum::<i64>() as f64 / n;
            let variance = part.iter().map(|v| v * v).sum::<i64>() as f64 / n;
            assert!(mean.abs() < 5.0 * (10.5 / n).sqrt(), "{places:?}: mean {mean}");
            // The fourth central moment of 42 fair bits is 3 * 10.5^2 - 10.5 / 2.
            let spread = (2.0 * 10.5_f64.powi(2) - 5.25).sqrt();
            assert!((variance - 10.5).abs() < 5.0 * spread / n.sqrt(), "{places:?}: {variance}");
        }
        let products = |shift: usize| -> i64 {
            all.chunks(1024)
                .map(|row| (0..1024 - drawn).map(|i| row[i + drawn] * row[i + shift]).sum::<i64>())
                .sum()
        };
        // Samples that share a word do not share a bit.
        for shift in [0, third] {
            let n = (ROWS * (1024 - drawn)) as f64;
            let correlation = products(shift) as f64 / 10.5 / n.sqrt();
            assert!(correlation.abs() < 5.0, "{shift}: {correlation}");
        }
    });
}

#[test]
fn ternary_digits_of_one_fraction_take_all_their_values_equally_often() {
    on_every_kernel(|kernel| {
        let all = samples(&mut Words(9), 256, |row| kernel.ternary_digits(row));
        assert!(all.iter().all(|value| (-1..=1).contains(value)));
        let mut counts = vec![0; 81];
        for row in all.chunks(1024) {
            for i in 0..256 {
                let digits = [row[i], row[i + 256], row[i + 512], row[i + 768]];
                counts[digits.iter().fold(0, |number, digit| 3 * number + digit + 1) as usize] += 1;
            }
        }
        let deviation = deviation(&counts, &[1.0 / 81.0; 81]);
        assert!((-4.0..5.0).contains(&deviation), "{deviation}");
    });
}
