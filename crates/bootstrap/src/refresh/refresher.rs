//! The refresh itself.

use super::convert::{interleaved, separated};
use super::keys::RefreshKeys;
use super::model::RefreshError;
use crate::engine::Engine;
use crate::program::{Signs, Sums};
use crate::series::Series;
use crate::slot_map::{Pair, SlotMap};
use crate::stages::Stages;
use fathom_base::error::BootstrapError;
use fathom_base::{CancelToken, Error, KeyId};
use fathom_ring::{Eval, Poly, Scalar};
use fathom_rings::internals::{
    CiphertextInternals, EvaluatorInternals, LimbCount, Lineage, ModularParamsInternals, Noise,
    ParamsInternals, same_key,
};
use fathom_rings::rlwe::modular::Modular;
use fathom_rings::rlwe::{Ciphertext, Evaluator, Level, Params};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Refreshes ciphertexts of BFV and BGV: each comes back with the same message and with little
/// noise, without a secret key. It holds public keys alone, and may be shared between threads.
/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Refresher<S: Modular> {
    pub(super) keys: RefreshKeys<S>,
    pub(super) engine: Engine,
    series: Arc<Series>,
    /// The map from slots back to coefficients.
    back: Arc<Vec<SlotMap>>,
    error: RefreshError,
    /// The level of results.
    level: Level,
    pub(super) count: Arc<AtomicUsize>,
}

/// The least noise budget, in bits, of a ciphertext that [`Refresher::refresh`] takes: with less,
/// the phase may be larger than an eighth of the modulus.
pub const LEAST_BUDGET: f64 = 2.0;
/// `log2` of the largest modulus from which ciphertexts are brought to the large ring.
const LARGEST_MODULUS: f64 = 125.0;

impl<S: Modular> From<RefreshKeys<S>> for Refresher<S> {
    fn from(keys: RefreshKeys<S>) -> Refresher<S> {
        Refresher::new(keys)
    }
}

impl<S: Modular> Refresher<S> {
    /// Prepares the maps between slots and coefficients for refreshes with these keys. Takes
    /// seconds and gigabytes.
    pub fn new(keys: RefreshKeys<S>) -> Refresher<S> {
        let (stages, params) = (&*keys.stages, &keys.params);
        let error = RefreshError::of_refresh(stages, params);
        let level = error.best_level(params);
        let t = params.plain_modulus() as f64;
        let factors = stages.out_factors();
        let map = |(i, factor)| {
            let rung = stages.result_rung() - i;
            let limbs = [rung, rung - 1].map(|rung| stages.limbs(rung));
            SlotMap::prepare(&stages.raised, factor, limbs, stages.late_plain_scale(rung, t))
        };
        let back = Arc::new(factors.iter().enumerate().map(map).collect());
        let series = Arc::new(stages.identity());
        let engine = Engine::new(&keys.stages, &keys.parts);
        Refresher { keys, engine, series, back, error, level, count: Arc::default() }
    }

    /// Returns the same refresher, whose operations end with [`Error::Cancelled`] once the token is
    /// cancelled. It is read before every map and every product.
    #[must_use]
    pub fn with_cancel(&self, token: &CancelToken) -> Refresher<S> {
        Refresher { engine: self.engine.with_cancel(token), ..self.clone() }
    }

    /// Returns the same refresher, which works on this number of threads. Results are the same.
    /// With 0 or 1, as at first, the calling thread works alone.
    ///
    /// # Errors
    /// [`Error::TooManyThreads`] above [`MAX_THREADS`](fathom_base::MAX_THREADS);
    /// [`Error::Threads`] if they cannot be started.
    pub fn with_threads(&self, threads: usize) -> Result<Refresher<S>, Error> {
        Ok(Refresher { engine: self.engine.with_threads(threads)?, ..self.clone() })
    }

    /// Returns the number of evaluations that it and its clones have computed; each refreshes up to
    /// [`Refresher::capacity`] ciphertexts.
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// Returns the identifier of the secret key that the keys were made from.
    pub fn key_id(&self) -> KeyId {
        self.keys.key_id()
    }

