//! Comparisons: a search by similarity, marks of sensors, the largest of some numbers.

use crate::numbers::Numbers;
use crate::support::{Nearness, Outcome, Party, params, seeds};

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
    let params = params(sign.depth() + 4, 12.0)?;
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

        let every =
            |values: &[f64]| -> Vec<f64> { values.iter().step_by(FEATURES).copied().collect() };
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
    // Room for what the first round approximates: differences are up to 1.
    const MOST: f64 = 0.48;
    let sign = sign(0.0125)?;
    let greatest = |server: &ckks::Evaluator, [a, b, c, d]: [&ckks::Ciphertext; 4]| {
        server.max(&server.max(a, b, &sign)?, &server.max(c, d, &sign)?, &sign)
    };
    let plan = ckks::Params::for_circuit(
        |server| {
            let top = server.params().top_level();
            let number = || server.simulated_encryption_within(Encryption::SecretKey, MOST, top);
            let [a, b, c, d] = [number()?, number()?, number()?, number()?];
            Ok(vec![greatest(server, [&a, &b, &c, &d])?])
        },
        4.0,
        SecurityLevel::Bits128,
    )?;
    let count = plan.params().slot_count();
    let mut party = Party::new(plan.params().clone(), plan.rotations())?;
    let mut largest = Nearness::default();
    for seed in seeds() {
        let mut numbers = Numbers(seed);
        let lists = [(); 4].map(|()| numbers.list(count, MOST));
        let mut encrypted = Vec::new();
        for list in &lists {
            encrypted.push(party.encrypt(list, MOST)?);
        }
        let [a, b, c, d] = &encrypted[..] else { unreachable!("there are four") };
        let result = greatest(&party.server, [a, b, c, d])?;
        let expected: Vec<f64> = (0..count)
            .map(|i| lists.iter().map(|list| list[i]).fold(f64::NEG_INFINITY, f64::max))
            .collect();
        largest.count(&party.secret.decrypt(&result)?, &expected);
    }
    largest.assert_within(6.0, "the largest of four");
    Ok(())
}

/// The position of the largest of sixteen numbers: every pair is compared at once.
#[test]
fn argmax_of_sixteen() -> Outcome {
    const COUNT: usize = 16;
    let pairs = sign(1.0 / 64.0)?;
    // A winner has 16 of 16 points, any other number at most 14.
    let marks = ckks::SignApproximation::new(1.0 / 32.0, &[7, 15])?;
    let itself = |slot: usize| f64::from(slot / COUNT == slot % COUNT);
    let diagonal: Vec<f64> = (0..COUNT * COUNT).map(itself).collect();
    let argmax = |server: &ckks::Evaluator, [rows, columns]: [&ckks::Ciphertext; 2]| {
        // A number beats itself, so that every difference is beyond the gap.
        let diagonal = server.params().encode(&diagonal)?;
        let difference = server.add_plain(&server.sub(rows, columns)?, &diagonal)?;
        let difference = server.assume_magnitude(&difference, 1.0)?;
        let points = server.sum_rotations(&server.sign(&difference, &pairs)?, COUNT)?;
        let share = server.mul_scalar(&points, 1.0 / (2 * COUNT) as f64)?;
        let share = server.assume_magnitude(&server.sub_scalar(&share, 0.46875)?, 1.0)?;
        server.sign(&share, &marks)
    };
    let plan = ckks::Params::for_circuit(
        |server| {
            let top = server.params().top_level();
            let number = || server.simulated_encryption_within(Encryption::SecretKey, 0.25, top);
            Ok(vec![argmax(server, [&number()?, &number()?])?])
        },
        5.0,
        SecurityLevel::Bits128,
    )?;
    let mut party = Party::new(plan.params().clone(), plan.rotations())?;
    let mut found = Nearness::default();
    for seed in seeds() {
        let mut numbers = Numbers(seed);
        let mut values: Vec<f64> = (0..COUNT).map(|i| (i as f64 - 7.5) / 32.0).collect();
        (1..COUNT).rev().for_each(|i| values.swap(i, (numbers.unit().abs() * i as f64) as usize));
        let each = |of: &dyn Fn(usize) -> usize| -> Vec<f64> {
            (0..COUNT * COUNT).map(|slot| values[of(slot)]).collect()
        };
        let rows = party.encrypt(&each(&|slot| slot / COUNT), 0.25)?;
        let columns = party.encrypt(&each(&|slot| slot % COUNT), 0.25)?;

        let result = argmax(&party.server, [&rows, &columns])?;
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let expected: Vec<f64> =
            values.iter().map(|x| if *x < largest { -1.0 } else { 1.0 }).collect();
        found.count_every(&party.secret.decrypt(&result)?, COUNT, &expected);
    }
    found.assert_within(6.0, "argmax of sixteen");
    Ok(())
}
