//! Evaluation keys of FHEW: the ciphertexts of the blind rotation, then those of the key switch.

use super::codec::SCHEME;
use super::rgsw::{Accumulators, Rlwe, limbs};
use super::rotation_key::RotationKey;
use super::switch::SwitchKey;
use super::{FhewEvaluationKeys, FhewParams};
use fathom_base::wire::frame::Frame;
use fathom_base::wire::pack::{pack, packed_len, unpack};
use fathom_base::wire::reader::Reader;
use fathom_base::wire::{Header, Kind, Trust, Wire, WireError, WireObject};
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

/// A residue that is not below the modulus is refused with [`WireError::Range`], a word of more
/// than 15 bits with [`WireError::Malformed`].
impl Wire for FhewEvaluationKeys {
    type Context = FhewParams;
    const KIND: Kind = Kind::EvaluationKeys;
    const SCHEME: &'static str = SCHEME;

    fn read(params: &FhewParams, frame: &mut Frame<'_>, _: Trust) -> Result<Self, fathom::Error> {
        let accumulators = Accumulators::new(params)?;
        frame.plain()?.expect(&params.id(), payload_len(params, &accumulators))?;
        let (key_id, payload) = (frame.key()?, &mut frame.payload);
        let next = || read_row(params, &accumulators, payload);
        let rotation = RotationKey::from_rows(&accumulators, params, next)?;
        let words = payload.take(2 * SwitchKey::word_count(params))?;
        let words = words.as_chunks().0.iter().map(|word| u16::from_le_bytes(*word)).collect();
        let switch = SwitchKey::from_words(params, params.owner(key_id), words)
            .ok_or(WireError::Malformed { field: "word" })?;
        Ok(FhewEvaluationKeys::from_parts(params, accumulators, rotation, switch))
    }
}

/// The form has 90 MB for `fhew_lmkcdey_128`, 121 MB for `fhew_ginx_128` and 815 MB for
/// `fhew_ap_128`.
impl WireObject for FhewEvaluationKeys {
    fn header(&self) -> Header {
        Header::of_key(self.params().id(), self.key_id())
    }

    fn payload_len(&self) -> usize {
        payload_len(self.params(), self.accumulators())
    }

    fn write(&self, out: &mut Vec<u8>) {
        for part in self.rotation().rows().into_iter().flatten() {
            pack(part.row(0), self.params().ring_bits, out);
        }
        out.extend(self.switch().words().iter().flat_map(|word| word.to_le_bytes()));
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
