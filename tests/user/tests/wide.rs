//! Programs of exact integers of 64 bits: single products of 128 bits, and vectors.

use fathom::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn products_of_words_have_128_bits() -> Outcome {
    let params = wide::Params::preset(wide::Preset::E4)?;
    let mut rng = SecretRng::from_os()?;
    let secret = wide::SecretKey::generate(&params, &mut rng);
    let server = wide::Evaluator::new(secret.evaluation_keys(&mut rng)?);
    let [a, b] = [u64::MAX, 0xfedc_ba98_7654_3210];
    let x = secret.encrypt(&params.encode(a)?, &mut rng)?;
    let y = secret.encrypt(&params.encode(b)?, &mut rng)?;
    let product = secret.decrypt(&server.mul(&x, &y)?)?;
    assert_eq!(product.value().to_u128(), Some(u128::from(a) * u128::from(b)));
    Ok(())
}

#[test]
fn vectors_of_words_are_multiplied() -> Outcome {
    let params = wide::VectorParams::plan(&wide::Circuit::products_of::<u64>(1))?;
    let mut rng = SecretRng::from_os()?;
    let secret = wide::VectorSecretKey::generate(&params, &mut rng);
    let keys = secret.evaluation_keys(&Rotations::none(), &mut rng)?;
    let server = wide::VectorEvaluator::new(&keys);
    let left = [u64::MAX, 3, 1 << 40, 0];
    let right = [u64::MAX, 5, 1 << 41, 7];
    let a: wide::Vector<u64> = secret.encrypt(&left, &mut rng)?;
    let b = secret.encrypt(&right, &mut rng)?;
    assert!(a.noise_budget_bits() > 0.0);
    let products = secret.decrypt(&server.mul(&a, &b)?)?;
    for ((product, x), y) in products.iter().zip(left).zip(right) {
        assert_eq!(product.to_u128(), Some(u128::from(x) * u128::from(y)));
    }
    // More than the plan has room for is refused.
    let sums = server.add(&server.mul(&a, &b)?, &server.mul(&a, &b)?);
    let squares = sums.and_then(|sum| server.mul(&sum, &sum));
    assert!(squares.is_err());
    Ok(())
}

#[test]
fn elements_of_one_vector_are_added_up() -> Outcome {
    let values: Vec<u64> = (0..1000).map(|i| i * i).collect();
    let circuit = wide::Circuit { input_bits: 20, ..wide::Circuit::products_of::<u64>(1) };
    let params = wide::VectorParams::plan(&circuit.sum_slots(1000))?;
    let mut rng = SecretRng::from_os()?;
    let secret = wide::VectorSecretKey::generate(&params, &mut rng);
    let keys = secret.evaluation_keys(&Rotations::for_sum(1000), &mut rng)?;
    let server = wide::VectorEvaluator::new(&keys);
    let x = secret.encrypt(&values, &mut rng)?;
    let total = secret.decrypt(&server.sum_slots(&server.square(&x)?)?)?;
    assert_eq!(total[0].to_u64(), Some(values.iter().map(|v| v * v).sum()));
    Ok(())
}
