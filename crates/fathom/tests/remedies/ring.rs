//! Remedies of BFV, BGV, exact integers and vectors, and of files.

use super::remedied;
use crate::common::Setup;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{Ciphertext, Evaluator, Level, Params, Preset, Rotations, Spec};
use fathom::rlwe::{Encryption, KeyPlan};
use fathom::wire::{Wire, WireFresh, WireObject};
use fathom::{SecretRng, SecurityLevel, bfv, tfhe, wide};

fn setup() -> Setup<Bgv> {
    Setup::new(Preset::E1, &Rotations::none(), 1)
}

#[test]
fn more_products_need_parameters_of_greater_depth() {
    let mut s = setup();
    let x = s.random();
    let a = s.encrypt(&x);
    let square = s.evaluator.square(&a).unwrap();
    let error = s.evaluator.square(&square).unwrap_err();
    let remedy = "take parameters of greater depth, for instance with Params::for_depth";
    remedied(&error, "Error::NoiseExhausted", remedy);
    let plan =
        Params::<Bgv>::for_depth(2, s.t, Encryption::SecretKey, SecurityLevel::Bits128).unwrap();
    let mut deep = Setup::with(plan.params(), &Rotations::none(), 1);
    let a = deep.encrypt(&[3]);
    let square = deep.evaluator.square(&a).unwrap();
    let fourth = deep.evaluator.square(&square).unwrap();
    assert_eq!(deep.secret.decrypt(&fourth).unwrap().slots().unwrap()[0], 81);
}

#[test]
fn levels_are_aligned_by_mod_switch_to() {
    let mut s = setup();
    let x = s.random();
    let a = s.encrypt(&x);
    let low = s.evaluator.mod_switch_to(&a, 0).unwrap();
    let error = s.evaluator.add(&a, &low).unwrap_err();
    remedied(&error, "Error::LevelMismatch", "bring them to one with mod_switch_to");
    let switched = s.evaluator.mod_switch_to(&a, low.level()).unwrap();
    assert!(s.evaluator.add(&switched, &low).is_ok());
}

#[test]
fn a_higher_level_is_that_of_a_new_encryption() {
    let mut s = setup();
    let x = s.random();
    let low = s.secret.encrypt_at(&s.plain(&x), 0, &mut s.rng).unwrap();
    let error = s.evaluator.mod_switch_to(&low, 1).unwrap_err();
    remedied(&error, "Error::NoSuchLevel", "encrypt at a higher level");
    let high = s.secret.encrypt_at(&s.plain(&x), 1, &mut s.rng).unwrap();
    assert_eq!(s.evaluator.mod_switch_to(&high, 1).unwrap().level(), Level::new(1));
}

#[test]
fn products_of_three_components_are_relinearized_first() {
    let mut s = setup();
    let x = s.random();
    let a = s.encrypt(&x);
    let three = s.evaluator.tensor(&a, &a).unwrap();
    let error = s.evaluator.rotate(&three, 0).unwrap_err();
    remedied(&error, "Error::Components", "{}");
    assert!(error.to_string().ends_with("; relinearise first"), "{error}");
    assert!(s.evaluator.rotate(&s.evaluator.relinearize(&three).unwrap(), 0).is_ok());
    let error = s.evaluator.relinearize(&a).unwrap_err();
    assert!(error.to_string().ends_with("; it is relinearised already"), "{error}");
}

#[test]
fn one_parameter_set_and_one_key_serve_all() {
    let mut s = setup();
    let mut other = Setup::<Bgv>::new(Preset::E1Bits192, &Rotations::none(), 2);
    let mut stranger = setup_with_seed(3);
    let [a, b, c] = [s.encrypt(&[1]), other.encrypt(&[1]), stranger.encrypt(&[1])];
    let error = s.evaluator.add(&a, &b).unwrap_err();
    remedied(&error, "Error::ParamsMismatch", "use one set for all");
    let error = s.evaluator.add(&a, &c).unwrap_err();
    let remedy = "make all keys and ciphertexts with one secret key";
    remedied(&error, "Error::KeyMismatch", remedy);
    let again = s.encrypt(&[1]);
    assert!(s.evaluator.add(&a, &again).is_ok());
}

fn setup_with_seed(seed: u64) -> Setup<Bgv> {
    Setup::new(Preset::E1, &Rotations::none(), seed)
}

