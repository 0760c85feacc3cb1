//! The three rings in which a bootstrapping computes besides that of its parameters.

use super::layers::{Direction, Factor, factors};
use super::series::Series;
use super::steps::Steps;
use crate::numbers::{CAPSULE_BITS, SERIES_DEPTH, SPARSE_WEIGHT};
use fathom_base::Error;
use fathom_base::error::BootstrapError;
use fathom_ring::{ErrorFactor, Gadget, Limbs, ModDown, primes_below};
use fathom_rings::ckks::{Ckks, Mode};
use fathom_rings::internals::{
    CkksParamsInternals, Context, ContextSpec, Extension, LimbCount, Order, ParamsInternals,
    Schedule,
};
use fathom_rings::rlwe::{Level, Params};
use fathom_security::SecretDistribution;
use std::sync::Arc;

/// The rings of a bootstrapping. Each has its own gadget, because each key is as small as its use
/// allows; the chains of all start with the same primes, so that polynomials move between them.
///
/// Levels of the raised ring that consist of two primes count as one; the number of such a level is
/// called its rung.
#[derive(Clone, Debug)]
pub(crate) struct Stages {
    pub(super) schedule: Schedule,
    /// The number of slots that the maps take: all of the ring, or the period of sparse slots.
    pub(super) slots: usize,
    /// The layers in each factor of the map from slots to coefficients and of that back.
    pub(super) out_layers: Vec<usize>,
    pub(super) in_layers: Vec<usize>,
    /// The largest absolute value of the real and the imaginary part of a slot.
    pub(super) magnitude: f64,
    /// The scale of messages at the last level of products.
    base_scale: f64,
    /// The users' chain and the primes above it.
    pub(super) raised: Arc<Context>,
    /// The primes of the last level and of the map from slots to coefficients, where it comes
    /// first; otherwise those under which results go back to another secret.
    pub(super) low: Arc<Context>,
    /// The last primes, with the sparse secret.
    pub(super) capsule: Arc<Context>,
    /// The division by the special primes of the keys of the first factor.
    pub(super) first_down: Arc<ModDown>,
    /// The number of primes of every rung of the raised ring.
    rungs: Vec<LimbCount>,
    /// The scales of the rungs from that of the results of the series on, up to that of the
    /// exponential.
    scales: Vec<f64>,
}

/// Returns the rings of the bootstrapping of parameters.
///
/// # Errors
/// [`BootstrapError::NoSet`] for parameters without one; those of making the rings.
pub(crate) fn stages<M: Mode>(params: &Params<Ckks<M>>) -> Result<Arc<Stages>, Error> {
    let name = || params.name().to_owned();
    let reserved = params.reserved();
    let reserved = reserved.ok_or_else(|| BootstrapError::NoSet { name: name() })?;
    let messages = Messages {
        magnitude: params.magnitude(),
        top_scale: params.level_scale(params.top_level()),
        base_scale: params.level_scale(params.last_level()),
    };
    let (users, Extension { schedule, upper }) = (&params.context().spec, &reserved.extension);
    let primes = Primes { upper, low_special: &users.special[..schedule.out_special] };
    let create = |spec, ephemeral| reserved.security.context(spec, ephemeral);
    reserved.made_once(|| Stages::new(schedule, primes, users, messages, create))
}

/// The assumptions on messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Messages {
    /// The largest absolute value of the real and the imaginary part of a slot.
    pub(crate) magnitude: f64,
    /// The scale of the results of the series.
    pub(crate) top_scale: f64,
    /// The scale at the last level of products.
    pub(crate) base_scale: f64,
}

/// The primes of the rings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Primes<'a> {
    /// The primes above the users' chain, from the lowest up.
    pub(crate) upper: &'a [u64],
    /// The special primes of the low ring.
    pub(crate) low_special: &'a [u64],
}

