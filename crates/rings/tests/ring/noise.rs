//! The noise bound of a ciphertext is never exceeded, and it is tight.

use crate::common::{Setup, difference, product, rotated, sum};
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{
    Ciphertext, Circuit, Encryption, Evaluator, Modular, Params, Preset, Rotations, SecretKey, Spec,
};
use fathom::wire::{Wire, WireObject};
use fathom::{Error, Gadget, SecretRng, SecurityLevel};

/// The greatest number of bits by which the bound may exceed the measured noise.
const TIGHT_BITS: f64 = 8.0;

/// The same on the chains of products that the presets are made for, for the largest noise that is
/// measured over a few keys.
const CHAIN_BITS: f64 = 3.0;

/// Number of keys and messages for each chain: the noise of one is not the largest there is.
const CHAINS: u64 = 4;

/// A ciphertext with its expected slots.
type Known<S> = (Ciphertext<S>, Vec<u64>);

/// Applies one random operation to random members of `pool`; the result is `None` if it is refused.
fn random_step<S: Modular>(
    s: &Setup<S>,
    pool: &[Known<S>],
    rng: &mut SecretRng,
) -> Option<Known<S>> {
    let mut pick = || (rng.next_word() % pool.len() as u64) as usize;
    let ((a, x), (b, y)) = (&pool[pick()], &pool[pick()]);
    let e = &s.evaluator;
    let (t, n) = (s.t, s.params.degree());
    let integer = (rng.next_word() % 2001) as i64 - 1000;
    let integers = vec![integer.rem_euclid(t as i64) as u64; n];
    let small: Vec<u64> = (0..n).map(|_| rng.next_word() % 8).collect();
    let plain = s.plain(&small);
    let (result, expected) = match rng.next_word() % 10 {
        0 | 1 => (e.add(a, b), sum(t, x, y)),
        2 => (e.sub(a, b), difference(t, x, y)),
        3 | 4 => (e.mul(a, b), product(t, x, y)),
        5 => (e.mul_scalar(a, integer), product(t, x, &integers)),
        6 => (e.mul_plain(a, &plain.to_multiplicand()), product(t, x, &small)),
        7 => (e.add_plain(a, &plain), sum(t, x, &small)),
        8 => (e.rotate(a, 1), rotated(x, 1)),
        _ => (e.mod_switch_to(a, a.level().next().unwrap_or_default()), x.clone()),
    };
    match result {
        Ok(c) => Some((c, expected)),
        Err(error) => {
            let legal = matches!(error, Error::NoiseExhausted { .. } | Error::LevelMismatch { .. });
            assert!(legal, "{error}");
            None
        }
    }
}

/// Runs a random circuit and returns the number of operations.
fn random_circuit<S: Modular>(s: &mut Setup<S>, seed: u64, steps: usize) -> usize {
    let mut rng = SecretRng::insecure_from_seed(seed);
    let (x, y) = (s.random(), s.random());
    let mut pool = vec![(s.encrypt(&x), x), (s.encrypt_public(&y), y)];
    let mut done = 0;
    for _ in 0..steps {
        let Some((c, expected)) = random_step(s, &pool, &mut rng) else { continue };
        s.check(&format!("circuit {seed} step {done}"), &c, &expected);
        done += 1;
        if pool.len() == 6 {
            pool.remove(2 + (rng.next_word() % 4) as usize);
        }
        pool.push((c, expected));
    }
    done
}

fn circuits<S: Modular>(preset: Preset, count: u64) {
    let mut done = 0;
    for seed in 0..count {
        let mut s = Setup::<S>::new(preset, &Rotations::steps(&[1]), 500 + seed);
        done += random_circuit(&mut s, seed, 14);
    }
    assert!(done > 3 * count as usize, "{}: only {done} operations were done", preset.name());
}

#[test]
fn the_bound_holds_on_random_circuits_at_degree_4096() {
    for preset in [Preset::E1, Preset::E1Bits192, Preset::E1Bits256, Preset::E1Plain20] {
        circuits::<Bgv>(preset, 8);
        circuits::<Bfv>(preset, 8);
    }
    circuits::<Bgv>(Preset::E1Depth2, 12);
    circuits::<Bfv>(Preset::E1Depth2, 12);
}

