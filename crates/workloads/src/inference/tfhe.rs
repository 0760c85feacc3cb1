//! `inference` on blocks of TFHE.

use fathom::tfhe::integer::{FheValue, Integers};
use fathom::tfhe::{Block, Lut, Params};

use super::model::{CLASSES, Models, PIXELS};
use super::variant::is_quantized;
use crate::schemes::blocks::map;
use crate::schemes::tfhe::{Encrypted, Field, Kind, Program};
use crate::work::Excerpt;
use crate::{Data, Error, Task};

/// The quantized network as a program on blocks.
pub(super) const PROGRAM: Program = Program {
    method: "sums of blocks without bootstraps, and one lookup table for each hidden neuron",
    params: Params::INTEGERS,
    supports,
    inputs: |task| Ok(vec![Field::new("pixels", Kind::Truth, PIXELS * task.number("images")?)]),
    outputs: |task| Ok(vec![Field::new("scores", Kind::Block, CLASSES * task.number("images")?)]),
    circuit,
    excerpt: |task| Excerpt::of_number(task, "images", PART as u64),
};

/// Number of images that are computed at once, so that memory does not grow with their number.
const PART: usize = 25;

fn supports(task: &Task) -> Result<(), Error> {
    if is_quantized(task) {
        return Ok(());
    }
    let reason = "weights and pixels are real numbers".into();
    Err(Error::Unsupported { scheme: "tfhe", reason })
}

fn circuit(
    integers: &Integers,
    _: &Task,
    _: &Data,
    inputs: &Encrypted,
) -> Result<Encrypted, Error> {
    let (space, layers) = (integers.params().space(), &Models::shipped().quantized);
    let pixels: Vec<&Block> =
        inputs.truths("pixels")?.iter().map(|pixel| &pixel.blocks()[0]).collect();
    let images: Vec<&[&Block]> = pixels.chunks(PIXELS).collect();
    // The table exists because 16 less than a positive argument is never positive.
    let step = Lut::new(space, -15..=15, |x| i32::from(x > 0))?;
    let mut scores = Vec::with_capacity(images.len() * CLASSES);
    for images in images.chunks(PART) {
        let mut sums = Vec::with_capacity(images.len() * layers.hidden.len());
        for image in images {
            let neurons = layers.hidden.iter().zip(&layers.hidden_bias);
            sums.extend(neurons.map(|(weights, &bias)| dense(weights, bias, image)));
        }
        let sums = sums.into_iter().collect::<Result<Vec<_>, _>>()?;
        let hidden = map(integers.evaluator(), &sums, &step)?;
        for hidden in hidden.chunks(layers.hidden.len()) {
            let hidden: Vec<&Block> = hidden.iter().collect();
            let classes = layers.output.iter().zip(&layers.output_bias);
            scores.extend(classes.map(|(weights, &bias)| dense(weights, bias, &hidden)));
        }
    }
    let scores = scores.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(Encrypted::default().with_blocks("scores", scores))
}

/// Returns the weighted sum of values plus a bias, without a bootstrap.
fn dense(weights: &[i32], bias: i32, values: &[&Block]) -> Result<Block, Error> {
    let zero = Block::trivial(values[0].space(), bias);
    let terms = weights.iter().zip(values).filter(|(weight, _)| **weight != 0);
    let add = |sum: Block, (&weight, value): (&i32, &&Block)| sum.add_scaled(value, weight);
    Ok(terms.into_iter().try_fold(zero, add)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_many_images_are_exact() {
        PROGRAM.check_in_the_clear(["inference", "quantized", "medium"], 2);
    }
}
