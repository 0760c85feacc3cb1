//! Matrix times encrypted vector.
//!
//! `M v = sum_d diagonal_d * rotate(v, d)`, with `d = g + b` split into a giant step `g` and a baby
//! step `b`, so that only about `2 sqrt(n)` rotations are needed (Halevi and Shoup, eprint 2014/873
//! and 2018/244). All sums are formed modulo `Q P`: the baby rotations share one decomposition and
//! are never divided by `P`; each giant step divides one polynomial, and the result is divided once
//! (Bossuat, Mouchet, Troncoso-Pastoriza, Hubaux, eprint 2020/1203).

use super::rotate::sum_of_rotations;
use super::{
    Bounds, Ciphertext, Evaluator, Facts, Gain, Galois, Giant, Level, LimbCount, MapShape, Noise,
    Packed, Params, Relation, Rotations, Slotted,
};
use crate::Error;
use fathom_ring::{Eval, Limbs, Poly, rotation_exponent};
use std::collections::BTreeMap;

const OPERATION: &str = "transform";

/// A matrix of any dimensions up to `N/2`, prepared to multiply encrypted vectors.
///
/// Layout: for the size `n`, the least power of two that is at least the number of columns, an
/// operand is filled up with zeros to `n` values, which fill each row of `N/2` slots, repeated
/// `N / (2n)` times. A result has the same layout for the number of rows, so that a map of as many
/// columns can follow. [`Packed`] is the type of both. The two rows may hold different vectors.
///
/// There are as many diagonals as the smaller one of both sizes. A matrix of fewer rows than
/// columns is folded: each diagonal holds parts of several rows, which rotations add up in the end.
/// Diagonals of zeros cost nothing, the others one polynomial of memory each, over the primes of
/// the level that the map is for and the special ones.
///
/// [`to_bytes`](crate::wire::WireObject::to_bytes) writes a prepared map, so that a server that
/// starts again reads its model instead of encoding it.
#[derive(Clone, Debug)]
pub struct LinearMap<S: Slotted> {
    pub(crate) params: Params<S>,
    pub(crate) shape: MapShape,
    /// The metadata of the diagonals.
    pub(crate) meta: S::Meta,
    /// The public facts about the entries.
    pub(crate) facts: S::Facts,
    /// The level that the diagonals are for, if they are not for all.
    pub(crate) level: Option<Level>,
    pub(crate) gain: Option<MapGain>,
    pub(crate) giants: Vec<Giant>,
}

/// The properties that all diagonals of a matrix have in common.
pub(crate) struct MapMeta<S: Slotted> {
    pub(crate) meta: S::Meta,
    /// The public facts about the entries.
    pub(crate) facts: S::Facts,
    /// The level that the diagonals are for, if they are not for all.
    pub(crate) level: Option<Level>,
    /// Bounds on the matrix, where slots are values at roots.
    pub(crate) gain: Option<MapGain>,
}

/// Bounds on a matrix and on the roundings of its diagonals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MapGain {
    /// The gains of the exact matrix at the scale of the diagonals.
    pub(crate) exact: Gain,
    /// The gains of the parts whose sum the matrix is.
    pub(crate) parts: Gain,
    /// The largest sum, over a row of a part, of the absolute errors of the entries.
    pub(crate) row_error: f64,
}

impl MapGain {
    /// Returns bounds on the rounded matrix.
    fn held<S: Slotted>(self, map: &LinearMap<S>) -> Gain {
        let parts = map.shape.parts() as f64;
        self.exact.with_error(parts * self.row_error, parts * map.inexactness())
    }
}

/// A two-component ciphertext times `P`, modulo `Q P`.
type Extended = [Poly<Eval>; 2];

impl<S: Slotted> LinearMap<S> {
    /// Makes a map from prepared diagonals.
    pub(crate) fn from_giants(
        params: &Params<S>,
        shape: MapShape,
        MapMeta { meta, facts, level, gain }: MapMeta<S>,
        giants: Vec<Giant>,
    ) -> LinearMap<S> {
        LinearMap { params: params.clone(), shape, meta, facts, level, gain, giants }
    }

    /// Returns the size of the layout of operands: a power of two that is at least the number of
    /// columns.
    pub fn size(&self) -> usize {
        self.shape.operand
    }

    /// Returns the size of the layout of results: a power of two that is at least the number of
    /// rows.
    pub fn result_size(&self) -> usize {
        self.shape.result
    }

    /// Returns the number of rows: of values in a result.
    pub fn rows(&self) -> usize {
        self.shape.rows
    }

    /// Returns the number of columns: of values in an operand.
    pub fn columns(&self) -> usize {
        self.shape.columns
    }

