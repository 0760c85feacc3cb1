//! `training` on CKKS: the features of all images in one ciphertext, the weights in another, and a
//! bootstrapping that applies the sigmoid in every iteration.
//!
//! ```text
//! margins = row sums of (features * weights)      two levels
//! doubt   = sigmoid(-margins)                     a bootstrapping that applies a function
//! weights = weights + column sums of (rate * features * doubt)
//! ```
//!
//! The weights lose no level from one iteration to the next.

use fathom::SecretRng;
use fathom::ckks::{
    self, BootstrapParams, BootstrapSet, Ckks, LinearMap, SecretKey, SmoothFunction,
};
use fathom::rlwe::{Ciphertext, EvaluationKeys, Packed, Params, Rotations};
use fathom_planner::RingOperation;

use super::model::{FEATURES, RATE, Row, improve};
use crate::schemes::ring::{Circuit, Counted, Counts, Function, Kept, Numbers, keys, read_keys};
use crate::{Data, Error, Task};

/// Gradient descent.
#[derive(Clone, Copy)]
pub(super) struct Descent;

/// Bound on the absolute values of the weights and of the margins, which is promised. The client,
/// which has the images, refuses those that break a promise.
pub(super) const LARGEST_WEIGHT: f64 = 1.0;
pub(super) const LARGEST_MARGIN: f64 = 0.75;

/// Fewest images for which the promises hold whatever they are.
const FEWEST_IMAGES: usize = 32;
/// Most iterations for which the promises were tested.
const MOST_ITERATIONS: usize = 30;
/// Bits behind the binary point of a weight that are proven. Errors that every iteration passes on
/// are bounded by their sum, so that the bound is far wider than the tolerance of the workload,
/// within which results are verified.
const PRECISION_BITS: f64 = 4.0;
/// Levels of the sigmoid.
const LEVELS: usize = 3;

fn functions() -> Result<[Function; 1], Error> {
    // The second derivative of a sigmoid is below 0.1.
    let doubt = SmoothFunction::new(|margin| 1.0 / (1.0 + margin.exp()), 0.1, LEVELS)?;
    Ok([Function::smooth(doubt, LEVELS)])
}

/// Returns the map that puts the sum of a row into every slot of the row.
fn row_sums(params: &ckks::Params, images: usize) -> Result<LinearMap, Error> {
    // The weights are one level below the top, and their product with the features two.
    let level = params.top_level().get() - 2;
    let ones = vec![vec![1.0; FEATURES]; FEATURES];
    Ok(LinearMap::for_blocks(params, &ones, images, level)?)
}

/// Refuses features for which weights or margins exceed what the server is promised.
fn check_promises(features: &[f64], iterations: usize) -> Result<(), Error> {
    let (rows, _) = features.as_chunks();
    let mut weights = Row::default();
    for _ in 0..iterations {
        let margin = |row: &Row| row.iter().zip(&weights).map(|(x, w)| x * w).sum::<f64>().abs();
        let margins = rows.iter().map(margin).fold(0.0, f64::max);
        improve(&mut weights, rows);
        let largest = weights.iter().fold(0.0_f64, |most, weight| most.max(weight.abs()));
        if largest >= LARGEST_WEIGHT - ROOM || margins >= LARGEST_MARGIN - ROOM {
            let problem = format!(
                "leads to weights of {largest:.2} and margins of {margins:.2}; at most \
                 {LARGEST_WEIGHT} and {LARGEST_MARGIN} are taken"
            );
            return Err(Error::column("features", problem));
        }
    }
    Ok(())
}

/// The room for errors of weights and margins.
const ROOM: f64 = 1.0 / 64.0;

/// Returns the rotations that add up the rows.
fn column_steps(images: usize) -> Vec<i64> {
    (0..images.ilog2()).map(|bit| (FEATURES << bit) as i64).collect()
}

