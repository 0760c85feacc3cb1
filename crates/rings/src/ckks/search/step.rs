//! The steps of a circuit.

use super::super::{Complex64, Interval};
use super::message::Message;
use crate::rlwe::{Encryption, Level};

/// A function that is approximated on an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Function {
    Exp,
    Log,
    Sigmoid,
    /// A cosine, with its radians for each unit.
    Cosine(f64),
    /// `exp(-((x - center) / width)^2)`.
    Spike(f64, f64),
}

impl Function {
    pub(super) fn at(self, x: f64) -> f64 {
        match self {
            Function::Exp => x.exp(),
            Function::Log => x.ln(),
            Function::Sigmoid => 1.0 / (1.0 + (-x).exp()),
            Function::Cosine(frequency) => (frequency * x).cos(),
            Function::Spike(center, width) => (-((x - center) / width).powi(2)).exp(),
        }
    }

    /// Returns a bound on the derivative over an interval.
    pub(super) fn slope(self, interval: Interval) -> f64 {
        match self {
            Function::Exp => interval.high.exp(),
            Function::Log => interval.low.recip(),
            Function::Sigmoid => 0.25,
            Function::Cosine(frequency) => frequency,
            Function::Spike(_, width) => width.recip(),
        }
    }
}

/// One operation, with everything that was drawn for it.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Encrypt {
        message: Message,
        encryption: Encryption,
        level: Level,
    },
    Add,
    Sub,
    Neg,
    Mul,
    Square,
    Dot,
    Tensor {
        switched: bool,
    },
    Conjugate,
    TwiceRealPart,
    Rotate(i64),
    RotateMany(usize),
    SumRotations(usize),
    SumSlots,
    SumPrefix(usize),
    Mean(usize),
    NormSquared(usize),
    Replicate(usize),
    RotatePrefix(usize, i64),
    ShiftPrefix(usize, i64),
    FillRest(usize, usize, f64),
    WeightedSum([f64; 3]),
    MulScalar(Complex64),
    AddScalar(Complex64),
    SubScalar(Complex64),
    MulPlain(Message),
    AddPlain(Message),
    SubPlain(Message),
    AddAddend(Message),
    Transform(usize),
    Polynomial(Vec<f64>),
    Chebyshev(Vec<f64>, Interval),
    Function(Function, Interval, usize),
    Reciprocal(Interval, usize),
    Sqrt(f64, usize),
    InverseSqrt(Interval, usize),
    Sign(usize),
    Gt(usize),
    Max(usize),
    Min(usize),
    /// A true promise.
    Assume(f64),
    Rescale,
    DropTo(Level),
    SwitchTo(Level),
    Travel,
    TravelFresh,
}

impl Step {
    /// Returns the interval that a function is defined on.
    pub(super) fn domain(&self) -> Option<Interval> {
        match self {
            Step::Chebyshev(_, interval)
            | Step::Function(_, interval, _)
            | Step::Reciprocal(interval, _)
            | Step::InverseSqrt(interval, _) => Some(*interval),
            Step::Sqrt(low, _) => Some(Interval::new(*low, 1.0)),
            Step::Sign(_) => Some(Interval::UNIT),
            _ => None,
        }
    }

    /// Returns the name of the operation.
    pub(super) fn name(&self) -> String {
        let text = format!("{self:?}");
        match self {
            Step::Function(function, ..) => {
                let inner = format!("{function:?}");
                inner.split('(').next().unwrap_or_default().to_owned()
            }
            _ => text.split(['(', ' ', '{']).next().unwrap_or_default().to_owned(),
        }
    }
}
