//! The bootstrapping itself.

use super::super::{Ckks, Mode, SlotFacts};
use super::arithmetic::{Arithmetic, Encrypted, imaginary_unit};
use super::error::BootstrapError;
use super::first_factor::{FirstFactor, raised};
use super::functions::{EXCESS, exponential};
use super::keys::{BootstrappingKeys, Parts};
use super::model::series;
use super::program::evaluate;
use super::slot_map::{Pair, SlotMap};
use super::stages::Stages;
use super::threads::Threads;
use crate::rlwe::{
    Bounds, Ciphertext, Evaluator, Level, LimbCount, Noise, Params, Relation, same_key,
};
use crate::{CancelToken, Error, KeyId};
use fathom_ring::{Complex64, Eval, Limbs, Poly, row_swap_exponent};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Refreshes ciphertexts: out of one at any level, it makes one at the top level that holds the
/// same slots. It holds public keys alone, and may be shared between threads. Cheap to clone.
///
/// ```no_run
/// use fathom::SecretRng;
/// use fathom::ckks::{BootstrapSet, Bootstrapper, Params, SecretKey};
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
    stages: Arc<Stages>,
    tables: Arc<Tables>,
    cancel: Option<CancelToken>,
    threads: Threads,
    count: Arc<AtomicUsize>,
}