#[test]
fn the_bound_holds_on_random_circuits_at_larger_degrees() {
    circuits::<Bfv>(Preset::E2, 8);
    circuits::<Bgv>(Preset::E2Bits192, 6);
    circuits::<Bfv>(Preset::E2Bits256, 6);
    circuits::<Bgv>(Preset::E5Bits192, 3);
    circuits::<Bfv>(Preset::E5Bits256, 3);
    circuits::<Bfv>(Preset::E1Plain31, 4);
}

/// Returns messages for which bounds could fail, as coefficients.
/// Bounds in the worst case hold whatever is drawn; they leave room for fewer operations.
fn worst_case<S: Modular>() {
    let spec = Spec { failure_log2: fathom::WORST_CASE, ..Preset::E2.spec() };
    let params = Params::<S>::new(spec).unwrap();
    assert_eq!(Params::<S>::from_bytes(&params.to_bytes()).unwrap().id(), params.id());
    assert_ne!(params.id(), Params::<S>::preset(Preset::E2).unwrap().id());
    let mut s = Setup::with(&params, &Rotations::for_slot_sum(params.degree()), 77);
    let x = s.random();
    for a in [s.encrypt(&x), s.encrypt_public(&x)] {
        let square = s.evaluator.square(&a).unwrap();
        s.check("square", &square, &product(s.t, &x, &x));
        let total = x.iter().fold(0, |sum, v| (sum + v) % s.t);
        s.check("sum_slots", &s.evaluator.sum_slots(&a).unwrap(), &vec![total; x.len()]);
    }
    assert!(random_circuit(&mut s, 5, 12) >= 4);
}

#[test]
fn bounds_in_the_worst_case_hold() {
    worst_case::<Bgv>();
    worst_case::<Bfv>();
}

fn extreme_messages(n: usize, t: u64) -> Vec<(&'static str, Vec<u64>)> {
    let half = t / 2;
    let mut single = vec![0; n];
    single[n / 3] = half;
    vec![
        ("all t/2", vec![half; n]),
        ("all -t/2", vec![half + 1; n]),
        ("alternating", (0..n).map(|i| half + (i % 2) as u64).collect()),
        ("constant", std::iter::once(half).chain(vec![0; n - 1]).collect()),
        ("one coefficient", single),
        ("comb", (0..n).map(|i| if i % 64 == 0 { half } else { 0 }).collect()),
        ("half and half", (0..n).map(|i| half + u64::from(i < n / 2)).collect()),
        ("zero", vec![0; n]),
    ]
}

/// Multiplies coefficients modulo `X^N + 1`, as products of plaintexts do.
fn multiplied<S: Modular>(s: &Setup<S>, a: &[u64], b: &[u64]) -> Vec<u64> {
    let slots = |v: &[u64]| s.params.encode_coefficients(v).unwrap().slots().unwrap();
    s.plain(&product(s.t, &slots(a), &slots(b))).coefficients().to_vec()
}

fn extremes<S: Modular>(preset: Preset) {
    let mut s = Setup::<S>::new(preset, &Rotations::steps(&[1]), 41);
    let messages = extreme_messages(s.params.degree(), s.t);
    for (i, (name, m)) in messages.iter().enumerate() {
        let p = s.params.encode_coefficients(m).unwrap();
        let a = s.secret.encrypt(&p, &mut s.rng).unwrap();
        let (other_name, other) = &messages[(i + 1) % messages.len()];
        let q = s.params.encode_coefficients(other).unwrap();
        let b = s.secret.encrypt(&q, &mut s.rng).unwrap();
        let e = &s.evaluator;
        let cross = multiplied(&s, m, other);
        let multiplicand = p.to_multiplicand();
        let results = [
            (e.square(&a), multiplied(&s, m, m)),
            (e.tensor(&a, &b), cross.clone()),
            (e.mul(&a, &b), cross.clone()),
            (e.mul_plain(&b, &multiplicand), cross),
            (e.add(&a, &b), sum(s.t, m, other)),
            (e.mod_switch_to(&a, 0), m.clone()),
            (
                e.mul_scalar(&a, (s.t / 2) as i64),
                multiplied(&s, m, &{
                    let mut c = vec![0; m.len()];
                    c[0] = s.t / 2;
                    c
                }),
            ),
        ];
        for (k, (result, expected)) in results.into_iter().enumerate() {
            match result {
                Ok(c) => {
                    s.slack(name, &c);
                    let seen = s.secret.decrypt(&c).unwrap();
                    assert!(seen.coefficients() == expected, "{name}, {other_name}, {k}");
                }
                Err(error) => {
                    let exhausted = matches!(error, Error::NoiseExhausted { .. });
                    assert!(exhausted && (2..4).contains(&k), "{name} {k}: {error}");
                }
            }
        }
    }
}

