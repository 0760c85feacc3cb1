//! Functions that a bootstrapping applies, at a small degree, which has no security.

use super::BootstrapError;
use super::tests::{World, uniform};
use crate::ckks::{Ciphertext, Evaluator, Rotations, SmoothFunction, Table};
use crate::toys::{precise_toy, toy};
use fathom_base::Error;
use fathom_ring::Complex64;
use fathom_rings::internals::{
    CiphertextInternals, CkksCiphertextInternals, Schedule, SlotFactsInternals,
};
use std::f64::consts::PI;

/// The primes of set T at a small degree.
fn schedule() -> Schedule {
    Schedule { depth: 7, base_bits: vec![45.8, 40.0, 40.0, 40.0], ..toy() }
}

fn numbers(count: usize, modulus: u64, mut state: u64) -> Vec<u32> {
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((state >> 33) % modulus) as u32
    };
    (0..count).map(|_| next()).collect()
}

impl World {
    /// Encrypts numbers below `2^bits`.
    fn encrypt_integers(&mut self, bits: u32, real: &[u32], imaginary: &[u32]) -> Ciphertext {
        let pairs = real.iter().zip(imaginary);
        let slots: Vec<_> =
            pairs.map(|(a, b)| Complex64::new(f64::from(*a), f64::from(*b))).collect();
        let limit = 2f64.sqrt() * f64::from(1_u32 << bits);
        let plain = self.params.encode_within(&slots, limit).unwrap();
        self.secret.encrypt(&plain, &mut self.rng).unwrap()
    }
}

/// Every value of random tables of every size, in the real and in the imaginary parts at once.
#[test]
fn tables_of_every_size_are_exact() {
    let mut world = World::of(schedule(), 31);
    let count = world.params.slot_count();
    for bits in 1..=9 {
        let modulus = 1_u64 << bits;
        let values: Vec<f64> =
            numbers(1 << bits, modulus, 7 + modulus).into_iter().map(f64::from).collect();
        let parity = |v: u32| f64::from(v.count_ones() % 2);
        let random = |v: u32| values[v as usize];
        let square = |v: u32| f64::from(v * v % (1 << bits));
        let tables = [
            Table::new(bits, random).unwrap(),
            Table::new(bits, parity).unwrap(),
            Table::new(bits, square).unwrap(),
        ];
        let prepared = world.server.prepare(&tables).unwrap();
        let all: Vec<u32> = (0..1 << bits).cycle().take(count).collect();
        let other = numbers(count, modulus, 3);
        let x = world.encrypt_integers(bits, &all, &other);
        let before = world.server.count();
        let results = world.server.apply(&x, &prepared).unwrap();
        assert_eq!(world.server.count(), before + 1);
        let functions: [&dyn Fn(u32) -> f64; 3] = [&random, &parity, &square];
        for (result, f) in results.iter().zip(functions) {
            let levels = (bits as usize).max(3) - 3;
            assert_eq!(result.level().get(), world.params.top_level().get() - levels);
            let pairs = all.iter().zip(&other);
            let expected: Vec<_> = pairs.map(|(a, b)| Complex64::new(f(*a), f(*b))).collect();
            assert!(result.error_bound() < 0.5, "{bits} bits: {}", result.error_bound());
            world.check(result, &expected);
        }
    }
}

/// A table takes integers modulo its size, below zero and above it.
#[test]
fn integers_count_modulo_the_size_of_the_table() {
    let mut world = World::of(schedule(), 32);
    let values = [-3.0, -128.0, 127.0, 0.0, 255.0, -129.0];
    let table = Table::signed(8, |v| f64::from(v.abs())).unwrap().for_slots_up_to(300.0);
    let prepared = world.server.prepare(&[table]).unwrap();
    let plain = world.params.encode_within(&values, 300.0).unwrap();
    let x = world.secret.encrypt(&plain, &mut world.rng).unwrap();
    let [result] = world.server.apply(&x, &prepared).unwrap();
    let expected = [3.0, 128.0, 127.0, 0.0, 1.0, 127.0].map(Complex64::from);
    world.check(&result, &expected);
    // Real slots have real results.
    assert!(!result.facts().is_complex());
    let slots = world.secret.decrypt(&result).unwrap().slots_complex();
    assert!(slots.iter().all(|slot| slot.im.abs() <= result.error_bound()));
}

