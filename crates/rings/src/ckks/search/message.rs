//! Messages: values, their layout in the slots, and the magnitude that is stated for them.

use super::super::encode::Plaintext;
use super::super::{Ckks, Complex64, Mode, Value};
use crate::Error;
use crate::rlwe::Params;
use fathom_circuits::Dice;
use std::fmt;

/// The way in which values fill the slots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Layout {
    /// One number for each slot.
    Full,
    /// The first slots, zeros in the others.
    Prefix,
    /// The first slots, the last value in the others.
    Padded,
    /// A power of two, over and over.
    Repeated,
}

/// Values to be encoded.
#[derive(Clone)]
pub(super) struct Message {
    values: Vec<Complex64>,
    layout: Layout,
    pub(super) magnitude: f64,
}

/// Values that messages are drawn from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Range {
    /// Real numbers of an interval.
    Real(f64, f64),
    /// Complex numbers of a disc.
    Disc(f64),
}

impl Range {
    /// Returns the largest absolute value.
    pub(super) fn size(self) -> f64 {
        match self {
            Range::Real(low, high) => low.abs().max(high.abs()),
            Range::Disc(size) => size,
        }
    }
}

/// Returns a number of absolute value at most `size`.
pub(super) fn complex(dice: &mut Dice, size: f64) -> Complex64 {
    let (radius, angle) = (dice.within(0.0, size), dice.within(0.0, 6.0));
    Complex64::from_polar(radius * (1.0 - 1e-15), angle)
}

impl Message {
    /// Draws values, with a magnitude that need not be reached.
    pub(super) fn random(dice: &mut Dice, range: Range, magnitude: f64, slots: usize) -> Message {
        let (layout, count) = match dice.below(7) {
            0 => (Layout::Padded, 1 + dice.below(slots - 1)),
            1 | 3 => (Layout::Prefix, 1 + dice.below(slots - 1)),
            2 => (Layout::Repeated, 1 << dice.below(slots.ilog2() as usize)),
            _ => (Layout::Full, slots),
        };
        let value = |_| match range {
            Range::Real(low, high) => dice.within(low, high).into(),
            Range::Disc(size) => complex(dice, size),
        };
        Message { values: (0..count).map(value).collect(), layout, magnitude }
    }

    /// Encodes real numbers as such.
    pub(super) fn encode<M: Mode>(&self, params: &Params<Ckks<M>>) -> Result<Plaintext<M>, Error> {
        if self.values.iter().any(|v| v.im.abs() > 0.0) {
            return self.encode_values(params, &self.values);
        }
        self.encode_values(params, &self.values.iter().map(|v| v.re).collect::<Vec<f64>>())
    }

    fn encode_values<M: Mode, V: Value>(
        &self,
        params: &Params<Ckks<M>>,
        values: &[V],
    ) -> Result<Plaintext<M>, Error> {
        match self.layout {
            Layout::Full | Layout::Prefix => params.encode_within(values, self.magnitude),
            Layout::Padded => {
                let filler = values[values.len() - 1];
                params.encode_padded_within(values, filler, self.magnitude)
            }
            Layout::Repeated => params.encode_repeated_within(values, self.magnitude),
        }
    }

    /// Returns the content of all slots.
    pub(super) fn slots(&self, count: usize) -> Vec<Complex64> {
        let value = |i: usize| match self.layout {
            Layout::Full => self.values[i],
            Layout::Prefix => self.values.get(i).copied().unwrap_or(Complex64::ZERO),
            Layout::Padded => self.values[i.min(self.values.len() - 1)],
            Layout::Repeated => self.values[i % self.values.len()],
        };
        (0..count).map(value).collect()
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let largest = self.values.iter().map(|v| v.norm()).fold(0.0, f64::max);
        let (layout, count, magnitude) = (self.layout, self.values.len(), self.magnitude);
        write!(f, "{layout:?}({count} values up to {largest:e}, stated {magnitude:e})")
    }
}
