//! Vectors longer than the slots, matrices in slots, and the depth of approximations.

use crate::ckks::setup::Setup;
use fathom::ckks::{Approximation, Complex64, DomainError, Evaluator, Interval, Preset, Rotations};
use fathom::rlwe::{Encryption, MatrixLayout};
use fathom::{Error, ckks};
use std::collections::BTreeMap;

#[test]
fn long_vectors_of_reals() {
    let params = ckks::Params::preset(Preset::E3Small).unwrap();
    let mut s = Setup::of(params.clone(), &Rotations::for_slot_sum(params.degree()), 91);
    let slots = params.slot_count();
    let values: Vec<f64> = (0..2 * slots + 3).map(|_| s.real()).collect();
    let plain = params.encode_long(&values).unwrap();
    let x = plain.try_map(|part| s.secret.encrypt(part, &mut s.rng)).unwrap();
    let read = x.try_map(|part| s.secret.decrypt(part)).unwrap();
    assert_eq!(read.values_complex().len(), values.len());
    let bound = read.parts()[0].error_bound();
    assert!(read.values().iter().zip(&values).all(|(a, b)| (a - b).abs() <= bound));
    let check = |c: &ckks::Ciphertext, expected: f64| {
        let clear = s.secret.decrypt(c).unwrap();
        let error = (clear.slots()[0] - expected).abs();
        assert!(error <= clear.error_bound() && clear.error_bound() < 1.0, "{error}");
    };
    check(&s.evaluator.sum_long(&x).unwrap(), values.iter().sum());
    check(&s.evaluator.dot_long(&x, &x).unwrap(), values.iter().map(|v| v * v).sum());
    let mut wrong = values;
    wrong[slots + 2] = f64::NAN;
    let refused = params.encode_long(&wrong).unwrap_err();
    let index = slots + 2;
    assert_eq!(refused, DomainError::NotFinite { operation: "encode", index }.into());
    wrong[slots + 2] = 2.0;
    let refused = params.encode_long(&wrong).unwrap_err();
    assert_eq!(refused, Error::MagnitudeExceeded { index, magnitude: 1.0 });
}

#[test]
fn matrices_of_reals_multiply() {
    let mut s = Setup::new(Preset::E3Small, &Rotations::none(), 92);
    let layout = MatrixLayout::new(8, 5, 6, s.params.slot_count()).unwrap();
    let mut matrix = |rows: usize, columns: usize| -> Vec<Vec<f64>> {
        (0..rows).map(|_| (0..columns).map(|_| s.real()).collect()).collect()
    };
    let (a, b) = (matrix(8, 5), matrix(5, 6));
    let mut encrypted = |slots: Vec<Vec<f64>>| -> Vec<ckks::Ciphertext> {
        slots.iter().map(|x| s.encrypt_within(x, 1.0)).collect()
    };
    let (left, right) = (layout.left(&a).unwrap(), layout.right(&b).unwrap());
    let (left, right) = (encrypted(left), encrypted(right));
    let clear = s.secret.decrypt(&s.evaluator.dot(&left, &right).unwrap()).unwrap();
    assert!(clear.error_bound() < 1e-3);
    for (i, row) in layout.read(&clear.slots()).unwrap().iter().enumerate() {
        for (j, found) in row.iter().enumerate() {
            let expected: f64 = (0..5).map(|k| a[i][k] * b[k][j]).sum();
            assert!((found - expected).abs() <= clear.error_bound(), "{i}, {j}");
        }
    }
}

/// The stated depth is the number of levels that the evaluation takes.
#[test]
fn approximations_state_their_depth() {
    let params = ckks::Params::preset(Preset::E3).unwrap();
    let e = Evaluator::simulated(&params).unwrap();
    let top = params.top_level();
    let mut evaluated = 0;
    for degree in [1, 3, 4, 7, 15, 16] {
        for (low, high) in [(-1.0, 1.0), (-0.5, 0.5), (-0.75, 1.0), (0.0, 2.0), (0.25, 0.75)] {
            let interval = Interval::new(low, high);
            let constant = Approximation::new(|_| 0.25, interval, degree).unwrap();
            let function = Approximation::new(|x| (0.3 * x).exp(), interval, degree).unwrap();
            for function in [function, constant] {
                let x = e.simulated_encryption(Encryption::SecretKey, top).unwrap();
                let x = e.assume_magnitude(&x, low.abs().max(high)).unwrap();
                let x = e.mul_scalar(&x, 0.0).and_then(|x| e.add_scalar(&x, 0.5)).unwrap_or(x);
                match e.evaluate_function(&x, &function) {
                    Ok(y) => {
                        let taken = x.level().get() - y.level().get();
                        assert_eq!(taken, function.depth(), "degree {degree}, {interval:?}");
                        evaluated += 1;
                    }
                    Err(refused) => assert!(function.depth() >= top.get(), "{refused}"),
                }
            }
        }
    }
    assert!(evaluated >= 40, "{evaluated} of 60 were evaluated");
}

