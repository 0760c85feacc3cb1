//! The evaluator, which applies lookup tables to blocks in batches.

use super::accumulator::{Accumulator, Argument};
use super::bootstrap::bootstrapper::Bootstrapper;
use super::bootstrap::task::{Bootstrap, Input, Outputs, Table, Task};
use super::helpers::Helpers;
use super::lockstep::RunNow;
use super::noise::{Noise, source_name};
use super::step::Step;
use super::table::lut::{Output, Sharing, jumps};
use super::{Block, Error, EvaluationKeys, Lut, Owner, PackingKeys, Params, Space, Span};
use crate::lwe::LweCiphertext;
use crate::tfhe::TableError;
use crate::threads::Pool;
use crate::{CancelToken, KeyId, MAX_THREADS, cancel};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One lookup table to be evaluated on one block.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The block that the table is applied to.
    pub input: &'a Block,
    /// The lookup table, with one or more functions.
    pub lut: &'a Lut,
}

/// Numbers of operations that an evaluator has computed so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of blind rotations.
    pub bootstraps: u64,
    /// Number of layers: groups of independent blind rotations, which run one after the other.
    /// Merging values into tables or lists is not counted.
    pub layers: u64,
}

/// The resource to minimise when several algorithms apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Minimises the number of bootstraps: carries ripple from digit to digit. Fastest on one
    /// thread.
    #[default]
    Work,
    /// A compromise: carries ripple in this number of parallel chains, with less than twice the
    /// bootstraps of [`Policy::Work`]. Fastest on that many threads, up to about twelve.
    Chains(usize),
    /// Minimises the number of layers: carries go through a prefix tree, with about twice the
    /// bootstraps of [`Policy::Work`]. Fastest if dozens of bootstraps run in parallel.
    Latency,
}

impl Policy {
    /// Returns the fastest policy for an operation that has `threads` threads to itself.
    pub fn for_threads(threads: usize) -> Policy {
        match threads {
            0 | 1 => Policy::Work,
            2..=12 => Policy::Chains(threads),
            _ => Policy::Latency,
        }
    }
}

/// Evaluator of functions of encrypted integers under a public evaluation key. It holds no secrets
/// and is cheap to clone.
///
/// An evaluator without keys ([`Evaluator::simulated`]) runs the same code on clear integers: it
/// checks every range and noise bound, and counts bootstraps.
#[derive(Clone, Debug)]
pub struct Evaluator {
    params: Params,
    /// `None` for a simulation.
    owner: Option<Owner>,
    keys: Option<Arc<dyn Bootstrap>>,
    packing: Option<Arc<PackingKeys>>,
    /// Number of layers by their number of bootstraps.
    layers: Arc<Mutex<BTreeMap<u64, u64>>>,
    policy: Policy,
    /// The place of the operation of this evaluator among those in step.
    step: Option<Step>,
    helpers: Arc<Helpers>,
    cancel: Option<CancelToken>,
}

impl Evaluator {
    /// Returns an evaluator without keys, which computes in the clear on [`Block::simulated`]
    /// blocks.
    pub fn simulated(params: &Params) -> Evaluator {
        Evaluator::with_backend(params.clone(), None)
    }

    /// Returns a simulation of this evaluator, with counts of its own.
    pub(super) fn to_simulated(&self) -> Evaluator {
        let simulated = Evaluator::simulated(&self.params);
        let (helpers, cancel) = (Arc::clone(&self.helpers), self.cancel.clone());
        Evaluator { policy: self.policy, helpers, cancel, ..simulated }
    }

    /// Returns an evaluator that bootstraps under `key`, on `threads` threads of its own.
    /// Evaluators that are given clones of one [`Arc`] share the key.
    ///
    /// Its policy is the fastest if one operation at a time has all threads;
    /// [`Evaluator::with_policy`] changes it.
    ///
    /// A single bootstrap is computed by several threads that synchronise by spinning, so each
    /// thread should have a core to itself.
    ///
    /// # Errors
    /// [`Error::TooManyThreads`] above [`MAX_THREADS`]; [`Error::Threads`] if the operating system
    /// gives no threads, or for more than one without the feature `rayon`.
    pub fn new(key: impl Into<Arc<EvaluationKeys>>, threads: usize) -> Result<Evaluator, Error> {
        if threads > MAX_THREADS {
            return Err(Error::TooManyThreads { threads, limit: MAX_THREADS });
        }
        let pool = Pool::new(threads)?;
        let key = key.into();
        let (params, owner) = (key.params().clone(), key.owner());
        let policy = Policy::for_threads(pool.threads());
        let backend = Bootstrapper::new(key, pool)?;
        let owner = Some(owner);
        let evaluator = Evaluator::with_backend(params, Some(Arc::new(backend)));
        Ok(Evaluator { owner, policy, ..evaluator })
    }

