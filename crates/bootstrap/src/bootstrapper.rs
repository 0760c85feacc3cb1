//! The bootstrapping itself.

use super::effect::Effect;
use super::engine::Engine;
use super::keys::BootstrappingKeys;
use super::prepared::{Applied, Prepared};
use super::program::Signs;
use super::slot_function::SlotFunction;
use super::slot_map::Pair;
use fathom_base::error::BootstrapError;
use fathom_base::{CancelToken, Error, KeyId};
use fathom_rings::ckks::{Ckks, Mode, SlotFacts};
use fathom_rings::internals::{
    Bounds, CiphertextInternals, CkksParamsInternals, Noise, ParamsInternals, Relation,
    SlotFactsInternals, relabeled, same_key,
};
use fathom_rings::rlwe::{Ciphertext, Evaluator, Facts, Params};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Refreshes ciphertexts: out of one at any level, it makes one at the top level that holds the
/// same slots. It holds public keys alone, and may be shared between threads. Cheap to clone.
///
/// ```no_run
/// # use fathom_bootstrap as fathom;
/// use fathom::SecretRng;
/// use fathom::ckks::{BootstrapSecret, BootstrapSet, Bootstrapper, Params, SecretKey};
///
/// # fn main() -> Result<(), fathom::Error> {
/// let params = Params::bootstrappable(BootstrapSet::C)?;
/// let mut rng = SecretRng::from_os()?;
/// let secret = SecretKey::generate(&params, &mut rng);
/// let server = Bootstrapper::new(secret.bootstrapping_keys(&mut rng)?);
/// let x = secret.encrypt(&params.encode(&[0.5, -0.25])?, &mut rng)?;
/// let fresh = server.bootstrap(&x)?;
/// assert_eq!(fresh.level(), params.top_level());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Bootstrapper<M: Mode> {
    keys: BootstrappingKeys<M>,
    engine: Engine,
    /// The bootstrapping that changes nothing.
    identity: Prepared<M, 1>,
    count: Arc<AtomicUsize>,
}

impl<M: Mode> From<BootstrappingKeys<M>> for Bootstrapper<M> {
    fn from(keys: BootstrappingKeys<M>) -> Bootstrapper<M> {
        Bootstrapper::new(keys)
    }
}

impl<M: Mode> Bootstrapper<M> {
    /// Prepares the maps between slots and coefficients for bootstrappings with these keys. Takes
    /// seconds, and gigabytes at degree 2^16.
    pub fn new(keys: BootstrappingKeys<M>) -> Bootstrapper<M> {
        let engine = Engine::new(&keys.stages, &keys.parts);
        let identity = Prepared::identity(&keys.params, &keys.stages);
        Bootstrapper { keys, engine, identity, count: Arc::default() }
    }

    /// Returns the same bootstrapper, whose operations end with [`Error::Cancelled`] once the token
    /// is cancelled. It is read before every map and every product.
    #[must_use]
    pub fn with_cancel(&self, token: &CancelToken) -> Bootstrapper<M> {
        Bootstrapper { engine: self.engine.with_cancel(token), ..self.clone() }
    }

    /// Returns the same bootstrapper, which works on this number of threads: the real and the
    /// imaginary parts, the rotations of a map and both components of a ciphertext are independent.
    /// Results are the same. With 0 or 1, as at first, the calling thread works alone.
    ///
    /// # Errors
    /// [`Error::TooManyThreads`] above [`MAX_THREADS`](fathom_base::MAX_THREADS);
    /// [`Error::Threads`] if they cannot be started.
    pub fn with_threads(&self, threads: usize) -> Result<Bootstrapper<M>, Error> {
        Ok(Bootstrapper { engine: self.engine.with_threads(threads)?, ..self.clone() })
    }

    /// Returns the number of bootstrappings that it and its clones have computed.
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// Returns the identifier of the secret key that the keys were made from.
    pub fn key_id(&self) -> KeyId {
        self.keys.key_id()
    }

    /// Returns the parameters.
    pub fn params(&self) -> &Params<Ckks<M>> {
        &self.keys.params
    }

