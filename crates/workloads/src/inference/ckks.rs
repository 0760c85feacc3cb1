//! `inference` on CKKS: many images in one ciphertext.
//!
//! An image takes a block of 128 slots and fills it twice, so that a product of a matrix of 64 rows
//! with every block needs no slot of the next one: its value in slot `i` below 64 comes from slots
//! `i` to `i + 63`. The matrix has every hidden neuron twice, so that the same holds for the
//! product with the matrix of the classes, which has 32 columns.

use fathom::ckks::{self, Ckks};
use fathom::rlwe::{Ciphertext, LinearMap, Packed, Params, Rotations};
use fathom_planner::RingOperation;

use super::model::{CLASSES, Layers, Models, PIXELS};
use super::variant::is_quantized;
use crate::schemes::ring::{Circuit, CkksShape, Counted, Counts, Numbers, ckks_params};
use crate::{Data, Error, Task};

/// The layers of the network as a circuit on images packed in slots.
#[derive(Clone, Copy)]
pub(super) struct Network;

/// Slots of an image.
const BLOCK: usize = 2 * PIXELS;

/// A layer, a square, a layer.
const DEPTH: usize = 3;

/// Base-2 logarithm of the scale.
const SCALE_BITS: f64 = 45.0;

/// Bits behind the binary point of a score: the tolerance of the workload.
const PRECISION_BITS: f64 = 9.0;

/// Returns the number of images of a ciphertext.
fn together(params: &ckks::Params) -> usize {
    Ckks::slots(params) / BLOCK
}

/// The two layers, prepared for their levels.
struct Prepared {
    hidden: LinearMap<Ckks>,
    hidden_bias: ckks::Plaintext,
    output: LinearMap<Ckks>,
    output_bias: ckks::Plaintext,
}

impl Prepared {
    fn new(params: &ckks::Params, layers: &Layers<f64>) -> Result<Self, Error> {
        let top = params.top_level().get();
        let twice = [&layers.hidden[..], &layers.hidden].concat();
        let hidden = LinearMap::for_level_with_size(params, &twice, PIXELS, top)?;
        let columns = layers.hidden.len();
        let output = LinearMap::for_level_with_size(params, &layers.output, columns, top - 2)?;
        let mut output_bias = layers.output_bias.clone();
        output_bias.resize(columns, 0.0);
        Ok(Self {
            hidden,
            hidden_bias: params.encode_public_repeated(&layers.hidden_bias)?,
            output,
            output_bias: params.encode_public_repeated(&output_bias)?,
        })
    }

    /// Returns the scores of the images of a ciphertext, in the first slots of their blocks.
    fn scores(
        &self,
        server: &Counted<Ckks>,
        images: &Ciphertext<Ckks>,
    ) -> Result<Ciphertext<Ckks>, Error> {
        let hidden = dense(server, &self.hidden, &self.hidden_bias, images)?;
        let hidden = server.mul(&hidden, &hidden)?;
        dense(server, &self.output, &self.output_bias, &hidden)
    }
}

/// Multiplies the values of every block by a matrix and adds a bias.
fn dense(
    server: &Counted<Ckks>,
    weights: &LinearMap<Ckks>,
    bias: &ckks::Plaintext,
    values: &Ciphertext<Ckks>,
) -> Result<Ciphertext<Ckks>, Error> {
    let product = server.transform(weights, &Packed::assume(weights.size(), values.clone()))?;
    let product = product.into_value();
    server.count(RingOperation::Add, product.level().get(), 1);
    Ok(server.evaluator().add_plain(&product, bias)?)
}

