//! Each error is produced, with its numbers and its remedy.

use crate::common::Setup;
use fathom::bfv::{Bfv, MsbCiphertext};
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{
    Ciphertext, Evaluator, Level, LinearMap, Packed, Params, Preset, Rotations, SecretKey, Spec,
};
use fathom::wire::{Wire, WireObject};
use fathom::{Error, Gadget, SecretRng};

fn setup() -> Setup<Bgv> {
    Setup::new(Preset::E1, &Rotations::none(), 1)
}

/// Checks that the message contains all of these parts.
fn says(error: &Error, parts: &[&str]) {
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in: {text}");
    }
    assert!(text.len() < 300, "{text}");
}

fn changed(preset: Preset, change: impl FnOnce(&mut Spec)) -> Error {
    let mut spec = preset.spec();
    change(&mut spec);
    Params::<Bgv>::new(spec).unwrap_err()
}

#[test]
fn noise_exhausted() {
    let mut s = setup();
    let x = s.random();
    let a = s.encrypt(&x);
    let product = s.evaluator.mul(&a, &a).unwrap();
    let error = s.evaluator.mul(&product, &product).unwrap_err();
    let Error::NoiseExhausted { operation, level, needed_bits, left_bits, .. } = error else {
        panic!("{error}")
    };
    assert_eq!((operation, level), ("mul", Level::ZERO));
    assert!((left_bits - product.noise_budget_bits()).abs() < 1e-9);
    let needed = format!("needs {needed_bits:.1} bits");
    let left = format!("{left_bits:.1} are left");
    says(&error, &["mul", &needed, &left, "level 0", "Params::for_depth"]);
}

#[test]
fn level_mismatch() {
    let mut s = setup();
    let x = s.random();
    let a = s.encrypt(&x);
    let low = s.evaluator.mod_switch_to(&a, 0).unwrap();
    let error = s.evaluator.add(&a, &low).unwrap_err();
    assert_eq!(error, Error::LevelMismatch { left: Level::new(1), right: Level::new(0) });
    says(&error, &["levels 1 and 0", "mod_switch_to"]);
}

#[test]
fn no_such_level() {
    let mut s = setup();
    let x = s.random();
    let a = s.encrypt(&x);
    let low = s.evaluator.mod_switch_to(&a, 0).unwrap();
    let error = s.evaluator.mod_switch_to(&low, 1).unwrap_err();
    assert_eq!(error, Error::NoSuchLevel { from: Level::new(0), to: Level::new(1) });
    says(&error, &["from level 0 to level 1"]);
    let plain = s.plain(&x);
    let error = s.secret.encrypt_at(&plain, 2, &mut s.rng).unwrap_err();
    assert_eq!(error, Error::NoSuchLevel { from: Level::new(1), to: Level::new(2) });
}

#[test]
fn components() {
    let mut s = setup();
    let x = s.random();
    let a = s.encrypt(&x);
    let e = s.evaluator.clone();
    let three = e.tensor(&a, &a).unwrap();
    for error in [
        e.mul(&three, &a).unwrap_err(),
        e.tensor(&a, &three).unwrap_err(),
        e.rotate(&three, 1).unwrap_err(),
        e.rotate_many(&three, &[1]).unwrap_err(),
        e.dot(std::slice::from_ref(&three), std::slice::from_ref(&three)).unwrap_err(),
    ] {
        assert!(matches!(error, Error::Components { expected: 2, got: 3, .. }), "{error}");
        says(&error, &["2 components", "got 3", "relinearise first"]);
    }
    let error = e.relinearize(&a).unwrap_err();
    assert_eq!(error, Error::Components { operation: "relinearize", expected: 3, got: 2 });
    says(&error, &["3 components", "got 2", "relinearised already"]);
}

