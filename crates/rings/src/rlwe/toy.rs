//! A toy scheme for real numbers over the shared core: errors of factor 1 and a real scale.
//!
//! It shows what a scheme has to bring along, and that the core knows nothing of integers modulo
//! `t`. The encoding is naive: values are evaluated at the roots of `X^N + 1` one by one.

use super::encrypt::Encoded;
use super::mod_switch::common_level;
use super::{
    AlignedPair, Bounds, Ciphertext, Context, ContextSpec, Encoding, Evaluator, Level, Levels,
    Mechanics, Params, Rotations, SecretKey, Slotted, sealed,
};
use crate::Error;
use fathom_ring::{ErrorFactor, Gadget, SecretCoefficients, SecretRng, primes_below};
use fathom_security::SecretDistribution;
use std::f64::consts::PI;

#[derive(Clone, Copy, Debug)]
enum Toy {}

impl sealed::Sealed for Toy {}

/// Largest absolute value of a slot.
const LARGEST: f64 = 2.0;
/// Scale of fresh messages.
const SCALE: f64 = (1u64 << 36) as f64;

impl Encoding for Toy {
    type Meta = f64;
    type Facts = ();
    type Tables = ();

    const NAME: &'static str = "toy";
    const LEVELS: Levels = Levels::Explicit;
}

impl Mechanics for Toy {
    fn fresh_meta(_: &Params<Toy>, _: Level) -> f64 {
        SCALE
    }

    fn message_bound(_: &Params<Toy>) -> Bounds {
        Bounds::of_root_values(LARGEST * SCALE)
    }

    fn multiplied(_: &Params<Toy>, left: f64, right: f64) -> f64 {
        left * right
    }

    fn switched(params: &Params<Toy>, scale: f64, from: Level, to: Level) -> f64 {
        params.chain()[to.limbs().get()..from.limbs().get()]
            .iter()
            .fold(scale, |scale, &q| scale / q as f64)
    }

    fn aligned<'a>(
        _: &Evaluator<Toy>,
        a: &'a Ciphertext<Toy>,
        b: &'a Ciphertext<Toy>,
    ) -> Result<AlignedPair<'a, Toy>, Error> {
        use std::borrow::Cow;
        common_level(a, b)?;
        assert!((a.meta / b.meta - 1.0).abs() < 1e-6, "scales {} and {}", a.meta, b.meta);
        Ok((Cow::Borrowed(a), Cow::Borrowed(b)))
    }
}

impl Slotted for Toy {
    const ROWS: usize = 1;

    fn check_slots(_: &Params<Toy>) -> Result<(), Error> {
        Ok(())
    }

    fn sum_of_rows(_: &Evaluator<Toy>, a: &Ciphertext<Toy>) -> Result<Ciphertext<Toy>, Error> {
        Ok(a.clone())
    }

    fn selected(
        _: &Evaluator<Toy>,
        _: &Ciphertext<Toy>,
        _: &dyn Fn(usize) -> bool,
        _: f64,
    ) -> Result<Ciphertext<Toy>, Error> {
        unreachable!("the toy has no plaintexts")
    }
}

fn params() -> Params<Toy> {
    let (degree, mut taken) = (8192, Vec::new());
    let mut prime = |bits: f64| {
        let found = primes_below(bits, 2 * degree as u64, 1, &taken).unwrap()[0];
        taken.push(found);
        found
    };
    let (chain, special) = (vec![prime(45.8), prime(45.8)], vec![prime(45.8)]);
    let context = Context::new(ContextSpec {
        degree,
        chain,
        special,
        gadget: Gadget::Hybrid { limbs: 1 },
        error_factor: ErrorFactor::One,
        secret: SecretDistribution::Ternary,
        security: crate::SecurityLevel::Bits128,
        failure_log2: -128.0,
        published_log2: 0.0,
    });
    Params::from_parts("toy".to_owned(), context.unwrap(), ())
}

