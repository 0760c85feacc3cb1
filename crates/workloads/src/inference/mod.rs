//! `inference`: a neural network with public weights on encrypted images.

mod ckks;
mod model;
mod tfhe;
mod variant;

use std::sync::LazyLock;

use fathom::ckks::Ckks;

pub(crate) use self::model::test_images;
use self::model::{Models, PIXELS};
use self::variant::is_quantized;
use crate::schemes::ring::Program;
use crate::{Data, Error, Implementation, Inputs, Random, Spec, Task, Workload};

/// The scores of a neural network with public weights for the classes of encrypted images.
pub(crate) struct Inference;

impl Workload for Inference {
    fn spec(&self) -> &Spec {
        static SPEC: LazyLock<Spec> =
            LazyLock::new(|| Spec::parse(include_str!("../../specs/inference.toml")));
        &SPEC
    }

    /// Makes images of the test set; of eight, the seventh is empty and the eighth is full.
    fn generate(&self, task: &Task, random: &mut Random) -> Result<Inputs, Error> {
        let images = test_images();
        let mut pixels = Vec::new();
        for index in 0..task.number("images")? {
            let chosen = random.below(images.len() as u64) as usize;
            match index % 8 {
                6 => pixels.extend([0; PIXELS]),
                7 => pixels.extend([16; PIXELS]),
                _ => pixels.extend(&images[chosen][..PIXELS]),
            }
        }
        let secret = if is_quantized(task) {
            let threshold = Models::shipped().threshold;
            let bits = pixels.iter().map(|&pixel| u64::from(pixel >= threshold));
            Data::new().with_integers("pixels", bits.collect())
        } else {
            let reals = pixels.iter().map(|&pixel: &u64| pixel as f64 / 16.0);
            Data::new().with_reals("pixels", reals.collect())
        };
        Ok(Inputs { public: Data::new(), secret })
    }

    fn reference(&self, task: &Task, inputs: &Inputs) -> Result<Data, Error> {
        let models = Models::shipped();
        if is_quantized(task) {
            let images = inputs.secret.integers("pixels")?.chunks(PIXELS);
            let scores = images.flat_map(|image| models.quantized.scores(image));
            let scores = scores.map(|score| score as u64).collect();
            return Ok(Data::new().with_integers("scores", scores));
        }
        let images = inputs.secret.reals("pixels")?.chunks(PIXELS);
        let scores = images.flat_map(|image| models.real.scores(image)).collect();
        Ok(Data::new().with_reals("scores", scores))
    }

    fn implementations(&self) -> Vec<Box<dyn Implementation>> {
        vec![Box::new(tfhe::PROGRAM), Program::<Ckks, _>::boxed(ckks::Network)]
    }
}
