//! The frame of every object: header, payload, checksum.

use super::reader::{Reader, at_most};
use crate::error::WireError;
use crate::kind::{KIND_COUNT, Kind, VERSION};
use crate::{Error, KeyId};
use fathom_kernels::wipe_stack_below;

const MAGIC: [u8; 6] = *b"FATHOM";
const HEADER_BYTES: usize = 72;
const CHECKSUM_BYTES: usize = 16;

/// Length of header and checksum.
pub const OVERHEAD: usize = HEADER_BYTES + CHECKSUM_BYTES;

/// Flag: the last component of the ciphertext is given by the seed that it was expanded from.
pub const SEEDED: u8 = 1;

/// Flag: the ciphertext is a fresh encryption, on which nothing was computed.
pub const FRESH: u8 = 2;

/// Flag: nothing is encrypted; the values are clear and belong to no key.
pub const CLEAR: u8 = 4;

/// The content of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The kind of object.
    pub kind: Kind,
    /// Name of the scheme, padded with zeros.
    pub scheme: [u8; 4],
    /// Identifier of the parameters it belongs to, which their `id` returns.
    pub params_id: [u8; 32],
    /// Identifier of the secret key that the object belongs to; `None` for parameters, plaintexts
    /// and clear values.
    pub key_id: Option<KeyId>,
    /// Length of the whole frame in bytes.
    pub byte_len: usize,
}

/// Reads the header alone, so that a receiver can choose the parameters, or refuse a frame before
/// the rest arrives. It checks nothing but the form of the header.
///
/// # Errors
/// [`WireError::Truncated`], [`WireError::Magic`], [`WireError::Version`], [`WireError::Range`].
pub fn summary(bytes: &[u8]) -> Result<Summary, Error> {
    let header = Header::read(bytes)?;
    let unknown = WireError::Range { field: "type", value: header.tag.into(), limit: KIND_COUNT };
    Ok(Summary {
        kind: Kind::from_tag(header.tag).ok_or(unknown)?,
        scheme: header.scheme,
        params_id: header.params_id,
        key_id: header.key_id,
        byte_len: header.frame_len(),
    })
}

/// The metadata of a ciphertext, or of bootstrapping keys of sparse slots, in its frame; empty for
/// other objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fields<'a> {
    /// `SEEDED`, `FRESH`, [`CLEAR`].
    pub flags: u8,
    /// Metadata in the form of the scheme, at most 65535 bytes.
    pub meta: &'a [u8],
}

/// The identifying fields of a header.
#[derive(Clone, Copy, Debug)]
pub struct Label<'a> {
    /// The kind of object.
    pub kind: Kind,
    /// Name of the scheme, of at most 4 bytes.
    pub scheme: &'static str,
    /// Identifier of the parameters.
    pub params_id: &'a [u8; 32],
    /// Identifier of the secret key, for objects that belong to one.
    pub key_id: Option<KeyId>,
}

struct Header {
    tag: u8,
    scheme: [u8; 4],
    params_id: [u8; 32],
    key_id: Option<KeyId>,
    flags: u8,
    meta_len: u16,
    payload_len: u64,
}

/// A frame with a valid checksum.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Identifier of the parameters that the object belongs to.
    pub params_id: [u8; 32],
    /// Identifier of the secret key that the object belongs to, if any.
    pub key_id: Option<KeyId>,
    /// The flags and the metadata.
    pub fields: Fields<'a>,
    /// The content.
    pub payload: Reader<'a>,
}

/// Returns a frame with this content. `write` must append exactly `payload_len` bytes, so that the
/// buffer is never reallocated.
pub fn seal(
    label: Label<'_>,
    fields: Fields<'_>,
    payload_len: usize,
    write: impl FnOnce(&mut Vec<u8>),
) -> Vec<u8> {
    let content = HEADER_BYTES + fields.meta.len();
    debug_assert!(u16::try_from(fields.meta.len()).is_ok());
    let mut out = Vec::with_capacity(content + payload_len + CHECKSUM_BYTES);
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.extend([label.kind.tag(), fields.flags]);
    out.extend((fields.meta.len() as u16).to_le_bytes());
    out.extend(padded(label.scheme));
    out.extend(label.params_id);
    out.extend(label.key_id.map_or([0; 16], KeyId::to_bytes));
    out.extend((payload_len as u64).to_le_bytes());
    debug_assert_eq!(out.len(), HEADER_BYTES);
    out.extend(fields.meta);
    write(&mut out);
    debug_assert_eq!(out.len(), content + payload_len);
    let checksum = checksum(&out);
    out.extend(checksum);
    out
}

/// Performs all checks that do not depend on the parameters.
///
/// # Errors
/// The [`WireError`] of the first check that fails, up to the checksum.
pub fn open<'a>(bytes: &'a [u8], kind: Kind, scheme: &'static str) -> Result<Frame<'a>, WireError> {
    let header = Header::read(bytes)?;
    if header.tag != kind.tag() {
        return Err(WireError::Type { expected: kind, got: header.tag });
    }
    if header.scheme != padded(scheme) {
        return Err(WireError::Scheme { expected: scheme, got: header.scheme });
    }
    let (needed, got) = (header.frame_len(), bytes.len());
    if got < needed {
        return Err(WireError::Truncated { needed, got });
    }
    if got > needed {
        return Err(WireError::TrailingBytes { extra: got - needed });
    }
    let (body, sum) = bytes.split_at(needed - CHECKSUM_BYTES);
    if sum != checksum(body) {
        return Err(WireError::Checksum);
    }
    let mut payload = Reader::new(&body[HEADER_BYTES..]);
    let meta = payload.take(header.meta_len.into())?;
    let Header { params_id, key_id, flags, .. } = header;
    Ok(Frame { params_id, key_id, fields: Fields { flags, meta }, payload })
}

