//! BGV levels: each product drops a prime, and the noise bound is known without the secret key.
//!
//! `cargo run --release -p fathom --example 2_levels_and_noise`

use fathom::bgv::{Ciphertext, Evaluator, Params, Preset, Rotations, SecretKey};
use fathom::{Error, SecretRng};

fn main() -> Result<(), Error> {
    let params = Params::preset(Preset::E2)?;
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(&params, &mut rng);
    let evaluator = Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng)?);

    let x = secret.encrypt(&params.encode(&[3, 5])?, &mut rng)?;
    let mut power = x.clone();
    let mut expected = [3u64, 5];
    println!("level  tracked budget  measured budget  slots");
    loop {
        let clear = secret.decrypt(&power)?;
        let slots = clear.slots()?;
        println!(
            "{:5}  {:10.1} bits  {:11.1} bits  {:?}",
            power.level(),
            power.noise_budget_bits(),
            // This is a debugging aid: it needs the secret key, and its result must never be
            // published.
            secret.debug_noise_budget_bits(&power, &clear)?,
            &slots[..2],
        );
        assert_eq!(slots[..2], expected);
        if power.level() == 0 {
            break;
        }
        if power.level() == 1 {
            add_at_one_level(&evaluator, &x, &power)?;
        }
        power = evaluator.square(&power)?;
        expected = expected.map(|v| v * v % params.plain_modulus());
    }
    Ok(())
}

/// Adds two ciphertexts. BGV leaves levels to the caller, so they are first brought to one level.
fn add_at_one_level(evaluator: &Evaluator, x: &Ciphertext, y: &Ciphertext) -> Result<(), Error> {
    let refused = evaluator.add(x, y);
    assert!(matches!(refused, Err(Error::LevelMismatch { .. })));
    let sum = evaluator.add(&evaluator.mod_switch_to(x, y.level())?, y)?;
    println!("{:5}  {:10.1} bits after adding x", sum.level(), sum.noise_budget_bits());
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
