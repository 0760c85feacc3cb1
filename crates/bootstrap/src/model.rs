//! The error of a bootstrapping, from the parameters alone.
//!
//! The program of `program.rs` is evaluated on one slot in the clear, in the machine [`Model`].
//! Every value carries its number, its derivative with respect to every error that a division or a
//! key switch has added so far, and a bound on everything of higher order. Given overflow and
//! message, the sum of first order is sub-Gaussian with the variance `sum_i |w_i|^2 sigma_i^2` for
//! the derivatives `w_i`. For a product `a b` the remainder is `|a| r_b + |b| r_a + e_a e_b`, with
//! the remainders `r` and bounds `e` on whole errors.
//!
//! The bound takes the largest variance over all 33 overflows and eight messages, with 5 % for
//! those between; for a table, over all of its arguments. Bounding the errors step by step instead
//! would count each of them with the largest slope of every later step, although these slopes are
//! not largest together. docs/maths/bootstrap.md derives every rule.

use super::cleaning::{Cleaned, Response};
use super::effect::Effect;
use super::exponential::Exponential;
use super::layers::{Direction, Factor, factors};
use super::program::{Combination, Held, Machine, Signs, Sum, Sums, squared, summed};
use super::series::{Domain, Series};
use super::slot_map::coefficient_count;
use super::stages::Stages;
use fathom_ring::Complex64;
use fathom_rings::internals::{Bounds, COVER, Context, LimbCount, Noise, Random};
use fathom_rings::rlwe::Level;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::f64::consts::SQRT_2;

/// The value of one slot, and how it depends on the errors before.
#[derive(Clone, Debug)]
struct Estimate {
    value: Complex64,
    /// Derivatives with respect to every error so far.
    gradient: Vec<Complex64>,
    /// Bound on the part of the error that is not of first order.
    remainder: f64,
    level: usize,
    scale: f64,
}

impl Held for Estimate {
    fn level(&self) -> usize {
        self.level
    }

    fn scale(&self) -> f64 {
        self.scale
    }
}

/// Evaluates the program on estimates.
struct Model<'a> {
    stages: &'a Stages,
    context: &'a Context,
    /// Bound on what the rounding of a weight or a constant changes in a slot.
    rounded: f64,
    /// The deviation of every error so far, of a slot as a complex number.
    deviations: Vec<f64>,
}

impl Model<'_> {
    /// Bounds the error of first order.
    fn first_order(&self, value: &Estimate) -> f64 {
        self.context.model.tails.root * root_sum(&value.gradient, &self.deviations)
    }

    /// Bounds the whole error.
    fn error(&self, value: &Estimate) -> f64 {
        self.first_order(value) + value.remainder
    }
}

/// Returns the deviation of the sum of independent errors times their derivatives.
fn root_sum(gradient: &[Complex64], deviations: &[f64]) -> f64 {
    let square = |(g, d): (&Complex64, &f64)| g.norm_sqr() * d * d;
    gradient.iter().zip(deviations).map(square).sum::<f64>().sqrt()
}

impl Machine for Model<'_> {
    type Value = Estimate;
    type Error = Infallible;

    fn prime(&self, level: usize) -> f64 {
        self.stages.divisor(level)
    }

    fn combine(&mut self, all: &Combination<'_, Estimate>) -> Result<Vec<Estimate>, Infallible> {
        Ok(all.sums.iter().map(|sum| self.combined(all, sum)).collect())
    }
}

impl Model<'_> {
    /// Returns the value of one sum, and what it adds to the errors.
    fn combined(&mut self, all: &Combination<'_, Estimate>, sum: &Sum<'_, Estimate>) -> Estimate {
        let wide = all.scale * self.prime(all.level);
        let mut out = Estimate {
            value: sum.constant,
            gradient: vec![Complex64::ZERO; self.deviations.len()],
            remainder: self.rounded / wide,
            level: all.level - 1,
            scale: all.scale,
        };
        for [a, b] in &sum.pairs {
            let (in_a, in_b) = (self.error(a), self.error(b));
            out.value += a.value * b.value;
            add_gradient(&mut out.gradient, &a.gradient, b.value);
            add_gradient(&mut out.gradient, &b.gradient, a.value);
            out.remainder +=
                // Everything of second order: the remainders of the factors, and the product of
                // both whole errors.
                a.value.norm() * b.remainder + b.value.norm() * a.remainder + in_a * in_b;
        }
        for (term, weight) in all.terms.iter().zip(&sum.weights) {
            out.value += term.value * weight;
            add_gradient(&mut out.gradient, &term.gradient, *weight);
            let rounding = self.rounded * term.scale / wide;
            out.remainder +=
                weight.norm() * term.remainder + rounding * (term.value.norm() + self.error(term));
        }
        let (from, to) = (self.stages.limbs(all.level), self.stages.limbs(all.level - 1));
        let added = if sum.pairs.is_empty() {
            self.context.model.switched(Noise::default(), 2, from, to)
        } else {
            self.context.model.product_switched(Noise::default(), from, to)
        };
        out.gradient.push(Complex64::ONE);
        self.deviations.push(at_slots(self.context, added) / all.scale);
        out
    }
}