/// Returns the exponents of the roots that slots stand for, first row: powers of 3, so that
/// `X -> X^3` rotates by one step.
fn exponents(degree: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(1), move |e| Some(e * 3 % (2 * degree))).take(degree / 2)
}

/// Encodes values into the first slots: `coefficient_k = 2/N sum_j v_j cos(pi e_j k / N)`.
fn encode(degree: usize, values: &[f64]) -> SecretCoefficients {
    let coefficient = |k: usize| {
        let terms = exponents(degree)
            .zip(values)
            .map(|(e, v)| v * (PI * (e * k % (2 * degree)) as f64 / degree as f64).cos());
        (SCALE * 2.0 / degree as f64 * terms.sum::<f64>()).round() as i64
    };
    SecretCoefficients::new((0..degree).map(coefficient).collect())
}

/// Decrypts the real parts of the first `count` slots.
fn decrypt(secret: &SecretKey<Toy>, a: &Ciphertext<Toy>, count: usize) -> Vec<f64> {
    let degree = secret.params().degree();
    let limbs = secret.limbs_needed(a).unwrap();
    let phase = secret.phase(a, limbs);
    let (coefficients, _) = super::modular::tests::centered_integers(phase.expose());
    let coefficients: Vec<f64> =
        coefficients.iter().map(|c| c.to_string().parse::<f64>().unwrap() / a.meta).collect();
    let slot = |e: usize| {
        let angle = |k: usize| PI * (e * k % (2 * degree)) as f64 / degree as f64;
        coefficients.iter().enumerate().map(|(k, c)| c * angle(k).cos()).sum()
    };
    exponents(degree).take(count).map(slot).collect()
}

fn assert_close(found: &[f64], expected: &[f64]) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-3, "{found} instead of {expected}");
    }
}

#[test]
fn a_scheme_of_real_numbers_needs_only_an_encoding_and_a_scale() {
    let mut rng = SecretRng::insecure_from_seed(31);
    let params = params();
    let secret = SecretKey::generate(&params, &mut rng);
    let public = secret.public_key(&mut rng);
    let keys = secret.evaluation_keys(&Rotations::steps(&[1]), &mut rng).unwrap();
    let server = Evaluator::new(keys);
    let (x, y) = ([1.5, -0.25, 0.75, 0.0], [0.5, 2.0, -1.0, 1.0]);
    let [a, b] = [&x, &y].map(|values| encode(params.degree(), values));
    let bound = Toy::message_bound(&params);
    let encoded = |coefficients| Encoded { coefficients, bound, meta: SCALE };
    let a = secret.encrypt_encoded(&encoded(&a), params.top_level(), &mut rng);
    let b = public.encrypt_encoded(&encoded(&b), &mut rng);
    assert_close(&decrypt(&secret, &server.add(&a, &b).unwrap(), 4), &[2.0, 1.75, -0.25, 1.0]);
    let rotated = server.rotate(&a, 1).unwrap();
    assert_close(&decrypt(&secret, &rotated, 3), &x[1..]);
    // One multiplication relinearises, and rescales by the last prime of the chain.
    let product = server.mul(&a, &b).unwrap();
    assert_eq!((product.level(), product.component_count()), (Level::ZERO, 2));
    assert!((product.meta.log2() - 26.2).abs() < 0.1, "scale {}", product.meta);
    assert_close(&decrypt(&secret, &product, 4), &[0.75, -0.5, -0.75, 0.0]);
    let inner = server.dot(&[a.clone(), b.clone()], &[b.clone(), b]).unwrap();
    assert_close(&decrypt(&secret, &inner, 4), &[1.0, 3.5, 0.25, 1.0]);
    // The bound is sound, and refuses a product without a level left.
    assert!(product.noise_budget_bits() > 0.0);
    assert!(matches!(server.mul(&product, &product), Err(Error::NoiseExhausted { .. })));
}
