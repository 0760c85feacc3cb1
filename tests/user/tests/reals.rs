//! Programs of CKKS: real and complex numbers with the precision of each result.

use fathom::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn products_and_rotations_are_as_precise_as_they_say() -> Outcome {
    let params = ckks::Params::preset(ckks::Preset::E3Depth1)?;
    let mut rng = SecretRng::from_os()?;
    let secret = ckks::SecretKey::generate(&params, &mut rng);
    let rotations = Rotations::steps(&[1]);
    let server = ckks::Evaluator::new(secret.evaluation_keys(&rotations, &mut rng)?);
    let x = secret.encrypt(&params.encode(&[0.5, -0.25, 0.75])?, &mut rng)?;
    let y = secret.encrypt(&params.encode(&[0.125, 0.5, -1.0])?, &mut rng)?;

    let product = server.mul(&x, &y)?;
    let decrypted = secret.decrypt(&product)?;
    for (found, expected) in decrypted.slots().iter().zip([0.0625, -0.125, -0.75, 0.0]) {
        assert!((found - expected).abs() <= decrypted.error_bound());
    }
    // The server knows the precision of what it cannot read.
    assert!(product.precision_bits() > 10.0, "{} bits", product.precision_bits());
    assert!(x.precision_bits() > product.precision_bits());
    assert!(product.error_bound() < product.magnitude_bound());

    let rotated = secret.decrypt(&server.rotate(&x, 1)?)?;
    for (found, expected) in rotated.slots().iter().zip([-0.25, 0.75, 0.0]) {
        assert!((found - expected).abs() <= rotated.error_bound());
    }
    Ok(())
}

#[test]
fn complex_numbers_are_conjugated() -> Outcome {
    let params = ckks::Params::preset(ckks::Preset::E3Depth1)?;
    let mut rng = SecretRng::from_os()?;
    let secret = ckks::SecretKey::generate(&params, &mut rng);
    let rotations = Rotations { row_swap: RowSwap::With, ..Rotations::none() };
    let server = ckks::Evaluator::new(secret.evaluation_keys(&rotations, &mut rng)?);
    let z = ckks::Complex64::new(0.5, -0.25);
    let x = secret.encrypt(&params.encode(&[z])?, &mut rng)?;
    let result = secret.decrypt(&server.conjugate(&x)?)?;
    assert!((result.slots_complex()[0] - z.conj()).norm() <= result.error_bound());
    Ok(())
}

#[test]
fn a_map_of_100_rows_and_70_columns() -> Outcome {
    let params = ckks::Params::preset(ckks::Preset::E3Depth1)?;
    let mut rng = SecretRng::from_os()?;
    let secret = ckks::SecretKey::generate(&params, &mut rng);
    let matrix: Vec<Vec<f64>> = (0..100).map(|i| (0..70).map(|j| entry(i, j)).collect()).collect();
    let vector: Vec<f64> = (0..70).map(|j| entry(j, 1)).collect();
    let map = ckks::LinearMap::for_level(&params, &matrix, params.top_level())?;
    assert_eq!((map.rows(), map.columns()), (100, 70));
    let server = ckks::Evaluator::new(secret.evaluation_keys(&map.rotations(), &mut rng)?);

    let x = map.pack(&vector)?.try_map(|packed| secret.encrypt(packed, &mut rng))?;
    let y = server.transform(&map, &x)?.try_map(|result| secret.decrypt(result))?;
    let error = y.value().error_bound();
    for (found, row) in map.unpack(&y)?.iter().zip(&matrix) {
        let expected: f64 = row.iter().zip(&vector).map(|(a, b)| a * b).sum();
        assert!((found - expected).abs() <= error, "{found} instead of {expected}");
    }
    assert!(error < 0.05, "{error}");
    Ok(())
}

/// Returns a number from -1/70 to 1/70, so that sums over a row are at most 1.
fn entry(i: usize, j: usize) -> f64 {
    ((i * 31 + j * 17) % 41) as f64 / (20.0 * 70.0) - 1.0 / 70.0
}
