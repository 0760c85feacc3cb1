//! Multiplying beyond the noise budget ends in an error that names the remedy, never in a wrong
//! result.
//!
//! `cargo run --release -p fathom --example 6_noise_exhausted`

use fathom::bfv::{Encryption, Evaluator, Params, Rotations, SecretKey};
use fathom::{Error, SecretRng, SecurityLevel};

fn main() -> Result<(), Error> {
    let params =
        Params::for_depth(2, 65537, Encryption::PublicKey, SecurityLevel::Bits128)?.into_params();
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(&params, &mut rng);
    let evaluator = Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng)?);

    let factors = [4, 5, 6];
    let mut product = secret.encrypt(&params.encode(&[1, 2, 3])?, &mut rng)?;
    let factor = secret.encrypt(&params.encode(&factors)?, &mut rng)?;
    let mut expected = [1u64, 2, 3];
    for count in 1.. {
        match evaluator.mul(&product, &factor) {
            Ok(next) => product = next,
            Err(refused) => {
                println!("product {count}: refused: {refused}");
                assert!(count > 2 && matches!(refused, Error::NoiseExhausted { .. }));
                break;
            }
        }
        expected = std::array::from_fn(|i| expected[i] * factors[i] % params.plain_modulus());
        let slots = secret.decrypt(&product)?.slots()?;
        let budget = product.noise_budget_bits();
        println!("product {count}: {:?}, {budget:.1} bits of noise budget left", &slots[..3]);
        assert_eq!(slots[..3], expected);
    }

    // The last accepted ciphertext still decrypts correctly.
    assert_eq!(secret.decrypt(&product)?.slots()?[..3], expected);
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
