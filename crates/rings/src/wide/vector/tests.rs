//! Laws of vectors of wide integers.

use super::*;
use crate::Error;
use crate::rlwe::Rotations;
use crate::wide::{Integer, WideError};
use crate::wire::{Wire, WireError, WireObject};
use fathom_ring::SecretRng;

fn setup(circuit: &Circuit) -> (VectorParams, VectorSecretKey, VectorEvaluator, SecretRng) {
    let params = VectorParams::plan(circuit).unwrap();
    let mut rng = SecretRng::insecure_from_seed(7);
    let secret = VectorSecretKey::generate(&params, &mut rng);
    let keys = secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap();
    let server = VectorEvaluator::new(&keys);
    (params, secret, server, rng)
}

fn words(rng: &mut SecretRng, count: usize) -> Vec<u64> {
    let mut words = vec![0; count];
    rng.fill_words(&mut words);
    words[..4].copy_from_slice(&[0, 1, u64::MAX, 1 << 63]);
    words
}

fn product(x: u64, y: u64) -> Integer {
    Integer::from(u128::from(x) * u128::from(y))
}

#[test]
fn products_of_words_are_exact_in_every_slot() {
    for relinearization in [Relinearization::With, Relinearization::Without] {
        let circuit = Circuit { relinearization, ..Circuit::products_of::<u64>(1) };
        let (params, secret, server, mut rng) = setup(&circuit);
        let x = words(&mut rng, params.capacity());
        let y: Vec<u64> = words(&mut rng, params.capacity()).into_iter().rev().collect();
        let a = secret.encrypt(&x, &mut rng).unwrap();
        let b = secret.encrypt(&y, &mut rng).unwrap();
        let c = server.mul(&a, &b).unwrap();
        let components = if relinearization == Relinearization::With { 2 } else { 3 };
        assert_eq!(c.component_count(), components);
        let found = secret.decrypt(&c).unwrap();
        assert!(x.iter().zip(&y).zip(&found).all(|((&x, &y), found)| *found == product(x, y)));
        let wrapped = secret.decrypt_wrapping(&c).unwrap();
        assert!(x.iter().zip(&y).zip(&wrapped).all(|((x, y), w)| x.wrapping_mul(*y) == *w));
        let measured = secret.debug_vector_budget_bits(&c).unwrap();
        assert!(c.noise_budget_bits() <= measured, "{} {measured}", c.noise_budget_bits());
        assert!(c.noise_budget_bits() > measured - 12.0, "{}", c.noise_budget_bits());
        // A square shares all of its noise.
        let square = server.square(&a).unwrap();
        assert!(square.noise_budget_bits() <= secret.debug_vector_budget_bits(&square).unwrap());
        assert_eq!(secret.decrypt(&square).unwrap()[2], product(u64::MAX, u64::MAX));
    }
}

#[test]
fn signed_and_wide_elements() {
    let (_, secret, server, mut rng) = setup(&Circuit::products_of::<i64>(2));
    let x = [i64::MIN, -1, 7, i64::MAX];
    let y = [i64::MIN, 1, -6, i64::MAX];
    let (a, b) = (secret.encrypt(&x, &mut rng).unwrap(), secret.encrypt(&y, &mut rng).unwrap());
    let dot = server.dot(&[a.clone(), b.clone()], &[b.clone(), a.clone()]).unwrap();
    for (found, (x, y)) in secret.decrypt(&dot).unwrap().iter().zip(x.iter().zip(y)) {
        let half = i128::from(*x) * i128::from(y);
        let expected = Integer::from(half.unsigned_abs() << 1);
        assert_eq!(*found, if half < 0 { expected.negated() } else { expected });
    }
    let difference = server.sub(&a, &b).unwrap();
    let found = secret.decrypt(&difference).unwrap();
    assert_eq!(found[1].to_i64(), Some(-2));
    let (_, secret, server, mut rng) = setup(&Circuit::products_of::<u128>(1));
    let x = [u128::MAX, 5];
    let a = secret.encrypt(&x, &mut rng).unwrap();
    let square = secret.decrypt(&server.mul(&a, &a).unwrap()).unwrap();
    // (2^128 - 1)^2 = 2^256 - 2^129 + 1.
    assert_eq!(square[0], Integer::from_limbs(&[1, 0, u64::MAX - 1, u64::MAX]));
    assert_eq!(square[1].to_u64(), Some(25));
}

