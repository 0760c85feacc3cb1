//! Lists of ciphertexts, and short vectors in the first slots.

use crate::common::{Setup, product, sum};
use fathom::Error;
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{Ciphertext, Levels, Modular, Params, Preset, Rotations};

/// Weighted sums are sums of products with integers; terms may be products of three components, of
/// another level or of another factor.
pub(crate) fn weighted_sums<S: Modular>(s: &mut Setup<S>) {
    let clear: Vec<Vec<u64>> = (0..4).map(|_| s.random()).collect();
    let mut terms: Vec<Ciphertext<S>> = clear.iter().map(|x| s.encrypt(x)).collect();
    let lists = [vec![3, -7, 0, 1_i64], vec![-2, 11, 5, 1], vec![0, 0, 1, -1]];
    let t = s.t;
    let expected = |clear: &[Vec<u64>], weights: &[i64]| -> Vec<u64> {
        let terms = clear
            .iter()
            .zip(weights)
            .map(|(x, &weight)| product(t, x, &vec![weight.rem_euclid(t as i64) as u64; x.len()]));
        terms.reduce(|left, right| sum(t, &left, &right)).unwrap()
    };
    for (z, weights) in s.evaluator.weighted_sums(&terms, &lists).unwrap().iter().zip(&lists) {
        s.check("weighted sums", z, &expected(&clear, weights));
        assert_eq!(z.noise_budget_bits().to_bits(), {
            let one = s.evaluator.weighted_sum(&terms, weights).unwrap();
            one.noise_budget_bits().to_bits()
        });
    }
    let zero = s.evaluator.weighted_sum(&terms, &[0; 4]).unwrap();
    s.check("weights of zero", &zero, &vec![0; clear[0].len()]);
    for wrong in [&lists[0][..3], &[]] {
        let refused = s.evaluator.weighted_sum(&terms, wrong);
        assert!(matches!(refused, Err(Error::ListLength { .. })), "{refused:?}");
    }
    let none = s.evaluator.weighted_sum(&[], &[]);
    assert!(matches!(none, Err(Error::ListLength { .. })));
    // A product of three components, and a term of a lower level.
    let product_of = s.evaluator.tensor(&terms[0], &terms[1]);
    if let Ok(tensor) = product_of {
        let mut clear = clear.clone();
        clear[0] = product(s.t, &clear[0], &clear[1]);
        if S::LEVELS == Levels::Automatic || S::NAME == "BGV" {
            terms[0] = tensor;
            if let Ok(z) = s.evaluator.weighted_sum(&terms, &[1, 2, 1, -1]) {
                s.check("with a tensor", &z, &expected(&clear, &[1, 2, 1, -1]));
            }
        }
    }
    if s.top > 0 && S::LEVELS == Levels::Automatic {
        terms = clear.iter().map(|x| s.encrypt(x)).collect();
        terms[2] = s.evaluator.mod_switch_to(&terms[2], s.top - 1).unwrap();
        if let Ok(z) = s.evaluator.weighted_sum(&terms, &lists[1]) {
            s.check("of two levels", &z, &expected(&clear, &lists[1]));
        }
    }
}

