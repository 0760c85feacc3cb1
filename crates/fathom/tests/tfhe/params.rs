//! Parameter sets are what they claim.

use fathom::tfhe::{Decomposition, Error, KeyFamily, Params, Spec};

#[test]
fn presets_have_names_of_their_own_and_hold_their_claims() {
    let presets = Params::presets();
    for (index, params) in presets.iter().enumerate() {
        assert_eq!(Params::preset(params.name()).as_ref(), Some(params));
        assert!(presets[..index].iter().all(|other| other.id() != params.id()));
        assert!(params.security_bits().iter().all(|&bits| bits >= 128.0));
        let norm = f64::from(params.max_norm());
        assert!(params.failure_log2(norm) <= params.spec().failure_log2);
    }
}

#[test]
fn the_recorded_security_is_what_the_estimator_says() {
    for name in ["u22", "tfhe_rs_22"] {
        let recorded = Params::preset(name).unwrap();
        let estimated = Params::new(*recorded.spec()).unwrap();
        for (recorded, estimated) in recorded.security_bits().iter().zip(estimated.security_bits())
        {
            assert!((recorded - estimated).abs() < 0.1, "{name}: {recorded} {estimated}");
        }
    }
}

/// A change of one field, and the field that the refusal names.
type Refusal = (fn(&mut Spec), &'static str);

#[test]
fn every_field_is_checked() {
    let refusals: [Refusal; 10] = [
        (|spec| spec.message_bits = 0, "message_bits"),
        (|spec| spec.carry_bits = 30, "message_bits"),
        (|spec| spec.degree = 2000, "degree"),
        (|spec| spec.rank = 4, "rank"),
        (|spec| spec.family = KeyFamily::Uniform { group: 3 }, "family"),
        (|spec| spec.key_switch_degree = 3, "key_switch_degree"),
        (|spec| spec.small_dimension = 897, "small_dimension"),
        (|spec| spec.mask = Decomposition { base_log: 30, levels: 2 }, "decomposition"),
        (|spec| spec.glwe_deviation_log2 = 1.0, "deviation"),
        (|spec| spec.max_norm = 100_000, "failure_log2"),
    ];
    for (change, named) in refusals {
        let mut spec = *Params::message_2_carry_2().spec();
        change(&mut spec);
        let error = Params::new(spec).unwrap_err();
        assert!(matches!(error, Error::Spec { field, .. } if field == named), "{error}");
    }
}

#[test]
fn weak_keys_are_refused() {
    let mut spec = *Params::message_2_carry_2().spec();
    spec.small_deviation_log2 = -22.0;
    assert!(matches!(Params::new(spec).unwrap_err(), Error::Insecure(_)));
    let mut spec = *Params::message_2_carry_2().spec();
    spec.glwe_deviation_log2 = -52.0;
    assert!(matches!(Params::new(spec).unwrap_err(), Error::Insecure(_)));
}
