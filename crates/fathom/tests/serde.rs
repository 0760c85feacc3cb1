//! Objects survive a journey as values of serde, and damaged ones are refused.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use fathom::prelude::*;
use fathom::wide::{Circuit as Wide, Vector, VectorParams, VectorSecretKey};
use serde::Serialize;
use serde::de::{DeserializeOwned, DeserializeSeed};

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

/// Returns what arrives of parameters.
fn sent_alone<P: Serialize + DeserializeOwned>(params: &P) -> P {
    serde_json::from_str(&serde_json::to_string(params).unwrap()).unwrap()
}

/// Returns what arrives of an object that belongs to `owner`.
fn sent<T: Serialize + Wire>(owner: &T::Context, object: &T) -> T {
    read(Within::new(owner), &serde_json::to_string(object).unwrap()).unwrap()
}

/// Checks that a value is written and read with its parameters, and only with them.
fn value_survives<T: WireValue>(params: &T::Context, other: &T::Context, value: &T) {
    let text = serde_json::to_string(&Framed::new(params, value)).unwrap();
    let back: T = read(Within::new(params), &text).unwrap();
    assert_eq!(back.to_bytes(params), value.to_bytes(params));
    assert!(read::<T>(Within::new(other), &text).is_err());
    assert!(serde_json::to_string(&Framed::new(other, value)).is_err());
}

#[test]
fn objects_of_ckks_survive() {
    let mut rng = SecretRng::insecure_from_seed(2);
    let params = sent_alone(&ckks::Params::preset(ckks::Preset::E3Depth1).unwrap());
    let secret = ckks::SecretKey::generate(&params, &mut rng);
    let c = secret.encrypt(&params.encode(&[0.5]).unwrap(), &mut rng).unwrap();
    assert_eq!(sent(&params, &c).to_bytes(), c.to_bytes());
    let public = secret.public_key(&mut rng);
    assert_eq!(sent(&params, &public).key_id(), secret.id());
    let keys = secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap();
    assert_eq!(sent(&params, &keys).to_bytes(), keys.to_bytes());
    let explicit = ckks::explicit::Params::preset(ckks::Preset::E3Depth1).unwrap();
    let text = serde_json::to_string(&c).unwrap();
    assert!(read::<ckks::explicit::Ciphertext>(Within::new(&explicit), &text).is_err());
}

#[test]
fn objects_of_exact_integers_survive() {
    let mut rng = SecretRng::insecure_from_seed(3);
    let params = sent_alone(&wide::Params::preset(wide::Preset::E4).unwrap());
    let secret = wide::SecretKey::generate(&params, &mut rng);
    let c = secret.encrypt(&params.encode(-7_i64).unwrap(), &mut rng).unwrap();
    assert_eq!(secret.decrypt(&sent(&params, &c)).unwrap().value().to_i64(), Some(-7));
    let params: VectorParams =
        sent_alone(&VectorParams::plan(&Wide::products_of::<u64>(1)).unwrap());
    let secret = VectorSecretKey::generate(&params, &mut rng);
    let vector: Vector<u64> = secret.encrypt(&[1, 2], &mut rng).unwrap();
    assert_eq!(sent(&params, &vector).to_bytes(), vector.to_bytes());
}

