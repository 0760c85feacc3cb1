//! Keys and blocks are read back as written, and hostile frames are refused.

use crate::tfhe::frame::with_bytes;
use fathom::SecretRng;
use fathom::tfhe::boolean::Bit;
use fathom::tfhe::integer::{FheBool, FheInt8, FheInt32, FheValue, Integers, Typed};
use fathom::tfhe::shortint::ShortInt;
use fathom::tfhe::{Block, ClientKey, Evaluator, Lut, Params, SeededEvaluationKeys};
use fathom::wire::{Wire, WireError, WireFresh, WireObject, WireValue};

#[test]
fn keys_and_blocks_survive_the_journey() {
    let mut rng = SecretRng::insecure_from_seed(11);
    let params = Params::preset(Params::INTEGERS).unwrap();
    let client = ClientKey::generate(&params, &mut rng);
    let bytes = client.to_secret_bytes();
    assert_eq!(bytes.len(), client.byte_len());
    let client = ClientKey::from_secret_bytes(&params, &bytes).unwrap();
    assert_eq!(client.to_secret_bytes(), bytes);

    let seeded = client.seeded_evaluation_keys(&mut rng).unwrap();
    let bytes = seeded.to_bytes();
    assert_eq!(bytes.len(), seeded.byte_len());
    assert!(bytes.len() <= 35_000_000, "{}", bytes.len());
    let read = SeededEvaluationKeys::from_bytes(&params, &bytes).unwrap();
    assert_eq!(read, seeded);

    // A byte less or more, and damage at either end of the automorphism keys, which come last.
    let from = |bytes: &[u8]| SeededEvaluationKeys::from_bytes(&params, bytes);
    assert!(from(&bytes[..bytes.len() - 1]).is_err());
    assert!(from(&[&bytes[..], &[0]].concat()).is_err());
    for at in [bytes.len() - 300_000, bytes.len() - 20] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(from(&damaged).is_err());
    }

    let key = read.expand().unwrap();
    assert!(key.byte_len() <= 130_000_000, "{}", key.byte_len());
    let evaluator = Evaluator::new(key, 1).unwrap();
    let block = client.encrypt::<Block>(3, &mut rng).unwrap();
    let bytes = block.to_bytes(&params).unwrap();
    assert_eq!(bytes.len(), block.byte_len(&params));
    let block = Block::from_bytes(&params, &bytes).unwrap();
    assert_eq!(block.to_bytes(&params).unwrap(), bytes);
    let lut = Lut::new(params.space(), 0..=3, |x| 3 - x).unwrap();
    assert_eq!(client.decrypt(&evaluator.apply(&block, &lut).unwrap()).unwrap(), 0);
}

#[test]
fn damaged_bytes_are_refused() {
    let mut rng = SecretRng::insecure_from_seed(12);
    let params = Params::preset(Params::INTEGERS).unwrap();
    let client = ClientKey::generate(&params, &mut rng);
    let secret = client.to_secret_bytes();
    let block = client.encrypt::<Block>(1, &mut rng).unwrap().to_bytes(&params).unwrap();
    for at in (0..block.len()).step_by(997).chain(0..120) {
        let mut damaged = block.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(Block::from_bytes(&params, &damaged).is_err());
        assert!(Block::from_bytes(&params, &block[..at]).is_err());
        assert!(SeededEvaluationKeys::from_bytes(&params, &damaged).is_err());
    }
    for at in 0..secret.len() {
        let mut damaged = secret.to_vec();
        damaged[at] ^= 1 << (at % 8);
        assert!(ClientKey::from_secret_bytes(&params, &damaged).is_err());
    }
    let mut spec = *params.spec();
    spec.name = fathom::tfhe::Name::of("another");
    let other = Params::new(spec).unwrap();
    assert!(matches!(
        Block::from_bytes(&other, &block).unwrap_err(),
        fathom::Error::ParamsMismatch { .. }
    ));
}

