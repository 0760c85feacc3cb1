//! Compositions of odd polynomials, with the effect of each on errors.

use super::basis::Basis;
use super::minimax::OddMinimax;
use super::sensitivity::{Domain, Sensitivity};
use super::{Ckks, Interval, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator, Noise};
use fathom_ring::Complex64;

/// A composition of odd polynomials that approximates the sign, from the first to the last.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Composition {
    stages: Vec<Stage>,
    /// Bound on the difference from the sign beyond the gap.
    error: f64,
    /// Bound on the derivative of `x (1 + p(x)) / 2` in `-1..=1`, for the composition `p`.
    step_slope: f64,
}

/// A polynomial of a composition.
#[derive(Clone, Debug, PartialEq)]
struct Stage {
    /// The coefficients in the Chebyshev basis. The result is divided by the largest argument of
    /// the next polynomial, so that no argument has to be mapped to the unit interval.
    coefficients: Vec<f64>,
    /// Bound on the result, divided in the same way.
    magnitude: f64,
    /// Arguments of the polynomial, by [`Reach`].
    domains: [Domain; 2],
    /// Bounds on the derivative of the composition up to this polynomial, by [`Reach`].
    slopes: [f64; 2],
}

/// The arguments of a composition that a bound holds for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// The numbers of absolute value from the gap to 1.
    BeyondGap,
    /// The numbers of absolute value up to 1.
    Everywhere,
}

/// Returns the number of levels that a polynomial of this many coefficients takes.
pub(super) fn levels_of(coefficients: usize) -> usize {
    coefficients.next_power_of_two().ilog2() as usize
}

/// Compositions of a higher degree are not sampled as a whole.
const MOST_SAMPLED: usize = 1 << 16;

impl Composition {
    /// Composes polynomials, of which there is at least one; each is for the image of the one
    /// before.
    pub(super) fn new(polynomials: &[OddMinimax]) -> Composition {
        let mut stages: Vec<Stage> = Vec::with_capacity(polynomials.len());
        let next = polynomials.iter().skip(1).map(|next| 1.0 / next.high).chain([1.0]);
        for (polynomial, factor) in polynomials.iter().zip(next) {
            let coefficients: Vec<f64> =
                polynomial.coefficients.iter().map(|c| c * factor).collect();
            // Odd polynomials have the same slope at opposite numbers.
            let beyond = Interval::new(polynomial.low / polynomial.high, 1.0);
            let domains = [beyond, Interval::UNIT].map(Domain::Reals);
            let magnitude = (1.0 + polynomial.error) * factor;
            stages.push(Stage { coefficients, magnitude, domains, slopes: [f64::INFINITY; 2] });
        }
        for last in 0..stages.len() {
            let slopes = [Reach::BeyondGap, Reach::Everywhere];
            stages[last].slopes = slopes.map(|reach| slope(&stages[..=last], reach));
        }
        let step_slope = step_slope(&stages);
        let error = polynomials.last().map_or(1.0, |last| last.error);
        Composition { stages, error, step_slope }
    }

    /// Returns the bound on the difference from the sign beyond the gap.
    pub(super) fn error(&self) -> f64 {
        self.error
    }

    /// Returns the number of levels that the evaluation takes.
    pub(super) fn depth(&self) -> usize {
        self.stages.iter().map(|stage| levels_of(stage.coefficients.len())).sum()
    }

    /// Returns the effect of `x (1 + p(x)) / 2` on an error in `x`, for `x` of `-1..=1`, without
    /// what the first order of the effect of `p` leaves out.
    pub(super) fn step_effect(&self, error: f64) -> Sensitivity {
        // (m + e) (1 + p(m) + p'(m) e) = m (1 + p(m)) + (1 + p(m) + m p'(m)) e + p'(m) e^2.
        let remainder = 0.5 * self.slope(Reach::Everywhere) * error * error;
        Sensitivity { slope: self.step_slope, remainder }
    }

    /// Bounds the derivative in reach.
    fn slope(&self, reach: Reach) -> f64 {
        self.stages.last().map_or(1.0, |last| last.slopes[reach as usize])
    }
}

impl Stage {
    /// Returns the effect of this polynomial on an error in its argument.
    fn effect(&self, error: f64, reach: Reach) -> Sensitivity {
        Sensitivity::of(Basis::Chebyshev, &self.coefficients, self.domains[reach as usize], error)
    }

    fn degree(&self) -> usize {
        self.coefficients.len() - 1
    }

