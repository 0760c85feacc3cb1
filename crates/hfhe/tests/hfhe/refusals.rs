//! Refused operations, and the attack that they prevent.

use super::{compat_key, native_key};
use fathom::Error::KeyMismatch;
use fathom::SecretRng;
use fathom_hfhe::Error;
use fathom_hfhe::compat::{Ciphertext, Decorator, LayeredCiphertext, PublicKey};
use fathom_hfhe::{Circuit, Expected, Fp, MODULUS, MaskCache, Workers, native};

/// Returns a file of the reference with one layer and one edge of weight 1, which encodes the
/// inverse mask of a seed.
fn forged(file: &[u8], layer: usize) -> Vec<u8> {
    const SEED_BYTES: usize = 25;
    const EDGE_BYTES: usize = 1052;
    let seed = &file[24 + SEED_BYTES * layer..][..SEED_BYTES];
    let mut edge = vec![0; EDGE_BYTES];
    edge[8] = 1;
    edge[24..28].copy_from_slice(&8192u32.to_le_bytes());
    let counts = [1u32, 1].map(u32::to_le_bytes);
    [&file[..16], counts.as_flattened(), seed, &edge].concat()
}

/// Returns the sum of the edges of a layer, which is public.
fn weight(file: &[u8], layer: u32, powers: &[Fp]) -> Fp {
    let edges = &file[24 + 2 * 25..];
    edges.chunks(1052).filter(|edge| edge[..4] == layer.to_le_bytes()).fold(
        Fp::ZERO,
        |sum, edge| {
            let index = u16::from_le_bytes([edge[4], edge[5]]);
            let weight = Fp::new(u128::from_le_bytes(edge[8..24].try_into().unwrap()));
            let value = weight * powers[usize::from(index)];
            if edge[6] == 0 { sum + value } else { sum - value }
        },
    )
}

/// Whoever may submit ciphertexts and see their decryptions can read any fresh ciphertext with two
/// queries. Decryption with a stated circuit refuses both.
#[test]
fn chosen_ciphertexts_break_unchecked_decryption_and_not_the_checked_one() {
    let key = compat_key();
    let mut rng = SecretRng::insecure_from_seed(1);
    let secret = 123_456_789_012_345;
    let input = key.encrypt_u64(secret, &mut rng);
    let workers = Workers::one();
    let rng_of_decoys = SecretRng::insecure_from_seed(2);
    let layered = Decorator::new(key.public(), &workers, rng_of_decoys).decorate(&input).unwrap();
    let file = LayeredCiphertext::to_reference_bytes(&[layered]);
    let mut powers = vec![Fp::ONE];
    (1..337).for_each(|i| powers.push(powers[i - 1] * key.public().generator()));

    let queries = [0, 1].map(|layer| {
        let bytes = forged(&file, layer);
        let read = LayeredCiphertext::from_reference_bytes(key.public(), &bytes).unwrap();
        read[0].ciphertext().clone()
    });
    let masks = queries.each_ref().map(|query| key.decrypt_any_circuit(query).unwrap());
    let read = (0..2).map(|l| weight(&file, l, &powers) * masks[l as usize]);
    assert_eq!(read.fold(Fp::ZERO, |sum, x| sum + x), Fp::from(secret));

    let inputs = [input];
    let circuit = Circuit::identity();
    let expected = Expected { circuit: &circuit, inputs: &inputs };
    for query in &queries {
        assert_eq!(key.decrypt(query, &expected, &mut rng), Err(Error::UnexpectedCircuit));
    }
    assert_eq!(key.decrypt(&inputs[0], &expected, &mut rng), Ok(Fp::from(secret)));
}