/// Sixteen bits are two digits: the first table gives the lower one, the difference the other.
#[test]
fn integers_of_sixteen_bits_are_split_into_digits() {
    let mut world = World::of(schedule(), 33);
    let evaluator = Evaluator::without_keys(&world.params);
    let values: Vec<f64> =
        numbers(world.params.slot_count(), 1 << 16, 5).into_iter().map(f64::from).collect();
    let plain = world.params.encode_within(&values, 65536.0).unwrap();
    let x = world.secret.encrypt(&plain, &mut world.rng).unwrap();
    let table = Table::new(8, f64::from).unwrap();
    let low = world.server.prepare(&[table.clone().for_slots_up_to(65536.0)]).unwrap();
    let high = world.server.prepare(&[table]).unwrap();
    let [first] = world.server.apply(&x, &low).unwrap();
    let rest = evaluator.mul_scalar(&evaluator.sub(&x, &first).unwrap(), 1.0 / 256.0).unwrap();
    let rest = evaluator.assume_magnitude(&rest, 256.0).unwrap();
    let [second] = world.server.apply(&rest, &high).unwrap();
    let digit = |f: fn(f64) -> f64| values.iter().map(|v| f(*v).into()).collect::<Vec<_>>();
    world.check(&first, &digit(|v| v % 256.0));
    world.check(&second, &digit(|v| (v / 256.0).floor()));
    assert!(second.error_bound() < 0.5);
}

/// The maximum of two integers is one table of their difference.
#[test]
fn comparisons_maxima_and_signs_come_from_one_difference() {
    let mut world = World::of(schedule(), 34);
    let evaluator = Evaluator::without_keys(&world.params);
    let count = world.params.slot_count();
    let [a, b] = [11, 12].map(|seed| numbers(count, 256, seed));
    let zeros = vec![0; count];
    let [x, y] = [&a, &b].map(|v| world.encrypt_integers(8, v, &zeros));
    let difference = evaluator.sub(&x, &y).unwrap();
    let tables = [
        Table::signed(9, |d| f64::from(d.signum())).unwrap(),
        Table::signed(9, |d| f64::from(d.max(0))).unwrap(),
    ];
    let prepared = world.server.prepare(&tables.map(|t| t.for_slots_up_to(2048.0))).unwrap();
    let [sign, excess] = world.server.apply(&difference, &prepared).unwrap();
    let largest = evaluator.add(&y, &excess).unwrap();
    let pairs = || a.iter().zip(&b);
    let signs: Vec<_> = pairs().map(|(a, b)| Complex64::from(f64::from(a.cmp(b) as i8))).collect();
    world.check(&sign, &signs);
    let expected: Vec<_> = pairs().map(|(a, b)| Complex64::from(f64::from(*a.max(b)))).collect();
    world.check(&largest, &expected);
    assert!(largest.error_bound() < 0.5);
}

#[test]
fn smooth_functions_are_within_their_bounds() {
    let mut world = World::of(schedule(), 35);
    let sigmoid = |m: f64| 1.0 / (1.0 + (-4.0 * m).exp());
    let exponential = |m: f64| (2.0 * m).exp();
    let functions = [
        SmoothFunction::new(sigmoid, 2.0, 4).unwrap(),
        SmoothFunction::new(exponential, 30.0, 3).unwrap(),
    ];
    let values = uniform(world.params.slot_count(), 41);
    let x = world.encrypt(&values);
    let apart = |f: fn(f64) -> f64| -> Vec<Complex64> {
        values.iter().map(|v| Complex64::new(f(v.re), f(v.im))).collect()
    };
    let expected = [apart(|m| 1.0 / (1.0 + (-4.0 * m).exp())), apart(|m| (2.0 * m).exp())];
    for (function, expected) in functions.iter().zip(expected) {
        let prepared = world.server.prepare(std::array::from_ref(function)).unwrap();
        let [result] = world.server.apply(&x, &prepared).unwrap();
        world.check(&result, &expected);
        assert!(result.error_bound() < 2.0 * function.error() + 2f64.powi(-10));
    }
}

