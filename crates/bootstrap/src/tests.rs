//! The whole chain at a small degree, which has no security, with the primes of set A.

use super::BootstrapError;
use super::shared::{SEED, shared};
use crate::ckks::Explicit;
use crate::ckks::explicit;
use crate::ckks::{
    Bootstrapper, BootstrappingKeys, Ciphertext, Evaluator, LinearMap, Params, Policy, Rotations,
    SecretKey, SignApproximation,
};
use crate::toys::{precise_toy, toy};
use crate::{BootstrapEvaluator, BootstrapParams, BootstrapSecret};
use fathom_base::wire::{Kind, Wire, WireError, WireObject};
use fathom_base::{CancelToken, Error};
use fathom_ring::{Complex64, SecretRng};
use fathom_rings::internals::{
    CkksCiphertextInternals, Schedule, insecure, insecure_bootstrappable,
};
use fathom_security::{Adversary, Level, SecretDistribution, max_log_modulus};
use std::sync::Arc;

pub(super) struct World {
    pub(super) params: Params,
    pub(super) secret: Arc<SecretKey>,
    pub(super) server: Bootstrapper,
    pub(super) rng: SecretRng,
}

impl World {
    pub(super) fn new(seed: u64) -> World {
        World::of(toy(), seed)
    }

    /// Returns the keys of a schedule, which tests share, and a bootstrapper of their own.
    pub(super) fn of(schedule: Schedule, seed: u64) -> World {
        let made = shared(&format!("{schedule:?}"), || {
            let params = insecure_bootstrappable(schedule).unwrap();
            let mut rng = SecretRng::insecure_from_seed(SEED);
            let secret = SecretKey::generate(&params, &mut rng);
            let keys = secret.bootstrapping_keys(&mut rng).unwrap();
            (Arc::new(secret), keys)
        });
        let (secret, keys) = (Arc::clone(&made.0), made.1.clone());
        let rng = SecretRng::insecure_from_seed(seed);
        World { params: secret.params().clone(), secret, server: Bootstrapper::new(keys), rng }
    }

    pub(super) fn encrypt(&mut self, values: &[Complex64]) -> Ciphertext {
        self.secret.encrypt(&self.params.encode(values).unwrap(), &mut self.rng).unwrap()
    }

    /// Asserts that slots are within the bound, and returns the greatest error.
    pub(super) fn check(&self, a: &Ciphertext, expected: &[Complex64]) -> f64 {
        let slots = self.secret.decrypt(a).unwrap().slots_complex();
        let worst = slots.iter().zip(expected).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(worst <= a.error_bound(), "2^{} > 2^{}", worst.log2(), a.error_bound().log2());
        worst
    }
}

pub(super) fn uniform(count: usize, mut state: u64) -> Vec<Complex64> {
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let half = std::f64::consts::FRAC_1_SQRT_2;
    (0..count).map(|_| half * Complex64::new(next(), next())).collect()
}

/// Messages of every kind return with errors below their bound, and not far below it.
#[test]
fn slots_return_to_the_top_with_errors_near_their_bound() {
    let worst = [toy(), precise_toy()].map(worst_error);
    assert!(worst[1] < worst[0] / 100.0, "{worst:?}");
}

/// Returns the greatest error of a slot, for messages of every kind.
fn worst_error(schedule: Schedule) -> f64 {
    let mut world = World::of(schedule, 1);
    let slots = world.params.slot_count();
    let one_hot = (0..slots).map(|i| Complex64::from(f64::from(u8::from(i == 3)))).collect();
    let signs = (0..slots).map(|i| Complex64::from(if i % 3 == 0 { -1.0 } else { 1.0 })).collect();
    let messages = [
        uniform(slots, 3),
        vec![Complex64::ONE; slots],
        vec![Complex64::I; slots],
        vec![Complex64::ZERO; slots],
        one_hot,
        signs,
    ];
    let (mut gaps, mut largest) = (Vec::new(), 0.0_f64);
    for values in messages {
        let x = world.encrypt(&values);
        let fresh = world.server.bootstrap(&x).unwrap();
        assert_eq!(fresh.level(), world.params.top_level());
        let sum = world.server.added_error() + x.error_bound();
        assert!(fresh.error_bound() < 1.03 * sum, "{} of {sum}", fresh.error_bound());
        let worst = world.check(&fresh, &values);
        gaps.push((fresh.error_bound() / worst).log2());
        largest = largest.max(worst);
    }
    assert!(gaps.iter().all(|gap| *gap < 7.0), "{gaps:?} bits between bounds and errors");
    largest
}