impl Circuit<Ckks> for Network {
    fn method(&self) -> &'static str {
        "images in blocks of slots, products with the weights by diagonals, and a square"
    }

    fn supports(&self, task: &Task) -> Result<(), Error> {
        if !is_quantized(task) {
            return Ok(());
        }
        let reason = "the quantized network compares, which a few products cannot".into();
        Err(Error::Unsupported { scheme: "ckks", reason })
    }

    fn params(&self, _: &Task) -> Result<ckks::Params, Error> {
        let layers = &Models::shipped().real;
        let largest = |weights: &[Vec<f64>], bias: &[f64]| {
            let all = weights.iter().flatten().chain(bias);
            all.fold(0.0_f64, |largest, weight| largest.max(weight.abs()))
        };
        // The known bound: every diagonal and the bias at their greatest.
        let hidden = largest(&layers.hidden, &layers.hidden_bias) * (PIXELS + 1) as f64;
        let terms = (layers.hidden.len() + 1) as f64;
        let scores = largest(&layers.output, &layers.output_bias) * terms * hidden * hidden;
        let range_bits = scores.log2().ceil();
        ckks_params(CkksShape { depth: DEPTH, scale_bits: SCALE_BITS, range_bits })
    }

    fn rotations(&self, _: &Task, params: &ckks::Params) -> Result<Rotations, Error> {
        let Prepared { hidden, output, .. } = Prepared::new(params, &Models::shipped().real)?;
        Ok(hidden.rotations().and(&output.rotations()))
    }

    fn counts(&self, task: &Task, params: &ckks::Params) -> Result<Counts, Error> {
        let chunks = task.number("images")?.div_ceil(together(params));
        Ok(Counts { inputs: chunks, results: chunks })
    }

    fn pack(
        &self,
        task: &Task,
        params: &ckks::Params,
        secret: &Data,
    ) -> Result<Vec<Vec<f64>>, Error> {
        let (pixels, count) = (secret.reals("pixels")?, PIXELS * task.number("images")?);
        if pixels.len() != count {
            let problem = format!("has {} values in place of {count}", pixels.len());
            return Err(Error::column("pixels", problem));
        }
        if let Some(pixel) = pixels.iter().find(|pixel| !(0.0..=1.0).contains(*pixel)) {
            return Err(Error::column("pixels", format!("holds {pixel}, which is not in [0, 1]")));
        }
        let images: Vec<_> = pixels.chunks(PIXELS).map(|image| [image, image].concat()).collect();
        // Blocks without an image hold zeros as values: a vector in every block is what maps take.
        let filled = |images: &[Vec<f64>]| {
            let mut slots = images.concat();
            slots.resize(Ckks::slots(params), 0.0);
            slots
        };
        Ok(images.chunks(together(params)).map(filled).collect())
    }

    fn compute(
        &self,
        server: &Counted<Ckks>,
        _: &Task,
        _: &Data,
        inputs: &[Ciphertext<Ckks>],
    ) -> Result<Vec<Ciphertext<Ckks>>, Error> {
        let make = || Prepared::new(server.evaluator().params(), &Models::shipped().real);
        let prepared = server.kept().get_or_make(make)?;
        server.map(inputs, |images| prepared.scores(server, images))
    }

    fn unpack(
        &self,
        task: &Task,
        _: &Params<Ckks>,
        _: &Data,
        results: &[Vec<f64>],
    ) -> Result<Data, Error> {
        let blocks = results.iter().flat_map(|slots| slots.chunks(BLOCK));
        let images = blocks.take(task.number("images")?);
        let scores = images.flat_map(|block| block[..CLASSES].to_vec()).collect();
        Ok(Data::new().with_reals("scores", scores))
    }

    fn precision_bits(&self, _: &Task) -> f64 {
        PRECISION_BITS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::model::test_images;
    use crate::schemes::ring::Program;
    use crate::{Inputs, Roles, Workload};

    /// The class of every test image is that of the network on clear pixels.
    #[test]
    fn encrypted_images_have_the_classes_of_clear_ones() {
        let workload = super::super::Inference;
        let images = test_images();
        let mut task = Task::new(workload.spec(), "real", "medium").unwrap();
        task.shape.insert("images".into(), images.len() as u64);
        let pixels = images.iter().flat_map(|image| &image[..PIXELS]);
        let pixels = pixels.map(|&pixel| pixel as f64 / 16.0).collect();
        let secret = Data::new().with_reals("pixels", pixels);
        let inputs = Inputs { public: Data::new(), secret };
        let program = Program::<Ckks, _>::boxed(Network);
        let mut roles = Roles::new(program.as_ref(), &task, 2).unwrap();
        let outputs = roles.run(&inputs).unwrap();
        workload.verify(&task, &inputs, &outputs).unwrap();
        let classes = |data: &Data| -> Vec<usize> {
            let best = |scores: &[f64]| {
                (1..CLASSES).fold(0, |best, k| if scores[k] > scores[best] { k } else { best })
            };
            data.reals("scores").unwrap().chunks(CLASSES).map(best).collect()
        };
        assert_eq!(classes(&outputs), classes(&workload.reference(&task, &inputs).unwrap()));
    }
}
