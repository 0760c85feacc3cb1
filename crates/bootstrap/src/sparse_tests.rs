//! Bootstrapping of messages that repeat, at a small degree, which has no security.

use super::BootstrapError;
use super::shared::{SEED, shared};
use super::tests::uniform;
use crate::ckks::{
    Bootstrapper, BootstrappingKeys, Ciphertext, Evaluator, Params, Policy, Rotations, SecretKey,
    SmoothFunction, Table,
};
use crate::toys::{precise_toy, toy};
use crate::{BootstrapEvaluator, BootstrapParams, BootstrapSecret};
use fathom_base::Error;
use fathom_base::wire::{Wire, WireError, WireObject};
use fathom_ring::{Complex64, SecretRng};
use fathom_rings::internals::{
    CiphertextInternals, CkksCiphertextInternals, Schedule, SlotFactsInternals, insecure,
    insecure_bootstrappable,
};
use std::sync::Arc;

/// Parameters with a secret key, and a bootstrapper for sparse slots.
struct World {
    params: Params,
    secret: Arc<SecretKey>,
    server: Bootstrapper,
    rng: SecretRng,
}

impl World {
    fn new(schedule: Schedule, slots: usize, seed: u64) -> World {
        let made = shared(&format!("{slots} of {schedule:?}"), || {
            let params = insecure_bootstrappable(schedule).unwrap();
            let mut rng = SecretRng::insecure_from_seed(SEED);
            let secret = SecretKey::generate(&params, &mut rng);
            let keys = secret.sparse_bootstrapping_keys(slots, &mut rng).unwrap();
            (Arc::new(secret), keys)
        });
        let (secret, keys) = (Arc::clone(&made.0), made.1.clone());
        let rng = SecretRng::insecure_from_seed(seed);
        World { params: secret.params().clone(), secret, server: Bootstrapper::new(keys), rng }
    }

    fn repeated(&mut self, values: &[Complex64]) -> Ciphertext {
        let plain = self.params.encode_repeated(values).unwrap();
        self.secret.encrypt(&plain, &mut self.rng).unwrap()
    }

    fn repeated_reals(&mut self, values: &[Complex64]) -> Ciphertext {
        let reals: Vec<f64> = values.iter().map(|value| value.re).collect();
        let plain = self.params.encode_repeated(&reals).unwrap();
        self.secret.encrypt(&plain, &mut self.rng).unwrap()
    }

    /// Asserts that every slot is within the bound of the number that repeats there, and returns
    /// the greatest error.
    fn check(&self, a: &Ciphertext, expected: &[Complex64]) -> f64 {
        let slots = self.secret.decrypt(a).unwrap().slots_complex();
        assert_eq!(slots.len(), self.params.slot_count());
        let distance = |(a, b): (&Complex64, &Complex64)| (a - b).norm();
        let worst = slots.iter().zip(expected.iter().cycle()).map(distance).fold(0.0, f64::max);
        assert!(worst <= a.error_bound(), "2^{} > 2^{}", worst.log2(), a.error_bound().log2());
        worst
    }
}

/// Returns the means of the slots `j, j + count, ...`.
fn means(values: &[Complex64], count: usize) -> Vec<Complex64> {
    let copies = values.len() / count;
    let mean = |j: usize| values.iter().skip(j).step_by(count).sum::<Complex64>() / copies as f64;
    (0..count).map(mean).collect()
}

/// Messages of every kind return with errors below their bound, and not far below it, for every
/// number of slots.
#[test]
fn messages_that_repeat_return_with_errors_near_their_bound() {
    for slots in [8, 16, 64, 256] {
        let worst = worst_error(toy(), slots);
        assert!(worst < 2f64.powi(-16), "{slots} slots: 2^{:.1}", worst.log2());
    }
    let worst = worst_error(precise_toy(), 64);
    assert!(worst < 2f64.powi(-23), "2^{:.1}", worst.log2());
}

