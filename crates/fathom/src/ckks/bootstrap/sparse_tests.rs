//! Messages that repeat after fewer slots than there are.

use super::super::facts::Padding;
use super::super::{
    Bootstrapper, BootstrappingKeys, Ciphertext, Evaluator, Policy, Rotations, Table,
};
use super::tests::{World, uniform};
use super::{BootstrapError, Schedule};
use crate::Error;
use crate::wire::{Wire, WireError, WireObject};
use fathom_ring::Complex64;

/// Numbers of slots whose maps to slots have two and three factors.
const ALL_SLOTS: [usize; 3] = [8, 64, 256];

impl World {
    /// Returns the world whose bootstrapper is for messages that repeat after this number of slots.
    fn sparse(schedule: Schedule, slots: usize, seed: u64) -> World {
        let world = World::of(schedule, seed);
        world.with_slots(slots)
    }

    fn with_slots(mut self, slots: usize) -> World {
        let keys = self.secret.sparse_bootstrapping_keys(slots, &mut self.rng).unwrap();
        self.server = Bootstrapper::new(keys);
        self
    }

    fn encrypt_repeated(&mut self, values: &[Complex64]) -> Ciphertext {
        let plain = if values.iter().all(|v| v.im.abs() <= 0.0) {
            let reals: Vec<f64> = values.iter().map(|v| v.re).collect();
            self.params.encode_repeated(&reals)
        } else {
            self.params.encode_repeated(values)
        };
        self.secret.encrypt(&plain.unwrap(), &mut self.rng).unwrap()
    }

    fn everywhere(&self, values: &[Complex64]) -> Vec<Complex64> {
        (0..self.params.slot_count()).map(|i| values[i % values.len()]).collect()
    }
}

fn messages(slots: usize) -> Vec<Vec<Complex64>> {
    let one_hot = |value| {
        let mut one_hot = vec![Complex64::ZERO; slots];
        one_hot[3] = value;
        one_hot
    };
    let complex = uniform(slots, 3);
    let real = complex.iter().map(|v| Complex64::from(v.re)).collect();
    vec![
        complex,
        real,
        vec![Complex64::ONE; slots],
        vec![Complex64::I; slots],
        one_hot(Complex64::ONE),
        one_hot(Complex64::I),
    ]
}

#[test]
fn messages_that_repeat_return_with_errors_near_their_bound() {
    for schedule in [Schedule::toy(), Schedule::precise_toy()] {
        let mut world = World::of(schedule, 1);
        let of_all = world.server.added_error();
        for slots in ALL_SLOTS {
            world = world.with_slots(slots);
            assert_eq!(world.server.slots(), slots);
            let bits = (world.server.added_error() / of_all).log2();
            assert!(bits < 0.5 && bits > -1.5, "{slots} slots: the bound is 2^{bits:.2} of that");
            for values in messages(slots) {
                let x = world.encrypt_repeated(&values);
                let fresh = world.server.bootstrap(&x).unwrap();
                assert_eq!(fresh.level(), world.params.top_level());
                let worst = world.check(&fresh, &world.everywhere(&values));
                let gap = (fresh.error_bound() / worst).log2();
                assert!(gap < 7.0, "{slots} slots: {gap} bits between bound and error");
            }
        }
    }
}

#[test]
fn slots_that_differ_become_their_mean() {
    let mut world = World::sparse(Schedule::toy(), 64, 2);
    let slots = world.params.slot_count();
    for count in [slots, 100] {
        let mut values = uniform(count, 5);
        let x = world.encrypt(&values);
        values.resize(slots, Complex64::ZERO);
        let mean = |j: usize| -> Complex64 {
            let all = (j..slots).step_by(64).map(|i| values[i]);
            all.sum::<Complex64>() * (64.0 / slots as f64)
        };
        let means: Vec<_> = (0..64).map(mean).collect();
        let fresh = world.server.bootstrap(&x).unwrap();
        world.check(&fresh, &world.everywhere(&means));
        // Slots without a value no longer hold the zeros that they held.
        let padding = fresh.facts.padding.map(Padding::magnitude);
        assert_eq!(padding.is_some(), count < slots);
        assert!(padding.is_none_or(|magnitude| magnitude >= 1.0));
    }
}

#[test]
fn products_go_on_after_bootstrappings_of_messages_that_repeat() {
    let mut world = World::sparse(Schedule::toy(), 64, 3);
    let keys = world.secret.evaluation_keys(&Rotations::none(), &mut world.rng).unwrap();
    let evaluator = Evaluator::new(keys);
    let mut values = uniform(64, 7);
    let mut x = world.encrypt_repeated(&values);
    for _ in 0..3 {
        while x.level() > world.params.last_level() {
            x = evaluator.square(&x).unwrap();
            for v in &mut values {
                *v = *v * *v;
            }
        }
        x = world.server.bootstrap(&x).unwrap();
        world.check(&x, &world.everywhere(&values));
    }
}

/// Errors that are alike in slots add up in sums of them, which the parameter in any direction must
/// know.
#[test]
fn errors_that_repeat_are_within_the_bound_in_their_direction() {
    const COUNT: usize = 16;
    let mut world = World::sparse(Schedule::toy(), 8, 4);
    let (slots, values) = (world.params.slot_count(), uniform(8, 9));
    let mut squares = 0.0;
    for _ in 0..COUNT {
        let x = world.encrypt_repeated(&values);
        let lowest = world.params.last_level();
        let x = Evaluator::without_keys(&world.params).mod_switch_to(&x, lowest).unwrap();
        let fresh = world.server.bootstrap(&x).unwrap();
        let found = world.secret.decrypt(&fresh).unwrap().slots_complex();
        for (j, value) in values.iter().enumerate() {
            let all = (j..slots).step_by(8).map(|i| found[i]);
            let error = all.sum::<Complex64>() * (8.0 / slots as f64) - value;
            squares += error.norm_sqr();
        }
    }
    let deviation = (squares / (8 * COUNT) as f64).sqrt();
    let effect = world.server.added();
    let parameter = effect.added.random.direction / effect.scale();
    // A slot has the square root of 16 times the parameter of polynomials of so many coefficients.
    assert!(parameter >= deviation / 4.0, "{parameter} < {deviation} / 4");
    assert!(parameter < 8.0 * deviation / 4.0, "{parameter} is far above {deviation} / 4");
}

