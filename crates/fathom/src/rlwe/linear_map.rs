//! Matrix times encrypted vector.
//!
//! `M v = sum_d diagonal_d * rotate(v, d)`, with `d = g + b` split into a giant step `g` and a baby
//! step `b`, so that only about `2 sqrt(n)` rotations are needed (Halevi and Shoup, eprint 2014/873
//! and 2018/244). All sums are formed modulo `Q P`: the baby rotations share one decomposition and
//! are never divided by `P`; each giant step divides one polynomial, and the result is divided once
//! (Bossuat, Mouchet, Troncoso-Pastoriza, Hubaux, eprint 2020/1203).

use super::{
    Ciphertext, Context, Evaluator, Facts, Galois, Level, LimbCount, Noise, Norms, Packed, Params,
    Random, Relation, Rest, Rotations, Slotted, refuse_beyond_budget,
};
use crate::Error;
use fathom_ring::{Eval, Limbs, Poly, rotation_exponent};
use std::collections::BTreeMap;

const OPERATION: &str = "transform";

/// A matrix of any dimensions up to `N/2`, prepared to multiply encrypted vectors.
///
/// Layout: for the size `n`, a power of two that is at least both dimensions, a vector is filled up
/// with zeros to `n` values, which fill each row of `N/2` slots, repeated `N / (2n)` times; the
/// result has the same layout, and [`Packed`] is the type of both. The two rows may hold different
/// vectors.
///
/// Diagonals of zeros cost nothing, the others one polynomial of memory each, over all primes.
#[derive(Clone, Debug)]
pub struct LinearMap<S: Slotted> {
    params: Params<S>,
    shape: MapShape,
    /// The metadata of the diagonals.
    meta: S::Meta,
    /// What is known of the entries.
    facts: S::Facts,
    /// The level that the diagonals are for, if they are not for all.
    level: Option<Level>,
    gain: Option<Gain>,
    giants: Vec<Giant>,
}

/// The dimensions of a matrix, and those of its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MapShape {
    /// A power of two that is at least both dimensions.
    pub(crate) size: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

/// The diagonals that share a giant step.
#[derive(Clone, Debug)]
pub(crate) struct Giant {
    pub(crate) step: usize,
    pub(crate) diagonals: Vec<Diagonal>,
}

impl MapShape {
    /// Checks that the rows of a matrix have one length and fit a layout of this size, a power of
    /// two up to the `row_length` of the slots.
    pub(crate) fn of<V>(
        operation: &'static str,
        matrix: &[Vec<V>],
        size: usize,
        row_length: usize,
    ) -> Result<MapShape, Error> {
        let (rows, columns) = (matrix.len(), matrix.first().map_or(0, Vec::len));
        let uneven = matrix.iter().find(|row| row.len() != columns).map_or(columns, Vec::len);
        let fits = rows > 0 && columns > 0 && rows.max(columns) <= size && size <= row_length;
        if uneven != columns || !fits || !size.is_power_of_two() {
            return Err(Error::Shape {
                operation,
                wanted: format!("rows of one length, at most {row_length} rows and columns"),
                got: format!("{rows} rows, one of {uneven} columns, in a layout of {size}"),
            });
        }
        Ok(MapShape { size, rows, columns })
    }

    /// Returns the size of the smallest layout that a matrix fits.
    pub(crate) fn least_size<V>(matrix: &[Vec<V>]) -> usize {
        matrix.len().max(matrix.first().map_or(0, Vec::len)).next_power_of_two()
    }

    /// Prepares the diagonals that are not zero, where `entry` takes a row and a column below the
    /// size and `diagonal` a baby step and the values.
    pub(crate) fn giants<V: Copy + PartialEq>(
        self,
        zero: V,
        entry: impl Fn(usize, usize) -> V,
        diagonal: impl Fn(usize, &[V]) -> Result<Diagonal, Error>,
    ) -> Result<Vec<Giant>, Error> {
        let size = self.size;
        let inside = |row, column| row < self.rows && column < self.columns;
        let filled = |row, column| if inside(row, column) { entry(row, column) } else { zero };
        let baby_steps = baby_steps(size);
        let mut giants = Vec::new();
        for step in (0..size).step_by(baby_steps) {
            let mut diagonals = Vec::new();
            for baby_step in 0..baby_steps {
                // Entry i of the diagonal, read where the giant rotation will have taken it from.
                let value = |i: usize| {
                    let row = (i + size - step) % size;
                    filled(row, (row + step + baby_step) % size)
                };
                let values: Vec<V> = (0..size).map(value).collect();
                if values.iter().any(|v| *v != zero) {
                    diagonals.push(diagonal(baby_step, &values)?);
                }
            }
            if !diagonals.is_empty() {
                giants.push(Giant { step, diagonals });
            }
        }
        Ok(giants)
    }
}