    /// Returns the parameters of the ciphertexts.
    pub fn params(&self) -> &Params<S> {
        &self.keys.params
    }

    /// Returns the number of ciphertexts that one evaluation refreshes: 2^16 divided by their
    /// degree.
    pub fn capacity(&self) -> usize {
        self.stages().raised.degree() / self.params().degree()
    }

    /// Returns the level of results: the one at which a product of two of them leaves the largest
    /// noise budget.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Returns the noise budget of results, in bits.
    pub fn noise_budget_bits(&self) -> f64 {
        self.params().budget_bits(self.noise(), self.level)
    }

    /// Refreshes one ciphertext, in the time that [`Refresher::capacity`] of them take together.
    ///
    /// # Errors
    /// As [`Refresher::refresh_all`].
    pub fn refresh(&self, a: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        Ok(self.refresh_all(std::slice::from_ref(a))?.remove(0))
    }

    /// Refreshes ciphertexts at any levels. Results have the messages of the operands, at
    /// [`Refresher::level`], with the noise of [`Refresher::noise_budget_bits`] whatever that of
    /// the operands was.
    ///
    /// Source: Kim, Seo, Song, eprint 2024/109; docs/maths/bootstrap.md.
    ///
    /// # Errors
    /// [`BootstrapError::Budget`] for an operand with a noise budget below 2 bits, before any work;
    /// [`Error::NoiseExhausted`] for a plaintext modulus so large that results have no budget;
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`], [`Error::Components`],
    /// [`Error::Simulated`], [`Error::Cancelled`].
    pub fn refresh_all(&self, all: &[Ciphertext<S>]) -> Result<Vec<Ciphertext<S>>, Error> {
        for a in all {
            self.check("refresh", a)?;
        }
        let operands = all.iter().map(|a| self.operand(a)).collect::<Result<Vec<_>, _>>()?;
        let batches = operands.chunks(self.capacity()).map(|batch| self.refreshed(batch));
        Ok(batches.collect::<Result<Vec<_>, _>>()?.concat())
    }

    pub(super) fn stages(&self) -> &Stages {
        &self.keys.stages
    }

    fn noise(&self) -> Noise {
        self.error.noise(self.params(), self.level)
    }

    /// Refuses ciphertexts of others.
    pub(super) fn check(&self, operation: &'static str, a: &Ciphertext<S>) -> Result<(), Error> {
        self.params().same(a.params())?;
        same_key(self.keys.key, a.key_id())?;
        a.pair(operation)?;
        if self.params().context().is_simulated() {
            return Err(Error::Simulated { operation });
        }
        Ok(())
    }

    /// Brings an operand to a level from which it can be taken to the large ring: at most this one.
    pub(super) fn lowered(&self, a: &Ciphertext<S>, highest: Level) -> Ciphertext<S> {
        let model = &self.params().context().model;
        let fits = |level: &Level| model.log2_modulus(level.limbs()) <= LARGEST_MODULUS;
        let largest = (0..=highest.get()).map(Level::new).rfind(fits);
        let level = largest.unwrap_or(Level::ZERO).min(a.level());
        Evaluator::without_keys(self.params()).switched(a, level)
    }

    /// Returns an operand of a refresh, and refuses one with too much noise.
    fn operand(&self, a: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        let remedy = "refresh the operands of the operation before it";
        let lowered = self.lowered(a, self.level);
        check_budget("a refresh", &lowered, LEAST_BUDGET, remedy)?;
        Ok(lowered)
    }

    fn refreshed(&self, operands: &[Ciphertext<S>]) -> Result<Vec<Ciphertext<S>>, Error> {
        let stages = self.stages();
        let parts: Vec<_> =
            operands.iter().map(|a| [&a.components()[0], &a.components()[1]]).collect();
        let joined = interleaved(&parts, &stages.capsule);
        let sums = [Signs::Equal, Signs::Alternating].map(|signs| Sums {
            series: vec![self.series.coefficients.as_slice()],
            depth: stages.series_depth(std::slice::from_ref(&self.series)),
            cleaning: None,
            scale: stages.result_scale(),
            signs,
        });
        let pair = self.engine.evaluated(&joined, true, &sums)?.remove(0);
        let [w0, w1] = self.in_coefficients(pair)?;
        self.count.fetch_add(1, Ordering::Relaxed);
        let users = self.params().context();
        let limbs = self.level.limbs().chain();
        let [w0, w1] = [w0, w1].map(|w| separated(&w, operands.len(), users, limbs));
        let lineage = lineage_of(operands);
        let each = operands.iter().zip(w0.into_iter().zip(w1));
        let result = |(a, (w0, w1)): (&Ciphertext<S>, _)| self.finished(a, [w0, w1], &lineage);
        each.map(result).collect()
    }

    /// Brings slots back to coefficients, under the secret of the interleaved ciphertexts.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(super) fn in_coefficients(&self, mut pair: Pair) -> Result<Pair, Error> {
        for map in self.back.iter() {
            self.engine.go_on()?;
            let keys = &self.engine.parts.raised;
            pair = map.apply(&self.stages().raised, keys, &self.engine.threads, &pair);
        }
        Ok(self.led_back(&pair))
    }

    /// Switches a result to the secret of the interleaved ciphertexts.
    fn led_back(&self, pair: &Pair) -> Pair {
        let context = &self.stages().low;
        let [c0, c1] = pair.each_ref().map(|part| part.moved_to(&context.ring));
        let [x0, x1] = self.keys.back.vector.product(&c1);
        let down = context.mod_down(x0.limbs(), LimbCount::of(c0.limbs()));
        [down.apply_with(x0, &c0), down.apply(x1)]
    }

    /// Returns `(Q'/q) a - t w`.
    fn finished(
        &self,
        a: &Ciphertext<S>,
        w: [Poly<Eval>; 2],
        lineage: &Lineage,
    ) -> Result<Ciphertext<S>, Error> {
        let params = self.params();
        let (ring, limbs) = (&params.context().ring, self.level.limbs());
        let present = a.level().limbs().get();
        let added = &params.chain()[present..limbs.get()];
        let ratio = Scalar::new(ring, |m| {
            added.iter().fold(1, |product, &prime| m.mul(product, m.reduce(prime)))
        });
        let t = params.plain().modulus();
        let minus_t = Scalar::new(ring, |m| m.neg(m.reduce(t.value())));
        let [c0, c1] = a.pair("refresh")?;
        let parts = [c0, c1].into_iter().zip(w).map(|(c, mut w)| {
            let mut wide = Poly::zero(ring, limbs.chain());
            for row in 0..present {
                wide.row_mut(row).copy_from_slice(c.row(row));
            }
            w.mul_scalar_assign(&minus_t);
            w.mul_scalar_add_assign(&wide, &ratio);
            w
        });
        let parts: Vec<_> = parts.collect();
        let meta = added.iter().fold(a.meta(), |factor, &prime| t.mul(factor, t.reduce(prime)));
        let noise = self.noise().resting_on(a.noise());
        let out = a.computed(parts, noise).with_meta(meta).with_lineage(lineage.clone());
        out.checked("refresh", &[a])
    }
}

/// Refuses a ciphertext with less noise budget than an operation takes.
pub(super) fn check_budget<S: Modular>(
    operation: &'static str,
    a: &Ciphertext<S>,
    needed_bits: f64,
    remedy: &'static str,
) -> Result<(), Error> {
    let budget_bits = a.noise_budget_bits();
    // What is not a number is refused too.
    let fits = budget_bits >= needed_bits;
    if fits {
        return Ok(());
    }
    Err(BootstrapError::Budget { operation, budget_bits, needed_bits, remedy }.into())
}

/// Returns what results of one evaluation come from: all of them share errors.
pub(super) fn lineage_of<S: Modular>(operands: &[Ciphertext<S>]) -> Lineage {
    operands.iter().fold(Lineage::none(), |all, a| all.union(a.lineage()))
}
