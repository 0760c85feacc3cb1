//! Keys and blocks survive the journey, and nothing hostile does harm.

use fathom::SecretRng;
use fathom::tfhe::{Block, ClientKey, EvaluationKey, Evaluator, Lut, Params, SeededEvaluationKey};
use fathom::wire::WireError;
use std::sync::Arc;

#[test]
fn keys_and_blocks_survive_the_journey() {
    let mut rng = SecretRng::insecure_from_seed(11);
    let params = Arc::new(Params::message_2_carry_2());
    let client = ClientKey::generate(&params, &mut rng);
    let bytes = client.to_secret_bytes();
    assert_eq!(bytes.len(), client.byte_len());
    let client = ClientKey::from_secret_bytes(&params, &bytes).unwrap();
    assert_eq!(client.to_secret_bytes(), bytes);

    let seeded = SeededEvaluationKey::generate(&client, &mut rng).unwrap();
    let bytes = seeded.to_bytes();
    assert_eq!(bytes.len(), seeded.byte_len());
    assert!(bytes.len() <= 35_000_000, "{}", bytes.len());
    let read = SeededEvaluationKey::from_bytes(&params, &bytes).unwrap();
    assert_eq!(read, seeded);

    // A byte less or more, and damage at either end of the automorphism keys, which come last.
    let from = |bytes: &[u8]| SeededEvaluationKey::from_bytes(&params, bytes);
    assert!(from(&bytes[..bytes.len() - 1]).is_err());
    assert!(from(&[&bytes[..], &[0]].concat()).is_err());
    for at in [bytes.len() - 300_000, bytes.len() - 20] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(from(&damaged).is_err());
    }

    let key = EvaluationKey::expand(&read).unwrap();
    assert!(key.bytes() <= 130_000_000, "{}", key.bytes());
    let evaluator = Evaluator::new(key, 1).unwrap();
    let block = client.encrypt(3, &mut rng).unwrap();
    let bytes = block.to_bytes(&params).unwrap();
    assert_eq!(bytes.len(), Block::byte_len(&params));
    let block = Block::from_bytes(&params, &bytes).unwrap();
    assert_eq!(block.to_bytes(&params).unwrap(), bytes);
    let lut = Lut::new(params.space(), 0..=3, |x| 3 - x).unwrap();
    assert_eq!(client.decrypt(&evaluator.apply(&block, &lut).unwrap()).unwrap(), 0);
}

#[test]
fn damaged_bytes_are_refused() {
    let mut rng = SecretRng::insecure_from_seed(12);
    let params = Arc::new(Params::message_2_carry_2());
    let client = ClientKey::generate(&params, &mut rng);
    let secret = client.to_secret_bytes();
    let block = client.encrypt(1, &mut rng).unwrap().to_bytes(&params).unwrap();
    for at in (0..block.len()).step_by(997).chain(0..120) {
        let mut damaged = block.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(Block::from_bytes(&params, &damaged).is_err());
        assert!(Block::from_bytes(&params, &block[..at]).is_err());
        assert!(SeededEvaluationKey::from_bytes(&params, &damaged).is_err());
    }
    for at in 0..secret.len() {
        let mut damaged = secret.to_vec();
        damaged[at] ^= 1 << (at % 8);
        assert!(ClientKey::from_secret_bytes(&params, &damaged).is_err());
    }
    let mut spec = *params.spec();
    spec.name = "another";
    let other = Params::new(spec).unwrap();
    assert_eq!(Block::from_bytes(&other, &block).unwrap_err(), WireError::ParamsMismatch);
    let trivial = Block::trivial(params.space(), 1);
    assert_eq!(trivial.to_bytes(&params).unwrap_err(), WireError::Transparent);
}
