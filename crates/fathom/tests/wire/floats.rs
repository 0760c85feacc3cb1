//! No number that guards security or noise is taken unless it is one: every floating-point field of
//! every description and of every frame is set to values that compare in unexpected ways.

use crate::wire::sample::{HEADER, Sample, small, with};
use fathom::rlwe::Encryption;
use fathom::rlwe::modular::Preset;
use fathom::wide::{self, Circuit, Vector, VectorParams, VectorSecretKey};
use fathom::wire::{Wire, WireFresh, WireObject};
use fathom::{Error, SecretRng, SecurityLevel, bfv, bgv, ckks, tfhe};

/// Values that no field takes.
const WRONG: [f64; 11] = [
    f64::NAN,
    -f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    -0.0,
    5e-324,
    -5e-324,
    2.2e-308,
    -1e-300,
    1e308,
    -1e308,
];

/// A field of a description.
type Field<D> = (&'static str, fn(&mut D) -> &mut f64);

/// Sets every field to every wrong value, in the description itself and in the frame of the
/// parameters, where the field is found by its value.
fn sweep<D: Clone, P>(
    description: &D,
    fields: &[Field<D>],
    make: impl Fn(D) -> Result<P, Error>,
    encode: impl Fn(&P) -> Vec<u8>,
    decode: impl Fn(&[u8]) -> Result<P, Error>,
) {
    let frame = encode(&make(description.clone()).unwrap());
    for (name, field) in fields {
        let valid = *field(&mut description.clone());
        let places = positions(&frame, valid);
        assert!(!places.is_empty(), "{name} is not in the frame");
        // No probability at all asks for bounds of the worst case.
        let worst_case = |wrong: &f64| *name == "failure_log2" && *wrong == fathom::WORST_CASE;
        for wrong in WRONG.into_iter().filter(|wrong| !worst_case(wrong)) {
            let mut changed = description.clone();
            *field(&mut changed) = wrong;
            assert!(make(changed).is_err(), "{name} = {wrong:e}");
            for &place in &places {
                let hostile = with(&frame, place, &wrong.to_le_bytes());
                assert!(decode(&hostile).is_err(), "{name} = {wrong:e} at {place}");
            }
        }
    }
}

/// Returns the places of a number in the payload of a frame.
fn positions(frame: &[u8], number: f64) -> Vec<usize> {
    let windows = frame[HEADER..].windows(8).enumerate();
    let found = windows.filter(|(_, bytes)| *bytes == number.to_le_bytes());
    found.map(|(at, _)| HEADER + at).collect()
}

#[test]
fn descriptions_of_bfv_and_bgv_take_numbers_only() {
    let fields: [Field<bfv::Spec>; 4] = [
        ("chain_bits[0]", |spec| &mut spec.chain_bits[0]),
        ("chain_bits[1]", |spec| &mut spec.chain_bits[1]),
        ("special_bits[0]", |spec| &mut spec.special_bits[0]),
        ("failure_log2", |spec| &mut spec.failure_log2),
    ];
    let spec = bfv::Spec { failure_log2: -127.0, ..Preset::E1.spec() };
    sweep(&spec, &fields, bfv::Params::new, bfv::Params::to_bytes, bfv::Params::from_bytes);
    sweep(&spec, &fields, bgv::Params::new, bgv::Params::to_bytes, bgv::Params::from_bytes);
}

fn ckks_params() -> ckks::Params {
    ckks::Params::preset(ckks::Preset::E3Depth1).unwrap()
}

#[test]
fn descriptions_of_ckks_take_numbers_only() {
    type Set = ckks::Params;
    let fields: [Field<ckks::Spec>; 5] = [
        ("base_bits[0]", |spec| &mut spec.base_bits[0]),
        ("special_bits[0]", |spec| &mut spec.special_bits[0]),
        ("scale_bits", |spec| &mut spec.scale_bits),
        ("magnitude", |spec| &mut spec.magnitude),
        ("failure_log2", |spec| &mut spec.failure_log2),
    ];
    sweep(ckks_params().spec(), &fields, Set::new, Set::to_bytes, Set::from_bytes);
    for wrong in WRONG {
        let (encryption, security) = (Encryption::PublicKey, SecurityLevel::Bits128);
        assert!(Set::for_precision(1, wrong, encryption, security).is_err(), "{wrong:e}");
    }
}

#[test]
fn descriptions_of_exact_integers_take_numbers_only() {
    let fields: [Field<wide::Spec>; 3] = [
        ("chain_bits[0]", |spec| &mut spec.chain_bits[0]),
        ("special_bits[0]", |spec| &mut spec.special_bits[0]),
        ("failure_log2", |spec| &mut spec.failure_log2),
    ];
    let mut spec = wide::Params::preset(wide::Preset::E4).unwrap().spec().clone();
    spec.failure_log2 = -127.0;
    sweep(&spec, &fields, wide::Params::new, wide::Params::to_bytes, wide::Params::from_bytes);
}

#[test]
fn descriptions_of_tfhe_take_numbers_only() {
    let fields: [Field<tfhe::Spec>; 3] = [
        ("small_deviation_log2", |spec| &mut spec.small_deviation_log2),
        ("glwe_deviation_log2", |spec| &mut spec.glwe_deviation_log2),
        ("failure_log2", |spec| &mut spec.failure_log2),
    ];
    let shipped = tfhe::Params::preset(tfhe::Params::INTEGERS).unwrap();
    for (name, field) in fields {
        let places = positions(&shipped.to_bytes(), *field(&mut shipped.spec().clone()));
        assert!(!places.is_empty(), "{name}");
        for wrong in WRONG {
            let mut spec = *shipped.spec();
            *field(&mut spec) = wrong;
            let refused = tfhe::Params::new(spec).unwrap_err();
            assert!(matches!(refused, Error::Spec { .. }), "{name} = {wrong:e}: {refused}");
            for &place in &places {
                let hostile = with(&shipped.to_bytes(), place, &wrong.to_le_bytes());
                assert!(tfhe::Params::from_bytes(&hostile).is_err(), "{name} = {wrong:e}");
                assert!(tfhe::Params::from_bytes_assessing(&hostile).is_err(), "{name} {wrong:e}");
            }
        }
    }
}

/// The set of the fault: a noise variance without a limit passed because its probability of failure
/// was compared with what is no number.
#[test]
fn a_failure_probability_that_is_no_number_allows_no_noise() {
    let mut spec = *tfhe::Params::preset(tfhe::Params::INTEGERS).unwrap().spec();
    (spec.max_noise_variance, spec.failure_log2) = (u32::MAX, f64::NAN);
    let refused = tfhe::Params::new(spec).unwrap_err();
    assert!(matches!(refused, Error::Spec { field: "failure_log2", .. }), "{refused}");
}

/// A bound that is larger than necessary is true, and whoever states it is refused later.
const TRUE_BOUND: f64 = 1e308;

/// Sets the numbers at `places` to every value that is no bound.
fn refuses_claims(
    bytes: &[u8],
    places: impl IntoIterator<Item = usize>,
    read: impl Fn(&[u8]) -> bool,
) {
    assert!(read(bytes));
    for place in places {
        for wrong in WRONG.into_iter().filter(|wrong| *wrong != TRUE_BOUND) {
            assert!(!read(&with(bytes, place, &wrong.to_le_bytes())), "{wrong:e} at {place}");
        }
    }
}

/// Places of the nine numbers of a noise bound, from `start` on.
fn bound_at(start: usize) -> impl Iterator<Item = usize> {
    (0..9).map(move |number| start + 8 * number)
}

#[test]
fn claims_of_ciphertexts_are_numbers() {
    let sample = Sample::<bfv::Bfv>::new(small());
    // Frames of computed ciphertexts state their bounds; those of fresh ones too.
    let read = |bytes: &[u8]| bfv::Ciphertext::from_bytes(&sample.params, bytes).is_ok();
    refuses_claims(&sample.ciphertext.to_bytes(), bound_at(HEADER + 5), read);

    let (params, mut rng) = (ckks_params(), SecretRng::insecure_from_seed(3));
    let secret = ckks::SecretKey::generate(&params, &mut rng);
    let message = params.encode(&[0.5]).unwrap();
    let bytes = secret.encrypt(&message, &mut rng).unwrap().to_bytes();
    let scale = HEADER + 5 + 72;
    let read = |bytes: &[u8]| <ckks::Ciphertext>::from_bytes(&params, bytes).is_ok();
    refuses_claims(&bytes, bound_at(HEADER + 5).chain([scale]), read);
    let fresh = |bytes: &[u8]| <ckks::Ciphertext>::from_bytes_fresh(&params, bytes).is_ok();
    refuses_claims(&bytes, [scale], fresh);

    let params = wide::Params::preset(wide::Preset::E4).unwrap();
    let secret = wide::SecretKey::generate(&params, &mut rng);
    let message = params.encode(7_u64).unwrap();
    let bytes = secret.encrypt(&message, &mut rng).unwrap().to_bytes();
    let read = |bytes: &[u8]| wide::Ciphertext::from_bytes(&params, bytes).is_ok();
    refuses_claims(&bytes, bound_at(HEADER + 5), read);
}

#[test]
fn vectors_and_their_parameters_are_read_with_numbers_only() {
    let params = VectorParams::plan(&Circuit::products_of::<u64>(4)).unwrap();
    let frame = params.to_bytes();
    let places = positions(&frame, -128.0);
    assert_eq!(places.len(), 1);
    refuses_claims(&frame, places, |bytes| VectorParams::from_bytes(bytes).is_ok());

    let mut rng = SecretRng::insecure_from_seed(4);
    let secret = VectorSecretKey::generate(&params, &mut rng);
    let bytes = secret.encrypt(&[1_u64, 2, 3], &mut rng).unwrap().to_bytes();
    let read = |bytes: &[u8]| Vector::<u64>::from_bytes(&params, bytes).is_ok();
    refuses_claims(&bytes, [HEADER + 6].into_iter().chain(bound_at(HEADER + 14)), read);
}
