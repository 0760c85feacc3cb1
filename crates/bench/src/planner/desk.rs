//! The planner: measures the unit costs that a task needs and are not known, then plans it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use fathom::tfhe::Params;
use fathom_drivers::memory::shortage;
use fathom_drivers::process::Launch;
use fathom_drivers::resident_bytes;
use fathom_drivers::roles::{Connection, Step};
use fathom_planner::measure_tfhe::{self, Server};
use fathom_planner::{
    Prediction, RingCosts, RingWork, TfheCosts, UnitCosts, measure_ring, predict_ring,
    predict_tfhe, slowdown,
};
use fathom_workloads::{Data, Implementation, Operations, Task, Work, Workload};

use super::cache;
use super::limits::Limits;
use super::plan::{Candidate, Plan, PlannerError, Verdict};

/// The occasion on which unit costs are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measuring {
    /// Unit costs are measured if they are not known.
    Missing,
    /// Once in this process, even if they are known.
    Again,
}

/// The speed of the machine in a prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// The speed of the machine when its unit costs were measured.
    OfUnitCosts,
    /// The speed of the machine now: the operations that take most of a task's time are measured
    /// again.
    Present,
}

/// Unit costs of this machine, measured as tasks need them.
pub struct Planner {
    costs: UnitCosts,
    folder: Option<PathBuf>,
    measuring: Measuring,
    /// Parameter sets and numbers of threads that were measured by this process, and when.
    renewed: Vec<(Setting, Instant)>,
    /// The circuits of tasks that were simulated by this process.
    simulated: Vec<(Circuit, Work)>,
    /// The server of the last layers that were measured again.
    server: Option<Server>,
    report: Box<dyn FnMut(&str)>,
    unkept: Option<String>,
    /// The command that starts a server, to measure its memory without keys.
    launch: Option<Launch>,
}

/// The setting in which unit costs are measured.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Setting {
    /// Name of the parameter set.
    params: String,
    threads: usize,
}

/// A circuit: a task, a scheme, an algorithm and a number of threads.
type Circuit = (Task, &'static str, &'static str, usize);

/// The age up to which a measurement counts as one of the present.
const PRESENT: Duration = Duration::from_secs(2);

impl std::fmt::Debug for Planner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Planner").field("costs", &self.costs).finish_non_exhaustive()
    }
}

impl Planner {
    /// Reads the known unit costs of this machine from the user's cache. `report` is told what is
    /// measured or simulated.
    pub fn new(measuring: Measuring, report: impl FnMut(&str) + 'static) -> Self {
        let (here, folder) = (cache::here(), cache::folder());
        let costs = match &folder {
            Some(folder) => cache::read(folder, here),
            None => UnitCosts::new(here),
        };
        Self {
            costs,
            folder,
            measuring,
            renewed: Vec::new(),
            simulated: Vec::new(),
            server: None,
            report: Box::new(report),
            unkept: None,
            launch: None,
        }
    }

    /// States how a server is started. Without it, this process stands for a server.
    pub fn with_server(self, launch: Launch) -> Self {
        Self { launch: Some(launch), ..self }
    }

