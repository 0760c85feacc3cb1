//! BFV in brief: keys, encryption, arithmetic on thousands of slots at once, decryption.
//!
//! `cargo run --release -p fathom --example 1_bfv_basics`

use fathom::bfv::{Evaluator, Params, Preset, Rotations, SecretKey};
use fathom::{Error, SecretRng};

fn main() -> Result<(), Error> {
    let params = Params::preset(Preset::E1)?;
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(&params, &mut rng);
    let public = secret.public_key(&mut rng);
    let evaluator = Evaluator::new(secret.evaluation_keys(&Rotations::steps(&[1]), &mut rng)?);

    let a = public.encrypt(&params.encode(&[1, 2, 3])?, &mut rng)?;
    let b = public.encrypt(&params.encode(&[4, 5, 6])?, &mut rng)?;

    let sum = evaluator.add(&a, &b)?;
    let product = evaluator.mul(&a, &b)?;
    let rotated = evaluator.rotate(&a, 1)?;

    println!(
        "{} slots modulo {}, {:.0} bits of security ({})",
        params.slot_count(),
        params.plain_modulus(),
        params.assessment().classical_bits,
        params.assessment().model,
    );
    let results = [("a + b", &sum), ("a * b", &product), ("a rotated", &rotated)];
    for (name, ciphertext) in results {
        let slots = secret.decrypt(ciphertext)?.slots()?;
        let budget = ciphertext.noise_budget_bits();
        println!("{name:10} = {:?}, {budget:.1} bits of noise budget left", &slots[..3]);
    }
    assert_eq!(secret.decrypt(&sum)?.slots()?[..3], [5, 7, 9]);
    assert_eq!(secret.decrypt(&product)?.slots()?[..3], [4, 10, 18]);
    assert_eq!(secret.decrypt(&rotated)?.slots()?[..3], [2, 3, 0]);
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
