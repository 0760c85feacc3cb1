//! The remedies of refusals for want of noise budget: the failing call, the remedy, success.

use crate::ckks::setup::Setup;
use fathom::ckks::{
    Approximation, Complex64, Encryption, Evaluator, Interval, Params, Preset, Rotations, Spec,
};
use fathom::{Error, SecurityLevel};

/// Adds a ciphertext to itself until it is refused.
fn doubled_until_refused(s: &Setup, c: &fathom::ckks::Ciphertext) -> (u32, Error) {
    let mut sum = c.clone();
    for doublings in 0.. {
        match s.evaluator.add(&sum, &sum) {
            Ok(next) => sum = next,
            Err(error) => return (doublings, error),
        }
    }
    unreachable!("a modulus is finite")
}

#[test]
fn values_beyond_the_range_are_scaled_down_or_the_base_primes_enlarged() {
    let refused_at = |base_bits: Vec<f64>| {
        let spec = Spec { base_bits, scale_bits: 31.0, ..Preset::E3Small.spec() };
        let mut s = Setup::of(Params::new(spec).unwrap(), &Rotations::none(), 93);
        let one = s.encrypt(&[Complex64::ONE]);
        let low = s.evaluator.mod_switch_to(&one, 0).unwrap();
        let (doublings, error) = doubled_until_refused(&s, &low);
        let text = error.to_string();
        assert!(text.contains("scale them down") && text.contains("Spec::base_bits"), "{text}");
        assert!(!text.contains("depth") && text.contains("Params::for_circuit"), "{text}");
        // Scaled down before, the same sums fit.
        let small = s.evaluator.mul_scalar(&one, 2f64.powi(-8)).unwrap();
        let small = s.evaluator.mod_switch_to(&small, 0).unwrap();
        assert!(doubled_until_refused(&s, &small).0 >= doublings + 7);
        doublings
    };
    assert!(refused_at(vec![45.0]) >= refused_at(vec![38.0]) + 6);
}

#[test]
fn products_beyond_the_depth_take_parameters_of_greater_depth() {
    let plan = |depth| {
        let security = SecurityLevel::Bits128;
        let params = Params::for_precision(depth, 8.0, Encryption::SecretKey, security).unwrap();
        Setup::of(params, &Rotations::none(), 94)
    };
    let square = |s: &Setup, c| s.evaluator.square(&c);
    let mut s = plan(1);
    let one = s.encrypt(&[Complex64::ONE]);
    let refused = square(&s, square(&s, one).unwrap()).unwrap_err();
    assert!(refused.to_string().contains("greater depth, for instance with Params::for_precision"));
    let mut s = plan(2);
    let one = s.encrypt(&[Complex64::ONE]);
    assert!(square(&s, square(&s, one).unwrap()).is_ok());
}

/// Beyond the largest set there is none to take: bootstrapping goes on.
#[test]
fn circuits_beyond_all_parameters_are_to_be_bootstrapped() {
    let squares = |server: &Evaluator| {
        let top = server.params().top_level();
        let first = server.simulated_encryption_within(Encryption::SecretKey, 0.45, top)?;
        Ok(vec![(0..80).try_fold(first, |x, _| server.square(&x))?])
    };
    let refused = Params::for_circuit(squares, 10.0, SecurityLevel::Bits128).unwrap_err();
    let text = refused.to_string();
    assert!(text.contains("Params::bootstrappable"), "{text}");
    assert!(!text.contains("for_precision") && !text.contains("base_bits"), "{text}");
}

/// The two numbers of a refusal differ as they are written.
#[test]
fn a_refusal_by_a_fraction_of_a_bit_says_so() {
    let mut s = Setup::new(Preset::E3Small, &Rotations::none(), 95);
    let one = s.encrypt(&[Complex64::ONE]);
    let low = s.evaluator.mod_switch_to(&one, 0).unwrap();
    // As large as it can be.
    let mut c = low.clone();
    for step in [0.5, 0.05, 0.005, 0.0005] {
        let plain = s.params.encode_public(&[step]).unwrap();
        loop {
            match s.evaluator.add_plain(&c, &plain) {
                Ok(next) => c = next,
                Err(error) => {
                    let text = error.to_string();
                    let numbers: Vec<&str> = text
                        .split(|c: char| !c.is_ascii_digit() && c != '.')
                        .filter(|n| n.contains('.') && n.len() > 1)
                        .collect();
                    assert_ne!(numbers[0], numbers[1], "{text}");
                    break;
                }
            }
        }
    }
}

#[test]
fn degrees_beyond_the_greatest_are_refused_as_that() {
    for degree in [1024, 4096, usize::MAX] {
        let refused = Approximation::new(f64::exp, Interval::UNIT, degree).err();
        assert!(matches!(refused, Some(Error::Spec { field: "degree", .. })), "{refused:?}");
    }
    assert!(Approximation::new(f64::exp, Interval::UNIT, 1023).is_ok());
}

/// The error of an approximation counts like any other.
#[test]
fn approximations_with_an_error_beyond_the_range_are_refused() {
    let mut s = Setup::new(Preset::E3, &Rotations::none(), 96);
    let values = vec![0.5; s.params.slot_count()];
    let plain = s.params.encode(&values).unwrap();
    let a = s.secret.encrypt_at(&plain, 3, &mut s.rng).unwrap();
    let steep = |x: f64| 4.0 * (2000.0 * x).cos();
    let rough = Approximation::new(steep, Interval::UNIT, 7).unwrap();
    assert!(rough.error() > 128.0, "{}", rough.error());
    let refused = s.evaluator.evaluate_function(&a, &rough).err();
    assert!(matches!(refused, Some(Error::NoiseExhausted { .. })), "{refused:?}");
}

/// The grids of the interpolation see none of these.
#[test]
fn functions_that_vary_between_the_points_of_the_interpolation_are_refused() {
    let refused = |function: &dyn Fn(f64) -> f64| {
        let error = Approximation::new(function, Interval::UNIT, 7).err();
        assert!(matches!(error, Some(Error::Spec { field: "function", .. })), "{error:?}");
    };
    // Aliases: one at every point of a grid of 512, in the angle.
    for frequency in [1024.0, 2048.0, 4096.0, 6144.0] {
        refused(&move |x: f64| (frequency * x.acos()).cos());
    }
    for (center, width) in [(0.3, 1e-3), (0.0, 1e-3), (-0.77, 3e-4), (0.999, 1e-4)] {
        refused(&move |x: f64| (-((x - center) / width).powi(2)).exp());
    }
    refused(&|x: f64| if (x - 0.123_4).abs() < 1e-3 { f64::NAN } else { x });
    refused(&|x: f64| if (x - 0.123_4).abs() < 1e-3 { 1.0 } else { 0.0 });
}
