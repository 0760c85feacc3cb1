//! Refreshes under secure parameters of users, in a large ring of a small degree, which has no
//! security: two ciphertexts of degree 4096 at a time.

use super::RefreshParams;
use super::{CoefficientTable, RefreshKeys, RefreshSet, Refresher};
use crate::BootstrapError;
use crate::keys::Parts;
use crate::shared::{SEED, shared};
use crate::stages::Stages;
use fathom_base::wire::reader::Reader;
use fathom_base::{CancelToken, Error};
use fathom_ring::SecretRng;
use fathom_rings::bfv::Bfv;
use fathom_rings::bgv::Bgv;
use fathom_rings::internals::{CiphertextInternals, Schedule, Security};
use fathom_rings::rlwe::modular::{Modular, Preset, Spec};
use fathom_rings::rlwe::{Ciphertext, Evaluator, Level, Params, Rotations, SecretKey};
use std::sync::Arc;

/// Returns the numbers of a refresh at a small degree, which has no security.
fn small(set: RefreshSet) -> Schedule {
    Schedule { degree: 1 << 13, out_layers: &[4, 4, 4], in_layers: &[4, 4, 4], ..set.schedule() }
}

struct World<S: Modular> {
    params: Params<S>,
    secret: Arc<SecretKey<S>>,
    evaluator: Evaluator<S>,
    server: Refresher<S>,
    rng: SecretRng,
}

fn keys_of<S: Modular>(
    secret: &SecretKey<S>,
    set: RefreshSet,
    rng: &mut SecretRng,
) -> RefreshKeys<S> {
    let stages = Stages::for_refresh(secret.params(), &small(set), Security::None).unwrap();
    RefreshKeys::generate(secret, set, Arc::new(stages), rng)
}

impl<S: Modular> World<S> {
    fn of(spec: Spec, seed: u64) -> World<S> {
        World::with(RefreshSet::Noise, spec, seed)
    }

    fn with(set: RefreshSet, spec: Spec, seed: u64) -> World<S> {
        let made = shared(&format!("{set} of {spec:?}"), || {
            let params = Params::<S>::new(spec).unwrap();
            let mut rng = SecretRng::insecure_from_seed(SEED);
            let secret = SecretKey::generate(&params, &mut rng);
            let has_slots = params.plain_modulus() % (2 * params.degree() as u64) == 1;
            let rotations = if has_slots { Rotations::steps(&[1]) } else { Rotations::none() };
            let keys = secret.evaluation_keys(&rotations, &mut rng).unwrap();
            let refreshes = keys_of(&secret, set, &mut rng);
            (Arc::new(secret), Evaluator::new(keys), refreshes)
        });
        let (secret, evaluator, keys) = &*made;
        World {
            params: secret.params().clone(),
            secret: Arc::clone(secret),
            evaluator: evaluator.clone(),
            server: Refresher::new(keys.clone()),
            rng: SecretRng::insecure_from_seed(seed),
        }
    }

    fn encrypt(&mut self, values: &[u64]) -> Ciphertext<S> {
        self.secret.encrypt(&self.params.encode(values).unwrap(), &mut self.rng).unwrap()
    }

    /// Asserts that slots are these, and that the noise is within its bound but not far below it.
    fn check(&self, a: &Ciphertext<S>, expected: &[u64]) {
        let message = self.secret.decrypt(a).unwrap();
        assert_eq!(&message.slots().unwrap()[..expected.len()], expected);
        let found = self.secret.debug_noise_budget_bits(a, &message).unwrap();
        let bound = a.noise_budget_bits();
        assert!(bound <= found && found < bound + 6.0, "{bound}, found {found}");
    }
}

fn values(count: usize, t: u64, mut state: u64) -> Vec<u64> {
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % t
    };
    (0..count).map(|_| next()).collect()
}

