//! Planned parameters support the depth that they were planned for, and the plan states its
//! reasons.

use crate::common::{Setup, product};
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{
    Ciphertext, Circuit, Encryption, Evaluator, Modular, Params, Plan, Preset, Rotations, SecretKey,
};
use fathom::{Error, SecretRng, SecurityLevel};

const PLAIN_MODULI: [u64; 3] = [65537, 786_433, 2_013_265_921];
const LEVELS: [SecurityLevel; 3] =
    [SecurityLevel::Bits128, SecurityLevel::Bits192, SecurityLevel::Bits256];

/// Squares fresh ciphertexts of both kinds `depth` times and checks every step, then continues
/// until a square is refused.
fn squaring_chain<S: Modular>(plan: &Plan<S>, depth: usize) {
    let mut rng = SecretRng::insecure_from_seed(5);
    let params = plan.params();
    let t = u128::from(params.plain_modulus());
    let secret = SecretKey::generate(params, &mut rng);
    let public = secret.public_key(&mut rng);
    let evaluator = Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap());
    let values: Vec<u64> = (0..params.degree()).map(|_| rng.next_word() % t as u64).collect();
    let plain = params.encode(&values).unwrap();
    for fresh in [public.encrypt(&plain, &mut rng), secret.encrypt(&plain, &mut rng)] {
        let (mut values, mut ciphertext) = (values.clone(), fresh.unwrap());
        for step in 1..=depth {
            ciphertext = evaluator.square(&ciphertext).unwrap();
            for v in &mut values {
                *v = (u128::from(*v).pow(2) % t) as u64;
            }
            let tracked = ciphertext.noise_budget_bits();
            let measured = secret
                .debug_noise_budget_bits(&ciphertext, &secret.decrypt(&ciphertext).unwrap())
                .unwrap();
            assert!(0.0 <= tracked && tracked <= measured, "step {step}: {tracked} {measured}");
            assert!(measured - tracked < 8.0, "loose at step {step}: {tracked} {measured}");
        }
        let slots = secret.decrypt(&ciphertext).unwrap().slots().unwrap();
        assert!(slots == values, "a wrong number after {depth} squares");
        assert!(matches!(evaluator.square(&ciphertext), Err(Error::NoiseExhausted { .. })));
    }
}

#[test]
fn every_depth_to_6_survives_a_chain_of_squares() {
    let degrees = (0..=6).map(|depth| {
        let plan =
            Params::<Bgv>::for_depth(depth, 65537, Encryption::PublicKey, SecurityLevel::Bits128)
                .unwrap();
        squaring_chain(&plan, depth);
        plan.params().degree()
    });
    assert_eq!(degrees.collect::<Vec<_>>(), [4096, 4096, 4096, 8192, 8192, 8192, 16384]);
}

#[test]
fn larger_plain_moduli_and_levels_survive_too() {
    for (t, level, depth) in [
        (786_433, SecurityLevel::Bits128, 3),
        (786_433, SecurityLevel::Bits256, 2),
        (2_013_265_921, SecurityLevel::Bits128, 2),
        (2_013_265_921, SecurityLevel::Bits192, 1),
        (65537, SecurityLevel::Bits192, 4),
        (65537, SecurityLevel::Bits256, 1),
    ] {
        let plan = Params::<Bfv>::for_depth(depth, t, Encryption::PublicKey, level).unwrap();
        squaring_chain(&plan, depth);
    }
}

#[test]
fn every_request_to_depth_6_has_a_secure_answer_with_numbers() {
    for t in PLAIN_MODULI {
        for level in LEVELS {
            let mut degrees = Vec::new();
            for depth in 0..=6 {
                let plan = match Params::<Bgv>::for_depth(depth, t, Encryption::PublicKey, level) {
                    Ok(plan) => plan,
                    Err(Error::Spec { reason, .. }) => {
                        // The 31-bit modulus needs more than the largest primes.
                        println!("{reason}");
                        assert!(t > 1 << 30 && depth > 1, "t {t}, {level}, depth {depth}");
                        assert!(reason.contains("prime of more than"), "{reason}");
                        continue;
                    }
                    Err(other) => panic!("{other}"),
                };
                assert!(plan.params().assessment().level >= Some(level));
                assert_eq!(plan.params().plain_modulus(), t);
                assert!(plan.params().top_level().get() >= depth);
                let budgets = plan.budget_bits();
                assert_eq!(budgets.len(), depth + 1, "t {t}, {level}, depth {depth}");
                assert!(budgets.iter().all(|&b| b >= 0.0), "{budgets:?}");
                degrees.push(plan.params().degree());
                check_explanation(&plan, depth);
            }
            assert!(degrees.is_sorted(), "{degrees:?}");
        }
    }
}

