//! What the targets share: small parameters, and frames repaired so that damage reaches the inner
//! checks.

use fathom::bfv::{Params, Spec};
use fathom::wire::{Kind, VERSION, WireError};
use fathom::{Gadget, SecurityLevel};
use std::sync::OnceLock;

/// Bytes of the header and of the checksum.
const HEADER: usize = 88;
const CHECKSUM: usize = 16;

/// The smallest secure parameters.
pub fn params() -> &'static Params {
    static PARAMS: OnceLock<Params> = OnceLock::new();
    PARAMS.get_or_init(|| {
        Params::new(Spec {
            name: "fuzz".to_owned(),
            degree: 1024,
            plain_modulus: 257,
            chain_bits: vec![26.0],
            special_bits: Vec::new(),
            gadget: Gadget::Positional { bits: 9 },
            secret_weight: None,
            security: SecurityLevel::Bits128,
            failure_log2: -64.0,
        })
        .expect("these parameters are secure")
    })
}

/// Decodes `bytes` as they are and as a frame of `kind`. What is accepted must encode to the same
/// bytes again.
pub fn check(kind: Kind, bytes: &[u8], recode: impl Fn(&[u8]) -> Result<Vec<u8>, WireError>) {
    for bytes in [bytes, &repaired(kind, bytes)] {
        if let Ok(again) = recode(bytes) {
            assert!(again == bytes, "{kind} is not canonical");
        }
    }
}

/// The bytes with a right magic, version, type, scheme, parameters' id, length and checksum.
fn repaired(kind: Kind, bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    out.resize(out.len().max(HEADER + CHECKSUM), 0);
    let payload = (out.len() - HEADER - CHECKSUM) as u64;
    out[..6].copy_from_slice(b"FATHOM");
    out[6..8].copy_from_slice(&VERSION.to_le_bytes());
    out[8] = kind.tag();
    out[11] = 0;
    out[12..16].copy_from_slice(b"bfv\0");
    if kind != Kind::Params {
        out[16..48].copy_from_slice(params().id());
    }
    out[80..88].copy_from_slice(&payload.to_le_bytes());
    let end = out.len() - CHECKSUM;
    let sum = blake3::hash(&out[..end]);
    out[end..].copy_from_slice(&sum.as_bytes()[..CHECKSUM]);
    out
}
