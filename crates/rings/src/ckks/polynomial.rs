//! Polynomials of an encrypted number, in the power basis or the Chebyshev basis.
//!
//! A polynomial `p` is divided by the basis element `B_k`, `x^k` or `T_k`, for the largest power of
//! two `k` up to its degree, and quotient and remainder are treated likewise:
//!
//! ```text
//! p = q B_k + r
//! ```
//!
//! (Paterson and Stockmeyer, 1973). Degree `d` takes `ceil(log2(d + 1))` levels, the least
//! possible, and about `2 sqrt(d)` products of ciphertexts: parts whose degree is below
//! `2^ceil(depth / 2)` and whose basis elements are all available one level above them are linear
//! combinations of these elements, rescaled once.
//!
//! *Scales.* A part that has to be at level `l` and scale `S` asks for `q` at level `l + 1` and
//! scale `S q_(l+1) / D`, where `D` is the scale of `B_k`. Scales are so decided from the result
//! backwards, and the terms of every sum have the same scale without a correction that would cost a
//! level or precision (Bossuat, Mouchet, Troncoso-Pastoriza and Hubaux, eprint 2020/1203).
//!
//! *Why two bases.* Coefficients in powers of `x` grow exponentially with the degree, and the
//! rounding errors with them. Chebyshev coefficients of an approximation decay, and `|T_i| <= 1` on
//! `-1..=1` replaces the bound that the recurrence `T_(k+j) = 2 T_j T_k - T_(k-j)` would give: 3,
//! 19, 723 for `T_2`, `T_4`, `T_8`.
//!
//! *Error.* The polynomial is evaluated on what the ciphertext holds, message *and* error, as if
//! that were exact; the basis elements are bounded at `1 + E` for an error `E`. So intermediate
//! products add only their own rounding and key switching. The effect of the operand's error is
//! added once, at the end: its first order is the slope of `p` times the error, and the rest
//! follows from Taylor's theorem (theorem 7 of docs/maths/ckks.md). Bounding the error product by
//! product, as other operations do, would multiply it by the sum of the absolute coefficients.