#[test]
fn objects_of_tfhe_survive() {
    let mut rng = SecretRng::insecure_from_seed(4);
    let params = sent_alone(&tfhe::Params::preset(tfhe::Params::INTEGERS).unwrap());
    let bits = tfhe::Params::preset(tfhe::Params::GATES).unwrap();
    let client = tfhe::ClientKey::generate(&params, &mut rng);
    let x: FheInt8 = client.encrypt(-3_i8, &mut rng).unwrap();
    value_survives(&params, &bits, &x);
    let x: FheUint16 = client.encrypt(300_u16, &mut rng).unwrap();
    value_survives(&params, &bits, &x);
    value_survives(&params, &bits, &RadixInt::from(x));
    value_survives(&params, &bits, &client.encrypt::<FheBool>(true, &mut rng).unwrap());
    value_survives(&params, &bits, &client.encrypt::<ShortInt>(3, &mut rng).unwrap());
    value_survives(&params, &bits, &client.encrypt::<tfhe::Block>(2, &mut rng).unwrap());
    let gates = tfhe::ClientKey::generate(&bits, &mut rng);
    value_survives(&bits, &params, &gates.encrypt::<Bit>(true, &mut rng).unwrap());
    let list = client.public_key(&mut rng).unwrap().encrypt(&[1, 2, 3], &mut rng).unwrap();
    assert_eq!(sent(&params, &list).to_bytes(), list.to_bytes());
    let list = client.encrypt_list::<FheUint16>([300_u16], &mut rng).unwrap();
    assert_eq!(sent(&params, &list).to_bytes(), list.to_bytes());
    value_survives(&params, &bits, &client.encrypt::<FheBytes>(b"serde", &mut rng).unwrap());
    let public = client.public_key(&mut rng).unwrap();
    assert_eq!(sent(&params, &public).to_bytes(), public.to_bytes());
    let simulated = tfhe::Evaluator::simulated(&params);
    let clear = simulated.compress(&[tfhe::Block::trivial(params.space(), 1)]).unwrap();
    let text = serde_json::to_string(&clear).unwrap();
    let refused = read::<tfhe::CompressedList>(Within::new(&params), &text).unwrap_err();
    assert!(refused.to_string().contains("key id"), "{refused}");
}

#[test]
fn descriptions_are_ordinary_values() {
    let circuit = Circuit {
        products: 2,
        rotations: 1,
        terms: 3,
        results: 4,
        encryption: Encryption::PublicKey,
    };
    let text = serde_json::to_string(&circuit).unwrap();
    assert_eq!(
        text,
        r#"{"products":2,"rotations":1,"terms":3,"results":4,"encryption":"PublicKey"}"#
    );
    assert_eq!(serde_json::from_str::<Circuit>(&text).unwrap(), circuit);
    let rotations = Rotations::for_slot_sum(64);
    let text = serde_json::to_string(&rotations).unwrap();
    assert_eq!(serde_json::from_str::<Rotations>(&text).unwrap(), rotations);
    let level: Level = serde_json::from_str("3").unwrap();
    assert_eq!(level, 3);
    assert_eq!(serde_json::to_string(&Preset::E2).unwrap(), "\"E2\"");
}

/// An untrusted sender's input keeps none of its claims, as with `from_bytes_fresh`.
#[test]
fn fresh_inputs_are_read_without_the_claims_of_their_sender() {
    let mut rng = SecretRng::insecure_from_seed(9);
    let params = bfv::Params::preset(Preset::E1).unwrap();
    let secret = bfv::SecretKey::generate(&params, &mut rng);
    let c = secret.encrypt(&params.encode(&[7]).unwrap(), &mut rng).unwrap();
    let text = serde_json::to_string(&c).unwrap();
    let input: bfv::Ciphertext = read(FreshWithin::new(&params), &text).unwrap();
    let expected = bfv::Ciphertext::from_bytes_fresh(&params, &c.to_bytes()).unwrap();
    assert!((input.noise_bound_bits() - expected.noise_bound_bits()).abs() < 1e-12);
    // What comes with a seed was encrypted under the secret key.
    assert!((input.noise_bound_bits() - c.noise_bound_bits()).abs() < 1e-12);
    let public = secret.public_key(&mut rng);
    let other = public.encrypt(&params.encode(&[7]).unwrap(), &mut rng).unwrap();
    let text = serde_json::to_string(&other).unwrap();
    let other: bfv::Ciphertext = read(FreshWithin::new(&params), &text).unwrap();
    assert!(other.noise_bound_bits() > input.noise_bound_bits());
    let keys = secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap();
    let sum = bfv::Evaluator::new(keys).add(&c, &c).unwrap();
    let computed = serde_json::to_string(&sum).unwrap();
    let refused = read::<bfv::Ciphertext>(FreshWithin::new(&params), &computed).unwrap_err();
    assert!(refused.to_string().contains("fresh"), "{refused}");
    let params = tfhe::Params::preset(tfhe::Params::INTEGERS).unwrap();
    let client = tfhe::ClientKey::generate(&params, &mut rng);
    let flag: FheBool = client.encrypt(true, &mut rng).unwrap();
    let text = serde_json::to_string(&Framed::new(&params, &flag)).unwrap();
    let input: FheBool = read(FreshWithin::new(&params), &text).unwrap();
    assert!(client.decrypt(&input).unwrap());
}
