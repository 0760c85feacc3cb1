//! Evaluation keys of FHEW: the ciphertexts of the blind rotation, then those of the key switch.

use super::codec::{SCHEME, seal_fhew};
use super::rgsw::{Accumulators, Rlwe, limbs};
use super::rotation_key::RotationKey;
use super::switch::SwitchKey;
use super::{FhewEvaluationKeys, FhewParams};
use crate::Error;
use fathom::building::Reader;
use fathom::building::{OVERHEAD, open};
use fathom::building::{pack, packed_len, unpack};
use fathom::wire::Kind;
use fathom::wire::WireError;
use fathom_ring::Poly;

/// Returns the encoded length of a polynomial of the accumulators.
fn poly_len(params: &FhewParams) -> usize {
    packed_len(params.degree, params.ring_bits)
}

fn payload_len(params: &FhewParams, accumulators: &Accumulators) -> usize {
    let rows = RotationKey::row_count(params, accumulators.gadget.levels());
    let rotation = rows * 2 * poly_len(params);
    rotation + 2 * SwitchKey::word_count(params)
}

impl FhewEvaluationKeys {
    /// Encodes the keys as a frame of 90 MB for `fhew_lmkcdey_128`, 121 MB for `fhew_ginx_128` and
    /// 815 MB for `fhew_ap_128`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (params, key_id) = (self.params(), Some(self.key_id()));
        let length = self.byte_len() - OVERHEAD;
        seal_fhew(Kind::EvaluationKeys, params, key_id, length, |out| {
            for part in self.rotation().rows().into_iter().flatten() {
                pack(part.row(0), params.ring_bits, out);
            }
            out.extend(self.switch().words().iter().flat_map(|word| word.to_le_bytes()));
        })
    }

    /// Returns the length of [`FhewEvaluationKeys::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + payload_len(self.params(), self.accumulators())
    }

    /// Reads keys of this set. They cannot be verified; wrong keys make the results of their owner
    /// wrong.
    ///
    /// # Errors
    /// Any [`WireError`] of a damaged or foreign frame; [`WireError::Range`] for a residue that is
    /// not below the modulus; [`WireError::Malformed`] for a word of more than 15 bits;
    /// [`fathom::Error::Ring`] if the kernel named in the environment cannot serve the ring.
    pub fn from_bytes(params: &FhewParams, bytes: &[u8]) -> Result<FhewEvaluationKeys, Error> {
        let frame = open(bytes, Kind::EvaluationKeys, SCHEME)?.plain()?;
        let accumulators = Accumulators::new(params)?;
        frame.expect(&params.id(), payload_len(params, &accumulators))?;
        let (key_id, mut payload) = (frame.key()?, frame.payload);
        let next = || read_row(params, &accumulators, &mut payload);
        let rotation = RotationKey::from_rows(&accumulators, params, next)?;
        let words = payload.take(2 * SwitchKey::word_count(params))?;
        payload.finish()?;
        let words = words.as_chunks().0.iter().map(|word| u16::from_le_bytes(*word)).collect();
        let switch = SwitchKey::from_words(params, params.owner(key_id), words)
            .ok_or(WireError::Malformed { field: "word" })?;
        Ok(FhewEvaluationKeys::from_parts(params, accumulators, rotation, switch))
    }
}

/// Reads a ciphertext of the accumulators and refuses residues that are not below the modulus.
fn read_row(
    params: &FhewParams,
    accumulators: &Accumulators,
    payload: &mut Reader<'_>,
) -> Result<Rlwe, WireError> {
    let limit = accumulators.modulus - 1;
    let mut read = || {
        let mut part = Poly::zero(&accumulators.ring, limbs());
        unpack(payload.take(poly_len(params))?, params.ring_bits, limit, part.row_mut(0))
            .map_err(|value| WireError::Range { field: "residue", value, limit })?;
        Ok(part)
    };
    Ok([read()?, read()?])
}
