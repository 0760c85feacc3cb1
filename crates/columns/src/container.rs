//! A frame for keys and results: a header in JSON and byte strings, with a checksum.
//!
//! Layout: 8 bytes of magic, the length of the header as 8 bytes little-endian, the header, the
//! byte strings one after the other, and 16 bytes of BLAKE3 over all of it. The header states their
//! lengths.

use crate::Error;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

const MAGIC_BYTES: usize = 8;
const CHECKSUM_BYTES: usize = 16;

#[derive(Serialize, Deserialize)]
struct Envelope<H> {
    lengths: Vec<u64>,
    content: H,
}

/// Joins a header and byte strings. The buffer is wiped when dropped, and never moves its content.
pub(crate) fn seal<H: Serialize>(
    magic: [u8; MAGIC_BYTES],
    content: &H,
    blobs: &[&[u8]],
) -> Zeroizing<Vec<u8>> {
    let lengths = blobs.iter().map(|blob| blob.len() as u64).collect();
    let header = serde_json::to_vec(&Envelope { lengths, content })
        .expect("the headers have no maps with keys other than strings");
    let payload: usize = blobs.iter().map(|blob| blob.len()).sum();
    let total = MAGIC_BYTES + 8 + header.len() + payload + CHECKSUM_BYTES;
    let mut out = Zeroizing::new(Vec::with_capacity(total));
    out.extend(magic);
    out.extend((header.len() as u64).to_le_bytes());
    out.extend(&header);
    for blob in blobs {
        out.extend_from_slice(blob);
    }
    let checksum = blake3::hash(&out);
    out.extend(&checksum.as_bytes()[..CHECKSUM_BYTES]);
    out
}

/// Takes apart what [`seal`] joined. Nothing is allocated for lengths beyond those of the input.
///
/// # Errors
/// [`Error::Malformed`].
pub(crate) fn open<'a, H: DeserializeOwned>(
    magic: [u8; MAGIC_BYTES],
    what: &'static str,
    bytes: &'a [u8],
) -> Result<(H, Vec<&'a [u8]>), Error> {
    let short = || Error::malformed(what, "it is truncated");
    let rest = bytes
        .strip_prefix(&magic)
        .ok_or_else(|| Error::malformed(what, "it does not start as such a file does"))?;
    let (body, checksum) = bytes
        .split_last_chunk::<CHECKSUM_BYTES>()
        .filter(|_| rest.len() >= 24)
        .ok_or_else(short)?;
    if blake3::hash(body).as_bytes()[..CHECKSUM_BYTES] != *checksum {
        return Err(Error::malformed(what, "the checksum does not fit, so it is damaged"));
    }
    let (length, rest) = body[MAGIC_BYTES..].split_first_chunk::<8>().ok_or_else(short)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| short())?;
    let (header, mut rest) = rest.split_at_checked(length).ok_or_else(short)?;
    let envelope: Envelope<H> =
        serde_json::from_slice(header).map_err(|error| Error::malformed(what, error))?;
    let mut blobs = Vec::with_capacity(envelope.lengths.len());
    for length in envelope.lengths {
        let length = usize::try_from(length).map_err(|_| short())?;
        let (blob, after) = rest.split_at_checked(length).ok_or_else(short)?;
        blobs.push(blob);
        rest = after;
    }
    if rest.is_empty() {
        return Ok((envelope.content, blobs));
    }
    Err(Error::malformed(what, "bytes follow its end"))
}

/// Returns bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Reads bytes in hexadecimal.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits
        .map(|pair| {
            let pair = std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?;
            u8::from_str_radix(pair, 16).ok()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAGIC: [u8; 8] = *b"FTEST  1";

    #[test]
    fn every_cut_and_every_changed_byte_is_refused() {
        let sealed = seal(MAGIC, &vec![7u32, 8], &[b"first", b"", b"third"]);
        let (content, blobs): (Vec<u32>, _) = open(MAGIC, "a test", &sealed).unwrap();
        assert_eq!((content, blobs), (vec![7, 8], vec![&b"first"[..], b"", b"third"]));
        for cut in 0..sealed.len() {
            assert!(open::<Vec<u32>>(MAGIC, "a test", &sealed[..cut]).is_err());
        }
        for at in 0..sealed.len() {
            let mut changed = sealed.to_vec();
            changed[at] ^= 1;
            assert!(open::<Vec<u32>>(MAGIC, "a test", &changed).is_err());
        }
    }

    #[test]
    fn hexadecimal_text_is_read_back() {
        assert_eq!(unhex(&hex(&[0, 255, 16])), Some(vec![0, 255, 16]));
        assert_eq!(unhex("0"), None);
        assert_eq!(unhex("zz"), None);
    }
}
