//! The objects of the FHEW family: parameters, secret keys and bits.
//!
//! A frame identifies its parameter set by a hash of the description.

use crate::Error;
use crate::{FhewBit, FhewParams, FhewSecretKey};
use fathom::KeyId;
use fathom::building::at_most;
use fathom::building::{CLEAR, Fields, Label, OVERHEAD, open, seal, transparent};
use fathom::wire::Kind;
use fathom::wire::WireError;
use fathom_ring::SecretCoefficients;
use zeroize::Zeroizing;

/// Name of the scheme in frames.
pub(super) const SCHEME: &str = "fhew";

/// Number of secret key coefficients per byte.
const PER_BYTE: usize = 4;

pub(super) fn seal_fhew(
    kind: Kind,
    params: &FhewParams,
    key_id: Option<KeyId>,
    payload_len: usize,
    write: impl FnOnce(&mut Vec<u8>),
) -> Vec<u8> {
    let id = params.id();
    let label = Label { kind, scheme: SCHEME, params_id: &id, key_id };
    seal(label, Fields::default(), payload_len, write)
}

/// Returns the error for an object that does not belong to the parameters.
fn foreign(params: &FhewParams) -> Error {
    let (left, right) = (params.name().to_owned(), "the set of the bit".to_owned());
    fathom::Error::ParamsMismatch { left, right }.into()
}

impl FhewParams {
    /// Encodes the set as a frame that holds its name.
    pub fn to_bytes(&self) -> Vec<u8> {
        let name = self.name();
        seal_fhew(Kind::Params, self, None, name.len(), |out| out.extend(name.bytes()))
    }

    /// Returns the length of [`FhewParams::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + self.name().len()
    }

    /// Reads one of the sets that the library provides; there are no others.
    ///
    /// # Errors
    /// Any [`WireError`] of a damaged frame; [`WireError::Malformed`] for another name;
    /// [`fathom::Error::ParamsMismatch`] if the frame names another set.
    pub fn from_bytes(bytes: &[u8]) -> Result<FhewParams, Error> {
        let frame = open(bytes, Kind::Params, SCHEME)?.plain()?.keyless()?;
        let mut payload = frame.payload;
        let name = payload.take(payload.len())?;
        let mut sets = FhewParams::presets().into_iter();
        let set = sets.find(|set| set.name().as_bytes() == name);
        let set = set.ok_or(WireError::Malformed { field: "name" })?;
        frame.belongs(&set.id())?;
        Ok(set)
    }
}

/// Returns the encoded length of a key with this number of coefficients.
fn key_len(dimension: usize) -> usize {
    dimension.div_ceil(PER_BYTE)
}

impl FhewSecretKey {
    /// Encodes the key as a frame. The bytes are **secret** and wiped when dropped.
    pub fn to_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        let params = self.params();
        let length = self.byte_len() - OVERHEAD;
        Zeroizing::new(seal_fhew(Kind::SecretKey, params, Some(self.id()), length, |out| {
            for key in self.coefficients() {
                // Each coefficient takes two bits, which hold the coefficient plus one.
                let byte =
                    |part: &[i64]| part.iter().rev().fold(0, |byte, &x| byte << 2 | (x + 1) as u8);
                out.extend(key.expose().chunks(PER_BYTE).map(byte));
            }
        }))
    }

    /// Returns the length of [`FhewSecretKey::to_secret_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        let params = self.params();
        OVERHEAD + key_len(params.lwe_dimension()) + key_len(params.degree())
    }

    /// Reads a key of this set.
    ///
    /// # Errors
    /// Any [`WireError`] of a damaged or foreign frame; [`WireError::Malformed`] if a coefficient
    /// is not ternary.
    pub fn from_secret_bytes(params: &FhewParams, bytes: &[u8]) -> Result<Self, Error> {
        let frame = open(bytes, Kind::SecretKey, SCHEME)?.plain()?;
        let dimensions = [params.lwe_dimension(), params.degree()];
        frame.expect(&params.id(), dimensions.into_iter().map(key_len).sum())?;
        let (key_id, mut payload) = (frame.key()?, frame.payload);
        let mut read = |dimension: usize| -> Result<SecretCoefficients, Error> {
            let bytes = payload.take(key_len(dimension))?;
            let places = 0..PER_BYTE * bytes.len();
            let digit = |i: usize| i64::from(bytes[i / PER_BYTE] >> (2 * (i % PER_BYTE)) & 3);
            // The value 3 and nonzero padding show in the sum over all coefficients, without a
            // branch on any of them.
            let wrong = |i: usize| if i < dimension { digit(i) / 3 } else { digit(i) };
            if places.map(wrong).sum::<i64>() > 0 {
                return Err(WireError::Malformed { field: "key" }.into());
            }
            Ok(SecretCoefficients::new((0..dimension).map(|i| digit(i) - 1).collect()))
        };
        let (lwe, ring) = (read(dimensions[0])?, read(dimensions[1])?);
        payload.finish()?;
        Ok(FhewSecretKey::from_parts(params.clone(), key_id, [lwe, ring]))
    }
}