    fn with_backend(params: Params, keys: Option<Arc<dyn Bootstrap>>) -> Evaluator {
        Evaluator {
            params,
            owner: None,
            keys,
            packing: None,
            layers: Arc::default(),
            policy: Policy::default(),
            step: None,
            helpers: Arc::default(),
            cancel: None,
        }
    }

    /// Returns the parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Returns an evaluator with the same keys, threads and counts and another policy.
    ///
    /// If as many operations run in parallel as there are threads, [`Policy::for_threads`] of 1 is
    /// the best choice.
    pub fn with_policy(&self, policy: Policy) -> Evaluator {
        Evaluator { policy, ..self.clone() }
    }

    /// Returns an evaluator with the same keys, threads and counts whose operations end with
    /// [`Error::Cancelled`] once the token is cancelled. It is read before each layer of bootstraps
    /// and between the parts of a large one.
    pub fn with_cancel(&self, token: &CancelToken) -> Evaluator {
        Evaluator { cancel: Some(token.clone()), ..self.clone() }
    }

    /// Returns this evaluator with the key that [`Evaluator::compress`] needs. Evaluators that are
    /// given clones of one [`Arc`] share the key.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::KeyMismatch`] if it was made from another secret key;
    /// [`Error::Simulated`] if this evaluator has no keys.
    pub fn with_packing_keys(&self, key: impl Into<Arc<PackingKeys>>) -> Result<Evaluator, Error> {
        let key = key.into();
        key.params().same(&self.params)?;
        key.owner().same(self.owner.ok_or(Error::Simulated { operation: "packing" })?)?;
        Ok(Evaluator { packing: Some(key), ..self.clone() })
    }

    /// Returns the identifier of the secret key that the evaluation key was made from; `None` for a
    /// simulation.
    pub fn key_id(&self) -> Option<KeyId> {
        self.owner.map(Owner::key)
    }

    /// Returns the key and the parameters of the ciphertexts; `None` for a simulation.
    pub(super) fn owner(&self) -> Option<Owner> {
        self.owner
    }

    /// Returns the resource that operations minimise when several algorithms apply.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// Returns the numbers of operations that this evaluator and its clones have computed so far.
    pub fn counts(&self) -> Counts {
        let layers = self.layers();
        Counts {
            bootstraps: layers.iter().map(|(bootstraps, layers)| bootstraps * layers).sum(),
            layers: layers.values().sum(),
        }
    }

    /// Returns how many layers of each size this evaluator and its clones have computed so far: the
    /// number of layers by the number of their bootstraps.
    ///
    /// The time of a layer is that of a batch of its size, so that the sizes predict the time of a
    /// circuit from a few measured batches.
    pub fn layer_sizes(&self) -> BTreeMap<u64, u64> {
        self.layers().clone()
    }