#[test]
fn operands_whose_error_could_change_a_value_are_refused_and_others_are_not() {
    let mut world = World::of(schedule(), 36);
    let random = numbers(256, 256, 99);
    let table = Table::new(8, |v| f64::from(random[v as usize])).unwrap();
    let prepared = world.server.prepare(&[table]).unwrap();
    let values: Vec<u32> = (0..256).collect();
    let plain: Vec<f64> = values.iter().map(|v| f64::from(*v)).collect();
    let plain = world.params.encode_within(&plain, 256.0).unwrap();
    let x = world.secret.encrypt(&plain, &mut world.rng).unwrap();
    let allowed = prepared.tolerance();
    assert!(allowed > 0.0 && allowed < 0.5, "{allowed}");
    let noisy = x.clone().with_error(2.0 * allowed);
    let refused = world.server.apply(&noisy, &prepared).unwrap_err();
    // Levels for cleaning are missing.
    assert!(refused.to_string().ends_with("or take a table of fewer bits"), "{refused}");
    // A table of fewer bits takes larger errors.
    let parity = Table::new(1, f64::from).unwrap().for_slots_up_to(300.0);
    let parity = world.server.prepare(&[parity]).unwrap();
    let [odd] = world.server.apply(&noisy, &parity).unwrap();
    let expected: Vec<_> = values.iter().map(|v| Complex64::from(f64::from(v % 2))).collect();
    world.check(&odd, &expected);
    // Slots that differ from integers by as much as is allowed still have their values.
    let off: Vec<f64> = values.iter().map(|v| f64::from(*v) + 0.9 * allowed).collect();
    let off = world.params.encode_within(&off, 300.0).unwrap();
    let off = world.secret.encrypt(&off, &mut world.rng).unwrap().with_error(0.9 * allowed);
    let [result] = world.server.apply(&off, &prepared).unwrap();
    let expected: Vec<_> = random.iter().map(|v| Complex64::from(f64::from(*v))).collect();
    world.check(&result, &expected);
    assert!(result.error_bound() < 0.5);
}

/// An operand that a plain table refuses, at the limit of the cleaned one, off by all of its error.
#[test]
fn cleaned_tables_take_larger_errors_and_are_exact() {
    let mut world = World::of(Schedule { depth: 9, ..schedule() }, 43);
    for (bits, gain) in [(4, 2.0), (5, 3.0)] {
        let count = 1_u32 << bits;
        let random = numbers(count as usize, count.into(), 8 + u64::from(count));
        let tables = [
            Table::new(bits, |v| f64::from(random[v as usize])).unwrap(),
            Table::new(bits, |v| f64::from((v + 1) % count)).unwrap(),
        ];
        let plain = world.server.prepare(&tables).unwrap();
        let cleaned = world.server.prepare(&tables.each_ref().map(|t| t.clone().cleaned()));
        let cleaned = cleaned.unwrap();
        let levels = 2 * bits as usize + 1 - 3;
        assert_eq!(cleaned.level().get(), world.params.top_level().get() - levels);
        let allowed = cleaned.tolerance();
        assert!(allowed > gain * plain.tolerance(), "{allowed} of {}", plain.tolerance());
        let values: Vec<u32> = (0..count).cycle().take(world.params.slot_count()).collect();
        let off = |i: usize| if i.is_multiple_of(3) { -0.99 } else { 0.99 } * allowed;
        let slots: Vec<f64> =
            values.iter().enumerate().map(|(i, v)| f64::from(*v) + off(i)).collect();
        let encoded = world.params.encode_within(&slots, f64::from(count)).unwrap();
        let x = world.secret.encrypt(&encoded, &mut world.rng).unwrap().with_error(0.99 * allowed);
        let refused = world.server.apply(&x, &plain).unwrap_err();
        assert!(refused.to_string().ends_with("or make it with Table::cleaned"), "{refused}");
        let results = world.server.apply(&x, &cleaned).unwrap();
        let functions: [&dyn Fn(u32) -> u32; 2] = [&|v| random[v as usize], &|v| (v + 1) % count];
        for (result, f) in results.iter().zip(functions) {
            let expected: Vec<_> = values.iter().map(|v| f64::from(f(*v)).into()).collect();
            assert!(result.error_bound() < 0.5, "{bits} bits: {}", result.error_bound());
            world.check(result, &expected);
        }
        let refused = world.server.apply(&x.with_error(1.1 * allowed), &cleaned).unwrap_err();
        assert!(refused.to_string().ends_with("or take a table of fewer bits"), "{refused}");
    }
    let mixed = [Table::new(2, f64::from).unwrap(), Table::new(2, f64::from).unwrap().cleaned()];
    let refused = world.server.prepare(&mixed).unwrap_err();
    assert_eq!(refused, BootstrapError::Domains { count: 2 }.into());
    let refused = world.server.prepare(&[Table::new(6, f64::from).unwrap().cleaned()]).unwrap_err();
    let expected = BootstrapError::Levels { needed: 10, available: 9 };
    assert_eq!(refused, expected.into());
}

