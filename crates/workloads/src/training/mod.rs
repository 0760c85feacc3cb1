//! `training`: a logistic regression on encrypted images.

mod ckks;
mod model;

use std::sync::LazyLock;

use fathom::ckks::Ckks;

use self::model::{Row, improve, rows};
use crate::schemes::ring::Program;
use crate::{Data, Error, Implementation, Inputs, Random, Spec, Task, Workload};

/// Gradient descent on encrypted features.
pub(crate) struct Training;

impl Workload for Training {
    fn spec(&self) -> &Spec {
        static SPEC: LazyLock<Spec> =
            LazyLock::new(|| Spec::parse(include_str!("../../specs/training.toml")));
        &SPEC
    }

    /// Takes images of the two digits, from a random one on.
    fn generate(&self, task: &Task, random: &mut Random) -> Result<Inputs, Error> {
        let all = rows();
        let first = random.below(all.len() as u64) as usize;
        let chosen = all.iter().cycle().skip(first).take(task.number("images")?);
        let features = chosen.flatten().copied().collect();
        let secret = Data::new().with_reals("features", features);
        Ok(Inputs { public: Data::new(), secret })
    }

    fn reference(&self, task: &Task, inputs: &Inputs) -> Result<Data, Error> {
        let (rows, _) = inputs.secret.reals("features")?.as_chunks();
        let mut weights = Row::default();
        for _ in 0..task.number("iterations")? {
            improve(&mut weights, rows);
        }
        Ok(Data::new().with_reals("weights", weights.to_vec()))
    }

    fn implementations(&self) -> Vec<Box<dyn Implementation>> {
        vec![Program::<Ckks, _>::boxed(ckks::Descent)]
    }
}
