//! Vectors longer than the slots, matrices in slots, rotations of few keys, and expanded queries.

use crate::common::Setup;
use fathom::Error;
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::MatrixLayout;
use fathom::rlwe::modular::{Ciphertext, Evaluator, Modular, Params, Preset, Rotations};

fn setup<S: Modular>(preset: Preset, keys: impl Fn(usize) -> Rotations, seed: u64) -> Setup<S> {
    let params = Params::<S>::preset(preset).unwrap();
    Setup::with(&params, &keys(params.degree()), seed)
}

fn expanded<S: Modular>() {
    let mut s = setup::<S>(Preset::E2, |degree| Rotations::for_expansion(degree, 11), 41);
    for count in [1, 2, 8, 11] {
        let values: Vec<u64> = (0..count).map(|_| s.rng.next_word() % s.t).collect();
        let plain = s.params.encode_expandable(&values).unwrap();
        let query = s.public.encrypt(&plain, &mut s.rng).unwrap();
        let all = s.evaluator.expand(&query, count).unwrap();
        assert_eq!(all.len(), count);
        for (c, &value) in all.iter().zip(&values) {
            s.check("expand", c, &vec![value; s.params.degree()]);
        }
    }
    let most = s.params.degree() / 4;
    let query = s.encrypt(&[1]);
    for count in [0, most + 1] {
        let refused = s.evaluator.expand(&query, count).unwrap_err();
        let text = format!("expand takes a list of 1 to {most} values, got {count}");
        assert_eq!(refused.to_string(), text);
        assert!(s.params.encode_expandable(&vec![0; count]).is_err());
    }
    let refused = s.params.encode_expandable(&[s.t]).unwrap_err();
    assert!(matches!(refused, Error::ValueOutOfRange { index: 0, .. }));
    let refused = s.evaluator.expand(&query, 16 + 1).unwrap_err();
    assert!(matches!(refused, Error::MissingGaloisKey { .. }), "{refused}");
}

/// Coefficient `i P + k` of the result is coefficient `i P` of operand `k`, for fresh operands,
/// products, sums and lower levels alike, and the noise of an operand is not multiplied.
fn interleaved<S: Modular>() {
    let mut s = setup::<S>(Preset::E2, |degree| Rotations::for_interleaving(degree, 16), 43);
    let degree = s.params.degree();
    for count in [1, 2, 3, 8, 11] {
        let parts = usize::next_power_of_two(count);
        let mut operands = Vec::new();
        let mut messages = Vec::new();
        for number in 0..count {
            let values: Vec<u64> = (0..degree).map(|_| s.rng.next_word() % s.t).collect();
            let message = s.params.encode_coefficients(&values).unwrap();
            let mask: Vec<u64> = (0..degree).map(|_| s.rng.next_word() % 2).collect();
            let mask = s.params.encode(&mask).unwrap().to_multiplicand();
            let own = s.public.encrypt(&message, &mut s.rng).unwrap();
            // Operands of an odd number are products, some of them at another factor.
            let own = match number % 3 {
                0 => own,
                1 => s.evaluator.mul_plain(&own, &mask).unwrap(),
                _ => s.evaluator.mul(&own, &own).unwrap(),
            };
            messages.push(s.secret.decrypt(&own).unwrap());
            operands.push(own);
        }
        let level = operands.iter().map(Ciphertext::level).min().unwrap();
        let switched = operands.iter().map(|own| s.evaluator.mod_switch_to(own, level).unwrap());
        let operands: Vec<_> = switched.collect();
        let one = s.evaluator.interleave(&operands).unwrap();
        let found = s.secret.decrypt(&one).unwrap();
        for (at, &value) in found.coefficients().iter().enumerate() {
            let (number, own) = (at % parts, at / parts * parts);
            let expected = messages.get(number).map_or(0, |message| message.coefficients()[own]);
            assert_eq!(value, expected, "{count} operands, coefficient {at}");
        }
        let least = operands.iter().map(Ciphertext::noise_budget_bits);
        let least = least.fold(f64::INFINITY, f64::min);
        assert!(one.noise_budget_bits() > 0.0 && one.noise_budget_bits() <= least + 1e-9);
    }
    let x = s.encrypt(&[1]);
    let refused = s.evaluator.interleave(&[]).unwrap_err();
    assert!(refused.to_string().contains("interleave"), "{refused}");
    let refused = s.evaluator.interleave(&vec![x.clone(); degree / 4 + 1]).unwrap_err();
    assert!(matches!(refused, Error::Shape { operation: "interleave", .. }), "{refused}");
    let refused = s.evaluator.interleave(&vec![x; 17]).unwrap_err();
    assert!(matches!(refused, Error::MissingGaloisKey { .. }), "{refused}");
}