/// Eight bits take fourteen levels below the top.
#[test]
fn a_cleaned_table_of_eight_bits_is_exact_in_both_parts() {
    let mut world = World::of(Schedule { depth: 15, ..schedule() }, 44);
    let random = numbers(256, 256, 5);
    let table = Table::new(8, |v| f64::from(random[v as usize])).unwrap();
    let plain = world.server.prepare(std::array::from_ref(&table)).unwrap();
    let cleaned = table.for_slots_up_to(400.0).cleaned();
    let cleaned = world.server.prepare(&[cleaned]).unwrap();
    let gain = cleaned.tolerance() / plain.tolerance();
    assert!(gain > 8.0, "{gain}");
    let count = world.params.slot_count();
    let parts = [1, 2].map(|seed| numbers(count, 256, seed));
    let x = world.encrypt_integers(8, &parts[0], &parts[1]).with_error(0.9 * cleaned.tolerance());
    let [result] = world.server.apply(&x, &cleaned).unwrap();
    let value = |v: &u32| f64::from(random[*v as usize]);
    let pairs = parts[0].iter().zip(&parts[1]);
    let expected: Vec<_> = pairs.map(|(a, b)| Complex64::new(value(a), value(b))).collect();
    assert!(result.error_bound() < 0.5, "{}", result.error_bound());
    world.check(&result, &expected);
}

#[test]
fn functions_beyond_the_levels_and_of_different_arguments_are_refused() {
    let world = World::new(37);
    let table = |bits| Table::new(bits, f64::from).unwrap();
    let refused = world.server.prepare(&[table(6)]).unwrap_err();
    let expected = BootstrapError::Levels { needed: 3, available: 2 };
    assert_eq!(refused, expected.into());
    assert_eq!(world.server.prepare(&[table(5)]).unwrap().level(), world.params.last_level());
    let refused = world.server.prepare(&[table(3), table(4)]).unwrap_err();
    assert_eq!(refused, BootstrapError::Domains { count: 2 }.into());
    for functions in [[table(3), table(3)], [table(4), table(4)]] {
        assert!(world.server.prepare(&functions).is_ok());
    }
    let none: [Table; 0] = [];
    let refused = world.server.prepare(&none).unwrap_err();
    assert!(matches!(refused, Error::Spec { field: "functions", .. }), "{refused}");
    for limit in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = world.server.prepare(&[table(3).for_slots_up_to(limit)]).unwrap_err();
        assert!(matches!(refused, Error::Spec { field: "limit", .. }), "{refused}");
    }
    // Constants of more than 120 bits at their scale.
    let huge = |value: f64| Table::new(1, |v| f64::from(v) * value).unwrap();
    let refused = world.server.prepare(&[huge(2f64.powi(50))]).unwrap_err();
    assert!(matches!(refused, Error::Spec { field: "values", .. }), "{refused}");
    assert!(world.server.prepare(&[huge(2f64.powi(35))]).is_ok());
    assert!(SmoothFunction::new(|m| if m > 1.0 { f64::NAN } else { m }, 1.0, 3).is_err());
    assert!(SmoothFunction::new(|m| m.sin() / m, 1.0, 3).is_err());
    assert!(matches!(Table::new(10, f64::from), Err(Error::Spec { field: "bits", .. })));
    assert!(matches!(Table::new(0, f64::from), Err(Error::Spec { field: "bits", .. })));
    assert!(Table::new(3, |v| 1.0 / f64::from(v)).is_err());
    assert!(matches!(SmoothFunction::new(|m| m, 0.0, 2), Err(Error::Spec { .. })));
    assert!(matches!(SmoothFunction::new(|m| m, f64::NAN, 3), Err(Error::Spec { .. })));
    assert!(SmoothFunction::new(f64::ln, 1.0, 3).is_err());
}

