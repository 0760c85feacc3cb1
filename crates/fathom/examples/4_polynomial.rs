//! A polynomial of an encrypted value: `3x^3 + 2x^2 + 5x + 7` in every slot, with two
//! relinearisations.
//!
//! `cargo run --release -p fathom --example 4_polynomial`

use fathom::bgv::{Evaluator, Params, Preset, Rotations, SecretKey};
use fathom::{Error, SecretRng};
use std::time::Instant;

/// Coefficients, lowest first.
const COEFFICIENTS: [u64; 4] = [7, 5, 2, 3];

fn main() -> Result<(), Error> {
    let params = Params::preset(Preset::E1Depth2)?;
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(&params, &mut rng);
    let public = secret.public_key(&mut rng);
    let evaluator = Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng)?);

    let values: Vec<u64> = (0..params.slot_count() as u64).collect();
    let x = public.encrypt(&params.encode(&values)?, &mut rng)?;
    let start = Instant::now();
    let result = evaluator.evaluate_polynomial(&x, &COEFFICIENTS)?;
    println!(
        "{} evaluations in {:.0} us; level {} -> {}, budget {:.1} -> {:.1} bits",
        values.len(),
        start.elapsed().as_secs_f64() * 1e6,
        x.level(),
        result.level(),
        x.noise_budget_bits(),
        result.noise_budget_bits(),
    );

    let t = params.plain_modulus();
    let slots = secret.decrypt(&result)?.slots()?;
    for (&x, &y) in values.iter().zip(&slots) {
        assert_eq!(y, (3 * x.pow(3) + 2 * x.pow(2) + 5 * x + 7) % t);
    }
    println!("p(0), p(1), p(2), ... = {:?}", &slots[..6]);
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