#[test]
fn clear_operands_and_public_key_encryption() {
    let circuit = Circuit { encryption: Encryption::PublicKey, ..Circuit::products_of::<i64>(2) };
    let (_, secret, server, mut rng) = setup(&circuit);
    let public = secret.public_key(&mut rng);
    let x = [3i64, -4, 1 << 40];
    let a = public.encrypt(&x, &mut rng).unwrap();
    let scaled = server.mul_plain(&a, &[i64::MAX, 5, -7]).unwrap();
    let sum = server.add_plain(&scaled, &[1, 2, 3]).unwrap();
    let found = secret.decrypt(&sum).unwrap();
    let found: Vec<_> = found.iter().map(Integer::to_i128).collect();
    let expected = [3 * i128::from(i64::MAX) + 1, -18, -7 * (1 << 40) + 3].map(Some);
    assert_eq!(found, expected);
    let all = [
        (server.sub_plain(&a, &[i64::MIN, 5, -7]).unwrap(), [3 + (1 << 63), -9, (1 << 40) + 7]),
        (server.mul_scalar(&a, -9).unwrap(), [-27, 36, -9 << 40]),
        (server.add_scalar(&a, -9).unwrap(), [-6, -13, (1 << 40) - 9]),
        (server.sub_scalar(&a, -9).unwrap(), [12, 5, (1 << 40) + 9]),
        (server.sum(&[a.clone(), a.clone(), sum]).unwrap(), expected.map(Option::unwrap)),
    ];
    for (index, (result, expected)) in all.iter().enumerate() {
        let twice = if index == 4 { [6, -8, 2 << 40] } else { [0; 3] };
        for ((found, expected), twice) in
            secret.decrypt(result).unwrap().iter().zip(expected).zip(twice)
        {
            assert_eq!(found.to_i128(), Some(expected + twice), "{index}");
        }
    }
    let product = server.mul(&a, &a).unwrap();
    assert_eq!(secret.decrypt(&product).unwrap()[2].to_u128(), Some(1 << 80));
    assert!(product.noise_budget_bits() <= secret.debug_vector_budget_bits(&product).unwrap());
    let negated = secret.decrypt(&server.neg(&product).unwrap()).unwrap();
    assert_eq!(negated[1].to_i64(), Some(-16));
}

#[test]
fn sums_of_many_elements_need_no_key() {
    let (_, secret, server, mut rng) = setup(&Circuit::sums_of::<u64>(1024));
    let a = secret.encrypt(&[u64::MAX, 1], &mut rng).unwrap();
    let mut sum = a.clone();
    for _ in 0..10 {
        sum = server.add(&sum, &sum).unwrap();
    }
    let found = secret.decrypt(&sum).unwrap();
    assert_eq!(found[0], Integer::from(u128::from(u64::MAX) << 10));
    let keys = secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap();
    assert!(keys.relinearization_key().is_none());
}