/// Wide levels take larger scales, at which constants have more bits: a function is refused, or its
/// results are within their bound.
#[test]
fn functions_of_large_values_are_refused_or_right_where_levels_are_two_primes() {
    let mut world = World::of(precise_toy(), 39);
    let values = uniform(world.params.slot_count(), 47);
    let x = world.encrypt(&values);
    let mut refused = 0;
    for bits in [0, 8, 12, 16, 20, 25, 28] {
        let size = f64::from(bits).exp2();
        let f = |m: f64| size * (3.0 * PI * m).cos();
        let wave = SmoothFunction::new(f, size * 9.0 * PI * PI, 3).unwrap();
        let Ok(prepared) = world.server.prepare(&[wave]) else {
            refused += 1;
            continue;
        };
        let [found] = world.server.apply(&x, &prepared).unwrap();
        let expected: Vec<_> = values.iter().map(|v| Complex64::new(f(v.re), f(v.im))).collect();
        world.check(&found, &expected);
    }
    assert!((2..6).contains(&refused), "{refused} refused");
}

/// An operand that was not rescaled would be read at another scale than it has.
#[test]
fn operands_at_another_scale_than_that_of_their_level_are_refused() {
    let mut world = World::new(38);
    let keys = world.secret.evaluation_keys(&Rotations::none(), &mut world.rng).unwrap();
    let evaluator = Evaluator::new(keys);
    let values = uniform(world.params.slot_count(), 43);
    let squares: Vec<_> = values.iter().map(|v| v * v).collect();
    let x = world.encrypt(&values);
    let last = evaluator.mod_switch_to(&x, world.params.last_level()).unwrap();
    let product = evaluator.relinearize(&evaluator.tensor(&last, &last).unwrap()).unwrap();
    let refused = world.server.bootstrap(&product).unwrap_err();
    assert!(matches!(refused, Error::Bootstrap(BootstrapError::Scale { .. })), "{refused}");
    // Both remedies: to rescale while there are levels, and to bootstrap the factors.
    let product = evaluator.relinearize(&evaluator.tensor(&x, &x).unwrap()).unwrap();
    world.check(&world.server.bootstrap(&product).unwrap(), &squares);
    let fresh = world.server.bootstrap(&last).unwrap();
    let product = evaluator.mul(&fresh, &fresh).unwrap();
    world.check(&world.server.bootstrap(&product).unwrap(), &squares);
    // Residues that were dropped leave the scale of another level, which differs little.
    let dropped = evaluator.drop_to(&x, world.params.last_level()).unwrap();
    world.check(&world.server.bootstrap(&dropped).unwrap(), &values);
}

#[test]
fn slots_beyond_the_argument_are_refused_and_remedies_work() {
    let mut world = World::of(schedule(), 39);
    let large = world.params.encode_within(&[517.0], 600.0).unwrap();
    let large = world.secret.encrypt(&large, &mut world.rng).unwrap();
    let table = Table::new(8, f64::from).unwrap();
    let narrow = world.server.prepare(std::array::from_ref(&table)).unwrap();
    let refused = world.server.apply(&large, &narrow).unwrap_err();
    assert!(matches!(refused, Error::Bootstrap(BootstrapError::Argument { .. })), "{refused}");
    let wide = world.server.prepare(&[table.for_slots_up_to(700.0)]).unwrap();
    let [result] = world.server.apply(&large, &wide).unwrap();
    world.check(&result, &[Complex64::from(5.0)]);
    // A smooth function of larger slots is another one of slots that were divided.
    let evaluator = Evaluator::without_keys(&world.params);
    let smooth = SmoothFunction::new(|m| (3.0 * m).sin(), 9.0, 4).unwrap();
    let smooth = world.server.prepare(&[smooth]).unwrap();
    let twice = world.params.encode_within(&[-1.5], 3.0).unwrap();
    let twice = world.secret.encrypt(&twice, &mut world.rng).unwrap();
    let refused = world.server.apply(&twice, &smooth).unwrap_err();
    assert!(matches!(refused, Error::Bootstrap(BootstrapError::Argument { .. })), "{refused}");
    let third = evaluator.mul_scalar(&twice, 0.333).unwrap();
    let [result] = world.server.apply(&third, &smooth).unwrap();
    world.check(&result, &[Complex64::from((-1.5 * 0.333 * 3.0_f64).sin())]);
    let promised = evaluator.assume_magnitude(&large, 300.0).unwrap();
    assert!(world.server.apply(&promised, &narrow).is_ok());
}

