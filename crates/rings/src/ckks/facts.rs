//! Public knowledge of the slots of a message besides their bound.
//!
//! `encode` fills the slots that no value was given for with zeros, and every operation on all
//! slots computes on those too: a logarithm of a zero wraps the phase of *all* slots. A message
//! therefore knows what its slots without a value hold, as a disc of complex numbers that every
//! operation maps. A disc of radius 0 is a known number. Theorem 6 of docs/maths/ckks.md.

use super::{DomainError, Interval};
use crate::Error;
use crate::rlwe::{Facts, Known};
use fathom_ring::Complex64;

/// Public knowledge of the slots of a message besides their bound.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SlotFacts {
    /// Set unless all slots are real numbers.
    pub(crate) complex: bool,
    /// Numbers in the slots that no value was given for; `None` if there are no such slots.
    pub(crate) padding: Option<Padding>,
    /// The narrowest promise of a caller that the bound on the message relies on.
    pub(crate) promise: Option<Interval>,
    /// Part of the bound on the error in every slot that comes from an approximation: what a slot
    /// holds differs from its message by a real number of at most this size, and by the rest of the
    /// error. Zero if nothing is known.
    pub(crate) deviation: f64,
}

/// A disc of complex numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Padding {
    /// The centre.
    pub center: Complex64,
    /// The radius.
    pub radius: f64,
    /// Set if the slots that no operand has a value for hold the centre itself.
    pub occurs: bool,
    /// The slots.
    pub places: Places,
}

/// The slots that no value was given for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// All from some slot on: an encoder filled them.
    Tail,
    /// Some slots: those of a tail that was rotated, or all but a selection.
    Some,
    /// Some slots or none, in any pattern: one in every block of a layout that repeats, or what
    /// two operands have in common.
    Unknown,
}

impl Places {
    /// Returns the places that have no value in both operands. Two tails overlap.
    fn common(self, other: Places) -> Places {
        if self == Places::Tail { other.of_tail() } else { Places::Unknown }
    }

    fn of_tail(self) -> Places {
        if self == Places::Tail { self } else { Places::Unknown }
    }
}

/// Bounds are compared up to this relative difference, which covers the roundings of bounds.
pub(crate) const BOUND_ROUNDING: f64 = 1e-9;
/// Covers the roundings of centres and radii.
const ROUNDING: f64 = 1.0 / (1_u64 << 40) as f64;

impl Padding {
    pub(crate) const ZEROS: Padding =
        Padding { center: Complex64::ZERO, radius: 0.0, occurs: true, places: Places::Tail };

    /// Returns the image under a function that maps the centre to `value`, every number to one of
    /// absolute value up to `magnitude`, and whose slope in the disc is at most `slope`.
    pub fn mapped(self, value: Complex64, slope: f64, magnitude: f64) -> Padding {
        let spread = (slope * self.radius).min(value.norm() + magnitude);
        let radius = spread + ROUNDING * magnitude;
        Padding { center: value, radius, ..self }
    }

    /// Returns the disc for numbers that are known to be at most `magnitude`, up to the roundings
    /// of bounds.
    pub(crate) fn cut(self, magnitude: f64) -> Padding {
        if self.magnitude() <= magnitude * (1.0 + BOUND_ROUNDING) {
            return self;
        }
        let occurs = self.occurs && self.center.norm() <= 0.0;
        Padding { center: Complex64::ZERO, radius: magnitude, occurs, ..self }
    }

    /// Returns the disc for numbers that differ by at most `error`.
    pub(crate) fn widened(self, error: f64) -> Padding {
        Padding { radius: self.radius + error, ..self }
    }

    /// Returns the least interval that contains the real parts.
    pub(crate) fn reals(self) -> Interval {
        Interval { low: self.center.re - self.radius, high: self.center.re + self.radius }
    }

    /// Returns by how much a number of the disc may lie outside of the interval.
    pub(crate) fn excess(self, interval: Interval) -> f64 {
        let Interval { low, high } = self.reals();
        let [below, above] = [interval.low - low, high - interval.high];
        // A maximum passes over what is not a number.
        if below.is_nan() || above.is_nan() { f64::NAN } else { below.max(above).max(0.0) }
    }

    /// Returns the largest absolute value.
    pub fn magnitude(self) -> f64 {
        self.center.norm() + self.radius
    }

    fn scaled(self, factor: Complex64) -> Padding {
        Padding { center: self.center * factor, radius: self.radius * factor.norm(), ..self }
    }

    /// Returns the disc, or that of all numbers up to `magnitude` around the same centre.
    fn within(self, magnitude: f64) -> Padding {
        Padding { radius: self.radius.min(self.center.norm() + magnitude), ..self }
    }
}

