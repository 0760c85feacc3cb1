//! The evaluation of the exponential and of sums of its powers, for ciphertexts and for their noise
//! alike.
//!
//! The program computes `E = exp(2 pi i x)` from `x` by a Chebyshev sum and a few squarings, and
//! from `E` any number of sums `sum_k c_k E^k`. It is written once, over the trait [`Machine`]: the
//! evaluator of ciphertexts is one machine, and the model of their errors (`model.rs`) is another,
//! which computes one slot in the clear with the derivative of the result with respect to every
//! error. So the bound belongs to the operations that are really executed.
//!
//! Everything is one operation, a *combination*: a sum of products and of multiples of earlier
//! values, relinearised and divided once. A polynomial `p = q T_k + r` is evaluated by recursion on
//! `q` (Paterson and Stockmeyer, 1973), and `r` joins the sum of the same division: it is divided
//! again by the next smaller power of two, so that a node has up to one product for each bit of its
//! degree, but one relinearisation and one division for all of them. Several sums share the powers
//! and the structure of the recursion.
//!
//! Besides the powers of two, the Chebyshev basis has the element 3, and the power basis all
//! elements below the first power of two that is at least the square root of the number of
//! coefficients, from degree 16 on. A product more there saves several divisions, as parts up to
//! that degree are linear combinations.
//!
//! *Scales.* A product of the scales `s_1`, `s_2` at the level of the prime `p` has the scale `s_1
//! s_2 / p`. The sizes of the primes in the schedule follow these scales, so that each prime is as
//! wide as its level needs, and the scale of the result is exactly that of the users' top level.
//! The scale of a quotient is chosen for its place in the sum, as in `ckks/polynomial.rs`.
//!
//! *Cleaning* inserts one Newton step for `E^p = 1` between the exponential and the sums. It makes
//! an error of first order one of second order for `bits + 1` levels; docs/maths/bootstrap.md
//! proves the bound.

use super::exponential::Exponential;
use crate::numbers::cleaning_depth;
use fathom_ring::Complex64;
use fathom_rings::internals::{Basis, divided};
use std::collections::BTreeMap;

/// A value that knows its level and its scale.
pub(super) trait Held: Clone {
    /// Returns the level.
    fn level(&self) -> usize;
    /// Returns the scale.
    fn scale(&self) -> f64;
}

/// Sums that are divided by the last prime of their level.
#[derive(Debug)]
pub(super) struct Combination<'a, V> {
    /// The level of the sums; the results are one below.
    pub(super) level: usize,
    /// The scale of the results.
    pub(super) scale: f64,
    /// The values of which each sum has multiples, so that a machine reads them once for all.
    pub(super) terms: Vec<&'a V>,
    pub(super) sums: Vec<Sum<'a, V>>,
    pub(super) signs: Signs,
}

/// A sum of products, of multiples of the terms and of a constant.
#[derive(Debug)]
pub(super) struct Sum<'a, V> {
    pub(super) pairs: Vec<[&'a V; 2]>,
    /// The weight of each term.
    pub(super) weights: Vec<Complex64>,
    pub(super) constant: Complex64,
}

impl<'a, V> Combination<'a, V> {
    /// Returns the combination of one sum.
    fn of_one(level: usize, scale: f64, terms: Vec<&'a V>, sum: Sum<'a, V>) -> Self {
        Combination { level, scale, terms, sums: vec![sum], signs: Signs::Equal }
    }
}

/// The change of weights and constants from slot to slot.
///
/// Inside a bootstrapping, slots of odd number are conjugate to what they are outside. There the
/// imaginary part `w` is held as `-w`, and `f(w)` has to be held as `-f(w)`. For
/// `f = 2 Re sum_k c_k E^k` that is the sum with `-conj(c_k)` in place of `c_k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signs {
    /// The weights are the same in every slot.
    Equal,
    /// The real parts are positive in slots of even number and negative in those of odd number.
    Alternating,
    /// The weights are those given in the first half of every period of sparse slots, which holds
    /// real parts, and a multiple of them in the second half, which holds imaginary parts.
    Packed(Packing),
}

/// The factors of the second half of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    /// Zero: the imaginary parts are left out.
    Real,
    /// The imaginary unit in sums of even number, and its negative in those of odd number.
    Complex,
}

