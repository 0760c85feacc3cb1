//! The noise of bootstraps and their failure probability agree with the model.
//!
//! These tests are end to end and use public operations only. An ignored test of the library
//! (src/tfhe/bootstrap/bootstrapper/noise.rs) measures every set step by step, more closely than
//! continuous integration has time for; `NOISE_SAMPLES=10000` makes the tests here as accurate.

use crate::tfhe::keys;
use fathom::tfhe::{Block, Function, Job, Lut, Params};

fn samples() -> usize {
    // The portable kernel is an order of magnitude slower.
    let portable = std::env::var("FATHOM_KERNEL").is_ok_and(|name| name == "portable");
    let count = if portable { 128 } else { 800 };
    std::env::var("NOISE_SAMPLES").map_or(count, |text| text.parse().unwrap())
}

/// Measures the variance of the phases of outputs over many fresh inputs.
#[test]
fn the_variance_of_an_output_is_that_of_the_model() {
    let name = "u_2_2_128";
    let (client, evaluator, mut rng) = keys(Params::preset(name).unwrap());
    let space = client.params().space();
    let lut = Lut::new(space, 0..=3, |x| x).unwrap();
    let count = samples();
    let mut sum = 0.0;
    for _ in 0..count.div_ceil(64) {
        let inputs: Vec<_> =
            (0..64).map(|i| client.encrypt::<Block>(i % 4, &mut rng).unwrap()).collect();
        let jobs: Vec<_> = inputs.iter().map(|input| Job { input, lut: &lut }).collect();
        for (i, outputs) in evaluator.bootstrap(&jobs).unwrap().iter().enumerate() {
            let expected = space.encode(i as i64 % 4);
            let error = client.phase(outputs[0].lwe()).unwrap().wrapping_sub(expected) as i64;
            sum += (error as f64 / 2f64.powi(64)).powi(2);
        }
    }
    let count = count.div_ceil(64) * 64;
    let measured = sum / count as f64;
    let model = client.params().noise().variances().blind_rotation;
    let ratio = measured / model;
    println!("{name}: variance 2^{:.2}, {ratio:.3} of the model, n {count}", measured.log2());
    // The upper bound is five standard deviations of the estimate. The lower bound also allows for
    // the model's term for the transform, which is an upper bound.
    let spread = 5.0 * (2.0 / count as f64).sqrt();
    assert!(ratio < 1.0 + spread && ratio > 0.7 - spread, "{name}: {ratio}");
}