#[test]
fn results_whose_masks_cancel_are_masked_by_the_encryption_of_zero() {
    for circuit in [Circuit::sums_of::<i64>(4), Circuit::products_of::<i64>(4)] {
        let (params, secret, server, mut rng) = setup(&circuit);
        let a = secret.encrypt(&[7i64, -5], &mut rng).unwrap();
        let prime = i64::try_from(params.vector_spec().moduli[0]).unwrap();
        let twice = server.add(&a, &a).unwrap();
        let zeros = [
            server.sub(&a, &a),
            server.mul_scalar(&a, 0),
            server.mul_plain(&a, &[0, 0]),
            server.sub(&twice, &twice),
        ];
        let zeros = zeros.map(|result| (result.unwrap(), [0, 0]));
        // One residue of the product vanishes. Only parameters of products have room for it.
        let multiple = server.mul_scalar(&a, prime).ok();
        let multiple = multiple.map(|result| (result, [7 * prime, -5 * prime]));
        for (result, wanted) in zeros.into_iter().chain(multiple) {
            assert!(result.residues.iter().all(|parts| !parts[1].is_zero()));
            let found = secret.decrypt(&result).unwrap();
            let found: Vec<_> = found.iter().map(|value| value.to_i64().unwrap()).collect();
            assert_eq!(found, wanted);
            let measured = secret.debug_vector_budget_bits(&result).unwrap();
            assert!(result.noise_budget_bits() <= measured);
        }
        let zero = server.mul_scalar(&a, 0).unwrap();
        let sum = server.add(&zero, &a).unwrap();
        assert_eq!(secret.decrypt(&sum).unwrap()[0].to_i64(), Some(7));
        let keyless = VectorEvaluator::without_keys(&params);
        let refused = keyless.sub(&a, &a);
        assert!(matches!(refused, Err(Error::Transparent { operation: "sub", .. })));
    }
}

#[test]
fn the_encryption_of_zero_travels_with_the_keys() {
    let (params, secret, _, mut rng) = setup(&Circuit::sums_of::<u64>(4));
    let keys = secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap();
    let sent = VectorKeys::from_bytes(&params, &keys.to_bytes()).unwrap();
    let a = secret.encrypt(&[9u64], &mut rng).unwrap();
    let zero = VectorEvaluator::new(&sent).sub(&a, &a).unwrap();
    assert_eq!(secret.decrypt(&zero).unwrap()[0].to_u128(), Some(0));
}

#[test]
fn what_could_be_wrong_is_refused() {
    let (params, secret, server, mut rng) = setup(&Circuit::products_of::<u64>(1));
    let a = secret.encrypt(&[u64::MAX], &mut rng).unwrap();
    let product = server.mul(&a, &a).unwrap();
    let mut sum = server.add(&product, &product);
    while let Ok(more) = &sum {
        sum = server.add(more, more);
    }
    assert!(matches!(
        sum,
        Err(Error::Wide(WideError::ValuesExceedModuli { .. }) | Error::NoiseExhausted { .. })
    ));
    let many = vec![0u64; params.capacity() + 1];
    let none: &[Vector<u64>] = &[];
    assert!(matches!(server.sum(none), Err(Error::ListLength { operation: "sum", .. })));
    assert!(matches!(secret.encrypt(&many, &mut rng), Err(Error::TooManyValues { .. })));
    let other = VectorSecretKey::generate(&params, &mut rng).encrypt(&[1u64], &mut rng).unwrap();
    assert!(matches!(server.add(&a, &other), Err(Error::KeyMismatch { .. })));
    let longer = secret.encrypt(&[1u64, 2], &mut rng).unwrap();
    assert!(matches!(server.add(&a, &longer), Err(Error::ListLength { .. })));
    let without = VectorEvaluator::without_keys(&params);
    let three = without.mul(&a, &a).unwrap();
    assert!(matches!(without.mul(&three, &a), Err(Error::Components { .. })));
    let deep = Circuit { depth: 9, ..Circuit::products_of::<u64>(1) };
    assert!(matches!(VectorParams::plan(&deep), Err(Error::Spec { field: "circuit", .. })));
    let unkeyed = Circuit {
        depth: 2,
        relinearization: Relinearization::Without,
        ..Circuit::products_of::<u64>(1)
    };
    assert!(matches!(VectorParams::plan(&unkeyed), Err(Error::Spec { .. })));
    let spec = params.vector_spec().clone();
    let twice = VectorSpec { moduli: vec![spec.moduli[0]; 2], ..spec.clone() };
    assert!(matches!(VectorParams::from_spec(twice), Err(Error::Spec { field: "moduli", .. })));
    let shared = VectorSpec { moduli: spec.chain.clone(), ..spec.clone() };
    assert!(matches!(VectorParams::from_spec(shared), Err(Error::Spec { field: "moduli", .. })));
    let slotless = VectorSpec { moduli: vec![65539], ..spec };
    assert!(matches!(VectorParams::from_spec(slotless), Err(Error::Spec { field: "moduli", .. })));
}