impl Signs {
    /// Returns the weight at a slot of the sum of this number, for sparse slots of this period.
    pub(super) fn at(self, sum: usize, slot: usize, period: usize, weight: Complex64) -> Complex64 {
        let alternating = if slot.is_multiple_of(2) { weight } else { -weight.conj() };
        match self {
            Signs::Equal => weight,
            Signs::Alternating => alternating,
            Signs::Packed(_) if slot % (2 * period) < period => weight,
            Signs::Packed(Packing::Real) => Complex64::ZERO,
            Signs::Packed(Packing::Complex) if sum.is_multiple_of(2) => Complex64::I * alternating,
            Signs::Packed(Packing::Complex) => -Complex64::I * alternating,
        }
    }
}

/// An interpreter of combinations.
pub(super) trait Machine {
    /// A value that the machine computes with.
    type Value: Held;
    /// The reason why the machine stops.
    type Error;

    /// Returns the prime by which a division at this level divides.
    fn prime(&self, level: usize) -> f64;

    /// Computes a combination: the result of every sum.
    ///
    /// # Errors
    /// Those of the machine.
    fn combine(
        &mut self,
        all: &Combination<'_, Self::Value>,
    ) -> Result<Vec<Self::Value>, Self::Error>;
}

/// Returns the number of elements that are computed besides the powers of two, so that parts of
/// polynomials up to that degree are one combination: a product more saves several divisions where
/// there are many such parts.
fn leaf(basis: Basis, degree: usize) -> usize {
    match basis {
        Basis::Chebyshev => 3,
        Basis::Powers if degree < FEWEST_BABIES => 1,
        // Baby steps up to the square root of the degree balance their number with that of the
        // giant steps.
        Basis::Powers => (degree + 1).isqrt().next_power_of_two() - 1,
    }
}

/// Degree from which powers besides those of two are worth a product.
const FEWEST_BABIES: usize = 16;

/// Evaluates the exponential at `y` and the sums of its powers: [`summed`] of [`squared`].
///
/// # Errors
/// Those of the machine.
pub(super) fn evaluate<M: Machine>(
    machine: &mut M,
    y: &M::Value,
    exponential: &Exponential,
    sums: &Sums<'_>,
) -> Result<Vec<M::Value>, M::Error> {
    let exponential = squared(machine, y, exponential)?;
    summed(machine, exponential, sums)
}

/// Evaluates the exponential at `y` and squares it: `E = exponential(y)^(2^squarings)`.
///
/// # Errors
/// Those of the machine.
pub(super) fn squared<M: Machine>(
    machine: &mut M,
    y: &M::Value,
    exponential: &Exponential,
) -> Result<M::Value, M::Error> {
    let (basis, signs) = (Basis::Chebyshev, Signs::Equal);
    let first = Polynomial { basis, x: y.clone(), depth: exponential.shape.depth(), signs };
    let natural = first.natural_scale(machine);
    let mut value = first.evaluate(machine, &[&exponential.coefficients], natural)?.remove(0);
    for _ in 0..exponential.shape.squarings {
        value = product(machine, &value, &value, Complex64::ZERO)?;
    }
    Ok(value)
}

/// Sums the powers of the exponential `E`, cleaned or as it is, with the coefficients of every
/// series: `sum_k series[k] E^k`, each at this scale and this number of levels below `E`. The
/// powers are computed once.
///
/// # Errors
/// Those of the machine.
pub(super) fn summed<M: Machine>(
    machine: &mut M,
    exponential: M::Value,
    sums: &Sums<'_>,
) -> Result<Vec<M::Value>, M::Error> {
    let x = match sums.cleaning {
        Some(bits) => cleaned(machine, &exponential, bits)?,
        None => exponential,
    };
    let depth = sums.depth - cleaning_depth(sums.cleaning);
    let last = Polynomial { basis: Basis::Powers, x, depth, signs: sums.signs };
    last.evaluate(machine, &sums.series, sums.scale)
}

