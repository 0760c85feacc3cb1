//! Planners answer at once, whatever they are asked for, and refuse counts beyond their limits.

use fathom::rlwe::modular::{Circuit, Encryption};
use fathom::wide::{self, VectorParams};
use fathom::{Error, SecurityLevel, bfv, bgv, ckks};
use std::time::{Duration, Instant};

/// Far more than any of these calls needs, with a wide margin for busy machines.
const AT_ONCE: Duration = Duration::from_secs(20);

/// Runs a call that must not take long.
fn at_once<T>(call: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = call();
    let time = start.elapsed();
    assert!(time < AT_ONCE, "{time:?}");
    result
}

fn assert_field<T: std::fmt::Debug>(result: Result<T, Error>, wanted: &str) {
    let refused = result.unwrap_err();
    assert!(matches!(&refused, Error::Spec { field, .. } if *field == wanted), "{refused}");
}

const SECURITY: SecurityLevel = SecurityLevel::Bits128;

#[test]
fn depths_beyond_every_ring_are_refused() {
    let depth = usize::MAX;
    let key = Encryption::PublicKey;
    assert_field(at_once(|| bfv::Params::for_depth(depth, 65537, key, SECURITY)), "depth");
    let refused = at_once(|| ckks::Params::for_precision(depth, 10.0, key, SECURITY));
    assert_field(refused, "precision_bits");
    let circuit = wide::Circuit { depth: u32::MAX, ..wide::Circuit::products_of::<u64>(1) };
    let empty = wide::Circuit { input_bits: 0, ..circuit };
    for circuit in [circuit, empty] {
        assert_field(at_once(|| VectorParams::plan(&circuit)), "depth");
        assert!(at_once(|| circuit.choose()).is_err());
        let params = wide::Params::preset(wide::Preset::E4Deep).unwrap();
        assert!(!at_once(|| params.survives(&circuit)));
    }
}

#[test]
fn counts_of_rotations_and_terms_take_no_time() {
    let circuit = Circuit {
        products: 3,
        rotations: 1 << 16,
        terms: 1 << 16,
        results: 1 << 16,
        encryption: Encryption::SecretKey,
    };
    let plan = at_once(|| bfv::Params::for_circuit(circuit, 65537, SECURITY));
    assert!(plan.is_ok() || matches!(plan, Err(Error::Spec { .. })));
    let plan = at_once(|| bgv::Params::for_circuit(circuit, 65537, SECURITY));
    assert!(plan.is_ok() || matches!(plan, Err(Error::Spec { .. })));
    let refused = Circuit { rotations: usize::MAX, ..circuit };
    assert_field(at_once(|| bfv::Params::for_circuit(refused, 65537, SECURITY)), "rotations");
    let refused = Circuit { terms: usize::MAX, ..circuit };
    assert_field(at_once(|| bfv::Params::for_circuit(refused, 65537, SECURITY)), "terms");
    let refused = Circuit { results: usize::MAX, ..circuit };
    assert_field(at_once(|| bfv::Params::for_circuit(refused, 65537, SECURITY)), "results");
}

#[test]
fn lists_of_primes_have_a_limit() {
    let refused = at_once(|| bfv::Params::batching_primes(64, 0, usize::MAX));
    assert_field(refused, "count");
    assert_eq!(at_once(|| bfv::Params::batching_primes(64, 0, 4096)).unwrap().len(), 4096);
}

#[test]
fn slots_hold_values_of_as_many_bits_as_documented() {
    let circuit = Circuit {
        products: 0,
        rotations: 0,
        terms: 1,
        results: 1,
        encryption: Encryption::SecretKey,
    };
    let plan = |bits| bfv::Params::for_slots(1024, bits, circuit, SECURITY);
    assert!(plan(40).unwrap().params().plain_modulus() > 1 << 40);
    for bits in [41, 44, u32::MAX] {
        assert_field(at_once(|| plan(bits)), "value_bits");
    }
    assert_field(at_once(|| bfv::Params::for_slots(usize::MAX, 8, circuit, SECURITY)), "slots");
}

#[test]
fn a_sum_of_no_slots_takes_no_rotations() {
    assert_eq!(bfv::Rotations::for_slot_sum(0).steps, [0; 0]);
    assert_eq!(bfv::Rotations::for_slot_sum(64).steps, [1, 2, 4, 8, 16]);
    assert_eq!(bfv::Rotations::for_sum(0).steps, [0; 0]);
}
