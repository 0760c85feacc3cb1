//! Numbers of several digits, at a small degree, which has no security.

use super::BootstrapError;
use super::slot_function::sealed::Sealed;
use super::tests::World;
use crate::ckks::{
    BootstrapSet, Ciphertext, Comparison, DigitTables, DomainError, Evaluator, Params, Rotations,
    SecretKey, Table,
};
use crate::toys::toy;
use fathom_base::Error;
use fathom_ring::Complex64;
use fathom_rings::internals::{CkksCiphertextInternals, CkksParamsInternals, Schedule};
use std::cmp::Ordering;

/// The primes of set T at a small degree.
fn schedule() -> Schedule {
    Schedule { depth: 9, base_bits: vec![45.8, 40.0, 40.0, 40.0], ..toy() }
}

/// A client and the tables of a server.
struct Digits {
    world: World,
    tables: DigitTables,
}

impl Digits {
    fn new(seed: u64) -> Digits {
        let mut world = World::of(schedule(), seed);
        let keys = world.secret.evaluation_keys(&Rotations::none(), &mut world.rng).unwrap();
        let evaluator = Evaluator::new(keys);
        let tables = DigitTables::new(&world.server, &evaluator).unwrap();
        Digits { world, tables }
    }

    /// Encrypts integers, whose absolute values are below `2^16`.
    fn encrypt(&mut self, values: &[i64], limit: f64) -> Ciphertext {
        let World { params, secret, rng, .. } = &mut self.world;
        let slots: Vec<f64> = values.iter().map(|v| *v as f64).collect();
        secret.encrypt(&params.encode_within(&slots, limit).unwrap(), rng).unwrap()
    }

    /// Encrypts the digits of integers; the highest is that of a signed number if it is negative.
    fn encrypt_digits(&mut self, values: &[i64], count: u32) -> Vec<Ciphertext> {
        let digit = |v: i64, k: u32| {
            let shifted = v >> (8 * k);
            if k + 1 == count { shifted } else { shifted & 255 }
        };
        let digits = |k| values.iter().map(|v| digit(*v, k)).collect::<Vec<_>>();
        (0..count).map(|k| self.encrypt(&digits(k), 255.0)).collect()
    }

    fn check(&self, a: &Ciphertext, expected: impl Iterator<Item = i64>) {
        let expected: Vec<_> = expected.map(|v| Complex64::from(v as f64)).collect();
        assert!(a.error_bound() < 0.5, "{}", a.error_bound());
        self.world.check(a, &expected);
    }

    fn check_digits(&self, all: &[Ciphertext], expected: &[i64]) {
        for (k, a) in (0..).zip(all) {
            let highest = k + 1 == all.len() as u32;
            let digit = |v: &i64| if highest { v >> (8 * k) } else { v >> (8 * k) & 255 };
            self.check(a, expected.iter().map(digit));
        }
    }

    fn count(&self) -> usize {
        self.world.server.count()
    }
}

/// Random integers from `low` on, of which some are extreme.
fn numbers(count: usize, bits: u32, low: i64, mut state: u64) -> Vec<i64> {
    let modulus = 1_u64 << bits;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        low + ((state >> 31) % modulus) as i64
    };
    let mut values: Vec<_> = (0..count).map(|_| next()).collect();
    values[..2].copy_from_slice(&[low, low + modulus as i64 - 1]);
    values
}

/// Two lists of integers: of neighbours, of equal ones, of ones that differ in a high or in a low
/// digit alone, and of random ones.
fn pairs(count: usize, bits: u32, low: i64, seed: u64) -> [Vec<i64>; 2] {
    let a = numbers(count, bits, low, seed);
    let other = numbers(count, bits, low, seed + 1000);
    let most = low + (1 << bits) - 1;
    let near = |(i, (a, other)): (usize, (&i64, &i64))| match i % 6 {
        0 => *a,
        1 => (a + 1).min(most),
        2 => (a - 1).max(low),
        3 => (a ^ 255).clamp(low, most),
        4 => (a ^ (1 << (bits - 2))).clamp(low, most),
        _ => *other,
    };
    let mut b: Vec<_> = a.iter().zip(&other).enumerate().map(near).collect();
    b[..2].copy_from_slice(&[most, low]);
    [a, b]
}