/// Computes `((p + 1) E - E^(p + 1)) / p` for `p = 2^bits`, the Newton step of `E^p = 1`.
fn cleaned<M: Machine>(
    machine: &mut M,
    exponential: &M::Value,
    bits: u32,
) -> Result<M::Value, M::Error> {
    let order = f64::from(bits).exp2();
    let mut power = exponential.clone();
    for _ in 0..bits {
        power = product(machine, &power, &power, Complex64::ZERO)?;
    }
    let sum_of =
        |pairs, weight: f64| Sum { pairs, weights: vec![weight.into()], constant: Complex64::ZERO };
    let terms = || vec![exponential];
    // At the scale of the power, so that the result has that of a square.
    // The factor is applied to a value at the scale of the power, because a product of a weight, a
    // value and a power has three factors and a sum only products of two.
    let multiple = sum_of(Vec::new(), -1.0 / order);
    let multiple = Combination::of_one(exponential.level(), power.scale(), terms(), multiple);
    let multiple = machine.combine(&multiple)?.remove(0);
    let level = power.level();
    let scale = power.scale().powi(2) / machine.prime(level);
    let step = sum_of(vec![[&multiple, &power]], (order + 1.0) / order);
    Ok(machine.combine(&Combination::of_one(level, scale, terms(), step))?.remove(0))
}

/// Sums of powers of the exponential.
#[derive(Debug)]
pub(super) struct Sums<'a> {
    /// The coefficients of each, of a degree below `2^depth`.
    pub(super) series: Vec<&'a [Complex64]>,
    /// The levels that they take, and the cleaning before them.
    pub(super) depth: usize,
    /// Bits of the order of the roots of unity to which the exponential is brought first.
    pub(super) cleaning: Option<u32>,
    /// The scale of the results.
    pub(super) scale: f64,
    pub(super) signs: Signs,
}

impl<'a> Sums<'a> {
    /// Returns the sums for real and imaginary parts in the halves of a period: one of each series
    /// for real parts alone, or two.
    pub(super) fn packed(&self, packing: Packing) -> Sums<'a> {
        let count = match packing {
            Packing::Real => 1,
            Packing::Complex => 2,
        };
        let series = self.series.iter().flat_map(|series| std::iter::repeat_n(*series, count));
        Sums { series: series.collect(), signs: Signs::Packed(packing), ..*self }
    }
}

/// Multiplies two values at the lower of their levels and adds a number.
fn product<M: Machine>(
    machine: &mut M,
    left: &M::Value,
    right: &M::Value,
    constant: Complex64,
) -> Result<M::Value, M::Error> {
    let level = left.level().min(right.level());
    let scale = left.scale() * right.scale() / machine.prime(level);
    let sum = Sum { pairs: vec![[left, right]], weights: Vec::new(), constant };
    Ok(machine.combine(&Combination::of_one(level, scale, Vec::new(), sum))?.remove(0))
}

/// A polynomial in a value, of a degree below `2^depth`.
struct Polynomial<V> {
    basis: Basis,
    x: V,
    depth: usize,
    signs: Signs,
}

/// The basis elements that were computed, by their index.
type Elements<V> = BTreeMap<usize, V>;

impl<V: Held> Polynomial<V> {
    /// Returns the scale of a product of as many factors as the degree allows.
    fn natural_scale<M: Machine>(&self, machine: &M) -> f64 {
        let levels = (0..self.depth).map(|depth| self.x.level() - depth);
        levels.fold(self.x.scale(), |scale, level| scale * scale / machine.prime(level))
    }

    /// Evaluates polynomials with these coefficients, all at this scale.
    fn evaluate<M: Machine<Value = V>>(
        self,
        machine: &mut M,
        polynomials: &[&[Complex64]],
        scale: f64,
    ) -> Result<Vec<V>, M::Error> {
        let mut elements = BTreeMap::from([(1, self.x.clone())]);
        let longest = polynomials.iter().map(|p| p.len()).max().unwrap_or(1);
        self.prepare(machine, &mut elements, longest - 1)?;
        let level = self.x.level() - self.depth;
        let padded = polynomials.iter().map(|p| {
            let mut padded = p.to_vec();
            padded.resize(longest, Complex64::ZERO);
            padded
        });
        self.node(machine, &elements, padded.collect(), level, scale)
    }

    /// Computes the powers of two up to the degree, and the elements below the size of a leaf.
    fn prepare<M: Machine<Value = V>>(
        &self,
        machine: &mut M,
        elements: &mut Elements<V>,
        degree: usize,
    ) -> Result<(), M::Error> {
        let powers = (1..=degree.ilog2()).map(|bit| 1 << bit);
        let wanted = (2..=leaf(self.basis, degree).min(degree)).chain(powers);
        for index in wanted {
            if !elements.contains_key(&index) {
                let element = self.element(machine, elements, index)?;
                elements.insert(index, element);
            }
        }
        Ok(())
    }

