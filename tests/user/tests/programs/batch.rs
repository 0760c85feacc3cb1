//! A network 784-128-64-10 with squares on 1000 images: a ciphertext holds one pixel of all.

use crate::numbers::Numbers;
use crate::support::{Nearness, Outcome, Party, params};
use fathom::prelude::*;
use std::time::Instant;

/// Numbers of an image and of the layers after it.
const LAYERS: [usize; 4] = [784, 128, 64, 10];
const IMAGES: usize = 1000;

/// Returns the product of a matrix and a list of vectors of numbers, one for each image.
fn times(matrix: &[Vec<f64>], list: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let row = |weights: &Vec<f64>| {
        let mut sum = vec![0.0; IMAGES];
        for (weight, values) in weights.iter().zip(list) {
            sum.iter_mut().zip(values).for_each(|(sum, x)| *sum += weight * x);
        }
        sum
    };
    matrix.iter().map(row).collect()
}

#[test]
fn network_over_a_thousand_images() -> Outcome {
    let mut party = Party::new(params(5, 7.0)?, &Rotations::none())?;
    let mut numbers = Numbers(2000);
    let layers: Vec<Vec<Vec<f64>>> = LAYERS
        .windows(2)
        .map(|layer| {
            let most = (3.0 / layer[0] as f64).sqrt();
            (0..layer[1]).map(|_| numbers.list(layer[0], most)).collect()
        })
        .collect();
    let mut clear: Vec<Vec<f64>> = (0..LAYERS[0])
        .map(|_| numbers.list(IMAGES, 1.0).into_iter().map(f64::abs).collect())
        .collect();
    let mut list: Vec<_> =
        clear.iter().map(|pixel| party.encrypt(pixel, 1.0)).collect::<Result<_, _>>()?;
    let start = Instant::now();
    for (index, matrix) in layers.iter().enumerate() {
        let now = Instant::now();
        list = party.server.weighted_sums(&list, matrix)?;
        println!("layer {index}: {:.2} s", now.elapsed().as_secs_f64());
        clear = times(matrix, &clear);
        if index + 1 < layers.len() {
            let square = |x| party.server.square(&party.server.assume_magnitude(x, 3.0)?);
            list = list.iter().map(square).collect::<Result<_, _>>()?;
            clear.iter_mut().flatten().for_each(|x| *x *= *x);
        }
    }
    println!("{IMAGES} images: {:.2} s", start.elapsed().as_secs_f64());
    let mut near = Nearness::default();
    for (result, clear) in list.iter().zip(&clear) {
        near.count(&party.secret.decrypt(result)?, clear);
    }
    println!("bound {:.1e}, largest error {:.1e}", near.bound, near.largest);
    assert!(near.largest < 1e-3, "an error of {:e}", near.largest);
    Ok(())
}