/// Fault M1: results that turned out clear could not be sent.
#[test]
fn m1_clear_results_travel_as_clear_values() {
    let mut rng = SecretRng::insecure_from_seed(13);
    let params = Params::preset(Params::INTEGERS).unwrap();
    let client = ClientKey::generate(&params, &mut rng);
    let a = client.encrypt::<Block>(3, &mut rng).unwrap();
    let nothing = a.sub(&a).unwrap();
    for (block, value) in [
        (nothing.clone(), 0),
        (nothing.add_scalar(-7), -7),
        (Block::trivial(params.space(), 14), 14),
    ] {
        let bytes = block.to_bytes(&params).unwrap();
        assert_eq!(bytes.len(), block.byte_len(&params));
        let read = Block::from_bytes(&params, &bytes).unwrap();
        assert!(read.is_clear() && read.key_id().is_none());
        assert_eq!(read.to_bytes(&params).unwrap(), bytes);
        assert_eq!(client.decrypt(&read).unwrap(), value);
        assert_eq!(
            Block::from_bytes_fresh(&params, &bytes).unwrap_err(),
            fathom::Error::Wire(WireError::NotFresh)
        );
    }
    let x: FheInt8 = client.encrypt(-5, &mut rng).unwrap();
    let simulated = Block::simulated(params.space(), 1, (0, 3));
    assert!(matches!(simulated.to_bytes(&params).unwrap_err(), fathom::Error::Simulated { .. }));
    let clear = FheInt8::trivial(-5).unwrap();
    let bytes = clear.to_bytes(&params).unwrap();
    assert_eq!(bytes.len(), clear.byte_len(&params));
    let read = FheInt8::from_bytes(&params, &bytes).unwrap();
    assert!(read.blocks().iter().all(Block::is_clear));
    assert_eq!(client.decrypt(&read), client.decrypt(&x));
    let truth = FheBool::from_bytes(&params, &FheBool::trivial(true).to_bytes(&params).unwrap());
    assert!(client.decrypt(&truth.unwrap()).unwrap());
    let bit = Bit::from_bytes(&params, &Bit::trivial(&params, true).to_bytes(&params).unwrap());
    assert!(client.decrypt(&bit.unwrap()).unwrap());
    let short = ShortInt::trivial(&params, 2).unwrap().to_bytes(&params).unwrap();
    assert_eq!(client.decrypt(&ShortInt::from_bytes(&params, &short).unwrap()), Ok(2));
}

/// Fault M1 for integers: `a & 0`, `a - a`, and a sum of nothing but clear values.
#[test]
fn m1_integers_that_became_clear_travel() {
    let (client, evaluator, mut rng) = crate::tfhe::keys(Params::preset(Params::INTEGERS).unwrap());
    let integers = Integers::new(evaluator).unwrap();
    let params = client.params();
    let a: FheInt8 = client.encrypt(-77, &mut rng).unwrap();
    let zero = FheInt8::trivial(0).unwrap();
    let results = [
        integers.and(&a, 0).unwrap(),
        integers.sub(&a, &a).unwrap(),
        integers.sum([&zero, &zero]).unwrap(),
    ];
    for result in results {
        let read = FheInt8::from_bytes(params, &result.to_bytes(params).unwrap()).unwrap();
        assert_eq!(client.decrypt(&read).unwrap(), 0);
        let sum = integers.add(&a, &read).unwrap();
        assert_eq!(client.decrypt(&sum).unwrap(), -77);
    }
}

/// Fault S2: a negative integer decrypted to a large number.
#[test]
fn s2_decryption_returns_the_clear_type() {
    let (client, evaluator, mut rng) = crate::tfhe::keys(Params::preset(Params::INTEGERS).unwrap());
    let integers = Integers::new(evaluator).unwrap();
    let a: FheInt32 = client.encrypt(-5, &mut rng).unwrap();
    let minus_five: i32 = client.decrypt(&a).unwrap();
    assert_eq!(minus_five, -5);
    let read = FheInt32::from_bytes(client.params(), &a.to_bytes(client.params()).unwrap());
    let tripled = integers.mul(&read.unwrap(), 3).unwrap();
    assert_eq!(i64::from(client.decrypt(&tripled).unwrap()), -15);
}