#[test]
fn products_go_on_after_every_bootstrapping() {
    let mut world = World::new(2);
    let keys = world.secret.evaluation_keys(&Rotations::none(), &mut world.rng).unwrap();
    let evaluator = Evaluator::new(keys);
    let mut values = uniform(world.params.slot_count(), 7);
    let mut x = world.encrypt(&values);
    for _ in 0..3 {
        while x.level() > world.params.last_level() {
            x = evaluator.square(&x).unwrap();
            for v in &mut values {
                *v = *v * *v;
            }
        }
        x = world.server.bootstrap(&x).unwrap();
        world.check(&x, &values);
    }
}

#[test]
fn slots_beyond_the_magnitude_are_refused_and_both_remedies_work() {
    let mut world = World::new(3);
    let evaluator = Evaluator::without_keys(&world.params);
    let values = vec![Complex64::from(0.75); world.params.slot_count()];
    let x = world.encrypt(&values);
    let twice = evaluator.add(&x, &x).unwrap();
    let refused = world.server.bootstrap(&twice).unwrap_err();
    let Error::Bootstrap(BootstrapError::Magnitude { limit, factor, .. }) = refused else {
        panic!("{refused}");
    };
    assert!((limit - 1.0).abs() < 1e-9);
    let scaled = evaluator.mul_scalar(&twice, factor * 0.999).unwrap();
    let fresh = world.server.bootstrap(&scaled).unwrap();
    let expected: Vec<_> = values.iter().map(|v| v * 2.0 * factor * 0.999).collect();
    world.check(&fresh, &expected);
    // The slots of half as much are known to be small, which the second remedy states.
    let small = evaluator.assume_magnitude(&x, 0.75).unwrap();
    let sum = evaluator.add(&small, &evaluator.mul_scalar(&small, 0.25).unwrap()).unwrap();
    world.check(&world.server.bootstrap(&sum).unwrap(), &[Complex64::from(0.9375); 4]);
}

/// The error of an operand comes through, and counts as a part of the magnitude.
#[test]
fn errors_of_operands_come_through() {
    let mut world = World::new(4);
    let [large, half] = [1.0, 0.5].map(|value| {
        let plain = world.params.encode_within(&[value], value).unwrap();
        world.secret.encrypt(&plain, &mut world.rng).unwrap()
    });
    let refused = world.server.bootstrap(&large.with_error(0.01)).unwrap_err();
    assert!(matches!(refused, Error::Bootstrap(BootstrapError::Magnitude { .. })), "{refused}");
    let fresh = world.server.bootstrap(&half.with_error(0.01)).unwrap();
    assert!(fresh.error_bound() > 0.01 && fresh.error_bound() < 0.011);
    world.check(&fresh, &[Complex64::from(0.5)]);
}

