//! Comparisons: a search by similarity, marks of sensors, the largest of some numbers.

use crate::numbers::Numbers;
use crate::support::{Nearness, Outcome, Party, params, seeds};
use fathom::ckks;
use fathom::prelude::*;

/// Numbers in a vector of features.
const FEATURES: usize = 128;

fn sign(gap: f64) -> Result<ckks::SignApproximation, fathom::Error> {
    ckks::SignApproximation::new(gap, &[7, 15, 15])
}

/// Vectors in consecutive slots are compared with one query: those that are similar keep their
/// payload.
#[test]
fn search_by_similarity() -> Outcome {
    let (gap, threshold) = (0.02, 0.2);
    let sign = sign(gap / 2.0)?;
    let params = params(sign.depth() + 3, 12.0)?;
    let count = params.slot_count();
    let mut party = Party::new(params, &Rotations::for_sum(FEATURES))?;
    let [mut dots, mut signs, mut masked] = [(); 3].map(|()| Nearness::default());
    for seed in seeds() {
        let mut numbers = Numbers(seed);
        let query = numbers.direction(FEATURES);
        let mut vectors = Vec::new();
        while vectors.len() < count {
            let (own, noise) = (numbers.unit(), numbers.direction(FEATURES));
            let mixed: Vec<f64> =
                query.iter().zip(&noise).map(|(q, n)| own * q + (1.0 - own.abs()) * n).collect();
            let norm = mixed.iter().map(|x| x * x).sum::<f64>().sqrt();
            let dot: f64 = mixed.iter().zip(&query).map(|(x, q)| x * q / norm).sum();
            if (dot - threshold).abs() > gap {
                vectors.extend(mixed.iter().map(|x| x / norm));
            }
        }
        let payloads = numbers.list(count, 1.0);
        let queries: Vec<f64> = query.iter().copied().cycle().take(count).collect();
        let a = party.encrypt(&vectors, 1.0)?;
        let b = party.encrypt(&queries, 1.0)?;
        let payload = party.encrypt(&payloads, 1.0)?;

        let server = &party.server;
        let dot = server.sum_rotations(&server.mul(&a, &b)?, FEATURES)?;
        // Inner products of vectors of norm 1, and of neighbours in the slots between.
        let dot = server.assume_magnitude(&dot, 2.0)?;
        let distance = server.mul_scalar(&server.sub_scalar(&dot, threshold)?, 0.5)?;
        let distance = server.assume_magnitude(&distance, 1.0)?;
        let marks = server.sign(&distance, &sign)?;
        let mask = server.add_scalar(&server.mul_scalar(&marks, 0.5)?, 0.5)?;
        let found = server.mul(&mask, &payload)?;

        let every = |values: &[f64]| -> Vec<f64> {
            values.iter().step_by(FEATURES).copied().collect()
        };
        let clear: Vec<f64> = vectors
            .chunks(FEATURES)
            .map(|vector| vector.iter().zip(&query).map(|(x, q)| x * q).sum())
            .collect();
        let mark: Vec<f64> = clear.iter().map(|dot| (dot - threshold).signum()).collect();
        let kept: Vec<f64> =
            mark.iter().zip(every(&payloads)).map(|(m, p)| f64::midpoint(*m, 1.0) * p).collect();
        for (near, result, expected) in
            [(&mut dots, &dot, &clear), (&mut signs, &marks, &mark), (&mut masked, &found, &kept)]
        {
            near.count_every(&party.secret.decrypt(result)?, FEATURES, expected);
        }
    }
    dots.assert_within(6.0, "inner products of 128");
    signs.assert_within(6.0, "their signs");
    masked.assert_within(6.0, "payloads of similar vectors");
    Ok(())
}

/// Readings are marked where they exceed a limit.
#[test]
fn marks_of_sensors() -> Outcome {
    let gap = 0.02;
    let sign = sign(gap)?;
    let params = params(sign.depth(), 12.0)?;
    let count = params.slot_count();
    let mut party = Party::new(params, &Rotations::none())?;
    let mut marks = Nearness::default();
    for seed in seeds() {
        let mut numbers = Numbers(seed);
        let limit = 0.25;
        let reading = |x: f64| limit + x.signum() * (gap + x.abs() * (0.5 - limit - gap));
        let readings: Vec<f64> = numbers.list(count, 1.0).into_iter().map(reading).collect();
        let a = party.encrypt(&readings, 0.5)?;
        let b = party.encrypt(&vec![limit; count], 0.5)?;
        let found = party.server.gt(&a, &b, &sign)?;
        let expected: Vec<f64> = readings.iter().map(|x| f64::from(*x > limit)).collect();
        marks.count(&party.secret.decrypt(&found)?, &expected);
    }
    marks.assert_within(6.0, "marks of sensors");
    Ok(())
}

/// The largest of four numbers, in two rounds.
#[test]
fn the_largest_of_four() -> Outcome {
    let sign = sign(0.0125)?;
    let params = params(2 * (sign.depth() + 1), 12.0)?;
    let count = params.slot_count();
    let mut party = Party::new(params, &Rotations::none())?;
    let mut largest = Nearness::default();
    for seed in seeds() {
        let mut numbers = Numbers(seed);
        let lists = [(); 4].map(|()| numbers.list(count, 0.5));
        let mut encrypted = Vec::new();
        for list in &lists {
            encrypted.push(party.encrypt(list, 0.5)?);
        }
        let [a, b, c, d] = &encrypted[..] else { unreachable!("there are four") };
        let server = &party.server;
        let result = server.max(&server.max(a, b, &sign)?, &server.max(c, d, &sign)?, &sign)?;
        let expected: Vec<f64> = (0..count)
            .map(|i| lists.iter().map(|list| list[i]).fold(f64::NEG_INFINITY, f64::max))
            .collect();
        largest.count(&party.secret.decrypt(&result)?, &expected);
    }
    largest.assert_within(6.0, "the largest of four");
    Ok(())
}