#[test]
fn values_that_results_could_not_tell_apart_are_refused() {
    let world = World::of(schedule(), 40);
    let table = |bits| {
        let value = |v: u32| if v < 2 { 1e-4 * f64::from(v) } else { 90.0 };
        Table::new(bits, value).unwrap()
    };
    let refused = world.server.prepare(&[table(9)]).unwrap_err();
    assert!(matches!(refused, Error::Bootstrap(BootstrapError::Precision { .. })), "{refused}");
    assert!(world.server.prepare(&[table(2)]).is_ok());
    let smaller = table(9).for_slots_up_to(2.0);
    assert!(world.server.prepare(&[smaller]).is_err());
    // Nobody rounds the results.
    assert!(world.server.prepare(&[table(9).unrounded()]).is_ok());
}

/// The last bits of a function are no values of their own.
#[test]
fn values_that_differ_by_roundings_count_as_one() {
    let mut world = World::of(schedule(), 43);
    let value = |v: u32| if v.is_multiple_of(2) { 0.3_f64 } else { 0.1 + 0.2 };
    assert!((value(0) - value(1)).abs() > 0.0);
    let table = Table::new(3, |v| if v < 6 { value(v) } else { -0.3 }).unwrap();
    let prepared = world.server.prepare(&[table]).unwrap();
    let x = world.encrypt_integers(3, &[0, 1, 2, 6, 7], &[0; 5]);
    let [result] = world.server.apply(&x, &prepared).unwrap();
    let found = world.secret.decrypt(&result).unwrap();
    for (slot, expected) in found.slots().iter().zip([0.3, 0.3, 0.3, -0.3, -0.3]) {
        assert!((slot - expected).abs() <= found.error_bound(), "{slot}");
    }
}

/// Results of a table that is not rounded are within their bound.
#[test]
fn tables_of_smooth_values_are_as_near_as_their_bound() {
    let mut world = World::of(schedule(), 44);
    let value = |v: u32| (f64::from(v) / 81.0).sin();
    let prepared = world.server.prepare(&[Table::new(9, value).unwrap().unrounded()]).unwrap();
    let numbers: Vec<u32> = (0..world.params.slot_count() as u32).map(|i| i % 512).collect();
    let x = world.encrypt_integers(9, &numbers, &numbers);
    let [result] = world.server.apply(&x, &prepared).unwrap();
    let expected: Vec<_> = numbers.iter().map(|&v| Complex64::new(value(v), value(v))).collect();
    world.check(&result, &expected);
}

/// A fit that is worst in both parts of a slot has an error that counts twice as a square.
#[test]
fn errors_of_fits_in_both_parts_are_within_the_bound() {
    let mut world = World::of(schedule(), 41);
    let steep = |m: f64| 1.0 / (1.0 + (-20.0 * (m - 0.0625)).exp());
    let function = SmoothFunction::new(steep, 40.0, 3).unwrap();
    let error = function.error();
    assert!(error > 0.01, "{error}");
    let prepared = world.server.prepare(&[function]).unwrap();
    let count = world.params.slot_count();
    let number = |i: usize| 1.4 * i as f64 / count as f64 - 0.7;
    let values: Vec<_> = (0..count).map(|i| Complex64::new(number(i), number(i))).collect();
    let x = world.encrypt(&values);
    let [result] = world.server.apply(&x, &prepared).unwrap();
    let expected: Vec<_> =
        values.iter().map(|v| Complex64::new(steep(v.re), steep(v.im))).collect();
    world.check(&result, &expected);
}

/// Slots without a value need not hold integers, and then may lead beyond all values of a table.
#[test]
fn slots_without_a_value_are_within_the_magnitude() {
    let mut world = World::of(schedule(), 42);
    let evaluator = Evaluator::without_keys(&world.params);
    let plain = world.params.encode_within(&[0.5, 1.5, 2.5], 3.0).unwrap();
    let x = world.secret.encrypt(&plain, &mut world.rng).unwrap();
    let x = evaluator.add_scalar(&x, 0.5).unwrap();
    let table = Table::new(2, |v| if v < 2 { 1.0 } else { -1.0 }).unwrap();
    let prepared = world.server.prepare(&[table]).unwrap();
    let [result] = world.server.apply(&x, &prepared).unwrap();
    world.check(&result, &[1.0, -1.0, -1.0].map(Complex64::from));
    let slots = world.secret.decrypt(&result).unwrap().slots_complex();
    let most = slots.iter().map(|slot| slot.norm()).fold(0.0, f64::max);
    assert!(most > 1.4 && most <= result.magnitude_bound() + result.error_bound(), "{most}");
}