#[test]
fn parameters_without_a_set_and_keys_of_others_are_refused() {
    let mut world = World::new(5);
    let params = insecure(toy().spec()).unwrap();
    let secret = SecretKey::generate(&params, &mut world.rng);
    let refused = secret.bootstrapping_keys(&mut world.rng).unwrap_err();
    assert!(matches!(refused, Error::Bootstrap(BootstrapError::NoSet { .. })), "{refused}");
    assert_ne!(params.id(), world.params.id());
    let x = secret.encrypt(&params.encode(&[0.5]).unwrap(), &mut world.rng).unwrap();
    assert!(matches!(world.server.bootstrap(&x), Err(Error::ParamsMismatch { .. })));
    let other = SecretKey::generate(&world.params, &mut world.rng);
    let x = other.encrypt(&world.params.encode(&[0.5]).unwrap(), &mut world.rng).unwrap();
    assert!(matches!(world.server.bootstrap(&x), Err(Error::KeyMismatch { .. })));
}

#[test]
fn levels_below_the_last_and_cancelled_tokens_are_refused() {
    let mut world = World::new(6);
    let x = world.encrypt(&[Complex64::ONE]);
    let evaluator = Evaluator::without_keys(&world.params);
    let low = evaluator.mod_switch_to(&x, world.params.last_level()).unwrap();
    let low = evaluator.drop_to(&low, 2).unwrap();
    assert!(matches!(world.server.bootstrap(&low), Err(Error::NoSuchLevel { .. })));
    let token = CancelToken::new();
    token.cancel();
    let cancelled = world.server.with_cancel(&token).bootstrap(&x);
    assert!(matches!(cancelled, Err(Error::Cancelled)));
}

#[test]
fn explicit_levels_are_bootstrapped_alike() {
    let params = insecure_bootstrappable::<Explicit>(toy()).unwrap();
    let mut rng = SecretRng::insecure_from_seed(7);
    let secret = explicit::SecretKey::generate(&params, &mut rng);
    let keys = secret.bootstrapping_keys(&mut rng).unwrap();
    let server = explicit::Bootstrapper::new(keys);
    let x = secret.encrypt(&params.encode(&[0.5, -0.5]).unwrap(), &mut rng).unwrap();
    let result = secret.decrypt(&server.bootstrap(&x).unwrap()).unwrap();
    let slots = result.slots();
    assert!((slots[0] - 0.5).abs() <= result.error_bound());
    assert!((slots[1] + 0.5).abs() <= result.error_bound());
}

/// Keys travel with the seeds of their uniform halves: what is read bootstraps to the same bytes.
#[test]
fn keys_travel_and_their_size_is_known_before_they_are_made() {
    let mut world = World::new(8);
    let keys = world.secret.bootstrapping_keys(&mut world.rng).unwrap();
    let bytes = keys.to_bytes();
    assert_eq!(bytes.len(), world.params.bootstrapping_keys_byte_len().unwrap());
    assert_eq!(bytes.len(), keys.byte_len());
    let read = BootstrappingKeys::from_bytes(&world.params, &bytes).unwrap();
    assert_eq!(read.key_id(), world.secret.id());
    assert_eq!(read.to_bytes(), bytes);
    let x = world.encrypt(&uniform(8, 9));
    let [here, there] = [keys, read].map(|keys| Bootstrapper::new(keys).bootstrap(&x));
    assert_eq!(here.unwrap().to_bytes(), there.unwrap().to_bytes());
    let read = |bytes: &[u8]| BootstrappingKeys::from_bytes(&world.params, bytes);
    // The keys of products and rotations are another kind, and no part of these.
    let others = world.secret.evaluation_keys(&Rotations::none(), &mut world.rng).unwrap();
    let refused = read(&others.to_bytes()).unwrap_err();
    let expected = Kind::BootstrappingKeys;
    assert!(matches!(refused, Error::Wire(WireError::Type { expected: e, .. }) if e == expected));
    let params = insecure(toy().spec()).unwrap();
    let refused = BootstrappingKeys::from_bytes(&params, &bytes);
    assert!(matches!(refused, Err(Error::ParamsMismatch { .. })));
    for length in [0, 71, 100, bytes.len() / 2, bytes.len() - 1] {
        assert!(read(&bytes[..length]).is_err(), "{length} bytes");
    }
    for at in (0..bytes.len()).step_by(bytes.len() / 50) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x80;
        assert!(read(&damaged).is_err(), "byte {at}");
    }
}

