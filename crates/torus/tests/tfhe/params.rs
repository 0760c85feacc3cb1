//! The properties of the parameter sets.

use fathom::Error;
use fathom::tfhe::{Decomposition, KeyFamily, Params, Spec};

#[test]
fn presets_have_names_of_their_own_and_hold_their_claims() {
    let presets = Params::presets();
    for (index, params) in presets.iter().enumerate() {
        assert_eq!(Params::preset(params.name()).as_ref(), Ok(params));
        assert!(presets[..index].iter().all(|other| other.id() != params.id()));
        assert!(params.security_bits().iter().all(|&bits| bits >= 128.0));
        let noise_variance = f64::from(params.max_noise_variance());
        assert!(params.failure_log2(noise_variance) <= params.spec().failure_log2);
    }
}

/// Rounding a word of a mask adds a variance of `2^-64 / 12` for each one in the key.
#[test]
fn rounded_masks_add_at_most_a_thousandth_of_the_noise() {
    for params in Params::presets() {
        let rounding = params.big_dimension() as f64 / 2.0 * (-64_f64).exp2() / 12.0;
        let share = rounding / params.noise().variances().blind_rotation;
        assert!(share < 1e-3, "{}: {share}", params.name());
    }
}

/// The tests of the estimator check the security and the failure probability of the table's rows.
#[test]
fn presets_are_rows_of_the_published_table() {
    let table = include_str!("../../../../docs/maths/tfhe-parameters.toml");
    let table: toml::Value = toml::from_str(table).unwrap();
    for params in Params::presets() {
        let rows = table["set"].as_array().unwrap();
        let row = rows.iter().find(|row| row["name"].as_str() == Some(params.name())).unwrap();
        assert_eq!(described(params.spec()), published(row), "{}", params.name());
    }
}

/// Returns the numbers of a set, in the order of [`published`].
fn described(spec: &Spec) -> Vec<f64> {
    let (group, length) = match spec.family {
        KeyFamily::Uniform { group } => (group, 0),
        KeyFamily::BlockBinary { length } => (0, length),
    };
    let digits = [spec.mask, spec.body, spec.key_switch];
    let digits = digits.iter().flat_map(|d| [f64::from(d.base_log), d.levels as f64]);
    let numbers = [
        f64::from(spec.message_bits + spec.carry_bits + 1),
        group as f64,
        length as f64,
        spec.small_dimension as f64,
        spec.small_deviation_log2,
        spec.rank as f64,
        spec.degree as f64,
        if spec.extension > 1 { spec.extension as f64 } else { 0.0 },
        spec.glwe_deviation_log2,
        spec.key_switch_degree as f64,
        f64::from(spec.max_noise_variance),
        spec.failure_log2,
    ];
    numbers.into_iter().chain(digits).collect()
}

fn published(row: &toml::Value) -> Vec<f64> {
    let number = |value: Option<&toml::Value>| {
        let integer = |value: &toml::Value| value.as_integer().map(|integer| integer as f64);
        value.map_or(0.0, |value| value.as_float().or_else(|| integer(value)).unwrap())
    };
    let fields = [
        "bits",
        "group",
        "block_length",
        "lwe_dimension",
        "log_lwe_noise",
        "glwe_dimension",
        "polynomial_degree",
        "extension",
        "log_glwe_noise",
        "switch_degree",
        "max_squared_norm",
        "log2_failure",
    ];
    let gadgets = ["mask", "body", "key_switch"];
    let digits =
        gadgets.iter().flat_map(|name| ["base_log", "levels"].map(|field| &row[name][field]));
    fields
        .iter()
        .map(|field| number(row.get(field)))
        .chain(digits.map(|d| number(Some(d))))
        .collect()
}

#[test]
fn the_recorded_security_is_what_the_estimator_says() {
    for name in ["u_2_2_128", "tfhe_rs_2_2", "u_bool_128"] {
        let recorded = Params::preset(name).unwrap();
        let estimated = Params::new(*recorded.spec()).unwrap();
        for (recorded, estimated) in recorded.security_bits().iter().zip(estimated.security_bits())
        {
            assert!((recorded - estimated).abs() < 0.1, "{name}: {recorded} {estimated}");
        }
    }
}

/// The noise model uses the same rounding as the kernel that packs the key.
#[test]
fn the_model_rounds_the_key_switching_key_as_the_kernel_does() {
    let (model, kernel) =
        (fathom_security::SWITCH_KEY_ROUNDING, fathom_ring::KeySwitchTable::ROUNDING);
    assert!((model / kernel - 1.0).abs() < 1e-12, "{model} {kernel}");
}

/// A change of one field, and the field that the error names.
type Refusal = (fn(&mut Spec), &'static str);

#[test]
fn every_field_is_checked() {
    let refusals: [Refusal; 12] = [
        (|spec| spec.message_bits = 0, "message_bits"),
        (|spec| spec.carry_bits = 30, "message_bits"),
        (|spec| spec.degree = 2000, "degree"),
        (|spec| spec.extension = 3, "extension"),
        (|spec| spec.extension = 128, "extension"),
        (|spec| spec.rank = 4, "rank"),
        (|spec| spec.family = KeyFamily::Uniform { group: 3 }, "family"),
        (|spec| spec.key_switch_degree = 3, "key_switch_degree"),
        (|spec| spec.small_dimension = 897, "small_dimension"),
        (|spec| spec.mask = Decomposition { base_log: 30, levels: 2 }, "decomposition"),
        (|spec| spec.glwe_deviation_log2 = 1.0, "deviation"),
        (|spec| spec.max_noise_variance = 100_000, "failure_log2"),
    ];
    for (change, named) in refusals {
        let mut spec = *Params::preset(Params::INTEGERS).unwrap().spec();
        change(&mut spec);
        let error = Params::try_from(spec).unwrap_err();
        assert!(matches!(error, Error::Spec { field, .. } if field == named), "{error}");
    }
}

#[test]
fn weak_keys_are_refused() {
    let mut spec = *Params::preset(Params::INTEGERS).unwrap().spec();
    spec.small_deviation_log2 = -22.0;
    assert!(matches!(Params::new(spec).unwrap_err(), Error::InsecureKey(_)));
    let mut spec = *Params::preset(Params::INTEGERS).unwrap().spec();
    spec.glwe_deviation_log2 = -52.0;
    assert!(matches!(Params::new(spec).unwrap_err(), Error::InsecureKey(_)));
}
