//! A network 784-128-64-10 with squares, on one image.

use crate::numbers::Numbers;
use crate::support::{Nearness, Outcome, Party, params, seeds};

use fathom::prelude::*;
use std::time::Instant;

/// Numbers of an image and of the layers after it.
const LAYERS: [usize; 4] = [784, 128, 64, 10];

fn matrix(numbers: &mut Numbers, rows: usize, columns: usize) -> Vec<Vec<f64>> {
    let most = (3.0 / columns as f64).sqrt();
    (0..rows).map(|_| numbers.list(columns, most)).collect()
}

fn times(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

#[test]
fn network_with_squares() -> Outcome {
    let params = params(5, 20.0)?;
    let mut numbers = Numbers(1000);
    let weights: Vec<_> =
        LAYERS.windows(2).map(|layer| matrix(&mut numbers, layer[1], layer[0])).collect();
    let mut level = params.top_level().get();
    let mut maps = Vec::new();
    for matrix in &weights {
        maps.push(ckks::LinearMap::for_level(&params, matrix, level)?);
        level -= 2;
        if maps.len() == weights.len() {
            break;
        }
    }
    let rotations = maps.iter().map(ckks::LinearMap::rotations);
    let rotations = rotations.fold(Rotations::none(), |all, more| all.and(&more));
    let mut party = Party::new(params, &rotations)?;
    let mut layers = [(); 5].map(|()| Nearness::default());
    for seed in seeds() {
        let image: Vec<f64> =
            Numbers(seed).list(LAYERS[0], 1.0).into_iter().map(f64::abs).collect();
        let mut clear = image.clone();
        let mut seconds = 0.0;
        let Party { secret, rng, .. } = &mut party;
        let mut layer = maps[0].pack(&image)?.try_map(|plain| secret.encrypt(plain, rng))?;
        for (index, (map, matrix)) in maps.iter().zip(&weights).enumerate() {
            let start = Instant::now();
            layer = party.server.transform(map, &layer)?;
            seconds += start.elapsed().as_secs_f64();
            clear = times(matrix, &clear);
            layers[2 * index].count(&party.secret.decrypt(layer.value())?, &clear);
            if index + 1 < maps.len() {
                // A square of what is at most 3: the scale of this network's activations.
                let start = Instant::now();
                layer = layer.try_map(|x| {
                    let small = party.server.assume_magnitude(x, 3.0)?;
                    party.server.square(&small)
                })?;
                seconds += start.elapsed().as_secs_f64();
                clear = clear.iter().map(|x| x * x).collect();
                layers[2 * index + 1].count(&party.secret.decrypt(layer.value())?, &clear);
            }
        }
        println!("one image: {seconds:.2} s");
    }
    // Every layer multiplies by what it knows of the values of the one before: their largest.
    for (step, (near, bits)) in layers.iter().zip([3.0, 5.0, 7.0, 8.5, 12.5]).enumerate() {
        near.assert_within(bits, &format!("network, step {step}"));
    }
    Ok(())
}