/// Damage under a correct checksum is refused, or gives keys whose bytes are those and which do no
/// harm.
#[test]
fn damaged_keys_under_a_correct_checksum_do_no_harm() {
    const HEADER: usize = 72;
    let mut world = World::new(15);
    let valid = world.secret.bootstrapping_keys(&mut world.rng).unwrap().to_bytes();
    let x = world.encrypt(&uniform(8, 9));
    let end = valid.len() - 16;
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..24 {
        let mut bytes = valid.clone();
        let at = HEADER + world.rng.next_word() as usize % (end - HEADER - 8);
        let words = [u64::MAX, 0, 1 << 45, 1 << 63, world.rng.next_word()];
        let word = words[round % words.len()].to_le_bytes();
        bytes[at..at + 8].copy_from_slice(&word);
        let mut sum = [0; 16];
        blake3::Hasher::new().update(&bytes[..end]).finalize_xof().fill(&mut sum);
        bytes[end..].copy_from_slice(&sum);
        let Ok(keys) = BootstrappingKeys::from_bytes(&world.params, &bytes) else {
            refused += 1;
            continue;
        };
        assert_eq!(keys.to_bytes(), bytes, "round {round}");
        if accepted == 0 {
            assert!(Bootstrapper::new(keys).bootstrap(&x).is_ok());
        }
        accepted += 1;
    }
    assert!(accepted > 0 && refused > 0, "{accepted} accepted, {refused} refused");
}

/// Returns an evaluator with the keys of products and of a bootstrapping.
fn evaluator(world: &mut World, rotations: &Rotations, policy: Policy) -> Evaluator {
    let keys = world.secret.evaluation_keys(rotations, &mut world.rng).unwrap();
    let bootstrapping = world.secret.bootstrapping_keys(&mut world.rng).unwrap();
    Evaluator::new(keys).with_bootstrapping(bootstrapping, policy).unwrap()
}

#[test]
fn an_evaluator_bootstraps_by_itself_where_its_policy_says_so() {
    let mut world = World::new(9);
    let depth = world.params.depth();
    let without = Evaluator::without_keys(&world.params);
    let values = uniform(world.params.slot_count(), 11);
    let x = world.encrypt(&values);
    let refused = without.bootstrap(&x).unwrap_err();
    assert_eq!(refused, BootstrapError::NoKeys.into());
    // Three times as many squares as there are levels, without a call of a bootstrapping.
    let automatic = evaluator(&mut world, &Rotations::none(), Policy::Automatic);
    let (mut power, mut expected) = (x.clone(), values.clone());
    for _ in 0..3 * depth {
        power = automatic.square(&power).unwrap();
        for v in &mut expected {
            *v *= *v;
        }
    }
    world.check(&power, &expected);
    assert_eq!(automatic.bootstrap_count(), 2);
    // The other policy refuses what it refuses without the keys, and bootstraps when it is told.
    let explicit = evaluator(&mut world, &Rotations::none(), Policy::Explicit);
    let low = explicit.mod_switch_to(&x, world.params.last_level()).unwrap();
    assert!(explicit.evaluate_polynomial(&low, &[0.0, 0.25, 0.5]).is_err());
    assert_eq!(explicit.bootstrap_count(), 0);
    world.check(&explicit.bootstrap(&low).unwrap(), &values);
    assert_eq!(explicit.bootstrap_count(), 1);
}

