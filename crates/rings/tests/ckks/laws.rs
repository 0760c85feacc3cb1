//! Every operation does what it says, within its bound.

use crate::ckks::setup::{Measured, Setup, complex, map, rotated, zip};
use fathom::ckks::{Ciphertext, Complex64, LinearMap, Preset, Rotations, RowSwap};
use fathom::wire::{Wire, WireObject};

fn setup(seed: u64) -> Setup {
    let rotations = Rotations { steps: vec![1, 2, 4, -3], row_swap: RowSwap::With };
    Setup::new(Preset::E3Small, &rotations, seed)
}

#[test]
fn encryption_and_decryption_are_inverse_at_every_level() {
    let mut s = setup(1);
    let x = s.random();
    let plain = s.params.encode(&x).unwrap();
    for level in 0..=s.params.top_level().get() {
        let c = s.secret.encrypt_at(&plain, level, &mut s.rng).unwrap();
        assert!(c.is_seeded() && c.level() == level);
        s.check(&format!("level {level}"), &c, &x);
    }
    let c = s.encrypt_public(&x);
    s.check("public key", &c, &x);
}

#[test]
fn sums_and_differences_act_slot_by_slot() {
    let mut s = setup(2);
    let (x, y) = (s.random(), s.random());
    let (a, b) = (s.encrypt(&x), s.encrypt_public(&y));
    let e = &s.evaluator;
    s.check("add", &e.add(&a, &b).unwrap(), &zip(&x, &y, |x, y| x + y));
    s.check("sub", &e.sub(&a, &b).unwrap(), &zip(&x, &y, |x, y| x - y));
    s.check("neg", &e.neg(&a).unwrap(), &map(&x, |x| -x));
    let plain = s.params.encode(&y).unwrap();
    s.check("add_plain", &e.add_plain(&a, &plain).unwrap(), &zip(&x, &y, |x, y| x + y));
    s.check("sub_plain", &e.sub_plain(&a, &plain).unwrap(), &zip(&x, &y, |x, y| x - y));
    for level in [s.params.top_level(), s.params.top_level().next().unwrap()] {
        let addend = plain.to_addend(level).unwrap();
        let (sum, difference) = (e.add_plain(&a, &addend), e.sub_plain(&a, &addend));
        let (sum, difference) = (sum.unwrap(), difference.unwrap());
        assert_eq!((sum.level(), difference.level()), (level, level));
        s.check("add_plain of an addend", &sum, &zip(&x, &y, |x, y| x + y));
        s.check("sub_plain of an addend", &difference, &zip(&x, &y, |x, y| x - y));
    }
}

#[test]
fn products_act_slot_by_slot_and_take_one_level() {
    let mut s = setup(3);
    let (x, y) = (s.random(), s.random());
    let (a, b) = (s.encrypt(&x), s.encrypt_public(&y));
    let product = zip(&x, &y, |x, y| x * y);
    let c = s.evaluator.mul(&a, &b).unwrap();
    assert_eq!((c.level(), c.component_count()), (a.level().next().unwrap(), 2));
    let scale = s.params.scale(c.level()).unwrap();
    assert!((c.scale() - scale).abs() <= 0.0, "the scale is that of the level");
    s.check("mul", &c, &product);
    s.check("square", &s.evaluator.square(&a).unwrap(), &map(&x, |x| x * x));
    let multiplicand = s.params.encode(&y).unwrap().to_multiplicand(a.level()).unwrap();
    s.check("mul_plain", &s.evaluator.mul_plain(&a, &multiplicand).unwrap(), &product);
    let long = s.evaluator.mul(&c, &c).unwrap();
    assert_eq!(long.level(), s.params.last_level());
    s.check("mul twice", &long, &map(&product, |p| p * p));
}