#[test]
fn the_bound_holds_for_extreme_messages() {
    for preset in [Preset::E1, Preset::E1Bits192, Preset::E2, Preset::E1Plain20] {
        extremes::<Bgv>(preset);
        extremes::<Bfv>(preset);
    }
}

fn squaring_chain<S: Modular>(preset: Preset, seed: u64) -> Vec<f64> {
    let mut s = Setup::<S>::new(preset, &Rotations::none(), seed);
    let mut x = s.random();
    let mut c = s.encrypt(&x);
    let mut slack = vec![s.check("fresh", &c, &x)];
    while let Ok(next) = s.evaluator.square(&c) {
        x = product(s.t, &x, &x);
        c = next;
        slack.push(s.check("square", &c, &x));
    }
    slack
}

/// Returns the number of bits between the bound and the largest noise of several chains, for each
/// level.
fn least_slack<S: Modular>(preset: Preset) -> Vec<f64> {
    let chains: Vec<_> = (0..CHAINS).map(|seed| squaring_chain::<S>(preset, seed)).collect();
    let length = chains[0].len();
    assert!(chains.iter().all(|chain| chain.len() == length), "levels depend on the bound alone");
    let least = |level: usize| chains.iter().map(|chain| chain[level]).fold(f64::MAX, f64::min);
    (0..length).map(least).collect()
}

#[test]
fn the_bound_is_tight_at_every_level_of_the_preset_chains() {
    for preset in Preset::ALL {
        for slack in [least_slack::<Bgv>(preset), least_slack::<Bfv>(preset)] {
            println!("{}: slack {slack:.2?} bits", preset.name());
            assert!(slack.iter().all(|&b| b <= CHAIN_BITS), "{}: {slack:?}", preset.name());
        }
    }
}

fn encryptions_are_tight<S: Modular>(preset: Preset) {
    let mut s = Setup::<S>::new(preset, &Rotations::steps(&[1]), 9);
    let x = s.random();
    for fresh in [s.encrypt(&x), s.encrypt_public(&x)] {
        let e = &s.evaluator;
        let results = [
            fresh.clone(),
            e.mod_switch_to(&fresh, 0).unwrap(),
            e.rotate(&fresh, 1).unwrap(),
            e.mul_scalar(&fresh, 1000).unwrap(),
        ];
        for (i, c) in results.iter().enumerate() {
            let slack = s.slack("single operation", c);
            assert!(slack <= TIGHT_BITS, "{} {i}: {slack}", preset.name());
        }
    }
}

#[test]
fn the_bound_is_tight_after_single_operations() {
    for preset in Preset::ALL {
        encryptions_are_tight::<Bgv>(preset);
        encryptions_are_tight::<Bfv>(preset);
    }
}

/// Repeated squaring maps the value of the phase at a root of unity by `v -> v^2 / q + r`. If the
/// primes are too narrow for the largest of these values, a few chains in a hundred grow without
/// limit; with primes of 31 bits, these seeds did.
#[test]
fn chains_of_squares_do_not_resonate() {
    for (seed, chains) in [(309, 3), (312, 2), (340, 4), (413, 4)] {
        let params = Params::<Bgv>::preset(Preset::E5Bits192).unwrap();
        let t = params.plain_modulus();
        let mut rng = SecretRng::insecure_from_seed(seed);
        let secret = SecretKey::generate(&params, &mut rng);
        let evaluator =
            Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap());
        for _ in 0..chains {
            let mut x: Vec<u64> = (0..params.degree()).map(|_| rng.next_word() % t).collect();
            let mut c = secret.encrypt(&params.encode(&x).unwrap(), &mut rng).unwrap();
            while let Ok(next) = evaluator.square(&c) {
                x = product(t, &x, &x);
                c = next;
            }
            assert!(secret.decrypt(&c).unwrap().slots().unwrap() == x, "seed {seed}");
            let measured =
                secret.debug_noise_budget_bits(&c, &secret.decrypt(&c).unwrap()).unwrap();
            assert!(c.noise_budget_bits() <= measured, "seed {seed}: {measured}");
        }
    }
}