#[test]
fn interleaving_takes_every_nth_coefficient_of_each() {
    interleaved::<Bfv>();
    interleaved::<Bgv>();
}

/// Degrees of no ring have no rotations; those of any size take no time.
#[test]
fn rotations_are_listed_for_any_degree() {
    for degree in [0, 1, 2, 3, 6, 1000, usize::MAX] {
        assert_eq!(Rotations::for_expansion(degree, 4), Rotations::none(), "{degree}");
    }
    assert_eq!(Rotations::for_expansion(1 << 62, 4).steps.len(), 2);
    assert_eq!(Rotations::for_expansion(1 << 63, usize::MAX).steps.len(), 61);
    assert_eq!(Rotations::for_expansion(4096, 11).steps.len(), 4);
    for degree in [0, 1, 2, 3, 1 << 62, 1 << 63, usize::MAX] {
        assert!(Rotations::for_any_step(degree).steps.len() <= 128);
        assert!(Rotations::for_slot_sum(degree).steps.len() <= 64);
    }
}

/// A list of one 1 and zeros selects one record of a database.
#[test]
fn a_query_of_one_ciphertext_selects_a_record() {
    let count = 60;
    let mut s = setup::<Bfv>(Preset::E2, |degree| Rotations::for_expansion(degree, count), 42);
    let records: Vec<Vec<u64>> = (0..count).map(|_| s.random()).collect();
    let database: Vec<_> = records.iter().map(|r| s.plain(r).to_multiplicand()).collect();
    for wanted in [0, 37, count - 1] {
        let list: Vec<u64> = (0..count).map(|i| u64::from(i == wanted)).collect();
        let query = s.params.encode_expandable(&list).unwrap();
        let query = s.secret.encrypt(&query, &mut s.rng).unwrap();
        let selectors = s.evaluator.expand(&query, count).unwrap();
        let record = s.evaluator.dot_plain(&selectors, &database).unwrap();
        s.check("record", &record, &records[wanted]);
    }
}

#[test]
fn expansions_are_the_values() {
    expanded::<Bgv>();
    expanded::<Bfv>();
}

/// Every rotation comes from keys for powers of two, in no more rotations than its signed bits.
#[test]
fn rotations_are_composed_of_few_keys() {
    let mut s = setup::<Bfv>(Preset::E2, Rotations::for_any_step, 43);
    let (x, row) = (s.random(), s.params.degree() / 2);
    let a = s.encrypt(&x);
    let keys = s.evaluator.keys().galois_elements().count();
    assert_eq!(keys, 2 * row.ilog2() as usize - 1);
    let simulated = Evaluator::simulated(&s.params).unwrap();
    for steps in [0, 1, 3, -5, 1000, row as i64 - 1, 1365] {
        let c = s.evaluator.rotate_composed(&a, steps).unwrap();
        let turned =
            |i: usize| x[i / row * row + (i as i64 + steps).rem_euclid(row as i64) as usize];
        s.check("composed", &c, &(0..x.len()).map(turned).collect::<Vec<_>>());
        let top = s.params.top_level();
        let stand_in =
            simulated.simulated_encryption(fathom::rlwe::Encryption::SecretKey, top).unwrap();
        let planned = simulated.rotate_composed(&stand_in, steps).unwrap();
        let bits = |c: &Ciphertext<Bfv>| c.noise_budget_bits().to_bits();
        assert_eq!(bits(&planned), bits(&c), "{steps}");
    }
    let few = s.evaluator.keys().select(&Rotations::steps(&[4])).unwrap();
    let few = Evaluator::new(few);
    s.check("composed", &few.rotate_composed(&a, 12).unwrap(), &{
        let turned = |i: usize| x[i / row * row + (i + 12) % row];
        (0..x.len()).map(turned).collect::<Vec<_>>()
    });
    let refused = few.rotate_composed(&a, 5).unwrap_err();
    assert!(refused.to_string().contains("nor for steps that add up to it"), "{refused}");
}