/// Two clients use the same parameters: no operation accepts objects of the other's key.
#[test]
fn s4_objects_of_two_secret_keys_are_not_combined() {
    let mut s = setup();
    let mut other = Setup::<Bgv>::with(&s.params, &Rotations::steps(&[1]), 7);
    assert_ne!(s.secret.id(), other.secret.id());
    let x = s.random();
    let (a, b, c) = (s.encrypt(&x), other.encrypt(&x), other.encrypt_public(&x));
    let map = LinearMap::new(&s.params, &[vec![1, 0], vec![0, 1]]).unwrap();
    let (e, keyless) = (s.evaluator.clone(), Evaluator::without_keys(&s.params));
    let traveled = Ciphertext::from_bytes(&s.params, &b.to_bytes()).unwrap();
    let product = other.evaluator.tensor(&b, &c).unwrap();
    let errors = [
        e.add(&a, &b).unwrap_err(),
        e.sub(&c, &a).unwrap_err(),
        e.sum(&[a.clone(), a.clone(), b.clone()]).unwrap_err(),
        keyless.add(&a, &b).unwrap_err(),
        keyless.tensor(&a, &c).unwrap_err(),
        e.add(&a, &traveled).unwrap_err(),
        // Both operands belong to the other client, the evaluation keys to this one.
        e.add(&b, &c).unwrap_err(),
        e.mul(&b, &c).unwrap_err(),
        e.dot(&[a.clone(), b.clone()], &[a.clone(), c.clone()]).unwrap_err(),
        e.relinearize(&product).unwrap_err(),
        e.relinearize_and_switch(&product).unwrap_err(),
        e.neg(&b).unwrap_err(),
        e.mul_scalar(&b, 3).unwrap_err(),
        e.mul_plain(&b, &s.plain(&x).to_multiplicand()).unwrap_err(),
        e.add_plain(&b, &s.plain(&x)).unwrap_err(),
        e.add_scalar(&b, 3).unwrap_err(),
        e.rotate(&b, 1).unwrap_err(),
        e.rotate_many(&b, &[1]).unwrap_err(),
        e.mod_switch_to(&b, 0).unwrap_err(),
        e.evaluate_polynomial(&b, &[1, 2, 3]).unwrap_err(),
        e.transform(&map, &Packed::assume(2, b.clone())).unwrap_err(),
        s.secret.decrypt(&b).unwrap_err(),
        s.secret.decrypt(&traveled).unwrap_err(),
        s.secret.debug_noise_budget_bits(&c, &s.plain(&x)).unwrap_err(),
    ];
    for (i, error) in errors.iter().enumerate() {
        assert!(matches!(error, Error::KeyMismatch { .. }), "{i}: {error}");
    }
    let text = errors[0].to_string();
    let ids = [s.secret.id(), other.secret.id()].map(|id| id.to_string());
    assert!(ids.iter().all(|id| text.contains(id)), "{text}");
    let reread = SecretKey::from_secret_bytes(&s.params, &s.secret.to_secret_bytes()).unwrap();
    assert_eq!(reread.id(), s.secret.id());
    assert_eq!(reread.decrypt(&a).unwrap().slots().unwrap(), x);
}

/// The operations that BFV alone has refuse objects of another client too.
#[test]
fn s4_objects_of_two_secret_keys_are_not_combined_in_bfv() {
    let mut s = Setup::<Bfv>::new(Preset::E1, &Rotations::none(), 1);
    let mut other = Setup::<Bfv>::with(&s.params, &Rotations::none(), 7);
    let x = s.random();
    let (a, b) = (s.encrypt(&x), other.encrypt(&x));
    // The form of the BFV paper keeps the key, on the way over bytes too.
    let msb = MsbCiphertext::from_bytes(&s.params, &b.to_msb().to_bytes()).unwrap();
    let [returned, traveled] = [&b.to_msb(), &msb].map(|msb| s.params.from_msb(msb).unwrap());
    let e = s.evaluator.clone();
    let errors = [
        e.mul_scale_invariant(&a, &b).unwrap_err(),
        e.mul_scale_invariant(&b, &b).unwrap_err(),
        e.add(&a, &returned).unwrap_err(),
        e.mul_scale_invariant(&a, &traveled).unwrap_err(),
        e.neg(&traveled).unwrap_err(),
        s.secret.decrypt(&returned).unwrap_err(),
        s.secret.decrypt(&traveled).unwrap_err(),
    ];
    for (i, error) in errors.iter().enumerate() {
        assert!(matches!(error, Error::KeyMismatch { .. }), "{i}: {error}");
    }
    assert_eq!(other.secret.decrypt(&traveled).unwrap().slots().unwrap(), x);
}

/// Beyond the limit, the phase wraps around and looks small again.
#[test]
fn a_measure_of_noise_needs_the_message_that_is_there() {
    let mut s = setup();
    let x = s.random();
    let (a, plain) = (s.encrypt(&x), s.plain(&x));
    assert!(s.secret.debug_noise_budget_bits(&a, &plain).unwrap() > 0.0);
    let other = s.plain(&[1, 2, 3]);
    assert_eq!(s.secret.debug_noise_budget_bits(&a, &other), Err(Error::OtherMessage));
}

