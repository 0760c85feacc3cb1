//! Sums with real weights.

use crate::ckks::setup::Setup;
use fathom::Error;
use fathom::ckks::{Complex64, DomainError, Preset, Rotations, ScaleError, explicit};

fn assert_near(
    s: &Setup,
    what: &str,
    c: &fathom::ckks::Ciphertext,
    terms: &[&[Complex64]],
    weights: &[f64],
) {
    let clear = s.secret.decrypt(c).unwrap();
    let bound = clear.error_bound();
    for (slot, found) in clear.slots_complex().iter().enumerate() {
        let sum: Complex64 = terms.iter().zip(weights).map(|(term, w)| term[slot] * w).sum();
        let error = (found - sum).norm();
        assert!(error <= bound, "{what}, slot {slot}: {error:e} beyond {bound:e}");
    }
    assert!(bound < 1e-3, "{what}: the bound {bound:e} says little");
}

#[test]
fn weighted_sums_are_right_and_take_one_level() {
    let mut s = Setup::new(Preset::E3Small, &Rotations::none(), 71);
    let clear: Vec<_> = (0..5).map(|_| s.random()).collect();
    let terms: Vec<_> = clear.iter().map(|x| s.encrypt(x)).collect();
    let lists = [[0.25, -1.0, 0.0, 1e-3, 0.77], [3.0, 1.5, -2.25, 1e-9, 0.5]];
    let slots: Vec<&[Complex64]> = clear.iter().map(Vec::as_slice).collect();
    for (sum, weights) in s.evaluator.weighted_sums(&terms, &lists).unwrap().iter().zip(&lists) {
        assert_near(&s, "real weights", sum, &slots, weights);
        assert_eq!(Some(sum.level()), terms[0].level().next());
        // Not less precise than one product after the other.
        let mut products = terms.iter().zip(weights).map(|(c, &w)| s.evaluator.mul_scalar(c, w));
        let first = products.next().unwrap().unwrap();
        let slow = products.fold(first, |sum, next| s.evaluator.add(&sum, &next.unwrap()).unwrap());
        assert!(sum.precision_bits() >= slow.precision_bits() - 0.01);
    }
    let whole = [2.0, -1.0, 0.0, 7.0, 1.0];
    let sum = s.evaluator.weighted_sum(&terms, &whole).unwrap();
    assert_near(&s, "integers", &sum, &slots, &whole);
    assert_eq!(sum.level(), terms[0].level());
}

#[test]
fn terms_may_differ_in_level_and_scale() {
    let mut s = Setup::new(Preset::E3Small, &Rotations::none(), 72);
    let (x, y) = (s.random(), s.random());
    let (a, b) = (s.encrypt(&x), s.encrypt(&y));
    let xy: Vec<Complex64> = x.iter().zip(&y).map(|(x, y)| x * y).collect();
    let product = s.evaluator.mul(&a, &b).unwrap();
    let tensor = s.evaluator.tensor(&a, &b).unwrap();
    for weights in [[0.3, -0.7], [2.0, 3.0]] {
        let sum = s.evaluator.weighted_sum(&[a.clone(), product.clone()], &weights).unwrap();
        assert_near(&s, "another level", &sum, &[&x, &xy], &weights);
        let sum = s.evaluator.weighted_sum(&[a.clone(), tensor.clone()], &weights).unwrap();
        let sum = s.evaluator.relinearize(&sum).unwrap();
        assert_near(&s, "another scale", &sum, &[&x, &xy], &weights);
    }
}

#[test]
fn products_with_plaintexts_add_up_in_one_pass() {
    let mut s = Setup::new(Preset::E3Small, &Rotations::none(), 75);
    let [x, y, u, v] = [(); 4].map(|()| s.random());
    let (a, b) = (s.encrypt(&x), s.encrypt(&y));
    let top = a.level();
    let [p, q] = [&u, &v].map(|w| s.params.encode(w).unwrap());
    let pairs = |x: &[Complex64], y: &[Complex64]| -> Vec<Complex64> {
        x.iter().zip(y).map(|(x, y)| x * y).collect()
    };
    let (xu, yv) = (pairs(&x, &u), pairs(&y, &v));
    let multiplicands = [&p, &q].map(|plain| plain.to_multiplicand(top).unwrap());
    let all = [a, b];
    let sum = s.evaluator.dot_plain(&all, &multiplicands).unwrap();
    assert_near(&s, "one level", &sum, &[&xu, &yv], &[1.0, 1.0]);
    assert_eq!(Some(sum.level()), top.next());
    let mixed = [p.to_multiplicand(top).unwrap(), q.to_multiplicand(top.get() - 1).unwrap()];
    let sum = s.evaluator.dot_plain(&all, &mixed).unwrap();
    assert_near(&s, "two levels", &sum, &[&xu, &yv], &[1.0, 1.0]);
    let refused = s.evaluator.dot_plain(&all, &mixed[..1]).unwrap_err();
    assert!(matches!(refused, Error::ListLength { operation: "dot_plain", left: 2, right: 1 }));
    let stream = (0..40).map(|_| Ok::<_, Error>((all[0].clone(), all[1].clone())));
    let sum = s.evaluator.dot_stream(stream).unwrap();
    assert_near(&s, "a stream", &sum, &[&pairs(&x, &y)], &[40.0]);
}

#[test]
fn weights_and_lists_are_checked() {
    let mut s = Setup::new(Preset::E3Small, &Rotations::none(), 73);
    let x = s.random();
    let all = [s.encrypt(&x), s.encrypt(&x)];
    for weight in [f64::NAN, f64::INFINITY] {
        let refused = s.evaluator.weighted_sum(&all, &[1.0, weight]).unwrap_err();
        let not_finite = DomainError::NotFinite { operation: "weighted_sum", index: 1 };
        assert_eq!(refused, not_finite.into());
    }
    for weights in [&[1.0][..], &[]] {
        let refused = s.evaluator.weighted_sum(&all, weights).unwrap_err();
        assert!(matches!(refused, Error::ListLength { left: 2, .. }), "{refused}");
    }
    let refused = s.evaluator.weighted_sum(&all, &[1e300, 1.0]).unwrap_err();
    assert!(matches!(refused, Error::NoiseExhausted { .. }), "{refused}");
    // What cancels is masked.
    let none = s.evaluator.weighted_sum(&[all[0].clone(), all[0].clone()], &[1.0, -1.0]).unwrap();
    assert_near(&s, "cancelled", &none, &[&x, &x], &[1.0, -1.0]);
}

#[test]
fn explicit_levels_refuse_terms_that_differ() {
    let params = explicit::Params::preset(Preset::E3Small).unwrap();
    let mut rng = fathom::SecretRng::insecure_from_seed(74);
    let secret = explicit::SecretKey::generate(&params, &mut rng);
    let keys = secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap();
    let server = explicit::Evaluator::new(keys);
    let a = secret.encrypt(&params.encode(&[0.5]).unwrap(), &mut rng).unwrap();
    let product = server.mul(&a, &a).unwrap();
    let refused = server.weighted_sum(&[a.clone(), product], &[0.5, 0.5]).unwrap_err();
    assert!(matches!(refused, Error::LevelMismatch { .. }), "{refused}");
    let tensor = server.tensor(&a, &a).unwrap();
    let refused = server.weighted_sum(&[a, tensor], &[0.5, 0.5]).unwrap_err();
    assert!(matches!(refused, Error::Scale(ScaleError::Mismatch { .. })), "{refused}");
}
