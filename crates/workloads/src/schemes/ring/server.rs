//! The server of programs on BFV and CKKS.

use fathom::wire::{WireFresh, WireObject};
use std::borrow::Cow;
use std::sync::Arc;

use fathom::rlwe::{Ciphertext, EvaluationKeys, Evaluator, Params};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::circuit::Circuit;
use super::counted::Counted;
use super::kept::Kept;
use super::numbers::Numbers;
use crate::message::{join, split};
use fathom_planner::RingCounts;

use crate::{Data, Error, Server, Task};

/// The role that computes.
pub(super) struct RingServer<S: Numbers, C> {
    circuit: C,
    task: Task,
    params: Params<S>,
    /// The threads beside the calling one.
    others: Option<Arc<ThreadPool>>,
    keys: Option<EvaluationKeys<S>>,
    inputs: Option<(Data, Vec<Ciphertext<S>>)>,
    results: Option<Vec<Ciphertext<S>>>,
    counts: RingCounts,
    kept: Arc<Kept>,
}

impl<S: Numbers, C: Circuit<S>> RingServer<S, C> {
    /// Makes a server without keys. Its threads live as long as it does: one that was started for
    /// each computation would begin on the processor of its parent.
    pub(super) fn new(
        circuit: C,
        task: Task,
        params: Params<S>,
        threads: usize,
    ) -> Result<Self, Error> {
        let others = match threads {
            0 | 1 => None,
            _ => {
                let others = ThreadPoolBuilder::new().num_threads(threads - 1).build();
                Some(Arc::new(others.map_err(|error| Error::Threads(error.to_string()))?))
            }
        };
        Ok(Self {
            circuit,
            task,
            params,
            others,
            keys: None,
            inputs: None,
            results: None,
            counts: RingCounts::new(),
            kept: Arc::default(),
        })
    }
}

impl<S: Numbers, C: Circuit<S>> Server for RingServer<S, C> {
    fn accept_keys(&mut self, keys: &[u8]) -> Result<(), Error> {
        let threads = 1 + self.others.as_ref().map_or(0, |others| others.current_num_threads());
        let (task, params) = (&self.task, &self.params);
        // What was prepared belongs to the keys.
        self.kept = Arc::default();
        self.keys = Some(self.circuit.read_keys(task, params, keys, threads, &self.kept)?);
        Ok(())
    }

    fn load(&mut self, public: &Data, upload: &[u8]) -> Result<(), Error> {
        let frames = split(upload)?;
        let expected = self.circuit.counts(&self.task, &self.params)?.inputs;
        if frames.len() != expected {
            let problem = format!("{} ciphertexts in place of {expected}", frames.len());
            return Err(Error::Message(problem));
        }
        let read = |frame| Ciphertext::from_bytes_fresh(&self.params, frame);
        let inputs = frames.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        self.inputs = Some((public.clone(), inputs));
        Ok(())
    }

    fn compute(&mut self) -> Result<(), Error> {
        let keys = self.keys.clone().ok_or(Error::Order("send the evaluation keys"))?;
        let (public, inputs) = self.inputs.as_ref().ok_or(Error::Order("load the inputs"))?;
        let server = Counted::new(Evaluator::new(keys), self.others.clone(), self.kept.clone());
        let results = self.circuit.compute(&server, &self.task, public, inputs)?;
        let lowered = results.iter().map(|result| lowest(&server, result).into_owned());
        self.results = Some(lowered.collect());
        self.counts = server.counts();
        Ok(())
    }

    fn answer(&self) -> Result<Vec<u8>, Error> {
        let results = self.results.as_ref().ok_or(Error::Order("compute"))?;
        Ok(join(&results.iter().map(Ciphertext::to_bytes).collect::<Vec<_>>()))
    }

    fn bootstraps(&self) -> Option<(u64, u64)> {
        let all = self.counts.iter().filter(|((operation, _), _)| operation.is_bootstrap());
        let count = all.map(|(_, count)| count).sum();
        (count > 0).then_some((count, count))
    }

    fn ring_operations(&self) -> Option<&RingCounts> {
        Some(&self.counts)
    }
}

/// Returns a result at the lowest level that holds it, where it has the fewest bytes.
pub(super) fn lowest<'a, S: Numbers>(
    server: &Counted<S>,
    result: &'a Ciphertext<S>,
) -> Cow<'a, Ciphertext<S>> {
    let params = server.evaluator().params();
    let levels = S::last_level(params).get()..result.level().get();
    // A level that cannot hold the result refuses it.
    let mut fitting = levels.filter_map(|level| server.mod_switch_to(result, level).ok());
    fitting.next().map_or(Cow::Borrowed(result), Cow::Owned)
}
