//! The layout of encrypted tables: their keys, and the coefficients that stand for a place.

use crate::lwe::LweCiphertext;
use crate::tfhe::Params;
use crate::tfhe::keys::automorphism_keys::AutomorphismShape;

/// Returns the shape of the automorphism keys that make tables. Only the sets of integers, with 2
/// bits of message and 2 of carry, have them.
pub(crate) fn table_shape(params: &Params) -> Option<AutomorphismShape> {
    let spec = params.spec();
    let has_tables = spec.message_bits == 2 && spec.carry_bits == 2 && spec.extension == 1;
    has_tables.then(|| AutomorphismShape::new(params, spec.degree.ilog2()))
}

/// Returns the number of coefficients, and of exponents, that stand for one place of a table.
pub(in crate::tfhe) fn width(params: &Params) -> usize {
    params.spec().degree / params.space().half() as usize
}

/// Returns, for each coefficient, the ciphertext to be merged there: the values, at distances of
/// the number of exponents that stand for one place.
pub(in crate::tfhe) fn spread<'a>(
    values: &[&'a LweCiphertext],
    params: &Params,
) -> Vec<Option<&'a LweCiphertext>> {
    let mut spread = vec![None; params.spec().degree];
    for (slot, value) in spread.iter_mut().step_by(width(params)).zip(values) {
        // A vacant place holds 0 anyway.
        *slot = (!value.is_trivial() || value.body() != 0).then_some(*value);
    }
    spread
}
