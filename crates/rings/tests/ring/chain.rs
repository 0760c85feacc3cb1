//! Multiplying beyond the noise budget gives a typed error with the numbers, never a wrong result.

use crate::common::{Setup, product};
use fathom::Error;
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{Ciphertext, Modular, Preset, Rotations};

/// Returns the number of products that each preset is made for.
fn depth(preset: Preset) -> usize {
    match preset {
        Preset::E1
        | Preset::E1Bits192
        | Preset::E1Bits256
        | Preset::E1Plain20
        | Preset::E1Plain31 => 1,
        Preset::E1Depth2 | Preset::E2Bits256 => 2,
        Preset::E2Bits192 => 3,
        Preset::E2 | Preset::E5Bits256 => 5,
        Preset::E5Bits192 => 7,
    }
}

fn refused<S: Modular>(c: &Ciphertext<S>, error: &Error) {
    let Error::NoiseExhausted { operation, level, needed_bits, left_bits, remedy } = error else {
        panic!("{error}")
    };
    assert_eq!((*operation, *level), ("mul", c.level()));
    assert!((left_bits - c.noise_budget_bits()).abs() < 1e-9, "{error}");
    assert!(needed_bits > left_bits && *left_bits >= 0.0, "{error}");
    let text = error.to_string();
    for part in [format!("{needed_bits:.1}"), format!("{left_bits:.1}"), (*remedy).to_owned()] {
        assert!(text.contains(&part), "{text}");
    }
    assert!(remedy.contains("Params::for_depth"), "{remedy}");
}

/// Multiplies by a fresh factor until that is refused, and returns the number of products.
fn multiply_on<S: Modular>(preset: Preset, square: bool) -> usize {
    let mut s = Setup::<S>::new(preset, &Rotations::none(), 2026);
    let (mut x, y) = (s.random(), s.random());
    let mut c = s.encrypt(&x);
    let factor = s.encrypt(&y);
    for products in 0..20 {
        let other =
            if square { c.clone() } else { s.evaluator.mod_switch_to(&factor, c.level()).unwrap() };
        match s.evaluator.mul(&c, &other) {
            Ok(next) => {
                x = product(s.t, &x, if square { &x } else { &y });
                s.check("product", &next, &x);
                c = next;
            }
            Err(error) => {
                if square {
                    refused(&c, &error);
                } else {
                    assert!(matches!(error, Error::NoiseExhausted { .. }), "{error}");
                }
                // The operands still decrypt correctly.
                s.check("after the refusal", &c, &x);
                assert_eq!(s.evaluator.mul(&c, &other).unwrap_err(), error);
                return products;
            }
        }
    }
    panic!("{}: twenty products were never refused", preset.name())
}

fn chains<S: Modular>() {
    for preset in Preset::ALL {
        for square in [true, false] {
            let products = multiply_on::<S>(preset, square);
            println!("{} {} makes {products} products", S::NAME, preset.name());
            assert!(products >= depth(preset), "{}: {products} products", preset.name());
        }
    }
}

#[test]
fn bgv_refuses_the_product_that_could_be_wrong() {
    chains::<Bgv>();
}

#[test]
fn bfv_refuses_the_product_that_could_be_wrong() {
    chains::<Bfv>();
}

#[test]
fn the_scale_invariant_product_is_refused_as_well() {
    for preset in [Preset::E1, Preset::E1Bits256, Preset::E2, Preset::E5Bits192] {
        let mut s = Setup::<Bfv>::new(preset, &Rotations::none(), 7);
        let mut x = s.random();
        let mut c = s.encrypt(&x);
        let refusal = loop {
            match s.evaluator.mul_scale_invariant(&c, &c) {
                Ok(next) => {
                    x = product(s.t, &x, &x);
                    s.check("scale invariant", &next, &x);
                    c = next;
                }
                Err(error) => break error,
            }
        };
        assert!(matches!(refusal, Error::NoiseExhausted { .. }), "{refusal}");
    }
}

fn long_sums<S: Modular>(preset: Preset) {
    let mut s = Setup::<S>::new(preset, &Rotations::none(), 8);
    let mut x = s.random();
    let fresh = s.encrypt(&x);
    let mut c = s.evaluator.mod_switch_to(&fresh, 0).unwrap();
    let mut doublings = 0;
    let refusal = loop {
        match s.evaluator.add(&c, &c) {
            Ok(next) => {
                x = crate::common::sum(s.t, &x, &x);
                s.check("doubled", &next, &x);
                c = next;
                doublings += 1;
            }
            Err(error) => break error,
        }
    };
    let Error::NoiseExhausted { operation: "add", needed_bits, left_bits, .. } = refusal else {
        panic!("{refusal}")
    };
    assert!((needed_bits - 1.0).abs() < 1e-6 && left_bits < 1.0, "a doubling costs one bit");
    assert!(doublings <= s.params.log2_modulus(0).unwrap() as usize);
}

#[test]
fn sums_are_refused_before_they_wrap_around() {
    for preset in [Preset::E1, Preset::E1Bits256, Preset::E2] {
        long_sums::<Bgv>(preset);
        long_sums::<Bfv>(preset);
    }
}
