//! Pins the bytes of FHEW objects, as crates/fathom/tests/wire/golden.rs does for those of the ring
//! schemes.

use crate::fhew::reference::{Claims, Frame, Payload};
use fathom::wire::{Kind, VERSION, Wire, WireObject, WireValue};
use fathom_fhew::{FhewBit, FhewEvaluationKeys, FhewParams, FhewSecretKey};
use serde_json::{Value, json};

const GOLDEN: &str = include_str!("../data/wire-golden.json");

/// The set with the smallest evaluation keys.
const SET: &str = "fhew_lmkcdey_128";

/// Coefficients of the LWE key and of the key of the accumulator ring.
const DIMENSIONS: [usize; 2] = [592, 1024];

/// Ring ciphertexts of the blind rotation: 4 digits for each polynomial of an RGSW ciphertext, of
/// which there is one per coefficient, and for each of the automorphisms of `5^1 ... 5^10` and
/// `-5`.
const ROTATION: usize = (DIMENSIONS[0] * 2 + 10 + 1) * 4;

/// LWE ciphertexts of the key switch: 3 digits of 5 bits, and 16 values of each.
const SWITCH: usize = DIMENSIONS[1] * 3 * 16;

/// The flag of clear values.
const CLEAR: u8 = 4;

/// Appends `count` words of 15 bits, in the upper bits of 2 bytes.
fn words(payload: Payload, count: usize) -> Payload {
    let word = |i: u64| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) as u16) << 1;
    let words: Vec<u8> = (1..=count as u64).flat_map(|i| word(i).to_le_bytes()).collect();
    payload.number(&words)
}

/// Appends a ternary key: two bits per coefficient, which hold the coefficient plus one.
fn ternary(payload: Payload, count: usize) -> Payload {
    let pairs = |byte: usize| (0..4).map(move |k| ((4 * byte + k) % 3) << (2 * k)).sum::<usize>();
    let bytes: Vec<u8> = (0..count / 4).map(|byte| pairs(byte) as u8).collect();
    payload.number(&bytes)
}

/// Returns every kind of frame, with its name.
fn frames(params: &FhewParams) -> Vec<(&'static str, Kind, Vec<u8>)> {
    let empty = Payload::default;
    let row = empty().row(DIMENSIONS[1], 1 << 25).0;
    let rotation = empty().number(&row.repeat(2 * ROTATION));
    let evaluation = words(rotation, SWITCH * (DIMENSIONS[0] + 1));
    let secret = ternary(ternary(empty(), DIMENSIONS[0]), DIMENSIONS[1]);
    [
        ("parameters", Kind::Params, 0, empty().number(SET.as_bytes())),
        ("secret key", Kind::SecretKey, 0, secret),
        ("evaluation keys", Kind::EvaluationKeys, 0, evaluation),
        ("bit", Kind::Ciphertext, 0, words(empty(), DIMENSIONS[0] + 1)),
        ("clear bit", Kind::Ciphertext, CLEAR, empty().number(&[1])),
    ]
    .into_iter()
    .map(|(name, kind, flags, payload)| {
        let (scheme, params_id, tag) = (*b"fhew", params.id(), kind.tag());
        let claims = Claims { flags, ..Claims::default() };
        let key_id = if kind == Kind::Params { [0; 16] } else { *b"public key ident" };
        (name, kind, Frame { tag, scheme, params_id, claims, key_id, payload }.bytes())
    })
    .collect()
}

/// Decodes an object of `kind` and encodes it again.
fn recoded(kind: Kind, params: &FhewParams, bytes: &[u8]) -> Result<Vec<u8>, fathom_fhew::Error> {
    match kind {
        Kind::Params => Ok(FhewParams::from_bytes(bytes)?.to_bytes()),
        Kind::SecretKey => {
            Ok(FhewSecretKey::from_secret_bytes(params, bytes)?.to_secret_bytes().to_vec())
        }
        Kind::EvaluationKeys => Ok(FhewEvaluationKeys::from_bytes(params, bytes)?.to_bytes()),
        Kind::Ciphertext => Ok(FhewBit::from_bytes(params, bytes)?.to_bytes(params)?),
        other => unreachable!("{other} belongs to other schemes"),
    }
}

/// The frames are made once for both properties, because those of evaluation keys have 90 MB.
#[test]
fn fhew_frames_of_the_reference_encoder_are_written_again_and_are_those_on_record() {
    let params = FhewParams::preset(SET).unwrap();
    let mut found = Vec::new();
    for (name, kind, bytes) in frames(&params) {
        let again = recoded(kind, &params, &bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(again == bytes, "{name}");
        let digest = blake3::hash(&bytes).to_hex();
        found.push(json!({ "name": name, "byte_len": bytes.len(), "blake3": digest.as_str() }));
    }
    let golden: Value = serde_json::from_str(GOLDEN).unwrap();
    assert_eq!(golden["format_version"], VERSION);
    assert_eq!(golden["fhew"], Value::Array(found), "a changed format needs another version");
}
