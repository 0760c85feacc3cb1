//! `statistics`: moments of a column, and a step of a linear regression.

mod columns;
mod slots;
mod specification;

use fathom::bfv::Bfv;
use fathom::ckks::Ckks;

use self::columns::{MOMENTS, features};
use self::slots::Statistic;
use self::specification::SPEC;
use crate::schemes::ring::Program;
use crate::{Data, Error, Implementation, Inputs, Random, Spec, Task, Workload};

/// Moments of an encrypted column, or a step of a linear regression on encrypted rows.
pub(crate) struct Statistics;

impl Workload for Statistics {
    fn spec(&self) -> &Spec {
        &SPEC
    }

    fn generate(&self, task: &Task, random: &mut Random) -> Result<Inputs, Error> {
        let (rows, bits) = (task.number("rows")?, task.number("bits")? as u32);
        let greatest = (1 << bits) - 1;
        // The first rows are the ends of the range.
        let column = |count: usize, random: &mut Random| -> Vec<u64> {
            let value = |index| match index {
                0 => 0,
                1 => greatest,
                _ => random.bits(bits),
            };
            (0..count).map(value).collect()
        };
        let secret = if task.variant == MOMENTS {
            Data::new().with_integers("x", column(rows, random))
        } else {
            let features = features(task)?;
            let x = column(rows * features, random);
            // Targets near the mean of the features: what a regression finds again.
            let near = |row: &[u64], noise: u64| {
                let mean = row.iter().sum::<u64>() / features as u64;
                (mean + noise).saturating_sub(greatest / 16).min(greatest)
            };
            let targets = x.chunks(features).map(|row| near(row, random.below(greatest / 8 + 1)));
            let targets = targets.collect();
            let weights = (0..features).map(|_| random.bits(bits)).collect();
            Data::new()
                .with_integers("features", x)
                .with_integers("targets", targets)
                .with_integers("weights", weights)
        };
        Ok(Inputs { public: Data::new(), secret })
    }

    fn reference(&self, task: &Task, inputs: &Inputs) -> Result<Data, Error> {
        let (rows, secret) = (task.number("rows")? as f64, &inputs.secret);
        let unit = (task.number("bits")? as f64).exp2();
        let fractions = |name: &str| -> Result<Vec<f64>, Error> {
            Ok(secret.integers(name)?.iter().map(|&value| value as f64 / unit).collect())
        };
        if task.variant == MOMENTS {
            let x = fractions("x")?;
            let mean = x.iter().sum::<f64>() / rows;
            let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / rows;
            return Ok(Data::new()
                .with_reals("mean", vec![mean])
                .with_reals("variance", vec![variance]));
        }
        let [x, y, w] = [fractions("features")?, fractions("targets")?, fractions("weights")?];
        let mut gradient = vec![0.0; w.len()];
        for (row, target) in x.chunks(w.len()).zip(&y) {
            let residual = row.iter().zip(&w).map(|(x, w)| x * w).sum::<f64>() - target;
            for (sum, x) in gradient.iter_mut().zip(row) {
                *sum += residual * x;
            }
        }
        let stepped = w.iter().zip(&gradient).map(|(w, sum)| w - sum / (2.0 * rows));
        Ok(Data::new().with_reals("weights", stepped.collect()))
    }

    fn implementations(&self) -> Vec<Box<dyn Implementation>> {
        vec![Program::<Bfv, _>::boxed(Statistic), Program::<Ckks, _>::boxed(Statistic)]
    }
}