/// What all diagonals of a matrix have in common.
pub(crate) struct MapMeta<S: Slotted> {
    pub(crate) meta: S::Meta,
    /// What is known of the entries.
    pub(crate) facts: S::Facts,
    /// The level that the diagonals are for, if they are not for all.
    pub(crate) level: Option<Level>,
    /// By how much the exact matrix enlarges values at roots, where these are values of slots.
    pub(crate) gain: Option<Gain>,
}

/// Bounds on a matrix as a map of vectors of slots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gain {
    /// The largest sum of the absolute values of a row.
    pub(crate) largest: f64,
    /// Bound on the operator norm for the Euclidean norm.
    pub(crate) euclidean: f64,
}

impl Gain {
    /// Returns the bounds for a matrix with entries of these absolute values, by rows. The operator
    /// norm is at most the root of the sum of all squares, and at most the geometric mean of the
    /// largest sums of a row and of a column (Schur).
    pub(crate) fn of(rows: impl Iterator<Item = Vec<f64>>) -> Gain {
        let (mut largest, mut squares) = (0.0_f64, 0.0);
        let mut columns: Vec<f64> = Vec::new();
        for row in rows {
            columns.resize(columns.len().max(row.len()), 0.0);
            largest = largest.max(row.iter().sum());
            squares += row.iter().map(|entry| entry * entry).sum::<f64>();
            columns.iter_mut().zip(&row).for_each(|(sum, entry)| *sum += entry);
        }
        let column = columns.into_iter().fold(0.0, f64::max);
        Gain { largest, euclidean: (largest * column).min(squares).sqrt() }
    }

    /// Returns the bounds for the matrix times a factor.
    pub(crate) fn times(self, factor: f64) -> Gain {
        // Covers the roundings of the sums.
        let factor = factor * (1.0 + 1e-9);
        Gain { largest: self.largest * factor, euclidean: self.euclidean * factor }
    }

    /// Returns the bounds for a matrix whose diagonals differ, by at most `error` in the sum of
    /// their largest values.
    fn with_error(self, error: f64) -> Gain {
        Gain { largest: self.largest + error, euclidean: self.euclidean + error }
    }

    fn of_rest(self, rest: Rest) -> Rest {
        let Rest { euclidean, root, .. } = rest;
        // A coefficient is at most the Euclidean norm.
        let euclidean = euclidean * self.euclidean;
        Rest { coefficient: euclidean, euclidean, root: root * self.largest }
    }

    fn of_random(self, random: Random) -> Random {
        Random::white(random.direction * self.euclidean)
    }
}

/// One diagonal of a matrix.
#[derive(Clone, Debug)]
pub(crate) struct Diagonal {
    baby_step: usize,
    /// Rotated back by the giant step, over all primes.
    values: Poly<Eval>,
    norms: Norms,
    /// For inexact values: the norms of the exact multiplicand, and those of the difference.
    inexact: Option<[Rest; 2]>,
}

/// A two-component ciphertext times `P`, modulo `Q P`.
type Extended = [Poly<Eval>; 2];

impl<S: Slotted> LinearMap<S> {
    /// Makes a map from prepared diagonals.
    pub(crate) fn from_diagonals(
        params: &Params<S>,
        shape: MapShape,
        MapMeta { meta, facts, level, gain }: MapMeta<S>,
        giants: Vec<Giant>,
    ) -> LinearMap<S> {
        LinearMap { params: params.clone(), shape, meta, facts, level, gain, giants }
    }

    /// Returns the size of the layout: a power of two that is at least both dimensions.
    pub fn size(&self) -> usize {
        self.shape.size
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

    /// Returns the rotations that [`Evaluator::transform`] needs keys for.
    pub fn rotations(&self) -> Rotations {
        let steps: Vec<i64> =
            self.baby_steps().chain(self.giants.iter().map(|g| g.step)).map(|s| s as i64).collect();
        let mut steps: Vec<i64> = steps.into_iter().filter(|&s| s != 0).collect();
        steps.sort_unstable();
        steps.dedup();
        Rotations::steps(&steps)
    }

    /// Refuses a layout of another size.
    pub(crate) fn check_size(&self, operation: &'static str, size: usize) -> Result<(), Error> {
        if size == self.size() {
            return Ok(());
        }
        let (wanted, got) = (format!("a layout of {} values", self.size()), format!("{size}"));
        Err(Error::Shape { operation, wanted, got })
    }

    /// Refuses a vector of another length than the map has columns.
    pub(crate) fn check_columns(&self, operation: &'static str, count: usize) -> Result<(), Error> {
        if count == self.columns() {
            return Ok(());
        }
        let (wanted, got) = (format!("{} values", self.columns()), format!("{count}"));
        Err(Error::Shape { operation, wanted, got })
    }

    fn baby_steps(&self) -> impl Iterator<Item = usize> + '_ {
        self.giants.iter().flat_map(|g| &g.diagonals).map(|d| d.baby_step)
    }
}

