//! Objects survive a journey as values of serde, and only with their parameters.
#![allow(clippy::unwrap_used, reason = "a failure here fails the test")]

use fathom::prelude::*;
use fathom_fhew::{FhewBit, FhewParams, FhewSecretKey};
use serde::de::DeserializeSeed;

fn read(params: &FhewParams, text: &str) -> Result<FhewBit, serde_json::Error> {
    Within::new(params).deserialize(&mut serde_json::Deserializer::from_str(text))
}

#[test]
fn parameters_and_bits_survive() {
    let mut rng = SecretRng::insecure_from_seed(5);
    let [params, other, _] = FhewParams::presets();
    let text = serde_json::to_string(&params).unwrap();
    let params: FhewParams = serde_json::from_str(&text).unwrap();
    let bit = FhewSecretKey::generate(&params, &mut rng).encrypt(true, &mut rng);
    let text = serde_json::to_string(&Framed::new(&params, &bit)).unwrap();
    assert_eq!(read(&params, &text).unwrap().to_bytes(&params), bit.to_bytes(&params));
    assert!(read(&other, &text).is_err());
    assert!(serde_json::to_string(&Framed::new(&other, &bit)).is_err());
}
