//! Code that the targets share: small parameters, frames repaired so that damage reaches the inner
//! checks, and a meter of the memory that decoders ask for.

use fathom::Error;
use fathom::bfv::{Params, Spec};
use fathom::wire::{Kind, VERSION};
use fathom::{Gadget, SecretRng, SecurityLevel};
use fathom_hfhe::{Workers, compat, native};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::sync::OnceLock;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Bytes of memory that a decoder of HFHE may ask for in all, for each byte that it is given, with
/// what vectors ask for again while they grow.
const MEMORY_PER_BYTE: usize = 256;

/// Bytes of memory that it may ask for whatever it is given.
const MEMORY: usize = 1 << 14;

/// Bytes of the header and of the checksum.
const HEADER: usize = 72;
const CHECKSUM: usize = 16;

/// Decodes `bytes` and holds the memory asked for against the bound.
pub fn metered<T>(bytes: &[u8], decode: impl FnOnce(&[u8]) -> T) -> T {
    let region = Region::new(ALLOCATOR);
    let result = decode(bytes);
    let asked = region.change().bytes_allocated;
    let allowed = MEMORY + MEMORY_PER_BYTE * bytes.len();
    assert!(asked <= allowed, "{asked} bytes of memory for {} of input", bytes.len());
    result
}

/// The smallest secure parameters.
pub fn params() -> &'static Params {
    static PARAMS: OnceLock<Params> = OnceLock::new();
    PARAMS.get_or_init(|| params_of(257))
}

/// The smallest secure parameters with slots.
pub fn slotted_params() -> &'static Params {
    static PARAMS: OnceLock<Params> = OnceLock::new();
    PARAMS.get_or_init(|| params_of(12_289))
}

fn params_of(plain_modulus: u64) -> Params {
    Params::new(Spec {
        name: "fuzz".to_owned(),
        degree: 1024,
        plain_modulus,
        chain_bits: vec![26.0],
        special_bits: Vec::new(),
        gadget: Gadget::Positional { base_log: 9 },
        secret_weight: None,
        security: SecurityLevel::Bits128,
        failure_log2: -64.0,
    })
    .expect("these parameters are secure")
}

/// The parameters of the encrypted integers.
pub fn torus_params() -> &'static fathom::tfhe::Params {
    static PARAMS: OnceLock<fathom::tfhe::Params> = OnceLock::new();
    PARAMS.get_or_init(|| fathom::tfhe::Params::preset("u_2_2_128").expect("this set ships"))
}

/// Parameters whose small key has at most one bit in each block.
pub fn block_binary_params() -> &'static fathom::tfhe::Params {
    static PARAMS: OnceLock<fathom::tfhe::Params> = OnceLock::new();
    let make = || fathom::tfhe::Params::preset("b_2_2_128").expect("this set ships");
    PARAMS.get_or_init(make)
}

/// The fields of the repaired header of a frame.
#[derive(Clone, Copy)]
pub struct Label {
    /// The type of the object.
    pub kind: Kind,
    /// Name of the scheme, padded with zeros.
    pub scheme: [u8; 4],
    /// Parameters or key.
    pub params_id: [u8; 32],
}

/// A key of HFHE, mode native.
pub fn hfhe_key() -> &'static native::SecretKey {
    static KEY: OnceLock<native::SecretKey> = OnceLock::new();
    KEY.get_or_init(|| native::SecretKey::generate(&mut SecretRng::insecure_from_seed(1)))
}

/// The public values of a key of HFHE, mode compat.
pub fn hfhe_public() -> &'static compat::PublicKey {
    static KEY: OnceLock<compat::SecretKey> = OnceLock::new();
    let make = || {
        let rng = &mut SecretRng::insecure_from_seed(1);
        compat::SecretKey::generate(rng, &Workers::one()).expect("a kernel is available")
    };
    KEY.get_or_init(make).public()
}

/// Decodes `bytes` as they are and as a frame of `kind`. What is accepted must encode to the same
/// bytes again.
pub fn check(kind: Kind, bytes: &[u8], recode: impl Fn(&[u8]) -> Result<Vec<u8>, Error>) {
    let params_id = if kind == Kind::Params { [0; 32] } else { *params().id() };
    check_labeled(Label { kind, scheme: *b"bfv\0", params_id }, bytes, recode);
}

/// [`check`] for objects of another scheme.
pub fn check_labeled(
    label: Label,
    bytes: &[u8],
    recode: impl Fn(&[u8]) -> Result<Vec<u8>, Error>,
) {
    check_decoder(label, bytes, recode);
}

/// [`check_labeled`] for schemes with errors of their own.
pub fn check_decoder<E>(label: Label, bytes: &[u8], recode: impl Fn(&[u8]) -> Result<Vec<u8>, E>) {
    for bytes in [bytes, &repaired(label, bytes)] {
        if let Ok(again) = recode(bytes) {
            assert!(again == bytes, "{} is not canonical", label.kind);
        }
    }
}

/// The bytes with a right magic, version, type, scheme, parameters' id, length and checksum. The id
/// of parameters stays: it is part of what is read.
fn repaired(label: Label, bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    out.resize(out.len().max(HEADER + CHECKSUM), 0);
    // Metadata as long as stated, if the frame has that many bytes.
    let content = out.len() - HEADER - CHECKSUM;
    let meta = content.min(u16::from_le_bytes([out[10], out[11]]).into());
    let payload = (content - meta) as u64;
    out[..6].copy_from_slice(b"FATHOM");
    out[6..8].copy_from_slice(&VERSION.to_le_bytes());
    out[8] = label.kind.tag();
    out[10..12].copy_from_slice(&(meta as u16).to_le_bytes());
    out[12..16].copy_from_slice(&label.scheme);
    if label.kind != Kind::Params {
        out[16..48].copy_from_slice(&label.params_id);
    }
    out[HEADER - 8..HEADER].copy_from_slice(&payload.to_le_bytes());
    let end = out.len() - CHECKSUM;
    let sum = blake3::hash(&out[..end]);
    out[end..].copy_from_slice(&sum.as_bytes()[..CHECKSUM]);
    out
}
