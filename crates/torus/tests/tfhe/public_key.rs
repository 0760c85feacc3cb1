//! Public-key encryption and compact lists.

use crate::tfhe::keys;
use fathom::Error;
use fathom::tfhe::integer::{FheInt16, FheUint64, Integers, ValueType};
use fathom::tfhe::{CompactList, Params, PublicKey};
use fathom::wire::{Wire, WireObject};

#[test]
fn lists_expand_to_blocks_that_compute() {
    let (client, evaluator, mut rng) = keys(Params::preset(Params::INTEGERS).unwrap());
    let public = client.public_key(&mut rng).unwrap();
    let values = [u64::MAX - 4, 0x0123_4567_89ab_cdef];
    let list = public.encrypt_list::<FheUint64>(values, &mut rng).unwrap();
    assert_eq!(list.len(), 64);
    let [a, b] = &list.values::<FheUint64>().unwrap()[..] else { panic!("two integers") };
    let integers = Integers::new(evaluator).unwrap();
    let sum = integers.add(a, b).unwrap();
    let expected = values[0].wrapping_add(values[1]);
    assert_eq!(client.decrypt(&sum).unwrap(), expected);
    let negative = public.encrypt_list::<FheInt16>([-300_i16], &mut rng).unwrap();
    let negative = negative.values::<FheInt16>().unwrap();
    assert_eq!(client.decrypt(&negative[0]).unwrap(), -300);
    let refused = list.values::<FheInt16>().unwrap_err();
    let [expected, got] = [ValueType::of::<FheInt16>(), ValueType::of::<FheUint64>()];
    assert_eq!(refused, Error::TypeMismatch { expected, got: Some(got) });
}

/// Encrypts more blocks than a ring ciphertext holds, and checks their values and their noise.
#[test]
fn long_lists_have_less_noise_than_bootstraps() {
    let (client, _, mut rng) = keys(Params::preset(Params::INTEGERS).unwrap());
    let public = client.public_key(&mut rng).unwrap();
    let space = client.params().space();
    let values: Vec<u32> = (0..2500).map(|i| i * 7 % 4).collect();
    let list = public.encrypt(&values, &mut rng).unwrap();
    let blocks = list.expand();
    assert_eq!(blocks.len(), values.len());
    let mut sum = 0.0;
    for (block, &value) in blocks.iter().zip(&values) {
        assert_eq!(client.decrypt(block).unwrap(), value as i32);
        let error =
            client.phase(block.lwe()).unwrap().wrapping_sub(space.encode(value.into())) as i64;
        sum += (error as f64 / 2f64.powi(64)).powi(2);
    }
    let variance = sum / values.len() as f64;
    let output = client.params().noise().variances().blind_rotation;
    // The noise is that of the rounding; the noise of the ring is far below.
    assert!(variance < output / 16.0, "{}", variance / output);
    assert!(variance > output / 300.0, "{}", variance / output);
}

#[test]
fn keys_and_lists_survive_the_journey_and_damage_is_refused() {
    let (client, _, mut rng) = keys(Params::preset(Params::INTEGERS).unwrap());
    let params = client.params();
    let public = client.public_key(&mut rng).unwrap();
    let bytes = public.to_bytes();
    assert_eq!(bytes.len(), public.byte_len());
    assert_eq!(PublicKey::from_bytes(params, &bytes).unwrap(), public);

    for count in [0, 1, 64, 65] {
        let list = public.encrypt(&vec![2; count], &mut rng).unwrap();
        assert_eq!(list.is_empty(), count == 0);
        let bytes = list.to_bytes();
        assert_eq!(bytes.len(), list.byte_len());
        assert_eq!(CompactList::from_bytes(params, &bytes).unwrap(), list);
        // The mask is shared: a list of 65 blocks is much smaller than 65 blocks.
        assert!(count < 64 || bytes.len() < count * 8_000 / 50);
        for at in (0..bytes.len()).step_by(97).chain(0..160.min(bytes.len())) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(CompactList::from_bytes(params, &damaged).is_err());
            assert!(CompactList::from_bytes(params, &bytes[..at]).is_err());
            assert!(PublicKey::from_bytes(params, &damaged).is_err());
        }
    }
    let mut spec = *params.spec();
    spec.name = fathom::tfhe::Name::of("another");
    let other = Params::new(spec).unwrap();
    assert!(matches!(
        PublicKey::from_bytes(&other, &bytes).unwrap_err(),
        Error::ParamsMismatch { .. }
    ));
}

#[test]
fn what_cannot_be_encrypted_is_refused() {
    let (client, _, mut rng) = keys(Params::preset(Params::INTEGERS).unwrap());
    let public = client.public_key(&mut rng).unwrap();
    assert!(matches!(
        public.encrypt(&[0, 4], &mut rng),
        Err(Error::ValueOutOfRange { index: 1, low: 0, high: 3 })
    ));
    let list = public.encrypt(&[1; 9], &mut rng).unwrap();
    assert!(matches!(list.values::<FheInt16>(), Err(Error::TypeMismatch { got: None, .. })));
    let refused = public.encrypt_list::<FheInt16>([40_000], &mut rng);
    assert!(matches!(refused, Err(Error::ClearOutOfRange { bits: 16, signed: true })));

    let gates = Params::preset("u_bool_128").unwrap();
    let client = fathom::tfhe::ClientKey::generate(&gates, &mut rng);
    let refused = client.public_key(&mut rng);
    assert!(matches!(refused, Err(Error::Spec { field: "rank", .. })));
}