use super::align::relabeled;
use super::basis::{Basis, divided, value_at};
use super::facts::Padding;
use super::sensitivity::{Domain, Sensitivity, chebyshev_bound, largest_value};
use super::{Ckks, DomainError, Interval, Mode, SlotFacts};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator, Level, Mechanics};
use std::collections::BTreeMap;

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Evaluates a polynomial: `decrypt(out) = sum_i coefficients[i] * decrypt(x)^i`, in every
    /// slot; coefficients lowest first.
    ///
    /// For degree `d` the result is `ceil(log2(d + 1))` levels below `x`. Where values as large as
    /// the magnitude of `x` allows do not fit there, it has a smaller scale than that of the level:
    /// fewer bits behind the binary point.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`] if the levels do not suffice; [`DomainError::NotFinite`] for a
    /// coefficient that is not finite; [`Error::Components`], [`Error::ParamsMismatch`],
    /// [`Error::MissingRelinearizationKey`], [`Error::KeyLevel`].
    pub fn evaluate_polynomial(
        &self,
        x: &Ciphertext<Ckks<M>>,
        coefficients: &[f64],
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let most = x.tracked_magnitude();
        let domain = if x.facts.complex {
            Domain::Disc(most)
        } else {
            Domain::Reals(Interval::around_zero(most))
        };
        self.evaluate_in(Basis::Powers, x, coefficients, domain)
    }

    /// Evaluates a sum of Chebyshev polynomials `T_i`:
    /// `decrypt(out) = sum_i coefficients[i] * T_i(y)`, in every slot, for the number `y` in
    /// `-1..=1` to which `interval` maps `decrypt(x)`.
    ///
    /// The slots must be real numbers in the interval. That they are real and not larger than its
    /// ends is known of `x` or refused, and so is what slots hold that no value was given for. By
    /// passing an interval that is not symmetric, the caller promises that the values are in it;
    /// otherwise the result and its error bound are meaningless.
    ///
    /// For degree `d` the result is `ceil(log2(d + 1))` levels below `x`, and one more unless
    /// `2 / (high - low)` is an integer.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate_polynomial`]; [`Error::Spec`] for an empty interval;
    /// [`DomainError::Magnitude`], [`DomainError::Padding`] and [`DomainError::Complex`] for slots
    /// that may be outside of the interval.
    pub fn evaluate_chebyshev(
        &self,
        x: &Ciphertext<Ckks<M>>,
        coefficients: &[f64],
        interval: Interval,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        self.chebyshev_sum("evaluate_chebyshev", x, coefficients, interval)
    }

    /// Evaluates as [`Evaluator::evaluate_chebyshev`] does, for the operation of this name.
    pub(crate) fn chebyshev_sum(
        &self,
        operation: &'static str,
        x: &Ciphertext<Ckks<M>>,
        coefficients: &[f64],
        interval: Interval,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let y = self.to_unit_interval(&x.on_interval(operation, interval)?, interval)?;
        let most = y.tracked_magnitude().min(1.0);
        let domain = Domain::Reals(Interval::around_zero(most));
        self.evaluate_in(Basis::Chebyshev, &y, coefficients, domain)
    }

    /// Maps an interval, which the slots are in, to `-1..=1` by an affine function.
    fn to_unit_interval(
        &self,
        x: &Ciphertext<Ckks<M>>,
        interval: Interval,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let Interval { low, high } = interval;
        let factor = unit_factor(interval);
        let y = if (factor - 1.0).abs() <= 0.0 { x.clone() } else { self.mul_scalar(x, factor)? };
        let shift = -(low + high) / (high - low);
        let y = if shift.abs() <= 0.0 { y } else { self.add_scalar(&y, shift)? };
        // The factor and the shift are rounded.
        let rounding = 4.0 * f64::EPSILON * (factor * interval.magnitude() + shift.abs());
        Ok(y.with_error(rounding).bounded(1.0))
    }

    /// Evaluates a polynomial of messages in the domain.
    fn evaluate_in(
        &self,
        basis: Basis,
        x: &Ciphertext<Ckks<M>>,
        coefficients: &[f64],
        domain: Domain,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let p = trimmed(coefficients);
        let x = &*self.with_depth(x, depth_of(p))?;
        let result = self.evaluate_held(basis, x, coefficients)?;
        if p.len() < 2 {
            return Ok(result);
        }
        let effect = Sensitivity::of(basis, p, domain, x.slot_error());
        let result = result.with_error_of(x, effect).bounded(largest_value(basis, p, domain));
        let magnitude = result.tracked_magnitude();
        // The same slots take part in every term.
        let image = |pad: Padding| {
            let (value, slope) = (value_at(basis, p, pad.center), slope_at(basis, p, pad));
            pad.mapped(value, slope, magnitude)
        };
        let padding = x.facts.padding.map(image);
        let facts = SlotFacts { padding, deviation: 0.0, ..x.facts };
        Ciphertext { facts, ..result }.checked("evaluate_polynomial", &[x])
    }

    /// Evaluates a polynomial of what `x` holds, message and error. The error bound of the result
    /// counts only what the evaluation itself adds.
    pub(super) fn evaluate_held(
        &self,
        basis: Basis,
        x: &Ciphertext<Ckks<M>>,
        coefficients: &[f64],
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let operation = "evaluate_polynomial";
        self.check_key(&[x])?;
        x.pair(operation)?;
        if let Some(index) = coefficients.iter().position(|c| !c.is_finite()) {
            return Err(DomainError::NotFinite { operation, index }.into());
        }
        let p = trimmed(coefficients);
        if p.len() < 2 {
            let zero = self.mul_scalar(x, 0.0)?;
            return self.add_scalar(&zero, p.first().copied().unwrap_or(0.0));
        }
        let depth = depth_of(p);
        let last = self.params.last_level().get();
        let left = x.level().get().saturating_sub(last);
        let Some(level) = x.level().get().checked_sub(depth).filter(|level| *level >= last) else {
            let bits = self.params.spec().scale_bits;
            return Err(Error::NoiseExhausted {
                operation,
                level: x.level(),
                needed_bits: depth as f64 * bits,
                left_bits: left as f64 * bits,
                remedy: "take parameters of greater depth, for instance with Params::for_precision",
            });
        };
        let error = x.slot_error();
        let powers = BTreeMap::from([(1, x.taken_exactly())]);
        let largest_leaf = 1 << depth.div_ceil(2);
        let mut evaluation = Evaluation { evaluator: self, basis, powers, error, largest_leaf };
        let level = Level::new(level);
        let scale = self.params.level_scale(level);
        let result = evaluation.node(p, level, scale);
        let Err(refused @ Error::NoiseExhausted { .. }) = result else { return result };
        // Values that are too large for the modulus of the level fit at a smaller scale.
        let smaller = evaluation.largest_scale(p, level);
        if !(SMALLEST_SCALE..scale).contains(&smaller) {
            return Err(refused);
        }
        let result = evaluation.node(p, level, smaller);
        let precise = |c: &Ciphertext<_>| c.error_bound() < c.magnitude_bound();
        result.ok().filter(precise).ok_or(refused)
    }
}