/// What is prepared once.
#[derive(Debug)]
struct Tables {
    out: Vec<SlotMap>,
    first: FirstFactor,
    back: Vec<SlotMap>,
    exponential: Vec<Complex64>,
    series: Vec<Complex64>,
    imaginary: Poly<Eval>,
    /// What a bootstrapping adds to the error.
    added: Noise,
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
        let stages = Arc::clone(&keys.stages);
        let tables = Arc::new(Tables::new(&stages));
        let (threads, count) = (Threads::default(), Arc::default());
        Bootstrapper { keys, stages, tables, cancel: None, threads, count }
    }

    /// Returns the same bootstrapper, whose operations end with [`Error::Cancelled`] once the token
    /// is cancelled. It is read before every map and every product.
    #[must_use]
    pub fn with_cancel(&self, token: &CancelToken) -> Bootstrapper<M> {
        Bootstrapper { cancel: Some(token.clone()), ..self.clone() }
    }

    /// Returns the same bootstrapper, which works on this number of threads: the real and the
    /// imaginary parts, the rotations of a map and both components of a ciphertext are independent.
    /// Results are the same. With 0 or 1, as at first, the calling thread works alone.
    ///
    /// # Errors
    /// [`Error::TooManyThreads`] above [`MAX_THREADS`](crate::MAX_THREADS); [`Error::Threads`] if
    /// they cannot be started.
    pub fn with_threads(&self, threads: usize) -> Result<Bootstrapper<M>, Error> {
        Ok(Bootstrapper { threads: Threads::new(threads)?, ..self.clone() })
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

    /// Returns the bound on the error that a bootstrapping adds to a slot, but with the failure
    /// probability of the parameters.
    pub fn added_error(&self) -> f64 {
        let stages = &self.stages;
        stages.raised.model.norms(self.tables.added).root / stages.users_scale()
    }

    /// Refreshes a ciphertext: the result is at the top level of the parameters and holds the same
    /// slots, with the error of the operand and [`Bootstrapper::added_error`].
    ///
    /// The operand is brought to the last level first, so that any level may be given. Its slots
    /// must be known to have absolute values of at most the magnitude of the parameters.
    ///
    /// Source: Cheon, Han, Kim, Kim, Song, eprint 2018/153; the order of the steps, with the map to
    /// coefficients first, and the other sources are in docs/maths/bootstrap.md.
    ///
    /// # Errors
    /// [`BootstrapError::Magnitude`] and [`BootstrapError::Error`] for slots or errors out of
    /// range; [`Error::ParamsMismatch`], [`Error::KeyMismatch`], [`Error::Components`],
    /// [`Error::NoSuchLevel`] for an operand below the last level of products,
    /// [`Error::Cancelled`].
    pub fn bootstrap(&self, a: &Ciphertext<Ckks<M>>) -> Result<Ciphertext<Ckks<M>>, Error> {
        let params = self.params();
        params.same(a.params())?;
        same_key(self.keys.key, a.key_id())?;
        a.pair("bootstrap")?;
        self.check_range(a)?;
        let a = self.at_last_level(a)?;
        let refreshed = self.refreshed(&a)?;
        self.count.fetch_add(1, Ordering::Relaxed);
        let ring = &params.context().ring;
        let parts = refreshed.map(|part| part.moved_to(ring)).into();
        let scale = self.stages.users_scale();
        let held = a.noise.times(scale / a.meta);
        let noise = held.plus(self.tables.added, Relation::Independent);
        let message = a.noise.message.times(scale / a.meta);
        let facts = SlotFacts { deviation: 0.0, ..a.facts };
        let noise = Noise { message: root_bound(message), ..noise }.with_relative_error(1e-13);
        let out = Ciphertext { meta: scale, facts, ..a.with(parts, noise) };
        out.checked("bootstrap", &[&a])
    }

    /// Refuses slots whose coefficients could exceed an eighth of the last prime.
    fn check_range(&self, a: &Ciphertext<Ckks<M>>) -> Result<(), Error> {
        let (limit, error) = (self.stages.magnitude, a.error_bound());
        let magnitude = a.magnitude_bound();
        // What is not a number is refused too.
        let fits = magnitude <= limit * (1.0 + 1e-6);
        if !fits {
            let factor = limit / magnitude;
            return Err(BootstrapError::Magnitude { magnitude, limit, factor }.into());
        }
        let allowed = limit * EXCESS / 2.0;
        let fits = error <= allowed;
        if !fits {
            let [error_bits, allowed_bits] = [error, allowed].map(f64::log2);
            return Err(BootstrapError::Error { error_bits, allowed_bits }.into());
        }
        Ok(())
    }

    /// Brings an operand to the level and the scale at which the map to coefficients starts.
    fn at_last_level(&self, a: &Ciphertext<Ckks<M>>) -> Result<Ciphertext<Ckks<M>>, Error> {
        let level = self.stages.out_level();
        if a.level() < level {
            return Err(Error::NoSuchLevel { from: a.level(), to: level });
        }
        let evaluator = Evaluator::without_keys(self.params());
        evaluator.mod_switch_to(a, level)
    }

    fn refreshed(&self, a: &Ciphertext<Ckks<M>>) -> Result<Pair, Error> {
        let (stages, tables, keys) = (&*self.stages, &*self.tables, &*self.keys.parts);
        let [c0, c1] = a.pair("bootstrap")?;
        let mut pair = [c0, c1].map(|part| part.moved_to(&stages.low.ring));
        for map in &tables.out {
            self.go_on()?;
            pair = map.apply(&stages.low, &keys.out, &self.threads, &pair);
        }
        self.go_on()?;
        let lifted = raised(stages, encapsulated(stages, keys, pair));
        let mut pair = tables.first.apply(stages, &keys.first, &self.threads, &lifted);
        for map in &tables.back {
            self.go_on()?;
            pair = map.apply(&stages.raised, &keys.raised, &self.threads, &pair);
        }
        let halves = self.split(&pair);
        let [real, imaginary] = self.threads.both(|half| self.evaluated(&halves[half]));
        Ok(self.merged([real?, imaginary?]))
    }

    fn go_on(&self) -> Result<(), Error> {
        crate::cancel::go_on(self.cancel.as_ref())
    }

    /// Returns twice the real part and twice the imaginary part of slots.
    fn split(&self, pair: &Pair) -> [Pair; 2] {
        let conjugate = self.conjugated(pair);
        let sum = |half: usize| {
            let (a, b) = (&pair[half], &conjugate[half]);
            [Poly::sum(a, b, a.limbs()), Poly::difference(b, a, a.limbs())]
        };
        let [[real0, mut imaginary0], [real1, mut imaginary1]] = [0, 1].map(sum);
        // (v - conj v) / i = i (conj v - v).
        for part in [&mut imaginary0, &mut imaginary1] {
            part.mul_assign(&self.tables.imaginary);
        }
        [[real0, real1], [imaginary0, imaginary1]]
    }

    /// Evaluates the exponential and the series on real slots.
    fn evaluated(&self, half: &Pair) -> Result<Pair, Error> {
        let (stages, tables) = (&*self.stages, &*self.tables);
        let mut arithmetic = Arithmetic {
            context: &stages.raised,
            relinearization: &self.keys.parts.relinearization,
            imaginary: &tables.imaginary,
            cancel: self.cancel.as_ref(),
        };
        let argument =
            Encrypted { parts: Arc::new(half.clone()), scale: stages.exponential_scale() };
        let coefficients = [tables.exponential.as_slice(), &tables.series];
        // A message of the largest magnitude is 1 in the series.
        let scale = stages.users_scale() * stages.magnitude;
        let out = evaluate(&mut arithmetic, &argument, coefficients, scale)?;
        Ok(Arc::unwrap_or_clone(out.parts))
    }

    /// Joins the halves: `v + i w + conj(v - i w)`, of which the slots are twice the real parts of
    /// `v` and `w`.
    fn merged(&self, [real, imaginary]: [Pair; 2]) -> Pair {
        let turned = imaginary.map(|mut part| {
            part.mul_assign(&self.tables.imaginary);
            part
        });
        let [minus, plus] = [Poly::difference, Poly::sum].map(
            |op: fn(&Poly<Eval>, &Poly<Eval>, Limbs) -> Poly<Eval>| {
                [0, 1].map(|half| op(&real[half], &turned[half], real[half].limbs()))
            },
        );
        let conjugate = self.conjugated(&minus);
        [0, 1].map(|half| Poly::sum(&plus[half], &conjugate[half], plus[half].limbs()))
    }

    /// Conjugates all slots.
    fn conjugated(&self, [c0, c1]: &Pair) -> Pair {
        let context = &self.stages.raised;
        let exponent = row_swap_exponent(context.degree());
        let galois = &self.keys.parts.raised[&exponent];
        let [x0, x1] = galois.key.vector.product(c1);
        let down = context.mod_down(x0.limbs(), LimbCount::of(c1.limbs()));
        [down.apply_with(x0, c0), down.apply(x1)].map(|part| galois.automorphism.apply(&part))
    }
}

