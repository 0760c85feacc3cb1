//! Functions prepared to be applied together.

use super::effect::Effect;
use super::program::{Signs, Sums};
use super::series::{Domain, EXCESS, Kind, Series};
use super::slot_map::{Pair, SlotMap};
use super::stages::Stages;
use crate::numbers::{SERIES_DEPTH, cleaning_depth};
use fathom_base::Error;
use fathom_base::error::BootstrapError;
use fathom_ring::Complex64;
use fathom_rings::ckks::{Ckks, Mode, SlotFacts};
use fathom_rings::internals::{
    Bounds, CiphertextInternals, CkksParamsInternals, Noise, Padding, SlotFactsInternals,
};
use fathom_rings::rlwe::{Ciphertext, Level, Params};
use std::sync::Arc;

/// The fewest bits of a table whose greatest error grows if it is cleaned.
const LEAST_CLEANED_BITS: u32 = 3;

/// `N` functions of the same argument, prepared for a bootstrapping that applies all of them.
/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Prepared<M: Mode, const N: usize> {
    pub(super) params: Params<Ckks<M>>,
    /// The level of the results, and the levels that the powers of the exponential take.
    level: Level,
    depth: usize,
    /// The advice for operands whose errors are too large.
    remedy: &'static str,
    /// The number of slots that the map takes.
    pub(super) slots: usize,
    pub(super) functions: Arc<[Function; N]>,
    /// The map from slots to coefficients, which brings slots to turns.
    pub(super) out: Arc<Vec<SlotMap>>,
}

/// A prepared function.
#[derive(Debug)]
pub(super) struct Function {
    series: Series,
    pub(super) effect: Effect,
}

/// Returns what to do about operands whose errors are too large for a table: cleaning is named only
/// where it takes larger ones and the parameters have the levels.
fn remedy(series: &Series, stages: &Stages) -> &'static str {
    let bits = series.order_bits();
    let levels = bits as usize + cleaning_depth(Some(bits));
    let helps = series.cleaning.is_none() && bits >= LEAST_CLEANED_BITS;
    match bits {
        0 | 1 => "apply it before other operations",
        _ if helps && stages.level_below(levels).is_some() => {
            "apply it before other operations, take a table of fewer bits, or make it with \
             Table::cleaned"
        }
        _ => "apply it before other operations, or take a table of fewer bits",
    }
}

impl<M: Mode> Prepared<M, 1> {
    /// Returns the function that changes nothing.
    pub(super) fn identity(params: &Params<Ckks<M>>, stages: &Stages) -> Prepared<M, 1> {
        let (series, level) = (stages.identity(), stages.users_top());
        let depth = series.depth();
        Prepared::of_level(params, stages, [series], level, depth)
    }
}

impl<M: Mode, const N: usize> Prepared<M, N> {
    pub(super) fn new(
        params: &Params<Ckks<M>>,
        stages: &Stages,
        functions: [Series; N],
    ) -> Result<Prepared<M, N>, Error> {
        let mut pairs = functions.iter().zip(functions.iter().skip(1));
        let alike = |(a, b): (&Series, &Series)| {
            a.domain == b.domain
                && a.turns.to_bits() == b.turns.to_bits()
                && a.cleaning == b.cleaning
        };
        if N == 0 {
            let reason = "there are none".to_owned();
            return Err(Error::Spec { field: "functions", reason });
        }
        if !pairs.all(alike) {
            return Err(BootstrapError::Domains { count: N }.into());
        }
        let depth = functions.iter().map(Series::depth).max().unwrap_or_default();
        let level = stages.level_below(depth).ok_or_else(|| BootstrapError::Levels {
            needed: depth - SERIES_DEPTH,
            available: params.depth(),
        })?;
        let scale = widest_scale(params, stages, level, depth);
        functions.iter().try_for_each(|series| check_numbers(series, scale))?;
        let prepared = Prepared::of_level(params, stages, functions, level, depth);
        for Function { series, effect } in prepared.functions.iter() {
            if effect.error >= series.room {
                let [error_bits, room_bits] = [effect.error, series.room].map(f64::log2);
                return Err(BootstrapError::Precision { error_bits, room_bits }.into());
            }
        }
        Ok(prepared)
    }