#[test]
fn integers_of_sixteen_bits_are_split_by_one_bootstrapping() {
    let mut digits = Digits::new(51);
    let slots = digits.world.params.slot_count();
    for low in [0, -(1 << 15)] {
        let values = numbers(slots, 16, low, 3);
        let x = digits.encrypt(&values, 65535.0);
        let before = digits.count();
        let both = digits.tables.split(&x).unwrap();
        assert_eq!(digits.count(), before + 1);
        digits.check_digits(&both, &values);
        // They are digits for the other operations.
        let sign = digits.tables.sign(&both).unwrap();
        digits.check(&sign, values.iter().map(|v| v.signum()));
    }
}

#[test]
fn numbers_of_one_to_four_digits_are_compared() {
    let mut digits = Digits::new(52);
    let slots = digits.world.params.slot_count();
    for (count, low) in [(1, 0), (2, 0), (2, -(1 << 15)), (3, 0), (4, 0), (4, -(1 << 31))] {
        let [a, b] = pairs(slots, 8 * count, low, count.into());
        let [x, y] = [&a, &b].map(|values| digits.encrypt_digits(values, count));
        let before = digits.count();
        let Comparison { less, equal, greater } = digits.tables.compare(&x, &y).unwrap();
        assert_eq!(digits.count(), before + count as usize);
        let holds = |wanted: Ordering| {
            let pairs = a.iter().zip(&b);
            pairs.map(move |(a, b)| i64::from(a.cmp(b) == wanted))
        };
        digits.check(&less, holds(Ordering::Less));
        digits.check(&equal, holds(Ordering::Equal));
        digits.check(&greater, holds(Ordering::Greater));
    }
}

#[test]
fn maxima_signs_and_positive_parts_have_the_digits_of_the_numbers() {
    let mut digits = Digits::new(53);
    let slots = digits.world.params.slot_count();
    for count in 1..=4 {
        let bits = 8 * count;
        let [a, mut b] = pairs(slots, bits, -(1 << (bits - 1)), 7 + u64::from(count));
        // Zeros, and numbers of which one digit is not zero.
        for k in 0..bits as usize {
            b[10 + k] = 0;
            b[50 + k] = if k + 1 < bits as usize { 1 << k } else { -(1 << k) };
        }
        let [x, y] = [&a, &b].map(|values| digits.encrypt_digits(values, count));
        let before = digits.count();
        let largest = digits.tables.maximum(&x, &y).unwrap();
        assert_eq!(digits.count(), before + count as usize + 1);
        let expected: Vec<_> = a.iter().zip(&b).map(|(a, b)| *a.max(b)).collect();
        digits.check_digits(&largest, &expected);
        let before = digits.count();
        let sign = digits.tables.sign(&y).unwrap();
        assert_eq!(digits.count(), before + 1 + (count as usize - 1).div_ceil(2));
        digits.check(&sign, b.iter().map(|b| b.signum()));
        let positive = digits.tables.relu(&y).unwrap();
        let expected: Vec<_> = b.iter().map(|b| *b.max(&0)).collect();
        digits.check_digits(&positive, &expected);
    }
}

/// The first of equal numbers is the largest one.
#[test]
fn a_tournament_gives_the_largest_number_and_its_index() {
    let mut digits = Digits::new(54);
    let slots = digits.world.params.slot_count();
    for (players, count) in [(2, 4), (5, 2), (7, 1)] {
        let bits = 8 * count;
        let mut all: Vec<_> =
            (0..players).map(|seed| numbers(slots, bits, 0, 90 + seed as u64)).collect();
        for i in 0..100 {
            // The last one is as large as another one.
            all[players - 1][i] = all[i % players][i];
        }
        let encrypted: Vec<_> =
            all.iter().map(|values| digits.encrypt_digits(values, count)).collect();
        let before = digits.count();
        let found = digits.tables.argmax(&encrypted).unwrap();
        assert_eq!(digits.count(), before + (players - 1) * (count as usize + 1));
        let of_slot = |i: usize| all.iter().map(move |values| values[i]);
        let largest: Vec<_> = (0..slots).map(|i| of_slot(i).max().unwrap()).collect();
        let index = |i: usize| of_slot(i).position(|v| v == largest[i]).unwrap();
        digits.check_digits(&found.digits, &largest);
        digits.check(&found.index, (0..slots).map(|i| index(i) as i64));
    }
}