    /// Returns the number of slots after which messages repeat: all of them, unless the keys are
    /// those of [`sparse_bootstrapping_keys`](crate::BootstrapSecret::sparse_bootstrapping_keys).
    pub fn slots(&self) -> usize {
        self.keys.slots()
    }

    /// Returns the bound on the error that a bootstrapping adds to a slot, but with the failure
    /// probability of the parameters.
    pub fn added_error(&self) -> f64 {
        self.added().error
    }

    /// Returns what a bootstrapping that changes nothing does to errors.
    pub(super) fn added(&self) -> &Effect {
        &self.identity.functions[0].effect
    }

    /// Refreshes a ciphertext: the result is at the top level of the parameters and holds the same
    /// slots, with the error of the operand and [`Bootstrapper::added_error`].
    ///
    /// The operand is brought to the last level first, so that any level may be given. Its slots
    /// must be known to have absolute values of at most the magnitude of the parameters.
    ///
    /// With keys of
    /// [`sparse_bootstrapping_keys`](crate::BootstrapSecret::sparse_bootstrapping_keys), every slot
    /// of the result holds the mean of the slots whose numbers differ from its own by multiples of
    /// [`Bootstrapper::slots`]: what it held itself, if the message repeats. Bounds hold for all
    /// messages. Where slots had no value, none of the result are known to have one.
    ///
    /// Source: Cheon, Han, Kim, Kim, Song, eprint 2018/153; the order of the steps, with the map to
    /// coefficients first, and the other sources are in docs/maths/bootstrap.md.
    ///
    /// # Errors
    /// [`BootstrapError::Magnitude`] for slots that may be out of range with their error;
    /// [`BootstrapError::Scale`]; [`Error::ParamsMismatch`], [`Error::KeyMismatch`],
    /// [`Error::Components`], [`Error::NoSuchLevel`] for an operand below the last level of
    /// products, [`Error::Cancelled`].
    pub fn bootstrap(&self, a: &Ciphertext<Ckks<M>>) -> Result<Ciphertext<Ckks<M>>, Error> {
        let [applied] = self.applied("bootstrap", a, &self.identity)?;
        let scale = applied.scale();
        let noise = applied.operand.noise().times(scale / applied.operand.meta());
        let noise = noise.plus(applied.function.effect.added, Relation::Independent);
        let message = Noise { message: root_bound(noise.message), ..noise };
        let facts = applied.operand.facts().without_deviation();
        applied.finished("bootstrap", message.with_relative_error(1e-13), facts)
    }

    /// Prepares functions of one kind that are applied together, out of one bootstrapping: tables
    /// of as many bits, or smooth functions whose approximations have the same period. Takes a
    /// second, and hundreds of megabytes at degree 2^16.
    ///
    /// # Errors
    /// [`BootstrapError::Levels`] if a function takes more levels than the parameters have;
    /// [`BootstrapError::Domains`] for functions of different arguments;
    /// [`BootstrapError::Precision`] for a table whose values are too close to each other;
    /// [`Error::Spec`] for no function, values whose constants exceed 120 bits at the scale of the
    /// evaluation, as above 2^36, or 2^15 in `boot-b`, or a limit that is not positive.
    pub fn prepare<F: SlotFunction, const N: usize>(
        &self,
        functions: &[F; N],
    ) -> Result<Prepared<M, N>, Error> {
        Prepared::new(self.params(), &self.keys.stages, functions.each_ref().map(F::series))
    }

    /// Applies functions to every slot, each with an own result, for little more than the time of
    /// one bootstrapping; with keys of sparse slots, to the means of [`Bootstrapper::bootstrap`].
    /// A table of `b` bits takes `b` levels, and each level beyond 3 puts the results one level
    /// further below the top one, whatever the level of the operand.
    ///
    /// # Errors
    /// As [`Bootstrapper::bootstrap`], but for [`BootstrapError::Argument`] in place of
    /// [`BootstrapError::Magnitude`]; [`BootstrapError::Tolerance`] for operands whose error could
    /// change the value of a table; [`BootstrapError::Slots`] for functions that were prepared for
    /// another number of slots.
    pub fn apply<const N: usize>(
        &self,
        a: &Ciphertext<Ckks<M>>,
        functions: &Prepared<M, N>,
    ) -> Result<[Ciphertext<Ckks<M>>; N], Error> {
        let each = self.applied("apply", a, functions)?.into_iter();
        let each = each.map(Applied::of_function).collect::<Result<Vec<_>, _>>()?;
        Ok(each.try_into().expect("every function has a result"))
    }

