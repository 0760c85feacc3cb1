//! `sort`: lists in ascending order, with or without payloads.

mod payloads;
mod tfhe;

use std::sync::LazyLock;

use self::payloads::{PAYLOAD_BITS, has_payloads};
use crate::{Data, Error, Implementation, Inputs, Random, Spec, Task, Workload};

/// Encrypted lists in ascending order, with or without payloads that move along.
pub(crate) struct Sort;

impl Workload for Sort {
    fn spec(&self) -> &Spec {
        static SPEC: LazyLock<Spec> =
            LazyLock::new(|| Spec::parse(include_str!("../../specs/sort.toml")));
        &SPEC
    }

    fn generate(&self, task: &Task, random: &mut Random) -> Result<Inputs, Error> {
        let (arrays, elements) = (task.number("arrays")?, task.number("elements")?);
        let bits = task.number("bits")? as u32;
        let greatest = u64::MAX >> (64 - bits);
        let mut keys: Vec<u64> = Vec::with_capacity(arrays * elements);
        for index in 0..arrays * elements {
            // Zeros, greatest values and duplicates of earlier keys among random ones.
            let key = match random.below(8) {
                0 => 0,
                1 => greatest,
                2 | 3 if index > 0 => keys[random.below(index as u64) as usize],
                _ => random.bits(bits),
            };
            keys.push(key);
        }
        let mut secret = Data::new().with_integers("keys", keys);
        if has_payloads(task) {
            let payloads = (0..arrays * elements).map(|_| random.bits(PAYLOAD_BITS as u32));
            secret = secret.with_integers("payloads", payloads.collect());
        }
        Ok(Inputs { public: Data::new(), secret })
    }

    fn reference(&self, task: &Task, inputs: &Inputs) -> Result<Data, Error> {
        let (elements, keys) = (task.number("elements")?, inputs.secret.integers("keys")?);
        if !has_payloads(task) {
            let mut keys = keys.to_vec();
            keys.chunks_mut(elements).for_each(<[u64]>::sort_unstable);
            return Ok(Data::new().with_integers("keys", keys));
        }
        let payloads = inputs.secret.integers("payloads")?;
        let mut pairs: Vec<(u64, u64)> =
            keys.iter().copied().zip(payloads.iter().copied()).collect();
        // A stable sort.
        pairs.chunks_mut(elements).for_each(|list| list.sort_by_key(|pair| pair.0));
        let (keys, payloads) = pairs.into_iter().unzip();
        Ok(Data::new().with_integers("keys", keys).with_integers("payloads", payloads))
    }

    fn implementations(&self) -> Vec<Box<dyn Implementation>> {
        vec![Box::new(tfhe::PROGRAM)]
    }
}