/// Bound on what the rounding of a weight or a constant to integers changes in a slot: half of the
/// imaginary unit, and half of 1 or of the square root of 2.
const ROUNDED: f64 = 1.25;

fn add_gradient(sum: &mut [Complex64], gradient: &[Complex64], factor: Complex64) {
    sum.iter_mut().zip(gradient).for_each(|(sum, g)| *sum += g * factor);
}

/// Returns the deviation of a slot, as a complex number, of an error polynomial.
pub(super) fn at_slots(context: &Context, noise: Noise) -> f64 {
    noise.random.direction * (context.degree() as f64).sqrt()
}

/// The program at one argument.
struct Evaluated {
    results: Vec<Estimate>,
    deviations: Vec<f64>,
    /// Bound on the error of the exponential.
    error: f64,
}

/// The error that the evaluation adds to a slot, in units of results.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Evaluation {
    /// The deviation as a complex number, for the worst overflow and message.
    pub(super) at_worst: f64,
    /// The same, where every error may have the overflow and the message that are worst for it.
    pub(super) in_any_direction: f64,
    /// Bound on products of errors.
    pub(super) remainder: f64,
    /// Bound on the error of the exponential.
    pub(super) exponential: f64,
    /// Values whose errors are bounded for that.
    pub(super) sources: usize,
}

impl Evaluation {
    /// Takes the greater of every bound; `each` are those of single errors.
    fn take(&mut self, out: &Estimate, deviations: &[f64], each: &mut Vec<f64>) {
        // The sum with the conjugate is twice the real part.
        let parts = out.gradient.iter().zip(deviations).map(|(g, d)| 2.0 * g.norm() * d);
        each.resize(deviations.len(), 0.0);
        each.iter_mut().zip(parts).for_each(|(most, part)| *most = most.max(part));
        self.at_worst = self.at_worst.max(2.0 * root_sum(&out.gradient, deviations));
        self.remainder = self.remainder.max(2.0 * out.remainder);
    }
}

/// The largest overflow.
const OVERFLOW: i32 = 16;
/// Messages at which the deviation is computed, for every power of the exponential.
const MESSAGES: usize = 8;
/// Factor by which the deviation between two of them may exceed that at both.
const BETWEEN: f64 = 1.05;

/// The effect on errors of the join of real and imaginary parts.
#[derive(Clone, Copy, Debug)]
struct Joining {
    /// The errors of a key switch that it adds: the squares of their factors at a slot and in any
    /// direction.
    switches: [f64; 2],
    /// Factor of the deviation of the evaluation in any direction.
    spread: f64,
    /// Factor of the products of errors of the evaluation.
    remainder: f64,
    /// Number of values that a slot of the result takes of every sum.
    sums: usize,
}

/// Real and imaginary parts of separate evaluations, joined by a conjugation.
const SPLIT: Joining = Joining { switches: [1.0; 2], spread: 1.0, remainder: SQRT_2, sums: 2 };
/// Both in the halves of a period, joined by a conjugation and the sum with a rotation: errors that
/// are independent in both halves have the square root of 2 as their factor at a slot, which the
/// second half would have as well, and 2 in any direction.
const PACKED: Joining = Joining { switches: [3.0, 5.0], spread: SQRT_2, remainder: 2.0, sums: 4 };

impl Stages {
    /// Returns what the application of functions that share a bootstrapping does to errors, for
    /// each of them: the results are at this level and scale.
    pub(super) fn effects(&self, all: &[Series], level: Level, scale: f64) -> Vec<Effect> {
        let each = all.iter().zip(self.evaluations(all, scale));
        each.map(|(series, own)| self.effect(series, own, level, scale)).collect()
    }

