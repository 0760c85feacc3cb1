//! Training without end: logistic regression on encrypted images, thirty iterations of gradient
//! descent, each with one bootstrapping that applies the sigmoid.
//!
//! `cargo run --release -p fathom --example 21_training [set] [iterations] [threads]`
//!
//! The server sees neither the images nor their digits nor the weights. It keeps rows of four
//! numbers, the features of an image, in the slots of one ciphertext, and the weights in every row
//! of another. An iteration is
//!
//! ```text
//! margins = row sums of (features * weights)      two levels
//! doubt   = sigmoid(-margins)                     a bootstrapping that applies a function
//! weights = weights + column sums of (rate * features * doubt)
//! ```
//!
//! where the features of digit 8 have the opposite sign. The weights lose no level from one
//! iteration to the next.
//!
//! The images are from "Optical Recognition of Handwritten Digits" by E. Alpaydin and C. Kaynak,
//! UCI Machine Learning Repository, <https://doi.org/10.24432/C50P49>, CC BY 4.0.

use fathom::SecretRng;
use fathom::ckks::{
    BootstrapSecret, BootstrapSet, Bootstrapper, Ciphertext, Evaluator, LinearMap, Packed, Params,
    SecretKey, SmoothFunction,
};
use std::time::Instant;

const IMAGES: &str = include_str!("../../workloads/data/digits-test.csv");
/// Images that take part: a power of two.
const ROWS: usize = 64;
/// Features of an image, the last of which is constant.
const FEATURES: usize = 4;
const SIZE: usize = ROWS * FEATURES;
const RATE: f64 = 0.2;
/// Bound on the absolute values of the weights and of the margins, which is promised. A client that
/// trained on clear images of the same kind knows it.
const LARGEST_WEIGHT: f64 = 1.0;
const LARGEST_MARGIN: f64 = 0.75;

type Error = Box<dyn std::error::Error>;
type Row = [f64; FEATURES];

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let set: BootstrapSet = arguments.next().as_deref().unwrap_or("boot-c").parse()?;
    let iterations: usize = arguments.next().as_deref().unwrap_or("30").parse()?;
    let threads: usize = arguments.next().as_deref().unwrap_or("1").parse()?;
    let rows = rows()?;

    let params = Params::bootstrappable(set)?;
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(&params, &mut rng);
    let row_sums = row_sums(&params)?;
    let steps: Vec<i64> = column_steps().collect();
    let rotations = row_sums.rotations().with_steps(&steps);
    let evaluator = Evaluator::new(secret.evaluation_keys(&rotations, &mut rng)?);
    let bootstrapper = Bootstrapper::new(secret.bootstrapping_keys(&mut rng)?);
    let server = Server::new(evaluator, bootstrapper.with_threads(threads)?, row_sums)?;

    let features: Vec<f64> = rows.concat();
    let scaled: Vec<f64> = features.iter().map(|x| x * RATE / ROWS as f64).collect();
    let mut encrypt = |values: &[f64], largest| -> Result<Ciphertext, Error> {
        let plain = params.encode_repeated_within(values, largest)?;
        Ok(secret.encrypt(&plain, &mut rng)?)
    };
    let features = encrypt(&features, 1.0)?;
    let scaled = encrypt(&scaled, RATE / ROWS as f64)?;
    let mut weights = encrypt(&[0.0; SIZE], LARGEST_WEIGHT)?;
    let mut clear = [0.0; FEATURES];
    for iteration in 1..=iterations {
        let started = Instant::now();
        weights = server.improved(&weights, &features, &scaled)?;
        improve(&mut clear, &rows);
        println!(
            "iteration {iteration}: {:.2} s, bound on the error of a weight 2^{:.1}",
            started.elapsed().as_secs_f64(),
            weights.error_bound().log2()
        );
    }

    let result = secret.decrypt(&weights)?;
    let trained = <Row>::try_from(&result.slots()[..FEATURES])?;
    let distance = trained.iter().zip(&clear).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("weights {trained:.4?}, in the clear {clear:.4?}");
    println!(
        "largest difference 2^{:.1}, bound 2^{:.1}",
        distance.log2(),
        result.error_bound().log2()
    );
    println!("right: {:.1} %, in the clear {:.1} %", right(&trained, &rows), right(&clear, &rows));
    assert!(distance <= result.error_bound());
    assert!((right(&trained, &rows) - right(&clear, &rows)).abs() <= 0.5);
    Ok(())
}

