//! Sums: fresh numbers, one product, all slots, and terms that cancel.

use crate::numbers::Numbers;
use crate::support::{Nearness, Outcome, Party, params, seeds};
use fathom::prelude::*;

#[test]
fn fresh_numbers_products_and_sums_of_slots() -> Outcome {
    let params = params(1, 20.0)?;
    let (count, degree) = (params.slot_count(), params.degree());
    let mut party = Party::new(params, &Rotations::for_slot_sum(degree))?;
    let [mut fresh, mut product, mut sum, mut mean] = [(); 4].map(|()| Nearness::default());
    for seed in seeds() {
        let mut numbers = Numbers(seed);
        let (x, y) = (numbers.list(count, 1.0), numbers.list(count, 1.0));
        let (a, b) = (party.encrypt(&x, 1.0)?, party.encrypt(&y, 1.0)?);
        fresh.count(&party.secret.decrypt(&a)?, &x);
        let xy: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x * y).collect();
        let c = party.server.mul(&a, &b)?;
        product.count(&party.secret.decrypt(&c)?, &xy);
        let total = x.iter().sum::<f64>();
        let all = party.server.sum_slots(&a)?;
        sum.count(&party.secret.decrypt(&all)?, &vec![total; count]);
        let all = party.server.sum_slots(&party.server.mul_scalar(&a, 1.0 / count as f64)?)?;
        mean.count(&party.secret.decrypt(&all)?, &vec![total / count as f64; count]);
    }
    fresh.assert_within(3.0, "fresh");
    product.assert_within(3.0, "product");
    sum.assert_within(5.0, "sum of all slots");
    mean.assert_within(5.0, "mean of all slots");
    Ok(())
}

#[test]
fn terms_that_cancel_and_messages_that_are_tiny() -> Outcome {
    let params = params(2, 20.0)?;
    let count = params.slot_count();
    let mut party = Party::new(params, &Rotations::none())?;
    let [mut cancelled, mut tiny] = [(); 2].map(|()| Nearness::default());
    for seed in seeds() {
        let mut numbers = Numbers(seed);
        let (x, y) = (numbers.list(count, 1.0), numbers.list(count, 0.01));
        let (a, b) = (party.encrypt(&x, 1.0)?, party.encrypt(&y, 0.01)?);
        let server = &party.server;
        // (a + b)^2 - a^2 - 2 a b = b^2
        let square = server.square(&server.add(&a, &b)?)?;
        let rest = server.sub(&square, &server.square(&a)?)?;
        let rest = server.sub(&rest, &server.mul_scalar(&server.mul(&a, &b)?, 2.0)?)?;
        let expected: Vec<f64> = y.iter().map(|y| y * y).collect();
        cancelled.count(&party.secret.decrypt(&rest)?, &expected);
        let product = server.mul(&b, &b)?;
        tiny.count(&party.secret.decrypt(&product)?, &expected);
    }
    cancelled.assert_within(6.0, "terms that cancel");
    tiny.assert_within(6.0, "tiny numbers");
    Ok(())
}