    fn effect(&self, series: &Series, evaluation: Evaluation, level: Level, scale: f64) -> Effect {
        let degree = self.raised.degree() as f64;
        let merge = self.raised.model.key_switched(Noise::default(), level.limbs());
        let before = self.before_evaluation(series.turns) / series.turns;
        // A cleaned exponential has no slope.
        let slope = if series.cleaning.is_some() { 0.0 } else { series.slope };
        let merge = at_slots(&self.raised, merge) / scale;
        let joining = if self.is_sparse() { PACKED } else { SPLIT };
        // Of an error at a slot, a random polynomial has `sqrt(N)` times its parameter.
        let parameter = |of_evaluation: f64, before: f64, switches: f64| {
            let others = (before * slope).hypot(merge * switches.sqrt());
            of_evaluation.hypot(others) * scale / degree.sqrt()
        };
        // Errors that repeat are alike in all copies of a slot.
        let repeated = before * (self.copies() as f64).sqrt();
        let [at_slot, in_any] = joining.switches;
        let random = Random::at_roots(
            parameter(evaluation.in_any_direction * joining.spread, repeated, in_any),
            parameter(evaluation.at_worst, before, at_slot),
        );
        let tails = self.raised.model.tails.root;
        let fixed = tails * self.out_rounding(series.turns, series.limit);
        let internal = tails * before + fixed;
        let of_exponential = match series.cleaning {
            Some(_) => 0.0,
            None => series.amplified(self.exponential_error()),
        };
        // Each bounds the real and the imaginary part by itself.
        let of_parts = SQRT_2 * (series.approximation + of_exponential)
            + joining.remainder * evaluation.remainder;
        let direction = parameter(evaluation.in_any_direction * joining.spread, repeated, in_any);
        let response = if series.cleaning.is_none() {
            Response::Direct { slope, bend: series.bend }
        } else {
            let exponential = evaluation.exponential + self.exponential_error();
            let own = tails * direction * degree.sqrt() / scale;
            Response::Cleaned(Cleaned::new(series, exponential, own + of_parts))
        };
        let rest = of_parts + slope * fixed + response.of_internal(internal);
        let rest = Bounds::of_root_values(rest * scale);
        let noise = Noise { random, ..Noise::of_rest(rest) };
        // Every sum, the roundings, the range before the exponential and that of the operand; and
        // two norms of each error polynomial of the keys.
        let bounds = joining.sums * evaluation.sources + 3 + 2 * self.key_polynomials();
        let added = noise.with_tails(bounds as f64);
        let error = self.raised.model.norms(added).root / scale;
        Effect { added, error, internal, response, scale }
    }

    /// Bounds the error of the exponential without the errors of ciphertexts.
    pub(super) fn exponential_error(&self) -> f64 {
        Exponential::new(self.schedule.exponential).power_error()
    }

    /// Returns the number of error polynomials in all keys.
    pub(super) fn key_polynomials(&self) -> usize {
        let digits = |context: &Context, level: Level| {
            context.gadget.digit_count(&context.ring, level.limbs().get())
        };
        let all = |context: &Context, keys: BTreeMap<usize, Level>| -> usize {
            keys.into_values().map(|level| digits(context, level)).sum()
        };
        digits(&self.capsule, self.last_level())
            + digits(&self.raised, self.exponential_level())
            + all(&self.low, self.out_keys())
            + all(&self.raised, self.raised_keys())
            + self.first_count()
    }

    /// Evaluates the program of all series together for every overflow and many messages, or all.
    pub(super) fn evaluations(&self, all: &[Series], scale: f64) -> Vec<Evaluation> {
        let (fractions, between) = fractions(all);
        let exponential = Exponential::new(self.schedule.exponential);
        let series = all.iter().map(|series| series.coefficients.as_slice()).collect();
        let (depth, cleaning) = (self.series_depth(all), all.first().and_then(|s| s.cleaning));
        let sums = Sums { series, depth, cleaning, scale, signs: Signs::Equal };
        let mut worst = vec![Evaluation::default(); all.len()];
        let mut each: Vec<Vec<f64>> = vec![Vec::new(); all.len()];
        for overflow in -OVERFLOW..=OVERFLOW {
            for fraction in &fractions {
                let y = (f64::from(overflow) + fraction) / COVER;
                let Evaluated { results, deviations, error } =
                    self.evaluated(y, &exponential, &sums);
                for ((out, worst), each) in results.iter().zip(&mut worst).zip(&mut each) {
                    worst.take(out, &deviations, each);
                    worst.exponential = worst.exponential.max(error);
                }
            }
        }
        let root = |parts: &Vec<f64>| parts.iter().map(|part| part * part).sum::<f64>().sqrt();
        let finished = worst.iter().zip(&each).map(|(worst, each)| Evaluation {
            at_worst: worst.at_worst * between,
            in_any_direction: root(each) * between,
            remainder: worst.remainder * between,
            exponential: worst.exponential * BETWEEN,
            sources: each.len(),
        });
        finished.collect()
    }