#[test]
fn keys_of_fewer_slots_travel_and_are_smaller() {
    let mut world = World::new(5);
    let all = world.params.bootstrapping_keys_byte_len().unwrap();
    let most = world.params.slot_count();
    assert_eq!(world.params.sparse_bootstrapping_keys_byte_len(most).unwrap(), all);
    for (slots, share) in ALL_SLOTS.into_iter().zip([1.0, 1.0, 1.1]) {
        let keys = world.secret.sparse_bootstrapping_keys(slots, &mut world.rng).unwrap();
        let bytes = keys.to_bytes();
        assert_eq!(keys.slots(), slots);
        assert_eq!(bytes.len(), world.params.sparse_bootstrapping_keys_byte_len(slots).unwrap());
        let most = (all as f64 * share) as usize;
        assert!(bytes.len() < most, "{slots}: {} of {all}", bytes.len());
        let read = BootstrappingKeys::from_bytes(&world.params, &bytes).unwrap();
        assert_eq!(read.slots(), slots);
        assert_eq!(read.to_bytes(), bytes);
        let x = world.encrypt_repeated(&uniform(slots, 11));
        let [here, there] = [keys, read].map(|keys| Bootstrapper::new(keys).bootstrap(&x));
        assert_eq!(here.unwrap().to_bytes(), there.unwrap().to_bytes());
    }
}

#[test]
fn numbers_of_slots_that_have_no_keys_are_refused() {
    const HEADER: usize = 72;
    let mut world = World::new(6);
    let most = world.params.slot_count();
    for slots in [0, 1, 4, 63, 100, 2 * most, usize::MAX] {
        let expected = Error::from(BootstrapError::Slots { slots, least: 8, most });
        let refused = world.secret.sparse_bootstrapping_keys(slots, &mut world.rng).unwrap_err();
        assert_eq!(refused, expected);
        assert_eq!(world.params.sparse_bootstrapping_keys_byte_len(slots), Err(expected));
    }
    let keys = world.secret.sparse_bootstrapping_keys(64, &mut world.rng).unwrap();
    let valid = keys.to_bytes();
    let claimed = |slots: u32| {
        let mut bytes = valid.clone();
        let end = bytes.len() - 16;
        bytes[HEADER..HEADER + 4].copy_from_slice(&slots.to_le_bytes());
        let mut sum = [0; 16];
        blake3::Hasher::new().update(&bytes[..end]).finalize_xof().fill(&mut sum);
        bytes[end..].copy_from_slice(&sum);
        BootstrappingKeys::from_bytes(&world.params, &bytes).map(|keys| keys.slots())
    };
    assert_eq!(claimed(64), Ok(64));
    for slots in [0, 4, 65, 1024, u32::MAX] {
        assert_eq!(claimed(slots), Err(WireError::Malformed { field: "slots" }.into()));
    }
    assert!(matches!(claimed(8), Err(Error::Wire(WireError::Range { .. }))));
    assert!(matches!(claimed(256), Err(Error::Wire(WireError::Truncated { .. }))));
}

#[test]
fn tables_take_messages_that_repeat_and_a_bootstrapper_of_their_slots() {
    let schedule =
        Schedule { depth: 7, base_bits: vec![45.8, 40.0, 40.0, 40.0], ..Schedule::toy() };
    let mut world = World::sparse(schedule, 64, 7);
    let square = |v: u32| f64::from(v * v % 8);
    let prepared = world.server.prepare(&[Table::new(3, square).unwrap()]).unwrap();
    let digits: Vec<f64> = (0..64).map(|i| f64::from(i % 8)).collect();
    let plain = world.params.encode_repeated_within(&digits, 8.0).unwrap();
    let x = world.secret.encrypt(&plain, &mut world.rng).unwrap();
    let [result] = world.server.apply(&x, &prepared).unwrap();
    let expected: Vec<_> = (0..64).map(|i| Complex64::from(square(i % 8))).collect();
    assert!(result.error_bound() < 0.5);
    world.check(&result, &world.everywhere(&expected));
    world = world.with_slots(8);
    let refused = world.server.apply(&x, &prepared).unwrap_err();
    assert_eq!(refused, BootstrapError::OtherSlots { prepared: 64, slots: 8 }.into());
}

#[test]
fn evaluators_use_keys_of_fewer_slots_where_they_are_told_to() {
    let mut world = World::sparse(Schedule::toy(), 64, 8);
    let evaluator = Evaluator::without_keys(&world.params);
    let with = |policy| evaluator.with_bootstrapping(world.server.clone(), policy);
    let refused = with(Policy::Automatic).unwrap_err();
    assert_eq!(refused, BootstrapError::NotByItself { slots: 64 }.into());
    let evaluator = with(Policy::Explicit).unwrap();
    let values = uniform(64, 13);
    let x = world.encrypt_repeated(&values);
    world.check(&evaluator.bootstrap(&x).unwrap(), &world.everywhere(&values));
}
