//! The planner: measures the unit costs that a task needs and are not known, then plans it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use fathom::tfhe::Params;
use fathom_workloads::{Data, Implementation, Operations, RingWork, Task, Workload};

use super::cache::{self, Fingerprint, UnitCosts};
use super::error::PlannerError;
use super::limits::Limits;
use super::measure_ring;
use super::measure_tfhe;
use super::plan::{Candidate, Plan, Verdict};
use super::prediction::{Prediction, predict_ring, predict_tfhe};
use super::ring_costs::RingCosts;
use super::tfhe_costs::TfheCosts;

/// When unit costs are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measuring {
    /// If they are not known.
    Missing,
    /// Once in this process, even if they are known.
    Again,
}

/// Unit costs of this machine, measured as tasks need them.
pub struct Planner {
    costs: UnitCosts,
    folder: Option<PathBuf>,
    measuring: Measuring,
    /// Parameter sets and numbers of threads that were measured by this process.
    renewed: Vec<(String, usize)>,
    report: Box<dyn FnMut(&str)>,
    unkept: Option<String>,
}

impl std::fmt::Debug for Planner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Planner").field("costs", &self.costs).finish_non_exhaustive()
    }
}

impl Planner {
    /// Reads the known unit costs of this machine from the user's cache. `report` is told what is
    /// measured or simulated.
    pub fn new(measuring: Measuring, report: impl FnMut(&str) + 'static) -> Self {
        let (here, folder) = (Fingerprint::here(), cache::folder());
        let costs = match &folder {
            Some(folder) => UnitCosts::read(folder, here),
            None => UnitCosts::new(here),
        };
        Self {
            costs,
            folder,
            measuring,
            renewed: Vec::new(),
            report: Box::new(report),
            unkept: None,
        }
    }

    /// Returns the unit costs that are known so far.
    pub fn costs(&self) -> &UnitCosts {
        &self.costs
    }

    /// Returns why the measured unit costs could not be kept, so that the next process measures
    /// again; `None` if they were, or if nothing was measured.
    pub fn unkept(&self) -> Option<&str> {
        self.unkept.as_deref()
    }

    /// Plans a task for a server of `threads` threads.
    ///
    /// # Errors
    /// [`PlannerError::Workload`] if the inputs of the task cannot be made; a scheme that refuses
    /// the task is a candidate with the reason.
    pub fn plan(
        &mut self,
        workload: &dyn Workload,
        task: &Task,
        threads: usize,
        limits: Limits,
    ) -> Result<Plan, PlannerError> {
        let public = workload.inputs(task, SEED)?.public;
        let ram_bytes = self.costs.fingerprint.ram_bytes;
        let mut candidates = Vec::new();
        for (place, implementation) in workload.implementations().iter().enumerate() {
            let verdict = match self.predict(implementation.as_ref(), task, threads, &public) {
                Ok(prediction) => {
                    let shares = limits.shares(&prediction, ram_bytes);
                    Verdict::Predicted { prediction, shares }
                }
                Err(error) => Verdict::Refused { reason: error.to_string() },
            };
            candidates.push(Candidate {
                implementation: place,
                scheme: implementation.scheme(),
                method: implementation.method(),
                verdict,
            });
        }
        Ok(Plan::new(task.clone(), threads, limits, candidates))
    }

    /// Predicts a task on one implementation; `public` are the clear columns of the server.
    ///
    /// # Errors
    /// Those of the simulation and of the measurement of unit costs;
    /// [`PlannerError::NoUnitCosts`].
    pub fn predict(
        &mut self,
        implementation: &dyn Implementation,
        task: &Task,
        threads: usize,
        public: &Data,
    ) -> Result<Prediction, PlannerError> {
        implementation.supports(task)?;
        let parameters = implementation.parameters(task)?;
        let scheme = implementation.scheme();
        let text = format!("{} on {scheme}: simulation", task.id());
        (self.report)(&text);
        let work = implementation.simulate(task, threads, public)?;
        let (security, failure) = (parameters.security_bits, parameters.failure_log2);
        match &work.operations {
            Operations::Bootstraps(bootstraps) => {
                let costs = self.tfhe(&bootstraps.params, threads)?;
                Ok(predict_tfhe(bootstraps, work.repeats, costs, security, failure))
            }
            Operations::Ring(ring) => {
                let costs = self.ring(ring)?;
                let predicted =
                    costs.and_then(|costs| predict_ring(ring, costs, parameters.name, security));
                predicted.ok_or(PlannerError::NoUnitCosts { scheme })
            }
            _ => Err(PlannerError::NoUnitCosts { scheme }),
        }
    }

    /// Returns the unit costs of the parameters of a circuit, measured now if need be; `None` for a
    /// scheme without a measurement.
    fn ring(&mut self, work: &RingWork) -> Result<Option<&RingCosts>, PlannerError> {
        let Some(name) = measure_ring::name(&work.params) else { return Ok(None) };
        let key = (name.clone(), 1);
        let wanted: BTreeSet<_> = work.counts.keys().copied().collect();
        let missing = self.costs.ring(&name).is_none_or(|costs| {
            wanted.iter().any(|&(operation, level)| costs.time_ns(operation, level).is_none())
        });
        let stale = self.measuring == Measuring::Again && !self.renewed.contains(&key);
        if (stale || missing)
            && let Some(costs) = measure_ring::measure(&work.params, &wanted, &mut self.report)?
        {
            self.costs.insert_ring(costs);
            self.renewed.push(key);
            self.keep();
        }
        Ok(self.costs.ring(&name))
    }

    /// Returns the unit costs of a parameter set of TFHE, measured now if need be.
    fn tfhe(&mut self, params: &Params, threads: usize) -> Result<&TfheCosts, PlannerError> {
        let key = (params.name().to_owned(), threads);
        let stale = self.measuring == Measuring::Again && !self.renewed.contains(&key);
        if stale || self.costs.tfhe(&key.0, threads).is_none() {
            let measured = measure_tfhe::measure(params, threads, &mut self.report)?;
            self.costs.insert_tfhe(measured);
            self.renewed.push(key.clone());
            self.keep();
        }
        Ok(self.costs.tfhe(&key.0, threads).expect("it was inserted"))
    }

    /// Writes the unit costs to the user's cache, if there is one.
    fn keep(&mut self) {
        let Some(folder) = &self.folder else { return };
        if let Err(error) = self.costs.write(folder) {
            self.unkept = Some(format!("{}: {error}", folder.display()));
        }
    }
}

/// The seed of the inputs whose clear columns the simulation reads.
const SEED: u64 = 1;
