//! The engine takes a ciphertext at the last modulus, raises it, and evaluates functions of its
//! coefficients.

use super::arithmetic::{Arithmetic, Encrypted, Units};
use super::exponential::Exponential;
use super::first_factor::{FirstFactor, raised};
use super::keys::Parts;
use super::program::{Packing, Sums, evaluate};
use super::slot_map::{Pair, SlotMap};
use super::stages::Stages;
use super::steps::twisted_exponent;
use super::threads::Threads;
use fathom_base::{CancelToken, Error};
use fathom_ring::{Eval, Limbs, Poly, row_swap_exponent};
use fathom_rings::internals::LimbCount;
use std::sync::Arc;

/// Raises the modulus, brings coefficients to slots and evaluates functions there. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Engine {
    pub(super) stages: Arc<Stages>,
    pub(super) parts: Arc<Parts>,
    tables: Arc<Tables>,
    cancel: Option<CancelToken>,
    pub(super) threads: Threads,
}

/// The parts that are prepared once.
#[derive(Debug)]
struct Tables {
    first: FirstFactor,
    back: Vec<SlotMap>,
    exponential: Exponential,
    units: Units,
}

impl Engine {
    pub(super) fn new(stages: &Arc<Stages>, parts: &Arc<Parts>) -> Engine {
        let (stages, parts) = (Arc::clone(stages), Arc::clone(parts));
        let tables = Arc::new(Tables::new(&stages));
        Engine { stages, parts, tables, cancel: None, threads: Threads::default() }
    }

    /// Returns the same engine, which ends with [`Error::Cancelled`] once the token is cancelled.
    pub(super) fn with_cancel(&self, token: &CancelToken) -> Engine {
        Engine { cancel: Some(token.clone()), ..self.clone() }
    }

    /// Returns the same engine, which works on this number of threads.
    ///
    /// # Errors
    /// [`Error::TooManyThreads`], [`Error::Threads`].
    pub(super) fn with_threads(&self, threads: usize) -> Result<Engine, Error> {
        Ok(Engine { threads: Threads::new(threads)?, ..self.clone() })
    }

    /// Evaluates the sums of powers on what the coefficients of a ciphertext at the last modulus
    /// hold, in units of that modulus: `sums` are those for the real and for the imaginary parts of
    /// the slots to which the coefficients go. Returns a ciphertext for every sum.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(super) fn evaluated(
        &self,
        a: &Pair,
        complex: bool,
        sums: &[Sums<'_>; 2],
    ) -> Result<Vec<Pair>, Error> {
        let (stages, tables, parts) = (&*self.stages, &*self.tables, &*self.parts);
        self.go_on()?;
        // Under the sparse secret the overflow of the modulus is at most 16. The key of the first
        // factor leads back to the users' secret.
        let lifted = raised(stages, encapsulated(stages, parts, a));
        let mut pair = tables.first.apply(stages, &parts.first, &self.threads, &lifted);
        // Coefficients that are not in the subring of sparse slots cancel in the sum; those that
        // are grow by its number of terms, which the next factor divides away.
        for exponent in stages.projection() {
            self.go_on()?;
            pair = sum(&pair, &self.rotated(&pair, exponent));
        }
        for map in &tables.back {
            self.go_on()?;
            pair = map.apply(&stages.raised, &parts.raised, &self.threads, &pair);
        }
        if stages.is_sparse() {
            let packing = if complex { Packing::Complex } else { Packing::Real };
            let values = self.powers(&self.twice_real(&pair), &sums[0].packed(packing))?;
            return Ok(self.unpacked(packing, &values));
        }
        if !complex {
            let real = self.powers(&self.twice_real(&pair), &sums[0])?;
            return Ok(real.iter().map(|real| self.twice_real(real)).collect());
        }
        // A slot of real and imaginary parts holds two coefficients; the exponential is a function
        // of one real number.
        let halves = self.split(&pair);
        let [real, imaginary] = self.threads.both(|half| self.powers(&halves[half], &sums[half]));
        let both = real?.into_iter().zip(imaginary?);
        Ok(both.map(|(real, imaginary)| self.merged([real, imaginary])).collect())
    }

    /// Refuses to go on once it is cancelled.
    pub(super) fn go_on(&self) -> Result<(), Error> {
        fathom_base::cancel::go_on(self.cancel.as_ref())
    }

    /// Returns twice the real part of slots.
    fn twice_real(&self, pair: &Pair) -> Pair {
        sum(pair, &self.conjugated(pair))
    }