#[test]
fn missing_keys_are_made_by_the_secret_key() {
    let mut s = setup();
    let a = s.encrypt(&[1, 2]);
    let keyless = Evaluator::without_keys(&s.params);
    let error = keyless.mul(&a, &a).unwrap_err();
    remedied(
        &error,
        "Error::MissingRelinearizationKey",
        "make one with SecretKey::evaluation_keys",
    );
    let error = keyless.sub(&a, &a).unwrap_err();
    let remedy = "give the evaluator keys from SecretKey::evaluation_keys, which hold an \
                  encryption of zero";
    remedied(&error, "Error::Transparent", remedy);
    let error = s.evaluator.rotate(&a, 1).unwrap_err();
    let remedy = "request the rotation in SecretKey::evaluation_keys";
    remedied(&error, "Error::MissingGaloisKey", remedy);
    let plan = KeyPlan::none().with_rotations(&Rotations::steps(&[1]), s.params.degree(), 0);
    let low = Evaluator::new(s.secret.keys_for(&plan, &mut s.rng).unwrap());
    let error = low.rotate(&a, 1).unwrap_err();
    let remedy = "make it for that level in SecretKey::keys_for, or switch the operand down first";
    remedied(&error, "Error::KeyLevel", remedy);
    let below = low.mod_switch_to(&a, 0).unwrap();
    assert!(low.rotate(&below, 1).is_ok());
    let higher = plan.with_rotations(&Rotations::steps(&[1]), s.params.degree(), a.level());
    let higher = Evaluator::new(s.secret.keys_for(&higher, &mut s.rng).unwrap());
    assert!(higher.rotate(&a, 1).is_ok());
    let keys = s.secret.evaluation_keys(&Rotations::steps(&[1]), &mut s.rng).unwrap();
    let evaluator = Evaluator::new(keys);
    assert!(evaluator.mul(&a, &a).is_ok() && evaluator.sub(&a, &a).is_ok());
    assert!(evaluator.rotate(&a, 1).is_ok());
}

#[test]
fn more_values_than_slots_are_divided() {
    let s = setup();
    let values = vec![1; 5000];
    let error = s.params.encode(&values).unwrap_err();
    let remedy = "divide them among several plaintexts";
    remedied(&error, "Error::TooManyValues", remedy);
    assert!(values.chunks(s.params.slot_count()).all(|part| s.params.encode(part).is_ok()));
}

#[test]
fn moduli_with_slots_come_from_batching_primes() {
    let mut spec = Preset::E1.spec();
    spec.plain_modulus = 65539;
    let params = Params::<Bgv>::new(spec.clone()).unwrap();
    let error = params.encode(&[1]).unwrap_err();
    let remedy = "take a prime from batching_primes, encode coefficients, or compute modulo 2^k \
                  under tfhe and without a modulus under wide";
    remedied(&error, "Error::NoSlots", remedy);
    assert!(params.encode_coefficients(&[1]).is_ok());
    let other = "compute modulo 2 or 2^k under tfhe, without a modulus under wide, or take a prime \
                 of batching_primes";
    for plain_modulus in [2, 256, 15] {
        let made = Params::<Bgv>::new(Spec { plain_modulus, ..spec.clone() });
        let level = SecurityLevel::Bits128;
        let planned = Params::<Bgv>::for_depth(1, plain_modulus, Encryption::SecretKey, level);
        remedied(&made.unwrap_err(), "Error::Spec", other);
        remedied(&planned.unwrap_err(), "Error::Spec", other);
    }
    assert!(tfhe::Params::preset(tfhe::Params::INTEGERS).is_ok());
    assert!(wide::Params::preset(wide::Preset::ALL[0]).is_ok());
    spec.plain_modulus = Params::<Bgv>::batching_primes(spec.degree, 65000, 1).unwrap()[0];
    assert!(Params::<Bgv>::new(spec).unwrap().encode(&[1]).is_ok());
}

#[test]
fn computed_ciphertexts_are_read_from_trusted_senders() {
    let mut s = setup();
    let a = s.encrypt(&[5]);
    let bytes = s.evaluator.add(&a, &a).unwrap().to_bytes();
    let error = Ciphertext::from_bytes_fresh(&s.params, &bytes).unwrap_err();
    let remedy = "read it with from_bytes if its sender is trusted";
    remedied(&error, "WireError::NotFresh", remedy);
    let read = Ciphertext::from_bytes(&s.params, &bytes).unwrap();
    assert_eq!(s.secret.decrypt(&read).unwrap().slots().unwrap()[0], 10);
}

#[test]
fn damaged_bytes_are_sent_again() {
    let mut s = setup();
    let bytes = s.encrypt(&[5]).to_bytes();
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 1;
    let error = Ciphertext::from_bytes(&s.params, &damaged).unwrap_err();
    remedied(&error, "WireError::Checksum", "send them again");
    assert!(Ciphertext::from_bytes(&s.params, &bytes).is_ok());
}