#[test]
fn every_change_of_a_result_is_refused() {
    let key = native_key();
    let mut rng = SecretRng::insecure_from_seed(3);
    let inputs = [2, 3, 4].map(|v| key.encrypt_u64(v, &mut rng));
    let mut circuit = Circuit::default();
    let [x, y] = [0, 1].map(|i| circuit.input(i));
    circuit.mul(x, y).unwrap();
    let expected = Expected { circuit: &circuit, inputs: &inputs };
    let product = inputs[0].mul(&inputs[1]).unwrap();
    assert_eq!(key.decrypt(&product, &expected, &mut rng), Ok(Fp::from(6u64)));
    let stranger = key.encrypt_u64(0, &mut rng);
    for forged in [
        product.add_scalar(Fp::ONE),
        product.mul_scalar(Fp::from(2u64)),
        product.add(&inputs[2]).unwrap(),
        product.add(&stranger).unwrap(),
        product.sub(&product).unwrap(),
        inputs[0].clone(),
    ] {
        assert_eq!(key.decrypt(&forged, &expected, &mut rng), Err(Error::UnexpectedCircuit));
    }
    let short = Expected { circuit: &circuit, inputs: &inputs[..1] };
    let error = key.decrypt(&inputs[0], &short, &mut rng).unwrap_err();
    assert_eq!(error, Error::NoSuchWire { what: "inputs", available: 1, wanted: 1 });
}

#[test]
fn objects_of_different_keys_do_not_mix() {
    let mut rng = SecretRng::insecure_from_seed(4);
    let other = native::SecretKey::generate(&mut rng);
    let [x, y] = [native_key().encrypt_u64(1, &mut rng), other.encrypt_u64(1, &mut rng)];
    assert!(matches!(x.add(&y), Err(Error::Fathom(KeyMismatch { .. }))));
    assert!(matches!(x.mul(&y), Err(Error::Fathom(KeyMismatch { .. }))));
    assert!(matches!(
        native::Ciphertext::dot(&[(&x, &x), (&y, &y)]),
        Err(Error::Fathom(KeyMismatch { .. }))
    ));
    assert!(matches!(other.decrypt_any_circuit(&x), Err(Error::Fathom(KeyMismatch { .. }))));
    let mut cache = MaskCache::new(10).unwrap();
    other.decrypt_any_circuit_cached(&y, &mut cache).unwrap();
    assert!(!cache.is_empty());
    assert!(matches!(
        native_key().decrypt_any_circuit_cached(&x, &mut cache),
        Err(Error::Fathom(KeyMismatch { .. }))
    ));
}

#[test]
fn what_grows_too_large_is_refused() {
    let mut rng = SecretRng::insecure_from_seed(5);
    let key = native_key();
    let mut large = key.encrypt_u64(1, &mut rng);
    for _ in 0..11 {
        let [x, y] = [(); 2].map(|()| key.encrypt_u64(1, &mut rng));
        large = large.add(&x).unwrap().mul(&y).unwrap();
    }
    assert!(large.polynomial().term_count() > 1 << 11);
    let error = large.square().unwrap_err();
    assert!(matches!(error, Error::TooLarge { field: "monomials", limit: 4_194_304, .. }));
    // A single monomial of high degree stays small until its exponent overflows.
    let x = key.encrypt_u64(3, &mut rng);
    let mut power = x.add_scalar(-x.polynomial().constant());
    for _ in 0..31 {
        power = power.square().unwrap();
    }
    let error = power.square().unwrap_err();
    assert!(matches!(error, Error::TooLarge { field: "an exponent of", .. }));
}

#[test]
fn impossible_circuits_keys_and_constants_are_refused() {
    let mut rng = SecretRng::insecure_from_seed(6);
    let mut circuit = Circuit::identity();
    let wire = circuit.input(0);
    let error = Circuit::default().mul_scalar(wire, Fp::ONE).unwrap_err();
    assert_eq!(error, Error::NoSuchWire { what: "steps", available: 0, wanted: 1 });
    let workers = Workers::one();
    for generator in [Fp::ONE, Fp::from(2u64), Fp::ZERO, Fp::new(MODULUS - 1)] {
        let error = PublicKey::derive(1, generator, &workers).err();
        assert_eq!(error, Some(Error::NotAGenerator));
    }
    assert!(matches!(MaskCache::new(usize::MAX).err(), Some(Error::TooLarge { .. })));
    let public = compat_key().public();
    let shifted: Ciphertext = compat_key().encrypt_u64(1, &mut rng).add_scalar(Fp::ONE);
    let decorated = Decorator::new(public, &workers, rng).decorate(&shifted);
    assert_eq!(decorated.unwrap_err(), Error::ConstantTerm);
}
