//! Exact 64-bit products: one integer in a ciphertext, and thousands in a vector.

use fathom::SecretRng;
use fathom::wide::{
    Circuit, Evaluator, Form, Params, Rotations, SecretKey, VectorEvaluator, VectorParams,
    VectorSecretKey,
};
use fathom::wire::WireObject;

fn main() -> Result<(), fathom::Error> {
    // Few elements take the smallest ciphertexts, many share them.
    for elements in [1, 10_000] {
        let circuit = Circuit { elements, ..Circuit::products_of::<u64>(1) };
        let choice = circuit.choose()?;
        println!("{}", choice.reason());
        match choice.into_form() {
            Form::Integers(params) => integers(&params)?,
            Form::Vectors(params) => vectors(&params)?,
        }
    }
    Ok(())
}

fn integers(params: &Params) -> Result<(), fathom::Error> {
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(params, &mut rng);
    let server = Evaluator::new(secret.evaluation_keys(&mut rng)?);
    let a = secret.encrypt(&params.encode(u64::MAX)?, &mut rng)?;
    let b = secret.encrypt(&params.encode(12_345_678_901_234_567u64)?, &mut rng)?;
    println!("{} bytes for an operand", a.byte_len());
    let product = secret.decrypt(&server.mul(&a, &b)?)?;
    let expected = u128::from(u64::MAX) * 12_345_678_901_234_567;
    assert_eq!(product.value().to_u128(), Some(expected));
    println!("{} * 12345678901234567 = {expected}", u64::MAX);
    Ok(())
}

fn vectors(params: &VectorParams) -> Result<(), fathom::Error> {
    let mut rng = SecretRng::from_os()?;
    let secret = VectorSecretKey::generate(params, &mut rng);
    let server = VectorEvaluator::new(&secret.evaluation_keys(&Rotations::none(), &mut rng)?);
    let count = params.capacity() as u64;
    let x: Vec<u64> = (0..count).map(|i| u64::MAX - i).collect();
    let y: Vec<u64> = (0..count).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
    let (a, b) = (secret.encrypt(&x, &mut rng)?, secret.encrypt(&y, &mut rng)?);
    println!("{} bytes for each of {count} operands", a.byte_len() / x.len());
    let products = secret.decrypt(&server.mul(&a, &b)?)?;
    for ((x, y), product) in x.iter().zip(&y).zip(&products) {
        assert_eq!(product.to_u128(), Some(u128::from(*x) * u128::from(*y)));
    }
    println!("{count} products, all exact");
    Ok(())
}

#[test]
fn runs() -> Result<(), fathom::Error> {
    main()
}