/// Number of ciphertexts that are switched under one key: an error that is the same for all of them
/// grows by this factor, one that is random by its square root.
const SWITCHED: usize = 64;

/// Returns the slots of a plaintext with equal coefficients, rotated by as many steps as the errors
/// were: it is large at the roots where a mean of the digits would be. By no other plaintext of
/// this size is an error of that form multiplied by as much.
fn aligned<S: Modular>(s: &Setup<S>, peak: u64, steps: i64) -> Vec<u64> {
    let flat = s.params.encode_coefficients(&vec![peak; s.params.degree()]).unwrap();
    rotated(&flat.slots().unwrap(), steps)
}

/// Checks a sum, then its products with aligned plaintexts, from the largest that is accepted on.
fn check_sum_and_products<S: Modular>(
    s: &Setup<S>,
    (what, steps): (&str, i64),
    c: &Ciphertext<S>,
    x: &[u64],
) {
    s.check(what, c, x);
    let mut accepted = 0;
    for log in (0..s.t.ilog2()).rev() {
        let slots = aligned(s, 1 << log, steps);
        match s.evaluator.mul_plain(c, &s.plain(&slots).to_multiplicand()) {
            Ok(scaled) => {
                let expected = product(s.t, x, &slots);
                s.check(&format!("{what} times a plaintext up to 2^{log}"), &scaled, &expected);
                accepted += 1;
            }
            Err(error) => assert!(matches!(error, Error::NoiseExhausted { .. }), "{error}"),
        }
        if accepted == 3 {
            break;
        }
    }
}

/// Adds up as many ciphertexts as the noise allows, and checks the sum and its products. Returns
/// their number.
fn check_sum<S: Modular>(
    s: &Setup<S>,
    (what, steps): (&str, i64),
    terms: impl Iterator<Item = (Result<Ciphertext<S>, Error>, Vec<u64>)>,
) -> usize {
    let mut all: Option<Known<S>> = None;
    let mut count = 0;
    for (term, y) in terms {
        let next = match &all {
            None => term.map(|term| (term, y)),
            Some((c, x)) => {
                term.and_then(|term| s.evaluator.add(c, &term)).map(|c| (c, sum(s.t, x, &y)))
            }
        };
        match next {
            Ok(next) => (all, count) = (Some(next), count + 1),
            Err(error) => {
                assert!(matches!(error, Error::NoiseExhausted { .. }), "{error}");
                break;
            }
        }
    }
    if let Some((c, x)) = &all {
        check_sum_and_products(s, (&format!("sum of {count} {what}"), steps), c, x);
    }
    count
}

/// Checks sums of rotations, and of products at one level, of fresh encryptions under one key.
/// Returns the number of rotations that could be added.
fn sums_under_one_key<S: Modular>(params: &Params<S>, seed: u64) -> usize {
    let mut s = Setup::with(params, &Rotations::steps(&[1]), seed);
    let messages: Vec<_> = (0..SWITCHED).map(|_| s.random()).collect();
    let all: Vec<_> = messages.iter().map(|x| s.encrypt(x)).collect();
    let e = s.evaluator.clone();
    let pairs = all.chunks_exact(2).zip(messages.chunks_exact(2));
    let products = pairs.map(|(c, x)| {
        let tensor = e.tensor(&c[0], &c[1]);
        (tensor.and_then(|tensor| e.relinearize(&tensor)), product(s.t, &x[0], &x[1]))
    });
    check_sum(&s, ("products", 0), products);
    let rotations = all.iter().zip(&messages);
    let rotations = rotations.map(|(a, x)| (e.rotate(a, 1), rotated(x, 1)));
    check_sum(&s, ("rotations", 1), rotations)
}