    fn of_level(
        params: &Params<Ckks<M>>,
        stages: &Stages,
        functions: [Series; N],
        level: Level,
        depth: usize,
    ) -> Prepared<M, N> {
        let (turns, scale) = (functions[0].turns, params.level_scale(level));
        let out = stages.out_factors();
        let out = out.iter().enumerate().map(|(i, factor)| {
            let level = Level::new(stages.out_level().get() - i);
            let limbs = [level.limbs(), level.next_or_last().limbs()];
            SlotMap::prepare(&stages.low, factor, limbs, stages.out_plain_scale(level, turns))
        });
        let mut effects = stages.effects(&functions, level, scale).into_iter();
        let functions = functions.map(|series| {
            let effect = effects.next().expect("every function has an effect");
            Function { series, effect }
        });
        let remedy = remedy(&functions[0].series, stages);
        let (functions, out) = (Arc::new(functions), Arc::new(out.collect()));
        let (params, slots) = (params.clone(), stages.slots());
        Prepared { params, level, depth, remedy, slots, functions, out }
    }

    /// Returns the largest error of a slot that operands of tables may have; infinite for smooth
    /// functions, where the magnitude of a slot with its error is what counts.
    pub fn tolerance(&self) -> f64 {
        self.functions.iter().map(Function::tolerance).fold(f64::INFINITY, f64::min)
    }

    /// Returns the level of the results.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Refuses slots and errors beyond the arguments of the functions.
    pub(super) fn check(&self, a: &Ciphertext<Ckks<M>>) -> Result<(), Error> {
        let limit = self.functions.iter().map(|f| f.series.limit).fold(f64::INFINITY, f64::min);
        let (message, error) = (a.magnitude_bound(), a.error_bound());
        let kind = self.functions[0].series.kind;
        // Integers count modulo the size of a table, and so do their errors.
        let (magnitude, excess) =
            if kind == Kind::Table { (message, 1e-6) } else { (message + error, EXCESS / 2.0) };
        // What is not a number is refused too.
        let fits = magnitude <= limit * (1.0 + excess);
        if !fits {
            let remedy = match kind {
                Kind::Identity => {
                    let factor = limit / magnitude;
                    return Err(BootstrapError::Magnitude { magnitude, limit, factor }.into());
                }
                Kind::Smooth => "prepare the function for slots that were divided by more",
                Kind::Table => "prepare the table with for_slots_up_to",
            };
            return Err(BootstrapError::Argument { magnitude, limit, remedy }.into());
        }
        let allowed = self.tolerance();
        let fits = error <= allowed;
        if !fits {
            let [error_bits, allowed_bits] = [error, allowed].map(f64::log2);
            return Err(BootstrapError::Tolerance {
                error_bits,
                allowed_bits,
                remedy: self.remedy,
            }
            .into());
        }
        Ok(())
    }

    /// Returns the sums of powers that stand for the functions.
    pub(super) fn sums(&self, signs: Signs) -> Sums<'_> {
        Sums {
            series: self.functions.iter().map(|f| f.series.coefficients.as_slice()).collect(),
            depth: self.depth,
            cleaning: self.functions[0].series.cleaning,
            scale: self.functions[0].effect.scale(),
            signs,
        }
    }
}

impl Function {
    /// Returns the largest error of a slot that operands may have.
    fn tolerance(&self) -> f64 {
        self.effect.greatest_operand(self.series.room - self.effect.error)
    }
}

/// The components of a result, with the function and the operand that it comes from.
#[derive(Debug)]
pub(super) struct Applied<'f, M: Mode> {
    pub(super) parts: Pair,
    pub(super) function: &'f Function,
    pub(super) operand: Arc<Ciphertext<Ckks<M>>>,
}