/// Fault S1: a computed ciphertext was accepted as a fresh input.
#[test]
fn s1_only_fresh_encryptions_are_read_as_fresh() {
    let mut rng = SecretRng::insecure_from_seed(14);
    let params = Params::preset(Params::INTEGERS).unwrap();
    let client = ClientKey::generate(&params, &mut rng);
    let [a, b] = [3, 1].map(|value| client.encrypt::<Block>(value, &mut rng).unwrap());
    let fresh = Block::from_bytes_fresh(&params, &a.to_bytes(&params).unwrap()).unwrap();
    assert_eq!((fresh.range(), fresh.noise_variance(), fresh.is_fresh()), ((0, 3), 1, true));
    for computed in [a.add(&b).unwrap(), a.mul_scalar(1), a.add_scalar(1), a.sub(&b).unwrap()] {
        let bytes = computed.to_bytes(&params).unwrap();
        assert_eq!(
            Block::from_bytes_fresh(&params, &bytes).unwrap_err(),
            fathom::Error::Wire(WireError::NotFresh)
        );
        let read = Block::from_bytes(&params, &bytes).unwrap();
        assert!(!read.is_fresh());
        assert_eq!(client.decrypt(&read), client.decrypt(&computed));
    }
    // A claim that differs from that of the type is ignored.
    let narrow = with_bytes(&a.to_bytes(&params).unwrap(), 4, &[1]);
    assert_eq!(Block::from_bytes(&params, &narrow).unwrap().range(), (0, 1));
    assert_eq!(Block::from_bytes_fresh(&params, &narrow).unwrap().range(), (0, 3));
    for (at, field) in [(0, "range"), (4, "range"), (8, "noise"), (12, "depth")] {
        let other = with_bytes(&a.to_bytes(&params).unwrap(), at, &[if at == 0 { 2 } else { 5 }]);
        let read = Block::from_bytes(&params, &other);
        if at != 0 {
            assert_eq!(read.unwrap_err(), fathom::Error::Wire(WireError::Malformed { field }));
        } else {
            assert_eq!(read.unwrap().range(), (2, 3));
        }
    }
    let x: FheInt8 = client.encrypt(-5, &mut rng).unwrap();
    let bytes = x.to_bytes(&params).unwrap();
    assert_eq!(client.decrypt(&FheInt8::from_bytes_fresh(&params, &bytes).unwrap()), Ok(-5));
    let truth = client.encrypt::<FheBool>(true, &mut rng).unwrap().to_bytes(&params).unwrap();
    let truth = FheBool::from_bytes_fresh(&params, &truth).unwrap();
    assert_eq!(client.decrypt(&truth), Ok(true));
    let bit = client.encrypt::<Bit>(true, &mut rng).unwrap();
    let read = Bit::from_bytes_fresh(&params, &bit.to_bytes(&params).unwrap()).unwrap();
    assert_eq!(client.decrypt(&read), Ok(true));
    let refused = Bit::from_bytes_fresh(&params, &(!bit).to_bytes(&params).unwrap());
    assert_eq!(refused.unwrap_err(), fathom::Error::Wire(WireError::NotFresh));
    let short = client.encrypt::<ShortInt>(2, &mut rng).unwrap().to_bytes(&params).unwrap();
    let short = ShortInt::from_bytes_fresh(&params, &short).unwrap();
    assert_eq!(client.decrypt(&short), Ok(2));
}

/// Fault L6: `A` and `A + B`, received as two frames, counted as independent.
#[test]
fn l6_received_results_count_as_dependent() {
    let mut rng = SecretRng::insecure_from_seed(15);
    let params = Params::preset(Params::INTEGERS).unwrap();
    let client = ClientKey::generate(&params, &mut rng);
    let [a, b] = [2, 1].map(|value| client.encrypt::<Block>(value, &mut rng).unwrap());
    let sent =
        |block: &Block| Block::from_bytes(&params, &block.to_bytes(&params).unwrap()).unwrap();
    let sum = a.add(&b).unwrap();
    let true_noise_variance =
        |x: &Block, y: &Block, factor| x.add_scaled(y, factor).unwrap().noise_variance();
    for factor in [1, 2, 5, -1, -3] {
        for (one, other) in [(&a, &sum), (&sum, &a)] {
            let known = true_noise_variance(one, other, factor);
            for (x, y) in
                [(sent(one), sent(other)), (one.clone(), sent(other)), (sent(one), other.clone())]
            {
                assert!(true_noise_variance(&x, &y, factor) >= known, "{factor}: {known}");
            }
        }
    }
    // A result taken from a copy of itself is clear, whichever of them travelled, and travels on.
    for difference in [
        sum.sub(&sent(&sum)).unwrap(),
        sent(&sum).sub(&sum).unwrap(),
        sent(&sent(&sum)).sub(&sum).unwrap(),
    ] {
        assert!(difference.is_clear());
        assert!(sent(&difference).is_clear());
        assert_eq!(client.decrypt(&difference).unwrap(), 0);
    }
    // A multiple whose mask has left the words is not clear.
    let beyond = sum.mul_scalar(1 << 30).mul_scalar(1 << 30);
    assert!(!beyond.is_clear() && beyond.noise_variance() == u32::MAX);
    // Fresh inputs keep their noise and are recognised: the received copy is the block itself.
    assert_eq!(true_noise_variance(&sent(&a), &sent(&b), 4), 17);
    assert_eq!(true_noise_variance(&sent(&a), &a, 1), 4);
    assert!(a.sub(&sent(&a)).unwrap().is_clear());
}