/// Products of two ciphertexts, a refresh of both, and so on; every slot as in the clear.
fn rounds<S: Modular>(preset: Preset, seed: u64) {
    let mut world = World::<S>::of(preset.spec(), seed);
    let (slots, t) = (world.params.slot_count(), world.params.plain_modulus());
    let mut clear = [values(slots, t, seed), values(slots, t, seed + 1)];
    let mut all: Vec<_> = clear.iter().map(|values| world.encrypt(values)).collect();
    for _ in 0..3 {
        let product = world.evaluator.mul(&all[0], &all[1]).unwrap();
        let square = world.evaluator.square(&all[1]).unwrap();
        let times = |a: &[u64], b: &[u64]| -> Vec<u64> {
            a.iter().zip(b).map(|(a, b)| a * b % t).collect()
        };
        clear = [times(&clear[0], &clear[1]), times(&clear[1], &clear[1])];
        all = world.server.refresh_all(&[product, square]).unwrap();
        assert!(all.iter().all(|x| x.level() == world.server.level()));
        all.iter().zip(&clear).for_each(|(x, clear)| world.check(x, clear));
    }
    assert_eq!((world.server.count(), world.server.capacity()), (3, 2));
    assert!((all[0].noise_budget_bits() - world.server.noise_budget_bits()).abs() < 0.01);
}

#[test]
fn products_of_bfv_go_on_after_every_refresh() {
    rounds::<Bfv>(Preset::E1, 1);
}

#[test]
fn products_of_bgv_go_on_after_every_refresh() {
    rounds::<Bgv>(Preset::E1, 4);
}

/// Larger plaintext moduli leave less, which the bounds say; a product with a dense polynomial uses
/// what is known of errors in all directions.
#[test]
fn larger_plaintext_moduli_and_dense_multiplicands_stay_within_their_bounds() {
    for (preset, seed) in [(Preset::E1Plain20, 11), (Preset::E1, 12)] {
        let mut world = World::<Bfv>::of(preset.spec(), seed);
        let (slots, t) = (world.params.slot_count(), world.params.plain_modulus());
        let clear = values(slots, t, seed);
        let x = world.encrypt(&clear);
        let fresh = world.server.refresh(&x).unwrap();
        world.check(&fresh, &clear);
        let factors = values(slots, t, seed + 1);
        let dense = world.params.encode(&factors).unwrap().to_multiplicand();
        let product = world.evaluator.mul_plain(&fresh, &dense).unwrap();
        let expected: Vec<u64> = clear.iter().zip(&factors).map(|(a, b)| a * b % t).collect();
        let found = world.secret.decrypt(&product).unwrap();
        assert_eq!(found.slots().unwrap(), expected);
        let budget = world.secret.debug_noise_budget_bits(&product, &found).unwrap();
        assert!(product.noise_budget_bits() <= budget);
    }
    let mut world = World::<Bgv>::of(Preset::E1Plain31.spec(), 13);
    let clear = values(world.params.slot_count(), world.params.plain_modulus(), 5);
    let x = world.encrypt(&clear);
    world.check(&world.server.refresh(&x).unwrap(), &clear);
}

/// The budget that a deep chain used up is given back, at the level that suits a product.
#[test]
fn a_deep_chain_goes_on_after_its_last_level_but_one() {
    let mut world = World::<Bfv>::of(Preset::E2.spec(), 5);
    assert_eq!(world.server.capacity(), 1);
    let mut clear = values(world.params.slot_count(), 65537, 3);
    let mut x = world.encrypt(&clear);
    for _ in 0..2 {
        while x.level() > Level::new(1) {
            x = world.evaluator.square(&x).unwrap();
            for v in &mut clear {
                *v = *v * *v % 65537;
            }
        }
        x = world.server.refresh(&x).unwrap();
        world.check(&x, &clear);
        let square = world.evaluator.square(&x).unwrap();
        let squares: Vec<u64> = clear.iter().map(|v| v * v % 65537).collect();
        assert_eq!(world.secret.decrypt(&square).unwrap().slots().unwrap(), squares);
        // Fresh ciphertexts are brought to that level as well.
        x = world.encrypt(&clear);
    }
    world.check(&world.server.refresh(&x).unwrap(), &clear);
}

