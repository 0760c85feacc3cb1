//! The noise of shared decryptions against attacks on its sampler and on its size.

use super::*;
use crate::SecurityLevel;
use crate::ckks::{Automatic, Params, Spec};
use crate::rlwe::{Encryption, Evaluator};
use crate::wire::{Wire, WireObject};
use std::f64::consts::{SQRT_2, TAU};

type Scheme = Ckks<Automatic>;

/// One level, and a scale that leaves room for 30 bits of statistical security.
fn params() -> Params {
    Params::new(Spec {
        name: "flooded".to_owned(),
        degree: 4096,
        base_bits: vec![60.5],
        depth: 0,
        scale_bits: 58.0,
        special_bits: vec![45.0],
        digit_limbs: 1,
        magnitude: 1.0,
        security: SecurityLevel::Bits128,
        failure_log2: -128.0,
    })
    .unwrap()
}

struct Owner {
    params: Params,
    secret: SecretKey<Scheme>,
    ciphertext: Ciphertext<Scheme>,
    plan: Ciphertext<Scheme>,
    rng: SecretRng,
}

impl Owner {
    fn new() -> Owner {
        let (params, mut rng) = (params(), SecretRng::insecure_from_seed(1));
        let secret = SecretKey::generate(&params, &mut rng);
        let message = params.encode(&[0.5, -0.25]).unwrap();
        let ciphertext = secret.encrypt(&message, &mut rng).unwrap();
        let server = Evaluator::simulated(&params).unwrap();
        let plan = server.simulated_encryption(Encryption::SecretKey, params.top_level()).unwrap();
        Owner { params, secret, ciphertext, plan, rng }
    }

    fn flooding() -> Flooding {
        Flooding { statistical_bits: 30, decryptions: 1 }
    }

    /// Returns the coefficients of a decryption, in units of the phase.
    fn scaled(&self, plaintext: &Plaintext<Automatic>) -> Vec<f64> {
        let scale = self.params.level_scale(self.params.top_level());
        plaintext.coefficients.iter().map(|c| c * scale).collect()
    }
}

/// Draws standard Gaussian numbers as doubles: the method that the attack breaks.
fn box_muller(rng: &mut SecretRng, count: usize) -> Vec<f64> {
    let mut words = vec![0; count];
    rng.fill_words(&mut words);
    let unit = |word: u64| ((word >> 11) as f64 + 0.5) / 53_f64.exp2();
    let pair = |w: &[u64]| {
        let radius = SQRT_2 * (-unit(w[0]).ln()).sqrt();
        let (sin, cos) = (TAU * unit(w[1])).sin_cos();
        [radius * cos, radius * sin]
    };
    words.chunks_exact(2).flat_map(pair).collect()
}

/// Counts the pairs of coefficients in the tail whose radius, in units of the deviation, lies on
/// the grid of radii of doubles. Each gives an equation in the errors. Returns them and all pairs
/// in the tail.
fn equations(noise: &[f64], deviation: f64) -> [usize; 2] {
    let mut found = [0; 2];
    for pair in noise.chunks_exact(2) {
        let half = (pair[0].powi(2) + pair[1].powi(2)) / (2.0 * deviation * deviation);
        // Here the grid is coarser than the errors.
        if half > 10.3 {
            let place = (-half).exp() * 53_f64.exp2() - 0.5;
            found[0] += usize::from((place - place.round()).abs() < 0.15);
            found[1] += 1;
        }
    }
    found
}

