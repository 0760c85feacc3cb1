//! Objects survive a journey as values of serde.
#![allow(clippy::unwrap_used, reason = "a failure here fails the test")]

use fathom::wire::Wire;
use fathom::{SecretRng, Within};
use fathom_hfhe::{Workers, compat, native};
use serde::Serialize;
use serde::de::DeserializeSeed;

/// Returns what arrives of an object that belongs to `owner`.
fn sent<T: Serialize + Wire>(owner: &T::Context, object: &T) -> T {
    let text = serde_json::to_string(object).unwrap();
    let mut reader = serde_json::Deserializer::from_str(&text);
    Within::new(owner).deserialize(&mut reader).unwrap()
}

#[test]
fn ciphertexts_and_public_keys_survive() {
    let mut rng = SecretRng::insecure_from_seed(5);
    let secret = native::SecretKey::generate(&mut rng);
    let c = secret.encrypt_u64(5, &mut rng);
    assert_eq!(sent(&secret.id(), &c), c);
    let workers = Workers::one();
    let secret = compat::SecretKey::generate(&mut rng, &workers).unwrap();
    assert_eq!(sent(&workers, secret.public()).id(), secret.public().id());
}

#[test]
fn ciphertexts_of_another_key_are_refused() {
    let mut rng = SecretRng::insecure_from_seed(6);
    let [own, other] = [(); 2].map(|()| native::SecretKey::generate(&mut rng));
    let text = serde_json::to_string(&own.encrypt_u64(5, &mut rng)).unwrap();
    let mut reader = serde_json::Deserializer::from_str(&text);
    let read = Within::<_, native::Ciphertext>::new(&other.id()).deserialize(&mut reader);
    assert!(read.unwrap_err().to_string().contains("different parameter sets"));
}
