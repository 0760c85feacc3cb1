//! The bound is close to the error, and the error keeps the promise.

use crate::ckks::setup::{Setup, map, zip};
use fathom::ckks::{Preset, Rotations};

/// The greatest number of bits by which a bound may exceed the measured error.
const TIGHT_BITS: f64 = 8.0;

#[test]
fn the_bound_is_within_eight_bits_down_the_chain_of_every_preset() {
    for preset in Preset::ALL {
        let mut s = Setup::new(preset, &Rotations::steps(&[1]), 20);
        let x = map(&s.random(), |x| x / x.norm());
        for c in [s.encrypt(&x), s.encrypt_public(&x)] {
            let (mut c, mut expected) = (c, x.clone());
            for step in 0..=s.params.depth() {
                let what = format!("{}, {step} products", preset.name());
                let slack = s.check(&what, &c, &expected).slack_bits();
                assert!(slack < TIGHT_BITS, "{what}: the bound is {slack:.1} bits above");
                if step < s.params.depth() {
                    c = s.evaluator.square(&c).unwrap();
                    expected = map(&expected, |x| x * x);
                }
            }
        }
    }
}

#[test]
fn rotations_keep_the_precision_that_the_special_primes_allow() {
    // At depth 1 the special prime is half a digit, in the other sets it is larger than a digit.
    let presets = [
        (Preset::E3Depth1, 10.5),
        (Preset::E3Small, 20.0),
        (Preset::E3, 19.0),
        (Preset::E3Precise, 25.0),
    ];
    for (preset, bits) in presets {
        let mut s = Setup::new(preset, &Rotations::steps(&[1]), 21);
        let x = s.random();
        let a = s.encrypt(&x);
        let rotated = s.evaluator.rotate(&a, 1).unwrap();
        let promised = rotated.precision_bits();
        let measured = s.check(preset.name(), &rotated, &crate::ckks::setup::rotated(&x, 1));
        let achieved = -measured.error.log2();
        let lost = a.precision_bits() - promised;
        let text = format!("{promised:.1} bits, {lost:.1} lost, {achieved:.1} achieved");
        assert!(promised > bits && achieved > promised + 1.0, "{}: {text}", preset.name());
    }
}

/// The promise is the bound: one product at the smallest degree, over a hundred keys.
#[test]
fn the_precision_is_that_promised_over_a_hundred_seeds() {
    let mut promised = f64::INFINITY;
    let mut achieved = f64::INFINITY;
    for seed in 0..100 {
        let mut s = Setup::new(Preset::E3Depth1, &Rotations::none(), 1000 + seed);
        let (x, y) = (s.random(), s.random());
        let (a, b) = (s.encrypt(&x), s.encrypt_public(&y));
        let product = s.evaluator.mul(&a, &b).unwrap();
        let measured = s.check("product", &product, &zip(&x, &y, |x, y| x * y));
        promised = promised.min(product.precision_bits());
        achieved = achieved.min(-measured.error.log2());
    }
    assert!(achieved >= promised, "{achieved:.1} bits instead of {promised:.1}");
    assert!(promised > 14.0, "{promised:.1}");
}