/// Inner products with plaintexts, and of streams of pairs.
pub(crate) fn inner_products_in_one_pass<S: Modular>(s: &mut Setup<S>) {
    let clear: Vec<Vec<u64>> = (0..3).map(|_| s.random()).collect();
    let other: Vec<Vec<u64>> = (0..3).map(|_| s.random()).collect();
    let all: Vec<Ciphertext<S>> = clear.iter().map(|x| s.encrypt(x)).collect();
    let plain: Vec<_> = other.iter().map(|y| s.plain(y).to_multiplicand()).collect();
    let products = clear.iter().zip(&other).map(|(x, y)| product(s.t, x, y));
    let expected = products.reduce(|x, y| sum(s.t, &x, &y)).unwrap();
    let c = s.evaluator.dot_plain(&all, &plain).unwrap();
    s.check("dot_plain", &c, &expected);
    let refused = s.evaluator.dot_plain(&all, &plain[1..]);
    assert!(matches!(refused, Err(Error::ListLength { operation: "dot_plain", .. })));
    let (a, b) = (s.encrypt(&clear[0]), s.encrypt(&other[0]));
    let stream = (0..20).map(|_| Ok::<_, Error>((a.clone(), b.clone())));
    match s.evaluator.dot_stream(stream) {
        Ok(c) => {
            let one = product(s.t, &clear[0], &other[0]);
            s.check("dot_stream", &c, &product(s.t, &one, &vec![20; one.len()]));
        }
        Err(Error::NoiseExhausted { .. }) => {
            let list = |c: &Ciphertext<S>| vec![c.clone(); 20];
            s.evaluator.dot(&list(&a), &list(&b)).unwrap_err();
        }
        Err(other) => panic!("{other}"),
    }
    let nothing = s.evaluator.dot_stream(std::iter::empty::<Result<_, Error>>());
    assert!(matches!(nothing, Err(Error::ListLength { operation: "dot_stream", .. })));
    let broken = [Ok((a.clone(), b)), Err(Error::MissingRelinearizationKey)];
    let error = s.evaluator.dot_stream(broken).unwrap_err();
    assert!(matches!(error, Error::MissingRelinearizationKey), "{error}");
}

/// Short vectors at the beginning of each row, copies of a slot, and products of lists.
fn windows<S: Modular>() {
    let length = 13;
    let steps: Vec<i64> = (1..length).flat_map(|step| [step, -step]).collect();
    let params = Params::<S>::preset(Preset::E2).unwrap();
    let keys = Rotations::steps(&steps).and(&Rotations::for_slot_sum(params.degree()));
    let mut s = Setup::<S>::with(&params, &keys, 33);
    let (x, row) = (s.random(), params.degree() / 2);
    let a = s.encrypt(&x);
    let windows = |of: &dyn Fn(&[u64], i64) -> u64| -> Vec<u64> {
        let slot = |i: usize| match i % row {
            at if (at as i64) < length => of(&x[i / row * row..][..length as usize], at as i64),
            _ => 0,
        };
        (0..x.len()).map(slot).collect()
    };
    for steps in [0, 1, 5, -1, 12, 13, -14, 27] {
        let c = s.evaluator.rotate_prefix(&a, length as usize, steps).unwrap();
        let turned = |v: &[u64], at: i64| v[(at + steps).rem_euclid(length) as usize];
        s.check("rotate_prefix", &c, &windows(&turned));
        let c = s.evaluator.shift_prefix(&a, length as usize, steps).unwrap();
        let moved = |v: &[u64], at: i64| {
            usize::try_from(at + steps).ok().and_then(|at| v.get(at)).copied().unwrap_or(0)
        };
        s.check("shift_prefix", &c, &windows(&moved));
    }
    for slot in [0, 7, x.len() - 1] {
        let c = s.evaluator.replicate(&a, slot).unwrap();
        s.check("replicate", &c, &vec![x[slot]; x.len()]);
    }
    let limits = [
        s.evaluator.replicate(&a, x.len()).map(drop),
        s.evaluator.rotate_prefix(&a, 0, 1).map(drop),
        s.evaluator.shift_prefix(&a, row + 1, 1).map(drop),
    ];
    for refused in limits {
        assert!(matches!(refused, Err(Error::Shape { .. })), "{refused:?}");
    }
    let empty = s.evaluator.product(&[]);
    assert!(matches!(empty, Err(Error::ListLength { operation: "product", .. })));
    let one = s.evaluator.product(std::slice::from_ref(&a)).unwrap();
    assert_eq!((one.level(), one.is_fresh()), (a.level(), true));
    if S::LEVELS == Levels::Automatic {
        let cube = product(s.t, &product(s.t, &x, &x), &x);
        let c = s.evaluator.product(&[a.clone(), a.clone(), a]).unwrap();
        s.check("product", &c, &cube);
    }
}

#[test]
fn short_vectors_turn_and_shift() {
    windows::<Bgv>();
    windows::<Bfv>();
}
