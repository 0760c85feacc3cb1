//! The error of a refresh.

use crate::layers::Factor;
use crate::model::{Evaluation, at_slots, map_noise, rounding};
use crate::series::Series;
use crate::stages::Stages;
use fathom_rings::internals::{Bounds, Noise, ParamsInternals, Random, Relation};
use fathom_rings::rlwe::modular::Modular;
use fathom_rings::rlwe::{Level, Params};
use std::f64::consts::SQRT_2;

/// The error that a refresh or a table leaves in the coefficients of a phase, in units of the
/// modulus.
#[derive(Clone, Copy, Debug)]
pub(super) struct RefreshError {
    random: Random,
    /// Bound on the part that is not random.
    rest: f64,
    /// The bounds of theorem 1 that it rests on.
    tails: f64,
    /// Bound on the slope of the function, and on half of its second derivative, for an argument in
    /// turns.
    slope: f64,
    bend: f64,
    /// Bound on the error of the argument, in turns, that the evaluation itself adds.
    internal: f64,
}

/// A function of the coefficients, divided by a unit and evaluated with others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evaluated<'a> {
    pub(super) series: &'a Series,
    pub(super) evaluation: Evaluation,
    pub(super) unit: f64,
    /// The largest value of the function.
    pub(super) largest: f64,
}

impl RefreshError {
    /// Bounds the error of refreshes of ciphertexts of these parameters.
    pub(super) fn of_refresh<S: Modular>(stages: &Stages, params: &Params<S>) -> RefreshError {
        let series = stages.identity();
        let all = stages.evaluations(std::slice::from_ref(&series), stages.result_scale());
        let evaluation = all.into_iter().next().unwrap_or_default();
        let largest = series.limit;
        RefreshError::new(
            stages,
            params,
            Evaluated { series: &series, evaluation, unit: 1.0, largest },
        )
    }

    /// Bounds the error that the evaluation of a function leaves.
    pub(super) fn new<S: Modular>(
        stages: &Stages,
        params: &Params<S>,
        Evaluated { series, evaluation, unit, largest }: Evaluated<'_>,
    ) -> RefreshError {
        let t = params.plain_modulus() as f64;
        let tails = params.context().model.tails.coefficient;
        // What is added to coefficients before the evaluation, in turns.
        let added = [
            params.context().model.rounding_error(2).random.times(1.0 / (t * stages.last())),
            stages.capsule_error().times(1.0 / stages.last()),
        ];
        let before = added.into_iter().fold(Random::white(0.0), Random::plus_independent);
        let argument = before.coefficient.hypot(stages.in_deviation() / SQRT_2);
        let [slope, bend] =
            [unit * series.slope / series.turns, unit * series.bend / series.turns.powi(2)];
        let internal = tails * argument;
        let back = stages.back_error().times(1.0 / stages.late_scale(stages.users_top().get(), t));
        let added = before.times(slope).plus_independent(back);
        // What is added to slots, each of which holds two coefficients.
        let slots = (slope * stages.in_deviation()).hypot(unit * stages.merge_deviation());
        let slots = slots.hypot(stages.late_deviation(t, largest));
        let coefficient = (unit * evaluation.at_worst).hypot(slots) / SQRT_2;
        let direction = (unit * evaluation.in_any_direction).hypot(slots);
        let evaluated = Random::turned(coefficient, direction);
        let rest = unit
            * (series.approximation
                + series.amplified(stages.exponential_error())
                + evaluation.remainder)
            + bend * internal * internal
            + tails * stages.late_rounding(t, largest);
        let low = &stages.low;
        let back = low.gadget.digit_count(&low.ring, stages.back_level().limbs().get());
        RefreshError {
            random: evaluated.plus_independent(added),
            rest,
            tails: (2 * evaluation.sources + 4 + 2 * (stages.key_polynomials() + back)) as f64,
            slope,
            bend,
            internal,
        }
    }

    /// Returns the noise of the result of a table at a level, where the argument of every
    /// coefficient has an error of at most this many turns.
    pub(super) fn noise_with<S: Modular>(
        self,
        params: &Params<S>,
        level: Level,
        argument: f64,
    ) -> Noise {
        let more = (self.slope + self.bend * (2.0 * self.internal + argument)) * argument;
        RefreshError { rest: self.rest + more, ..self }.noise(params, level)
    }

