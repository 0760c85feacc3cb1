//! Measured unit costs of one machine, as text that can be kept.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ring_costs::RingCosts;
use crate::tfhe_costs::TfheCosts;

/// Version of the text; texts of other versions are measured again.
const FORMAT: u32 = 4;

/// The machine and the build of the engine, on which unit costs depend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Processor model.
    pub cpu: String,
    /// Number of processors that this process may use.
    pub cores: usize,
    /// Extensions of the processor.
    pub isa: Vec<String>,
    /// Cache sizes in bytes, by name.
    pub caches: BTreeMap<String, u64>,
    /// Memory in bytes.
    pub ram_bytes: Option<u64>,
    /// Instruction set that the engine uses.
    pub isa_used: String,
    /// Version and build of the engine.
    pub engine: String,
}

/// Unit costs of a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitCosts {
    format: u32,
    /// The machine.
    pub fingerprint: Fingerprint,
    /// TFHE: one entry for each parameter set and number of threads.
    pub tfhe: Vec<TfheCosts>,
    /// BFV and CKKS: one entry for each set of parameters and number of threads.
    #[serde(default)]
    pub ring: Vec<RingCosts>,
}

impl UnitCosts {
    /// Returns the costs of a machine before anything was measured.
    pub fn new(fingerprint: Fingerprint) -> Self {
        Self { format: FORMAT, fingerprint, tfhe: Vec::new(), ring: Vec::new() }
    }

    /// Returns the costs of a parameter set on a number of threads, if they were measured.
    pub fn tfhe(&self, params: &str, threads: usize) -> Option<&TfheCosts> {
        self.tfhe.iter().find(|costs| costs.params == params && costs.threads() == threads)
    }

    /// Adds costs in place of those of the same parameter set and number of threads.
    pub fn insert_tfhe(&mut self, costs: TfheCosts) {
        let (params, threads) = (costs.params.clone(), costs.threads());
        self.tfhe.retain(|known| known.params != params || known.threads() != threads);
        self.tfhe.push(costs);
    }

    /// Returns the costs of a set of parameters of a ring scheme on a number of threads, if they
    /// were measured.
    pub fn ring(&self, params: &str, threads: usize) -> Option<&RingCosts> {
        self.ring.iter().find(|costs| costs.is_of(params, threads))
    }

    /// Adds costs in place of those of the same parameters and number of threads. Operations and
    /// bootstrapping keys that the new costs lack keep their times.
    pub fn insert_ring(&mut self, mut costs: RingCosts) {
        let same = |known: &RingCosts| known.is_of(&costs.params, costs.threads);
        if let Some(place) = self.ring.iter().position(same) {
            let known = self.ring.swap_remove(place);
            costs.bootstrapping = costs.bootstrapping.or(known.bootstrapping);
            for (operation, time) in known.operations {
                costs.operations.entry(operation).or_insert(time);
            }
        }
        self.ring.push(costs);
    }

    /// Reads the costs of a machine. A text that is damaged, of another version or of another
    /// machine has none.
    pub fn from_json(text: &str, fingerprint: &Fingerprint) -> Option<Self> {
        let read = serde_json::from_str::<Self>(text).ok()?;
        let own = read.format == FORMAT
            && read.fingerprint == *fingerprint
            && read.tfhe.iter().all(TfheCosts::is_valid)
            && read.ring.iter().all(RingCosts::is_valid);
        own.then_some(read)
    }

    /// Returns the costs as text.
    ///
    /// # Panics
    /// Never: text and numbers are valid JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("text and numbers are valid JSON") + "\n"
    }
}