/// Below this scale, what rounding adds to a value exceeds the value.
const SMALLEST_SCALE: f64 = 256.0;
/// Bits of the modulus beyond the sum of the terms: for signs and errors.
const ROOM_BITS: f64 = 2.0;

struct Evaluation<'a, M: Mode> {
    evaluator: &'a Evaluator<Ckks<M>>,
    basis: Basis,
    /// Elements of the basis, each at the highest level it can have.
    powers: BTreeMap<usize, Ciphertext<Ckks<M>>>,
    /// Bound on the error that the argument holds in every slot.
    error: f64,
    /// Parts of a degree below this may become one linear combination.
    largest_leaf: usize,
}

impl<M: Mode> Evaluation<'_, M> {
    /// Returns the highest level that basis element `i` can have.
    fn level_of(&self, i: usize) -> usize {
        self.powers[&1].level().get() - i.next_power_of_two().ilog2() as usize
    }

    /// Returns the largest scale at which the sum of the largest terms fits into the modulus of a
    /// level.
    fn largest_scale(&self, p: &[f64], level: Level) -> f64 {
        let most = self.powers[&1].tracked_magnitude();
        let element = |i: usize| match self.basis {
            Basis::Powers => most.powi(i as i32),
            Basis::Chebyshev => chebyshev_bound(i, self.error),
        };
        let sum: f64 = p.iter().enumerate().map(|(i, c)| c.abs() * element(i)).sum();
        let model = &self.evaluator.params.context().model;
        (model.log2_modulus(level.limbs()) - ROOM_BITS).exp2() / sum
    }

    /// Evaluates `p`, of degree at least 1, at this level and scale.
    fn node(&mut self, p: &[f64], level: Level, scale: f64) -> Result<Ciphertext<Ckks<M>>, Error> {
        let degree = p.len() - 1;
        let above = level.above();
        // A linear combination takes one level, so that its elements have to be there one level
        // above.
        let ready = self.level_of(degree) >= above.get();
        if degree == 1 || ready && degree < self.largest_leaf {
            return self.linear(p, level, scale);
        }
        let k = 1 << degree.ilog2();
        let (q, r) = divided(self.basis, p, k);
        let q = trimmed(&q);
        // A constant quotient: a product with a ciphertext would waste a key switch.
        if q.len() == 1 {
            let mut leading = vec![0.0; k + 1];
            leading[k] = q[0];
            let first = self.linear(&leading, level, scale)?;
            return self.plus_rest(first, &r, level, scale);
        }
        let giant = self.evaluator.drop_to(self.power(k)?, above)?;
        let divisor = self.prime_below(above);
        // The quotient is asked for at the scale that makes its product with the giant step,
        // divided by the prime, have the wanted scale.
        let q = self.node(q, above, scale * divisor / giant.meta)?;
        // The scale of the product is the wanted one up to roundings of doubles, which the new
        // label counts as an error.
        let product = self.evaluator.tensor(&q, &giant)?;
        let product = relabeled(product, scale * divisor);
        let product = self.evaluator.relinearize_and_switch(&product)?;
        if product.level() != level {
            return Err(exhausted(&product));
        }
        self.plus_rest(relabeled(product, scale), &r, level, scale)
    }

    /// Adds the lower part to a sum.
    fn plus_rest(
        &mut self,
        mut sum: Ciphertext<Ckks<M>>,
        r: &[f64],
        level: Level,
        scale: f64,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        match trimmed(r) {
            [] => Ok(sum),
            [constant] => {
                self.evaluator.add_constant(&mut sum, *constant, "evaluate_polynomial")?;
                Ok(sum)
            }
            r => {
                let rest = self.node(r, level, scale)?;
                self.evaluator.add(&sum, &rest)
            }
        }
    }

    /// Computes a linear combination of basis elements, which takes one level.
    fn linear(
        &mut self,
        p: &[f64],
        level: Level,
        scale: f64,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let above = level.above();
        let wide = scale * self.prime_below(above);
        let mut sum: Option<Ciphertext<Ckks<M>>> = None;
        for (i, &c) in p.iter().enumerate().skip(1).filter(|(_, c)| c.abs() > 0.0) {
            let power = self.evaluator.drop_to(self.power(i)?, above)?;
            let term = self.evaluator.times_constant(&power, c, wide / power.meta)?;
            let term = relabeled(term, wide);
            sum = Some(match sum {
                None => term,
                Some(sum) => self.evaluator.add(&sum, &term)?,
            });
        }
        let mut sum = if let Some(sum) = sum {
            sum
        } else {
            let x = self.evaluator.drop_to(&self.powers[&1], above)?;
            relabeled(self.evaluator.times_constant(&x, 0.0, wide / x.meta)?, wide)
        };
        if let Some(&constant) = p.first().filter(|c| c.abs() > 0.0) {
            self.evaluator.add_constant(&mut sum, constant, "evaluate_polynomial")?;
        }
        let lowered = self.evaluator.switched(&sum, level).into_owned();
        // Coefficients that are rounded to zero leave no mask.
        let result = relabeled(lowered, scale);
        self.evaluator.check_noise_and_mask(result, "evaluate_polynomial", &[&self.powers[&1]])
    }

    /// Basis element `i`.
    fn power(&mut self, i: usize) -> Result<&Ciphertext<Ckks<M>>, Error> {
        if !self.powers.contains_key(&i) {
            // The larger factor is a power of two, so that an element has the least depth, and
            // powers of two are shared.
            let a = i.next_power_of_two() / 2;
            let b = i - a;
            let (left, right) = (self.power(a)?.clone(), self.power(b)?.clone());
            let right = <Ckks<M>>::lowered(self.evaluator, &right, left.level())?.into_owned();
            let product = self.evaluator.mul(&left, &right)?;
            let element = match self.basis {
                Basis::Powers => product,
                Basis::Chebyshev => self.chebyshev_element(&product, a, b)?,
            };
            self.powers.insert(i, element);
        }
        Ok(&self.powers[&i])
    }

    /// Computes `2 T_a T_b - T_(a-b)` from the product `T_a T_b`. It is at most 1 in absolute value
    /// at a number of `-1..=1`, and little more with the error.
    fn chebyshev_element(
        &mut self,
        product: &Ciphertext<Ckks<M>>,
        a: usize,
        b: usize,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let difference = a - b;
        let twice = self.evaluator.mul_scalar(product, 2.0)?;
        let element = if difference == 0 {
            self.evaluator.add_scalar(&twice, -1.0)?
        } else {
            let other = self.power(difference)?.clone();
            let other = <Ckks<M>>::lowered(self.evaluator, &other, twice.level())?.into_owned();
            self.evaluator.sub(&twice, &other)?
        };
        Ok(element.bounded(chebyshev_bound(a + b, self.error)))
    }

    /// Returns the prime that a switch from this level to the next divides by.
    fn prime_below(&self, level: Level) -> f64 {
        self.evaluator.params.chain()[level.get()] as f64
    }
}