#[test]
fn the_bound_holds_for_sums_under_one_positional_key() {
    let set = |chain_bits: &[f64], base_log: u32| {
        let mut spec = Preset::E1Bits256.spec();
        (spec.chain_bits, spec.gadget) = (chain_bits.to_vec(), Gadget::Positional { base_log });
        spec
    };
    // The highest digits of the last two sets are short.
    let sets = [
        Preset::E1Bits256.spec(),
        set(&[28.0, 28.0], 3),
        set(&[28.0, 28.0], 20),
        set(&[27.4, 28.0], 8),
        set(&[46.0], 11),
    ];
    for (seed, spec) in (70..).zip(sets) {
        let bfv = sums_under_one_key(&Params::<Bfv>::new(spec.clone()).unwrap(), seed);
        let bgv = sums_under_one_key(&Params::<Bgv>::new(spec).unwrap(), seed);
        assert_eq!([bfv, bgv], [SWITCHED; 2], "set number {seed}");
    }
}

#[test]
fn the_bound_holds_for_sums_under_one_key_of_planned_sets() {
    let mut positional = 0;
    let [middle, high] = [SecurityLevel::Bits192, SecurityLevel::Bits256];
    for (t, security) in [(65_537, middle), (786_433, middle), (786_433, high)] {
        for rotations in [0, 1] {
            let encryption = Encryption::PublicKey;
            let circuit = Circuit { products: 1, rotations, terms: 1, results: 3, encryption };
            let Ok(plan) = Params::<Bgv>::for_circuit(circuit, t, security) else { continue };
            let params = plan.into_params();
            let count = sums_under_one_key(&params, 80 + t);
            let is_positional = matches!(params.spec().gadget, Gadget::Positional { .. });
            positional += usize::from(is_positional && count > 1);
        }
    }
    assert!(positional > 0, "no plan has a positional gadget");
}

/// The probability that a bound fails is that of the parameters for a fresh ciphertext, grows with
/// the circuit, and is counted again for a ciphertext that was read.
#[test]
fn failure_probabilities_add_up_over_a_circuit() {
    let params = Params::<Bgv>::preset(Preset::E2).unwrap();
    let evaluator = Evaluator::simulated(&params).unwrap();
    let top = params.top_level();
    let fresh = |encryption| evaluator.simulated_encryption(encryption, top).unwrap();
    let failure = |c: &Ciphertext<Bgv>| c.probabilistic_bound().failure_log2;
    let x = fresh(Encryption::SecretKey);
    assert!((failure(&x) + 128.0).abs() < 1e-9);
    let y = fresh(Encryption::PublicKey);
    assert!(failure(&y) > -128.0 && failure(&y) < -126.0);
    let sum = evaluator.add(&x, &y).unwrap();
    assert!(failure(&sum) >= failure(&y));
    let mut power = x.clone();
    let mut last = failure(&x);
    while let Ok(square) = evaluator.square(&power) {
        assert!(failure(&square) > last && failure(&square) < last + 8.0);
        (last, power) = (failure(&square), square);
    }
    assert!(last < -100.0, "{last}");
    let rotated = evaluator.rotate(&x, 1).unwrap();
    assert!(failure(&rotated) > -128.0 && failure(&rotated) < -120.0);
    let bound = power.probabilistic_bound();
    assert_eq!(bound.bound_bits.to_bits(), power.noise_bound_bits().to_bits());
    let text = bound.to_string();
    assert!(text.contains("but with a probability of 2^-1"), "{text}");
    let mut s = Setup::<Bgv>::new(Preset::E1, &Rotations::none(), 16);
    let values = s.random();
    let x = s.encrypt(&values);
    let product = s.evaluator.square(&x).unwrap();
    let read = Ciphertext::<Bgv>::from_bytes(&s.params, &product.to_bytes()).unwrap();
    assert!(failure(&product) > -128.0);
    assert!((failure(&read) + 128.0).abs() < 1e-9);
}