/// Constants, sums and rotations use up the budget again and again.
#[test]
fn chains_without_products_go_on_too() {
    let mut world = World::<Bfv>::of(Preset::E1.spec(), 6);
    let mut clear = values(world.params.slot_count(), 65537, 9);
    let mut x = world.encrypt(&clear);
    for _ in 0..4 {
        let constant = 12_345;
        x = world.evaluator.mul_scalar(&x, constant).unwrap();
        x = world.evaluator.add(&x, &world.evaluator.rotate(&x, 1).unwrap()).unwrap();
        let scaled: Vec<u64> = clear.iter().map(|v| v * constant as u64 % 65537).collect();
        let half = scaled.len() / 2;
        let turned = |i: usize| scaled[i / half * half + (i % half + 1) % half];
        clear = (0..clear.len()).map(|i| (scaled[i] + turned(i)) % 65537).collect();
        x = world.server.refresh(&x).unwrap();
        world.check(&x, &clear);
    }
}

#[test]
fn operands_that_a_refresh_cannot_take_are_refused_and_the_remedy_works() {
    let mut world = World::<Bfv>::of(Preset::E1.spec(), 7);
    let clear = values(16, 65537, 2);
    let x = world.encrypt(&clear);
    let product = world.evaluator.square(&x).unwrap();
    // Noise: multiplied by 30, less than two bits are left.
    let loud = world.evaluator.mul_scalar(&product, 12).unwrap();
    let refused = world.server.refresh(&loud).unwrap_err();
    assert!(
        matches!(
            refused,
            Error::Bootstrap(BootstrapError::Budget { budget_bits, .. }) if budget_bits < 2.0
        ),
        "{refused}"
    );
    let first = world.server.refresh(&product).unwrap();
    let again = world.server.refresh(&world.evaluator.mul_scalar(&first, 12).unwrap()).unwrap();
    let expected: Vec<u64> = clear.iter().map(|v| v * v * 12 % 65537).collect();
    world.check(&again, &expected);
    // Three components, another key, other parameters.
    let tensor = world.evaluator.tensor(&x, &x).unwrap();
    let refused = world.server.refresh(&tensor).unwrap_err();
    assert!(matches!(refused, Error::Components { expected: 2, got: 3, .. }), "{refused}");
    let other = SecretKey::generate(&world.params, &mut world.rng);
    let alien = other.encrypt(&world.params.zero_plaintext(), &mut world.rng).unwrap();
    let refused = world.server.refresh_all(&[x.clone(), alien]).unwrap_err();
    assert!(matches!(refused, Error::KeyMismatch { .. }), "{refused}");
    let params = Params::<Bfv>::preset(Preset::E2).unwrap();
    let other = SecretKey::generate(&params, &mut world.rng);
    let alien = other.encrypt(&params.zero_plaintext(), &mut world.rng).unwrap();
    let refused = world.server.refresh(&alien).unwrap_err();
    assert!(matches!(refused, Error::ParamsMismatch { .. }), "{refused}");
    let token = CancelToken::new();
    token.cancel();
    let refused = world.server.with_cancel(&token).refresh(&x).unwrap_err();
    assert!(matches!(refused, Error::Cancelled), "{refused}");
}

#[test]
fn parameters_without_a_refresh_are_refused() {
    let refused = |spec: Spec| {
        Params::<Bfv>::new(spec).unwrap().refresh_moduli(RefreshSet::Noise).unwrap_err()
    };
    let small = refused(Preset::E1Bits192.spec());
    assert!(matches!(small, Error::Insecure(_)), "{small}");
    let strong = refused(Preset::E2Bits192.spec());
    assert!(matches!(strong, Error::Insecure(_)), "{strong}");
    let certain = refused(Spec { failure_log2: fathom_base::WORST_CASE, ..Preset::E1.spec() });
    assert!(matches!(certain, Error::Spec { field: "failure_log2", .. }), "{certain}");
    let chain_bits = vec![30.0; 2];
    let large = refused(Spec { degree: 1 << 17, chain_bits, ..Preset::E1.spec() });
    assert!(matches!(large, Error::Spec { field: "degree", .. }), "{large}");
}