    /// Returns the parameters of the map.
    pub(crate) fn params(&self) -> &Params<S> {
        &self.params
    }

    /// Returns the level that the map is for, or none if it is for every level.
    pub fn level(&self) -> Option<Level> {
        self.level
    }

    /// Returns the rotations that [`Evaluator::transform`] needs keys for.
    pub fn rotations(&self) -> Rotations {
        let steps = self.baby_steps().chain(self.giants.iter().map(|g| g.step));
        let steps: Vec<i64> = steps.filter(|&s| s != 0).map(|s| s as i64).collect();
        // The parts of a result are added up by doublings.
        let doublings = Rotations::for_sum(self.shape.parts()).steps;
        let doublings = doublings.into_iter().map(|parts| parts * self.result_size() as i64);
        Rotations::steps(&steps).and(&Rotations::steps(&doublings.collect::<Vec<_>>()))
    }

    /// Refuses a vector of another length than the map has columns.
    pub(crate) fn check_columns(&self, operation: &'static str, count: usize) -> Result<(), Error> {
        if count == self.columns() {
            return Ok(());
        }
        let (wanted, got) = (format!("{} values", self.columns()), format!("{count}"));
        Err(Error::Shape { operation, wanted, got })
    }

    /// Bounds the sum of the differences of all diagonals from the exact ones, at a root.
    fn inexactness(&self) -> f64 {
        let diagonals = self.giants.iter().flat_map(|giant| &giant.diagonals);
        diagonals.filter_map(|d| d.inexact).map(|[_, error]| error.root).sum()
    }

    fn baby_steps(&self) -> impl Iterator<Item = usize> + '_ {
        self.giants.iter().flat_map(|g| &g.diagonals).map(|d| d.baby_step)
    }
}

/// Refuses a layout of another size.
pub(crate) fn check_size(operation: &'static str, wanted: usize, got: usize) -> Result<(), Error> {
    if wanted == got {
        return Ok(());
    }
    let (wanted, got) = (format!("a layout of {wanted} values"), format!("{got}"));
    Err(Error::Shape { operation, wanted, got })
}

impl<S: Slotted> Evaluator<S> {
    /// Multiplies a vector by the matrix: `decrypt(out) = M decrypt(a)`, in both rows, in the
    /// layout of [`LinearMap`]. The level stays in exact schemes and falls by one in CKKS.
    ///
    /// Transforms at `l` limbs with `d` digits and `K` special primes, for `G` giant steps that are
    /// not zero: `d(l + K)` once, `K + l + d(l + K)` for each giant step, `2(K + l)` at the end,
    /// and a rotation for each doubling from the size of the result to that of the operand.
    /// Noise: times the sum of the norms of the diagonals, about `n t sqrt(N / 12)`.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`] before any work is done; [`Error::Shape`] for a vector of another
    /// length; [`Error::MissingGaloisKey`], [`Error::KeyLevel`], [`Error::Components`],
    /// [`Error::ParamsMismatch`], [`Error::NoSlots`].
    pub fn transform(
        &self,
        map: &LinearMap<S>,
        a: &Packed<Ciphertext<S>>,
    ) -> Result<Packed<Ciphertext<S>>, Error> {
        S::check_slots(&self.params)?;
        self.params.same(&map.params)?;
        check_size(OPERATION, map.size(), a.size())?;
        let a = a.value();
        self.check_key(&[a])?;
        if map.size() < self.params.degree() / 2 {
            a.facts.check_packed(OPERATION, map.size())?;
        }
        let wanted = map.level.unwrap_or(a.level());
        let a = &*S::at_least(self, a, wanted)?;
        let from = a.level();
        if from < wanted {
            return Err(Error::NoSuchLevel { from, to: wanted });
        }
        let a = S::lowered(self, a, wanted)?;
        // The parts are added up before the division that restores the scale, so that its rounding
        // comes in once.
        let product = self.folded(map, &a, self.transform_packed(map, &a)?)?;
        Ok(Packed::assume(map.result_size(), S::after_plain_product(self, product)?))
    }

    /// Adds up the parts of a result.
    fn folded(
        &self,
        map: &LinearMap<S>,
        a: &Ciphertext<S>,
        parts: Ciphertext<S>,
    ) -> Result<Ciphertext<S>, Error> {
        let count = map.shape.parts();
        if count == 1 {
            return Ok(parts);
        }
        let noise = map.gain.map(|gain| self.folded_noise(map, gain, a));
        let sum = sum_of_rotations(&parts, count, |doubled, rotated, step| {
            self.add(doubled, &self.rotate(rotated, step * map.result_size() as i64)?)
        })?;
        let noise = noise.unwrap_or(sum.noise);
        let facts = map.facts.mapped(a.facts, S::magnitude(sum.meta, noise.message));
        Ciphertext { facts, noise, ..sum }.checked(OPERATION, &[a])
    }

