//! Laws of sums of elements, of planned inputs and of fresh vectors.
#![allow(clippy::float_cmp, reason = "widths of powers of two are exact")]

use super::*;
use crate::rlwe::Rotations;
use crate::wide::{Integer, WideError};
use crate::wire::{Wire, WireError, WireObject};
use crate::{CancelToken, Error};
use fathom_ring::SecretRng;
use proptest::prelude::*;
use std::sync::OnceLock;

fn planned(circuit: &Circuit, rotations: &Rotations) -> Setup {
    let params = VectorParams::plan(circuit).unwrap();
    let mut rng = SecretRng::insecure_from_seed(11);
    let secret = VectorSecretKey::generate(&params, &mut rng);
    let keys = secret.evaluation_keys(rotations, &mut rng).unwrap();
    Setup { params, secret, server: VectorEvaluator::new(&keys) }
}

struct Setup {
    params: VectorParams,
    secret: VectorSecretKey,
    server: VectorEvaluator,
}

/// A plan of squares that are added up over a whole vector.
fn whole() -> &'static Setup {
    static SETUP: OnceLock<Setup> = OnceLock::new();
    SETUP.get_or_init(|| {
        let circuit = Circuit { input_bits: 40, ..Circuit::products_of::<i64>(2) };
        let degree = VectorParams::plan(&circuit.sum_slots(4096)).unwrap().degree();
        let circuit = circuit.sum_slots(degree as u32);
        let setup = planned(&circuit, &Rotations::for_slot_sum(degree));
        assert_eq!(setup.params.capacity(), degree);
        setup
    })
}

