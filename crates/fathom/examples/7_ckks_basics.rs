//! Real numbers: a weighted mean, with a bound on its error.
//!
//! `cargo run --release -p fathom --example 7_ckks_basics`

use fathom::prelude::*;

fn main() -> Result<(), Error> {
    let params = ckks::Params::preset(ckks::Preset::E3Small)?;
    let mut rng = SecretRng::from_os()?;
    let secret = ckks::SecretKey::generate(&params, &mut rng);
    let server = ckks::Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng)?);

    let temperatures = secret.encrypt(&params.encode(&[0.125, -0.5, 0.75])?, &mut rng)?;
    let weights = secret.encrypt(&params.encode(&[0.5, 0.25, 1.0])?, &mut rng)?;
    let weighted = server.mul(&temperatures, &weights)?;

    let result = secret.decrypt(&weighted)?;
    println!("{:?} within {:.1e}", &result.slots()[..3], result.error_bound());
    println!("{:.1} bits of precision are left", weighted.precision_bits());
    for (slot, expected) in result.slots().iter().zip([0.0625, -0.125, 0.75]) {
        assert!((slot - expected).abs() <= result.error_bound());
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