    /// Bounds the noise of the sum of the parts of a result, where slots are values at roots: the
    /// operand comes in by whole rows of the matrix, the errors of the product with the parts and
    /// of the rotations by sums of slots.
    fn folded_noise(&self, map: &LinearMap<S>, gain: MapGain, a: &Ciphertext<S>) -> Noise {
        let limbs = a.limb_count();
        let own = self.mapped_noise(map, Noise::of_message(a.noise.message), limbs);
        let own = self.noise_of_rotations(own, limbs, map.shape.parts());
        let held = gain.held(map);
        let operand = Noise {
            message: Bounds::default(),
            random: held.of_random(a.noise.random),
            rest: held.of_rest(a.noise.rest),
            tails: a.noise.tails,
        };
        let message = gain.exact.of_rest(a.noise.message);
        Noise { message, ..own }.plus(operand, Relation::Any)
    }

    fn transform_packed(
        &self,
        map: &LinearMap<S>,
        a: &Ciphertext<S>,
    ) -> Result<Ciphertext<S>, Error> {
        self.check_key(&[a])?;
        self.params.same(&map.params)?;
        a.pair(OPERATION)?;
        let noise = self.mapped_noise(map, a.noise, a.limb_count());
        let meta = S::multiplied(&self.params, a.meta, map.meta);
        self.params.check_budget(OPERATION, meta, a.level(), noise, &[a])?;
        // The baby rotations stay modulo Q P, multiplied by P: they come in before any division,
        // and share one decomposition.
        let babies = self.baby_rotations(map, a)?;
        let limbs = a.limb_count().extended(self.params.context().special_count());
        let mut sum: Option<Extended> = None;
        for giant in &map.giants {
            // A whole sum of products is reduced once.
            let inner = [0, 1].map(|half| giant.inner_sum(&babies, half, limbs));
            let rotated = self.giant_rotation(giant.step, a.level(), inner)?;
            sum = Some(match sum {
                Some(sum) => plus(sum, &rotated),
                None => rotated,
            });
        }
        let ring = &self.params.context().ring;
        // A matrix of zeros has no diagonals.
        let sum = sum.unwrap_or_else(|| [Poly::zero(ring, limbs), Poly::zero(ring, limbs)]);
        // One division by P ends the sum of all giant steps, so that its rounding comes in once.
        let parts = sum.map(|half| self.without_special(half)).into();
        let facts = map.facts.mapped(a.facts, S::magnitude(meta, noise.message));
        self.check_noise_and_mask(
            Ciphertext { meta, facts, ..a.with(parts, noise) },
            OPERATION,
            &[a],
        )
    }

    /// Computes the baby rotations of `a`, by their steps, from one decomposition.
    fn baby_rotations(
        &self,
        map: &LinearMap<S>,
        a: &Ciphertext<S>,
    ) -> Result<BTreeMap<usize, Extended>, Error> {
        let [c0, c1] = a.pair(OPERATION)?;
        let context = self.params.context();
        // The digits do not depend on the rotation. They are computed with the first key that is
        // needed, because all keys decompose alike.
        let (c0, mut digits) = (context.times_special(c0), None);
        let mut babies = BTreeMap::new();
        for step in map.baby_steps() {
            if babies.contains_key(&step) {
                continue;
            }
            let baby = if step == 0 {
                [c0.clone(), context.times_special(c1)]
            } else {
                let galois = self.step_key(step, a.level())?;
                let digits = digits.get_or_insert_with(|| galois.key.vector.decompose(c1));
                let [mut x0, x1] = galois.key.vector.multiply(digits);
                x0.add_assign(&c0);
                [x0, x1].map(|x| galois.automorphism.apply(&x))
            };
            babies.insert(step, baby);
        }
        Ok(babies)
    }

    /// Rotates an inner sum; only its second component has to leave `Q P` for that.
    fn giant_rotation(
        &self,
        step: usize,
        level: Level,
        inner: Extended,
    ) -> Result<Extended, Error> {
        if step == 0 {
            return Ok(inner);
        }
        let galois = self.step_key(step, level)?;
        let [inner0, inner1] = inner;
        // Only the second component is decomposed into digits, for which it has to be modulo Q; the
        // first is added as it is, modulo Q P.
        let [mut x0, x1] = galois.key.vector.product(&self.without_special(inner1));
        x0.add_assign(&inner0);
        Ok([x0, x1].map(|x| galois.automorphism.apply(&x)))
    }

