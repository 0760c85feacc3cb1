//! Lists encrypted under the secret key, with one seed for all masks.

use crate::tfhe::keys;
use fathom::Error;
use fathom::tfhe::integer::{
    Clear, FheBool, FheInt16, FheUint32, FheUint64, FheValue, Integers, ValueType,
};
use fathom::tfhe::{ClientKey, CompactList, Params, SeededList};
use fathom::wire::{Wire, WireObject, WireValue};

#[test]
fn seeded_integers_compute_like_any_others() {
    let (client, evaluator, mut rng) = keys(Params::preset(Params::INTEGERS).unwrap());
    let integers = Integers::new(evaluator).unwrap();
    let sent = client.encrypt_list::<FheUint32>([7_u32, u32::MAX], &mut rng).unwrap();
    let received = SeededList::from_bytes(client.params(), &sent.to_bytes()).unwrap();
    let [a, b] = &received.values::<FheUint32>().unwrap()[..] else { panic!("two integers") };
    assert!(a.blocks().iter().all(fathom::tfhe::Block::is_fresh));
    assert_eq!(client.decrypt(&integers.add(a, b).unwrap()).unwrap(), 6);

    let unknown = received.radix_integers().unwrap();
    assert_eq!(client.decrypt_many(&unknown).unwrap(), [7_u32, u32::MAX].map(Clear::from));
    let many: Vec<FheInt16> = client.encrypt_many([-3_i16, 300], &mut rng).unwrap();
    assert_eq!(client.decrypt_many(&many).unwrap(), [-3, 300]);

    let [expected, got] = [ValueType::of::<FheInt16>(), ValueType::of::<FheUint32>()];
    let refused = received.values::<FheInt16>().unwrap_err();
    assert_eq!(refused, Error::TypeMismatch { expected, got: Some(got) });
    let blocks = client.encrypt_seeded(&[1; 9], &mut rng).unwrap();
    assert!(matches!(blocks.radix_integers(), Err(Error::TypeMismatch { got: None, .. })));
}

#[test]
fn truth_values_are_encrypted_sent_and_compared_as_a_list() {
    let (client, evaluator, mut rng) = keys(Params::preset(Params::INTEGERS).unwrap());
    let (left, right) = ([true, false, true, false], [true, true, false, false]);
    let sent = client.encrypt_list::<FheBool>(left, &mut rng).unwrap();
    let received = SeededList::from_bytes(client.params(), &sent.to_bytes()).unwrap();
    let left_values = received.values::<FheBool>().unwrap();
    assert_eq!(client.decrypt_many(&left_values).unwrap(), left);

    let public = client.public_key(&mut rng).unwrap();
    let sent = public.encrypt_list::<FheBool>(right, &mut rng).unwrap();
    let received = CompactList::from_bytes(client.params(), &sent.to_bytes()).unwrap();
    let right_values = received.values::<FheBool>().unwrap();
    assert_eq!(client.decrypt_many(&right_values).unwrap(), right);
    let integers = Integers::new(evaluator).unwrap();
    let equal = integers.zip(&left_values, &right_values, |e, a, b| e.eq(a, b)).unwrap();
    assert_eq!(client.decrypt_many(&equal).unwrap(), [true, false, false, true]);

    let (expected, got) = (ValueType::of::<FheUint64>(), Some(ValueType::of::<FheBool>()));
    let refused = received.radix_integers().unwrap_err();
    assert_eq!(refused, Error::TypeMismatch { expected, got });
    assert!(received.values::<FheInt16>().is_err());
    let many: Vec<FheBool> = client.encrypt_many([true, false], &mut rng).unwrap();
    assert_eq!(client.decrypt_many(&many).unwrap(), [true, false]);
}

/// The sizes stated in docs/wire-format.md are those of frames.
#[test]
fn documents_give_the_size_of_a_seeded_integer() {
    let (client, mut rng) = client(Params::INTEGERS);
    let one = client.encrypt_list::<FheUint32>([5_u32], &mut rng).unwrap();
    let many = client.encrypt_list::<FheUint32>([5_u32; 100], &mut rng).unwrap();
    let whole: FheUint32 = client.encrypt(5_u32, &mut rng).unwrap();
    let grouped = |bytes: usize| match (bytes / 1000, bytes % 1000) {
        (0, rest) => format!("{rest}"),
        (thousands, rest) => format!("{thousands} {rest:03}"),
    };
    let text = include_str!("../../../../docs/wire-format.md");
    for (name, bytes) in [
        ("`FheUint32` of its own", whole.byte_len(client.params())),
        ("seeded list of one `FheUint32`", one.byte_len()),
        ("seeded list of 100 `FheUint32`", many.byte_len()),
    ] {
        let row = format!("| {name} | {} |", grouped(bytes));
        assert!(text.contains(&row), "{row}");
    }
}