#[test]
fn two_products_in_a_row() {
    let circuit = Circuit { depth: 2, ..Circuit::products_of::<i64>(1) };
    let (_, secret, server, mut rng) = setup(&circuit);
    let a = secret.encrypt(&[i64::MIN, -3], &mut rng).unwrap();
    let square = server.mul(&a, &a).unwrap();
    let fourth = server.mul(&square, &square).unwrap();
    let found = secret.decrypt(&fourth).unwrap();
    // (2^63)^4 = 2^252.
    assert_eq!(found[0], Integer::from_limbs(&[0, 0, 0, 1 << 60]));
    assert_eq!(found[1].to_i64(), Some(81));
    assert!(fourth.noise_budget_bits() <= secret.debug_vector_budget_bits(&fourth).unwrap());
}

#[test]
fn vectors_keys_and_parameters_travel() {
    let (params, secret, server, mut rng) = setup(&Circuit::products_of::<i64>(1));
    let read = VectorParams::from_bytes(&params.to_bytes()).unwrap();
    assert_eq!(read, params);
    let keys = secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap();
    let keys = VectorKeys::from_bytes(&read, &keys.to_bytes()).unwrap();
    let secret = VectorSecretKey::from_secret_bytes(&read, &secret.to_secret_bytes()).unwrap();
    let a = secret.encrypt(&[-5i64, i64::MIN], &mut rng).unwrap();
    let bytes = a.to_bytes();
    assert_eq!(bytes.len(), a.byte_len());
    assert!(bytes.len() * 2 < server.neg(&a).unwrap().byte_len() + 1000);
    let fresh = Vector::<i64>::from_bytes_fresh(&read, &bytes, Encryption::SecretKey).unwrap();
    assert_eq!(fresh.to_bytes(), bytes);
    let product = VectorEvaluator::new(&keys).mul(&fresh, &a).unwrap();
    // The copy has the name of the original, so this is a square.
    let square = server.mul(&a, &a).unwrap();
    assert!((product.noise_budget_bits() - square.noise_budget_bits()).abs() < 1e-9);
    let bytes = product.to_bytes();
    let read_product = Vector::<i64>::from_bytes(&read, &bytes).unwrap();
    assert_eq!(read_product.to_bytes(), bytes);
    assert_eq!(secret.decrypt(&read_product).unwrap()[0].to_i64(), Some(25));
    // Hostile bytes.
    let not_fresh = Vector::<i64>::from_bytes_fresh(&read, &bytes, Encryption::SecretKey);
    assert!(matches!(not_fresh, Err(Error::Wire(WireError::NotFresh))));
    assert!(matches!(Vector::<u64>::from_bytes(&read, &bytes), Err(Error::Wire(_))));
    for length in [0, 10, 87, 88, 150, bytes.len() - 1] {
        assert!(Vector::<i64>::from_bytes(&read, &bytes[..length]).is_err());
        assert!(VectorParams::from_bytes(&params.to_bytes()[..length.min(100)]).is_err());
    }
    for position in (0..400).chain([bytes.len() - 20]) {
        let mut damaged = bytes.clone();
        damaged[position] ^= 1;
        assert!(Vector::<i64>::from_bytes(&read, &damaged).is_err(), "byte {position}");
    }
    let other = VectorParams::plan(&Circuit::products_of::<u64>(1)).unwrap();
    assert!(Vector::<i64>::from_bytes(&other, &bytes).is_err());
}