#[test]
fn tensors_relinearization_and_rescaling_are_the_steps_of_a_product() {
    let mut s = setup(4);
    let (x, y) = (s.random(), s.random());
    let (a, b) = (s.encrypt(&x), s.encrypt(&y));
    let product = zip(&x, &y, |x, y| x * y);
    let e = &s.evaluator;
    let tensor = e.tensor(&a, &b).unwrap();
    s.check("tensor", &tensor, &product);
    let relinearized = e.relinearize(&tensor).unwrap();
    assert_eq!(relinearized.level(), a.level());
    s.check("relinearize", &relinearized, &product);
    let rescaled = e.rescale(&relinearized).unwrap();
    assert_eq!(rescaled.level(), a.level().next().unwrap());
    s.check("rescale", &rescaled, &product);
    // A product that was not rescaled can be added to a message of the usual scale.
    let sum = e.add(&relinearized, &a).unwrap();
    s.check("add across scales", &sum, &zip(&product, &x, |p, x| p + x));
}

#[test]
fn numbers_multiply_and_add_in_every_slot() {
    let mut s = setup(5);
    let x = s.random();
    let a = s.encrypt(&x);
    let e = &s.evaluator;
    for c in [0.375, -1.7, 1e-3, 3.0, -1.0] {
        s.check("mul_scalar", &e.mul_scalar(&a, c).unwrap(), &map(&x, |x| x * c));
        s.check("add_scalar", &e.add_scalar(&a, c).unwrap(), &map(&x, |x| x + c));
        s.check("sub_scalar", &e.sub_scalar(&a, c).unwrap(), &map(&x, |x| x - c));
    }
    assert_eq!(e.mul_scalar(&a, 7.0).unwrap().level(), a.level(), "integers keep the level");
    for c in [Complex64::I, Complex64::new(-0.3, 0.8)] {
        s.check("complex product", &e.mul_scalar(&a, c).unwrap(), &map(&x, |x| x * c));
        s.check("complex sum", &e.add_scalar(&a, c).unwrap(), &map(&x, |x| x + c));
        s.check("complex difference", &e.sub_scalar(&a, c).unwrap(), &map(&x, |x| x - c));
    }
}

#[test]
fn rotations_and_conjugation_permute_slots() {
    let mut s = setup(6);
    let x = s.random();
    let a = s.encrypt(&x);
    let e = &s.evaluator;
    for (steps, index) in [(1, 1), (4, 4), (-3, x.len() - 3)] {
        s.check("rotate", &e.rotate(&a, steps).unwrap(), &rotated(&x, index));
    }
    let many = e.rotate_many(&a, &[2, 0, 4]).unwrap();
    for (c, steps) in many.iter().zip([2, 0, 4]) {
        s.check("rotate_many", c, &rotated(&x, steps));
    }
    s.check("conjugate", &e.conjugate(&a).unwrap(), &map(&x, |x| x.conj()));
    let twice = e.twice_real_part(&a).unwrap();
    s.check("twice_real_part", &twice, &map(&x, |x| (2.0 * x.re).into()));
    let sum = e.sum_rotations(&a, 8).unwrap();
    let expected: Vec<Complex64> =
        (0..x.len()).map(|i| (0..8).map(|k| x[(i + k) % x.len()]).sum()).collect();
    s.check("sum_rotations", &sum, &expected);
}

#[test]
fn the_sum_of_all_slots_is_in_every_slot() {
    let params = fathom::ckks::Params::preset(Preset::E3Small).unwrap();
    let rotations = Rotations::for_slot_sum(params.degree());
    let mut s = Setup::of(params, &rotations, 7);
    let x = map(&s.random(), |x| x / 4096.0);
    let plain = s.params.encode_within(&x, 1.0 / 4096.0).unwrap();
    let a = s.secret.encrypt(&plain, &mut s.rng).unwrap();
    let total: Complex64 = x.iter().sum();
    s.check("sum_slots", &s.evaluator.sum_slots(&a).unwrap(), &vec![total; x.len()]);
}

