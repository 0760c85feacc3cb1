//! Encrypted machine integers: the price of an order, with a discount from a threshold on.
//!
//! `cargo run --release -p fathom --example 9_tfhe_integers`

use fathom::Error;
use fathom::SecretRng;
use fathom::tfhe::integer::{FheUint32, Integer};
use fathom::tfhe::{Block, ClientKey, Evaluator, Params};

/// Returns the total, reduced by a tenth from `threshold` on. The function is the same for
/// simulated and for encrypted operands.
fn price(
    evaluator: &Evaluator,
    unit: &FheUint32,
    count: &FheUint32,
    threshold: u32,
) -> Result<FheUint32, Error> {
    let total = evaluator.mul(unit, count)?;
    let discount = evaluator.div(&total, 10u8)?;
    let reduced = (evaluator.bind(&total) - &discount).finish()?;
    let large = evaluator.ge(&total, threshold)?;
    evaluator.select(&large, &reduced, &total)
}

fn main() -> Result<(), Error> {
    let params = Params::preset(Params::INTEGERS)?;
    let mut rng = SecretRng::from_os()?;
    let client = ClientKey::generate(&params, &mut rng);
    let seeded = client.seeded_evaluation_keys(&mut rng)?; // sent to the server
    let evaluator = Evaluator::new(seeded.expand()?, 2)?;

    let mut encrypt = |value: u32| client.encrypt::<FheUint32>(value, &mut rng);
    let total = price(&evaluator, &encrypt(1999)?, &encrypt(12)?, 10_000)?;
    let counts = evaluator.counts();
    println!("{}, {} bootstraps", client.decrypt(&total)?, counts.bootstraps);
    assert_eq!(client.decrypt(&total)?, 21_590);

    // The simulation runs the same function in the clear: it checks every range and noise bound and
    // counts bootstraps.
    let simulated = Evaluator::simulated(&params).with_policy(evaluator.policy());
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
