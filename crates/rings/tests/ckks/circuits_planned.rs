//! Parameters planned for whole circuits carry them, and no smaller ones do.

use crate::ckks::setup::Setup;
use fathom::ckks::{
    Approximation, Ciphertext, CircuitPlan, Encryption, Evaluator, Interval, LinearMap, Packed,
    Params, RowSwap, SignApproximation,
};
use fathom::{Error, SecurityLevel};

type Circuit<'a> = dyn Fn(&Evaluator) -> Result<Vec<Ciphertext>, Error> + 'a;

fn operand(server: &Evaluator, magnitude: f64) -> Result<Ciphertext, Error> {
    let top = server.params().top_level();
    server.simulated_encryption_within(Encryption::SecretKey, magnitude, top)
}

fn plan(circuit: &Circuit<'_>, bits: f64) -> Result<CircuitPlan<fathom::ckks::Automatic>, Error> {
    Params::for_circuit(circuit, bits, SecurityLevel::Bits128)
}

#[test]
fn a_plan_has_the_levels_rotations_and_range_of_its_circuit() {
    let circuit = |server: &Evaluator| {
        let (a, b) = (operand(server, 100.0)?, operand(server, 1.0)?);
        let product = server.conjugate(&server.mul(&a, &b)?)?;
        let sum = server.sum_rotations(&product, 8)?;
        Ok(vec![server.rotate(&sum, -3)?, server.add(&a, &b)?])
    };
    let found = plan(&circuit, 10.0).unwrap();
    let params = found.params();
    assert_eq!(params.depth(), 1);
    let half = params.slot_count() as i64;
    assert_eq!(found.rotations().steps, [1, 2, 4, half - 3]);
    assert_eq!(found.rotations().row_swap, RowSwap::With);
    assert!(found.precision_bits().iter().all(|bits| *bits >= 10.0));
    assert!((800.0..801.0).contains(&found.magnitudes()[0]) && found.magnitudes()[1] >= 101.0);
    let range = params.spec().base_bits.iter().sum::<f64>() - params.spec().scale_bits;
    assert!((10.0..=13.0).contains(&range), "{range} bits above the scale for results of 800");
    assert!(params.assessment().classical_bits >= 128.0);

    // One bit less does not carry it.
    let mut spec = params.spec().clone();
    spec.scale_bits -= 1.0;
    spec.base_bits = vec![spec.scale_bits + range];
    let smaller = Evaluator::simulated(&Params::new(spec).unwrap()).unwrap();
    let least = |results: Vec<Ciphertext>| {
        results.iter().map(Ciphertext::precision_bits).fold(f64::INFINITY, f64::min)
    };
    assert!(circuit(&smaller).map(least).is_ok_and(|bits| bits < 10.0));
}

/// The keys and the precision of a plan are those of the real computation.
#[test]
fn a_planned_circuit_runs_and_is_as_precise_as_planned() {
    let matrix: Vec<Vec<f64>> =
        (0..8).map(|i| (0..40).map(|j| f64::from((i * 7 + j * 3) % 11) / 40.0).collect()).collect();
    let wave = Approximation::new(|x| (2.0 * x).sin(), Interval::new(-12.0, 12.0), 31).unwrap();
    let circuit = |server: &Evaluator, x: &Ciphertext| {
        let map = LinearMap::for_level(server.params(), &matrix, server.params().top_level())?;
        let image = server.transform(&map, &Packed::assume(map.size(), x.clone()))?.into_value();
        server.evaluate_function(&image, &wave)
    };
    let planned = plan(&|server| Ok(vec![circuit(server, &operand(server, 1.0)?)?]), 8.0).unwrap();
    let mut s = Setup::of(planned.params().clone(), planned.rotations(), 64);
    let vector: Vec<f64> = (0..40).map(|_| s.real()).collect();
    let map = LinearMap::for_level(&s.params, &matrix, s.params.top_level()).unwrap();
    let packed = map.pack(&vector).unwrap();
    let Setup { secret, rng, .. } = &mut s;
    let x = packed.try_map(|plain| secret.encrypt(plain, rng)).unwrap().into_value();
    let result = circuit(&s.evaluator, &x).unwrap();
    assert!((result.precision_bits() - planned.precision_bits()[0]).abs() < 1e-6);
    let found = s.secret.decrypt(&result).unwrap();
    for (found, row) in found.slots().iter().zip(&matrix) {
        let dot: f64 = row.iter().zip(&vector).map(|(m, v)| m * v).sum();
        assert!((found - (2.0 * dot).sin()).abs() < 1.0 / 256.0);
    }
}