    /// Returns the numbers whose real and imaginary parts are twice the real parts in the halves of
    /// a period: `u + conj(v)` and its rotation by half of the period, for results `u` and `v` in
    /// whose second halves the imaginary unit and its negative are a factor. With real parts alone,
    /// `u` is `v`.
    fn unpacked(&self, packing: Packing, values: &[Pair]) -> Vec<Pair> {
        let (degree, slots) = (self.stages.raised.degree(), self.stages.slots());
        let rotation = twisted_exponent(degree, slots as i64);
        let joined = |u: &Pair, v: &Pair| {
            let halves = sum(u, &self.conjugated(v));
            sum(&halves, &self.rotated(&halves, rotation))
        };
        match packing {
            Packing::Real => values.iter().map(|u| joined(u, u)).collect(),
            Packing::Complex => values.chunks(2).map(|both| joined(&both[0], &both[1])).collect(),
        }
    }

    /// Returns twice the real part and twice the imaginary part of slots.
    fn split(&self, pair: &Pair) -> [Pair; 2] {
        let conjugate = self.conjugated(pair);
        let both = |half: usize| {
            let (a, b) = (&pair[half], &conjugate[half]);
            [Poly::sum(a, b, a.limbs()), Poly::difference(b, a, a.limbs())]
        };
        let [[real0, mut imaginary0], [real1, mut imaginary1]] = [0, 1].map(both);
        // (v - conj v) / i = i (conj v - v).
        for part in [&mut imaginary0, &mut imaginary1] {
            part.mul_assign(&self.tables.units.imaginary);
        }
        [[real0, real1], [imaginary0, imaginary1]]
    }

    /// Evaluates the exponential and sums of its powers on real slots.
    fn powers(&self, half: &Pair, sums: &Sums<'_>) -> Result<Vec<Pair>, Error> {
        let (stages, tables) = (&*self.stages, &*self.tables);
        let mut arithmetic = Arithmetic {
            stages,
            relinearization: &self.parts.relinearization,
            units: &tables.units,
            cancel: self.cancel.as_ref(),
        };
        let argument = Encrypted {
            parts: Arc::new(half.clone()),
            rung: stages.exponential_rung(),
            scale: stages.exponential_scale(),
        };
        let out = evaluate(&mut arithmetic, &argument, &tables.exponential, sums)?;
        Ok(out.into_iter().map(|value| Arc::unwrap_or_clone(value.parts)).collect())
    }

    /// Joins the halves: `v + i w + conj(v - i w)`, of which the slots are twice the real parts of
    /// `v` and `w`.
    fn merged(&self, [real, imaginary]: [Pair; 2]) -> Pair {
        let turned = imaginary.map(|mut part| {
            part.mul_assign(&self.tables.units.imaginary);
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
    fn conjugated(&self, pair: &Pair) -> Pair {
        self.rotated(pair, row_swap_exponent(self.stages.raised.degree()))
    }

    /// Applies the automorphism of a Galois element.
    fn rotated(&self, [c0, c1]: &Pair, exponent: usize) -> Pair {
        let context = &self.stages.raised;
        let galois = &self.parts.raised[&exponent];
        let [x0, x1] = galois.key.vector.product(c1);
        let down = context.mod_down(x0.limbs(), LimbCount::of(c1.limbs()));
        [down.apply_with(x0, c0), down.apply(x1)].map(|part| galois.automorphism.apply(&part))
    }
}

/// Adds two ciphertexts.
fn sum(a: &Pair, b: &Pair) -> Pair {
    [0, 1].map(|half| Poly::sum(&a[half], &b[half], a[half].limbs()))
}

/// Switches a ciphertext at the last modulus to the sparse secret.
fn encapsulated(stages: &Stages, keys: &Parts, pair: &Pair) -> Pair {
    let context = &stages.capsule;
    let [c0, c1] = pair.each_ref().map(|part| part.moved_to(&context.ring));
    let [x0, x1] = keys.capsule.vector.product(&c1);
    let down = context.mod_down(x0.limbs(), stages.last_level().limbs());
    [down.apply_with(x0, &c0), down.apply(x1)]
}

impl Tables {
    fn new(stages: &Stages) -> Tables {
        let raised = &stages.raised;
        let back = stages.in_factors();
        let back = back.iter().enumerate().map(|(i, factor)| {
            let rung = stages.raised_top() - i;
            let limbs = [rung, rung - 1].map(|rung| stages.limbs(rung));
            SlotMap::prepare(raised, factor, limbs, stages.in_plain_scale(rung))
        });
        Tables {
            first: FirstFactor::prepare(stages),
            back: back.collect(),
            exponential: Exponential::new(stages.schedule.exponential),
            units: Units::new(raised),
        }
    }
}