/// The noise of an encryption and of the rounding, and no more, on sets of every shape.
#[test]
fn seeded_blocks_have_less_noise_than_bootstraps() {
    for name in [Params::INTEGERS, Params::GATES, "b_2_2_64", "u_1_1_40"] {
        let (client, mut rng) = client(name);
        let (params, space) = (client.params(), client.params().space());
        let modulus = 1 << params.spec().message_bits;
        let values: Vec<u32> = (0..400).map(|i| i * 7 % modulus).collect();
        let list = client.encrypt_seeded(&values, &mut rng).unwrap();
        let (mut sum, mut signed) = (0.0, 0.0);
        for (block, &value) in list.expand().iter().zip(&values) {
            assert_eq!(client.decrypt(block).unwrap(), value as i32);
            let error =
                client.phase(block.lwe()).unwrap().wrapping_sub(space.encode(value.into())) as i64;
            let error = error as f64 / 2f64.powi(64);
            sum += error * error;
            signed += error;
        }
        let count = values.len() as f64;
        let output = params.noise().variances().blind_rotation;
        assert!(sum / count < output / 16.0, "{name}: {}", sum / count / output);
        // The rounding has no bias.
        assert!((signed / count).abs() < 4.0 * (sum / count / count).sqrt(), "{name}");
    }
}

/// A seed that served twice would reveal differences of values.
#[test]
fn every_list_has_a_seed_of_its_own_and_every_block_a_mask() {
    let (client, mut rng) = client("u_bool_40");
    let lists = [0; 3].map(|_| client.encrypt_seeded(&[1; 5], &mut rng).unwrap());
    let mut masks: Vec<_> = lists
        .iter()
        .flat_map(SeededList::expand)
        .map(|block| block.lwe().mask().to_vec())
        .collect();
    assert_eq!(masks.len(), 15);
    masks.sort();
    masks.dedup();
    assert_eq!(masks.len(), 15);
}

#[test]
fn lists_survive_the_journey_and_damage_is_refused() {
    let (client, mut rng) = client(Params::INTEGERS);
    let params = client.params();
    for count in [0, 1, 16, 65] {
        let list = client.encrypt_seeded(&vec![2; count], &mut rng).unwrap();
        assert_eq!((list.len(), list.is_empty()), (count, count == 0));
        let bytes = list.to_bytes();
        assert_eq!(bytes.len(), list.byte_len());
        assert_eq!(SeededList::from_bytes(params, &bytes).unwrap(), list);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(SeededList::from_bytes(params, &damaged).is_err());
            assert!(SeededList::from_bytes(params, &bytes[..at]).is_err());
        }
    }
    let other = Params::preset("u_2_2_64").unwrap();
    let bytes = client.encrypt_seeded(&[1], &mut rng).unwrap().to_bytes();
    let refused = SeededList::from_bytes(&other, &bytes).unwrap_err();
    assert!(matches!(refused, Error::ParamsMismatch { .. }), "{refused}");
}

#[test]
fn what_cannot_be_encrypted_is_refused() {
    let (client, mut rng) = client(Params::INTEGERS);
    let refused = client.encrypt_seeded(&[0, 4], &mut rng).unwrap_err();
    assert_eq!(refused, Error::ValueOutOfRange { index: 1, low: 0, high: 3 });
    let refused = client.encrypt_list::<FheInt16>([40_000], &mut rng).unwrap_err();
    assert!(matches!(refused, Error::ClearOutOfRange { bits: 16, signed: true }));
    let refused = client.encrypt_many::<FheInt16>([40_000], &mut rng).unwrap_err();
    assert!(matches!(refused, Error::ClearOutOfRange { bits: 16, signed: true }));
    let gates = self::client(Params::GATES).0;
    let refused = gates.encrypt_list::<FheInt16>([4], &mut rng).unwrap_err();
    assert!(matches!(refused, Error::ParamsMismatch { .. }));
}

fn client(name: &str) -> (ClientKey, fathom::SecretRng) {
    let mut rng = fathom::SecretRng::insecure_from_seed(7);
    (ClientKey::generate(&Params::preset(name).unwrap(), &mut rng), rng)
}
