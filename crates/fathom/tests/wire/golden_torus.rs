//! Pins the bytes of TFHE objects, as `golden.rs` does for those of the ring schemes.

use crate::wire::reference::{Claims, Frame, Payload};
use fathom::tfhe::{
    Block, ClientKey, CompactList, CompressedList, Decomposition, KeyFamily, Name, Params,
    PublicKey, SeededEvaluationKeys, SeededList, SeededPackingKeys, Spec, integer::FheBytes,
    integer::FheInt,
};
use fathom::wire::{Kind, VERSION, Wire, WireObject, WireValue};
use serde_json::{Value, json};

const GOLDEN: &str = include_str!("../data/wire-golden.json");

/// Pairs of uniform key bits and messages of 2 bits, so that there are keys of every kind. The set
/// does not depend on the presets.
const SPEC: Spec = Spec {
    name: Name::of("golden"),
    message_bits: 2,
    carry_bits: 2,
    small_dimension: 896,
    small_deviation_log2: -19.2,
    family: KeyFamily::Uniform { group: 2 },
    degree: 2048,
    extension: 1,
    rank: 1,
    glwe_deviation_log2: -47.8,
    mask: Decomposition { base_log: 23, levels: 1 },
    body: Decomposition { base_log: 20, levels: 1 },
    key_switch: Decomposition { base_log: 1, levels: 17 },
    key_switch_degree: 128,
    max_noise_variance: 148,
    failure_log2: -128.0,
};

/// Number of bits of a word in the bootstrapping key's bodies, for `SPEC`.
const BODY: u32 = 49;

/// The flag of fresh encryptions.
const FRESH: u8 = 2;

/// The flag of clear values.
const CLEAR: u8 = 4;

/// Number of bits of a word in a list under a public key.
const LIST: u32 = 20;

/// Number of bits of a word in a compressed list.
const COMPRESSED: u32 = 12;

/// Number of bits of a word in a list under the secret key.
const SEEDED: u32 = 16;

/// Appends words of `bits` bits.
fn words(payload: Payload, count: usize, bits: u32) -> Payload {
    payload.row(count, u64::MAX >> (64 - bits))
}

/// Appends a block: least and greatest value, noise, depth; mask; body.
fn block(payload: Payload, label: [i32; 4]) -> Payload {
    let label = label.map(i32::to_le_bytes).concat();
    let masked = words(payload.number(&label), 2048, 32);
    words(masked, 1, 64)
}

/// Appends keys of `doublings` automorphisms, preceded by the bits of a digit and the number of
/// digits.
fn automorphisms(payload: Payload, digits: [u8; 2], doublings: usize) -> Payload {
    let rows = doublings * usize::from(digits[1]);
    (0..rows).fold(payload.number(&digits), |payload, _| words(payload, 2048, BODY))
}

/// Returns the description as docs/wire-format.md specifies it.
fn description() -> Payload {
    Payload::default()
        .number(&[6])
        .number(b"golden")
        .number(&[2, 2])
        .number(&896u32.to_le_bytes())
        .number(&(-19.2f64).to_le_bytes())
        .number(&[0, 2])
        .number(&2048u32.to_le_bytes())
        .number(&[1, 1])
        .number(&(-47.8f64).to_le_bytes())
        .number(&[23, 1, 20, 1, 1, 17])
        .number(&128u16.to_le_bytes())
        .number(&148u32.to_le_bytes())
        .number(&(-128f64).to_le_bytes())
}

