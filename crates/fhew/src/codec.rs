//! The objects of the FHEW family: parameters, secret keys and bits.
//!
//! A frame identifies its parameter set by a hash of the description.

use crate::{Error, FhewBit, FhewParams, FhewSecretKey};
use fathom_base::wire::frame::{CLEAR, Fields, Frame, Label, OVERHEAD, open, seal, transparent};
use fathom_base::wire::reader::at_most;
use fathom_base::wire::{Header, Kind, Trust, Wire, WireError, WireObject, WireValue};
use fathom_ring::SecretCoefficients;
use zeroize::Zeroizing;

/// Name of the scheme in frames.
pub(super) const SCHEME: &str = "fhew";

/// Number of secret key coefficients per byte.
const PER_BYTE: usize = 4;

/// Returns the error for an object that does not belong to the parameters.
fn foreign(params: &FhewParams) -> fathom::Error {
    let (left, right) = (params.name().to_owned(), "the set of the bit".to_owned());
    fathom::Error::ParamsMismatch { left, right }
}

impl FhewParams {
    /// Reads one of the sets that the library provides; there are no others.
    ///
    /// # Errors
    /// Any [`WireError`] of a damaged frame; [`WireError::Malformed`] for another name;
    /// [`fathom::Error::ParamsMismatch`] if the frame names another set.
    pub fn from_bytes(bytes: &[u8]) -> Result<FhewParams, Error> {
        Ok(<Self as Wire>::from_bytes(&(), bytes)?)
    }
}

/// The form is the name of the set.
impl Wire for FhewParams {
    type Context = ();
    const KIND: Kind = Kind::Params;
    const SCHEME: &'static str = SCHEME;

    fn read((): &(), frame: &mut Frame<'_>, _: Trust) -> Result<FhewParams, fathom::Error> {
        frame.plain()?.keyless()?;
        let name = frame.payload.take(frame.payload.len())?;
        let mut sets = FhewParams::presets().into_iter();
        let set = sets.find(|set| set.name().as_bytes() == name);
        let set = set.ok_or(WireError::Malformed { field: "name" })?;
        frame.belongs(&set.id())?;
        Ok(set)
    }
}

impl WireObject for FhewParams {
    fn header(&self) -> Header {
        Header::of_params(self.id())
    }

    fn payload_len(&self) -> usize {
        self.name().len()
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.name().bytes());
    }
}

/// Returns the encoded length of a key with this number of coefficients.
fn key_len(dimension: usize) -> usize {
    dimension.div_ceil(PER_BYTE)
}

impl FhewSecretKey {
    /// Encodes the key as a frame. The bytes are **secret** and wiped when dropped.
    pub fn to_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        let (kind, params_id) = (Kind::SecretKey, &self.params().id());
        let label = Label { kind, scheme: SCHEME, params_id, key_id: Some(self.id()) };
        let length = self.byte_len() - OVERHEAD;
        Zeroizing::new(seal(label, Fields::default(), length, |out| {
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

/// [`FhewBit::is_clear`] tells whether a bit that was read is clear. It has no noise bound and is
/// assumed to be an encryption or the output of a gate.
impl Wire for FhewBit {
    type Context = FhewParams;
    const KIND: Kind = Kind::Ciphertext;
    const SCHEME: &'static str = SCHEME;

    fn read(
        params: &FhewParams,
        frame: &mut Frame<'_>,
        _: Trust,
    ) -> Result<FhewBit, fathom::Error> {
        if frame.fields == (Fields { flags: CLEAR, meta: &[] }) {
            frame.expect(&params.id(), CLEAR_LEN)?;
            let key_id = frame.key()?;
            let value = at_most("clear value", frame.payload.u8()?.into(), 1)?;
            return Ok(FhewBit::clear(params, key_id, value == 1));
        }
        frame.plain()?.expect(&params.id(), bit_len(params))?;
        let key_id = frame.key()?;
        let words = frame.payload.take(bit_len(params))?;
        let words: Vec<u16> =
            words.as_chunks().0.iter().map(|word| u16::from_le_bytes(*word)).collect();
        if words[..params.lwe_dimension()].iter().all(|&word| word == 0) {
            return Err(transparent());
        }
        let bit = FhewBit::from_words(params, key_id, words);
        Ok(bit.ok_or(WireError::Malformed { field: "word" })?)
    }
}

impl WireValue for FhewBit {
    fn header(&self, params: &FhewParams) -> Result<Header, fathom::Error> {
        if !self.is_of(params) {
            return Err(foreign(params));
        }
        let flags = if self.is_clear() { CLEAR } else { 0 };
        Ok(Header { flags, ..Header::of_key(params.id(), self.key_id()) })
    }

    fn payload_len(&self, params: &FhewParams) -> usize {
        if self.is_clear() { CLEAR_LEN } else { bit_len(params) }
    }

    fn write(&self, _: &FhewParams, out: &mut Vec<u8>) {
        match self.clear_value() {
            Some(value) => out.push(value.into()),
            None => out.extend(self.words().iter().flat_map(|word| word.to_le_bytes())),
        }
    }
}