    /// Returns the value and the derivative at a number.
    fn at(&self, x: f64) -> [f64; 2] {
        // T'_i = i U_(i-1), with U_i = 2 x U_(i-1) - U_(i-2).
        let (mut value, mut slope) = (0.0, 0.0);
        let (mut before, mut t) = (x, 1.0);
        let (mut u_before, mut u) = (0.0, 0.0);
        for (i, c) in self.coefficients.iter().enumerate() {
            value += c * t;
            slope += c * i as f64 * u;
            (before, t) = (t, 2.0 * x * t - before);
            (u_before, u) = if i == 0 { (0.0, 1.0) } else { (u, 2.0 * x * u - u_before) };
        }
        [value, slope]
    }
}

/// Returns the value and the derivative of a composition.
fn composed_at(stages: &[Stage], x: f64) -> [f64; 2] {
    stages.iter().fold([x, 1.0], |[value, slope], stage| {
        let [next, factor] = stage.at(value);
        [next, slope * factor]
    })
}

fn degree(stages: &[Stage]) -> usize {
    stages.iter().map(Stage::degree).fold(1, usize::saturating_mul)
}

/// Bounds the derivative of a composition, which is a polynomial, and otherwise the product of the
/// bounds for each.
fn slope(stages: &[Stage], reach: Reach) -> f64 {
    let product = stages.iter().map(|stage| stage.effect(0.0, reach).slope).product();
    let (degree, first) = (degree(stages), &stages[0]);
    if degree > MOST_SAMPLED {
        return product;
    }
    let domain = first.domains[reach as usize];
    let slope = |x: Complex64| composed_at(stages, x.re)[1].into();
    // The derivative is small beyond the gap; the samples are correct to the last bits of what it
    // is within.
    let rounding = 1e-12 * product;
    (domain.largest(degree, slope) + rounding).min(product)
}

/// Bounds the derivative of `x (1 + p(x)) / 2` in `-1..=1`.
fn step_slope(stages: &[Stage]) -> f64 {
    let degree = degree(stages);
    let last = &stages[stages.len() - 1];
    let size = last.magnitude;
    let any = 0.5 * (1.0 + size + last.slopes[Reach::Everywhere as usize]);
    if degree > MOST_SAMPLED {
        return any;
    }
    let slope = |x: Complex64| {
        let [value, slope] = composed_at(stages, x.re);
        (0.5 * (1.0 + value + x.re * slope)).into()
    };
    (Domain::Reals(Interval::UNIT).largest(degree + 1, slope) + 1e-9).min(any)
}

impl<M: Mode> Evaluator<Ckks<M>> {
    /// Evaluates a composition of polynomials, the last one times a factor, at numbers in reach.
    pub(super) fn composed(
        &self,
        x: &Ciphertext<Ckks<M>>,
        composition: &Composition,
        factor: f64,
        reach: Reach,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let result = self.composed_held(x, composition, factor, reach)?;
        let effect = Sensitivity { slope: factor * composition.slope(reach), remainder: 0.0 };
        Ok(result.with_error_of(x, effect))
    }

    /// Evaluates a composition of what `x` holds, message and error, where the messages are in
    /// reach. The error bound of the result counts what the evaluation adds, and what the first
    /// order of the effect of the operand's error leaves out.
    pub(super) fn composed_held(
        &self,
        x: &Ciphertext<Ckks<M>>,
        composition: &Composition,
        factor: f64,
        reach: Reach,
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let error = x.slot_error();
        let last = composition.stages.len() - 1;
        let mut slope = 1.0;
        // What was computed so far, with its own error but without the first order of the effect
        // of the operand's error, which is `slope * error`.
        let message = Noise::of_message(x.noise.message).resting_on(x.noise);
        let mut own = x.with(x.parts.clone(), message);
        for (i, stage) in composition.stages.iter().enumerate() {
            let factor = if i == last { factor } else { 1.0 };
            let scaled: Vec<f64> = stage.coefficients.iter().map(|c| c * factor).collect();
            let held = own.clone().with_noise_in_slots(slope * error);
            let Sensitivity { slope: own_slope, remainder } =
                stage.effect(held.slot_error(), reach);
            let effect = Sensitivity { slope: factor * own_slope, remainder: factor * remainder };
            let next = self.evaluate_held(Basis::Chebyshev, &held, &scaled)?;
            own = next.with_error_of(&own, effect).bounded(factor * stage.magnitude);
            slope = stage.slopes[reach as usize];
        }
        Ok(own)
    }
}