impl SlotFacts {
    /// Returns the facts of the product with a number.
    pub(crate) fn scaled(self, factor: Complex64) -> SlotFacts {
        SlotFacts {
            complex: self.complex || is_complex(factor),
            padding: self.padding.map(|padding| padding.scaled(factor)),
            promise: self.promise,
            deviation: 0.0,
        }
    }

    /// Returns the facts of the sum with a number.
    pub(crate) fn shifted(self, term: Complex64) -> SlotFacts {
        let shifted = |padding: Padding| Padding { center: padding.center + term, ..padding };
        SlotFacts {
            complex: self.complex || is_complex(term),
            padding: self.padding.map(shifted),
            promise: self.promise,
            deviation: if is_complex(term) { 0.0 } else { self.deviation },
        }
    }

    /// Returns the facts of a message that a caller promises to be in the interval.
    pub(crate) fn promised(self, promise: Interval) -> SlotFacts {
        SlotFacts { promise: narrower(self.promise, Some(promise)), ..self }
    }
}

fn is_complex(number: Complex64) -> bool {
    number.im.abs() > 0.0
}

fn narrower(left: Option<Interval>, right: Option<Interval>) -> Option<Interval> {
    match (left, right) {
        (Some(l), Some(r)) => Some(if l.width() <= r.width() { l } else { r }),
        (one, other) => one.or(other),
    }
}

/// Combines the facts of two messages, where `padding` combines what slots without a value hold.
fn joined(left: Known<SlotFacts>, right: Known<SlotFacts>, padding: Option<Padding>) -> SlotFacts {
    let (l, r) = (left.facts, right.facts);
    let (complex, promise) = (l.complex || r.complex, narrower(l.promise, r.promise));
    SlotFacts { complex, padding, promise, deviation: 0.0 }
}

impl Facts for SlotFacts {
    fn negated(self) -> Self {
        SlotFacts { deviation: self.deviation, ..self.scaled(Complex64::new(-1.0, 0.0)) }
    }

    fn conjugated(self) -> Self {
        let conjugated = |p: Padding| Padding { center: p.center.conj(), ..p };
        SlotFacts { padding: self.padding.map(conjugated), ..self }
    }

    /// A slot of the sum has no value of its own if it has none in one of the operands, which the
    /// other operand may add any of its values to.
    fn plus(left: Known<Self>, right: Known<Self>) -> Self {
        let alone = |p: Padding, magnitude: f64| Padding {
            radius: p.radius + magnitude,
            occurs: false,
            ..p
        };
        let padding = match (left.facts.padding, right.facts.padding) {
            (None, None) => None,
            (Some(p), None) => Some(alone(p, right.magnitude)),
            (None, Some(p)) => Some(alone(p, left.magnitude)),
            (Some(l), Some(r)) => Some(Padding {
                center: l.center + r.center,
                radius: (l.radius + r.radius)
                    .max(l.radius + right.magnitude + r.center.norm())
                    .max(r.radius + left.magnitude + l.center.norm()),
                occurs: l.occurs && r.occurs,
                places: l.places.common(r.places),
            }),
        };
        let magnitude = left.magnitude + right.magnitude;
        let sum = joined(left, right, padding.map(|p| p.within(magnitude)));
        SlotFacts { deviation: left.facts.deviation + right.facts.deviation, ..sum }
    }

    /// Follows the rule for sums; a product with zero is zero, whatever the other operand is.
    fn times(left: Known<Self>, right: Known<Self>) -> Self {
        let alone = |p: Padding, magnitude: f64| {
            let radius = p.magnitude() * magnitude;
            Padding { center: Complex64::ZERO, radius, occurs: radius <= 0.0, ..p }
        };
        let padding = match (left.facts.padding, right.facts.padding) {
            (None, None) => None,
            (Some(p), None) => Some(alone(p, right.magnitude)),
            (None, Some(p)) => Some(alone(p, left.magnitude)),
            (Some(l), Some(r)) => {
                let center = l.center * r.center;
                let both =
                    l.center.norm() * r.radius + r.center.norm() * l.radius + l.radius * r.radius;
                let either = (l.magnitude() * right.magnitude).max(r.magnitude() * left.magnitude);
                let radius = if either > 0.0 { both.max(either + center.norm()) } else { 0.0 };
                let places = l.places.common(r.places);
                Some(Padding { center, radius, occurs: l.occurs && r.occurs, places })
            }
        };
        let magnitude = left.magnitude * right.magnitude;
        joined(left, right, padding.map(|p| p.within(magnitude)))
    }

    /// A row of zeros gives a zero, as a slot without a value; where the operand has such slots,
    /// each slot of the result may depend on one.
    fn mapped(self, operand: Self, magnitude: f64) -> Self {
        let places = Places::Unknown;
        let anything =
            Padding { center: Complex64::ZERO, radius: magnitude, occurs: false, places };
        let own = self.padding.map(|p| Padding { places, ..p });
        SlotFacts {
            complex: self.complex || operand.complex,
            padding: operand.padding.map_or(own, |_| Some(anything)),
            promise: narrower(self.promise, operand.promise),
            deviation: 0.0,
        }
    }