/// The keys that a server receives lead to the same result as those that were generated, on any
/// number of threads.
#[test]
fn results_depend_neither_on_the_wire_nor_on_threads() {
    let mut world = World::<Bfv>::of(Preset::E1.spec(), 8);
    let x = world.encrypt(&[1, 2, 3]);
    let keys = keys_of(&world.secret, RefreshSet::Noise, &mut world.rng);
    let expected = Refresher::new(keys.clone()).refresh(&x).unwrap();
    let mut bytes = Vec::new();
    keys.parts.write(&mut bytes);
    assert_eq!(bytes.len(), keys.stages.keys_len());
    let parts = Parts::read(&keys.stages, &mut Reader::new(&bytes)).unwrap();
    let received = RefreshKeys { parts: Arc::new(parts), ..keys };
    for threads in [1, 3] {
        let server = Refresher::new(received.clone()).with_threads(threads).unwrap();
        let found = server.refresh(&x).unwrap();
        assert!(
            found
                .components()
                .iter()
                .zip(expected.components())
                .all(|(a, b)| a.words() == b.words())
        );
    }
    let short = Parts::read(&received.stages, &mut Reader::new(&bytes[..bytes.len() - 1]));
    assert!(short.is_err());
}

impl<S: Modular> World<S> {
    /// Encrypts signed numbers as coefficients.
    fn encrypt_coefficients(&mut self, values: &[i64]) -> Ciphertext<S> {
        let plain = self.params.encode_coefficients_signed(values).unwrap();
        self.secret.encrypt(&plain, &mut self.rng).unwrap()
    }

    /// Asserts that coefficients are these, and that the noise is within its bound, below which it
    /// is by at most `slack` bits.
    fn check_coefficients(&self, a: &Ciphertext<S>, expected: &[i64], slack: f64) {
        let t = self.params.plain_modulus() as i64;
        let message = self.secret.decrypt(a).unwrap();
        let expected: Vec<u64> = expected.iter().map(|v| v.rem_euclid(t) as u64).collect();
        assert_eq!(message.coefficients(), expected);
        let found = self.secret.debug_noise_budget_bits(a, &message).unwrap();
        let bound = a.noise_budget_bits();
        assert!(bound <= found && found < bound + slack, "{bound}, found {found}");
    }
}

/// Random tables of every size with arguments of both signs, of fresh ciphertexts and of products,
/// then a refresh and a product of the results.
fn tables<S: Modular>(set: RefreshSet, bits: &[u32], seed: u64) {
    let mut world = World::<S>::with(set, Preset::E1.spec(), seed);
    let (degree, t) = (world.params.degree(), world.params.plain_modulus());
    for &bits in bits {
        let half = 1_i64 << (bits - 1);
        let random = values(2 * half as usize, 1 << bits, seed + u64::from(bits));
        let any = values(2 * half as usize, t, seed + 50 + u64::from(bits));
        let f = |v: i64| random[(v + half) as usize] as i64;
        let g = |v: i64| any[(v + half) as usize] as i64;
        let tables = [
            CoefficientTable::signed(bits, |v| f(v.into())).unwrap(),
            CoefficientTable::signed(bits, |v| g(v.into())).unwrap(),
            CoefficientTable::signed(bits, |v| i64::from(v >= 0)).unwrap(),
        ];
        let prepared = world.server.prepare(&tables).unwrap();
        let all: Vec<i64> = (-half..half).cycle().take(degree).collect();
        let other: Vec<i64> =
            values(degree, 2 * half as u64, seed).into_iter().map(|v| v as i64 - half).collect();
        // The message of a refreshed ciphertext has a factor.
        let x = world.encrypt_coefficients(&all);
        let y = world.encrypt_coefficients(&other);
        let y = world.server.refresh(&y).unwrap();
        let before = world.server.count();
        let results = world.server.apply(&[x, y], &prepared).unwrap();
        assert_eq!(world.server.count(), before + 1);
        for ([first, second, sign], clear) in results.iter().zip([&all, &other]) {
            let expected = |f: &dyn Fn(i64) -> i64| clear.iter().map(|&v| f(v)).collect::<Vec<_>>();
            // At one bit, a cosine has no slope at its arguments, which bounds do not use.
            let slack = if bits == 1 { 26.0 } else { 7.0 };
            world.check_coefficients(first, &expected(&f), slack);
            world.check_coefficients(second, &expected(&g), slack);
            world.check_coefficients(sign, &expected(&|v| i64::from(v >= 0)), slack);
            assert!(first.level() == prepared.level());
        }
        // The second operand had the budget of what is refreshed.
        let promised = prepared.noise_budget_bits(world.server.noise_budget_bits() - 0.01);
        let worst = results[1].iter().map(Ciphertext::noise_budget_bits).fold(f64::MAX, f64::min);
        assert!(promised <= worst && worst < promised + 1.0, "{promised}, {worst}");
        let [[_, any, _], _] = &results[..] else { panic!("two operands have two results") };
        let fresh = world.server.refresh(any).unwrap();
        let expected: Vec<_> = all.iter().map(|&v| g(v)).collect();
        world.check_coefficients(&fresh, &expected, 6.0);
    }
}