#[test]
fn noise_in_the_tail_gives_no_equation_on_the_errors() {
    let mut owner = Owner::new();
    let clear = owner.secret.decrypt(&owner.ciphertext).unwrap();
    let exact = owner.scaled(&owner.params.encode(&[0.5, -0.25]).unwrap());
    let error = owner.params.context().model.norms(owner.plan.noise).root;
    let deviation = WideGaussian::new(Owner::flooding().deviation() * error).unwrap().deviation();
    let (mut doubles, mut integers) = ([0; 2], [0; 2]);
    let add = |sum: &mut [usize; 2], found: [usize; 2]| {
        *sum = [sum[0] + found[0], sum[1] + found[1]];
    };
    let errors: Vec<f64> = owner.scaled(&clear);
    for _ in 0..400 {
        let noise = box_muller(&mut owner.rng, exact.len()).into_iter().zip(&errors).zip(&exact);
        let noise: Vec<f64> = noise.map(|((g, e), m)| deviation * g + e - m).collect();
        add(&mut doubles, equations(&noise, deviation));
        let (ciphertext, plan) = (&owner.ciphertext, &owner.plan);
        let flooded =
            owner.secret.decrypt_flooded(ciphertext, plan, Owner::flooding(), &mut owner.rng);
        let flooded = owner.scaled(&flooded.unwrap());
        let noise: Vec<f64> = flooded.iter().zip(&exact).map(|(a, b)| a - b).collect();
        add(&mut integers, equations(&noise, deviation));
    }
    println!("of doubles {doubles:?}, of integers {integers:?}");
    // The attack works against doubles: nearly all pairs in the tail are on the grid.
    assert!(doubles[0] * 10 > doubles[1] * 9 && doubles[1] > 12, "{doubles:?}");
    // By chance three of ten are, within five deviations.
    let (count, by_chance) = (integers[1] as f64, 0.3 * integers[1] as f64);
    let spread = 5.0 * (count * 0.3 * 0.7).sqrt();
    assert!((integers[0] as f64) < by_chance + spread, "{integers:?}");
}

#[test]
fn a_forged_header_does_not_lower_the_noise() {
    let mut owner = Owner::new();
    let bytes = owner.ciphertext.to_bytes();
    let honest = owner
        .secret
        .decrypt_flooded(&owner.ciphertext, &owner.plan, Owner::flooding(), &mut owner.rng)
        .unwrap();
    // The claims of a sender: the same ciphertext with a noise bound that is 2^17 times smaller.
    let mut forged = Ciphertext::<Scheme>::from_bytes(&owner.params, &bytes).unwrap();
    forged.noise = forged.noise.times((-17_f64).exp2());
    let forged = Ciphertext::from_bytes(&owner.params, &forged.to_bytes()).unwrap();
    assert!(forged.noise_bound_bits() < owner.ciphertext.noise_bound_bits() - 16.0);
    let flooded = owner
        .secret
        .decrypt_flooded(&forged, &owner.plan, Owner::flooding(), &mut owner.rng)
        .unwrap();
    assert_eq!(flooded.error_bound().to_bits(), honest.error_bound().to_bits());
    let (a, b) = (owner.scaled(&flooded), owner.scaled(&honest));
    let size = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let exact = owner.scaled(&owner.params.encode(&[0.5, -0.25]).unwrap());
    let noise = |x: &[f64]| size(&x.iter().zip(&exact).map(|(a, b)| a - b).collect::<Vec<_>>());
    assert!((noise(&a) / noise(&b) - 1.0).abs() < 0.1);
    // The same ciphertext with a smaller scale, which would shrink the noise as well.
    let mut scaled = forged.clone();
    scaled.meta /= 131_072.0;
    let refused = owner
        .secret
        .decrypt_flooded(&scaled, &owner.plan, Owner::flooding(), &mut owner.rng)
        .unwrap_err();
    let not_as_planned =
        matches!(refused, Error::Flood(FloodError::NotAsPlanned { field: "scale", .. }));
    assert!(not_as_planned, "{refused}");
    assert!(refused.to_string().contains("simulate the circuit"));
}

#[test]
fn only_a_simulation_is_a_plan() {
    let mut owner = Owner::new();
    let received = Ciphertext::from_bytes(&owner.params, &owner.ciphertext.to_bytes()).unwrap();
    let refused = owner
        .secret
        .decrypt_flooded(&received, &received, Owner::flooding(), &mut owner.rng)
        .unwrap_err();
    assert_eq!(refused, Error::Flood(FloodError::NotSimulated));
    // The remedy.
    assert!(refused.to_string().contains("Evaluator::simulated"));
    let plan = &owner.plan;
    assert!(
        owner.secret.decrypt_flooded(&received, plan, Owner::flooding(), &mut owner.rng).is_ok()
    );
}

#[test]
fn noise_beyond_the_message_or_the_modulus_is_refused() {
    let mut owner = Owner::new();
    for (statistical_bits, decryptions) in [(60, 1), (30, u64::MAX), (u32::MAX, 1)] {
        let flooding = Flooding { statistical_bits, decryptions };
        let (ciphertext, plan) = (&owner.ciphertext, &owner.plan);
        let refused = owner.secret.decrypt_flooded(ciphertext, plan, flooding, &mut owner.rng);
        assert!(matches!(refused, Err(Error::PrecisionExhausted { .. })), "{statistical_bits}");
    }
}