/// Returns every kind of frame, with its name.
fn frames(params: &Params) -> Vec<(&'static str, Kind, Vec<u8>)> {
    let empty = Payload::default;
    let clear = |value| empty().number(&[0, value, 0, 0, 0]).0;
    let encrypted = block(empty().number(&[1]), [0, 3, 2, 1]).0;
    let digits = [clear(3), encrypted, clear(0), clear(2)].concat();

    let rotation = (0..448 * 3 * 2).fold(empty().seed(1), |all, _| words(all, 2048, BODY));
    let switch = words(rotation, 17 * 2048, 32);
    let evaluation = automorphisms(switch, [16, 2], 11);
    let packing = words(automorphisms(empty().seed(2), [16, 2], 10), 17 * 2048, 32);

    let head = empty().number(&[4, 0, 0]).number(&70u64.to_le_bytes());
    let masks = words(head, 2048, LIST);
    let compact = zeros(words(masks, 70, LIST), 70, LIST);
    let head = empty().number(&[4, 0, 0]).number(&70u64.to_le_bytes()).seed(4);
    let seeded = words(head, 70, SEEDED);
    let runs = [[5, 0, 0, 0, 4], [1, 0, 0, 0, 1]].concat();
    let head = empty().number(&[0; 3]).number(&2u32.to_le_bytes()).number(&runs);
    let masks = words(head, 1024, COMPRESSED);
    let compressed = zeros(words(masks, 4, COMPRESSED), 4, COMPRESSED);

    [
        ("parameters", Kind::Params, 0, description()),
        ("client key", Kind::SecretKey, 0, words(words(empty(), 14, 64), 32, 64)),
        ("public key", Kind::PublicKey, 0, words(empty().seed(3), 2048, 64)),
        ("evaluation key", Kind::EvaluationKeys, 0, evaluation),
        ("packing key", Kind::PackingKey, 0, packing),
        ("block", Kind::Ciphertext, 0, block(empty(), [-1, 14, 3, 2])),
        ("fresh block", Kind::Ciphertext, FRESH, block(empty(), [0, 3, 1, 0])),
        ("clear block", Kind::Ciphertext, CLEAR, empty().number(&(-9i32).to_le_bytes())),
        ("integer", Kind::RadixValue, 0, empty().number(&[8, 0, 1]).number(&digits)),
        ("list", Kind::CiphertextList, FRESH, compact),
        ("compressed list", Kind::CompressedList, 0, compressed),
        ("seeded list", Kind::SeededList, FRESH, seeded),
        ("byte string", Kind::ByteString, 0, empty().number(&[1, 1, 0, 0, 0]).number(&digits)),
    ]
    .into_iter()
    .map(|(name, kind, flags, payload)| {
        let (scheme, params_id) = (*b"tfhe", params.id());
        let claims = Claims { flags, ..Claims::default() };
        let keyless = flags == CLEAR || kind == Kind::Params;
        let key_id = if keyless { [0; 16] } else { *b"public key ident" };
        let tag = kind.tag();
        (name, kind, Frame { tag, scheme, params_id, claims, key_id, payload }.bytes())
    })
    .collect()
}

/// Appends the padding that fills `count` words up to a multiple of 64.
fn zeros(payload: Payload, count: usize, bits: u32) -> Payload {
    let bits = |count: usize| count * bits as usize;
    let bytes = bits(count.next_multiple_of(64)) / 8 - bits(count).div_ceil(8);
    payload.number(&vec![0; bytes])
}

/// Decodes an object of `kind` and encodes it again.
fn recoded(kind: Kind, params: &Params, bytes: &[u8]) -> Result<Vec<u8>, fathom::Error> {
    match kind {
        Kind::Params => Ok(Params::from_bytes_assessing(bytes)?.to_bytes()),
        Kind::SecretKey => {
            Ok(ClientKey::from_secret_bytes(params, bytes)?.to_secret_bytes().to_vec())
        }
        Kind::PublicKey => Ok(PublicKey::from_bytes(params, bytes)?.to_bytes()),
        Kind::EvaluationKeys => Ok(SeededEvaluationKeys::from_bytes(params, bytes)?.to_bytes()),
        Kind::PackingKey => Ok(SeededPackingKeys::from_bytes(params, bytes)?.to_bytes()),
        Kind::Ciphertext => Block::from_bytes(params, bytes)?.to_bytes(params),
        Kind::RadixValue => FheInt::<8>::from_bytes(params, bytes)?.to_bytes(params),
        Kind::CiphertextList => Ok(CompactList::from_bytes(params, bytes)?.to_bytes()),
        Kind::SeededList => Ok(SeededList::from_bytes(params, bytes)?.to_bytes()),
        Kind::ByteString => FheBytes::from_bytes(params, bytes)?.to_bytes(params),
        Kind::CompressedList => Ok(CompressedList::from_bytes(params, bytes)?.to_bytes()),
        other => unreachable!("{other} belongs to other schemes"),
    }
}

#[test]
fn what_the_reference_encoder_writes_over_the_torus_is_written_again() {
    let params = Params::new(SPEC).unwrap();
    let widths = [params.body_bits(), params.list_bits(), params.compressed_bits()];
    assert_eq!(widths, [BODY, LIST, COMPRESSED]);
    assert_eq!(params.seeded_bits(), SEEDED);
    for (name, kind, bytes) in frames(&params) {
        let again = recoded(kind, &params, &bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(again == bytes, "{name}");
    }
}

#[test]
fn the_bytes_over_the_torus_are_those_on_record() {
    let golden: Value = serde_json::from_str(GOLDEN).unwrap();
    let params = Params::new(SPEC).unwrap();
    let found: Vec<Value> = frames(&params)
        .iter()
        .map(|(name, _, bytes)| {
            let digest = blake3::hash(bytes).to_hex();
            json!({ "name": name, "byte_len": bytes.len(), "blake3": digest.as_str() })
        })
        .collect();
    assert_eq!(golden["format_version"], VERSION);
    assert_eq!(golden["torus"], Value::Array(found), "a changed format needs another version");
}