/// Every operation that takes levels bootstraps an operand that has none, and no more than once.
#[test]
fn every_operation_that_takes_levels_bootstraps_its_operands() {
    let mut world = World::new(10);
    let slots = world.params.slot_count();
    let reals: Vec<f64> = uniform(slots, 13).iter().map(|v| 0.3 * v.re + 0.6).collect();
    let top = world.params.top_level();
    let diagonals = std::collections::BTreeMap::from([(0, vec![0.5; 8]), (1, vec![-0.5; 8])]);
    let map = LinearMap::from_diagonals(&world.params, 8, &diagonals, top).unwrap();
    let rotations = map.rotations().and(&Rotations::for_slot_sum(world.params.degree()));
    let e = evaluator(&mut world, &rotations, Policy::Automatic);
    let last = world.params.last_level();
    let plain = world.params.encode(&reals).unwrap();
    let x = world.secret.encrypt(&plain, &mut world.rng).unwrap();
    let x = e.mod_switch_to(&x, last).unwrap();
    let of = |f: &dyn Fn(f64) -> f64| -> Vec<Complex64> {
        reals.iter().map(|v| Complex64::from(f(*v))).collect()
    };
    let factor = world.params.encode_repeated(&[0.5]).unwrap().to_multiplicand(top).unwrap();
    let sign = SignApproximation::new(0.3, &[3]).unwrap();
    let half = |v: f64| 0.5 * v;
    let square = |v: f64| v * v;
    let both = |v: f64| 2.0 * v * v;
    let cubic = |v: f64| 0.25 + 0.5 * v * v * v;
    let two = [x.clone(), x.clone()];
    let turned = |v: f64| Complex64::new(0.0, 0.5 * v);
    let turned: Vec<_> = reals.iter().map(|v| turned(*v)).collect();
    world.check(&e.mul_scalar(&x, Complex64::new(0.0, 0.5)).unwrap(), &turned);
    let mut first = vec![Complex64::ZERO; slots];
    first[0] = Complex64::from(reals[..4].iter().sum::<f64>());
    world.check(&e.sum_prefix(&x, 4).unwrap(), &first[..1]);
    assert_eq!(e.bootstrap_count(), 2);
    // Whole weights take no level.
    world.check(&e.weighted_sum(&two, &[1.0, 1.0]).unwrap(), &of(&|v| 2.0 * v));
    assert_eq!(e.bootstrap_count(), 2);
    let results = [
        ("square", e.square(&x), of(&square)),
        ("mul", e.mul(&x, &x), of(&square)),
        ("dot", e.dot(&two, &two), of(&both)),
        ("mul_scalar", e.mul_scalar(&x, 0.5), of(&half)),
        ("mul_plain", e.mul_plain(&x, &factor), of(&half)),
        ("weighted_sum", e.weighted_sum(&two, &[0.75, -0.25]), of(&half)),
        ("polynomial", e.evaluate_polynomial(&x, &[0.25, 0.0, 0.0, 0.5]), of(&cubic)),
        ("sign", e.sign(&x, &sign), of(&f64::signum)),
    ];
    let mut count = 2;
    for (name, result, expected) in results {
        let result = result.unwrap_or_else(|error| panic!("{name}: {error}"));
        world.check(&result, &expected);
        count += if name == "dot" || name == "weighted_sum" { 2 } else { 1 };
    }
    assert_eq!(e.bootstrap_count(), count);
    let packed = map.pack(&[0.25; 8]).unwrap();
    let packed = packed.try_map(|plain| world.secret.encrypt(plain, &mut world.rng)).unwrap();
    let packed = packed.try_map(|c| e.mod_switch_to(c, last)).unwrap();
    let image = e.transform(&map, &packed).unwrap();
    world.check(image.value(), &[Complex64::ZERO; 8]);
    assert_eq!(e.bootstrap_count(), count + 1);
    // A sum takes no level.
    world.check(&e.add(&x, &x).unwrap(), &of(&|v| 2.0 * v));
    assert_eq!(e.bootstrap_count(), count + 1);
}