#[test]
fn params_mismatch() {
    let mut s = setup();
    let mut other = Setup::<Bgv>::new(Preset::E1Bits192, &Rotations::none(), 2);
    let x = s.random();
    let (a, b) = (s.encrypt(&x), other.encrypt(&x));
    let foreign = other.plain(&x);
    let e = s.evaluator.clone();
    let errors = [
        e.add(&a, &b).unwrap_err(),
        e.mul(&b, &a).unwrap_err(),
        e.add_plain(&a, &foreign).unwrap_err(),
        e.mul_plain(&a, &foreign.to_multiplicand()).unwrap_err(),
        e.rotate(&b, 1).unwrap_err(),
        e.mod_switch_to(&b, 0).unwrap_err(),
        s.secret.decrypt(&b).unwrap_err(),
        s.secret.debug_noise_budget_bits(&b, &foreign).unwrap_err(),
        s.secret.encrypt(&foreign, &mut s.rng).unwrap_err(),
        s.public.encrypt(&foreign, &mut s.rng).unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, Error::ParamsMismatch { .. }), "{error}");
        says(&error, &["e1", "e1-192"]);
    }
}

#[test]
fn equal_parameters_made_twice_are_the_same() {
    let mut s = setup();
    let again = Params::<Bgv>::preset(Preset::E1).unwrap();
    let x = s.random();
    let plain = again.encode(&x).unwrap();
    assert_eq!(s.params, again);
    assert!(s.secret.encrypt(&plain, &mut s.rng).is_ok());
}

#[test]
fn missing_relinearization_key() {
    let mut s = setup();
    let x = s.random();
    let a = s.encrypt(&x);
    let keyless = Evaluator::without_keys(&s.params);
    let error = keyless.mul(&a, &a).unwrap_err();
    assert_eq!(error, Error::MissingRelinearizationKey);
    says(&error, &["relinearisation key", "SecretKey::evaluation_keys"]);
}

#[test]
fn missing_galois_key() {
    let mut s = setup();
    let x = s.random();
    let a = s.encrypt(&x);
    let error = s.evaluator.rotate(&a, 2).unwrap_err();
    assert_eq!(
        error,
        Error::MissingGaloisKey { exponent: 9, rotation: "rotation by 2".to_owned() }
    );
    says(&error, &["Galois element 9", "rotation by 2", "SecretKey::evaluation_keys"]);
    let error = s.evaluator.swap_rows(&a).unwrap_err();
    says(&error, &["8191", "row swap"]);
    assert!(s.evaluator.rotate_many(&a, &[0, 2]).is_err());
}

#[test]
fn too_many_values() {
    let s = setup();
    let values = vec![0; 4097];
    let expected = Error::TooManyValues { given: 4097, capacity: 4096 };
    for error in [
        s.params.encode(&values).unwrap_err(),
        s.params.encode_coefficients(&values).unwrap_err(),
        s.params.encode_reversed(&values).unwrap_err(),
        s.params.encode_signed(&vec![0; 4097]).unwrap_err(),
    ] {
        assert_eq!(error, expected);
        says(&error, &["4097", "4096"]);
    }
}

#[test]
fn value_out_of_range() {
    let s = setup();
    let error = s.params.encode(&[1, 2, 65537]).unwrap_err();
    assert_eq!(error, Error::ValueOutOfRange { index: 2, low: 0, high: 65536 });
    says(&error, &["number 2", "0..=65536"]);
    assert!(!error.to_string().contains("65537"), "the value is not shown");
    for values in [[0, -32769], [0, 32769]] {
        let error = s.params.encode_signed(&values).unwrap_err();
        assert_eq!(error, Error::ValueOutOfRange { index: 1, low: -32768, high: 32768 });
    }
    assert!(s.params.encode_signed(&[-32768, 32768]).is_ok());
    assert!(s.params.encode_coefficients(&[u64::MAX]).is_err());
    assert!(s.params.encode_reversed(&[65537]).is_err());
}

#[test]
fn no_slots() {
    let mut spec = Preset::E1.spec();
    spec.plain_modulus = 65539;
    let params = Params::<Bgv>::new(spec).unwrap();
    assert_eq!(params.slot_count(), 0);
    let expected = Error::NoSlots { plain_modulus: 65539, degree: 4096, step: 8192 };
    assert_eq!(params.encode(&[1]).unwrap_err(), expected);
    let coefficients = params.encode_coefficients(&[1]).unwrap();
    assert_eq!(coefficients.slots().unwrap_err(), expected);
    assert_eq!(coefficients.slots_signed().unwrap_err(), expected);
    says(&expected, &["65539", "4096", "8192"]);
}