#[test]
fn dot_products_add_all_products() {
    let mut s = setup(8);
    let pairs: Vec<_> = (0..5).map(|_| (s.random(), s.random())).collect();
    let a: Vec<_> = pairs.iter().map(|(x, _)| s.encrypt(x)).collect();
    let b: Vec<_> = pairs.iter().map(|(_, y)| s.encrypt_public(y)).collect();
    let mut expected = vec![Complex64::ZERO; s.params.slot_count()];
    for (x, y) in &pairs {
        expected = zip(&expected, &zip(x, y, |x, y| x * y), |a, b| a + b);
    }
    s.check("dot", &s.evaluator.dot(&a, &b).unwrap(), &expected);
    // Operands at several levels meet at the lowest.
    let mut mixed = a.clone();
    mixed[2] = s.evaluator.mod_switch_to(&a[2], 1).unwrap();
    s.check("dot across levels", &s.evaluator.dot(&mixed, &b).unwrap(), &expected);
}

#[test]
fn operands_at_different_levels_are_brought_together() {
    let mut s = setup(9);
    let (x, y) = (s.random(), s.random());
    let (a, b) = (s.encrypt(&x), s.encrypt(&y));
    let e = &s.evaluator;
    let lower = e.mul(&a, &b).unwrap();
    let product = zip(&x, &y, |x, y| x * y);
    s.check("add", &e.add(&lower, &a).unwrap(), &zip(&product, &x, |p, x| p + x));
    s.check("sub", &e.sub(&a, &lower).unwrap(), &zip(&x, &product, |x, p| x - p));
    s.check("mul", &e.mul(&a, &lower).unwrap(), &zip(&product, &x, |p, x| p * x));
    let switched = e.mod_switch_to(&a, 0).unwrap();
    s.check("mod_switch_to", &switched, &x);
    let dropped = e.drop_to(&a, 1).unwrap();
    s.check("drop_to", &dropped, &x);
    s.check("add dropped", &e.add(&dropped, &lower).unwrap(), &zip(&product, &x, |p, x| p + x));
}

#[test]
fn a_few_slots_repeat() {
    let mut s = setup(10);
    let few: Vec<f64> = (0..256).map(|_| s.real()).collect();
    let plain = s.params.encode_repeated(&few).unwrap();
    assert_eq!(plain.slots().len(), 256);
    let c = s.secret.encrypt(&plain, &mut s.rng).unwrap();
    let all = complex(&few.repeat(s.params.slot_count() / 256));
    s.check("repeated", &c, &all);
    let multiplicand = plain.to_multiplicand(c.level()).unwrap();
    let square = s.evaluator.mul_plain(&c, &multiplicand).unwrap();
    s.check("repeated operand", &square, &map(&all, |x| x * x));
}

#[test]
fn a_matrix_multiplies_a_packed_vector() {
    let size = 16;
    let mut s = setup(11);
    let mut entry = || s.real() / 8.0;
    let matrix: Vec<Vec<Complex64>> =
        (0..size).map(|_| (0..size).map(|_| Complex64::new(entry(), entry())).collect()).collect();
    let vector: Vec<f64> = (0..size).map(|_| s.real()).collect();
    let map = LinearMap::for_level(&s.params, &matrix, s.params.top_level()).unwrap();
    let keys = s.secret.evaluation_keys(&map.rotations(), &mut s.rng).unwrap();
    let e = fathom::ckks::Evaluator::new(keys);
    let packed = map.pack(&vector).unwrap();
    let a = packed.try_map(|p| s.secret.encrypt(p, &mut s.rng)).unwrap();
    let result = e.transform(&map, &a).unwrap();
    assert_eq!(result.value().level(), s.params.top_level().next().unwrap());
    let expected: Vec<Complex64> =
        matrix.iter().map(|row| row.iter().zip(&vector).map(|(m, v)| m * v).sum()).collect();
    let all = expected.repeat(s.params.slot_count() / size);
    s.check("apply", result.value(), &all);
}