    /// Evaluates the program at one argument.
    fn evaluated(&self, y: f64, exponential: &Exponential, sums: &Sums<'_>) -> Evaluated {
        let context = &self.raised;
        let (rung, scale) = (self.exponential_rung(), self.exponential_scale());
        // The key switch of the conjugate, which leaves an error that is not real.
        let split = context.model.key_switched(Noise::default(), self.limbs(rung));
        let mut model = Model {
            stages: self,
            context,
            rounded: self.weight_rounding(),
            deviations: Vec::new(),
        };
        model.deviations.push(at_slots(context, split) / scale);
        let y = Estimate {
            value: y.into(),
            gradient: vec![Complex64::ONE],
            remainder: 0.0,
            level: rung,
            scale,
        };
        let Ok(exponential) = squared(&mut model, &y, exponential);
        let error = model.error(&exponential);
        let Ok(results) = summed(&mut model, exponential, sums);
        Evaluated { results, deviations: model.deviations, error }
    }

    /// Bounds what the rounding of a weight or a constant to integers changes in a slot: of weights
    /// that are polynomials, every coefficient is rounded.
    fn weight_rounding(&self) -> f64 {
        if !self.is_sparse() {
            return ROUNDED;
        }
        let coefficients = coefficient_count(2 * self.slots()) as f64;
        ROUNDED.max(self.raised.model.tails.root * (coefficients / 12.0).sqrt())
    }

    /// Returns the deviation of a slot, as a complex number in turns, of what is added before the
    /// exponential, where 1 in a slot of the operand is this many turns. All of it passes through
    /// as if it were a part of the message.
    fn before_evaluation(&self, turns: f64) -> f64 {
        let out = self.out_deviation(turns) * turns;
        out.hypot(self.capsule_deviation()).hypot(self.in_deviation())
    }

    /// Returns what the map from slots to coefficients adds, in units of messages.
    fn out_deviation(&self, turns: f64) -> f64 {
        let context = &self.low;
        let (mut square, mut layers) = (0.0, 0);
        for ((i, factor), own) in self.out_factors().iter().enumerate().zip(&self.out_layers) {
            layers += own;
            let level = Level::new(self.out_level().get() - i);
            let after = self.out_scale(level.next_or_last(), turns);
            let prime = context.spec.chain[level.get()] as f64;
            let added = map_noise(context, factor, level.limbs(), prime) / after;
            // Every layer doubles the squares of slots, coefficients stay the same.
            square += added * added / f64::from(1 << layers);
        }
        // What repeats is the mean of all copies.
        (square / self.copies() as f64).sqrt()
    }

    /// Returns the deviation of a slot that the roundings of the diagonals of the map from slots to
    /// coefficients add, in units of messages up to a limit, over all roundings: they are fixed, so
    /// that the error is the same for every ciphertext of a message, and adds up in sums of them.
    pub(super) fn out_rounding(&self, turns: f64, limit: f64) -> f64 {
        let square = |(i, factor): (usize, &Factor)| {
            let level = Level::new(self.out_level().get() - i);
            let plain = self.out_plain_scale(level, turns);
            (rounding(factor, plain) * 2f64.sqrt() * limit).powi(2)
        };
        self.out_factors().iter().enumerate().map(square).sum::<f64>().sqrt()
    }

    /// Returns what the key switch to the sparse secret adds, in turns.
    fn capsule_deviation(&self) -> f64 {
        let switched = self.capsule.model.key_switched(Noise::default(), self.last_level().limbs());
        // A slot has two coefficients.
        2f64.sqrt() * switched.random.coefficient / self.last()
    }