    /// Returns the memory of a server without keys: that of a new process, since what this one did
    /// before says nothing about a server.
    fn process_bytes(&self) -> u64 {
        let new = self.launch.as_ref().and_then(|launch| {
            let mut server = Connection::spawn(launch, "server").ok()?;
            server.call(Step::Hello, &[], &AtomicBool::new(false)).ok()?;
            Some(server.peak_rss()).filter(|bytes| *bytes > 0)
        });
        new.unwrap_or_else(resident_bytes)
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
        speed: Speed,
    ) -> Result<Plan, PlannerError> {
        let public = workload.inputs(task, SEED)?.public;
        let ram_bytes = self.costs.fingerprint.ram_bytes;
        let mut candidates = Vec::new();
        for (place, implementation) in workload.implementations().iter().enumerate() {
            let verdict = match self.predict(implementation.as_ref(), task, threads, &public, speed)
            {
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

    /// Predicts a task on the implementation at a place in the workload's list, at the present
    /// speed of the machine.
    ///
    /// # Errors
    /// As [`Planner::predict`].
    pub fn predict_again(
        &mut self,
        workload: &dyn Workload,
        implementation: usize,
        task: &Task,
        threads: usize,
    ) -> Result<Prediction, PlannerError> {
        let public = workload.inputs(task, SEED)?.public;
        let implementation = &workload.implementations()[implementation];
        self.predict(implementation.as_ref(), task, threads, &public, Speed::Present)
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
        speed: Speed,
    ) -> Result<Prediction, PlannerError> {
        implementation.supports(task)?;
        let parameters = implementation.parameters(task)?;
        let scheme = implementation.scheme();
        let work = self.simulate(implementation, task, threads, public)?;
        let (security, failure) = (parameters.security_bits, parameters.failure_log2);
        match &work.operations {
            Operations::Bootstraps(bootstraps) => {
                let costs = self.tfhe(&bootstraps.params, threads)?;
                let predicted = predict_tfhe(bootstraps, work.repeats, costs, security, failure);
                let setting = Setting { params: costs.params.clone(), threads };
                if speed == Speed::OfUnitCosts || self.is_present(&setting) {
                    return Ok(predicted);
                }
                let curve = costs_of(&self.costs, &setting).layers.clone();
                (self.report)(&format!("{} on {scheme}: present speed", task.id()));
                let server = self.server(&bootstraps.params, threads)?;
                Ok(predicted.slowed(slowdown::of_bootstraps(server, &curve, bootstraps)?))
            }
            Operations::Ring(ring) => {
                let costs = self.ring(ring, threads)?;
                let predicted = predict_ring(ring, costs, parameters.name, security)
                    .ok_or(PlannerError::NoUnitCosts { scheme })?;
                let costs = costs.clone();
                let setting = Setting { params: costs.params.clone(), threads };
                if speed == Speed::OfUnitCosts || self.is_present(&setting) {
                    return Ok(predicted);
                }
                (self.report)(&format!("{} on {scheme}: present speed", task.id()));
                Ok(predicted.slowed(slowdown::of_ring(ring, &costs)?))
            }
            _ => Err(PlannerError::NoUnitCosts { scheme }),
        }
    }

    /// Returns the operations of a task, simulated once in this process.
    fn simulate(
        &mut self,
        implementation: &dyn Implementation,
        task: &Task,
        threads: usize,
        public: &Data,
    ) -> Result<Work, PlannerError> {
        let circuit = (task.clone(), implementation.scheme(), implementation.method(), threads);
        if let Some((_, work)) = self.simulated.iter().find(|(known, _)| *known == circuit) {
            return Ok(work.clone());
        }
        (self.report)(&format!("{} on {}: simulation", task.id(), implementation.scheme()));
        let work = implementation.simulate(task, threads, public)?;
        self.simulated.push((circuit, work.clone()));
        Ok(work)
    }

    /// Returns true if costs were measured a moment ago.
    fn is_present(&self, setting: &Setting) -> bool {
        self.renewed.iter().any(|(known, when)| known == setting && when.elapsed() < PRESENT)
    }

    fn is_stale(&self, setting: &Setting) -> bool {
        self.measuring == Measuring::Again && self.renewed.iter().all(|(known, _)| known != setting)
    }

    /// Returns a server with these parameters and threads; it keeps the last one.
    fn server(&mut self, params: &Params, threads: usize) -> Result<&Server, PlannerError> {
        let kept = self.server.take().filter(|server| server.is_of(params, threads));
        let server = kept.map_or_else(|| Server::start(params, threads), Ok)?;
        Ok(self.server.insert(server))
    }

    /// Returns the unit costs of the parameters of a circuit, measured now if need be.
    fn ring(&mut self, work: &RingWork, threads: usize) -> Result<&RingCosts, PlannerError> {
        let setting = Setting { params: measure_ring::name(&work.params), threads };
        if let Some(shortage) = shortage(work.bootstrapping_key_bytes) {
            return Err(PlannerError::Memory { shortage });
        }
        let known = self.costs.ring(&setting.params, threads).filter(|_| !self.is_stale(&setting));
        let missing = |&(operation, level): &(_, usize)| {
            known.is_none_or(|costs| costs.time_ns(operation, level).is_none())
        };
        // What is known is not measured again: bootstrapping keys take a minute.
        let wanted: BTreeSet<_> = work.counts.keys().copied().filter(missing).collect();
        if known.is_none() || !wanted.is_empty() {
            self.server = None;
            let process_bytes = self.process_bytes();
            let costs = measure_ring::measure(&work.params, threads, &wanted, &mut self.report)?;
            self.costs.insert_ring(RingCosts { process_bytes, ..costs });
            self.renewed(setting.clone());
        }
        Ok(self.costs.ring(&setting.params, threads).expect("it was inserted"))
    }

    /// Returns the unit costs of a parameter set of TFHE, measured now if need be.
    fn tfhe(&mut self, params: &Params, threads: usize) -> Result<&TfheCosts, PlannerError> {
        let setting = Setting { params: params.name().to_owned(), threads };
        if self.is_stale(&setting) || self.costs.tfhe(&setting.params, threads).is_none() {
            self.server = None;
            let bytes = self.process_bytes();
            let measured = measure_tfhe::measure(params, threads, bytes, &mut self.report)?;
            self.costs.insert_tfhe(measured);
            self.renewed(setting.clone());
        }
        Ok(costs_of(&self.costs, &setting))
    }

    /// Registers costs as measured now and keeps them.
    fn renewed(&mut self, setting: Setting) {
        self.renewed.retain(|(known, _)| *known != setting);
        self.renewed.push((setting, Instant::now()));
        self.keep();
    }

    /// Writes the unit costs to the user's cache, if there is one.
    fn keep(&mut self) {
        let Some(folder) = &self.folder else { return };
        if let Err(error) = cache::write(&self.costs, folder) {
            self.unkept = Some(format!("{}: {error}", folder.display()));
        }
    }
}

/// Returns costs of TFHE that were measured.
fn costs_of<'a>(costs: &'a UnitCosts, setting: &Setting) -> &'a TfheCosts {
    costs.tfhe(&setting.params, setting.threads).expect("it was inserted")
}

/// The seed of the inputs whose clear columns the simulation reads.
const SEED: u64 = 1;