/// A rotation permutes slots; without them it would permute and negate coefficients.
#[test]
fn a_modulus_without_slots_has_no_rotations_and_no_sums_of_slots() {
    let params = Params::<Bgv>::new(Spec { plain_modulus: 65539, ..Preset::E1.spec() }).unwrap();
    let mut rng = SecretRng::insecure_from_seed(9);
    let secret = SecretKey::generate(&params, &mut rng);
    let none = |result: Result<(), Error>| {
        assert!(matches!(result, Err(Error::NoSlots { plain_modulus: 65539, .. })), "{result:?}");
    };
    none(secret.evaluation_keys(&Rotations::steps(&[1]), &mut rng).map(drop));
    none(secret.evaluation_keys(&Rotations::for_slot_sum(4096), &mut rng).map(drop));
    none(LinearMap::new(&params, &[vec![0]]).map(drop));
    // Keys that came from elsewhere.
    let galois = secret.galois_keys(&Rotations::for_slot_sum(4096), &mut rng);
    let keys = secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap();
    let server = Evaluator::new(keys.with_galois_keys(&galois).unwrap());
    let plain = params.encode_coefficients(&[1, 2, 3]).unwrap();
    let a = secret.encrypt(&plain, &mut rng).unwrap();
    none(server.rotate(&a, 1).map(drop));
    none(server.rotate(&a, 0).map(drop));
    none(server.rotate_many(&a, &[1, 2]).map(drop));
    none(server.swap_rows(&a).map(drop));
    none(server.sum_slots(&a).map(drop));
    none(server.sum_rows(&a).map(drop));
    none(server.sum_rotations(&a, 1).map(drop));
    none(server.sum_prefix(&a, 4096).map(drop));
    none(server.sum_prefix(&a, 5).map(drop));
    // The remedy: what needs no slots works on coefficients.
    let doubled = secret.decrypt(&server.add(&a, &a).unwrap()).unwrap();
    assert_eq!(doubled.coefficients()[..3], [2, 4, 6]);
}

/// The smallest plan for the secret key may have no room for the noise of the public key.
#[test]
fn an_encryption_without_noise_budget_is_refused() {
    let spec = Spec { special_bits: vec![], chain_bits: vec![24.0], ..Preset::E1.spec() };
    let spec = Spec { gadget: Gadget::Positional { base_log: 8 }, ..spec };
    let params = Params::<Bgv>::new(spec).unwrap();
    let mut rng = SecretRng::insecure_from_seed(10);
    let secret = SecretKey::generate(&params, &mut rng);
    let public = secret.public_key(&mut rng);
    let plain = params.encode(&[1]).unwrap();
    let refused = public.encrypt(&plain, &mut rng).unwrap_err();
    let Error::NoiseExhausted { operation: "encrypt", needed_bits, left_bits, .. } = refused else {
        panic!("{refused}")
    };
    assert!(needed_bits > left_bits && left_bits >= 0.0);
}

#[test]
fn list_length() {
    let mut s = setup();
    let x = s.random();
    let a = s.encrypt(&x);
    let e = s.evaluator.clone();
    let two = [a.clone(), a.clone()];
    let error = e.dot(&two, &two[..1]).unwrap_err();
    assert_eq!(error, Error::ListLength { operation: "dot", left: 2, right: 1 });
    says(&error, &["dot", "got 2 and 1"]);
    assert!(matches!(e.dot(&[], &[]), Err(Error::ListLength { left: 0, .. })));
    assert!(matches!(e.sum(&[]), Err(Error::ListLength { operation: "sum", .. })));
}

#[test]
fn count() {
    let mut s = setup();
    let x = s.random();
    let a = s.encrypt(&x);
    let e = s.evaluator.clone();
    for count in [0, 2049] {
        let error = e.sum_rotations(&a, count).unwrap_err();
        assert_eq!(error, Error::Count { operation: "sum_rotations", count, limit: 2048 });
        says(&error, &["sum_rotations adds 1 to 2048 terms", &format!("got {count}")]);
    }
    for count in [0, 4097] {
        let error = e.sum_prefix(&a, count).unwrap_err();
        assert_eq!(error, Error::Count { operation: "sum_prefix", count, limit: 4096 });
    }
}

/// Lengths and places are no numbers of terms.
#[test]
fn windows_beyond_the_slots() {
    let mut s = setup();
    let a = s.encrypt(&[1, 2, 3]);
    let e = s.evaluator.clone();
    let texts = [
        (e.rotate_prefix(&a, 0, 1), "rotate_prefix takes a length from 1 to 2048, got 0"),
        (e.shift_prefix(&a, 2049, 1), "shift_prefix takes a length from 1 to 2048, got 2049"),
        (e.replicate(&a, 4096), "replicate takes a slot from 0 to 4095, got 4096"),
    ];
    for (refused, text) in texts {
        assert_eq!(refused.unwrap_err().to_string(), text);
    }
}