#[test]
fn tables_of_up_to_four_bits_take_the_keys_of_a_refresh() {
    tables::<Bfv>(RefreshSet::Noise, &[1, 4], 21);
    tables::<Bgv>(RefreshSet::Noise, &[4], 22);
}

#[test]
fn tables_of_up_to_eight_bits_are_exact() {
    tables::<Bfv>(RefreshSet::Tables, &[5, 8], 23);
    tables::<Bgv>(RefreshSet::Tables, &[7], 24);
}

/// A table whose arguments are all numbers modulo `t` has a value for every coefficient.
#[test]
fn tables_of_all_numbers_modulo_t_promise_nothing() {
    let spec = Spec { plain_modulus: 17, ..Preset::E1.spec() };
    let mut world = World::<Bfv>::of(spec, 25);
    let degree = world.params.degree();
    let cube = |v: u32| i64::from(v).pow(3);
    let prepared = world.server.prepare(&[CoefficientTable::modulo(17, cube).unwrap()]).unwrap();
    let all: Vec<i64> = (-8..=8).cycle().take(degree).collect();
    let x = world.encrypt_coefficients(&all);
    let [[result]] = &world.server.apply(&[x], &prepared).unwrap()[..] else {
        panic!("one result")
    };
    world.check_coefficients(result, &all.iter().map(|v| v.pow(3)).collect::<Vec<_>>(), 8.0);
}

