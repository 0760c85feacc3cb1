//! Switching keys: a seed and the halves that are not uniform.

use super::poly::{poly_len, read_poly, write_poly};
use crate::Error;
use crate::rlwe::{Encoding, Galois, Params, SwitchingKey};
use crate::wire::WireError;
use crate::wire::reader::{Reader, at_most};
use fathom_ring::{Automorphism, GadgetVector};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Length of the Galois element that precedes its key.
const EXPONENT_BYTES: usize = 4;
const SEED_BYTES: usize = 32;

fn digit_count<S: Encoding>(params: &Params<S>) -> usize {
    let context = params.context();
    context.gadget.digit_count(&context.ring, context.ring.chain_len())
}

pub(super) fn key_len<S: Encoding>(params: &Params<S>) -> usize {
    let context = params.context();
    SEED_BYTES + digit_count(params) * poly_len(context, context.ring.all_limbs())
}

pub(super) fn write_key(key: &SwitchingKey, out: &mut Vec<u8>) {
    out.extend(key.seed.0);
    key.vector.pairs().for_each(|[half, _]| write_poly(&half, out));
}

pub(super) fn read_key<S: Encoding>(
    payload: &mut Reader<'_>,
    params: &Params<S>,
    tables: Option<&GadgetVector>,
) -> Result<SwitchingKey, Error> {
    let context = params.context();
    let limbs = context.ring.all_limbs();
    let seed = payload.seed()?;
    let halves = (0..digit_count(params))
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
        let exponent = payload.u32()?;
        let largest = 2 * params.degree() as u64 - 1;
        let exponent = at_most("Galois element", exponent.into(), largest)? as usize;
        if exponent.is_multiple_of(2) || exponent <= previous {
            return Err(WireError::Malformed { field: "Galois element" }.into());
        }
        let first = galois.first_key_value().map(|(_, galois)| &galois.key.vector);
        let key = read_key(payload, params, tables.or(first))?;
        let automorphism = Automorphism::new(params.degree(), exponent);
        galois.insert(exponent, Arc::new(Galois { automorphism, key }));
        previous = exponent;
    }
    Ok(galois)
}

/// Returns the encoded length of `count` Galois keys with their elements.
pub(super) fn galois_len<S: Encoding>(params: &Params<S>, count: usize) -> usize {
    count * (EXPONENT_BYTES + key_len(params))
}

/// Appends Galois keys, each after its element.
pub(super) fn write_galois(keys: &BTreeMap<usize, Arc<Galois>>, out: &mut Vec<u8>) {
    for (exponent, galois) in keys {
        out.extend((*exponent as u32).to_le_bytes());
        write_key(&galois.key, out);
    }
}

/// Refuses more Galois keys than there are elements: odd numbers below `2N`, without 1.
pub(super) fn check_count<S: Encoding>(params: &Params<S>, count: u32) -> Result<usize, WireError> {
    let limit = params.degree() as u64 - 1;
    Ok(at_most("Galois key count", count.into(), limit)? as usize)
}