impl Stages {
    /// Makes the rings of parameters with this context. `create` makes a context and checks its
    /// security, or not.
    pub(crate) fn new(
        schedule: &Schedule,
        Primes { upper, low_special }: Primes<'_>,
        users: &ContextSpec,
        Messages { magnitude, top_scale, base_scale }: Messages,
        create: impl Fn(ContextSpec, Option<u32>) -> Result<Context, Error>,
    ) -> Result<Stages, Error> {
        let schedule = schedule.clone();
        let with = |chain: Vec<u64>, special: &[u64], limbs: usize| ContextSpec {
            chain,
            special: special.to_vec(),
            gadget: Gadget::Hybrid { limbs },
            published_log2: 0.0,
            ..users.clone()
        };
        let chain: Vec<u64> = users.chain.iter().chain(upper).copied().collect();
        let raised = create(with(chain.clone(), &users.special, schedule.digit_limbs), None)?;
        let low_chain = chain[..schedule.base_bits.len()].to_vec();
        let low = create(with(low_chain, low_special, schedule.out_special), None)?;
        let step = 2 * schedule.degree as u64;
        let capsule_chain = &chain[..schedule.last_limbs().get()];
        let count = schedule.capsule_special;
        let capsule_special = primes_below(CAPSULE_BITS, step, count, capsule_chain)?;
        let capsule = ContextSpec {
            secret: SecretDistribution::SparseTernary { weight: SPARSE_WEIGHT },
            ..with(capsule_chain.to_vec(), &capsule_special, 1)
        };
        let capsule = create(capsule, Some(SPARSE_WEIGHT))?;
        let ring = &raised.ring;
        let first = Limbs::extended(ring.chain_len(), schedule.first_special);
        let to = Limbs::chain(ring.chain_len());
        let first_down = ModDown::new(ring, first, to, ErrorFactor::One);
        let mut rungs: Vec<_> = (0..users.chain.len()).map(|i| Level::new(i).limbs()).collect();
        for primes in schedule.upper_bits() {
            let above = rungs[rungs.len() - 1].get() + primes.len();
            rungs.push(LimbCount::of(Limbs::chain(above)));
        }
        let mut stages = Stages {
            slots: schedule.degree / 2,
            out_layers: schedule.out_layers.to_vec(),
            in_layers: schedule.in_layers.to_vec(),
            schedule,
            magnitude,
            base_scale,
            raised: Arc::new(raised),
            low: Arc::new(low),
            capsule: Arc::new(capsule),
            first_down: Arc::new(first_down),
            rungs,
            scales: vec![top_scale],
        };
        for rung in stages.result_rung() + 1..=stages.exponential_rung() {
            // A product has this scale squared, divided by the primes of its rung.
            let scale = (stages.exponential_scale() * stages.divisor(rung)).sqrt();
            stages.scales.push(scale);
        }
        Ok(stages)
    }

    /// Returns the number of primes at a rung.
    pub(super) fn limbs(&self, rung: usize) -> LimbCount {
        self.rungs[rung]
    }

    /// Returns the product of the primes by which a division at a rung divides.
    pub(super) fn divisor(&self, rung: usize) -> f64 {
        let below = self.rungs[rung - 1].get();
        let primes = &self.raised.spec.chain[below..self.rungs[rung].get()];
        primes.iter().map(|&prime| prime as f64).product()
    }

    /// Returns the last modulus, to which ciphertexts are brought before their modulus is raised.
    pub(super) fn last(&self) -> f64 {
        self.capsule.spec.chain.iter().map(|&prime| prime as f64).product()
    }

    /// Returns the level of all primes of that modulus.
    pub(super) fn last_level(&self) -> Level {
        Level::new(self.capsule.ring.chain_len() - 1)
    }

    /// Returns the series that changes nothing.
    pub(super) fn identity(&self) -> Series {
        Series::identity(self.magnitude, self.schedule.harmonics)
    }

    /// Returns the users' top level, at which results are.
    pub(super) fn users_top(&self) -> Level {
        Level::new(self.schedule.base_bits.len() + self.schedule.depth - 1)
    }

    /// Returns the rung of the results of the identity.
    pub(super) fn result_rung(&self) -> usize {
        self.users_top().get() + self.schedule.late_layers().len()
    }

    /// Returns the rung at which the exponential starts.
    pub(super) fn exponential_rung(&self) -> usize {
        self.result_rung() + self.schedule.evaluated_depth()
    }

    /// Returns the level of all primes of that rung.
    pub(super) fn exponential_level(&self) -> Level {
        self.limbs(self.exponential_rung()).level()
    }

    /// Returns the scale of a rung of the evaluation; `None` below the results of the identity.
    pub(super) fn scale(&self, rung: usize) -> Option<f64> {
        self.scales.get(rung.checked_sub(self.result_rung())?).copied()
    }

