//! `biometric-match`: distances of probes to templates.

mod columns;
mod slots;

use std::sync::LazyLock;

use fathom::bfv::Bfv;
use fathom::ckks::Ckks;

use self::columns::{GREATEST, one_probe};
use self::slots::Matching;
use crate::schemes::ring::Program;
use crate::{Data, Error, Implementation, Inputs, Random, Spec, Task, Workload};

/// Squared distances of encrypted probes to encrypted templates; the client finds the least one.
pub(crate) struct BiometricMatch;

impl Workload for BiometricMatch {
    fn spec(&self) -> &Spec {
        static SPEC: LazyLock<Spec> =
            LazyLock::new(|| Spec::parse(include_str!("../../specs/biometric-match.toml")));
        &SPEC
    }

    fn generate(&self, task: &Task, random: &mut Random) -> Result<Inputs, Error> {
        let (users, dimensions) = (task.number("users")?, task.number("dimensions")?);
        let vector = |random: &mut Random| -> Vec<u64> {
            (0..dimensions).map(|_| random.below(GREATEST + 1)).collect()
        };
        let near = |template: &[u64], random: &mut Random| -> Vec<u64> {
            let near = |value: &u64| (value + random.below(3)).saturating_sub(1).min(GREATEST);
            template.iter().map(near).collect()
        };
        let mut templates: Vec<_> = (0..users).map(|_| vector(random)).collect();
        // A template that occurs twice, so that the nearest one has an equal, and the greatest
        // distance.
        if users > 3 {
            let twice = templates[users / 2].clone();
            templates[users - 1] = twice;
            templates[1] = vec![GREATEST; dimensions];
        }
        let probes = if one_probe(task) {
            near(&templates[users / 2], random)
        } else {
            let probe = |(user, template): (usize, &Vec<u64>)| match user % 4 {
                0 => template.clone(),
                1 => vec![0; dimensions],
                2 => near(template, random),
                _ => vector(random),
            };
            templates.iter().enumerate().flat_map(probe).collect()
        };
        let secret = Data::new()
            .with_integers("templates", templates.concat())
            .with_integers("probes", probes);
        Ok(Inputs { public: Data::new(), secret })
    }

    fn reference(&self, task: &Task, inputs: &Inputs) -> Result<Data, Error> {
        let dimensions = task.number("dimensions")?;
        let templates = inputs.secret.integers("templates")?.chunks(dimensions);
        let probes = inputs.secret.integers("probes")?.chunks(dimensions).cycle();
        let squared = |(a, b): (&u64, &u64)| a.abs_diff(*b).pow(2);
        let distance = |(a, b): (&[u64], &[u64])| a.iter().zip(b).map(squared).sum();
        let distances: Vec<u64> = templates.zip(probes).map(distance).collect();
        Ok(columns::outputs(task, distances))
    }

    fn implementations(&self) -> Vec<Box<dyn Implementation>> {
        vec![Program::<Bfv, _>::boxed(Matching), Program::<Ckks, _>::boxed(Matching)]
    }
}
