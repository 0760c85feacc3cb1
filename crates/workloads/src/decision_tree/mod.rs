//! `decision-tree`: complete trees and forests on encrypted queries.

mod branch;
mod model;
mod plain;
mod tfhe;
mod walk;

use std::sync::LazyLock;

use self::model::{LABEL_BITS, Model};
use crate::{Data, Error, Implementation, Inputs, Random, Spec, Task, Workload};

/// The sums of labels that decision trees, public or encrypted, give to encrypted queries.
pub(crate) struct DecisionTree;

impl Workload for DecisionTree {
    fn spec(&self) -> &Spec {
        static SPEC: LazyLock<Spec> =
            LazyLock::new(|| Spec::parse(include_str!("../../specs/decision-tree.toml")));
        &SPEC
    }

    fn generate(&self, task: &Task, random: &mut Random) -> Result<Inputs, Error> {
        let model = Model::of(task)?;
        let greatest = u64::MAX >> (64 - model.bits);
        let nodes = model.trees * model.nodes();
        let feature = (0..nodes).map(|_| random.below(model.features as u64)).collect();
        // The ends of the range, at which one branch is rarely or never taken, among random ones.
        let thresholds: Vec<u64> = (0..nodes)
            .map(|_| match random.below(16) {
                0 => 0,
                1 => greatest,
                _ => random.bits(model.bits as u32),
            })
            .collect();
        let labels = model.trees * model.leaves();
        let labels = (0..labels).map(|_| random.bits(LABEL_BITS as u32)).collect();
        let query = (0..model.queries * model.features)
            .map(|_| match random.below(8) {
                0 => 0,
                1 => greatest,
                // A value at a threshold goes to the left.
                2 | 3 => thresholds[random.below(nodes as u64) as usize],
                _ => random.bits(model.bits as u32),
            })
            .collect();
        let mut public = Data::new().with_integers("feature", feature);
        let mut secret = Data::new().with_integers("query", query);
        let owner = if model.encrypted { &mut secret } else { &mut public };
        let with_model = std::mem::take(owner).with_integers("threshold", thresholds);
        *owner = with_model.with_integers("label", labels);
        Ok(Inputs { public, secret })
    }

    fn reference(&self, task: &Task, inputs: &Inputs) -> Result<Data, Error> {
        let model = Model::of(task)?;
        let feature = inputs.public.integers("feature")?;
        model.check_features(feature)?;
        let owner = if model.encrypted { &inputs.secret } else { &inputs.public };
        let (threshold, label) = (owner.integers("threshold")?, owner.integers("label")?);
        let queries = inputs.secret.integers("query")?.chunks(model.features);
        let score = queries.map(|query| {
            let labels = (0..model.trees).map(|tree| {
                // Nodes are numbered from 1, so that those below node n are 2 n and 2 n + 1.
                let mut node = 1;
                while node <= model.nodes() {
                    let place = tree * model.nodes() + node - 1;
                    let right = query[feature[place] as usize] > threshold[place];
                    node = 2 * node + usize::from(right);
                }
                label[tree * model.leaves() + node - model.leaves()]
            });
            labels.sum()
        });
        Ok(Data::new().with_integers("score", score.collect()))
    }

    fn implementations(&self) -> Vec<Box<dyn Implementation>> {
        vec![Box::new(tfhe::PROGRAM)]
    }
}
