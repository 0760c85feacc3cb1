//! Encrypted machine integers: the price of an order, with a discount above a threshold.
//!
//! `cargo run --release -p fathom --example 9_tfhe_integers`

use fathom::tfhe::integer::{FheUint32, Integer};
use fathom::tfhe::{Block, Error, Evaluator, Params};
use std::sync::Arc;

/// The total with a tenth off from `threshold` on. Nothing in here tells simulated operands from
/// encrypted ones.
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
    // A simulated evaluator computes in the clear, checks ranges and noise, counts bootstraps.
    let params = Arc::new(Params::message_2_carry_2());
    let space = params.space();
    let evaluator = Evaluator::simulated(params);
    let encrypt =
        |value: u32| FheUint32::from_digits(value, |digit| Block::simulated(space, digit, (0, 3)));
    let decrypt = |value: &FheUint32| value.to_digits(|block| space.decode(block.lwe().body()));

    for (unit, count, expected) in [(1999, 3, 5997), (1999, 12, 21590)] {
        let total = price(&evaluator, &encrypt(unit)?, &encrypt(count)?, 10_000)?;
        println!("{count} at {unit}: {}", decrypt(&total));
        assert_eq!(decrypt(&total), expected);
    }
    let counts = evaluator.counts();
    println!("{} bootstraps in {} layers", counts.bootstraps, counts.layers);
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
