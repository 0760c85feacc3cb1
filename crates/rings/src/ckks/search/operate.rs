//! Steps on ciphertexts, of a key or simulated.

use super::super::{Approximation, Ckks, Mode};
use super::step::Step;
use super::world::{ROWS, STEPS, World};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator, Packed};
use crate::wire::{Wire, WireFresh, WireObject};

impl<M: Mode> World<M> {
    /// Runs a step under one of the evaluators.
    pub(super) fn apply(
        &self,
        e: &Evaluator<Ckks<M>>,
        step: &Step,
        c: &[&Ciphertext<Ckks<M>>],
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        let a = c[0];
        match step {
            Step::Add => e.add(a, c[1]),
            Step::Sub => e.sub(a, c[1]),
            Step::Neg => e.neg(a),
            Step::Mul => e.mul(a, c[1]),
            Step::Square => e.square(a),
            Step::Dot => e.dot(&[a.clone(), c[1].clone()], &[c[1].clone(), c[2].clone()]),
            Step::Tensor { switched } => {
                let product = e.tensor(a, c[1])?;
                if *switched { e.relinearize_and_switch(&product) } else { e.relinearize(&product) }
            }
            Step::Conjugate => e.conjugate(a),
            Step::TwiceRealPart => e.twice_real_part(a),
            Step::Rotate(steps) => e.rotate(a, *steps),
            Step::RotateMany(which) => {
                e.rotate_many(a, &STEPS).map(|mut all| all.swap_remove(*which))
            }
            Step::SumRotations(count) => e.sum_rotations(a, *count),
            Step::SumSlots => e.sum_slots(a),
            Step::SumPrefix(count) => e.sum_prefix(a, *count),
            Step::Mean(count) => e.mean(a, *count),
            Step::NormSquared(count) => e.norm_squared(a, *count),
            Step::Replicate(slot) => e.replicate(a, *slot),
            Step::RotatePrefix(length, steps) => e.rotate_prefix(a, *length, *steps),
            Step::ShiftPrefix(length, steps) => e.shift_prefix(a, *length, *steps),
            Step::FillRest(count, period, filler) => e.fill_rest(a, *count, *period, *filler),
            Step::WeightedSum(weights) => {
                e.weighted_sum(&[a.clone(), c[1].clone(), c[2].clone()], weights)
            }
            Step::MulScalar(number) => e.mul_scalar(a, *number),
            Step::AddScalar(number) => e.add_scalar(a, *number),
            Step::SubScalar(number) => e.sub_scalar(a, *number),
            Step::Transform(which) => {
                let map = self.map(*which, e, a.level())?;
                e.transform(&map, &Packed::assume(ROWS, a.clone())).map(Packed::into_value)
            }
            Step::Assume(bound) => e.assume_magnitude(a, *bound),
            Step::Rescale => e.rescale(a),
            Step::DropTo(level) => e.drop_to(a, *level),
            Step::SwitchTo(level) => e.mod_switch_to(a, *level),
            Step::Travel => Ciphertext::from_bytes(e.params(), &a.to_bytes()),
            Step::TravelFresh => Ciphertext::from_bytes_fresh(e.params(), &a.to_bytes()),
            Step::MulPlain(message) => {
                let plain = message.encode(e.params())?;
                e.mul_plain(a, &plain.to_multiplicand(a.level())?)
            }
            Step::AddPlain(message) => e.add_plain(a, &message.encode(e.params())?),
            Step::SubPlain(message) => e.sub_plain(a, &message.encode(e.params())?),
            Step::AddAddend(message) => {
                e.add_plain(a, &message.encode(e.params())?.to_addend(a.level())?)
            }
            _ => self.apply_function(e, step, c),
        }
    }

    fn apply_function(
        &self,
        e: &Evaluator<Ckks<M>>,
        step: &Step,
        c: &[&Ciphertext<Ckks<M>>],
    ) -> Result<Ciphertext<Ckks<M>>, Error> {
        use super::step::Function;
        let a = c[0];
        match step {
            Step::Polynomial(coefficients) => e.evaluate_polynomial(a, coefficients),
            Step::Chebyshev(coefficients, interval) => {
                e.evaluate_chebyshev(a, coefficients, *interval)
            }
            Step::Function(Function::Exp, interval, degree) => e.exp(a, *interval, *degree),
            Step::Function(Function::Log, interval, degree) => e.log(a, *interval, *degree),
            Step::Function(Function::Sigmoid, interval, degree) => e.sigmoid(a, *interval, *degree),
            Step::Function(function, interval, degree) => {
                let approximation = Approximation::new(|x| function.at(x), *interval, *degree)?;
                e.evaluate_function(a, &approximation)
            }
            Step::Reciprocal(interval, iterations) => e.reciprocal(a, *interval, *iterations),
            Step::Sqrt(low, iterations) => e.sqrt(a, *low, *iterations),
            Step::InverseSqrt(interval, iterations) => e.inverse_sqrt(a, *interval, *iterations),
            Step::Sign(which) => e.sign(a, &self.signs[*which]),
            Step::Gt(which) => e.gt(a, c[1], &self.signs[*which]),
            Step::Max(which) => e.max(a, c[1], &self.signs[*which]),
            Step::Min(which) => e.min(a, c[1], &self.signs[*which]),
            _ => unreachable!("encryptions are done by the circuit"),
        }
    }
}