#[test]
fn circuits_beyond_all_parameters_are_refused_with_the_reason() {
    let square = |depth: usize| {
        move |server: &Evaluator| {
            let first = operand(server, 1.0)?;
            Ok(vec![(0..depth).try_fold(first, |x, _| server.square(&x))?])
        }
    };
    assert_eq!(plan(&square(3), 12.0).unwrap().params().depth(), 3);
    let field = |refused: Result<CircuitPlan<_>, Error>| {
        let refused = refused.unwrap_err();
        let Error::Spec { field, reason } = refused else { panic!("{refused:?}") };
        (field, reason)
    };
    let (name, reason) = field(plan(&square(80), 12.0));
    assert!(name == "circuit" && reason.contains("refuses the circuit"), "{name}: {reason}");
    let (name, reason) = field(plan(&square(20), 30.0));
    assert!(name == "precision_bits" && reason.contains("bits at best"), "{name}: {reason}");
    assert_eq!(field(plan(&square(1), 0.0)).0, "precision_bits");

    // A fault of the program itself is not one of the parameters.
    let sign = SignApproximation::new(0.1, &[7]).unwrap();
    let outside = |server: &Evaluator| Ok(vec![server.sign(&operand(server, 2.0)?, &sign)?]);
    let refused = plan(&outside, 8.0).unwrap_err();
    assert!(matches!(refused, Error::CkksDomain(_)), "{refused:?}");
}

/// A chain of products, the inner product of its first and last factor, and the sum of the first.
fn inner_products(server: &Evaluator, factors: &[Ciphertext]) -> Result<Vec<Ciphertext>, Error> {
    let (first, rest) = factors.split_first().expect("there are factors");
    let product = rest.iter().try_fold(first.clone(), |x, factor| server.mul(&x, factor))?;
    let dot = server.sum_rotations(&server.mul(first, &factors[factors.len() - 1])?, SUMMED)?;
    Ok(vec![product, dot, server.sum_rotations(first, SUMMED)?])
}

const SUMMED: usize = 4096;
/// The bound of the vector kernels: a forward transform at the largest degree stays below 2^52.
const NARROW: u64 = (1 << 52) / 70;

/// A sum of 4096 slots costs 12 bits, and the errors of its key switches no more than others.
#[test]
fn precise_sums_of_slots_are_planned_with_primes_for_vector_kernels() {
    for (encryption, bits) in [
        (Encryption::SecretKey, 10.0),
        (Encryption::SecretKey, 20.0),
        (Encryption::PublicKey, 20.0),
    ] {
        for depth in [1, 2, 3, 5] {
            let circuit = |server: &Evaluator| {
                let top = server.params().top_level();
                let fresh = |_| server.simulated_encryption_within(encryption, 1.0, top);
                let factors: Result<Vec<_>, _> = (0..=depth).map(fresh).collect();
                inner_products(server, &factors?)
            };
            let found = plan(&circuit, bits).unwrap();
            assert!(found.precision_bits().iter().all(|own| *own >= bits), "{found:?}");
            let params = found.params();
            let mut primes = params.chain().iter().chain(params.special());
            assert!(primes.all(|q| *q < NARROW), "{bits} bits, depth {depth}: {:?}", params.spec());
        }
    }
}

#[test]
fn a_precise_inner_product_keeps_its_bound() {
    let circuit = |server: &Evaluator| {
        let operands = [operand(server, 1.0)?, operand(server, 1.0)?, operand(server, 1.0)?];
        inner_products(server, &operands)
    };
    let planned = plan(&circuit, 20.0).unwrap();
    let mut s = Setup::of(planned.params().clone(), planned.rotations(), 65);
    let vectors: Vec<Vec<f64>> = (0..3).map(|_| (0..SUMMED).map(|_| s.real()).collect()).collect();
    let factors: Vec<_> = vectors.iter().map(|vector| s.encrypt_within(vector, 1.0)).collect();
    let results = inner_products(&s.evaluator, &factors).unwrap();
    let pairs = vectors[0].iter().zip(&vectors[2]);
    let wanted = [pairs.map(|(x, y)| x * y).sum::<f64>(), vectors[0].iter().sum()];
    for (result, wanted) in results[1..].iter().zip(wanted) {
        let bound = result.error_bound();
        assert!(bound <= 2f64.powi(-20), "{bound}");
        for slot in s.secret.decrypt(result).unwrap().slots() {
            assert!((slot - wanted).abs() <= bound, "{slot} is not {wanted} within {bound}");
        }
    }
}