/// Returns the number of baby steps for a matrix of `size` rows: more than `sqrt(size)`, since a
/// baby step takes no transforms and a giant step takes those of a rotation.
fn baby_steps(size: usize) -> usize {
    size.min(2 << size.ilog2().div_ceil(2))
}

impl Diagonal {
    /// Prepares a diagonal, given by the signed coefficients of its encoding, which is rotated back
    /// by the giant step.
    pub(crate) fn new(context: &Context, baby_step: usize, coefficients: &[i64]) -> Diagonal {
        let lifted = context.lift(context.ring.all_limbs(), coefficients);
        let norms = Norms::of(coefficients, &context.roots);
        Diagonal { baby_step, values: lifted.into_eval(), norms, inexact: None }
    }

    /// Creates a diagonal of these values, over the limbs of one level and the special primes. They
    /// stand for the first of two polynomials, up to the second.
    pub(crate) fn inexact(
        baby_step: usize,
        values: Poly<Eval>,
        norms: Norms,
        inexact: [Rest; 2],
    ) -> Diagonal {
        Diagonal { baby_step, values, norms, inexact: Some(inexact) }
    }

    /// Returns the noise of a product with it.
    fn multiplied(&self, noise: Noise) -> Noise {
        match self.inexact {
            None => noise.times_polynomial(self.norms),
            Some([message, error]) => noise.times_inexact(self.norms, message, error),
        }
    }
}

impl<S: Slotted> Evaluator<S> {
    /// Multiplies a vector by the matrix: `decrypt(out) = M decrypt(a)`, in both rows, in the
    /// layout of [`LinearMap`]. The level stays in exact schemes and falls by one in CKKS.
    ///
    /// Transforms at `l` limbs with `d` digits and `K` special primes, for `G` giant steps that are
    /// not zero: `d(l + K)` once, `K + l + d(l + K)` for each giant step, `2(K + l)` at the end.
    /// Noise: times the sum of the norms of the diagonals, about `n t sqrt(N / 12)`.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`] before any work is done; [`Error::Shape`] for a vector of another
    /// length; [`Error::MissingGaloisKey`], [`Error::Components`], [`Error::ParamsMismatch`],
    /// [`Error::NoSlots`].
    pub fn transform(
        &self,
        map: &LinearMap<S>,
        a: &Packed<Ciphertext<S>>,
    ) -> Result<Packed<Ciphertext<S>>, Error> {
        S::check_slots(&self.params)?;
        self.params.same(&map.params)?;
        map.check_size(OPERATION, a.size())?;
        a.try_map(|a| {
            self.own(&[a])?;
            let (from, wanted) = (a.level(), map.level.unwrap_or(a.level()));
            if from < wanted {
                return Err(Error::NoSuchLevel { from, to: wanted });
            }
            let product = self.transform_packed(map, &*S::lowered(self, a, wanted)?)?;
            S::after_plain_product(self, product)
        })
    }

    fn transform_packed(
        &self,
        map: &LinearMap<S>,
        a: &Ciphertext<S>,
    ) -> Result<Ciphertext<S>, Error> {
        self.own(&[a])?;
        self.params.same(&map.params)?;
        a.pair(OPERATION)?;
        let noise = self.mapped_noise(map, a);
        let meta = S::multiplied(&self.params, a.meta, map.meta);
        refuse_beyond_budget(OPERATION, (&self.params, meta, a.level()), noise, &[a])?;
        let babies = self.baby_rotations(map, a)?;
        let limbs = a.limb_count().extended(self.params.context().special_count());
        let mut sum: Option<Extended> = None;
        for giant in &map.giants {
            let inner = [0, 1].map(|half| giant.inner_sum(&babies, half, limbs));
            let rotated = self.giant_rotation(giant.step, inner)?;
            sum = Some(match sum {
                Some(sum) => plus(sum, &rotated),
                None => rotated,
            });
        }
        let ring = &self.params.context().ring;
        // A matrix of zeros has no diagonals.
        let sum = sum.unwrap_or_else(|| [Poly::zero(ring, limbs), Poly::zero(ring, limbs)]);
        let parts = sum.map(|half| self.without_special(half)).into();
        let facts = map.facts.mapped(a.facts, S::magnitude(meta, noise.message));
        self.settled(Ciphertext { meta, facts, ..a.with(parts, noise) }, OPERATION, &[a])
    }