#[test]
fn long_vectors_are_one_object() {
    let mut s = setup::<Bgv>(Preset::E2, Rotations::for_slot_sum, 44);
    let n = s.params.degree();
    for len in [0, 5, n, 2 * n + 7] {
        let values: Vec<u64> = (0..len).map(|_| s.rng.next_word() % s.t).collect();
        let plain = s.params.encode_long(&values).unwrap();
        assert_eq!((plain.len(), plain.parts().len()), (len, len.div_ceil(n).max(1)));
        assert_eq!(plain.is_empty(), len == 0);
        let x = plain.try_map(|part| s.secret.encrypt(part, &mut s.rng)).unwrap();
        let square = x.try_zip(&x, |a, b| s.evaluator.mul(a, b)).unwrap();
        let read = square.try_map(|part| s.secret.decrypt(part)).unwrap().values().unwrap();
        let squares: Vec<u64> =
            values.iter().map(|&v| (u128::from(v).pow(2) % u128::from(s.t)) as u64).collect();
        assert_eq!(read, squares);
        let total = |values: &[u64]| values.iter().fold(0, |sum, v| (sum + v) % s.t);
        s.check("sum_long", &s.evaluator.sum_long(&x).unwrap(), &vec![total(&values); n]);
        s.check("dot_long", &s.evaluator.dot_long(&x, &x).unwrap(), &vec![total(&squares); n]);
        let other = s.params.encode_long(&vec![0; len + 1]).unwrap();
        let refused = plain.try_zip(&other, |_, _| Ok::<_, Error>(())).unwrap_err();
        let (left, right) = (len, len + 1);
        assert_eq!(refused, Error::ListLength { operation: "try_zip", left, right });
    }
    let refused = s.params.encode_long(&[vec![0; n + 1], vec![s.t]].concat()).unwrap_err();
    assert!(matches!(refused, Error::ValueOutOfRange { index, .. } if index == n + 1));
}

/// Products of matrices: encrypted by encrypted, by clear, and by a clear vector.
#[test]
fn matrices_multiply_in_one_level() {
    let mut s = setup::<Bfv>(Preset::E2, |_| Rotations::none(), 45);
    let t = s.t;
    for (rows, inner, columns) in [(1, 1, 1), (3, 4, 5), (40, 7, 20), (5, 16, 1)] {
        let layout = MatrixLayout::new(rows, inner, columns, s.params.degree()).unwrap();
        let mut matrix = |rows: usize, columns: usize| -> Vec<Vec<u64>> {
            let mut row = || (0..columns).map(|_| s.rng.next_word() % t).collect();
            (0..rows).map(|_| row()).collect()
        };
        let (a, b) = (matrix(rows, inner), matrix(inner, columns));
        let entry = |i: usize, j: usize| {
            let terms = (0..inner).map(|k| u128::from(a[i][k]) * u128::from(b[k][j]));
            (terms.sum::<u128>() % u128::from(t)) as u64
        };
        let expected: Vec<Vec<u64>> =
            (0..rows).map(|i| (0..columns).map(|j| entry(i, j)).collect()).collect();
        let (left, right) = (layout.left(&a).unwrap(), layout.right(&b).unwrap());
        assert_eq!([left.len(), right.len()], [layout.count(); 2]);
        let plain: Vec<_> = right.iter().map(|r| s.plain(r).to_multiplicand()).collect();
        let left: Vec<_> = left.iter().map(|l| s.encrypt(l)).collect();
        let right: Vec<_> = right.iter().map(|r| s.encrypt(r)).collect();
        let mut products = vec![
            s.evaluator.dot(&left, &right).unwrap(),
            s.evaluator.dot_plain(&left, &plain).unwrap(),
        ];
        if columns == 1 {
            let weights: Vec<i64> = b.iter().map(|row| row[0] as i64).collect();
            products.push(s.evaluator.weighted_sum(&left, &weights).unwrap());
        }
        for product in &products {
            let slots = s.secret.decrypt(product).unwrap().slots().unwrap();
            assert_eq!(layout.read(&slots).unwrap(), expected, "{rows} x {inner} x {columns}");
            s.slack("matrix", product);
        }
        let shape = layout.left(&b).map(drop);
        assert!(rows == inner || matches!(shape, Err(Error::Shape { .. })), "{shape:?}");
        assert!(matches!(layout.read(&[0_u64; 0]), Err(Error::Shape { .. })));
    }
    for (rows, inner, columns) in [(0, 1, 1), (1, 0, 1), (usize::MAX, 1, 2), (1 << 10, 1, 1 << 10)]
    {
        let refused = MatrixLayout::new(rows, inner, columns, s.params.degree());
        assert!(matches!(refused, Err(Error::Shape { .. })));
    }
    let repeated = s.params.encode_repeated(&[1, 2]).unwrap().slots().unwrap();
    assert!(repeated.chunks(2).all(|pair| pair == [1, 2]));
    for wrong in [0, 3, s.params.degree()] {
        let refused = s.params.encode_repeated(&vec![0; wrong]);
        assert!(matches!(refused, Err(Error::Shape { operation: "encode_repeated", .. })));
    }
}