fn check_explanation(plan: &Plan<Bgv>, depth: usize) {
    let text = plan.explanation();
    let [secret, public] = plan.ciphertext_bytes();
    for number in [
        format!("depth {depth} modulo"),
        format!("{},", plan.params().degree()),
        format!("{:.2} = ", plan.params().log2_modulus(plan.params().top_level()).unwrap()),
        format!("{:.2} of", plan.params().log2_largest_modulus()),
        format!("{secret} bytes"),
        format!("{public} (public key)"),
        format!("{} bytes each", plan.key_bytes()),
    ] {
        assert!(text.contains(&number), "{number} is not in:\n{text}");
    }
    assert!(text.contains("not taken") && text.contains("for more"));
}

/// Runs a circuit as stated: rotations and sums before each product and at the end.
#[test]
fn a_planned_circuit_runs_with_its_rotations_and_sums() {
    let circuit = Circuit {
        products: 2,
        rotations: 3,
        terms: 6,
        results: 6,
        encryption: Encryption::PublicKey,
    };
    let plan = Params::<Bgv>::for_circuit(circuit, 65537, SecurityLevel::Bits128).unwrap();
    let text = plan.explanation();
    assert!(text.contains("3 rotations and a sum of 6 before each product, a sum of 6"), "{text}");
    let mut rng = SecretRng::insecure_from_seed(8);
    let secret = SecretKey::generate(plan.params(), &mut rng);
    let public = secret.public_key(&mut rng);
    let keys = secret.evaluation_keys(&Rotations::steps(&[1]), &mut rng).unwrap();
    let server = Evaluator::new(keys);
    let values: Vec<u64> = (0..plan.params().degree()).map(|_| rng.next_word() % 65537).collect();
    let mut clear = values.clone();
    let mut c = public.encrypt(&plan.params().encode(&values).unwrap(), &mut rng).unwrap();
    for product in 0..=circuit.products {
        for _ in 0..circuit.rotations {
            c = server.rotate(&c, 1).unwrap();
            clear.chunks_mut(plan.params().degree() / 2).for_each(|row| row.rotate_left(1));
        }
        c = server.sum(&vec![c; circuit.terms]).unwrap();
        for v in &mut clear {
            *v = *v * circuit.terms as u64 % 65537;
        }
        if product < circuit.products {
            c = server.square(&c).unwrap();
            for v in &mut clear {
                *v = *v * *v % 65537;
            }
        }
    }
    assert!(secret.decrypt(&c).unwrap().slots().unwrap() == clear);
}

#[test]
fn every_plan_leaves_room_for_a_sum_of_a_few_results() {
    for depth in 0..=3 {
        let plan =
            Params::<Bfv>::for_depth(depth, 65537, Encryption::PublicKey, SecurityLevel::Bits128)
                .unwrap();
        let last = plan.budget_bits()[depth];
        assert!(last >= 3f64.log2(), "depth {depth}: {last} bits");
    }
}

/// A plan for the secret key has a smaller ciphertext modulus, keeps its promise for that key, and
/// never lets an encryption under the public key decrypt wrongly.
#[test]
fn plans_for_the_secret_key_are_smaller_and_hold_for_it() {
    let plan = |depth, encryption| {
        Params::<Bfv>::for_depth(depth, 65537, encryption, SecurityLevel::Bits128).unwrap()
    };
    for depth in 0..=4 {
        let [own, either] = [Encryption::SecretKey, Encryption::PublicKey].map(|e| plan(depth, e));
        let bits =
            [&own, &either].map(|p| p.params().log2_modulus(p.params().top_level()).unwrap());
        assert!(
            bits[0] < bits[1] && own.params().degree() <= either.params().degree(),
            "depth {depth}: {bits:?}"
        );
        assert!(own.explanation().contains("the secret key only"));
        assert!(either.explanation().contains("either key"));
    }
    let plan = plan(3, Encryption::SecretKey);
    let mut rng = SecretRng::insecure_from_seed(15);
    let secret = SecretKey::generate(plan.params(), &mut rng);
    let keys = secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap();
    let server = Evaluator::new(keys);
    let plain = plan.params().encode(&[3]).unwrap();
    let own = secret.encrypt(&plain, &mut rng).unwrap();
    let others = secret.public_key(&mut rng).encrypt(&plain, &mut rng);
    let cube = |c: &Ciphertext<Bfv>| server.square(&server.square(&server.square(c)?)?);
    let power = |c: &Ciphertext<Bfv>| secret.decrypt(&cube(c)?)?.slots().map(|s| s[0]);
    assert_eq!(power(&own), Ok(6561));
    let others = others.and_then(|c| power(&c));
    assert!(matches!(others, Ok(6561) | Err(Error::NoiseExhausted { .. })), "{others:?}");
}