    fn layers(&self) -> MutexGuard<'_, BTreeMap<u64, u64>> {
        // A panic cannot leave the counts half-written.
        self.layers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Evaluates all jobs and returns, for each of them, the outputs of its lookup table's
    /// functions.
    ///
    /// The jobs of one call are independent of each other; large batches make better use of threads
    /// and caches. A clear block is looked up without a bootstrap.
    ///
    /// # Errors
    /// [`TableError::OutsideDomain`] if a block may hold a value outside the table's domain;
    /// [`Error::NoiseExceeded`] if a block is too noisy; [`Error::ParamsMismatch`] or
    /// [`Error::KeyMismatch`] if it belongs to another parameter set or key; [`Error::Simulated`]
    /// if either the block or this evaluator is simulated and the other is not;
    /// [`Error::Cancelled`] if the evaluator's token was cancelled.
    pub fn bootstrap(&self, jobs: &[Job<'_>]) -> Result<Vec<Vec<Block>>, Error> {
        jobs.iter().try_for_each(|job| self.check(job))?;
        let encrypted = jobs.iter().filter(|job| !job.input.lwe().is_trivial());
        let encrypted: Vec<_> = encrypted
            .map(|job| Task { input: Input::Big(job.input.lwe()), table: Table::Clear(job.lut) })
            .collect();
        let bootstraps = jobs.iter().filter(|job| !job.input.is_clear()).count();
        let mut computed = self.run(&encrypted, bootstraps)?.into_iter();
        let outputs = jobs.iter().map(|job| {
            let input = job.input.lwe();
            let outputs = if input.is_trivial() {
                clear_outputs(job.lut, input.body())
            } else {
                computed.next().expect("every task has its outputs")
            };
            wrap(self, job, outputs)
        });
        Ok(outputs.collect())
    }

    /// Evaluates one function of one block.
    ///
    /// # Errors
    /// As [`Evaluator::bootstrap`].
    pub fn apply(&self, input: &Block, lut: &Lut) -> Result<Block, Error> {
        let mut outputs = self.bootstrap(&[Job { input, lut }])?;
        Ok(outputs.swap_remove(0).swap_remove(0))
    }

    /// Evaluates tables of one function on ciphertexts under the small key, whose messages are in
    /// the tables' domains. A ciphertext without a mask is looked up in the clear, since its value
    /// is public.
    pub(super) fn bootstrap_small(
        &self,
        jobs: &[(&[u64], &Lut)],
    ) -> Result<Vec<Vec<Block>>, Error> {
        let masked = |words: &[u64]| {
            words.split_last().is_some_and(|(_, mask)| mask.iter().any(|&word| word != 0))
        };
        let tasks = jobs.iter().filter(|(words, _)| masked(words));
        let task =
            |&(words, lut): &_| Task { input: Input::Small(words), table: Table::Clear(lut) };
        let tasks: Vec<_> = tasks.map(task).collect();
        let mut computed = self.run(&tasks, jobs.len())?.into_iter();
        let wrap = |&(words, lut): &(&[u64], &Lut)| {
            let expected = "every task has its outputs";
            let outputs = masked(words).then(|| computed.next().expect(expected));
            let (&body, mask) = words.split_last().expect("a ciphertext has a body");
            // Without a mask, equal words may be the encodings of different ciphertexts.
            let accumulator = outputs.as_ref().map(|_| {
                let argument = Argument { mask: source_name(&mask), body, space: lut.space() };
                Accumulator::of_table(&self.params, argument, lut)
            });
            let outputs = outputs.unwrap_or_else(|| clear_outputs(lut, body));
            let wrap = |(index, lwe): (usize, LweCiphertext)| {
                let (space, Output { range, noise_variance, .. }) =
                    (lut.output_space(), &lut.outputs()[index]);
                let noise = match &accumulator {
                    Some(accumulator) => noise_of_output(accumulator, lut, index),
                    None if self.has_keys() => return Block::clear(&lwe, space, *range),
                    None => Noise::new(*noise_variance),
                };
                Block::with_noise(lwe, space, *range, noise, 1).owned_by(self.owner)
            };
            outputs.into_iter().enumerate().map(wrap).collect()
        };
        Ok(jobs.iter().map(wrap).collect())
    }

    /// Counts bootstraps as a layer and returns the outputs of the tasks, which are those of the
    /// bootstraps with a mask; nothing for a simulation.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(super) fn run(&self, tasks: &[Task<'_>], bootstraps: usize) -> Result<Outputs, Error> {
        cancel::go_on(self.cancel.as_ref())?;
        let outputs = match &self.step {
            Some(step) if bootstraps > 0 => step.run(self, tasks, bootstraps),
            _ => self.run_now(tasks, bootstraps),
        };
        outputs.ok_or(Error::Cancelled)
    }

    /// Returns this evaluator as that of an operation in step with others.
    pub(super) fn with_step(&self, step: Step) -> Evaluator {
        Evaluator { step: Some(step), ..self.clone() }
    }

    /// Returns whether this is the evaluator of an operation in step with others.
    pub(super) fn is_in_step(&self) -> bool {
        self.step.is_some()
    }

    /// Returns the threads that operations in step may start.
    pub(super) fn helpers(&self) -> &Helpers {
        &self.helpers
    }