    /// Returns the noise of a refreshed ciphertext at a level.
    pub(super) fn noise<S: Modular>(self, params: &Params<S>, level: Level) -> Noise {
        let model = &params.context().model;
        let modulus = model.log2_modulus(level.limbs()).exp2();
        let rest = Bounds::of_coefficients(self.rest * modulus, params.degree());
        let evaluated = Noise { random: self.random.times(modulus), ..Noise::of_rest(rest) };
        evaluated.with_tails(self.tails).plus_independent(model.rounding_error(2))
    }

    /// Returns the level at which a product of two refreshed ciphertexts leaves most; where there
    /// is no room for a product, the one at which most is left without.
    pub(super) fn best_level<S: Modular>(self, params: &Params<S>) -> Level {
        let model = &params.context().model;
        let product = |level: Level| {
            let noise = self.noise(params, level);
            let product = model.multiplied(noise, noise, Relation::Any);
            model.budget_bits(product, level.limbs())
        };
        let alone = |level: Level| model.budget_bits(self.noise(params, level), level.limbs());
        let best = |left: &dyn Fn(Level) -> f64| {
            let levels = (0..=params.top_level().get()).map(Level::new);
            levels.max_by(|a, b| left(*a).total_cmp(&left(*b))).unwrap_or(Level::ZERO)
        };
        let level = best(&product);
        if product(level) >= 0.0 { level } else { best(&alone) }
    }
}

impl Stages {
    /// Returns the deviation of a slot that the last conjugation adds, in units of results.
    fn merge_deviation(&self) -> f64 {
        let limbs = self.limbs(self.result_rung());
        let merge = self.raised.model.key_switched(Noise::default(), limbs);
        at_slots(&self.raised, merge) / self.result_scale()
    }

    /// Returns the deviation of a slot that the map back to coefficients adds to values up to
    /// `largest`, in their units.
    fn late_deviation(&self, t: f64, largest: f64) -> f64 {
        let context = &self.raised;
        let (mut square, mut layers) = (0.0, 0);
        for ((i, factor), own) in
            self.out_factors().iter().enumerate().zip(self.schedule.late_layers())
        {
            layers += own;
            let rung = self.result_rung() - i;
            let divisor = self.divisor(rung);
            let added = map_noise(context, factor, self.limbs(rung), divisor);
            let added = added / self.late_scale(rung - 1, t);
            square += added * added / f64::from(1 << layers);
            square += (rounding(factor, self.late_plain_scale(rung, t)) * SQRT_2 * largest).powi(2);
        }
        square.sqrt()
    }

    /// Returns the deviation of a coefficient that the roundings of the diagonals of that map add
    /// to values up to `largest`, over all roundings: they are fixed.
    fn late_rounding(&self, t: f64, largest: f64) -> f64 {
        let square = |(i, factor): (usize, &Factor)| {
            let plain = self.late_plain_scale(self.result_rung() - i, t);
            (rounding(factor, plain) * SQRT_2 * largest).powi(2)
        };
        self.out_factors().iter().enumerate().map(square).sum::<f64>().sqrt()
    }

    /// Returns what the key switch to the sparse secret adds.
    fn capsule_error(&self) -> Random {
        self.capsule.model.key_switched(Noise::default(), self.last_level().limbs()).random
    }

    /// Returns what the key switch back to the users' secret adds.
    fn back_error(&self) -> Random {
        self.low.model.key_switched(Noise::default(), self.back_level().limbs()).random
    }

    /// Returns the scale of what the series leaves.
    pub(super) fn result_scale(&self) -> f64 {
        self.schedule.result_scale()
    }

    /// Returns the scale after the factor of the map back that leads to a rung. At the end, 1 is
    /// the modulus divided by `t`.
    pub(super) fn late_scale(&self, rung: usize, t: f64) -> f64 {
        if rung == self.users_top().get() { self.last() / t } else { self.result_scale() }
    }

    /// Returns the scale of the diagonals of the factor at a rung of the map back.
    pub(super) fn late_plain_scale(&self, rung: usize, t: f64) -> f64 {
        self.divisor(rung) * self.late_scale(rung - 1, t) / self.late_scale(rung, t)
    }
}
