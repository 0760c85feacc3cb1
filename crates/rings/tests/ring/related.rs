//! Operands that share their randomness, and structured plaintexts: circuits for which a noise
//! model that assumes independence is too small.

use crate::common::{Setup, product, sum};
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{Encryption, Modular, Params, Preset, Rotations, RowSwap};
use fathom::{Error, SecurityLevel};

fn row_swap() -> Rotations {
    Rotations { steps: Vec::new(), row_swap: RowSwap::With }
}

fn swapped(x: &[u64]) -> Vec<u64> {
    let (top, bottom) = x.split_at(x.len() / 2);
    [bottom, top].concat()
}

/// Scales a ciphertext up to its limit. If the bound is one bit too small, it then decrypts
/// wrongly.
fn scale_to_the_limit<S: Modular>(
    s: &Setup<S>,
    what: &str,
    z: &fathom::rlwe::modular::Ciphertext<S>,
    expected: &[u64],
) {
    s.check(what, z, expected);
    let mut refused = 0;
    for quarter in 0..80 {
        let factor = (f64::from(quarter) / 4.0).exp2() as i64;
        if factor as u64 > s.t / 2 {
            break;
        }
        match s.evaluator.mul_scalar(z, factor) {
            Ok(scaled) => {
                let scaled_slots = product(s.t, expected, &vec![factor as u64; expected.len()]);
                s.check(&format!("{what} times {factor}"), &scaled, &scaled_slots);
            }
            Err(Error::NoiseExhausted { .. }) => refused += 1,
            Err(error) => panic!("{what}: {error}"),
        }
    }
    println!("{what}: {refused} refusals");
}

/// At every root, `v(z) conj(v(z)) >= 0`, so that coefficient 0 of the product has a nonzero mean.
fn h1<S: Modular>(params: &Params<S>, seed: u64) {
    let mut s = Setup::<S>::with(params, &row_swap(), seed);
    let x = s.random();
    let fresh = s.encrypt(&x);
    let a = s.evaluator.mul_scalar(&fresh, 30_000).unwrap();
    let ax = product(s.t, &x, &vec![30_000; x.len()]);
    let mirrored = s.evaluator.swap_rows(&a).unwrap();
    let z = s.evaluator.tensor(&a, &mirrored).unwrap();
    scale_to_the_limit(&s, "x times its mirror image", &z, &product(s.t, &ax, &swapped(&ax)));
    let both = s.evaluator.add(&a, &mirrored).unwrap();
    let bx = sum(s.t, &ax, &swapped(&ax));
    if let Ok(z) = s.evaluator.tensor(&both, &both) {
        scale_to_the_limit(&s, "square of x plus its mirror image", &z, &product(s.t, &bx, &bx));
    }
}

#[test]
fn h1_products_with_a_row_swap_stay_within_their_bound() {
    h1(&Params::<Bgv>::preset(Preset::E5Bits192).unwrap(), 1);
    h1(&Params::<Bgv>::preset(Preset::E5Bits256).unwrap(), 2);
    let planned =
        Params::<Bgv>::for_depth(14, 65537, Encryption::PublicKey, SecurityLevel::Bits128).unwrap();
    assert_eq!(planned.params().degree(), 32768);
    h1(planned.params(), 3);
}

#[test]
fn h2_repeated_products_with_one_structured_plaintext_stay_within_their_bound() {
    for depth in [12, 20] {
        let planned =
            Params::<Bgv>::for_depth(depth, 65537, Encryption::PublicKey, SecurityLevel::Bits128)
                .unwrap();
        let mut s = Setup::<Bgv>::with(planned.params(), &Rotations::none(), 4);
        let n = s.params.degree();
        let mut wave = vec![0; n];
        for j in 0..8 {
            wave[j * n / 8] =
                (100.0 * (std::f64::consts::PI * j as f64 / 8.0).cos()).round() as i64;
        }
        let plain = s.params.encode_coefficients_signed(&wave).unwrap();
        let slots = plain.slots().unwrap();
        let multiplicand = plain.to_multiplicand();
        let mut x = s.random();
        let fresh = s.encrypt(&x);
        let mut c = s.evaluator.mod_switch_to(&fresh, s.top - 1).unwrap();
        for step in 0..8 {
            c = s.evaluator.mul_plain(&c, &multiplicand).unwrap();
            x = product(s.t, &x, &slots);
            s.check(&format!("degree {n}, product {step}"), &c, &x);
        }
    }
}