impl<'a> Frame<'a> {
    /// Refuses a frame of other parameters, or with another payload length.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`WireError::Truncated`] or [`WireError::Range`].
    pub fn expect(&self, params_id: &[u8; 32], payload_len: usize) -> Result<(), Error> {
        self.belongs(params_id)?;
        let (needed, got) = (payload_len, self.payload.len());
        if got < needed {
            return Err(WireError::Truncated { needed, got }.into());
        }
        at_most("payload length", got as u64, needed as u64)?;
        Ok(())
    }

    /// Refuses a frame of other parameters.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn belongs(&self, params_id: &[u8; 32]) -> Result<(), Error> {
        if self.params_id == *params_id {
            Ok(())
        } else {
            Err(mismatch(params_id, &self.params_id))
        }
    }

    /// Returns the identifier of the secret key that the object belongs to.
    ///
    /// # Errors
    /// [`WireError::Malformed`] if it names none.
    pub fn key(&self) -> Result<KeyId, WireError> {
        self.key_id.ok_or(WireError::Malformed { field: "key id" })
    }

    /// Refuses a frame that names a key, for objects that belong to no key.
    ///
    /// # Errors
    /// [`WireError::Malformed`].
    pub fn keyless(self) -> Result<Frame<'a>, WireError> {
        if self.key_id.is_none() {
            return Ok(self);
        }
        Err(WireError::Malformed { field: "key id" })
    }

    /// Refuses a frame with the fields that only ciphertexts have.
    ///
    /// # Errors
    /// [`WireError::Malformed`].
    pub fn plain(self) -> Result<Frame<'a>, WireError> {
        if self.fields == Fields::default() {
            return Ok(self);
        }
        Err(WireError::Malformed { field: "header" })
    }
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Header, WireError> {
        let got = bytes.len();
        let mut reader = Reader::new(bytes);
        if bytes.iter().zip(MAGIC).any(|(a, b)| *a != b) {
            return Err(WireError::Magic);
        }
        if got < OVERHEAD {
            return Err(WireError::Truncated { needed: OVERHEAD, got });
        }
        reader.take(MAGIC.len())?;
        let version = reader.u16()?;
        if version != VERSION {
            return Err(WireError::Version { got: version, reads: VERSION });
        }
        let [tag, flags] = reader.array()?;
        let meta_len = reader.u16()?;
        let (scheme, params_id) = (reader.array()?, reader.array()?);
        let key_id = KeyId::from_bytes(reader.array()?);
        let payload_len = reader.u64()?;
        Ok(Header { tag, scheme, params_id, key_id, flags, meta_len, payload_len })
    }

    fn frame_len(&self) -> usize {
        let content = self.payload_len.saturating_add(u64::from(self.meta_len));
        // No buffer has as many bytes as a length beyond the address space.
        usize::try_from(content).map_or(usize::MAX, |length| length.saturating_add(OVERHEAD))
    }
}

/// Returns the error for an object of other parameters, of which only the identities are known, not
/// the names.
pub fn mismatch(own: &[u8; 32], other: &[u8; 32]) -> Error {
    let name = |id: &[u8; 32]| {
        let [a, b, c, d, ..] = id;
        format!("the set {a:02x}{b:02x}{c:02x}{d:02x}")
    };
    Error::ParamsMismatch { left: name(own), right: name(other) }
}

/// Returns the error for a ciphertext that anyone can read without a key.
pub fn transparent() -> Error {
    Error::Transparent { operation: "decoding", remedy: "ask the sender for an encryption" }
}

/// Computes the truncated BLAKE3 hash. What hashing leaves on the stack is wiped, since the bytes
/// may be those of a secret key.
fn checksum(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let sum = hash(bytes);
    wipe_stack_below();
    sum
}

/// This function is not inlined, so that its frame is wiped afterwards.
#[inline(never)]
fn hash(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let mut sum = [0; CHECKSUM_BYTES];
    blake3::Hasher::new().update(bytes).finalize_xof().fill(&mut sum);
    sum
}

fn padded(scheme: &str) -> [u8; 4] {
    let mut name = [0; 4];
    for (place, byte) in name.iter_mut().zip(scheme.bytes()) {
        *place = byte;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The documents once gave 88 and 96 bytes.
    #[test]
    fn documents_give_the_length_of_the_header() {
        let text = include_str!("../../../fathom/src/wire.rs").replace("\n//! ", " ");
        assert!(text.contains(&format!("a header of {HEADER_BYTES} bytes")));
        let text = include_str!("../../../../docs/wire-format.md");
        assert!(text.contains(&format!("| {HEADER_BYTES} | | metadata | |")));
        assert!(text.contains(&format!("| 6 | 2 | version | {VERSION} |")));
    }
}