/// Outputs of one multi-value bootstrap share an accumulator, whose coefficients have part of their
/// noise in common. Monotonic functions have more noise and alternating functions less; sums and
/// differences of outputs have the noise variance that their blocks state.
#[test]
fn outputs_of_a_multi_value_bootstrap_and_their_sums_have_the_noise_that_they_say() {
    let (client, evaluator, mut rng) = keys(Params::preset("u_2_2_128").unwrap());
    let space = client.params().space();
    let functions: [Function<'_>; 5] =
        [&|x| x, &|x| x.min(14), &|x| x & 3, &|x| x >> 2, &|x| x.leading_zeros() as i32 - 28];
    let lut = Lut::multi_value(space, 0..=15, &functions).unwrap();
    // First each function alone, then sums of multiples.
    let mut sums: Vec<_> = (0..5).map(|i| vec![(i, 1)]).collect();
    sums.extend([vec![(0, 1), (1, 1)], vec![(0, 1), (1, -1)], vec![(2, 1), (3, 2), (4, -1)]]);
    let unit = client.params().noise().variances().blind_rotation;
    let mut found = vec![(0.0, 0); sums.len()];
    let count = samples().div_ceil(64) * 64;
    for _ in 0..count / 64 {
        let values: Vec<i32> = (0..64).map(|i| i % 16).collect();
        let inputs = values.iter().map(|&value| {
            let [low, high] = [value % 4, value / 4]
                .map(|x| client.encrypt::<Block>(x.unsigned_abs(), &mut rng).unwrap());
            low.add_scaled(&high, 4).unwrap()
        });
        let inputs: Vec<_> = inputs.collect();
        let jobs: Vec<_> = inputs.iter().map(|input| Job { input, lut: &lut }).collect();
        for (x, outputs) in values.into_iter().zip(evaluator.bootstrap(&jobs).unwrap()) {
            for (terms, (square, noise_variance)) in sums.iter().zip(&mut found) {
                let zero = Block::trivial(space, 0);
                let sum =
                    terms.iter().fold(zero, |sum, &(i, w)| sum.add_scaled(&outputs[i], w).unwrap());
                let expected: i32 = terms.iter().map(|&(i, w)| w * functions[i](x)).sum();
                let error =
                    client.phase(sum.lwe()).unwrap().wrapping_sub(space.encode(expected.into()));
                *square += (error as i64 as f64 / 2f64.powi(64)).powi(2);
                *noise_variance = sum.noise_variance();
            }
        }
    }
    let spread = 5.0 * (2.0 / count as f64).sqrt();
    for (terms, &(square, noise_variance)) in sums.iter().zip(&found) {
        let (measured, noise_variance) = (square / count as f64 / unit, f64::from(noise_variance));
        println!("{terms:?}: noise variance {noise_variance}, measured {measured:.2}, n {count}");
        // Noise variances are rounded up.
        let within = (0.7 - spread) * (noise_variance - 1.0)..(1.0 + spread) * noise_variance;
        assert!(
            within.contains(&measured),
            "{terms:?}, noise variance {noise_variance}: {measured}"
        );
    }
    let noise_variances: Vec<_> = found.iter().map(|&(_, noise_variance)| noise_variance).collect();
    assert!(
        (0..5).all(|i| noise_variances[i] <= lut.noise_variance(i).unwrap()),
        "{noise_variances:?}"
    );
    // The monotonic function has more noise than the sum of its squared differences, 15; the
    // alternating ones have less, 39.
    assert!(
        noise_variances[0] > 30
            && noise_variances[2] < 39
            && noise_variances[5] > 3 * noise_variances[0]
            && noise_variances[6] < 5,
        "{noise_variances:?}"
    );
}

/// Outputs in consecutive segments: two are independent. Of four, neighbours have part of their
/// noise in common, and the first and the last have it in common with opposite signs.
#[test]
fn sums_of_outputs_side_by_side_have_the_noise_that_they_say() {
    let (client, evaluator, mut rng) = keys(Params::preset("u_2_2_128").unwrap());
    let space = client.params().space();
    let same: Function<'_> = &|x| x;
    let two = Lut::many(space, 0..=3, &[same; 2]).unwrap();
    let four = Lut::many(space, 0..=3, &[same; 4]).unwrap();
    let unit = client.params().noise().variances().blind_rotation;
    let sums = [(0, [0, 1]), (1, [0, 1]), (1, [1, 2]), (1, [0, 2]), (1, [0, 3])];
    let mut found = [(0.0, 0); 5];
    let count = samples().div_ceil(64) * 64;
    for _ in 0..count / 64 {
        let inputs: Vec<_> =
            (0..64).map(|i| client.encrypt::<Block>(i % 4, &mut rng).unwrap()).collect();
        let outputs = [&two, &four].map(|lut| {
            let jobs: Vec<_> = inputs.iter().map(|input| Job { input, lut }).collect();
            evaluator.bootstrap(&jobs).unwrap()
        });
        for ((table, terms), (square, noise_variance)) in sums.into_iter().zip(&mut found) {
            for (i, outputs) in outputs[table].iter().enumerate() {
                assert!(outputs.iter().all(|output| output.noise_variance() == 1));
                let sum = outputs[terms[0]].add(&outputs[terms[1]]).unwrap();
                let expected = space.encode(2 * (i as i64 % 4));
                let error = client.phase(sum.lwe()).unwrap().wrapping_sub(expected) as i64;
                *square += (error as f64 / 2f64.powi(64)).powi(2);
                // Noise variances are rounded up; that of eight times the sum is more precise.
                *noise_variance = sum.mul_scalar(8).noise_variance();
            }
        }
    }
    let spread = 5.0 * (2.0 / count as f64).sqrt();
    let mut noise_variances = Vec::new();
    for ((table, terms), (square, noise_variance)) in sums.into_iter().zip(found) {
        let (measured, noise_variance) =
            (square / count as f64 / unit, f64::from(noise_variance) / 64.0);
        println!(
            "table {table}, {terms:?}: noise {noise_variance:.2}, measured {measured:.2}, n {count}"
        );
        let within = (0.7 - spread) * noise_variance..(1.0 + spread) * noise_variance;
        assert!(
            within.contains(&measured),
            "{table} {terms:?}, noise variance {noise_variance}: {measured}"
        );
        noise_variances.push(noise_variance);
    }
    assert!(noise_variances[1] > 2.3 && noise_variances[2] > 2.3, "{noise_variances:?}");
    assert!(
        (noise_variances[0] - 2.0).abs() < 0.02 && (noise_variances[3] - 2.0).abs() < 0.02,
        "{noise_variances:?}"
    );
    assert!(noise_variances[4] < 1.7, "{noise_variances:?}");
}

/// The same keys with a message space so fine that rounding errors can be counted. They occur as
/// often as the model predicts, which is the model that gives 2^-128 for the space in use.
#[test]
fn bootstraps_err_as_often_as_the_model_says() {
    let mut spec = *Params::preset("u_2_2_128").unwrap().spec();
    (spec.message_bits, spec.carry_bits) = (4, 3);
    (spec.max_noise_variance, spec.failure_log2) = (1, -1.0);
    let params = Params::new(spec).unwrap();
    let expected = params.failure_log2(1.0).exp2();
    let (client, evaluator, mut rng) = keys(params);
    let lut = Lut::new(client.params().space(), 0..=15, |x| 2 * x).unwrap();
    let count = samples();
    let mut errors = 0;
    for _ in 0..count.div_ceil(64) {
        let inputs: Vec<_> =
            (0..64).map(|i| client.encrypt::<Block>(i % 14 + 1, &mut rng).unwrap()).collect();
        let jobs: Vec<_> = inputs.iter().map(|input| Job { input, lut: &lut }).collect();
        for (input, outputs) in inputs.iter().zip(evaluator.bootstrap(&jobs).unwrap()) {
            let doubled = 2 * client.decrypt(input).unwrap();
            errors += usize::from(client.decrypt(&outputs[0]).unwrap() != doubled);
        }
    }
    let count = count.div_ceil(64) * 64;
    let rate = errors as f64 / count as f64;
    println!("errors: {errors} of {count}, model {:.1}", expected * count as f64);
    let spread = 5.0 * (expected * (1.0 - expected) / count as f64).sqrt();
    assert!((rate - expected).abs() < spread, "{rate} instead of {expected}");
}