    /// Returns what the map from coefficients to slots adds, in turns.
    pub(super) fn in_deviation(&self) -> f64 {
        let context = &self.raised;
        let layers = self.in_layers.as_slice();
        let mut later: usize = layers[1..].iter().sum();
        // Slots hold half of the argument.
        let unit = 2.0 * COVER / self.exponential_scale();
        let first = factors(Direction::ToSlots, self.slots(), layers).remove(0);
        let in_doubles = IN_DOUBLES * (first.diagonals.len() as f64).sqrt() * COVER;
        let first = (self.first_noise(&first) * unit).hypot(in_doubles);
        let mut square = first.powi(2) / f64::from(1 << later);
        for ((i, factor), own) in self.in_factors().iter().enumerate().zip(&layers[1..]) {
            later -= own;
            let rung = self.raised_top() - i;
            let plain = self.in_plain_scale(rung);
            let added = map_noise(context, factor, self.limbs(rung), self.divisor(rung)) * unit;
            square += added * added / f64::from(1 << later);
            square += (rounding(factor, plain) * 2f64.sqrt() * COVER).powi(2);
        }
        square.sqrt()
    }

    /// Returns the deviation of a slot that the first factor and the projection add, in units of
    /// what the first factor leaves: the errors of its keys times coefficients modulo the last
    /// prime, the rounding of its division and that of its diagonals.
    ///
    /// The projection multiplies the message by the number of copies, and adds up errors that are
    /// independent; those of its own key switches are doubled by fewer steps than there are.
    fn first_noise(&self, factor: &Factor) -> f64 {
        let context = &self.raised;
        let count = (factor.diagonals.len() as f64).sqrt();
        let special: f64 = context.model.special_bits[..self.schedule.first_special].iter().sum();
        let last = self.last().log2();
        let degree = context.degree() as f64;
        let keys =
            context.model.key_errors_times((last - 12f64.log2() / 2.0 - special).exp2()) * count;
        let diagonals = (last - special).exp2() * COVER * degree * count / 12f64.sqrt();
        let random = context.model.rounding_error(2).random.direction.hypot(keys);
        let copies = self.copies() as f64;
        let limbs = self.limbs(self.raised_top());
        let switch = context.model.key_switched(Noise::default(), limbs).random.direction;
        let projected = random * copies.sqrt();
        let projected = projected.hypot(switch * (copies - 1.0).sqrt()) / copies;
        projected.hypot(diagonals) * degree.sqrt()
    }
}

/// Returns the deviation of a slot that a factor adds at this number of primes, of which those with
/// this product are divided away, before it is divided by the scale: the rounding of its division
/// and the errors of its baby steps, each of which is multiplied by diagonals.
pub(super) fn map_noise(context: &Context, factor: &Factor, limbs: LimbCount, divisor: f64) -> f64 {
    let key_switch = context.model.key_switch_error(limbs).random.direction;
    let rounding = context.model.rounding_error(2).random.direction;
    let babies = key_switch * factor.baby_gain();
    // What giant steps add is divided as well.
    let giants = (rounding + key_switch) * factor.diagonals.len() as f64 / divisor;
    rounding.hypot(babies).hypot(giants) * (context.degree() as f64).sqrt()
}

/// Returns the deviation that the roundings of the diagonals of a factor, at this scale, leave in
/// a slot of values up to 1, those in double precision included.
pub(super) fn rounding(factor: &Factor, scale: f64) -> f64 {
    let diagonals = factor.diagonals.len() as f64;
    let coefficients = coefficient_count(factor.period) as f64 * diagonals;
    ((coefficients / 12.0).sqrt() / scale).hypot(IN_DOUBLES * diagonals.sqrt())
}

/// Bound on the deviation of a value of a diagonal that is computed and transformed in double
/// precision, of values up to 1.
const IN_DOUBLES: f64 = 8.0 * f64::EPSILON;

/// Returns the fractions of a turn at which the errors of functions of the same argument are
/// evaluated, and the factor by which they may exceed those at all of them.
fn fractions(all: &[Series]) -> (Vec<f64>, f64) {
    let Some(first) = all.first() else { return (Vec::new(), 1.0) };
    match first.domain {
        Domain::Interval => {
            let degree = all.iter().map(|series| series.coefficients.len()).max();
            let steps = MESSAGES * degree.unwrap_or_default();
            let message = |step: usize| 2.0 * step as f64 / steps as f64 - 1.0;
            let turns = first.limit * first.turns;
            ((0..=steps).map(|step| message(step) * turns).collect(), BETWEEN)
        }
        Domain::Residues(count) => {
            // Half a turn with either sign: the other sums of `Signs` are those at the negative of
            // an argument. As many samples as twice the degree bound the polynomial between them
            // up to the square root of 2.
            let half = count as i64 / 2;
            ((-half..=half).map(|v| v as f64 / count as f64).collect(), SQRT_2)
        }
    }
}