    /// Returns the GLWE ciphertexts of encrypted tables, which are empty for a simulation.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(super) fn test_polynomials(
        &self,
        rows: &[Vec<&LweCiphertext>],
    ) -> Result<Vec<Vec<u64>>, Error> {
        cancel::go_on(self.cancel.as_ref())?;
        Ok(match &self.keys {
            Some(keys) => keys.test_polynomials(rows),
            None => vec![Vec::new(); rows.len()],
        })
    }

    pub(super) fn packing_key(&self) -> Option<&PackingKeys> {
        self.packing.as_deref()
    }

    /// Returns whether there are keys, that is, whether this is not a simulation.
    pub(super) fn has_keys(&self) -> bool {
        self.keys.is_some()
    }

    /// Calls `work` for every item on the threads of the evaluator and returns the results in
    /// order.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(super) fn on_threads<I: ExactSizeIterator + Send, R: Send>(
        &self,
        items: I,
        work: impl Fn(I::Item) -> R + Sync,
    ) -> Result<Vec<R>, Error> {
        let work = |item| cancel::go_on(self.cancel.as_ref()).map(|()| work(item));
        let Some(keys) = &self.keys else { return items.map(work).collect() };
        let (threads, _running) = keys.threads();
        threads.map(items, work).into_iter().collect()
    }

    /// Checks that a block may be combined with blocks of this evaluator.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`], [`Error::Simulated`].
    #[inline]
    pub(crate) fn check_block(&self, block: &Block) -> Result<(), Error> {
        self.check_kind(block, self.params.space())
    }

    /// Checks that a block has this message space, and that it is clear, or under the key of this
    /// evaluator, or simulated like the evaluator.
    #[inline]
    fn check_kind(&self, block: &Block, space: Space) -> Result<(), Error> {
        // A block without an owner is clear or simulated. A simulation takes both, and keys take
        // clear ones alone, which stand for themselves.
        let fits = match (block.owner(), self.owner) {
            (Some(owner), Some(own)) => owner == own,
            (None, own) => own.is_none() || block.is_clear(),
            (Some(_), None) => false,
        };
        if fits && block.space() == space { Ok(()) } else { Err(self.refusal(block, space)) }
    }

    /// Returns the error that says why a block does not fit.
    #[cold]
    fn refusal(&self, block: &Block, space: Space) -> Error {
        let right = || self.params.name().to_owned();
        if block.space() != space {
            let left = format!("a block of {} bits", block.space().bits());
            return Error::ParamsMismatch { left, right: right() };
        }
        match (block.owner(), self.owner) {
            (Some(owner), _) if !owner.is_of(&self.params) => {
                let left = format!("a block of key {}", owner.key());
                Error::ParamsMismatch { left, right: right() }
            }
            (Some(owner), Some(own)) => Error::KeyMismatch { left: owner.key(), right: own.key() },
            _ => Error::Simulated { operation: "bootstrapping" },
        }
    }

    fn check(&self, job: &Job<'_>) -> Result<(), Error> {
        let (range, domain) = (job.input.span(), job.lut.domain_span());
        if !domain.contains(range) {
            let (Span { low, high }, (domain_low, domain_high)) = (range, domain.ends());
            return Err(TableError::OutsideDomain { low, high, domain_low, domain_high }.into());
        }
        self.check_noise(job.input)?;
        self.check_kind(job.input, job.lut.space())
    }

    /// Checks that the noise of a block is low enough for a bootstrap.
    ///
    /// # Errors
    /// [`Error::NoiseExceeded`].
    pub(super) fn check_noise(&self, input: &Block) -> Result<(), Error> {
        let (noise_variance, limit) =
            (input.noise_variance(), self.params.max_noise_variance_in(input.space()));
        if noise_variance > limit {
            let params = self.params.name().to_owned();
            return Err(Error::NoiseExceeded { noise_variance, limit, params });
        }
        Ok(())
    }

    /// Counts a layer of bootstraps.
    pub(super) fn count(&self, bootstraps: u64) {
        if bootstraps > 0 {
            *self.layers().entry(bootstraps).or_default() += 1;
        }
    }
}

/// Returns the outputs of a bootstrap on a clear argument.
fn clear_outputs(lut: &Lut, body: u64) -> Vec<LweCiphertext> {
    let position = lut.space().decode(body);
    let output_space = lut.output_space();
    let value = |index| output_space.encode_half(lut.lookup(position, index));
    (0..lut.functions()).map(|index| LweCiphertext::trivial(value(index))).collect()
}

/// Wraps the outputs of a job in blocks.
fn wrap(evaluator: &Evaluator, job: &Job<'_>, outputs: Vec<LweCiphertext>) -> Vec<Block> {
    let (clear, lut) = (job.input.is_clear(), job.lut);
    let depth = job.input.depth().saturating_add(1);
    let accumulator =
        (!clear).then(|| Accumulator::of_table(evaluator.params(), job.input.argument(), lut));
    let wrap = |(index, (lwe, output)): (usize, (LweCiphertext, &Output))| {
        let (space, range) = (lut.output_space(), output.range);
        // A constant function has a public result, whatever its argument is.
        let noise = match &accumulator {
            Some(accumulator) if !lut.is_constant(index) => {
                noise_of_output(accumulator, lut, index)
            }
            Some(_) | None => return Block::clear(&lwe, space, range),
        };
        Block::with_noise(lwe, space, range, noise, depth).owned_by(evaluator.owner)
    };
    outputs.into_iter().zip(lut.outputs()).enumerate().map(wrap).collect()
}

/// Returns the noise of an output that is not constant.
fn noise_of_output(accumulator: &Accumulator, lut: &Lut, index: usize) -> Noise {
    match lut.sharing() {
        Sharing::ManyLut => accumulator.coefficient(lut.place(index), 1),
        Sharing::MultiValue => accumulator.output(jumps(&lut.outputs()[index].entries)),
    }
}

impl RunNow for Evaluator {
    fn run_now(&self, tasks: &[Task<'_>], bootstraps: usize) -> Option<Outputs> {
        self.count(bootstraps as u64);
        match &self.keys {
            Some(keys) if !tasks.is_empty() => keys.bootstrap(tasks, self.cancel.as_ref()),
            // A simulation and clear inputs leave nothing to compute: the outputs follow in the
            // clear.
            _ => Some(Vec::new()),
        }
    }
}
