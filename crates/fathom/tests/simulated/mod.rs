//! A simulated evaluator follows a real one: levels, noise bounds, transforms, bytes and refusals
//! are the same, without data.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]
#![allow(clippy::float_cmp, reason = "the same formulas give the same numbers")]

mod circuits;
mod integers;
mod reals;

use fathom::bfv::{self, Bfv};
use fathom::bgv::Bgv;
use fathom::rlwe::Encryption;
use fathom::rlwe::modular::{
    Ciphertext, Circuit, Evaluator, LinearMap, Modular, Packed, Params, Preset, Rotations,
    SecretKey,
};
use fathom::wire::{Wire, WireFresh, WireObject};
use fathom::{Error, SecretRng, SecurityLevel};

const MATRIX: [[u64; 5]; 3] = [[1, 2, 3, 4, 5]; 3];

/// The properties of a result except its content.
#[derive(Debug, PartialEq)]
struct Traits {
    operation: &'static str,
    outcome: Result<(usize, usize, f64, usize), Error>,
    transforms: u64,
}

type Run<'a, S> = &'a dyn Fn() -> Result<Ciphertext<S>, Error>;

/// Runs every operation on two encryptions and notes what becomes of them.
fn traits<S: Modular>(e: &Evaluator<S>, [a, b]: [&Ciphertext<S>; 2]) -> Vec<Traits> {
    let params = e.params();
    let matrix: Vec<Vec<u64>> = MATRIX.iter().map(|row| row.to_vec()).collect();
    let map = LinearMap::new(params, &matrix).unwrap();
    let plain = params.encode(&[1, 2, 3]).unwrap();
    let sparse = params.encode_coefficients(&[vec![0; 100], vec![7]].concat()).unwrap();
    let (many, few) = (sparse.to_multiplicand(), plain.to_multiplicand());
    let all: [(&str, Run<'_, S>); 17] = [
        ("add", &|| e.add(a, b)),
        ("add to itself", &|| e.add(a, a)),
        ("sub", &|| e.sub(a, b)),
        ("transparent", &|| e.sub(a, a)),
        ("neg", &|| e.neg(a)),
        ("mul", &|| e.mul(a, b)),
        ("square", &|| e.square(a)),
        ("tensor", &|| e.tensor(a, b)),
        ("cube", &|| e.mul(&e.square(a)?, &e.mod_switch_to(b, e.square(a)?.level())?)),
        ("dot", &|| e.dot(&[a.clone(), b.clone()], &[b.clone(), b.clone()])),
        ("rotate", &|| e.rotate(a, 3)),
        ("sum_rotations", &|| e.sum_rotations(a, 4)),
        ("mul_plain", &|| e.mul_plain(&e.mul_plain(a, &many)?, &few)),
        ("add_plain", &|| e.add_plain(a, &plain)),
        ("mod_switch_to", &|| e.mod_switch_to(a, 0)),
        ("evaluate_polynomial", &|| e.evaluate_polynomial(a, &[1, 2, 3, 4])),
        ("transform", &|| Ok(e.transform(&map, &Packed::assume(8, a.clone()))?.into_value())),
    ];
    let note = |(operation, run): (&'static str, Run<'_, S>)| {
        let before = params.transform_count();
        let outcome = run()
            .map(|c| (c.level().get(), c.component_count(), c.noise_bound_bits(), c.byte_len()));
        Traits { operation, outcome, transforms: params.transform_count() - before }
    };
    all.into_iter().map(note).collect()
}

fn follows<S: Modular>(preset: Preset) {
    let params = Params::<S>::preset(preset).unwrap();
    let mut rng = SecretRng::insecure_from_seed(3);
    let secret = SecretKey::generate(&params, &mut rng);
    let public = secret.public_key(&mut rng);
    let matrix: Vec<Vec<u64>> = MATRIX.iter().map(|row| row.to_vec()).collect();
    let map = LinearMap::new(&params, &matrix).unwrap();
    let rotations = map.rotations().and(&Rotations::steps(&[1, 2, 3]));
    let server = Evaluator::new(secret.evaluation_keys(&rotations, &mut rng).unwrap());
    let plain = params.encode(&[5, 6]).unwrap();
    let a = secret.encrypt(&plain, &mut rng).unwrap();
    let b = public.encrypt(&plain, &mut rng).unwrap();
    let simulated = Evaluator::simulated(&params).unwrap();
    let top = params.top_level();
    let x = simulated.simulated_encryption(Encryption::SecretKey, top).unwrap();
    let y = simulated.simulated_encryption(Encryption::PublicKey, top).unwrap();
    assert_eq!((x.byte_len(), y.byte_len()), (a.byte_len(), b.byte_len()));
    let (real, found) = (traits(&server, [&a, &b]), traits(&simulated, [&x, &y]));
    for (real, found) in real.into_iter().zip(found) {
        assert_eq!(real, found, "{}", preset.name());
    }
}

#[test]
fn a_simulation_follows_the_computation() {
    for preset in [Preset::E1, Preset::E1Bits256, Preset::E1Depth2, Preset::E2] {
        follows::<Bgv>(preset);
        follows::<Bfv>(preset);
    }
}

#[test]
fn the_scale_invariant_product_is_simulated_too() {
    let params = bfv::Params::preset(Preset::E2).unwrap();
    let server = bfv::Evaluator::simulated(&params).unwrap();
    let x = server.simulated_encryption(Encryption::SecretKey, 2).unwrap();
    let product = server.mul_scale_invariant(&x, &x).unwrap();
    assert_eq!(product.level(), 2);
    assert!(product.noise_budget_bits() < x.noise_budget_bits());
}

#[test]
fn simulated_and_real_objects_are_not_combined() {
    let params = Params::<Bgv>::preset(Preset::E1).unwrap();
    let mut rng = SecretRng::insecure_from_seed(4);
    let secret = SecretKey::generate(&params, &mut rng);
    let server = Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap());
    let simulated = Evaluator::simulated(&params).unwrap();
    assert!(simulated.is_simulated() && !server.is_simulated());
    let plain = params.encode(&[1]).unwrap();
    let real = secret.encrypt(&plain, &mut rng).unwrap();
    let fake = simulated.simulated_encryption(Encryption::SecretKey, 1).unwrap();
    for refused in [
        server.add(&real, &fake),
        simulated.add(&real, &fake),
        Evaluator::without_keys(&params).add(&fake, &fake),
        simulated.add_plain(&fake, &plain),
        server.simulated_encryption(Encryption::SecretKey, 1),
        Ciphertext::from_bytes(&params, &real.to_bytes()).and_then(|c| simulated.neg(&c)),
    ] {
        assert!(matches!(refused, Err(Error::Simulated { .. })), "{refused:?}");
    }
    assert!(matches!(secret.decrypt(&fake), Err(Error::Simulated { .. })));
    // Its bytes are of the right number, and no ciphertext.
    assert_eq!(fake.to_bytes().len(), real.byte_len());
    let read = Ciphertext::from_bytes(&params, &simulated.neg(&fake).unwrap().to_bytes());
    assert!(matches!(read, Err(Error::Transparent { .. })));
    // A seed of zeros expands to a mask: the key of the frame tells that there is no data.
    let bytes = fake.to_bytes();
    for read in
        [Ciphertext::from_bytes(&params, &bytes), Ciphertext::from_bytes_fresh(&params, &bytes)]
    {
        assert!(matches!(read, Err(Error::Simulated { operation: "decoding" })), "{read:?}");
    }
    let low = simulated.simulated_encryption(Encryption::PublicKey, 0);
    assert!(matches!(low, Err(Error::NoSuchLevel { .. })));
}

/// The planner's model and the operations agree on many circuits, which a real computation could
/// not try in this time.
#[test]
fn planned_circuits_run_in_simulation() {
    for (products, rotations, terms, results) in
        [(0, 0, 1, 3), (1, 2, 3, 8), (3, 0, 2, 2), (3, 8, 1, 100), (7, 1, 2, 4)]
    {
        let [own, others] = [Encryption::SecretKey, Encryption::PublicKey];
        for (encryption, planned) in [(own, own), (own, others), (others, others)] {
            let circuit = Circuit { products, rotations, terms, results, encryption: planned };
            let plan = Params::<Bgv>::for_circuit(circuit, 65537, SecurityLevel::Bits128).unwrap();
            let server = Evaluator::simulated(plan.params()).unwrap();
            let mut c = server.simulated_encryption(encryption, plan.params().top_level()).unwrap();
            for product in 0..=products {
                for _ in 0..rotations {
                    c = server.rotate(&c, 1).unwrap();
                }
                let last = product == products;
                let count = if last { terms.max(results) } else { terms };
                c = server.sum(&vec![c; count]).unwrap();
                c = if last { c } else { server.square(&c).unwrap() };
            }
            assert!(c.noise_budget_bits() >= 0.0);
        }
    }
}
