//! Objects survive a journey as values of serde, and damaged ones are refused.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use fathom::Within;
use fathom::prelude::*;
use serde::de::DeserializeSeed;

fn read<'a, T>(
    seed: impl DeserializeSeed<'a, Value = T>,
    text: &'a str,
) -> Result<T, serde_json::Error> {
    seed.deserialize(&mut serde_json::Deserializer::from_str(text))
}

#[test]
fn objects_of_bgv_survive() {
    let mut rng = SecretRng::insecure_from_seed(1);
    let params = bgv::Params::preset(Preset::E1).unwrap();
    let text = serde_json::to_string(&params).unwrap();
    let params: bgv::Params = serde_json::from_str(&text).unwrap();
    let secret = bgv::SecretKey::generate(&params, &mut rng);
    let plain = params.encode(&[1, 2]).unwrap();
    let c = secret.encrypt(&plain, &mut rng).unwrap();
    let text = serde_json::to_string(&c).unwrap();
    let back: bgv::Ciphertext = read(Within::new(&params), &text).unwrap();
    assert_eq!(back.to_bytes(), c.to_bytes());
    let keys = secret.evaluation_keys(&Rotations::steps(&[1]), &mut rng).unwrap();
    let text = serde_json::to_string(&keys).unwrap();
    let back: bgv::EvaluationKeys = read(Within::new(&params), &text).unwrap();
    assert_eq!(back.to_bytes(), keys.to_bytes());
    let damaged = text.replacen("70", "71", 1);
    assert!(read::<bgv::EvaluationKeys>(Within::new(&params), &damaged).is_err());
}

#[test]
fn descriptions_are_ordinary_values() {
    let circuit = Circuit { products: 2, rotations: 1, terms: 3, results: 4 };
    let text = serde_json::to_string(&circuit).unwrap();
    assert_eq!(text, r#"{"products":2,"rotations":1,"terms":3,"results":4}"#);
    assert_eq!(serde_json::from_str::<Circuit>(&text).unwrap(), circuit);
    let rotations = Rotations::for_slot_sum(64);
    let text = serde_json::to_string(&rotations).unwrap();
    assert_eq!(serde_json::from_str::<Rotations>(&text).unwrap(), rotations);
    let level: Level = serde_json::from_str("3").unwrap();
    assert_eq!(level, 3);
    assert_eq!(serde_json::to_string(&Preset::E2).unwrap(), "\"E2\"");
}
