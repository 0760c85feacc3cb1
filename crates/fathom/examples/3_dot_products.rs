//! Inner products in three ways: with separate ciphertexts, packed slots and packed coefficients.
//!
//! `cargo run --release -p fathom --example 3_dot_products`

use fathom::bfv::{Ciphertext, Evaluator, Params, Preset, Rotations, SecretKey};
use fathom::{Error, SecretRng};
use std::time::Instant;

const A: [u64; 8] = [1, 2, 3, 4, 5, 6, 7, 8];
const B: [u64; 8] = [8, 7, 6, 5, 4, 3, 2, 1];
const EXPECTED: u64 = 120;

fn main() -> Result<(), Error> {
    let params = Params::preset(Preset::E1)?;
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(&params, &mut rng);
    let keys = secret.evaluation_keys(&Rotations::steps(&[1, 2, 4]), &mut rng)?;
    let evaluator = Evaluator::new(keys);

    // One ciphertext per entry takes eight products and one relinearisation.
    let mut separate = |values: &[u64]| -> Result<Vec<Ciphertext>, Error> {
        values.iter().map(|&v| secret.encrypt(&params.encode(&[v])?, &mut rng)).collect()
    };
    let (a, b) = (separate(&A)?, separate(&B)?);
    let start = Instant::now();
    let dot = evaluator.dot(&a, &b)?;
    println!("separate ciphertexts: {:6.0} us", start.elapsed().as_secs_f64() * 1e6);
    assert_eq!(secret.decrypt(&dot)?.slots()?[0], EXPECTED);

    // All entries in the slots of one ciphertext take one product, then rotations by 1, 2 and 4.
    let a = secret.encrypt(&params.encode(&A)?, &mut rng)?;
    let b = secret.encrypt(&params.encode(&B)?, &mut rng)?;
    let start = Instant::now();
    let product = evaluator.mul(&a, &b)?;
    let sums = evaluator.sum_rotations(&product, 8)?;
    println!("packed slots:         {:6.0} us", start.elapsed().as_secs_f64() * 1e6);
    assert_eq!(secret.decrypt(&sums)?.slots()?[0], EXPECTED);

    // All entries as coefficients, one list in reverse order, take one product and no rotation.
    let a = secret.encrypt(&params.encode_coefficients(&A)?, &mut rng)?;
    let b = secret.encrypt(&params.encode_reversed(&B)?, &mut rng)?;
    let start = Instant::now();
    let product = evaluator.mul(&a, &b)?;
    println!("packed coefficients:  {:6.0} us", start.elapsed().as_secs_f64() * 1e6);
    assert_eq!(secret.decrypt(&product)?.coefficients()[0], EXPECTED);

    println!("all three give {EXPECTED}");
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