/// A sum that the noise budget does not allow is refused as a whole, with what it needs.
#[test]
fn sums_beyond_the_budget() {
    let mut s = Setup::<Bgv>::new(Preset::E1, &Rotations::for_slot_sum(4096), 31);
    let mut a = s.encrypt(&[1]);
    while let Ok(next) = s.evaluator.add(&a, &a) {
        a = next;
    }
    for (error, operation) in [
        (s.evaluator.sum_slots(&a).unwrap_err(), "sum_slots"),
        (s.evaluator.sum_rotations(&a, 100).unwrap_err(), "sum_rotations"),
    ] {
        let Error::NoiseExhausted { operation: named, needed_bits, .. } = error else {
            panic!("{error}")
        };
        assert_eq!(named, operation);
        assert!(needed_bits >= 6.0, "{needed_bits} bits for a sum of at least a hundred terms");
    }
}

#[test]
fn transparent() {
    let mut s = setup();
    let x = s.random();
    let a = s.encrypt(&x);
    let keyless = Evaluator::without_keys(&s.params);
    let error = keyless.sub(&a, &a).unwrap_err();
    let Error::Transparent { operation: "sub", .. } = error else { panic!("{error}") };
    says(&error, &["sub", "transparent", "SecretKey::evaluation_keys"]);
}

#[test]
fn spec() {
    type Change = fn(&mut Spec);
    let cases: [(&str, &str, Change); 10] = [
        ("chain_bits", "between 14 and 61", |s| s.chain_bits[0] = 13.0),
        ("special_bits", "between 14 and 61", |s| s.special_bits[0] = 62.0),
        ("chain_bits", "more than 64", |s| s.chain_bits = vec![30.0; 65]),
        ("chain_bits", "at least one prime", |s| s.chain_bits.clear()),
        ("chain_bits", "needs 21.5", |s| s.chain_bits[1] = 21.0),
        ("special_bits", "needs 17.0", |s| s.special_bits[0] = 16.0),
        ("failure_log2", "2^-256", |s| s.failure_log2 = -300.0),
        ("gadget", "at least one prime", |s| s.gadget = Gadget::Hybrid { limbs: 0 }),
        ("gadget", "needs a special prime", |s| s.special_bits.clear()),
        ("gadget", "no special primes", |s| s.gadget = Gadget::Positional { base_log: 8 }),
    ];
    for (field, why, change) in cases {
        let error = changed(Preset::E1, change);
        let Error::Spec { field: named, reason } = &error else { panic!("{why}: {error}") };
        if why != "at least one prime" || field == "gadget" {
            assert_eq!(*named, field, "{reason}");
        }
        says(&error, &[why]);
    }
    let wide = changed(Preset::E1Bits256, |s| s.gadget = Gadget::Positional { base_log: 31 });
    says(&wide, &["gadget", "2 to 30 bits"]);
}

#[test]
fn insecure() {
    let error = changed(Preset::E1, |s| s.chain_bits.push(30.0));
    assert!(matches!(error, Error::Insecure(_)), "{error}");
    says(&error, &["4096", "106", "128"]);
    let error = changed(Preset::E1, |s| s.degree = 64);
    assert!(matches!(error, Error::Insecure(_)), "{error}");
}

#[test]
fn ring() {
    for (error, part) in [
        (changed(Preset::E1, |s| s.degree = 4095), "4095"),
        (changed(Preset::E1, |s| s.degree = 1 << 20), "1048576"),
    ] {
        assert!(matches!(error, Error::Ring(_)), "{error}");
        says(&error, &[part]);
    }
    let scarce = changed(Preset::E5Bits256, |s| s.chain_bits = vec![22.1; 20]);
    assert!(matches!(scarce, Error::Ring(fathom_ring::Error::PrimeSupply { .. })), "{scarce}");
}

#[test]
fn refusals_leave_the_operands_as_they_were() {
    let mut s = Setup::<Bfv>::new(Preset::E1, &Rotations::none(), 3);
    let x = s.random();
    let a = s.encrypt(&x);
    let budget = a.noise_budget_bits();
    assert!(s.evaluator.rotate(&a, 2).is_err());
    assert!(s.evaluator.mod_switch_to(&a, 9).is_err());
    assert!((a.noise_budget_bits() - budget).abs() < 1e-12);
    s.check("after refusals", &a, &x);
}