#[test]
fn a_cancelled_evaluator_computes_no_more() {
    let Setup { secret, server, .. } = whole();
    let a = secret.encrypt(&[1_i64, 2], &mut SecretRng::insecure_from_seed(3)).unwrap();
    let token = CancelToken::new();
    let server = server.with_cancel(&token);
    let sum = server.sum_slots(&server.square(&a).unwrap()).unwrap();
    assert_eq!(secret.decrypt(&sum).unwrap()[0].to_u64(), Some(5));
    token.cancel();
    for result in [server.add(&a, &a), server.square(&a), server.sum_slots(&a)] {
        assert!(matches!(result, Err(Error::Cancelled)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Sums of squares, within the plan, for any number of elements.
    #[test]
    fn a_sum_of_elements_is_their_sum(seed: u64, part in 0.0..1.0f64, ratio in 0.0..1.0f64) {
        let Setup { params, secret, server } = whole();
        let mut rng = SecretRng::insecure_from_seed(seed);
        let length = (params.capacity() as f64 * part) as usize + 1;
        let count = (length as f64 * ratio) as usize + 1;
        let mut value = || (rng.next_word() as i64) >> 24;
        let values: Vec<i64> = (0..length).map(|_| value()).collect();
        let a = secret.encrypt(&values, &mut rng).unwrap();
        let squares = server.square(&a).unwrap();
        let square = |v: &i64| i128::from(*v) * i128::from(*v);
        for (sum, count) in
            [(server.sum_prefix(&squares, count), count), (server.sum_slots(&squares), length)]
        {
            let sum = sum.unwrap();
            let expected: i128 = values[..count].iter().map(square).sum();
            let found = secret.decrypt(&sum).unwrap();
            prop_assert_eq!(found.len(), 1);
            prop_assert_eq!(found[0].to_i128(), Some(expected));
            prop_assert!((sum.value_bits() - 80.0 - (count as f64).log2()).abs() < 1e-6);
            let measured = secret.debug_vector_budget_bits(&sum).unwrap();
            prop_assert!(sum.noise_budget_bits() <= measured);
        }
    }

    /// The cost of a clear factor is that of its size: no more than that of as many sums.
    #[test]
    fn a_clear_factor_costs_no_more_than_sums(factor in 1i64..6) {
        let Setup { secret, server, .. } = whole();
        let a = secret.encrypt(&[7i64, -3], &mut SecretRng::insecure_from_seed(1)).unwrap();
        let product = server.mul_scalar(&a, factor).unwrap();
        let sum = server.sum(&vec![a.clone(); factor as usize]).unwrap();
        prop_assert!(product.noise_budget_bits() >= sum.noise_budget_bits() - 1e-9);
        prop_assert!(product.value_bits() <= sum.value_bits() + 1e-9);
        let found = secret.decrypt(&product).unwrap();
        prop_assert_eq!(found[1].to_i64(), Some(-3 * factor));
    }
}

#[test]
fn sums_of_both_rows_and_of_sums_are_right() {
    let Setup { params, secret, server } = whole();
    let mut rng = SecretRng::insecure_from_seed(3);
    let values: Vec<i64> = (0..params.capacity() as i64).collect();
    let a = secret.encrypt(&values, &mut rng).unwrap();
    let row = params.capacity() / 2;
    for count in [1, 2, row - 1, row, row + 1, 2 * row] {
        let sum = server.sum_prefix(&a, count).unwrap();
        let expected = (count * (count - 1) / 2) as i64;
        assert_eq!(secret.decrypt(&sum).unwrap()[0].to_i64(), Some(expected), "{count}");
        // A sum has one element.
        let again = server.sum_slots(&sum).unwrap();
        assert_eq!(secret.decrypt(&again).unwrap()[0].to_i64(), Some(expected));
    }
    for count in [0, values.len() + 1] {
        let refused = server.sum_prefix(&a, count);
        assert!(matches!(refused, Err(Error::Count { operation: "sum_prefix", .. })));
    }
    let none = secret.encrypt::<i64>(&[], &mut rng).unwrap();
    assert!(matches!(server.sum_slots(&none), Err(Error::Count { .. })));
    let keyless = VectorEvaluator::without_keys(params);
    assert!(matches!(keyless.sum_slots(&a), Err(Error::MissingGaloisKey { .. })));
    let product = keyless.mul(&a, &a).unwrap();
    assert!(matches!(keyless.sum_slots(&product), Err(Error::Components { .. })));
}

/// The plan bounds inputs, and every vector starts with its bound.
#[test]
fn inputs_beyond_the_plan_are_refused() {
    let circuit = Circuit { input_bits: 16, ..Circuit::products_of::<u64>(1) };
    let Setup { params, secret, server } = planned(&circuit, &Rotations::none());
    let mut rng = SecretRng::insecure_from_seed(2);
    let public = secret.public_key(&mut rng);
    let refused = |values: &[u64], rng: &mut SecretRng| secret.encrypt(values, rng).unwrap_err();
    let beyond = |index| Error::from(WideError::BeyondPlan { index, bits: 16 });
    assert_eq!(refused(&[1 << 40], &mut rng), beyond(0));
    assert_eq!(refused(&[5, 1 << 16, (1 << 16) + 1], &mut rng), beyond(2));
    assert_eq!(secret.encrypt(&[-70_000i64], &mut rng).unwrap_err(), beyond(0));
    assert_eq!(secret.encrypt(&[0, i128::MIN], &mut rng).unwrap_err(), beyond(1));
    assert_eq!(public.encrypt(&[1u64 << 40], &mut rng).unwrap_err(), beyond(0));
    let a = secret.encrypt(&[1u64 << 16, 3], &mut rng).unwrap();
    assert_eq!(a.value_bits(), 16.0);
    let square = server.square(&a).unwrap();
    assert_eq!(secret.decrypt(&square).unwrap()[0].to_u64(), Some(1 << 32));
    assert!(params.survives(&circuit));
    assert!(!params.survives(&Circuit { input_bits: 17, depth: 0, ..circuit }));
    let read = VectorParams::from_bytes(&params.to_bytes()).unwrap();
    assert_eq!((read.input_bits(), read.id()), (16, params.id()));
    // The remedy: a plan for wider inputs.
    let wider = Circuit { input_bits: 40, ..circuit };
    let wide = planned(&wider, &Rotations::none());
    let a = wide.secret.encrypt(&[1u64 << 40], &mut rng).unwrap();
    assert!(wide.server.square(&a).is_ok());
}

#[test]
fn circuits_that_do_not_exist_are_refused() {
    let word = Circuit::products_of::<u64>(1);
    let circuits = [
        ("sums", Circuit::sums_of::<u64>(0)),
        ("depth", Circuit { depth: u32::MAX, ..word }),
        ("summed_slots", word.sum_slots(0)),
        ("summed_slots", word.sum_slots(u32::MAX)),
        ("relinearization", Circuit { summed_slots: 2, ..Circuit::sums_of::<u64>(1) }),
    ];
    for (wanted, circuit) in circuits {
        for refused in [VectorParams::plan(&circuit).map(drop), circuit.choose().map(drop)] {
            let Err(Error::Spec { field, .. }) = refused else { panic!("{wanted} is planned") };
            assert_eq!(field, wanted);
        }
        assert!(!whole().params.survives(&circuit));
    }
}

/// Under the public key there is no seed: what says that a vector is fresh is its header.
#[test]
fn a_computed_vector_is_not_fresh_under_either_key() {
    let circuit = Circuit { encryption: Encryption::PublicKey, ..Circuit::products_of::<u64>(1) };
    let Setup { params, secret, server } = planned(&circuit, &Rotations::none());
    let mut rng = SecretRng::insecure_from_seed(4);
    let public = secret.public_key(&mut rng);
    let a = public.encrypt(&[u64::MAX], &mut rng).unwrap();
    let read = |v: &Vector<u64>| {
        Vector::<u64>::from_bytes_fresh(&params, &v.to_bytes(), Encryption::PublicKey)
    };
    let fresh = read(&a).unwrap();
    assert!(fresh.is_fresh() && fresh.to_bytes() == a.to_bytes());
    assert_eq!(fresh.value_bits(), 64.0);
    let own = secret.encrypt(&[3u64], &mut rng).unwrap();
    assert!(read(&own).unwrap().noise_budget_bits() <= own.noise_budget_bits());
    let computed = [
        server.mul(&a, &a).unwrap(),
        server.add(&a, &a).unwrap(),
        server.neg(&a).unwrap(),
        server.mul_scalar(&a, 1).unwrap(),
    ];
    for computed in computed {
        assert!(!computed.is_fresh());
        assert!(matches!(read(&computed), Err(Error::Wire(WireError::NotFresh))));
    }
    let secret_expected =
        Vector::<u64>::from_bytes_fresh(&params, &a.to_bytes(), Encryption::SecretKey);
    assert!(matches!(secret_expected, Err(Error::Wire(WireError::NotFresh))));
}

/// A sender can claim any bound: what decryption finds beyond it is refused.
#[test]
fn a_false_bound_is_noticed_at_decryption() {
    let Setup { params, secret, .. } = whole();
    let mut a = secret.encrypt(&[1i64 << 39], &mut SecretRng::insecure_from_seed(6)).unwrap();
    a.largest = 16.0;
    let read = Vector::<i64>::from_bytes(params, &a.to_bytes()).unwrap();
    let refused = secret.decrypt(&read).unwrap_err();
    assert_eq!(refused, WideError::BeyondBound { bits: 4.0 }.into());
}

/// A refused operation needs more budget than is left, and the budget that is left is not negative.
#[test]
fn refusals_state_what_is_needed_and_what_is_left() {
    let circuit = Circuit { depth: 0, ..Circuit::sums_of::<u64>(1) };
    let Setup { params, secret, server } = planned(&circuit, &Rotations::none());
    let mut rng = SecretRng::insecure_from_seed(8);
    let a = secret.encrypt(&[1u64], &mut rng).unwrap();
    let product = server.mul(&a, &a);
    let Err(Error::NoiseExhausted { needed_bits, left_bits, .. }) = product else {
        panic!("a product is beyond a plan for sums")
    };
    assert!(left_bits > 0.0 && needed_bits > left_bits);
    // Encryption under the public key where only the secret key was planned for.
    let public = secret.public_key(&mut rng);
    match public.encrypt(&[1u64], &mut rng) {
        Ok(fresh) => assert!(fresh.noise_budget_bits() >= 0.0),
        Err(Error::NoiseExhausted { operation, needed_bits, left_bits, .. }) => {
            assert_eq!(operation, "encrypt");
            assert!(left_bits == 0.0 && needed_bits > 0.0);
        }
        Err(error) => panic!("{error}"),
    }
    // The remedy of that refusal.
    let both = Circuit { encryption: Encryption::PublicKey, ..circuit };
    let both = planned(&both, &Rotations::none());
    let public = both.secret.public_key(&mut rng);
    let a = public.encrypt(&[u64::MAX], &mut rng).unwrap();
    assert_eq!(both.secret.decrypt(&a).unwrap(), [Integer::from(u64::MAX)]);
    // Parameters without a special prime have no rotations.
    let refused = secret.evaluation_keys(&Rotations::steps(&[1]), &mut rng).unwrap_err();
    assert!(matches!(refused, Error::Spec { field: "special", .. }));
    assert!(params.special().is_empty());
}