/// The encoded length of a clear bit.
const CLEAR_LEN: usize = 1;

/// Returns the encoded length of a bit, whose words of 15 bits take two bytes each.
fn bit_len(params: &FhewParams) -> usize {
    2 * (params.lwe_dimension() + 1)
}

impl FhewBit {
    /// Encodes the bit as a frame. A clear bit is marked as such and sent as its value.
    ///
    /// # Errors
    /// [`fathom::Error::ParamsMismatch`] if it belongs to another set.
    pub fn to_bytes(&self, params: &FhewParams) -> Result<Vec<u8>, Error> {
        if !self.is_of(params) {
            return Err(foreign(params));
        }
        let key_id = Some(self.key_id());
        if let Some(value) = self.clear_value() {
            let (kind, params_id) = (Kind::Ciphertext, &params.id());
            let label = Label { kind, scheme: SCHEME, params_id, key_id };
            let fields = Fields { flags: CLEAR, meta: &[] };
            return Ok(seal(label, fields, CLEAR_LEN, |out| out.push(value.into())));
        }
        Ok(seal_fhew(Kind::Ciphertext, params, key_id, bit_len(params), |out| {
            out.extend(self.words().iter().flat_map(|word| word.to_le_bytes()));
        }))
    }

    /// Returns the length of [`FhewBit::to_bytes`] in bytes.
    pub fn byte_len(&self, params: &FhewParams) -> usize {
        OVERHEAD + if self.is_clear() { CLEAR_LEN } else { bit_len(params) }
    }

    /// Reads a bit of this set; [`FhewBit::is_clear`] tells whether it is clear. It has no noise
    /// bound and is assumed to be an encryption or the output of a gate.
    ///
    /// # Errors
    /// Any [`WireError`] of a damaged or foreign frame; [`fathom::Error::Transparent`] if the mask
    /// is zero and the frame is not marked as clear.
    pub fn from_bytes(params: &FhewParams, bytes: &[u8]) -> Result<FhewBit, Error> {
        let frame = open(bytes, Kind::Ciphertext, SCHEME)?;
        if frame.fields == (Fields { flags: CLEAR, meta: &[] }) {
            frame.expect(&params.id(), CLEAR_LEN)?;
            let (key_id, mut payload) = (frame.key()?, frame.payload);
            let value = at_most("clear value", payload.u8()?.into(), 1)?;
            payload.finish()?;
            return Ok(FhewBit::clear(params, key_id, value == 1));
        }
        let frame = frame.plain()?;
        frame.expect(&params.id(), bit_len(params))?;
        let (key_id, mut payload) = (frame.key()?, frame.payload);
        let words = payload.take(bit_len(params))?;
        payload.finish()?;
        let words: Vec<u16> =
            words.as_chunks().0.iter().map(|word| u16::from_le_bytes(*word)).collect();
        if words[..params.lwe_dimension()].iter().all(|&word| word == 0) {
            return Err(transparent().into());
        }
        Ok(FhewBit::from_words(params, key_id, words)
            .ok_or(WireError::Malformed { field: "word" })?)
    }
}
