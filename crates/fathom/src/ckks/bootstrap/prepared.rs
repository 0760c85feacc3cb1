//! Functions prepared to be applied together.

use super::super::facts::Padding;
use super::super::{Ckks, Mode, SlotFacts};
use super::error::BootstrapError;
use super::model::Effect;
use super::program::{Signs, Sums};
use super::schedule::SERIES_DEPTH;
use super::series::{Domain, Series};
use super::slot_map::{Pair, SlotMap};
use super::stages::Stages;
use crate::Error;
use crate::rlwe::{Bounds, Ciphertext, Level, Noise, Params};
use fathom_ring::Complex64;
use std::sync::Arc;

/// `N` functions of the same argument, prepared for a bootstrapping that applies all of them.
/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Prepared<M: Mode, const N: usize> {
    pub(super) params: Params<Ckks<M>>,
    pub(super) functions: Arc<[Function; N]>,
    /// The map from slots to coefficients, which brings slots to turns.
    pub(super) out: Arc<Vec<SlotMap>>,
}

/// A prepared function.
#[derive(Debug)]
pub(super) struct Function {
    series: Series,
    level: Level,
    depth: usize,
    pub(super) effect: Effect,
}

impl<M: Mode> Prepared<M, 1> {
    /// Returns the function that changes nothing.
    pub(super) fn identity(params: &Params<Ckks<M>>, stages: &Stages) -> Prepared<M, 1> {
        let (series, level) = (Series::identity(stages.magnitude), stages.users_top());
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
            a.domain == b.domain && a.turns.to_bits() == b.turns.to_bits()
        };
        if N == 0 || !pairs.all(alike) {
            return Err(BootstrapError::Domains { count: N }.into());
        }
        let depth = functions.iter().map(Series::depth).max().unwrap_or_default();
        let level = stages.level_below(depth).ok_or_else(|| BootstrapError::Levels {
            needed: depth - SERIES_DEPTH,
            available: params.depth(),
        })?;
        Ok(Prepared::of_level(params, stages, functions, level, depth))
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
            SlotMap::prepare(&stages.low, factor, level, stages.out_plain_scale(level, turns))
        });
        let functions = functions.map(|series| {
            let effect = stages.effect(&series, depth, level, scale);
            Function { series, level, depth, effect }
        });
        Prepared {
            params: params.clone(),
            functions: Arc::new(functions),
            out: Arc::new(out.collect()),
        }
    }

    /// Returns the largest error of a slot that operands of tables may have; infinite for smooth
    /// functions, where the magnitude of a slot with its error is what counts.
    pub fn tolerance(&self) -> f64 {
        self.functions.iter().map(Function::tolerance).fold(f64::INFINITY, f64::min)
    }

    /// Returns the level of the results.
    pub fn level(&self) -> Level {
        self.functions.iter().map(|function| function.level).min().unwrap_or(Level::ZERO)
    }

    /// Refuses slots and errors beyond the arguments of the functions.
    pub(super) fn check(&self, a: &Ciphertext<Ckks<M>>) -> Result<(), Error> {
        let limit = self.functions.iter().map(|f| f.series.limit).fold(f64::INFINITY, f64::min);
        let (magnitude, error) = (a.magnitude_bound(), a.error_bound());
        // What is not a number is refused too.
        let fits = magnitude <= limit * (1.0 + 1e-6);
        if !fits {
            let factor = limit / magnitude;
            return Err(BootstrapError::Magnitude { magnitude, limit, factor }.into());
        }
        let allowed = self.tolerance();
        let fits = error <= allowed;
        if !fits {
            let [error_bits, allowed_bits] = [error, allowed].map(f64::log2);
            return Err(BootstrapError::Tolerance { error_bits, allowed_bits }.into());
        }
        Ok(())
    }

    /// Returns the sums of powers that stand for the functions.
    pub(super) fn sums(&self, signs: Signs) -> Sums<'_> {
        let first = &self.functions[0];
        Sums {
            series: self.functions.iter().map(|f| f.series.coefficients.as_slice()).collect(),
            depth: first.depth,
            scale: first.effect.scale(),
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

/// The components of a result, and what it comes from.
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
        let Function { series, effect, .. } = self.function;
        let (scale, complex) = (self.scale(), self.operand.facts.complex);
        // A function of the real part and a function of the imaginary part.
        let largest = if complex { 2f64.sqrt() * series.largest } else { series.largest };
        let from_operand = effect.of_operand(self.operand.error_bound());
        let noise = effect.added.plus_root_values(from_operand * scale);
        let noise = noise.resting_on(self.operand.noise);
        let noise = Noise { message: Bounds::of_root_values(largest * scale), ..noise };
        let padding = self.operand.facts.padding.map(|p| image(series, p, complex, largest));
        let facts = SlotFacts { padding, deviation: 0.0, ..self.operand.facts };
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
        let out = Ciphertext { meta, facts, ..operand.with(self.parts.into(), noise) };
        out.checked(operation, &[operand])
    }
}

/// Returns what slots hold that no value was given for.
fn image(series: &Series, padding: Padding, complex: bool, largest: f64) -> Padding {
    let Padding { center, radius, occurs } = padding;
    let imaginary = if complex { series.value_at(center.im) } else { 0.0 };
    let value = Complex64::new(series.value_at(center.re), imaginary);
    let is_integer = |m: f64| (m - m.round()).abs() < 1e-6;
    match series.domain {
        // The real and the imaginary part may have different slopes.
        Domain::Interval => padding.mapped(value, series.slope, largest),
        // Of integers, the one in the middle alone is in the disc.
        Domain::Residues(_) if is_integer(center.re) && is_integer(center.im) && radius < 0.5 => {
            Padding { center: value, radius: 2.0 * series.error_near_integers(), occurs }
        }
        Domain::Residues(_) => Padding { center: Complex64::ZERO, radius: largest, occurs: false },
    }
}