/// The server: public keys and prepared functions.
struct Server {
    evaluator: Evaluator,
    bootstrapper: Bootstrapper,
    row_sums: LinearMap,
    doubt: fathom::ckks::Prepared<1>,
}

impl Server {
    fn new(
        evaluator: Evaluator,
        bootstrapper: Bootstrapper,
        row_sums: LinearMap,
    ) -> Result<Server, Error> {
        // The second derivative of a sigmoid is below 0.1.
        let doubt = SmoothFunction::new(|margin| 1.0 / (1.0 + margin.exp()), 0.1, 3)?;
        let doubt = bootstrapper.prepare(&[doubt])?;
        Ok(Server { evaluator, bootstrapper, row_sums, doubt })
    }

    /// Returns the weights after an iteration.
    fn improved(
        &self,
        weights: &Ciphertext,
        features: &Ciphertext,
        scaled: &Ciphertext,
    ) -> Result<Ciphertext, Error> {
        let server = &self.evaluator;
        let products = Packed::assume(SIZE, server.mul(features, weights)?);
        let margins = server.transform(&self.row_sums, &products)?.into_value();
        let margins = server.assume_magnitude(&margins, LARGEST_MARGIN)?;
        let [doubt] = self.bootstrapper.apply(&margins, &self.doubt)?;
        let mut gradient = server.mul(scaled, &doubt)?;
        for step in column_steps() {
            gradient = server.add(&gradient, &server.rotate(&gradient, step)?)?;
        }
        let weights = server.add(weights, &gradient)?;
        Ok(server.assume_magnitude(&weights, LARGEST_WEIGHT)?)
    }
}

/// Returns the rotations that add up the rows.
fn column_steps() -> impl Iterator<Item = i64> {
    (0..ROWS.ilog2()).map(|bit| (FEATURES << bit) as i64)
}

/// Returns the map that puts the sum of a row into every slot of the row.
fn row_sums(params: &Params) -> Result<LinearMap, Error> {
    // The weights are one level below the top, and their product with the features two.
    let level = params.top_level().get() - 2;
    Ok(LinearMap::for_blocks(params, &vec![vec![1.0; FEATURES]; FEATURES], ROWS, level)?)
}

/// Improves the weights in the clear.
fn improve(weights: &mut Row, rows: &[Row]) {
    let mut gradient = [0.0; FEATURES];
    for row in rows {
        let margin: f64 = row.iter().zip(&*weights).map(|(x, w)| x * w).sum();
        let doubt = 1.0 / (1.0 + margin.exp());
        gradient.iter_mut().zip(row).for_each(|(sum, x)| *sum += x * doubt);
    }
    let step = RATE / rows.len() as f64;
    weights.iter_mut().zip(gradient).for_each(|(weight, sum)| *weight += step * sum);
}

/// Returns the percentage of rows on the right side.
fn right(weights: &Row, rows: &[Row]) -> f64 {
    let margin = |row: &&Row| row.iter().zip(weights).map(|(x, w)| x * w).sum::<f64>() > 0.0;
    100.0 * rows.iter().filter(margin).count() as f64 / rows.len() as f64
}

/// Returns the features of images of the digits 3 and 8, with the opposite sign for 8: the ink in
/// three parts of the image, compared with that of all images, and a constant.
fn rows() -> Result<Vec<Row>, Error> {
    let lines = IMAGES.lines().map(|line| line.split(',').map(str::parse).collect());
    let images = lines.collect::<Result<Vec<Vec<u8>>, _>>()?;
    let chosen: Vec<_> = images.into_iter().filter(|image| [3, 8].contains(&image[64])).collect();
    // Two lines of the image, and its left or right half.
    let ink = |image: &[u8], part: usize| -> f64 {
        let (top, left) = (part / 2 * 2, part % 2 * 4);
        let pixels = (0..8).map(|i| image[(top + i / 4) * 8 + left + i % 4]);
        pixels.map(f64::from).sum::<f64>() / 128.0
    };
    let parts = [2, 4, 7];
    let mean = |part| chosen.iter().map(|i| ink(i, part)).sum::<f64>() / chosen.len() as f64;
    let means = parts.map(mean);
    let row = |image: &Vec<u8>| {
        let sign = if image[64] == 3 { 1.0 } else { -1.0 };
        let feature = |k: usize| match parts.get(k) {
            Some(&part) => sign * (2.0 * (ink(image, part) - means[k])).clamp(-1.0, 1.0),
            None => sign * 0.5,
        };
        std::array::from_fn(feature)
    };
    Ok(chosen.iter().take(ROWS).map(row).collect())
}