/// Two maps of any dimensions follow each other in one layout; bounds hold in every slot.
#[test]
fn matrices_of_any_dimensions_follow_each_other() {
    for (rows, columns, last) in
        [(1_usize, 1_usize, 1), (3, 3, 2), (1, 10, 7), (10, 1, 4), (5, 17, 11)]
    {
        let mut s = setup(100 + rows as u64);
        let top = s.params.top_level();
        let [size, result] = [columns, rows].map(usize::next_power_of_two);
        let mut entry = || Complex64::new(s.real(), s.real()) / 16.0;
        let mut matrix = |rows: usize, columns: usize| -> Vec<Vec<Complex64>> {
            (0..rows).map(|_| (0..columns).map(|_| entry()).collect()).collect()
        };
        let (first, second) = (matrix(rows, columns), matrix(last, rows));
        let vector: Vec<f64> = (0..columns).map(|_| s.real()).collect();
        let map = LinearMap::for_level(&s.params, &first, top).unwrap();
        assert_eq!((map.rows(), map.columns()), (rows, columns));
        assert_eq!((map.size(), map.result_size()), (size, result));
        let after = LinearMap::for_level(&s.params, &second, top.next().unwrap()).unwrap();
        let rotations = map.rotations().and(&after.rotations());
        let keys = s.secret.evaluation_keys(&rotations, &mut s.rng).unwrap();
        let e = fathom::ckks::Evaluator::new(keys);
        let a = map.pack(&vector).unwrap().try_map(|p| s.secret.encrypt(p, &mut s.rng)).unwrap();
        let image = e.transform(&map, &a).unwrap();
        let expected = product(&first, &complex(&vector));
        s.check("first map", image.value(), &spread(&s, &expected, result));
        let image = e.transform(&after, &image).unwrap();
        let expected = product(&second, &expected);
        let Measured { bound, .. } =
            s.check("second map", image.value(), &spread(&s, &expected, after.result_size()));
        let plain = image.try_map(|c| s.secret.decrypt(c)).unwrap();
        let found = after.unpack_complex(&plain).unwrap();
        assert_eq!(found.len(), last);
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).norm() <= bound));
        assert!(
            after
                .unpack(&plain)
                .unwrap()
                .iter()
                .zip(&found)
                .all(|(a, b)| a.to_bits() == b.re.to_bits())
        );
    }
}

fn product(matrix: &[Vec<Complex64>], vector: &[Complex64]) -> Vec<Complex64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(m, v)| m * v).sum()).collect()
}

/// Fills a vector up with zeros to the size of a layout, and repeats it.
fn spread(s: &Setup, vector: &[Complex64], size: usize) -> Vec<Complex64> {
    let mut block = vector.to_vec();
    block.resize(size, Complex64::ZERO);
    block.repeat(s.params.slot_count() / size)
}

/// Masks that cancel, in a sum of products, and that are multiplied by constants rounded to zero.
#[test]
fn results_without_a_mask_are_masked() {
    let mut s = setup(30);
    let (x, y) = (s.random(), s.random());
    let (a, b) = (s.encrypt(&x), s.encrypt(&y));
    let e = &s.evaluator;
    let pair = [a.clone(), e.neg(&a).unwrap()];
    let product = e.tensor(&a, &b).unwrap();
    let results = [
        e.sub(&a, &a),
        e.dot(&pair, &[b.clone(), b]),
        e.sub(&product, &product).and_then(|zero| e.relinearize_and_switch(&zero)),
        e.evaluate_polynomial(&a, &[0.25, 1e-30, 1e-30]).and_then(|c| e.sub_scalar(&c, 0.25)),
    ];
    for result in results.map(Result::unwrap) {
        s.check("a masked zero", &result, &map(&x, |_| Complex64::default()));
        assert!(Ciphertext::from_bytes(&s.params, &result.to_bytes()).is_ok());
    }
}