#[test]
fn large_tables_are_read_within_another_limit() {
    let params = bfv::Params::preset(Preset::E1).unwrap();
    let bytes = params.to_bytes();
    let error = bfv::Params::from_bytes_within(&bytes, 1000).unwrap_err();
    let remedy = "from_bytes_within sets another limit";
    remedied(&error, "WireError::TableBytes", remedy);
    assert!(bfv::Params::from_bytes_within(&bytes, 1 << 30).is_ok());
}

#[test]
fn wide_integers_need_a_greater_degree() {
    let params = wide::Params::preset(wide::Preset::E4).unwrap();
    let widest = params.degree() as u32 - 1;
    let evaluator = wide::Evaluator::simulated(&params).unwrap();
    let error =
        evaluator.simulated_encryption_of_width(Encryption::SecretKey, widest + 1).unwrap_err();
    let remedy = "choose parameters of greater degree";
    remedied(&error, "WideError::TooWide", remedy);
    let deep = wide::Params::preset(wide::Preset::E4Deep).unwrap();
    assert!(deep.degree() > params.degree());
    let evaluator = wide::Evaluator::simulated(&deep).unwrap();
    assert!(evaluator.simulated_encryption_of_width(Encryption::SecretKey, widest + 1).is_ok());
}

#[test]
fn vectors_are_planned_for_their_circuit() {
    let mut rng = SecretRng::insecure_from_seed(5);
    let mut doubled = |sums: u32, doublings: u32| {
        let circuit = wide::Circuit::products_of::<u64>(sums);
        let params = wide::VectorParams::plan(&circuit).unwrap();
        let secret = wide::VectorSecretKey::generate(&params, &mut rng);
        let server = wide::VectorEvaluator::new(
            &secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap(),
        );
        let x: wide::Vector<u64> = secret.encrypt(&[u64::MAX, 3], &mut rng).unwrap();
        (0..doublings).try_fold(server.mul(&x, &x).unwrap(), |sum, _| server.add(&sum, &sum))
    };
    // Which of the two limits comes first depends on the primes.
    let refused: Vec<_> = (1..14).filter_map(|doublings| doubled(1, doublings).err()).collect();
    let remedy = "plan the parameters for a circuit of more products or sums";
    for error in &refused {
        assert!(error.to_string().ends_with(remedy), "{error}");
    }
    assert!(!refused.is_empty() && doubled(1 << 12, 12).is_ok());
    let error =
        wide::WideError::ValuesExceedModuli { operation: "add", bits: 65.0, limit_bits: 64.0 };
    remedied(&error.into(), "WideError::ValuesExceedModuli", remedy);
}

#[test]
fn products_that_are_added_come_from_mul() {
    let params = wide::Params::preset(wide::Preset::E4Deep).unwrap();
    let mut rng = SecretRng::insecure_from_seed(5);
    let secret = wide::SecretKey::generate(&params, &mut rng);
    let server = wide::Evaluator::new(secret.evaluation_keys(&mut rng).unwrap());
    let [a, b] = [5_i64, 7].map(|x| secret.encrypt(&params.encode(x).unwrap(), &mut rng).unwrap());
    let product = server.relinearize(&server.tensor(&a, &b).unwrap()).unwrap();
    let error = server.add(&product, &a).unwrap_err();
    remedied(&error, "Error::FactorMismatch", "multiply with mul instead of tensor");
    let sum = server.add(&server.mul(&a, &b).unwrap(), &a).unwrap();
    assert_eq!(secret.decrypt(&sum).unwrap().value().to_i64(), Some(40));
}

#[test]
fn vectors_without_a_mask_get_the_encryption_of_zero_of_the_keys() {
    let mut rng = SecretRng::insecure_from_seed(7);
    let params = wide::VectorParams::plan(&wide::Circuit::products_of::<u64>(1)).unwrap();
    let secret = wide::VectorSecretKey::generate(&params, &mut rng);
    let server =
        wide::VectorEvaluator::new(&secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap());
    let x: wide::Vector<u64> = secret.encrypt(&[5, 3], &mut rng).unwrap();
    let error = wide::VectorEvaluator::without_keys(&params).sub(&x, &x).unwrap_err();
    let remedy = "give the evaluator keys from SecretKey::evaluation_keys, which hold an \
                  encryption of zero";
    remedied(&error, "Error::Transparent", remedy);
    let masked = server.sub(&x, &x).unwrap();
    assert_eq!(secret.decrypt(&masked).unwrap()[0].to_i64(), Some(0));
}