    /// Slots without a value that hold zero do not change the sum, which is then a value in every
    /// slot.
    fn summed_up(self, operand: Self) -> Self {
        let zero = |p: Padding| p.magnitude() <= 0.0;
        if operand.padding.is_some_and(zero) { SlotFacts { padding: None, ..self } } else { self }
    }

    fn rotated(self) -> Self {
        let moved = |places| if places == Places::Tail { Places::Some } else { places };
        let moved = |p: Padding| Padding { places: moved(p.places), ..p };
        SlotFacts { padding: self.padding.map(moved), ..self }
    }

    /// Slots of the selection are values, because the caller names them.
    fn selected(self) -> Self {
        let zeros = Padding { places: Places::Some, ..Padding::ZEROS };
        SlotFacts { padding: Some(zeros), ..self }
    }

    /// A vector that repeats in all slots leaves none without a value, but for those that are in
    /// every repetition.
    fn check_packed(self, operation: &'static str, size: usize) -> Result<(), Error> {
        let once = |p: &Padding| p.occurs && p.places != Places::Unknown;
        let Some(padding) = self.padding.filter(once) else { return Ok(()) };
        let Interval { low, high } = padding.reals();
        Err(DomainError::NotPacked { operation, size, low, high }.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_8;

    fn known(padding: Option<Padding>, magnitude: f64) -> Known<SlotFacts> {
        Known { facts: SlotFacts { padding, ..SlotFacts::default() }, magnitude }
    }

    fn at(center: f64, radius: f64) -> Padding {
        Padding { center: center.into(), radius, ..Padding::ZEROS }
    }

    /// Samples of what a slot may hold without a value, and with one.
    fn samples(known: Known<SlotFacts>) -> (Vec<Complex64>, Vec<Complex64>) {
        let turns = || (0..16).map(|i| Complex64::from_polar(1.0, f64::from(i) * FRAC_PI_8));
        let without = known
            .facts
            .padding
            .map_or(Vec::new(), |p| turns().map(|t| p.center + t * p.radius).collect());
        (without, turns().map(|t| t * known.magnitude).collect())
    }

    /// Every slot without a value in one operand is in the disc of the result.
    #[test]
    fn discs_enclose_every_combination_of_slots() {
        let operands = [
            known(None, 2.0),
            known(Some(at(0.0, 0.0)), 1.0),
            known(Some(at(1.5, 0.0)), 1.5),
            known(Some(at(-0.5, 0.25)), 3.0),
        ];
        for left in operands {
            for right in operands {
                let ((a, x), (b, y)) = (samples(left), samples(right));
                let pairs = |a: &[Complex64], b: &[Complex64]| -> Vec<(Complex64, Complex64)> {
                    a.iter().flat_map(|a| b.iter().map(|b| (*a, *b))).collect()
                };
                let all = [pairs(&a, &b), pairs(&a, &y), pairs(&x, &b)].concat();
                let sum = SlotFacts::plus(left, right).padding;
                let product = SlotFacts::times(left, right).padding;
                assert_eq!(sum.is_some(), !all.is_empty());
                for (u, v) in all {
                    let (sum, product) = (sum.unwrap(), product.unwrap());
                    assert!((u + v - sum.center).norm() <= sum.radius + 1e-9, "{sum:?}");
                    assert!((u * v - product.center).norm() <= product.radius + 1e-9);
                }
            }
        }
    }

    #[test]
    fn zeros_stay_known_zeros_in_products_and_known_numbers_in_sums() {
        let zeros = known(Some(Padding::ZEROS), 1.0);
        let product = SlotFacts::times(zeros, known(None, 7.0));
        assert_eq!(product.padding, Some(Padding::ZEROS));
        let shifted = zeros.facts.shifted(2.0.into());
        assert_eq!(shifted.padding, Some(at(2.0, 0.0)));
        assert_eq!(shifted.scaled((-3.0).into()).padding, Some(at(-6.0, 0.0)));
        let sum = SlotFacts::plus(zeros, Known { facts: shifted, magnitude: 3.0 }).padding.unwrap();
        assert!(sum.occurs && (sum.center.re - 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_sum_of_all_slots_is_a_value_if_the_others_are_zero() {
        let zeros = SlotFacts { padding: Some(Padding::ZEROS), ..SlotFacts::default() };
        let unknown = SlotFacts { padding: Some(at(0.0, 3.0)), ..SlotFacts::default() };
        assert_eq!(unknown.summed_up(zeros).padding, None);
        assert_eq!(unknown.summed_up(unknown).padding, Some(at(0.0, 3.0)));
    }
}
