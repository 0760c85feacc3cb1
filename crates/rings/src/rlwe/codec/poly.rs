//! Polynomials: one packed row for each prime.

use crate::rlwe::{Context, Encoding, Params, simulated_key};
use crate::wire::WireError;
use crate::wire::frame::Frame;
use crate::wire::pack::{pack, packed_len, unpack};
use crate::wire::reader::Reader;
use crate::{Error, KeyId};
use fathom_ring::{Domain, Limbs, Poly, Ring};
use std::sync::Arc;

/// Returns the encoded length of a polynomial with these limbs.
pub fn poly_len(context: &Context, limbs: Limbs) -> usize {
    let (ring, degree) = (&context.ring, context.degree());
    ring.prime_indices(limbs).map(|i| packed_len(degree, ring.modulus(i).bits())).sum()
}

/// Returns the identifier of the key that the object in a frame belongs to.
///
/// # Errors
/// [`Error::Simulated`] if the object or the parameters belong to a simulation.
pub fn key_of<S: Encoding>(params: &Params<S>, frame: &Frame<'_>) -> Result<KeyId, Error> {
    let key = frame.key()?;
    if params.context().is_simulated() || key == simulated_key(params) {
        return Err(Error::Simulated { operation: "decoding" });
    }
    Ok(key)
}

/// Writes the rows of a polynomial.
pub fn write_poly<D: Domain>(poly: &Poly<D>, out: &mut Vec<u8>) {
    let ring = poly.ring();
    for (row, prime) in ring.prime_indices(poly.limbs()).enumerate() {
        pack(poly.row(row), ring.modulus(prime).bits(), out);
    }
}

/// Reads a polynomial and refuses residues that are not below their prime.
///
/// # Errors
/// [`WireError::Truncated`], and that of a residue out of range.
pub fn read_poly<D: Domain>(
    reader: &mut Reader<'_>,
    ring: &Arc<Ring>,
    limbs: Limbs,
) -> Result<Poly<D>, WireError> {
    let len = |i| packed_len(ring.degree(), ring.modulus(i).bits());
    let mut bytes = Reader::new(reader.take(ring.prime_indices(limbs).map(len).sum())?);
    let mut poly = Poly::zero(ring, limbs);
    for (row, prime) in ring.prime_indices(limbs).enumerate() {
        let modulus = ring.modulus(prime);
        let packed = bytes.take(packed_len(ring.degree(), modulus.bits()))?;
        let limit = modulus.value() - 1;
        unpack(packed, modulus.bits(), limit, poly.row_mut(row))
            .map_err(|value| WireError::Range { field: "residue", value, limit })?;
    }
    Ok(poly)
}