    /// Returns the key of the next rotation, of ciphertexts at `level`, unless the token is
    /// cancelled.
    fn step_key(&self, step: usize, level: Level) -> Result<&Galois, Error> {
        self.go_on()?;
        let exponent = rotation_exponent(self.params.degree(), step as i64);
        self.galois(exponent, level, format_args!("rotation by {step}"))
    }

    fn without_special(&self, x: Poly<Eval>) -> Poly<Eval> {
        let (from, context) = (x.limbs(), self.params.context());
        if from.special_count() == 0 {
            return x;
        }
        context.mod_down(from, LimbCount::of(from)).apply(x)
    }

    /// Bounds the noise of the product of the diagonals with an operand of this noise, before the
    /// parts of a result are added up.
    fn mapped_noise(&self, map: &LinearMap<S>, noise: Noise, limbs: LimbCount) -> Noise {
        let Some(MapGain { parts, row_error, .. }) = map.gain else {
            return self.noise_by_diagonals(map, noise, limbs);
        };
        let context = self.params.context();
        let key_switch = context.model.key_switch_error(limbs);
        let mut sum = Noise::of_message(parts.of_rest(noise.message));
        let diagonals = || map.giants.iter().flat_map(|giant| &giant.diagonals);
        // The diagonals are rounded.
        let message = Noise::of_message(noise.message);
        for diagonal in diagonals() {
            sum.rest = sum.rest.plus(diagonal.multiplied(message).rest);
        }
        // Slots are values at roots: the error of one slot is at most that of its row.
        sum.rest.root = sum.rest.root.min(row_error * noise.message.root);
        let held = parts.with_error(row_error, map.inexactness());
        // Different rotations have different keys, whose errors are independent; all diagonals of
        // a baby step multiply the same error.
        let mut babies: BTreeMap<usize, Noise> = BTreeMap::new();
        for diagonal in diagonals().filter(|diagonal| diagonal.baby_step != 0) {
            let noise = babies.entry(diagonal.baby_step).or_default();
            *noise = noise.plus(diagonal.multiplied(key_switch), Relation::Any);
        }
        let mut babies = babies.into_values().fold(Noise::default(), Noise::plus_independent);
        // A slot of the result combines errors of different slots and baby steps by its row.
        let Noise { random, rest, .. } = key_switch;
        babies.random.root = babies.random.root.min(held.row * random.direction);
        babies.rest.root = babies.rest.root.min(held.largest * rest.root);
        sum = sum.plus_independent(babies);
        let giants = map.giants.iter().filter(|giant| giant.step != 0).count();
        let giant = context.model.after_special_division(key_switch);
        sum = sum.plus_independent(giant.of_independent(giants));
        let sum = context.model.after_special_division(sum).with_relative_error(S::META_ERROR);
        let operand = Noise {
            message: Bounds::default(),
            random: held.of_random(noise.random),
            rest: held.of_rest(noise.rest),
            tails: noise.tails,
        };
        sum.plus(operand, Relation::Any)
    }

    /// Bounds the noise by the sum of that of all diagonals.
    fn noise_by_diagonals(&self, map: &LinearMap<S>, noise: Noise, limbs: LimbCount) -> Noise {
        let context = self.params.context();
        let key_switch = context.model.key_switch_error(limbs);
        let outer = map.giants.iter().fold(Noise::default(), |sum, giant| {
            let inner = giant.diagonals.iter().fold(Noise::default(), |sum, diagonal| {
                let switched = if diagonal.baby_step == 0 { Noise::default() } else { key_switch };
                let rotated = noise.plus_independent(switched);
                sum.plus(diagonal.multiplied(rotated), Relation::Any)
            });
            let rotated = context.model.after_special_division(inner.plus_independent(key_switch));
            sum.plus(if giant.step == 0 { inner } else { rotated }, Relation::Any)
        });
        context.model.after_special_division(outer).with_relative_error(S::META_ERROR)
    }
}

impl Giant {
    /// Computes one component of the sum of the diagonals times the baby rotations.
    fn inner_sum(
        &self,
        babies: &BTreeMap<usize, Extended>,
        half: usize,
        limbs: Limbs,
    ) -> Poly<Eval> {
        let diagonals: Vec<_> = self.diagonals.iter().map(|d| &d.values).collect();
        let rotations: Vec<_> =
            self.diagonals.iter().map(|d| &babies[&d.baby_step][half]).collect();
        Poly::dot(&diagonals, &rotations, limbs)
    }
}

fn plus(mut sum: Extended, other: &Extended) -> Extended {
    for (half, addend) in sum.iter_mut().zip(other) {
        half.add_assign(addend);
    }
    sum
}
