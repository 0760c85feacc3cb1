//! Pins the bytes of the format. The library reads the output of the reference encoder, encodes it
//! to the same bytes, and their digests are those in tests/data/wire-golden.json.

use crate::wire::reference::{Claims, Frame, Meta, Payload};
use crate::wire::sample::{recoded, recoded_msb};
use fathom::bfv::{Bfv, Params, Spec};
use fathom::wire::{Kind, VERSION};
use fathom::{Gadget, SecurityLevel};
use serde_json::{Value, json};

const GOLDEN: &str = include_str!("../data/wire-golden.json");
const DEGREE: usize = 4096;

/// Returns a set with three primes, which gives rows of two widths, several digits and several
/// levels. It does not depend on the presets.
fn spec() -> Spec {
    Spec {
        name: "golden".to_owned(),
        degree: DEGREE,
        plain_modulus: 65537,
        chain_bits: vec![27.0, 26.0, 27.0],
        special_bits: vec![25.5],
        gadget: Gadget::Hybrid { limbs: 2 },
        secret_weight: None,
        security: SecurityLevel::Bits128,
        failure_log2: -128.0,
    }
}

/// Returns the description as docs/wire-format.md specifies it.
fn description(params: &Params) -> Payload {
    let payload = Payload::default()
        .number(&6u16.to_le_bytes())
        .number(b"golden")
        .number(&4096u32.to_le_bytes())
        .number(&65537u64.to_le_bytes())
        .number(&[0, 2, 0, 0, 0])
        .number(&0u32.to_le_bytes())
        .number(&128u16.to_le_bytes())
        .number(&(-128f64).to_le_bytes())
        .number(&[3, 1]);
    let sizes = [27f64, 26.0, 27.0, 25.5];
    let payload = sizes.iter().fold(payload, |p, bits| p.number(&bits.to_le_bytes()));
    let mut primes = params.chain().iter().chain(params.special());
    primes.by_ref().fold(payload, |p, prime| p.number(&prime.to_le_bytes()))
}

/// The nine numbers of a noise bound.
const NOISE: [f64; 9] =
    [32768.5, 2_097_184.0, 134_219_776.0, 209_063.03, 471_125.5, 300_500.25, 4e3, 5e4, 6e5];

/// Returns every kind of frame, with its name.
fn frames(params: &Params) -> Vec<(&'static str, Kind, Vec<u8>)> {
    let chain = params.chain();
    let all = [chain, params.special()].concat();
    // For BFV, this is -Q mod t.
    let product = chain.iter().fold(1, |product, q| product * (q % 65537) % 65537);
    let fresh_factor = 65537 - product;
    let frame = |kind: Kind, claims: Claims, payload: Payload| {
        let (scheme, params_id) = (*b"bfv\0", *params.id());
        let keyless = matches!(kind, Kind::Params | Kind::Plaintext);
        let key_id = if keyless { [0; 16] } else { [7; 16] };
        Frame { tag: kind.tag(), scheme, params_id, claims, key_id, payload }.bytes()
    };
    let plain = |kind, payload| frame(kind, Claims::default(), payload);
    let ciphertext = |kind, seeded, components, level: u32| {
        let claims = Claims {
            // Seeded ciphertexts are fresh and have the factor of a fresh message.
            flags: 3 * seeded,
            meta: Meta {
                level,
                components,
                noise: NOISE,
                factor: if seeded == 1 { fresh_factor } else { 12345 },
            },
        };
        let moduli = &chain[..=level as usize];
        let count = usize::from(components - seeded);
        let payload = Payload::default().polynomials(count, DEGREE, moduli);
        frame(kind, claims, if seeded == 1 { payload.seed(7) } else { payload })
    };
    let seeded = ciphertext(Kind::Ciphertext, 1, 2, 2);
    let digits = 2;
    let key = |payload: Payload, seed| payload.seed(seed).polynomials(digits, DEGREE, &all);
    let payload = key(Payload::default().number(&[3, 2, 0, 0, 0]), 10);
    let payload = key(payload.number(&3u32.to_le_bytes()), 20);
    let payload = key(payload.number(&8191u32.to_le_bytes()), 30);
    let keys = payload.number(&(seeded.len() as u64).to_le_bytes()).number(&seeded);
    let relinearization = key(Payload::default(), 40);
    let galois = key(Payload::default().number(&[1, 0, 0, 0, 5, 0, 0, 0]), 50);
    let public = Payload::default().seed(5).polynomials(1, DEGREE, &all);
    let rows = Payload::default();
    vec![
        ("parameters", Kind::Params, plain(Kind::Params, description(params))),
        ("secret key", Kind::SecretKey, plain(Kind::SecretKey, rows.mixed_row(DEGREE, 3))),
        ("public key", Kind::PublicKey, plain(Kind::PublicKey, public)),
        ("evaluation keys", Kind::EvaluationKeys, plain(Kind::EvaluationKeys, keys)),
        ("seeded ciphertext", Kind::Ciphertext, seeded.clone()),
        ("full ciphertext", Kind::Ciphertext, ciphertext(Kind::Ciphertext, 0, 2, 1)),
        ("product", Kind::Ciphertext, ciphertext(Kind::Ciphertext, 0, 3, 2)),
        (
            "plaintext",
            Kind::Plaintext,
            plain(Kind::Plaintext, Payload::default().row(DEGREE, 65537)),
        ),
        (
            "relinearisation key",
            Kind::RelinearizationKey,
            plain(Kind::RelinearizationKey, relinearization),
        ),
        ("Galois keys", Kind::GaloisKeys, plain(Kind::GaloisKeys, galois)),
        ("border form", Kind::MsbCiphertext, ciphertext(Kind::MsbCiphertext, 0, 2, 0)),
    ]
}

#[test]
fn the_library_writes_what_the_reference_encoder_writes() {
    let params = Params::new(spec()).unwrap();
    for (name, kind, bytes) in frames(&params) {
        let again = if kind == Kind::MsbCiphertext {
            recoded_msb(&params, &bytes)
        } else {
            recoded::<Bfv>(kind, &params, &bytes)
        };
        assert!(again.unwrap_or_else(|e| panic!("{name}: {e}")) == bytes, "{name}");
    }
}

#[test]
fn the_bytes_of_the_format_are_those_on_record() {
    let golden: Value = serde_json::from_str(GOLDEN).unwrap();
    let params = Params::new(spec()).unwrap();
    let found: Vec<Value> = frames(&params)
        .iter()
        .map(|(name, _, bytes)| {
            let digest = blake3::hash(bytes).to_hex();
            json!({ "name": name, "byte_len": bytes.len(), "blake3": digest.as_str() })
        })
        .collect();
    assert_eq!(golden["format_version"], VERSION);
    assert_eq!(golden["vectors"], Value::Array(found), "a changed format needs another version");
}
