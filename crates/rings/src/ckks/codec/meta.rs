//! The wire form of what a CKKS ciphertext states beside its residues: the scale, 8 bytes, and
//! facts about its slots, 49 bytes.
//!
//! Facts are one byte of flags, then centre and radius of what slots hold that no value was given
//! for, then the ends of a promise, then the part of the error that is an approximation; zeros for
//! what there is not. The sender of a fresh ciphertext may claim a magnitude; the larger one of it
//! and that of the parameters is assumed.

use super::super::encode::encoding_error;
use super::super::encoding::LARGEST_SCALE;
use super::super::facts::{Padding, Places, SlotFacts};
use super::super::{Ckks, Complex64, Interval, Mode};
use crate::rlwe::codec::is_bound;
use crate::rlwe::{Bounds, Level, Mechanics, MetaCodec, Params};
use crate::wire::WireError;
use crate::wire::reader::{Reader, at_most};

impl<M: Mode> MetaCodec for Ckks<M> {
    const META_FIELD: &'static str = "scale";

    fn write_meta(scale: f64) -> Vec<u8> {
        scale.to_le_bytes().to_vec()
    }

    /// Reads a scale, which is from 1 to the largest one. That of tiny messages may exceed the
    /// modulus.
    fn read_meta(_: &Params<Self>, _: Level, bytes: &[u8]) -> Result<f64, WireError> {
        let mut reader = Reader::new(bytes);
        if reader.len() != 8 {
            return Err(WireError::Malformed { field: "metadata" });
        }
        let scale = reader.f64()?;
        if (1.0..=LARGEST_SCALE).contains(&scale) {
            Ok(scale)
        } else {
            Err(WireError::Malformed { field: "scale" })
        }
    }
    const FACTS_BYTES: usize = FACTS_LEN;

    fn write_facts(facts: SlotFacts) -> Vec<u8> {
        encode_facts(facts)
    }

    fn read_facts(bytes: &[u8]) -> Result<SlotFacts, WireError> {
        decode_facts(bytes)
    }

    /// Encryption knows no promises and no approximations, and fills slots with zeros alone.
    fn are_fresh_facts(facts: SlotFacts) -> bool {
        facts.promise.is_none()
            && facts.deviation <= 0.0
            && facts.padding.is_none_or(|p| {
                p.places != Places::Some && Padding { places: Places::Tail, ..p } == Padding::ZEROS
            })
    }

    /// Takes the larger of the magnitude of the parameters and the one that the sender claims.
    fn received(params: &Params<Self>, claimed: Bounds) -> Result<[Bounds; 2], WireError> {
        let Bounds { coefficient, euclidean, root } = claimed;
        let norms = [coefficient, euclidean, root];
        if !norms.iter().all(|x| x.is_finite() && x.is_sign_positive()) || !norms.is_sorted() {
            return Err(WireError::Malformed { field: "noise bound" });
        }
        let size = root.max(Self::message_bound(params).root);
        Ok([Bounds::of_root_values(size), encoding_error(params, size)])
    }
}

/// Length of the facts in bytes.
const FACTS_LEN: usize = 1 + 6 * 8;

const COMPLEX: u8 = 1;
const PADDING: u8 = 2;
const OCCURS: u8 = 4;
const PROMISE: u8 = 8;
const SOME_PLACES: u8 = 16;
const UNKNOWN_PLACES: u8 = 32;

fn encode_facts(facts: SlotFacts) -> Vec<u8> {
    let SlotFacts { complex, padding, promise, deviation } = facts;
    let flag = |set, flag| if set { flag } else { 0 };
    let flags = flag(complex, COMPLEX)
        | flag(padding.is_some(), PADDING)
        | flag(padding.is_some_and(|p| p.occurs), OCCURS)
        | flag(promise.is_some(), PROMISE)
        | padding.map_or(0, |p| match p.places {
            Places::Tail => 0,
            Places::Some => SOME_PLACES,
            Places::Unknown => UNKNOWN_PLACES,
        });
    let disc = padding.map_or([0.0; 3], |p| [p.center.re, p.center.im, p.radius]);
    let ends = promise.map_or([0.0; 2], |p| [p.low, p.high]);
    let numbers = disc.into_iter().chain(ends).chain([deviation]).flat_map(f64::to_le_bytes);
    [flags].into_iter().chain(numbers).collect()
}

/// Reads facts, which have to be written as [`encode_facts`] does.
fn decode_facts(bytes: &[u8]) -> Result<SlotFacts, WireError> {
    let malformed = WireError::Malformed { field: "slots" };
    let mut reader = Reader::new(bytes);
    let all = COMPLEX | PADDING | OCCURS | PROMISE | SOME_PLACES | UNKNOWN_PLACES;
    let flags = at_most("flags of the slots", reader.u8()?.into(), all.into())? as u8;
    let has = |flag| flags & flag != 0;
    let (re, im, radius) = (reader.f64()?, reader.f64()?, reader.f64()?);
    let (low, high, deviation) = (reader.f64()?, reader.f64()?, reader.f64()?);
    reader.finish()?;
    let places = match (has(SOME_PLACES), has(UNKNOWN_PLACES)) {
        (false, false) => Places::Tail,
        (true, _) => Places::Some,
        (false, true) => Places::Unknown,
    };
    let padding = Padding { center: Complex64::new(re, im), radius, occurs: has(OCCURS), places };
    let facts = SlotFacts {
        complex: has(COMPLEX),
        padding: has(PADDING).then_some(padding),
        promise: has(PROMISE).then_some(Interval { low, high }),
        deviation,
    };
    let disc = padding.center.is_finite() && radius.is_finite() && radius.is_sign_positive();
    let ordered = low <= high && (high - low).is_finite();
    // Fields of what there is not are zeros.
    if disc && ordered && is_bound(deviation) && encode_facts(facts) == bytes {
        Ok(facts)
    } else {
        Err(malformed)
    }
}