    /// Computes the baby rotations of `a`, by their steps, from one decomposition.
    fn baby_rotations(
        &self,
        map: &LinearMap<S>,
        a: &Ciphertext<S>,
    ) -> Result<BTreeMap<usize, Extended>, Error> {
        let [c0, c1] = a.pair(OPERATION)?;
        let (c0, mut digits) = (self.times_special(c0), None);
        let mut babies = BTreeMap::new();
        for step in map.baby_steps() {
            if babies.contains_key(&step) {
                continue;
            }
            let baby = if step == 0 {
                [c0.clone(), self.times_special(c1)]
            } else {
                let galois = self.step_key(step)?;
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
    fn giant_rotation(&self, step: usize, inner: Extended) -> Result<Extended, Error> {
        if step == 0 {
            return Ok(inner);
        }
        let galois = self.step_key(step)?;
        let [inner0, inner1] = inner;
        let [mut x0, x1] = galois.key.vector.product(&self.without_special(inner1));
        x0.add_assign(&inner0);
        Ok([x0, x1].map(|x| galois.automorphism.apply(&x)))
    }

    /// Returns the key of the next rotation, unless the token is cancelled.
    fn step_key(&self, step: usize) -> Result<&Galois, Error> {
        self.go_on()?;
        let exponent = rotation_exponent(self.params.degree(), step as i64);
        self.galois(exponent, &format!("rotation by {step}"))
    }

    /// Computes `P c` modulo `Q P`, which is zero modulo the special primes.
    fn times_special(&self, c: &Poly<Eval>) -> Poly<Eval> {
        let ring = &self.params.context().ring;
        let chain = c.limbs().chain_count();
        let mut out = Poly::zero(ring, Limbs::extended(chain, ring.special_len()));
        for row in 0..chain {
            out.row_mut(row).copy_from_slice(c.row(row));
        }
        out.mul_scalar_assign(&self.params.context().special_scalar);
        out
    }

    fn without_special(&self, x: Poly<Eval>) -> Poly<Eval> {
        let (from, context) = (x.limbs(), self.params.context());
        if from.special_count() == 0 {
            return x;
        }
        context.mod_down(from, LimbCount::of(from)).apply(x)
    }

    fn mapped_noise(&self, map: &LinearMap<S>, a: &Ciphertext<S>) -> Noise {
        let Some(gain) = map.gain else { return self.noise_by_diagonals(map, a) };
        let context = self.params.context();
        let key_switch = context.key_switch_error(a.limb_count());
        let mut sum = Noise::of_message(gain.of_rest(a.noise.message));
        let diagonals = || map.giants.iter().flat_map(|giant| &giant.diagonals);
        // The diagonals are rounded.
        let message = Noise::of_message(a.noise.message);
        for diagonal in diagonals() {
            sum.rest = sum.rest.plus(diagonal.multiplied(message).rest);
        }
        // Different rotations have different keys, whose errors are independent; all diagonals of
        // a baby step multiply the same error.
        let switched = Noise::default().plus_independent(key_switch);
        let mut babies: BTreeMap<usize, Noise> = BTreeMap::new();
        for diagonal in diagonals().filter(|diagonal| diagonal.baby_step != 0) {
            let noise = babies.entry(diagonal.baby_step).or_default();
            *noise = noise.plus(diagonal.multiplied(switched), Relation::Any);
        }
        let giants = map.giants.iter().filter(|giant| giant.step != 0);
        let giants = giants.map(|_| context.after_special_division(switched));
        for noise in babies.into_values().chain(giants) {
            sum = sum.plus_independent(noise.random);
        }
        let sum = context.after_special_division(sum).with_relative_error(S::META_ERROR);
        let held = gain.with_error(map.giants.iter().map(Giant::inexactness).sum());
        let operand = Noise {
            message: Rest::default(),
            random: held.of_random(a.noise.random),
            rest: held.of_rest(a.noise.rest),
        };
        sum.plus(operand, Relation::Any)
    }

    /// Bounds the noise by the sum of that of all diagonals.
    fn noise_by_diagonals(&self, map: &LinearMap<S>, a: &Ciphertext<S>) -> Noise {
        let context = self.params.context();
        let key_switch = context.key_switch_error(a.limb_count());
        let outer = map.giants.iter().fold(Noise::default(), |sum, giant| {
            let inner = giant.diagonals.iter().fold(Noise::default(), |sum, diagonal| {
                let switched = if diagonal.baby_step == 0 { Random::default() } else { key_switch };
                let rotated = a.noise.plus_independent(switched);
                sum.plus(diagonal.multiplied(rotated), Relation::Any)
            });
            let rotated = context.after_special_division(inner.plus_independent(key_switch));
            sum.plus(if giant.step == 0 { inner } else { rotated }, Relation::Any)
        });
        context.after_special_division(outer).with_relative_error(S::META_ERROR)
    }
}

impl Giant {
    /// Bounds the sum of the differences of all diagonals from the exact ones, at a root.
    fn inexactness(&self) -> f64 {
        self.diagonals.iter().filter_map(|d| d.inexact).map(|[_, error]| error.root).sum()
    }

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