fn exhausted<M: Mode>(a: &Ciphertext<Ckks<M>>) -> Error {
    Error::NoiseExhausted {
        operation: "evaluate_polynomial",
        level: a.level(),
        needed_bits: a.params.spec().scale_bits,
        left_bits: a.noise_budget_bits(),
        remedy: a.remedy(),
    }
}

/// Bounds the slope of `p` in a disc, in the Chebyshev basis for its real numbers of `-1..=1`, up
/// to the roundings of bounds (Markov: that of `T_i` is at most `i^2`).
fn slope_at(basis: Basis, p: &[f64], disc: Padding) -> f64 {
    let size = disc.magnitude();
    let slope = |(i, c): (usize, &f64)| {
        let degree = i as f64;
        c.abs()
            * match basis {
                Basis::Powers => degree * size.powf(degree - 1.0),
                Basis::Chebyshev => 1.01 * degree * degree,
            }
    };
    p.iter().enumerate().skip(1).map(slope).sum()
}

/// Returns the factor by which an interval is mapped to one of length 2.
pub(super) fn unit_factor(Interval { low, high }: Interval) -> f64 {
    2.0 / (high - low)
}

/// Returns the number of levels that a polynomial without leading zeros takes.
fn depth_of(p: &[f64]) -> usize {
    p.len().next_power_of_two().ilog2() as usize
}

/// Removes leading zeros.
pub(super) fn trimmed(p: &[f64]) -> &[f64] {
    let length = p.iter().rposition(|c| c.abs() > 0.0).map_or(0, |i| i + 1);
    &p[..length]
}
