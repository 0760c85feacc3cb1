//! The identifier of parameters covers everything that two parties must agree on.
//!
//! Every field of a description is varied. The name is left out, because it is a label for
//! messages and result files, and two parties may call the same set by different names. Sizes of
//! primes count by the primes that they stand for.

use fathom::rlwe::modular::Spec;
use fathom::wide::{Circuit, Encryption, Relinearization, VectorParams};
use fathom::wire::{WireFresh, WireObject};
use fathom::{Gadget, SecurityLevel, bfv, bgv, ckks, wide};

/// Asserts that all identifiers differ from each other.
fn assert_distinct(ids: &[(&str, [u8; 32])]) {
    for (i, (name, id)) in ids.iter().enumerate() {
        for (other, of_other) in &ids[..i] {
            assert_ne!(id, of_other, "{name} and {other}");
        }
    }
}

fn small() -> Spec {
    Spec {
        name: "small".to_owned(),
        degree: 8192,
        plain_modulus: 65537,
        chain_bits: vec![40.0, 40.0],
        special_bits: vec![41.0],
        gadget: Gadget::Hybrid { limbs: 1 },
        secret_weight: None,
        security: SecurityLevel::Bits128,
        failure_log2: -128.0,
    }
}

/// Descriptions that differ from the first one in one field each.
fn variants() -> Vec<(&'static str, Spec)> {
    let positional = Gadget::Positional { base_log: 20 };
    let without = Spec { special_bits: vec![], gadget: positional, ..small() };
    vec![
        ("itself", small()),
        ("degree", Spec { degree: 16_384, ..small() }),
        ("plain_modulus", Spec { plain_modulus: 786_433, ..small() }),
        ("chain_bits", Spec { chain_bits: vec![40.0, 41.5], ..small() }),
        ("number of chain_bits", Spec { chain_bits: vec![40.0], ..small() }),
        ("special_bits", Spec { special_bits: vec![42.5], ..small() }),
        ("limbs of a digit", Spec { gadget: Gadget::Hybrid { limbs: 2 }, ..small() }),
        ("secret_weight", Spec { secret_weight: Some(256), ..small() }),
        ("security", Spec { security: SecurityLevel::Bits192, ..small() }),
        ("failure_log2", Spec { failure_log2: -64.0, ..small() }),
        ("kind of gadget", without.clone()),
        ("base_log", Spec { gadget: Gadget::Positional { base_log: 19 }, ..without }),
    ]
}

#[test]
fn every_field_of_integer_sets_changes_the_identifier() {
    let mut ids = Vec::new();
    for (field, spec) in variants() {
        ids.push((field, *bfv::Params::new(spec.clone()).unwrap().id()));
        ids.push((field, *bgv::Params::new(spec).unwrap().id()));
    }
    assert_distinct(&ids);
    let renamed = Spec { name: "other".to_owned(), ..small() };
    assert_eq!(bfv::Params::new(small()).unwrap(), bfv::Params::new(renamed).unwrap());
}

#[test]
fn every_field_of_real_sets_changes_the_identifier() {
    let base = || ckks::Preset::E3.spec();
    let variants = [
        ("itself", base()),
        ("degree", ckks::Spec { degree: 32_768, ..base() }),
        ("base_bits", ckks::Spec { base_bits: vec![45.0], ..base() }),
        ("number of base_bits", ckks::Spec { base_bits: vec![30.0, 30.0], ..base() }),
        ("depth", ckks::Spec { depth: 5, ..base() }),
        ("scale_bits", ckks::Spec { scale_bits: 38.000_000_1, ..base() }),
        ("special_bits", ckks::Spec { special_bits: vec![42.0, 42.0, 43.0], ..base() }),
        ("digit_limbs", ckks::Spec { digit_limbs: 2, ..base() }),
        ("magnitude", ckks::Spec { magnitude: 500.0, ..base() }),
        ("security", ckks::Spec { degree: 32_768, security: SecurityLevel::Bits192, ..base() }),
        ("failure_log2", ckks::Spec { failure_log2: -64.0, ..base() }),
    ];
    let mut ids = Vec::new();
    for (field, spec) in variants {
        ids.push((field, *ckks::Params::new(spec.clone()).unwrap().id()));
        ids.push((field, *ckks::explicit::Params::new(spec).unwrap().id()));
    }
    assert_distinct(&ids);
}

#[test]
fn every_field_of_wide_integer_sets_changes_the_identifier() {
    let base = || wide::Preset::E4Deep.spec();
    let variants = [
        ("itself", base()),
        ("degree", wide::Spec { degree: 8192, ..base() }),
        ("chain_bits", wide::Spec { chain_bits: vec![39.0, 38.0], ..base() }),
        ("number of chain_bits", wide::Spec { chain_bits: vec![39.0], ..base() }),
        ("special_bits", wide::Spec { special_bits: vec![27.0], ..base() }),
        ("gadget", wide::Spec { gadget: Gadget::Hybrid { limbs: 2 }, ..base() }),
        ("product", wide::Spec { product: wide::Product::Tensor, ..base() }),
        ("security", wide::Spec { degree: 8192, security: SecurityLevel::Bits192, ..base() }),
        ("failure_log2", wide::Spec { failure_log2: -64.0, ..base() }),
    ];
    let id = |spec: &wide::Spec| *wide::Params::new(spec.clone()).unwrap().id();
    let ids: Vec<_> = variants.iter().map(|(field, spec)| (*field, id(spec))).collect();
    assert_distinct(&ids);
}

/// The descriptions of vectors are made by the planner only; their bytes hold every field.
#[test]
fn plans_of_vectors_have_one_identifier_exactly_if_they_have_the_same_bytes() {
    let base = Circuit::products_of::<u64>(1);
    let circuits = [
        base,
        Circuit { input_bits: 32, ..base },
        Circuit { depth: 2, ..base },
        Circuit { sums: 1000, ..base },
        Circuit { elements: 100_000, ..base },
        Circuit { encryption: Encryption::PublicKey, ..base },
        Circuit { relinearization: Relinearization::Without, ..base },
        Circuit { security: SecurityLevel::Bits192, ..base },
    ];
    let plans: Vec<_> = circuits.iter().map(|c| VectorParams::plan(c).unwrap()).collect();
    for (i, a) in plans.iter().enumerate() {
        for b in &plans[..i] {
            assert_eq!(a.to_bytes() == b.to_bytes(), a.id() == b.id());
        }
    }
}

/// Keys and ciphertexts of a set for larger values are refused by a set for smaller ones.
#[test]
fn sets_of_different_magnitudes_are_not_interchangeable() {
    let wide = ckks::Spec { magnitude: 500.0, ..ckks::Preset::E3.spec() };
    let [narrow, wide] = [ckks::Preset::E3.spec(), wide].map(|s| ckks::Params::new(s).unwrap());
    let mut rng = fathom::SecretRng::insecure_from_seed(1);
    let secret = ckks::SecretKey::generate(&wide, &mut rng);
    let c = secret.encrypt(&wide.encode(&[400.0]).unwrap(), &mut rng).unwrap();
    let received = ckks::Ciphertext::from_bytes_fresh(&narrow, &c.to_bytes()).err();
    assert!(matches!(received, Some(fathom::Error::ParamsMismatch { .. })), "{received:?}");
    let server = ckks::Evaluator::without_keys(&narrow);
    assert!(matches!(server.neg(&c), Err(fathom::Error::ParamsMismatch { .. })));
}
