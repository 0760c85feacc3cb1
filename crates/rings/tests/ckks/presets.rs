//! Presets are secure, and what is not is refused.

use fathom::Error;
use fathom::ckks::{Params, Preset, Spec};

#[test]
fn presets_are_at_least_as_secure_as_they_say_and_found_by_name() {
    for preset in Preset::ALL {
        let params = Params::preset(preset).unwrap();
        assert!(params.assessment().classical_bits >= 128.0, "{}", preset.name());
        assert_eq!(preset.to_string().parse(), Ok(preset));
        assert_eq!(params.kernel_name(), fathom_ring_kernel(), "{}", preset.name());
        let levels = params.top_level().get() - params.last_level().get();
        assert_eq!(levels, params.depth());
    }
    assert_eq!("e9".parse::<Preset>(), Err(Error::UnknownPreset { name: "e9".into() }));
}

/// The kernel that serves a ring of small primes: every preset is served by the same.
fn fathom_ring_kernel() -> &'static str {
    let params = fathom::bgv::Params::preset(fathom::bgv::Preset::E1).unwrap();
    params.kernel_name()
}

#[test]
fn scales_stay_close_to_the_first_one() {
    for preset in Preset::ALL {
        let params = Params::preset(preset).unwrap();
        let top = params.scale(params.top_level()).unwrap();
        for level in 0..=params.top_level().get() {
            let ratio = params.scale(level).unwrap() / top;
            assert!((ratio - 1.0).abs() < 1e-3, "{}, level {level}: {ratio}", preset.name());
        }
    }
}

#[test]
fn presets_below_128_bits_are_refused() {
    for preset in Preset::ALL {
        let spec = preset.spec();
        let degree = spec.degree / 2;
        let refused = Params::new(Spec { degree, ..spec });
        assert!(matches!(refused, Err(Error::Insecure(_))), "{}", preset.name());
    }
    let spec = Preset::E3Small.spec();
    let larger = [spec.special_bits.as_slice(), &[30.0]].concat();
    let refused = Params::new(Spec { special_bits: larger, ..spec });
    assert!(matches!(refused, Err(Error::Insecure(_))));
}

#[test]
fn descriptions_out_of_range_are_refused() {
    let spec = || Preset::E3Small.spec();
    let cases = [
        ("degree", Spec { degree: 3000, ..spec() }),
        ("degree", Spec { degree: 128, ..spec() }),
        ("base_bits", Spec { base_bits: vec![], ..spec() }),
        ("scale_bits", Spec { scale_bits: 70.0, ..spec() }),
        ("special_bits", Spec { special_bits: vec![15.0], ..spec() }),
        ("depth", Spec { depth: 64, ..spec() }),
        ("magnitude", Spec { magnitude: 0.0, ..spec() }),
        ("magnitude", Spec { magnitude: f64::NAN, ..spec() }),
        ("failure_log2", Spec { failure_log2: -3.0, ..spec() }),
        ("name", Spec { name: "n".repeat(257), ..spec() }),
        ("gadget", Spec { digit_limbs: 0, ..spec() }),
        ("scale_bits", Spec { scale_bits: 20.6, depth: 40, ..spec() }),
    ];
    for (field, spec) in cases {
        match Params::new(spec) {
            Err(Error::Spec { field: named, .. }) => assert_eq!(named, field),
            other => panic!("{field}: {other:?}"),
        }
    }
}
