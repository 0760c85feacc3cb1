//! Programs that measure: sizes of keys, the noise of ciphertexts, and plans without data.

use fathom::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn keys_are_generated_and_sized_separately() -> Outcome {
    let params = bgv::Params::preset(Preset::E1)?;
    let mut rng = SecretRng::from_os()?;
    let secret = bgv::SecretKey::generate(&params, &mut rng);
    let products = secret.relinearization_key(&mut rng);
    let one = secret.galois_keys(&Rotations::steps(&[1]), &mut rng);
    let two = secret.galois_keys(&Rotations::steps(&[1, -1]), &mut rng);
    assert_eq!(products.byte_len(), products.to_bytes().len());
    assert_eq!((one.elements().count(), two.elements().count()), (1, 2));
    assert!(two.byte_len() > one.byte_len());
    assert_eq!(two.byte_len(), two.to_bytes().len());

    // The server has the rotations alone, and refuses products.
    let received = bgv::GaloisKeys::from_bytes(&params, &two.to_bytes())?;
    let keys = bgv::EvaluationKeys::empty(&params).with_galois_keys(&received)?;
    let server = bgv::Evaluator::new(keys);
    let x = secret.encrypt(&params.encode(&[3, 5, 7])?, &mut rng)?;
    assert_eq!(secret.decrypt(&server.rotate(&x, 1)?)?.slots()?[..2], [5, 7]);
    assert!(server.mul(&x, &x).is_err());
    Ok(())
}

#[test]
fn the_noise_of_ring_ciphertexts_is_read() -> Outcome {
    let params = bfv::Params::preset(Preset::E1)?;
    let mut rng = SecretRng::from_os()?;
    let secret = bfv::SecretKey::generate(&params, &mut rng);
    let server = bfv::Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng)?);
    let x = secret.encrypt(&params.encode(&[3])?, &mut rng)?;
    let square = server.square(&x)?;
    // The server knows a bound; the owner of the key measures the noise itself.
    let (before, after) = (x.noise_budget_bits(), square.noise_budget_bits());
    assert!(before > after && after > 0.0, "{before} and {after} bits");
    assert!(secret.debug_noise_budget_bits(&square, &params.encode(&[9])?)? >= after);
    assert!(square.noise_bound_bits() > 0.0);
    Ok(())
}

#[test]
fn the_noise_of_blocks_is_read() -> Outcome {
    let params = tfhe::Params::preset(tfhe::Params::INTEGERS)?;
    let server = tfhe::Evaluator::simulated(&params);
    let fresh = tfhe::Block::simulated(params.space(), 1, (0, 3));
    let sum = fresh.add(&fresh)?;
    assert_eq!(fresh.noise_variance(), 1);
    assert!(sum.noise_variance() > fresh.noise_variance());
    assert!(sum.noise_variance() <= params.max_noise_variance());
    assert!(server.params().failure_log2(sum.noise_variance().into()) < -40.0);
    Ok(())
}

#[test]
fn a_ring_circuit_is_planned_without_data() -> Outcome {
    let params = bfv::Params::preset(Preset::E2)?;
    let server = bfv::Evaluator::simulated(&params)?;
    let params = server.params();
    let fresh = || server.simulated_encryption(Encryption::PublicKey, params.top_level());
    let before = params.transform_count();
    let product = server.mul(&fresh()?, &fresh()?)?;
    let rotated = server.rotate(&product, 1)?;
    assert!(params.transform_count() > before);
    assert!(rotated.noise_budget_bits() > 0.0 && rotated.byte_len() > 0);
    let deeper = (0..20).try_fold(product, |x, _| server.mul(&x, &x));
    assert!(matches!(deeper, Err(Error::NoiseExhausted { .. })));
    Ok(())
}