    /// Returns the scale of the argument of the exponential, and of both maps' factors before it.
    pub(super) fn exponential_scale(&self) -> f64 {
        self.scales[self.scales.len() - 1]
    }

    /// Returns the levels that functions take together: all there are where the map back follows.
    pub(super) fn series_depth(&self, all: &[Series]) -> usize {
        match self.schedule.order {
            Order::SlotsFirst => all.iter().map(Series::depth).max().unwrap_or_default(),
            Order::CoefficientsFirst => self.schedule.series_bits.len(),
        }
    }

    /// Returns the level of results of a function that takes this many levels.
    pub(super) fn level_below(&self, depth: usize) -> Option<Level> {
        let level = (self.users_top().get() + SERIES_DEPTH).checked_sub(depth)?;
        (level >= self.out_level().get()).then(|| Level::new(level))
    }

    /// Returns the rung at which the map from coefficients to slots starts: that of all primes.
    pub(super) fn raised_top(&self) -> usize {
        self.rungs.len() - 1
    }

    /// Returns the factors of the map from slots to coefficients.
    pub(super) fn out_factors(&self) -> Vec<Factor> {
        factors(Direction::ToCoefficients, self.slots, &self.out_layers)
    }

    /// Returns the factors of the map from coefficients to slots that follow the first one.
    pub(super) fn in_factors(&self) -> Vec<Factor> {
        let mut all = factors(Direction::ToSlots, self.slots, &self.in_layers).split_off(1);
        if self.is_sparse() {
            let last = all.pop().expect("a map has several factors");
            all.push(last.packing());
        }
        all
    }

    /// Returns the scale of the diagonals of the factor at a rung of that map, which leaves its
    /// scale as it is: the first one divides by the factor of the projection before it.
    pub(super) fn in_plain_scale(&self, rung: usize) -> f64 {
        let before = if rung == self.raised_top() { self.copies() as f64 } else { 1.0 };
        self.divisor(rung) / before
    }

    /// Returns the level at which the map from slots to coefficients starts.
    pub(super) fn out_level(&self) -> Level {
        Level::new(self.schedule.base_bits.len() - 1)
    }

    /// Returns the scale of messages at a level of the map from slots to coefficients, of which 1
    /// becomes this many turns.
    pub(super) fn out_scale(&self, level: Level, turns: f64) -> f64 {
        let last = self.raised.spec.chain[0] as f64 * turns;
        if level == Level::ZERO { last } else { self.base_scale }
    }

    /// Returns the scale of the diagonals of the factor at a level of that map.
    pub(super) fn out_plain_scale(&self, level: Level, turns: f64) -> f64 {
        let prime = self.low.spec.chain[level.get()] as f64;
        prime * self.out_scale(level.next_or_last(), turns) / self.out_scale(level, turns)
    }

    /// Returns the rotations of each factor of the map from slots to coefficients, with its level,
    /// where it comes first.
    pub(super) fn out_steps(&self) -> Vec<(Steps, Level)> {
        let top = self.out_level().get();
        let factors = match self.schedule.order {
            Order::SlotsFirst => self.out_factors(),
            Order::CoefficientsFirst => Vec::new(),
        };
        let leveled = |(i, factor): (usize, &Factor)| (factor.steps(), Level::new(top - i));
        factors.iter().enumerate().map(leveled).collect()
    }

    /// Returns the rotations of each factor in the raised ring, with its rung: of the later factors
    /// of the map to slots, and of those of the map back where it follows.
    pub(super) fn raised_steps(&self) -> Vec<(Steps, usize)> {
        let from = |factors: Vec<Factor>, top: usize| -> Vec<_> {
            factors.iter().enumerate().map(|(i, factor)| (factor.steps(), top - i)).collect()
        };
        let mut all = from(self.in_factors(), self.raised_top());
        if self.schedule.order == Order::CoefficientsFirst {
            all.extend(from(self.out_factors(), self.result_rung()));
        }
        all
    }

    /// Returns the number of slots that the maps take.
    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    /// Returns how often the slots repeat.
    pub(super) fn copies(&self) -> usize {
        self.schedule.degree / 2 / self.slots
    }

    /// Returns whether the slots repeat.
    pub(super) fn is_sparse(&self) -> bool {
        self.copies() > 1
    }
}