impl Circuit<Ckks> for Descent {
    fn method(&self) -> &'static str {
        "all features in one ciphertext, and a bootstrapping with the sigmoid in every iteration"
    }

    fn supports(&self, task: &Task) -> Result<(), Error> {
        let (images, iterations) = (task.number("images")?, task.number("iterations")?);
        let most = Ckks::slots(&self.params(task)?) / FEATURES;
        let reason = if !images.is_power_of_two() || !(FEWEST_IMAGES..=most).contains(&images) {
            format!("{images} images are no power of two from {FEWEST_IMAGES} to {most}")
        } else if iterations > MOST_ITERATIONS {
            format!("weights are known to stay below 1 for {MOST_ITERATIONS} iterations only")
        } else {
            return Ok(());
        };
        Err(Error::Unsupported { scheme: "ckks", reason })
    }

    fn params(&self, _: &Task) -> Result<ckks::Params, Error> {
        Ok(ckks::Params::bootstrappable(BootstrapSet::C)?)
    }

    fn rotations(&self, task: &Task, params: &Params<Ckks>) -> Result<Rotations, Error> {
        let images = task.number("images")?;
        Ok(row_sums(params, images)?.rotations().with_steps(&column_steps(images)))
    }

    fn counts(&self, _: &Task, _: &Params<Ckks>) -> Result<Counts, Error> {
        Ok(Counts { inputs: 3, results: 1 })
    }

    fn keys(&self, task: &Task, secret: &SecretKey, rng: &mut SecretRng) -> Result<Vec<u8>, Error> {
        keys(secret, &self.rotations(task, secret.params())?, rng)
    }

    fn read_keys(
        &self,
        _: &Task,
        params: &Params<Ckks>,
        message: &[u8],
        threads: usize,
        kept: &Kept,
    ) -> Result<EvaluationKeys<Ckks>, Error> {
        read_keys(params, message, &functions()?, threads, kept)
    }

    fn bootstrapping_key_bytes(&self, params: &Params<Ckks>) -> Result<usize, Error> {
        Ok(params.bootstrapping_keys_byte_len()?)
    }

    fn pack(&self, task: &Task, _: &Params<Ckks>, secret: &Data) -> Result<Vec<Vec<f64>>, Error> {
        let (features, images) = (secret.reals("features")?, task.number("images")?);
        if features.len() != FEATURES * images {
            let problem = format!("has {} values for {images} images", features.len());
            return Err(Error::column("features", problem));
        }
        if let Some(x) = features.iter().find(|x| !(-1.0..=1.0).contains(*x)) {
            return Err(Error::column("features", format!("holds {x}, which is not in [-1, 1]")));
        }
        check_promises(features, task.number("iterations")?)?;
        let scaled = features.iter().map(|x| x * RATE / images as f64).collect();
        Ok(vec![features.to_vec(), scaled, vec![0.0; features.len()]])
    }

    fn encode(
        &self,
        task: &Task,
        params: &Params<Ckks>,
        index: usize,
        vector: &[f64],
    ) -> Result<ckks::Plaintext, Error> {
        let largest = [1.0, RATE / task.number("images")? as f64, LARGEST_WEIGHT];
        Ok(params.encode_repeated_within(vector, largest[index % largest.len()])?)
    }

    fn compute(
        &self,
        server: &Counted<Ckks>,
        task: &Task,
        _: &Data,
        inputs: &[Ciphertext<Ckks>],
    ) -> Result<Vec<Ciphertext<Ckks>>, Error> {
        let [features, scaled, start] = inputs else {
            return Err(Error::Message(format!("{} ciphertexts", inputs.len())));
        };
        let (evaluator, images) = (server.evaluator(), task.number("images")?);
        let (sums, all) = (row_sums(evaluator.params(), images)?, functions()?);
        // Of fresh inputs, no smaller magnitude than that of the parameters is believed.
        let scaled = &evaluator.assume_magnitude(scaled, RATE / images as f64)?;
        let mut weights = start.clone();
        for _ in 0..task.number("iterations")? {
            let products = server.mul(features, &weights)?;
            let products = Packed::assume(FEATURES * images, products);
            // Few diagonals, which cost as much as rotations and products with public vectors.
            let (rotations, level) =
                (sums.rotations().steps.len() as u64, products.value().level());
            server.count(RingOperation::Rotate, level.get(), rotations);
            server.count(RingOperation::MulPlain, level.get(), rotations + 1);
            let margins = evaluator.transform(&sums, &products)?.into_value();
            let margins = evaluator.assume_magnitude(&margins, LARGEST_MARGIN)?;
            let doubt = server.apply(&margins, &all, 0)?;
            let gradient = server.mul(scaled, &doubt)?;
            let gradient = server.sum_rotated(&gradient, &column_steps(images))?;
            weights = server.add(&weights, &gradient)?;
            weights = evaluator.assume_magnitude(&weights, LARGEST_WEIGHT)?;
        }
        Ok(vec![weights])
    }

    fn unpack(
        &self,
        _: &Task,
        _: &Params<Ckks>,
        _: &Data,
        results: &[Vec<f64>],
    ) -> Result<Data, Error> {
        let weights = results.iter().flatten().take(FEATURES).copied().collect();
        Ok(Data::new().with_reals("weights", weights))
    }

    fn precision_bits(&self, _: &Task) -> f64 {
        PRECISION_BITS
    }
}
