//! The noise of bootstraps is what the model says, and so is how often they err.
//!
//! From end to end, with public operations only. Every set is measured step by step, and more
//! closely than continuous integration has time for, by an ignored test of the library
//! (src/tfhe/bootstrap/noise.rs); `NOISE_SAMPLES=10000` makes the tests here as close.

use crate::keys;
use fathom::tfhe::{Job, Lut, Params};

fn samples() -> usize {
    // The portable kernel is an order of magnitude slower.
    let portable = std::env::var("KERNEL").is_ok_and(|name| name == "portable");
    let count = if portable { 128 } else { 800 };
    std::env::var("NOISE_SAMPLES").map_or(count, |text| text.parse().unwrap())
}

/// The variance of the phase of outputs, over many fresh inputs.
#[test]
fn the_variance_of_an_output_is_that_of_the_model() {
    let name = "u_2_2_128";
    let (client, evaluator, mut rng) = keys(Params::preset(name).unwrap());
    let space = client.params().space();
    let lut = Lut::new(space, 0..=3, |x| x).unwrap();
    let count = samples();
    let mut sum = 0.0;
    for _ in 0..count.div_ceil(64) {
        let inputs: Vec<_> = (0..64).map(|i| client.encrypt(i % 4, &mut rng).unwrap()).collect();
        let jobs: Vec<_> = inputs.iter().map(|input| Job { input, lut: &lut }).collect();
        for (i, outputs) in evaluator.bootstrap(&jobs).unwrap().iter().enumerate() {
            let expected = space.encode(i as i64 % 4);
            let error = client.phase(outputs[0].lwe()).wrapping_sub(expected) as i64;
            sum += (error as f64 / 2f64.powi(64)).powi(2);
        }
    }
    let count = count.div_ceil(64) * 64;
    let measured = sum / count as f64;
    let model = client.params().noise().variances().blind_rotation;
    let ratio = measured / model;
    println!("{name}: variance 2^{:.2}, {ratio:.3} of the model, n {count}", measured.log2());
    // Five standard deviations of the estimate above; below, what the model's term for the
    // transform, which is rounded up, may be too much.
    let spread = 5.0 * (2.0 / count as f64).sqrt();
    assert!(ratio < 1.0 + spread && ratio > 0.7 - spread, "{name}: {ratio}");
}

/// The same keys with a message space so fine that the errors of rounding can be counted: they come
/// as often as the model says, which is the model that says 2^-128 for the space in use.
#[test]
fn bootstraps_err_as_often_as_the_model_says() {
    let mut spec = *Params::preset("u_2_2_128").unwrap().spec();
    (spec.message_bits, spec.carry_bits) = (4, 3);
    (spec.max_norm, spec.failure_log2) = (1, -1.0);
    let params = Params::new(spec).unwrap();
    let expected = params.failure_log2(1.0).exp2();
    let (client, evaluator, mut rng) = keys(params);
    let lut = Lut::new(client.params().space(), 0..=15, |x| 2 * x).unwrap();
    let count = samples();
    let mut errors = 0;
    for _ in 0..count.div_ceil(64) {
        let inputs: Vec<_> =
            (0..64).map(|i| client.encrypt(i % 14 + 1, &mut rng).unwrap()).collect();
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