/// Returns the greatest error of a slot, for messages of every kind, complex and real.
fn worst_error(schedule: Schedule, slots: usize) -> f64 {
    let mut world = World::new(schedule, slots, 1);
    assert_eq!(world.server.slots(), slots);
    let one_hot = (0..slots).map(|i| Complex64::from(f64::from(u8::from(i == 3)))).collect();
    let messages = [
        uniform(slots, 3),
        vec![Complex64::ONE; slots],
        vec![Complex64::I; slots],
        vec![Complex64::ZERO; slots],
        one_hot,
    ];
    let (mut gaps, mut largest) = (Vec::new(), 0.0_f64);
    for values in messages {
        let reals: Vec<_> = values.iter().map(|value| Complex64::from(value.re)).collect();
        let operands = [world.repeated(&values), world.repeated_reals(&values)];
        for (x, values) in operands.iter().zip([values, reals]) {
            let fresh = world.server.bootstrap(x).unwrap();
            assert_eq!(fresh.level(), world.params.top_level());
            let sum = world.server.added_error() + x.error_bound();
            assert!(fresh.error_bound() < 1.03 * sum, "{} of {sum}", fresh.error_bound());
            let worst = world.check(&fresh, &values);
            gaps.push((fresh.error_bound() / worst).log2());
            largest = largest.max(worst);
        }
    }
    assert!(gaps.iter().all(|gap| *gap < 7.0), "{slots} slots, {gaps:?} bits from the bound");
    println!("{slots} slots: worst 2^{:.1}, {gaps:.1?} bits from the bound", largest.log2());
    largest
}

/// The errors of slots, and those of the means of all copies of a slot, deviate by no more than the
/// model says.
#[test]
fn errors_deviate_as_the_model_says_in_slots_and_in_other_directions() {
    const ROUNDS: usize = 3;
    for slots in [8, 64, 256] {
        let mut world = World::new(toy(), slots, 9);
        let effect = *world.server.added();
        let (count, degree) = (world.params.slot_count(), world.params.degree() as f64);
        let (mut squares, mut mean_squares) = (0.0, 0.0);
        for round in 0..ROUNDS {
            let values = uniform(slots, 20 + round as u64);
            let x = world.repeated(&values);
            let fresh = world.server.bootstrap(&x).unwrap();
            let [before, after] =
                [&x, &fresh].map(|a| world.secret.decrypt(a).unwrap().slots_complex());
            let errors: Vec<_> = after.iter().zip(&before).map(|(a, b)| a - b).collect();
            squares += errors.iter().map(Complex64::norm_sqr).sum::<f64>();
            mean_squares += means(&errors, slots).iter().map(Complex64::norm_sqr).sum::<f64>();
        }
        let found = (squares / (ROUNDS * count) as f64).sqrt();
        let found_means = (mean_squares / (ROUNDS * slots) as f64).sqrt();
        let random = effect.added.random;
        let rest = effect.added.rest.root / effect.scale();
        let at_slot = random.root * degree.sqrt() / effect.scale();
        let copies = count / slots;
        let of_means = random.direction * (degree / copies as f64).sqrt() / effect.scale();
        println!(
            "{slots} slots: {:.2} of the deviation, {:.2} in means",
            found / at_slot,
            found_means / of_means
        );
        assert!(found <= 1.1 * at_slot + rest, "{slots} slots: {found:e} of {at_slot:e}");
        assert!(found >= at_slot / 8.0, "{slots} slots: {found:e} of {at_slot:e}");
        assert!(found_means <= 1.1 * of_means + rest, "{slots}: {found_means:e} of {of_means:e}");
    }
}

#[test]
fn products_go_on_after_every_sparse_bootstrapping() {
    let mut world = World::new(toy(), 32, 2);
    let keys = world.secret.evaluation_keys(&Rotations::none(), &mut world.rng).unwrap();
    let sparse = world.secret.sparse_bootstrapping_keys(32, &mut world.rng).unwrap();
    let server = Evaluator::new(keys).with_bootstrapping(sparse, Policy::Explicit).unwrap();
    let mut values = uniform(32, 7);
    let mut x = world.repeated(&values);
    for _ in 0..3 {
        for _ in 0..world.params.depth() {
            x = server.square(&x).unwrap();
            for v in &mut values {
                *v = *v * *v;
            }
            world.check(&x, &values);
        }
        x = server.bootstrap(&x).unwrap();
        world.check(&x, &values);
    }
    assert_eq!(server.bootstrap_count(), 3);
}

#[test]
fn evaluators_do_not_make_means_by_themselves() {
    let mut world = World::new(toy(), 64, 8);
    let evaluator = Evaluator::without_keys(&world.params);
    let with = |policy| evaluator.with_bootstrapping(world.server.clone(), policy);
    let refused = with(Policy::Automatic).unwrap_err();
    assert_eq!(refused, BootstrapError::NotByItself { slots: 64 }.into());
    let evaluator = with(Policy::Explicit).unwrap();
    let values = uniform(64, 13);
    let x = world.repeated(&values);
    world.check(&evaluator.bootstrap(&x).unwrap(), &values);
    let keys = world.secret.bootstrapping_keys(&mut world.rng).unwrap();
    let evaluator = evaluator.with_bootstrapping(keys, Policy::Automatic).unwrap();
    world.check(&evaluator.bootstrap(&x).unwrap(), &values);
}