#[test]
fn numbers_that_are_no_digits_are_refused() {
    let mut digits = Digits::new(55);
    let x = digits.encrypt(&[1, 2, 3], 255.0);
    let tables = digits.tables.clone();
    let lengths =
        |left, right| Error::ListLength { operation: "DigitTables::compare", left, right };
    let refused = tables.compare(std::slice::from_ref(&x), &[]).unwrap_err();
    assert_eq!(refused, lengths(1, 0));
    assert_eq!(tables.compare(&[], &[]).unwrap_err(), lengths(0, 0));
    assert!(matches!(tables.sign(&[]), Err(Error::ListLength { .. })));
    assert!(matches!(tables.relu(&[]), Err(Error::ListLength { .. })));
    assert!(matches!(tables.argmax(&[vec![x.clone()]]), Err(Error::Shape { .. })));
    let complex = digits.world.encrypt(&[Complex64::I]);
    let refused = tables.maximum(std::slice::from_ref(&x), std::slice::from_ref(&complex));
    assert!(matches!(refused, Err(Error::CkksDomain(DomainError::Complex { .. }))), "{refused:?}");
    let large = digits.encrypt(&[1, 2, 3], 300.0);
    let refused = tables.relu(std::slice::from_ref(&large)).unwrap_err();
    assert!(matches!(refused, Error::Bootstrap(BootstrapError::Argument { .. })), "{refused}");
    let evaluator = Evaluator::without_keys(&digits.world.params);
    let promised = evaluator.assume_magnitude(&large, 255.0).unwrap();
    digits.check(&tables.relu(&[promised]).unwrap()[0], [1, 2, 3].into_iter());
    let huge = digits.encrypt(&[1, 2, 3], 70_000.0);
    let refused = tables.split(&huge).unwrap_err();
    assert!(matches!(refused, Error::Bootstrap(BootstrapError::Argument { .. })), "{refused}");
    let World { params, server, rng, .. } = &mut digits.world;
    let other = SecretKey::generate(params, rng);
    let other = Evaluator::new(other.evaluation_keys(&Rotations::none(), rng).unwrap());
    assert!(matches!(DigitTables::new(server, &other), Err(Error::KeyMismatch { .. })));
}

/// The errors of both operands add up in a difference.
#[test]
fn digits_with_large_errors_are_refused() {
    let mut digits = Digits::new(57);
    let x = digits.encrypt(&[1, 2, 3], 255.0).with_error(0.125);
    let tables = digits.tables.clone();
    let refuses = |error: Error| {
        assert!(matches!(error, Error::Bootstrap(BootstrapError::Tolerance { .. })), "{error}");
    };
    let noisy = x.clone().with_error(0.375);
    let exact = digits.encrypt(&[3, 2, 1], 255.0);
    let order = tables.compare(std::slice::from_ref(&x), std::slice::from_ref(&exact)).unwrap();
    digits.check(&order.less, [1, 0, 0].into_iter());
    refuses(
        tables.compare(std::slice::from_ref(&noisy), std::slice::from_ref(&exact)).unwrap_err(),
    );
    refuses(tables.sign(std::slice::from_ref(&noisy)).unwrap_err());
    refuses(tables.split(&noisy).unwrap_err());
    // The highest digit has its sign, but the lower one could not be told from others.
    let refused = tables.relu(&[noisy, exact.clone()]).unwrap_err();
    assert!(refused.to_string().ends_with("fresh ones, or results of tables"), "{refused}");
    digits.check(&tables.relu(&[x, exact]).unwrap()[0], [1, 2, 3].into_iter());
}

/// Roundings of the map to coefficients are relative to the largest slot, and the lowest digit has
/// to be told from its neighbours. The figures are those of docs/maths/bootstrap.md.
#[test]
fn a_slot_at_full_size_carries_eighteen_bits_and_not_thirty_two() {
    let params = Params::bootstrappable(BootstrapSet::T).unwrap();
    let stages = crate::stages::stages(&params).unwrap();
    let rounding = stages.out_rounding(1.0 / 256.0, 1.0).log2();
    assert!((rounding + 30.56).abs() < 0.01, "{rounding}");
    let widths = [16, 18, 19, 32];
    let series = widths.map(|bits| {
        let table = Table::new(8, f64::from).unwrap();
        table.for_slots_up_to(f64::from(bits).exp2()).series()
    });
    let level = stages.level_below(8).unwrap();
    let effects = stages.effects(&series, level, params.level_scale(level));
    let errors: Vec<_> = effects.iter().map(|effect| effect.error).collect();
    assert!(errors[0] < 0.15 && errors[1] < 0.4, "{errors:?}");
    assert!(errors[2] > 0.5 && errors[3] > 1e5, "{errors:?}");
}