    /// Applies functions; the results lack their noise.
    fn applied<'f, const N: usize>(
        &self,
        operation: &'static str,
        a: &Ciphertext<Ckks<M>>,
        functions: &'f Prepared<M, N>,
    ) -> Result<[Applied<'f, M>; N], Error> {
        let params = self.params();
        params.same(a.params())?;
        params.same(&functions.params)?;
        same_key(self.keys.key, a.key_id())?;
        a.pair(operation)?;
        if functions.slots != self.slots() {
            let (prepared, slots) = (functions.slots, self.slots());
            return Err(BootstrapError::Slots { prepared, slots }.into());
        }
        functions.check(a)?;
        let mut operand = self.at_last_level(a)?;
        functions.check(&operand)?;
        if self.keys.stages.is_sparse() {
            let facts = of_means(&operand);
            operand = operand.with_facts(facts);
        }
        let operand = Arc::new(operand);
        let refreshed = self.refreshed(&operand, functions)?;
        self.count.fetch_add(1, Ordering::Relaxed);
        let ring = &params.context().ring;
        let results = refreshed.into_iter().zip(functions.functions.iter());
        let applied = results.map(|(pair, function)| Applied {
            parts: pair.map(|part| part.moved_to(ring)),
            function,
            operand: Arc::clone(&operand),
        });
        let applied: Vec<_> = applied.collect();
        Ok(applied.try_into().expect("every function has a result"))
    }

    /// Brings an operand to the level and the scale at which the map to coefficients starts.
    fn at_last_level(&self, a: &Ciphertext<Ckks<M>>) -> Result<Ciphertext<Ckks<M>>, Error> {
        let level = self.keys.stages.out_level();
        if a.level() < level {
            return Err(Error::NoSuchLevel { from: a.level(), to: level });
        }
        // Lowering takes no keys: it drops residues and divides by one prime.
        let evaluator = Evaluator::without_keys(self.params());
        let lowered = evaluator.mod_switch_to(a, level)?;
        let (scale, wanted) = (lowered.meta(), self.params().level_scale(level));
        if (scale / wanted - 1.0).abs() > LARGEST_RELABELING {
            return Err(BootstrapError::Scale { scale, wanted }.into());
        }
        Ok(if scale.to_bits() == wanted.to_bits() { lowered } else { relabeled(lowered, wanted) })
    }

    fn refreshed<const N: usize>(
        &self,
        a: &Ciphertext<Ckks<M>>,
        functions: &Prepared<M, N>,
    ) -> Result<Vec<Pair>, Error> {
        let Engine { stages, parts, threads, .. } = &self.engine;
        let [c0, c1] = a.pair("bootstrap")?;
        let mut pair = [c0, c1].map(|part| part.moved_to(&stages.low.ring));
        for map in functions.out.iter() {
            self.engine.go_on()?;
            pair = map.apply(&stages.low, &parts.out, threads, &pair);
        }
        let sums = [Signs::Equal, Signs::Alternating].map(|signs| functions.sums(signs));
        self.engine.evaluated(&pair, a.facts().is_complex(), &sums)
    }
}

/// Largest relative difference of a scale from that of its level which is taken for an error.
const LARGEST_RELABELING: f64 = 1.0 / 4096.0;

/// Returns the facts of the means of slots at multiples of a period. Slots without a value are
/// unknown then, because they and others may have a mean.
fn of_means<M: Mode>(a: &Ciphertext<Ckks<M>>) -> SlotFacts {
    SlotFacts::default().mapped(a.facts(), a.magnitude_bound())
}

/// Bounds a message by its values at roots: all other norms are at most those.
fn root_bound(message: Bounds) -> Bounds {
    Bounds::of_root_values(message.root)
}