/// Switches a ciphertext at the last prime to the sparse secret.
fn encapsulated(stages: &Stages, keys: &Parts, pair: Pair) -> Pair {
    let context = &stages.capsule;
    let [c0, c1] = pair.map(|part| part.moved_to(&context.ring));
    let [x0, x1] = keys.capsule.vector.product(&c1);
    let down = context.mod_down(x0.limbs(), Level::ZERO.limbs());
    [down.apply_with(x0, &c0), down.apply(x1)]
}

/// Bounds a message by its values at roots: all other norms are at most those.
fn root_bound(message: Bounds) -> Bounds {
    Bounds::of_root_values(message.root)
}

impl Tables {
    fn new(stages: &Stages) -> Tables {
        let (low, raised) = (&stages.low, &stages.raised);
        let out = stages.out_factors();
        let out = out.iter().enumerate().map(|(i, factor)| {
            let level = Level::new(stages.out_level().get() - i);
            SlotMap::prepare(low, factor, level, stages.out_plain_scale(level))
        });
        let back = stages.in_factors();
        let back = back.iter().enumerate().map(|(i, factor)| {
            let level = Level::new(stages.raised_top().get() - i);
            let scale = raised.spec.chain[level.get()] as f64;
            SlotMap::prepare(raised, factor, level, scale)
        });
        Tables {
            out: out.collect(),
            first: FirstFactor::prepare(stages),
            back: back.collect(),
            exponential: exponential(),
            series: series(),
            imaginary: imaginary_unit(raised),
            added: stages.added_noise(),
        }
    }
}