/// One map multiplies as many vectors as the slots hold, and its bound is that of one of them.
#[test]
fn blocks_of_reals_multiply_side_by_side() {
    let params = ckks::Params::preset(Preset::E3Small).unwrap();
    let (slots, size) = (params.slot_count(), 8);
    let matrix: Vec<Vec<f64>> = (0..5)
        .map(|i| (0..7).map(|j| f64::from((i * 5 + j * 3) % 11) / 11.0 - 0.4).collect())
        .collect();
    let level = params.top_level();
    let map = ckks::LinearMap::for_blocks(&params, &matrix, slots / size, level).unwrap();
    assert_eq!(map.size(), slots);
    let mut s = Setup::of(params.clone(), &map.rotations(), 93);
    let vectors = s.random_reals();
    let a = map.pack(&vectors).unwrap();
    let a = a.try_map(|plain| s.secret.encrypt(plain, &mut s.rng)).unwrap();
    let image = s.evaluator.transform(&map, &a).unwrap();
    let image = image.try_map(|c| s.secret.decrypt(c)).unwrap();
    let bound = image.value().error_bound();
    assert!(bound < 1e-3, "{bound}");
    let found = map.unpack(&image).unwrap();
    for (found, vector) in found.chunks(size).zip(vectors.chunks(size)) {
        for (i, found) in found.iter().enumerate() {
            let row = matrix.get(i).map_or(&[][..], Vec::as_slice);
            let expected: f64 = row.iter().zip(vector).map(|(m, v)| m * v).sum();
            assert!((found - expected).abs() <= bound, "row {i}: {found} is not {expected}");
        }
    }
    let refused = ckks::LinearMap::for_blocks(&params, &matrix, 2 * slots / size, level);
    assert!(matches!(refused, Err(Error::Shape { .. })));
}

/// A stage of a Fourier transform over all slots has three complex diagonals, and needs no matrix
/// of 10^7 entries.
#[test]
fn maps_of_few_complex_diagonals_over_all_slots() {
    let params = ckks::Params::preset(Preset::E3Depth1).unwrap();
    let (size, level) = (params.slot_count(), params.top_level());
    let half = size / 2;
    let root = |i: usize| Complex64::cis(std::f64::consts::PI * (i % half) as f64 / half as f64);
    let butterfly = |i: usize| if i < half { Complex64::ONE } else { -root(i) };
    let diagonals = BTreeMap::from([
        (0, (0..size).map(butterfly).collect()),
        (half, (0..size).map(|i| if i < half { root(i) } else { Complex64::ONE }).collect()),
        (1, vec![Complex64::new(0.0, 0.25); size]),
    ]);
    let map = ckks::LinearMap::from_diagonals(&params, size, &diagonals, level).unwrap();
    assert_eq!((map.size(), map.rows(), map.level()), (size, size, Some(level)));
    let mut s = Setup::of(params.clone(), &map.rotations(), 93);
    assert!(map.rotations().steps.len() <= 2);
    let values: Vec<Complex64> = (0..size).map(|_| Complex64::new(s.real(), s.real())).collect();
    let values: Vec<Complex64> = values.iter().map(|v| v / 2.0).collect();
    let x = map.pack(&values).unwrap().try_map(|p| s.secret.encrypt(p, &mut s.rng)).unwrap();
    let image = s.evaluator.transform(&map, &x).unwrap().try_map(|c| s.secret.decrypt(c)).unwrap();
    let (found, bound) = (map.unpack_complex(&image).unwrap(), image.value().error_bound());
    let mut worst = 0.0_f64;
    for (i, found) in found.iter().enumerate() {
        let terms = diagonals.iter().map(|(d, entries)| entries[i] * values[(i + d) % size]);
        worst = worst.max((found - terms.sum::<Complex64>()).norm());
    }
    assert!(worst <= bound && bound < 100.0 * worst, "{worst} {bound}");
    let text = |refused: Result<ckks::LinearMap, Error>| refused.unwrap_err().to_string();
    let make = |size, diagonals: &_| ckks::LinearMap::from_diagonals(&params, size, diagonals, 1);
    assert!(text(make(12, &diagonals)).contains("power of two"));
    assert!(text(make(2 * size, &diagonals)).contains("power of two"));
    let short = BTreeMap::from([(3, vec![Complex64::ONE; 7])]);
    assert!(text(make(8, &short)).contains("diagonal 3 of 7 values"));
    let beyond = BTreeMap::from([(8, vec![Complex64::ONE; 8])]);
    assert!(text(make(8, &beyond)).contains("diagonal 8 of 8 values"));
}