#[test]
fn tables_that_cannot_be_applied_are_refused_and_remedies_work() {
    let mut world = World::<Bfv>::of(Preset::E1.spec(), 26);
    let identity = |bits| CoefficientTable::new(bits, i64::from).unwrap();
    let server = &world.server;
    let refused = server.prepare(&[identity(5)]).unwrap_err();
    let levels = BootstrapError::Levels { needed: 5, available: 4 };
    assert!(matches!(&refused, Error::Bootstrap(e) if *e == levels), "{refused}");
    let refused = server.prepare(&[identity(3), identity(4)]).unwrap_err();
    let domains = BootstrapError::Domains { count: 2 };
    assert!(matches!(&refused, Error::Bootstrap(e) if *e == domains), "{refused}");
    let refused = server.prepare::<0>(&[]).unwrap_err();
    assert!(matches!(refused, Error::Spec { field: "functions", .. }), "{refused}");
    for bits in [0, 9] {
        let refused = CoefficientTable::new(bits, i64::from).unwrap_err();
        assert!(matches!(refused, Error::Spec { field: "bits", .. }), "{refused}");
        let refused = CoefficientTable::signed(bits, i64::from).unwrap_err();
        assert!(matches!(refused, Error::Spec { field: "bits", .. }), "{refused}");
    }
    for count in [1, 257] {
        let refused = CoefficientTable::modulo(count, i64::from).unwrap_err();
        assert!(matches!(refused, Error::Spec { field: "count", .. }), "{refused}");
    }
    // Noise: what is left of the budget after a refresh is enough.
    let prepared = world.server.prepare(&[identity(4)]).unwrap();
    let clear: Vec<i64> = (0..16).collect();
    let x = world.encrypt_coefficients(&clear);
    let constant = |x: &Ciphertext<Bfv>, c| world.evaluator.mul_scalar(x, c).unwrap();
    let once = constant(&constant(&x, 3), 21_846);
    let loud = constant(&constant(&once, 3), 21_846);
    let refused = world.server.apply(std::slice::from_ref(&loud), &prepared).unwrap_err();
    assert!(
        matches!(
            refused,
            Error::Bootstrap(BootstrapError::Budget { operation: "the table", budget_bits, .. })
                if budget_bits < prepared.needed_budget_bits()
        ),
        "{refused}"
    );
    let quiet = world.server.refresh(&loud).unwrap();
    let results = world.server.apply(&[quiet], &prepared).unwrap();
    let found = world.secret.decrypt(&results[0][0]).unwrap();
    assert_eq!(found.coefficients_signed()[..16], clear);
    // Parameters.
    let of = |t| {
        let chain_bits = vec![58.0; 2];
        let spec =
            Spec { plain_modulus: t, chain_bits, special_bits: vec![58.0], ..Preset::E2.spec() };
        let params = Params::<Bfv>::new(spec).unwrap();
        let mut rng = SecretRng::insecure_from_seed(t);
        let secret = SecretKey::generate(&params, &mut rng);
        Refresher::new(keys_of(&secret, RefreshSet::Noise, &mut rng))
    };
    let refused = of(13).prepare(&[identity(4)]).unwrap_err();
    assert!(matches!(refused, Error::Spec { field: "table", .. }), "{refused}");
    let refused = of(17).prepare(&[identity(4)]).unwrap_err();
    assert!(matches!(refused, Error::Spec { field: "table", .. }), "{refused}");
    let large = CoefficientTable::new(4, |v| i64::from(v) << 40).unwrap();
    let refused = of((1 << 45) - 55).prepare(&[large]).unwrap_err();
    assert!(matches!(refused, Error::Spec { field: "values", .. }), "{refused}");
    let other = of(17).prepare(&[CoefficientTable::modulo(17, i64::from).unwrap()]).unwrap();
    let refused = world.server.apply(&[x], &other).unwrap_err();
    assert!(matches!(refused, Error::ParamsMismatch { .. }), "{refused}");
}

/// Tables of one set have other levels and other errors than those of another.
#[test]
fn tables_prepared_for_keys_of_another_set_are_refused() {
    let mut world = World::<Bfv>::of(Preset::E1.spec(), 27);
    let x = world.encrypt_coefficients(&[1, 2, 3]);
    let table = CoefficientTable::new(4, i64::from).unwrap();
    let larger = Refresher::new(keys_of(&world.secret, RefreshSet::Tables, &mut world.rng));
    for (server, other) in [(&world.server, &larger), (&larger, &world.server)] {
        let prepared = other.prepare(std::array::from_ref(&table)).unwrap();
        let refused = server.apply(std::slice::from_ref(&x), &prepared).unwrap_err();
        assert!(matches!(refused, Error::Spec { field: "tables", .. }), "{refused}");
    }
}

/// Every modulus under which keys of the larger set are published reaches the level, at full size.
#[test]
fn every_published_modulus_reaches_the_level() {
    let params = Params::<Bfv>::preset(Preset::E1).unwrap();
    for modulus in params.refresh_moduli(RefreshSet::Tables).unwrap() {
        let bits = modulus.assessment.classical_bits;
        assert!(bits >= 128.0, "{}: {bits}", modulus.purpose);
    }
}

#[test]
fn sets_are_read_by_their_names() {
    for set in RefreshSet::ALL {
        assert_eq!(set.to_string().parse::<RefreshSet>().unwrap(), set);
    }
    let unknown = "refresh-nothing".parse::<RefreshSet>().unwrap_err();
    assert!(matches!(unknown, Error::UnknownPreset { .. }), "{unknown}");
}