/// The error that all ciphertexts of one message share is no random part of the bound: sums of them
/// would grow faster than it.
#[test]
fn what_ciphertexts_of_one_message_share_counts_as_a_rest() {
    const COUNT: usize = 24;
    // Narrow primes, so that the roundings of the diagonals matter most.
    let schedule = Schedule { base_bits: vec![45.8, 24.0, 24.0, 24.0], ..toy() };
    let mut world = World::of(schedule, 14);
    let values = uniform(world.params.slot_count(), 19);
    let mut sums = vec![(Complex64::ZERO, 0.0); values.len()];
    for _ in 0..COUNT {
        let x = world.encrypt(&values);
        let fresh = world.server.bootstrap(&x).unwrap();
        let slots = world.secret.decrypt(&fresh).unwrap().slots_complex();
        for ((sum, squares), (found, value)) in sums.iter_mut().zip(slots.iter().zip(&values)) {
            *sum += found - value;
            *squares += (found - value).norm_sqr();
        }
    }
    let count = COUNT as f64;
    let squares: f64 = sums.iter().map(|(_, squares)| squares).sum();
    let deviation = (squares / count / sums.len() as f64).sqrt();
    let shared = sums.iter().map(|(sum, _)| sum.norm() / count).fold(0.0, f64::max);
    let effect = world.server.added();
    let rest = effect.added.rest.root / effect.scale();
    // The mean of the random parts of 2^9 slots is at most six of its deviations.
    let limit = rest + 6.0 * deviation / count.sqrt();
    assert!(shared <= limit, "2^{:.1} > 2^{:.1}", shared.log2(), limit.log2());
    assert!(rest < 64.0 * shared, "2^{:.1} is far above 2^{:.1}", rest.log2(), shared.log2());
}

/// Several threads compute the same bytes as one.
#[cfg(feature = "rayon")]
#[test]
fn threads_change_nothing_but_the_time() {
    let mut world = World::new(12);
    let x = world.encrypt(&uniform(world.params.slot_count(), 17));
    let expected = world.server.bootstrap(&x).unwrap().to_bytes();
    for threads in [0, 1, 2, 5] {
        let server = world.server.with_threads(threads).unwrap();
        assert_eq!(server.bootstrap(&x).unwrap().to_bytes(), expected, "{threads} threads");
    }
    let refused = world.server.with_threads(usize::MAX).unwrap_err();
    assert!(matches!(refused, Error::TooManyThreads { .. }));
}

#[test]
fn the_pages_state_sizes_of_keys_and_moduli() {
    let programs = include_str!("../../../docs/programs.md");
    let maths = include_str!("../../../docs/maths/bootstrap.md");
    for set in
        [crate::ckks::BootstrapSet::C, crate::ckks::BootstrapSet::T, crate::ckks::BootstrapSet::B]
    {
        let params = Params::bootstrappable(set).unwrap();
        let (degree, depth) = (params.degree().ilog2(), params.depth());
        let bytes = params.bootstrapping_keys_byte_len().unwrap() as f64;
        let row = format!("| `{set}` | 2^{degree} | {depth} | {:.2} GB |", bytes / 1e9);
        assert!(programs.contains(&row), "{row}");
        if set == crate::ckks::BootstrapSet::C {
            let sparse = params.sparse_bootstrapping_keys_byte_len(4096).unwrap() as f64;
            let text = format!("and 4096 numbers they have {:.2} GB", sparse / 1e9);
            assert!(programs.contains(&text), "{text}");
        }
        let [raised, low, sparse] = params.bootstrapping_moduli().unwrap();
        assert!(
            (raised.log2 - params.log2_largest_modulus()).abs() < 1e-9 && low.log2 < raised.log2
        );
        let limit = max_log_modulus(
            params.degree(),
            SecretDistribution::Ternary,
            Level::Bits128,
            Adversary::Classical,
        );
        let [log2, limit, bits] =
            [raised.log2, f64::from(limit.unwrap()), sparse.assessment.classical_bits];
        let row = format!("| {set} | 2^{degree} | {log2:.1} ({limit}) | {bits:.0} |");
        assert!(maths.contains(&row), "{row}");
    }
}
