//! Encrypted machine integers: the price of an order, with a discount from a threshold on.
//!
//! `cargo run --release -p fathom --example 9_tfhe_integers`

use fathom::prelude::*;
use fathom::tfhe::{Block, ClientKey, Params};

/// Returns the total, reduced by a tenth from `threshold` on. The function is the same for
/// simulated and for encrypted operands.
fn price(
    integers: &Integers,
    unit: &FheUint32,
    count: &FheUint32,
    threshold: u32,
) -> Result<FheUint32, Error> {
    let total = integers.mul(unit, count)?;
    let discount = integers.div(&total, 10u8)?;
    let reduced = (integers.bind(&total) - &discount).finish()?;
    let large = integers.ge(&total, threshold)?;
    integers.select(&large, &reduced, &total)
}

fn main() -> Result<(), Error> {
    let params = Params::preset(Params::INTEGERS)?;
    let mut rng = SecretRng::from_os()?;
    let client = ClientKey::generate(&params, &mut rng);
    let seeded = client.seeded_evaluation_keys(&mut rng)?; // sent to the server
    let integers = Integers::with_keys(seeded.expand()?, 2)?;

    let mut encrypt = |value: u32| client.encrypt::<FheUint32>(value, &mut rng);
    let total = price(&integers, &encrypt(1999)?, &encrypt(12)?, 10_000)?;
    let counts = integers.counts();
    println!("{}, {} bootstraps", client.decrypt(&total)?, counts.bootstraps);
    assert_eq!(client.decrypt(&total)?, 21_590);

    // The simulation runs the same function in the clear: it checks every range and noise bound and
    // counts bootstraps.
    let simulated = tfhe::Evaluator::simulated(&params).with_policy(integers.policy());
    let simulated = Integers::new(simulated)?;
    let space = params.space();
    let stand_in =
        |value: u32| FheUint32::from_digits(value, |digit| Block::simulated(space, digit, (0, 3)));
    price(&simulated, &stand_in(1999)?, &stand_in(3)?, 10_000)?;
    assert_eq!(simulated.counts(), counts);
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