impl<M: Mode> Applied<'_, M> {
    pub(super) fn scale(&self) -> f64 {
        self.function.effect.scale()
    }

    /// Returns the result of a function other than the identity.
    pub(super) fn of_function(self) -> Result<Ciphertext<Ckks<M>>, Error> {
        let Function { series, effect } = self.function;
        let (scale, complex) = (self.scale(), self.operand.facts().is_complex());
        // A function of the real part and a function of the imaginary part.
        let largest = if complex { 2f64.sqrt() * series.largest } else { series.largest };
        let from_operand = effect.of_operand(self.operand.error_bound());
        let noise = effect.added.plus_root_values(from_operand * scale);
        let noise = noise.resting_on(self.operand.noise());
        let padding = self.operand.facts().padding().map(|p| image(series, p, complex, largest));
        // What is no integer in slots without a value may lead to more than any value.
        let most = padding.map_or(largest, |padding| largest.max(padding.magnitude()));
        let noise = Noise { message: Bounds::of_root_values(most * scale), ..noise };
        let facts = self.operand.facts().with_padding(padding).without_deviation();
        self.finished("apply", noise.with_relative_error(1e-13), facts)
    }

    /// Completes a result.
    pub(super) fn finished(
        self,
        operation: &'static str,
        noise: Noise,
        facts: SlotFacts,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let (operand, meta) = (&*self.operand, self.scale());
        let out = operand.computed(self.parts.into(), noise).with_meta(meta).with_facts(facts);
        out.checked(operation, &[operand])
    }
}

/// Returns the largest scale at which a function of this depth adds constants, when its results are
/// at this level: that of a value before a division.
fn widest_scale<M: Mode>(
    params: &Params<Ckks<M>>,
    stages: &Stages,
    level: Level,
    depth: usize,
) -> f64 {
    let scale =
        |rung: usize| stages.scale(rung).unwrap_or_else(|| params.level_scale(Level::new(rung)));
    let rungs = level.get()..level.get() + depth;
    rungs.map(|rung| scale(rung) * stages.divisor(rung + 1)).fold(1.0, f64::max)
}

/// Refuses limits that are none, and values whose constants have more bits than an integer, when
/// they are added at this scale.
fn check_numbers(series: &Series, scale: f64) -> Result<(), Error> {
    let limit = series.limit;
    if !(limit > 0.0 && limit.is_finite()) {
        let reason = format!("{limit} is no bound on slots");
        return Err(Error::Spec { field: "limit", reason });
    }
    let most = LARGEST_CONSTANT / scale;
    if series.largest_anywhere() > most {
        let reason = format!(
            "values of up to {:.3e} are too large; divide the function so that they are below \
             {most:.1e}",
            series.largest
        );
        return Err(Error::Spec { field: "values", reason });
    }
    Ok(())
}

/// Bound on constants: roundings and the ratio of their units leave them within 127 bits.
const LARGEST_CONSTANT: f64 = (1_u128 << 120) as f64;

/// Returns what slots hold that no value was given for.
fn image(series: &Series, padding: Padding, complex: bool, largest: f64) -> Padding {
    let Padding { center, radius, .. } = padding;
    let imaginary = if complex { series.value_at(center.im) } else { 0.0 };
    let value = Complex64::new(series.value_at(center.re), imaginary);
    let is_integer = |m: f64| (m - m.round()).abs() < 1e-6;
    match series.domain {
        // The real and the imaginary part may have different slopes.
        Domain::Interval => padding.mapped(value, series.slope, largest),
        Domain::Residues(_) if is_integer(center.re) && is_integer(center.im) && radius < 1e-6 => {
            Padding { center: value, radius: 4.0 * series.error_near_integers(), ..padding }
        }
        Domain::Residues(_) => {
            let parts = if complex { 2f64.sqrt() } else { 1.0 };
            let radius = parts * series.largest_anywhere();
            Padding { center: Complex64::ZERO, radius, occurs: false, ..padding }
        }
    }
}
