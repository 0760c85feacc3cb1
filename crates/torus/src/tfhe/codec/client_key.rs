//! Secret keys, with one bit per coefficient.

use super::SCHEME;
use crate::Error;
use crate::tfhe::{ClientKey, KeyFamily, Params};
use crate::wire::Kind;
use crate::wire::WireError;
use crate::wire::frame::{Fields, Label, OVERHEAD, open, seal};
use fathom_ring::SecretCoefficients;
use zeroize::Zeroizing;

/// Returns the length of both keys, each padded to whole bytes.
fn payload_len(params: &Params) -> usize {
    params.spec().small_dimension.div_ceil(8) + params.big_dimension().div_ceil(8)
}

impl ClientKey {
    /// Encodes the key as a frame. The bytes are **secret** and wiped when dropped.
    pub fn to_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        let (kind, scheme, params_id) = (Kind::SecretKey, SCHEME, &self.params().id());
        let label = Label { kind, scheme, params_id, key_id: Some(self.id()) };
        let length = payload_len(self.params());
        Zeroizing::new(seal(label, Fields::default(), length, |out| {
            for key in [self.small(), self.big()] {
                out.extend(key.expose().chunks(8).map(byte));
            }
        }))
    }

    /// Reads a key of these parameters.
    ///
    /// # Errors
    /// Any [`WireError`] of a damaged or foreign frame; [`WireError::Malformed`] if the padding is
    /// not zero or the key is not one of the key family.
    pub fn from_secret_bytes(params: &Params, bytes: &[u8]) -> Result<ClientKey, Error> {
        let frame = open(bytes, Kind::SecretKey, SCHEME)?.plain()?;
        frame.expect(&params.id(), payload_len(params))?;
        let (key_id, mut payload) = (frame.key()?, frame.payload);
        let small = bits(&mut payload, params.spec().small_dimension)?;
        let big = bits(&mut payload, params.big_dimension())?;
        payload.finish()?;
        let blocks = match params.spec().family {
            KeyFamily::Uniform { .. } => 1,
            KeyFamily::BlockBinary { length } => length,
        };
        // A block with more than one bit shows in a sum over all blocks, without a branch on any of
        // them.
        let crowded =
            small.expose().chunks(blocks).map(|block| (block.iter().sum::<i64>() - 1).max(0));
        if crowded.sum::<i64>() > 0 {
            return Err(WireError::Malformed { field: "key" }.into());
        }
        Ok(ClientKey::from_parts(params.clone(), key_id, small, big))
    }

    /// Returns the length of [`ClientKey::to_secret_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + payload_len(self.params())
    }
}

fn byte(bits: &[i64]) -> u8 {
    bits.iter().enumerate().fold(0, |byte, (i, &bit)| byte | (bit as u8) << i)
}

fn bits(
    payload: &mut crate::wire::reader::Reader<'_>,
    count: usize,
) -> Result<SecretCoefficients, Error> {
    let bytes = payload.take(count.div_ceil(8))?;
    let bit = |i: usize| i64::from(bytes[i / 8] >> (i % 8) & 1);
    if (count..8 * bytes.len()).any(|i| bit(i) != 0) {
        return Err(WireError::Malformed { field: "key" }.into());
    }
    Ok(SecretCoefficients::new((0..count).map(bit).collect()))
}
