//! CKKS: scales, levels and error bounds of a simulation are those of a computation.

use crate::simulated::circuits::{Sides, run};
use fathom::ckks::{
    Approximation, Ciphertext, Complex64, Evaluator, Interval, LinearMap, Packed, Params, Preset,
    Rotations, RowSwap, SecretKey, explicit,
};
use fathom::rlwe::Encryption;
use fathom::wire::WireObject;
use fathom::{Error, SecretRng};

/// Returns the properties of a result that only CKKS has.
fn traits(c: &Ciphertext) -> Vec<f64> {
    let bytes = c.byte_len() as f64;
    vec![c.scale(), c.magnitude_bound(), c.error_bound(), c.precision_bits(), bytes]
}

/// Operations of CKKS by number, of which there are 10.
fn operation(e: &Evaluator, number: u64, [a, b]: [&Ciphertext; 2]) -> Result<Ciphertext, Error> {
    let weights = [Complex64::new(0.25, -0.5), Complex64::new(0.0, 0.75)];
    let plain = e.params().encode_public_repeated(&weights)?;
    match number {
        0 => e.mul_scalar(a, 0.3),
        1 => e.mul_scalar(a, 7.0),
        2 => e.mul_scalar(a, weights[0]),
        3 => e.add_scalar(a, -0.7),
        4 => e.add_plain(a, &plain),
        5 => e.mul_plain(a, &plain.to_multiplicand(a.level())?),
        6 => e.conjugate(&e.rotate(b, 1)?),
        7 => e.rescale(a),
        8 => e.mod_switch_to(a, a.level().next().unwrap_or(a.level())),
        _ => e.sub_plain(b, &e.params().encode(&weights)?),
    }
}

#[test]
fn random_circuits_of_reals_are_followed() {
    for preset in [Preset::E3Depth1, Preset::E3Small] {
        let params = Params::preset(preset).unwrap();
        let mut rng = SecretRng::insecure_from_seed(5);
        let secret = SecretKey::generate(&params, &mut rng);
        let public = secret.public_key(&mut rng);
        let rotations = Rotations { steps: vec![1], row_swap: RowSwap::With };
        let real = Evaluator::new(secret.evaluation_keys(&rotations, &mut rng).unwrap());
        let simulated = Evaluator::simulated(&params).unwrap();
        let (one, top) = (params.encode(&[1.0]).unwrap(), params.top_level());
        let small = params.encode_within(&[0.01], 0.02).unwrap();
        let [own, others] = [Encryption::SecretKey, Encryption::PublicKey];
        let within = |encryption| simulated.simulated_encryption_within(encryption, 0.02, top);
        let inputs = vec![
            [
                secret.encrypt(&one, &mut rng).unwrap(),
                simulated.simulated_encryption(own, top).unwrap(),
            ],
            [
                public.encrypt(&one, &mut rng).unwrap(),
                simulated.simulated_encryption(others, top).unwrap(),
            ],
            [secret.encrypt(&small, &mut rng).unwrap(), within(own).unwrap()],
            [
                secret.encrypt_at(&one, 0, &mut rng).unwrap(),
                simulated.simulated_encryption(own, 0).unwrap(),
            ],
        ];
        for [real, simulated] in &inputs {
            assert_eq!(traits(real), traits(simulated));
        }
        let sides = Sides { real: &real, simulated: &simulated, inputs };
        let done = run(sides, (160, 10), &operation, &traits);
        assert!(done > 60, "only {done} operations had a result");
    }
}

#[test]
fn functions_and_matrices_are_followed() {
    let params = Params::preset(Preset::E3).unwrap();
    let mut rng = SecretRng::insecure_from_seed(6);
    let secret = SecretKey::generate(&params, &mut rng);
    let matrix: Vec<Vec<f64>> = (0..4).map(|i| vec![0.1, 0.0, f64::from(i), -0.5]).collect();
    let map = |params: &Params| LinearMap::for_level(params, &matrix, params.top_level()).unwrap();
    let rotations = map(&params).rotations();
    let real = Evaluator::new(secret.evaluation_keys(&rotations, &mut rng).unwrap());
    let simulated = Evaluator::simulated(&params).unwrap();
    let all = params.encode(&vec![0.5; params.slot_count()]).unwrap();
    let x = secret.encrypt(&all, &mut rng).unwrap();
    let y = simulated.simulated_encryption(Encryption::SecretKey, params.top_level()).unwrap();
    let exp = Approximation::new(f64::exp, Interval::UNIT, 7).unwrap();
    let see = |e: &Evaluator, c: &Ciphertext| {
        let product = e.transform(&map(e.params()), &Packed::assume(4, c.clone())).unwrap();
        [
            e.evaluate_function(c, &exp),
            e.exp(c, Interval::new(-2.0, 1.0), 3),
            Ok(product.into_value()),
        ]
        .map(|c| c.map(|c| (c.level(), traits(&c), c.byte_len())))
    };
    assert_eq!(see(&real, &x), see(&simulated, &y));
}

#[test]
fn refusals_of_simulated_encryptions_say_why() {
    let params = explicit::Params::preset(Preset::E3Depth1).unwrap();
    let server = explicit::Evaluator::simulated(&params).unwrap();
    let huge = server.simulated_encryption_within(Encryption::SecretKey, 2f64.powi(100), 1);
    assert!(matches!(huge, Err(Error::NoiseExhausted { operation: "encrypt", .. })), "{huge:?}");
    let high = server.simulated_encryption_within(Encryption::SecretKey, 1.0, 2);
    assert!(matches!(high, Err(Error::NoSuchLevel { .. })));
    let real = explicit::Evaluator::without_keys(&params);
    let refused = real.simulated_encryption_within(Encryption::SecretKey, 1.0, 1);
    assert!(matches!(refused, Err(Error::Simulated { .. })));
    // In this mode, scales and levels are the caller's.
    let [x, y] = [0, 1].map(|l| server.simulated_encryption(Encryption::SecretKey, l).unwrap());
    assert!(matches!(server.add(&x, &y), Err(Error::LevelMismatch { .. })));
}
