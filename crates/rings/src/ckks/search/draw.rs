//! Random steps.

use super::super::{Complex64, Interval, Mode};
use super::circuit::{Circuit, Ending};
use super::message::{Message, Range};
use super::step::{Function, Step};
use super::world::{STEPS, WINDOW};
use crate::rlwe::{Encryption, Level};

impl<M: Mode> Circuit<'_, M> {
    /// Draws the encryption of a message of any size.
    pub(super) fn random_encryption(&mut self) -> Step {
        let usual = self.world.params.magnitude();
        let dice = &mut self.dice;
        let size = match dice.below(8) {
            0 => (-(dice.below(12) as f64)).exp2(),
            1 => (dice.below(24) as f64).exp2(),
            2 | 3 => usual,
            _ => 1.0,
        };
        let range = match dice.below(12) {
            0..5 => Range::Real(-size, size),
            5..7 => Range::Real(0.0, size),
            7 => Range::Real(0.0, 0.0),
            _ => Range::Disc(size),
        };
        let stated = size * dice.pick(&[1.0, 1.0, 1.0, 1.5, 4.0]);
        self.encryption(range, stated)
    }

    /// Draws an encryption of numbers of a range.
    fn encryption(&mut self, range: Range, stated: f64) -> Step {
        let (top, slots) = (self.world.params.top_level(), self.world.slots());
        let dice = &mut self.dice;
        let message = Message::random(dice, range, stated, slots);
        if dice.once_in(3) {
            return Step::Encrypt { message, encryption: Encryption::PublicKey, level: top };
        }
        let below = if dice.once_in(4) { dice.below(top.get() + 1) } else { 0 };
        let level = Level::new(top.get() - below);
        Step::Encrypt { message, encryption: Encryption::SecretKey, level }
    }

    /// Draws and takes a step.
    pub(super) fn random_step(&mut self) -> Option<Ending> {
        match self.dice.below(40) {
            0..10 => self.random_sum_or_product(),
            10..17 => self.random_scalar_or_plain(),
            17..23 => self.random_permutation(),
            23..26 => self.random_switch(),
            26..29 => {
                let step = self.random_polynomial();
                let operand = self.recent();
                self.take(&step, &[operand])
            }
            29..36 => self.random_function(),
            36..38 => self.random_journey(),
            38 => self.random_window(),
            _ => {
                let step = self.random_encryption();
                self.take(&step, &[])
            }
        }
    }

    /// Picks a member of the pool, mostly the last.
    fn recent(&mut self) -> usize {
        let count = self.pool.len();
        if self.dice.once_in(3) { self.dice.below(count) } else { count - 1 }
    }

    fn random_sum_or_product(&mut self) -> Option<Ending> {
        let (a, b, c) = (self.recent(), self.dice.below(self.pool.len()), self.recent());
        let switched = self.dice.once_in(2);
        let (step, operands) = match self.dice.below(14) {
            0 | 1 => (Step::Add, vec![a, b]),
            2 | 3 => (Step::Sub, vec![a, b]),
            4 => (Step::Neg, vec![a]),
            5..8 => (Step::Mul, vec![a, b]),
            8 | 9 => (Step::Square, vec![a]),
            10 => (Step::Dot, vec![a, b, c]),
            11 | 12 => (Step::Tensor { switched }, vec![a, b]),
            _ => {
                let whole = self.dice.once_in(3);
                let weights = [0.5, -0.37, 1000.5].map(|weight| {
                    let number = weight * self.dice.within(-2.0, 2.0);
                    if whole { number.round() } else { number }
                });
                (Step::WeightedSum(weights), vec![a, b, c])
            }
        };
        self.take(&step, &operands)
    }

    /// Draws a sum, a copy or a move of the first slots.
    fn random_window(&mut self) -> Option<Ending> {
        let operand = self.recent();
        let slots = self.world.slots();
        let dice = &mut self.dice;
        let count = dice.pick(&[1, 2, WINDOW, slots / 2, slots]);
        let steps = dice.pick(&[-2, -1, 0, 1, 2, 3]);
        let step = match dice.below(7) {
            0 => Step::SumPrefix(count),
            6 => Step::FillRest(WINDOW, dice.pick(&[8, slots]), dice.within(-1.0, 1.0)),
            1 => Step::Mean(count),
            2 => Step::NormSquared(count),
            3 => Step::Replicate(dice.below(slots)),
            4 => Step::RotatePrefix(WINDOW, steps),
            _ => Step::ShiftPrefix(WINDOW, steps),
        };
        self.take(&step, &[operand])
    }

    fn random_scalar_or_plain(&mut self) -> Option<Ending> {
        let operand = self.recent();
        let slots = self.world.slots();
        let dice = &mut self.dice;
        let size = dice.pick(&[1.0, 1.0, 0.5, 1e-3, 100.0, 0.0]);
        let usual = [0.0, 1.0, -1.0, 2.0, 3.0, 0.5, -0.37, 1e-3, 1000.5, 1e-13, 1_048_576.0];
        let number = match dice.below(4) {
            0 => dice.complex(1.0),
            _ => Complex64::from(dice.pick(&usual)),
        };
        let message = Message::random(dice, Range::Disc(size), size, slots);
        let step = match dice.below(9) {
            0..3 => Step::MulScalar(number),
            3 => Step::AddScalar(number),
            4 => Step::SubScalar(number),
            5 | 6 => Step::MulPlain(message),
            7 => dice.pick(&[Step::AddPlain(message.clone()), Step::SubPlain(message)]),
            _ => Step::AddAddend(message),
        };
        self.take(&step, &[operand])
    }

    fn random_permutation(&mut self) -> Option<Ending> {
        let operand = self.recent();
        let slots = self.world.slots();
        let dice = &mut self.dice;
        let step = match dice.below(8) {
            0 => Step::Conjugate,
            1 => Step::TwiceRealPart,
            2 => Step::Rotate(dice.pick(&STEPS)),
            3 => Step::RotateMany(dice.below(STEPS.len())),
            4 => Step::SumRotations(1 + dice.below(slots.min(16))),
            5 => Step::SumSlots,
            _ => Step::Transform(dice.below(6)),
        };
        self.take(&step, &[operand])
    }

    fn random_switch(&mut self) -> Option<Ending> {
        let operand = self.recent();
        let (level, last) = (self.pool[operand].real.level(), self.world.params.last_level());
        let dice = &mut self.dice;
        let room = level.get().saturating_sub(last.get());
        let to = Level::new(level.get() - dice.below(room + 1));
        let step = match dice.below(6) {
            0 => Step::Rescale,
            1 => Step::DropTo(to),
            _ => Step::SwitchTo(to),
        };
        self.take(&step, &[operand])
    }

    fn random_journey(&mut self) -> Option<Ending> {
        if self.dice.once_in(2) {
            let operand = self.recent();
            return self.take(&Step::Travel, &[operand]);
        }
        let step = self.random_encryption();
        let before = self.pool.len();
        if let Some(ending) = self.take(&step, &[]) {
            return Some(ending);
        }
        if self.pool.len() == before { None } else { self.take(&Step::TravelFresh, &[before]) }
    }

    fn random_polynomial(&mut self) -> Step {
        let dice = &mut self.dice;
        let degree = dice.below(9);
        let zero = dice.below(degree + 1);
        let tiny = if dice.once_in(8) { 1e-14 } else { 1.0 };
        let coefficient = |i: usize| if i == zero { 0.0 } else { tiny * dice.within(-1.0, 1.0) };
        Step::Polynomial((0..=degree).map(coefficient).collect())
    }

    /// Draws a function with an operand that it is meant for, or nearly.
    fn random_function(&mut self) -> Option<Ending> {
        match self.dice.below(12) {
            0..6 => self.random_approximation(),
            6 => self.random_iteration(),
            7 => {
                let low = self.dice.pick(&[0.3, 0.5]);
                let iterations = 1 + self.dice.below(3);
                self.on_operand(Interval::new(low, 1.0), &Step::Sqrt(low, iterations))
            }
            8 => {
                let which = self.dice.below(self.world.signs.len());
                self.on_operand(Interval::UNIT, &Step::Sign(which))
            }
            _ => self.random_comparison(),
        }
    }

    fn random_approximation(&mut self) -> Option<Ending> {
        let dice = &mut self.dice;
        let low = dice.pick(&[-1.0, -1.0, -4.0, 0.0, 0.25, 1.0, 5.0]);
        let width = dice.pick(&[2.0, 1.0, 3.0, 0.75]);
        let interval = Interval::new(low, low + width);
        let degree = dice.pick(&[3, 7, 7, 15, 31]);
        let center = dice.within(low, low + width);
        let step = match dice.below(8) {
            0 | 1 => Step::Function(Function::Exp, interval, degree),
            2 if low > 0.0 => Step::Function(Function::Log, interval, degree),
            3 => Step::Function(Function::Cosine(dice.within(1.0, 5000.0)), interval, degree),
            4 => Step::Function(Function::Spike(center, dice.within(1e-4, 1.0)), interval, degree),
            5 => {
                let size = dice.pick(&[1.0, 0.1]);
                let coefficients = (0..=degree).map(|_| dice.within(-size, size)).collect();
                Step::Chebyshev(coefficients, interval)
            }
            _ => Step::Function(Function::Sigmoid, interval, degree),
        };
        self.on_operand(interval, &step)
    }

    fn random_iteration(&mut self) -> Option<Ending> {
        let low = self.dice.pick(&[0.25, 0.5, 2.0]);
        let interval = Interval::new(low, low * self.dice.pick(&[2.0, 3.0, 8.0]));
        let iterations = 1 + self.dice.below(5);
        let step = if self.dice.once_in(2) {
            Step::Reciprocal(interval, iterations)
        } else {
            Step::InverseSqrt(interval, iterations)
        };
        self.on_operand(interval, &step)
    }

    fn random_comparison(&mut self) -> Option<Ending> {
        let which = self.dice.below(self.world.signs.len());
        let size = self.dice.pick(&[0.5, 0.5, 0.5, 1.0]);
        let interval = Interval::new(-size, size);
        let step = match self.dice.below(3) {
            0 => Step::Gt(which),
            1 => Step::Max(which),
            _ => Step::Min(which),
        };
        let a = match self.operand(interval) {
            Ok(a) => a,
            Err(ending) => return ending,
        };
        match self.operand(interval) {
            Ok(b) => self.take(&step, &[a, b]),
            Err(ending) => ending,
        }
    }

    fn on_operand(&mut self, interval: Interval, step: &Step) -> Option<Ending> {
        match self.operand(interval) {
            Ok(operand) => self.take(step, &[operand]),
            Err(ending) => ending,
        }
    }

    /// Makes an operand of an interval, in whatever slots, or one that leaves it by a computation.
    /// The error is the end of the circuit, or none if there is no such operand.
    fn operand(&mut self, interval: Interval) -> Result<usize, Option<Ending>> {
        let range = Range::Real(interval.low, interval.high);
        if self.dice.once_in(6) {
            let encryption = self.encryption(range, 1.5 * range.size());
            let made = self.made(&encryption, &[])?;
            return self.made(&Step::Assume(range.size()), &[made]);
        }
        let encryption = self.encryption(range, range.size());
        let made = self.made(&encryption, &[])?;
        let shift = 0.3 * interval.high;
        let symmetric = interval.low + interval.high;
        match self.dice.below(16) {
            0 => self.made(&Step::Add, &[made, made]),
            1 => self.made(&Step::AddScalar(shift.into()), &[made]),
            2 => self.made(&Step::MulScalar(3.0.into()), &[made]),
            // Numbers of another interval might leave it unnoticed.
            3 if symmetric.abs() <= 0.0 => self.made(&Step::MulScalar(0.75.into()), &[made]),
            4 => self.made(&Step::Rotate(1), &[made]),
            // The first slot has a value.
            5 => self.made(&Step::Replicate(0), &[made]),
            6 => self.made(&Step::SumPrefix(1), &[made]),
            _ => Ok(made),
        }
    }

    /// Takes a step and returns the position of its result.
    fn made(&mut self, step: &Step, operands: &[usize]) -> Result<usize, Option<Ending>> {
        let before = self.pool.len();
        let ending = self.take(step, operands);
        if ending.is_none() && self.pool.len() > before {
            return Ok(self.pool.len() - 1);
        }
        Err(ending)
    }
}
