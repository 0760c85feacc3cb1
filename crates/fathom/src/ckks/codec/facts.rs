//! Facts about slots: 49 bytes. One byte of flags, then centre and radius of what slots hold
//! that no value was given for, then the ends of a promise, then the part of the error that is an
//! approximation; zeros for what there is not.

use super::super::facts::{Padding, SlotFacts};
use super::super::{Complex64, Interval};
use crate::rlwe::codec::is_bound;
use crate::wire::WireError;
use crate::wire::reader::{Reader, at_most};

/// Length of the facts.
pub(super) const BYTES: usize = 1 + 6 * 8;

const COMPLEX: u8 = 1;
const PADDING: u8 = 2;
const OCCURS: u8 = 4;
const PROMISE: u8 = 8;

pub(super) fn write(facts: SlotFacts) -> Vec<u8> {
    let SlotFacts { complex, padding, promise, deviation } = facts;
    let flag = |set, flag| if set { flag } else { 0 };
    let flags = flag(complex, COMPLEX)
        | flag(padding.is_some(), PADDING)
        | flag(padding.is_some_and(|p| p.occurs), OCCURS)
        | flag(promise.is_some(), PROMISE);
    let disc = padding.map_or([0.0; 3], |p| [p.center.re, p.center.im, p.radius]);
    let ends = promise.map_or([0.0; 2], |p| [p.low, p.high]);
    let numbers = disc.into_iter().chain(ends).chain([deviation]).flat_map(f64::to_le_bytes);
    [flags].into_iter().chain(numbers).collect()
}

/// Reads facts, which have to be written as [`write`] does.
pub(super) fn read(bytes: &[u8]) -> Result<SlotFacts, WireError> {
    let malformed = WireError::Malformed { field: "slots" };
    let mut reader = Reader::new(bytes);
    let all = COMPLEX | PADDING | OCCURS | PROMISE;
    let flags = at_most("flags of the slots", reader.u8()?.into(), all.into())? as u8;
    let has = |flag| flags & flag != 0;
    let (re, im, radius) = (reader.f64()?, reader.f64()?, reader.f64()?);
    let (low, high, deviation) = (reader.f64()?, reader.f64()?, reader.f64()?);
    reader.finish()?;
    let padding = Padding { center: Complex64::new(re, im), radius, occurs: has(OCCURS) };
    let facts = SlotFacts {
        complex: has(COMPLEX),
        padding: has(PADDING).then_some(padding),
        promise: has(PROMISE).then_some(Interval { low, high }),
        deviation,
    };
    let disc = padding.center.is_finite() && radius.is_finite() && radius.is_sign_positive();
    let ordered = low <= high && (high - low).is_finite();
    // Fields of what there is not are zeros.
    if disc && ordered && is_bound(deviation) && write(facts) == bytes {
        Ok(facts)
    } else {
        Err(malformed)
    }
}
