//! Switching keys: a seed and the halves that are not uniform.

use super::poly::{poly_len, read_poly, write_poly};
use crate::Error;
use crate::rlwe::{Context, Encoding, Galois, Level, Params, SwitchingKey};
use crate::wire::WireError;
use crate::wire::reader::{Reader, SEED_BYTES, at_most};
use fathom_ring::{Automorphism, GadgetVector, Limbs};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Length of the Galois element that precedes its key. Its highest byte holds the number of levels
/// of the key below the top one.
const EXPONENT_BYTES: usize = 4;
const EXPONENT_BITS: u32 = 24;
fn digit_count(context: &Context, level: Level) -> usize {
    context.gadget.digit_count(&context.ring, level.limbs().get())
}

/// Returns the limbs of a key for a level.
fn limbs(context: &Context, level: Level) -> Limbs {
    level.limbs().extended(context.special_count())
}

/// Returns the encoded length of a key for a level.
pub fn key_len(context: &Context, level: Level) -> usize {
    let poly = poly_len(context, limbs(context, level));
    SEED_BYTES + digit_count(context, level) * poly
}

/// Writes the seed and the halves that are not uniform.
pub fn write_key(key: &SwitchingKey, out: &mut Vec<u8>) {
    out.extend(key.seed.0);
    key.vector.pairs().for_each(|[half, _]| write_poly(&half, out));
}

/// Reads a key for a level; `tables` shares the conversion tables of another key.
///
/// # Errors
/// Those of [`read_poly`].
pub fn read_key(
    payload: &mut Reader<'_>,
    context: &Context,
    level: Level,
    tables: Option<&GadgetVector>,
) -> Result<SwitchingKey, Error> {
    let limbs = limbs(context, level);
    let seed = payload.seed()?;
    let halves = (0..digit_count(context, level))
        .map(|_| read_poly(payload, &context.ring, limbs))
        .collect::<Result<_, _>>()?;
    Ok(SwitchingKey::from_halves(context, seed, halves, tables))
}

pub(super) fn read_galois<S: Encoding>(
    payload: &mut Reader<'_>,
    params: &Params<S>,
    count: usize,
    tables: Option<&GadgetVector>,
) -> Result<BTreeMap<usize, Arc<Galois>>, Error> {
    let mut galois: BTreeMap<usize, Arc<Galois>> = BTreeMap::new();
    let mut previous = 1;
    for _ in 0..count {
        let word = payload.u32()?;
        let level = read_level(params, word >> EXPONENT_BITS)?;
        let exponent = word & ((1 << EXPONENT_BITS) - 1);
        let largest = 2 * params.degree() as u64 - 1;
        let exponent = at_most("Galois element", exponent.into(), largest)? as usize;
        if exponent.is_multiple_of(2) || exponent <= previous {
            return Err(WireError::Malformed { field: "Galois element" }.into());
        }
        let first = galois.first_key_value().map(|(_, galois)| &galois.key.vector);
        let key = read_key(payload, params.context(), level, tables.or(first))?;
        let automorphism = Automorphism::new(params.degree(), exponent);
        galois.insert(exponent, Arc::new(Galois { automorphism, key }));
        previous = exponent;
    }
    Ok(galois)
}

/// Returns the number of levels of a key below the top one.
pub(super) fn levels_below<S: Encoding>(params: &Params<S>, key: &SwitchingKey) -> u8 {
    (params.top_level().get() - key.level().get()) as u8
}

/// Returns the level that is this many levels below the top one.
pub(super) fn read_level<S: Encoding>(params: &Params<S>, below: u32) -> Result<Level, WireError> {
    let top = params.top_level().get();
    let below = at_most("levels of a key below the top", below.into(), top as u64)? as usize;
    Ok(Level::new(top - below))
}

/// Returns the encoded length of Galois keys with their elements.
pub(super) fn galois_len<S: Encoding>(
    params: &Params<S>,
    keys: &BTreeMap<usize, Arc<Galois>>,
) -> usize {
    keys.values().map(|galois| EXPONENT_BYTES + key_len(params.context(), galois.key.level())).sum()
}

/// Appends Galois keys, each after its element.
pub(super) fn write_galois<S: Encoding>(
    params: &Params<S>,
    keys: &BTreeMap<usize, Arc<Galois>>,
    out: &mut Vec<u8>,
) {
    for (exponent, galois) in keys {
        let below = u32::from(levels_below(params, &galois.key));
        out.extend((*exponent as u32 | below << EXPONENT_BITS).to_le_bytes());
        write_key(&galois.key, out);
    }
}

/// Reads the number of Galois keys. Refuses more than there are elements, which are the odd numbers
/// below `2N` without 1, and more than the rest of the payload can hold.
pub(super) fn read_count<S: Encoding>(
    params: &Params<S>,
    payload: &mut Reader<'_>,
) -> Result<usize, WireError> {
    let limit = params.degree() as u64 - 1;
    let count = at_most("Galois key count", payload.u32()?.into(), limit)? as usize;
    let (needed, got) =
        (count * (EXPONENT_BYTES + key_len(params.context(), Level::ZERO)), payload.len());
    if got < needed { Err(WireError::Truncated { needed, got }) } else { Ok(count) }
}