/// The means of a message that does not repeat remain, whatever the other coefficients are; slots
/// without a value count as what they hold.
#[test]
fn a_message_that_does_not_repeat_becomes_the_means_of_its_slots() {
    let mut world = World::new(toy(), 64, 3);
    let count = world.params.slot_count();
    let values = uniform(count, 11);
    let full = world.params.encode(&values).unwrap();
    let fresh = world.secret.encrypt(&full, &mut world.rng).unwrap();
    let fresh = world.server.bootstrap(&fresh).unwrap();
    world.check(&fresh, &means(&values, 64));
    assert_eq!(fresh.facts().padding(), None);
    // Numbers whose sums in a factor are as large as they can be.
    let signs: Vec<_> = (0..count).map(|i| Complex64::from([1.0, -1.0][i / 64 % 2])).collect();
    let x = world.secret.encrypt(&world.params.encode(&signs).unwrap(), &mut world.rng).unwrap();
    world.check(&world.server.bootstrap(&x).unwrap(), &[Complex64::ZERO]);
    // A third of the slots have a value.
    let mut part = values[..count / 3].to_vec();
    let x = world.secret.encrypt(&world.params.encode(&part).unwrap(), &mut world.rng).unwrap();
    let fresh = world.server.bootstrap(&x).unwrap();
    part.resize(count, Complex64::ZERO);
    let expected = means(&part, 64);
    world.check(&fresh, &expected);
    let padding = fresh.facts().padding().unwrap();
    assert!(expected.iter().all(|v| (v - padding.center).norm() <= padding.radius));
    assert!(!padding.occurs);
}

#[test]
fn errors_of_operands_come_through_sparse_bootstrappings() {
    let mut world = World::new(toy(), 64, 4);
    let plain = world.params.encode_repeated_within(&[0.5], 0.5).unwrap();
    let half = world.secret.encrypt(&plain, &mut world.rng).unwrap();
    let fresh = world.server.bootstrap(&half.with_error(0.01)).unwrap();
    assert!(fresh.error_bound() > 0.01 && fresh.error_bound() < 0.011);
    world.check(&fresh, &[Complex64::from(0.5)]);
}

/// Functions with even parts are right in the real and in the imaginary parts of all slots, and
/// leave the imaginary parts of real numbers zero.
#[test]
fn functions_are_applied_to_sparse_slots() {
    let mut world = World::new(toy(), 16, 5);
    let f = |v: u32| [0.5, -1.0, 2.0, 1.5][v as usize];
    let g = |v: u32| f64::from(v * v);
    let tables = [Table::new(2, f).unwrap(), Table::new(2, g).unwrap()];
    let prepared = world.server.prepare(&tables).unwrap();
    let residues: Vec<_> = (0..16_u32).map(|i| [i % 4, i * i / 3 % 4]).collect();
    let number = |[re, im]: [f64; 2]| Complex64::new(re, im);
    let values: Vec<_> = residues.iter().map(|both| number(both.map(f64::from))).collect();
    let plain = world.params.encode_repeated_within(&values, 5.0).unwrap();
    let x = world.secret.encrypt(&plain, &mut world.rng).unwrap();
    let [by_f, by_g] = world.server.apply(&x, &prepared).unwrap();
    world.check(&by_f, &residues.iter().map(|both| number(both.map(f))).collect::<Vec<_>>());
    world.check(&by_g, &residues.iter().map(|both| number(both.map(g))).collect::<Vec<_>>());
    let cleaned = world.server.prepare(&tables.map(Table::cleaned)).unwrap();
    let [by_f, by_g] = world.server.apply(&x, &cleaned).unwrap();
    world.check(&by_f, &residues.iter().map(|both| number(both.map(f))).collect::<Vec<_>>());
    world.check(&by_g, &residues.iter().map(|both| number(both.map(g))).collect::<Vec<_>>());
    let reals: Vec<_> = residues.iter().map(|[re, _]| f64::from(*re)).collect();
    let plain = world.params.encode_repeated_within(&reals, 5.0).unwrap();
    let x = world.secret.encrypt(&plain, &mut world.rng).unwrap();
    let [by_f, _] = world.server.apply(&x, &prepared).unwrap();
    world.check(&by_f, &residues.iter().map(|[re, _]| f(*re).into()).collect::<Vec<_>>());
    let cosine = SmoothFunction::new(f64::cos, 1.0, 3).unwrap();
    let prepared = world.server.prepare(&[cosine]).unwrap();
    let values = uniform(16, 13);
    let x = world.repeated(&values);
    let [cosines] = world.server.apply(&x, &prepared).unwrap();
    let cosine = |v: &Complex64| Complex64::new(v.re.cos(), v.im.cos());
    world.check(&cosines, &values.iter().map(cosine).collect::<Vec<_>>());
}