#[test]
fn the_library_finds_batching_primes() {
    let primes = Params::<Bfv>::batching_primes(32768, 2, 3).unwrap();
    assert_eq!(primes, [65537, 786_433, 1_179_649].map(|t| t));
    for degree in [64, 4096, 1 << 17] {
        for t in Params::<Bfv>::batching_primes(degree, 1 << 20, 4).unwrap() {
            assert!(t >= 1 << 20 && t % (2 * degree as u64) == 1 && fathom_ring::is_prime(t));
        }
    }
    let field = |found: Result<Vec<u64>, Error>| match found {
        Err(Error::Spec { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    assert_eq!(field(Params::<Bfv>::batching_primes(100, 2, 1)), "degree");
    assert_eq!(field(Params::<Bfv>::batching_primes(64, 1 << 45, 1)), "plain_modulus");
}

#[test]
fn parameters_for_slots_have_them_for_values_of_the_width() {
    let circuit = Circuit {
        products: 1,
        rotations: 1,
        terms: 2,
        results: 8,
        encryption: Encryption::PublicKey,
    };
    for (slots, bits) in [(1, 8), (5000, 16), (10_000, 20)] {
        let level = SecurityLevel::Bits128;
        let plan = Params::<Bgv>::for_slots(slots, bits, circuit, level).unwrap();
        assert!(plan.params().slot_count() >= slots && plan.params().plain_modulus() >= 1 << bits);
    }
    let field = |slots, bits| {
        let level = SecurityLevel::Bits128;
        match Params::<Bgv>::for_slots(slots, bits, circuit, level) {
            Err(Error::Spec { field, .. }) => field,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(field(1 << 20, 8), "slots");
    assert_eq!(field(1, 60), "value_bits");
    let none = Circuit { terms: 0, ..circuit };
    let refused = Params::<Bgv>::for_circuit(none, 65537, SecurityLevel::Bits128);
    assert!(matches!(refused, Err(Error::Spec { field: "terms", .. })));
}

/// Values of 40 bits leave no prime that a product could drop all its noise with: the chain has
/// primes to spare, or wide ones.
#[test]
fn products_of_wide_values_take_more_primes() {
    let circuit = |products| Circuit {
        products,
        rotations: 0,
        terms: 1,
        results: 1,
        encryption: Encryption::PublicKey,
    };
    for products in [1, 2, 6] {
        let start = std::time::Instant::now();
        let plan =
            Params::<Bfv>::for_slots(8192, 40, circuit(products), SecurityLevel::Bits128).unwrap();
        println!("{products}: {} s\n{}", start.elapsed().as_secs_f64(), plan.explanation());
        assert!(plan.params().plain_modulus() > 1 << 40);
        let mut s = Setup::<Bfv>::with(plan.params(), &Rotations::none(), 40);
        let x = s.random();
        let (mut power, mut clear) = (s.encrypt_public(&x), x.clone());
        for _ in 0..products {
            power = s.evaluator.square(&power).unwrap();
            clear = product(s.t, &clear, &clear);
        }
        s.check("a power of 40 bits", &power, &clear);
    }
}

/// For programs of products and sums, no preset of fewer bits does what the plan does.
#[test]
fn no_smaller_preset_carries_what_is_planned() {
    const SPARE_BITS: f64 = 2.0;
    fn runs<S: Modular>(params: &Params<S>, circuit: Circuit) -> bool {
        let server = Evaluator::simulated(params).unwrap();
        let top = params.top_level();
        let fresh = || server.simulated_encryption(circuit.encryption, top);
        let run = || {
            let mut x = fresh()?;
            for _ in 0..circuit.products {
                x = server.square(&server.sum(&vec![x; circuit.terms])?)?;
            }
            server.sum(&vec![x; circuit.results])
        };
        run().is_ok()
    }
    fn check<S: Modular>(encryption: Encryption) {
        for (products, terms, results) in [(0, 1, 64), (1, 1, 1), (1, 4, 1), (2, 1, 16), (4, 2, 1)]
        {
            let circuit = Circuit { products, rotations: 0, terms, results, encryption };
            let level = SecurityLevel::Bits128;
            let plan = Params::<S>::for_circuit(circuit, 65537, level).unwrap();
            assert!(runs(plan.params(), circuit), "{circuit:?}");
            let size = |params: &Params<S>| {
                (params.degree(), params.log2_modulus(params.top_level()).unwrap())
            };
            for preset in Preset::ALL {
                let preset = Params::<S>::preset(preset).unwrap();
                let (degree, bits) = size(&preset);
                // A plan keeps a fraction of a bit at every level.
                let smaller = (degree, bits + SPARE_BITS) < size(plan.params());
                if preset.plain_modulus() >= 65537 && smaller {
                    assert!(!runs(&preset, circuit), "{} carries {circuit:?}", preset.name());
                }
            }
        }
    }
    check::<Bfv>(Encryption::PublicKey);
    check::<Bgv>(Encryption::SecretKey);
}

/// A refusal names what is too much.
#[test]
fn terms_that_no_degree_has_room_for_are_named() {
    let circuit = Circuit {
        products: 20,
        rotations: 0,
        terms: 1 << 16,
        results: 1,
        encryption: Encryption::PublicKey,
    };
    let plan = |circuit| Params::<Bgv>::for_circuit(circuit, 786_433, SecurityLevel::Bits128);
    let Err(Error::Spec { reason, .. }) = plan(circuit) else { panic!("there is a plan") };
    assert!(reason.contains("lower the terms"), "{reason}");
    plan(Circuit { terms: 1, ..circuit }).unwrap();
}

#[test]
fn requests_without_an_answer_are_refused_with_numbers() {
    let refused =
        |depth, t, level| match Params::<Bgv>::for_depth(depth, t, Encryption::PublicKey, level) {
            Err(Error::Spec { field, reason }) => (field, reason),
            other => panic!("{other:?}"),
        };
    let (field, reason) = refused(63, 65537, SecurityLevel::Bits256);
    assert!(field == "depth" && reason.contains("are allowed"), "{reason}");
    assert!(reason.contains("lower the depth"), "{reason}");
    // The largest prime below 2^56.
    let (field, reason) = refused(1, (1 << 56) - 5, SecurityLevel::Bits128);
    assert!(field == "depth" && reason.contains("prime of more than 60"), "{reason}");
    for t in [0, 1, 2, 9, 65536] {
        let (field, reason) = refused(1, t, SecurityLevel::Bits128);
        assert!(field == "plain_modulus" && reason.contains("odd prime"), "{reason}");
    }
    assert_eq!(refused(1000, 65537, SecurityLevel::Bits128).0, "depth");
}

/// Multiplies `[1, 2, 3] * [4, 5, 6]` by `[4, 5, 6]` until that is refused, and returns the number
/// of products.
fn products_until_refused<S: Modular>(
    lower: impl Fn(&Evaluator<S>, &Ciphertext<S>, usize) -> Ciphertext<S>,
) -> usize {
    let plan =
        Params::<S>::for_depth(2, 65537, Encryption::PublicKey, SecurityLevel::Bits128).unwrap();
    let mut rng = SecretRng::insecure_from_seed(6);
    let secret = SecretKey::generate(plan.params(), &mut rng);
    let evaluator = Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap());
    let mut encrypt =
        |values: &[u64]| secret.encrypt(&plan.params().encode(values).unwrap(), &mut rng).unwrap();
    let (mut product, factor) = (encrypt(&[1, 2, 3]), encrypt(&[4, 5, 6]));
    let mut expected = [1u64, 2, 3];
    for count in 0..20 {
        let factor = lower(&evaluator, &factor, product.level().get());
        match evaluator.mul(&product, &factor) {
            Ok(next) => product = next,
            Err(Error::NoiseExhausted { needed_bits, left_bits, remedy, .. }) => {
                assert!(needed_bits > left_bits && remedy.contains("for_depth"));
                return count;
            }
            Err(other) => panic!("{other}"),
        }
        expected = std::array::from_fn(|i| expected[i] * [4, 5, 6][i] % 65537);
        let slots = secret.decrypt(&product).unwrap().slots().unwrap();
        assert_eq!(slots[..3], expected, "a wrong number after {count} products");
    }
    panic!("never refused");
}

#[test]
fn multiplying_on_ends_in_a_typed_error_never_in_a_wrong_number() {
    let aligned =
        |e: &Evaluator<Bgv>, c: &Ciphertext<Bgv>, level: usize| e.mod_switch_to(c, level).unwrap();
    assert!(products_until_refused::<Bgv>(aligned) >= 2);
    assert!(products_until_refused::<Bfv>(|_, c, _| c.clone()) >= 2);
}

/// Returns the number that follows a word in a refusal.
fn number_after(text: &str, word: &str) -> Option<u64> {
    let rest = &text[text.find(word)? + word.len()..];
    rest.split(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty())?.parse().ok()
}

/// Checks that a plan has slots, room for its products and the requested security, or that a
/// refusal names a remedy that works.
fn holds_its_promise(depth: usize, t: u64, level: SecurityLevel) {
    match Params::<Bgv>::for_depth(depth, t, Encryption::PublicKey, level) {
        Ok(plan) => {
            assert_eq!(
                plan.params().slot_count(),
                plan.params().degree(),
                "depth {depth}, t {t}, {level}"
            );
            assert_eq!(plan.params().plain_modulus(), t);
            assert!(plan.params().top_level().get() >= depth);
            assert!(plan.params().assessment().level >= Some(level));
            let budgets = plan.budget_bits();
            assert_eq!(budgets.len(), depth + 1);
            assert!(budgets.iter().all(|&bits| bits >= 0.0), "{budgets:?}");
        }
        Err(Error::Spec { field: "plain_modulus", reason }) if reason.contains("no slots") => {
            let step = number_after(&reason, "a multiple of").unwrap();
            assert_ne!(t % step, 1, "{reason}");
            if let Some(larger) = number_after(&reason, "; take ") {
                assert!(larger >= t && larger % step == 1, "{reason}");
                let plan =
                    Params::<Bgv>::for_depth(depth, larger, Encryption::PublicKey, level).unwrap();
                assert_eq!(plan.params().slot_count(), plan.params().degree(), "{reason}");
            } else if let Some(lower) = number_after(&reason, "lower the depth to") {
                let plan =
                    Params::<Bgv>::for_depth(lower as usize, t, Encryption::PublicKey, level)
                        .unwrap();
                assert_eq!(plan.params().slot_count(), plan.params().degree(), "{reason}");
            } else {
                assert!(reason.contains("lower the depth or the security level"), "{reason}");
            }
        }
        Err(Error::Spec { field: "depth", reason }) => {
            assert!(reason.contains("lower the depth") || depth > 63, "{reason}");
        }
        Err(Error::Spec { field: "plain_modulus", reason }) => {
            assert!(reason.contains("odd prime"), "{reason}");
        }
        Err(other) => panic!("depth {depth}, t {t}, {level}: {other}"),
    }
}

#[test]
fn m4_a_modulus_without_slots_at_the_degree_needed_is_refused_with_a_remedy() {
    let refused = |depth, t| match Params::<Bfv>::for_depth(
        depth,
        t,
        Encryption::PublicKey,
        SecurityLevel::Bits128,
    ) {
        Err(Error::Spec { field: "plain_modulus", reason }) => reason,
        other => panic!("{other:?}"),
    };
    for depth in [25, 40] {
        let reason = refused(depth, 65537);
        for part in ["65537 has no slots at degree 65536", "multiple of 131072", "take 786433"] {
            assert!(reason.contains(part), "{reason}");
        }
    }
    let reason = refused(44, 65537);
    assert!(reason.contains("lower the depth to 22, which degree 32768"), "{reason}");
    // No secure degree has 256 as a multiple of its double; 12289 is 1 modulo 4096.
    assert!(refused(1, 257).contains("take 40961"), "{}", refused(1, 257));
}

#[test]
fn m4_every_plan_has_slots_and_the_depth_promised_and_every_refusal_a_remedy() {
    for (depth, t, level) in [
        (24, 65537, SecurityLevel::Bits128),
        (25, 65537, SecurityLevel::Bits128),
        (40, 65537, SecurityLevel::Bits128),
        (63, 3, SecurityLevel::Bits128),
        (12, 786_433, SecurityLevel::Bits256),
        (0, u64::MAX - 58, SecurityLevel::Bits128),
    ] {
        holds_its_promise(depth, t, level);
    }
    // A linear congruential sequence: the same requests in every run.
    let mut state = 20_261_123_u64;
    let mut below = |bound: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    for _ in 0..24 {
        let depth = below(30) as usize;
        let degree = 1 << (9 + below(8));
        let bits = below(16);
        let multiple = 1 + below(1 << bits);
        let mut t = if below(4) == 0 { 3 + 2 * below(1 << 12) } else { multiple * 2 * degree + 1 };
        let step = if t > 10_000 { 2 * degree } else { 2 };
        while !fathom_ring::is_prime(t) {
            t += step;
        }
        holds_its_promise(depth, t, LEVELS[below(3) as usize]);
    }
}