    /// Computes the element of an index above 1 from two others, of which the larger one has half
    /// of the next power of two as its index.
    fn element<M: Machine<Value = V>>(
        &self,
        machine: &mut M,
        elements: &Elements<V>,
        index: usize,
    ) -> Result<V, M::Error> {
        let half = index.next_power_of_two() / 2;
        let (left, right) = (&elements[&half], &elements[&(index - half)]);
        if self.basis == Basis::Powers {
            return product(machine, left, right, Complex64::ZERO);
        }
        // T_(a+b) = 2 T_a T_b - T_(a-b).
        let level = left.level().min(right.level());
        let scale = left.scale() * right.scale() / machine.prime(level);
        let pairs = vec![[left, right]; 2];
        let minus = -Complex64::ONE;
        let (terms, sum) = match elements.get(&(2 * half - index)) {
            Some(other) => {
                (vec![other], Sum { pairs, weights: vec![minus], constant: Complex64::ZERO })
            }
            None => (Vec::new(), Sum { pairs, weights: Vec::new(), constant: minus }),
        };
        Ok(machine.combine(&Combination::of_one(level, scale, terms, sum))?.remove(0))
    }

    /// Evaluates polynomials of as many coefficients, at least two, at this level and scale.
    fn node<M: Machine<Value = V>>(
        &self,
        machine: &mut M,
        elements: &Elements<V>,
        mut rests: Vec<Vec<Complex64>>,
        level: usize,
        scale: f64,
    ) -> Result<Vec<V>, M::Error> {
        let above = level + 1;
        let wide = scale * machine.prime(above);
        let count = rests.len();
        let (mut quotients, mut terms, mut weights) = (Vec::new(), Vec::new(), vec![vec![]; count]);
        let mut add_term = |k: usize, each: Vec<Complex64>| {
            terms.push(&elements[&k]);
            weights.iter_mut().zip(each).for_each(|(list, weight)| list.push(weight));
        };
        // The remainder of a division is divided again by the next smaller power of two; all
        // products join one sum, which is relinearised and divided once.
        while let Some(k) = divisor(elements, &rests, above) {
            let length = degree(&rests) + 1;
            let divide = |p: &Vec<Complex64>| divided(self.basis, &p[..length], k);
            let (mut q, r): (Vec<_>, Vec<_>) = rests.iter().map(divide).unzip();
            rests = r;
            let length = degree(&q) + 1;
            for q in &mut q {
                q.truncate(length);
            }
            if length == 1 {
                add_term(k, q.into_iter().map(|q| q[0]).collect());
            } else {
                let scale = wide / elements[&k].scale();
                quotients.push((k, self.node(machine, elements, q, above, scale)?));
            }
        }
        for k in (1..=degree(&rests)).filter(|&k| occurs(&rests, k)) {
            add_term(k, rests.iter().map(|rest| rest[k]).collect());
        }
        let sum = |(i, weights): (usize, Vec<Complex64>)| Sum {
            pairs: quotients.iter().map(|(k, q)| [&q[i], &elements[k]]).collect(),
            weights,
            constant: rests[i].first().copied().unwrap_or_default(),
        };
        let sums = weights.into_iter().enumerate().map(sum).collect();
        machine.combine(&Combination { level: above, scale, terms, sums, signs: self.signs })
    }
}

/// Returns whether a polynomial has a term of this index.
fn occurs(polynomials: &[Vec<Complex64>], index: usize) -> bool {
    polynomials.iter().any(|p| p[index].norm() > 0.0)
}

/// Returns the largest degree of polynomials of as many coefficients.
fn degree(polynomials: &[Vec<Complex64>]) -> usize {
    let length = polynomials.first().map_or(0, Vec::len);
    (1..length).rev().find(|&index| occurs(polynomials, index)).unwrap_or(0)
}

/// Returns the element that divides polynomials next, unless what is left of them are combinations
/// of elements at this level and above.
fn divisor<V: Held>(
    elements: &Elements<V>,
    polynomials: &[Vec<Complex64>],
    level: usize,
) -> Option<usize> {
    let degree = degree(polynomials);
    let ready = |k: usize| elements.get(&k).is_some_and(|element| element.level() >= level);
    if (1..=degree).filter(|&k| occurs(polynomials, k)).all(ready) {
        return None;
    }
    Some(1 << degree.ilog2())
}