#[test]
fn functions_prepared_for_other_slots_are_refused() {
    let mut world = World::new(toy(), 16, 6);
    let dense = world.secret.bootstrapping_keys(&mut world.rng).unwrap();
    let dense = Bootstrapper::new(dense);
    assert_eq!(dense.slots(), world.params.slot_count());
    let table = [Table::new(1, f64::from).unwrap()];
    let prepared = dense.prepare(&table).unwrap();
    let x = world.repeated(&[Complex64::ONE]);
    let refused = world.server.apply(&x, &prepared).unwrap_err();
    assert_eq!(refused, BootstrapError::Slots { prepared: 512, slots: 16 }.into());
    assert!(refused.to_string().contains("prepared for 512 slots"));
}

#[test]
fn other_numbers_of_slots_are_refused() {
    let mut world = World::new(toy(), 8, 7);
    for slots in [0, 1, 4, 12, 512, 1024, usize::MAX] {
        let refused = world.secret.sparse_bootstrapping_keys(slots, &mut world.rng).unwrap_err();
        assert!(matches!(refused, Error::Spec { field: "slots", .. }), "{slots}: {refused}");
        assert!(world.params.sparse_bootstrapping_keys_byte_len(slots).is_err());
    }
    let without: Params = insecure(toy().spec()).unwrap();
    let refused = without.sparse_bootstrapping_keys_byte_len(8).unwrap_err();
    assert!(matches!(refused, Error::Bootstrap(BootstrapError::NoSet { .. })), "{refused}");
}

/// Keys state their slots: what is read bootstraps to the same bytes, and keys of other slots are
/// refused.
#[test]
fn sparse_keys_travel_with_the_number_of_their_slots() {
    const META: usize = 72;
    let mut world = World::new(toy(), 32, 8);
    let dense = world.params.bootstrapping_keys_byte_len().unwrap();
    let keys = world.secret.sparse_bootstrapping_keys(32, &mut world.rng).unwrap();
    let bytes = keys.to_bytes();
    assert_eq!(bytes.len(), world.params.sparse_bootstrapping_keys_byte_len(32).unwrap());
    assert_eq!(bytes.len(), keys.byte_len());
    assert!(bytes.len() < dense, "{} of {dense}", bytes.len());
    let read = BootstrappingKeys::from_bytes(&world.params, &bytes).unwrap();
    assert_eq!((read.slots(), read.key_id()), (32, world.secret.id()));
    assert_eq!(read.to_bytes(), bytes);
    let x = world.repeated(&uniform(32, 9));
    let [here, there] = [keys, read].map(|keys| Bootstrapper::new(keys).bootstrap(&x));
    assert_eq!(here.unwrap().to_bytes(), there.unwrap().to_bytes());
    let with_slots = |slots: u32| {
        let mut bytes = bytes.clone();
        bytes[META..META + 4].copy_from_slice(&slots.to_le_bytes());
        BootstrappingKeys::from_bytes(&world.params, &sealed(bytes)).unwrap_err()
    };
    for slots in [0, 1, 33, 512, u32::MAX] {
        let refused = with_slots(slots);
        assert_eq!(refused, WireError::Malformed { field: "slots" }.into(), "{slots}");
    }
    // Fewer slots take fewer keys or shorter ones, more slots take more.
    assert!(matches!(with_slots(16), Error::Wire(WireError::Range { .. })));
    assert!(matches!(with_slots(256), Error::Wire(WireError::Truncated { .. })));
    let mut flagged = bytes.clone();
    flagged[9] = 1;
    let refused = BootstrappingKeys::from_bytes(&world.params, &sealed(flagged)).unwrap_err();
    assert_eq!(refused, WireError::Malformed { field: "header" }.into());
}

/// Returns a frame with the checksum of its bytes.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 16;
    let mut sum = [0; 16];
    blake3::Hasher::new().update(&bytes[..end]).finalize_xof().fill(&mut sum);
    bytes[end..].copy_from_slice(&sum);
    bytes
}
