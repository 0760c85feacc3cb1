//! Statistics of the first slots, short vectors, and products of lists.

use crate::ckks::setup::Setup;
use fathom::Error;
use fathom::ckks::{Ciphertext, Preset, Rotations};

fn assert_near(s: &Setup, what: &str, c: &Ciphertext, expected: &[f64]) {
    let clear = s.secret.decrypt(c).unwrap();
    let bound = clear.error_bound();
    assert!(bound < 1e-2, "{what}: the bound {bound:e} says little");
    for (slot, (found, value)) in clear.slots().iter().zip(expected).enumerate() {
        let error = (found - value).abs();
        assert!(error <= bound, "{what}, slot {slot}: {found} is not {value}");
    }
}

#[test]
fn statistics_are_those_of_the_first_slots_alone() {
    let params = fathom::ckks::Params::preset(Preset::E3Small).unwrap();
    let keys = Rotations::for_slot_sum(params.degree());
    let mut s = Setup::of(params, &keys, 81);
    let slots = s.params.slot_count();
    let x = s.random_reals();
    let a = s.encrypt_within(&x, 1.0);
    for count in [1, 10, 1000, slots] {
        let of = |f: &dyn Fn(f64) -> f64| x[..count].iter().map(|&x| f(x)).sum::<f64>();
        let mean = of(&|x| x) / count as f64;
        let all = |value: f64| vec![value; slots];
        let e = &s.evaluator;
        assert_near(&s, "mean", &e.mean(&a, count).unwrap(), &all(mean));
        let variance = of(&|x| (x - mean).powi(2)) / count as f64;
        assert_near(&s, "variance", &e.variance(&a, count).unwrap(), &all(variance));
        if count <= 100 {
            let c = e.sum_prefix(&a, count).unwrap();
            assert_near(&s, "sum_prefix", &c, &all(of(&|x| x)));
            let c = e.norm_squared(&a, count).unwrap();
            assert_near(&s, "norm_squared", &c, &all(of(&|x| x * x)));
        }
    }
    let refused = s.evaluator.mean(&a, slots + 1).unwrap_err();
    assert_eq!(refused, Error::Count { operation: "mean", count: slots + 1, limit: slots });
    let c = s.evaluator.replicate(&a, 5).unwrap();
    assert_near(&s, "replicate", &c, &vec![x[5]; slots]);
}

#[test]
fn short_vectors_turn_and_lists_multiply() {
    let mut s = Setup::new(Preset::E3Small, &Rotations::steps(&[2, -5]), 82);
    let x = s.random_reals();
    let a = s.encrypt_within(&x, 1.0);
    let mut turned = x[..7].to_vec();
    turned.rotate_left(2);
    turned.resize(s.params.slot_count(), 0.0);
    assert_near(&s, "rotate", &s.evaluator.rotate_prefix(&a, 7, 9).unwrap(), &turned);
    turned[5..7].fill(0.0);
    assert_near(&s, "shift", &s.evaluator.shift_prefix(&a, 7, 2).unwrap(), &turned);
    let list: Vec<_> = (0..3).map(|_| a.clone()).collect();
    let cubes: Vec<f64> = x.iter().map(|x| x.powi(3)).collect();
    assert_near(&s, "product", &s.evaluator.product(&list).unwrap(), &cubes);
}
