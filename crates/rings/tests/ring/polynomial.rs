//! Polynomials of an encrypted value agree with Horner's rule, within the stated noise bounds and
//! levels.

use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{
    Ciphertext, Evaluator, Modular, Params, Preset, PublicKey, Rotations, SecretKey,
};
use fathom::{Error, SecretRng};

struct Setup<S: Modular> {
    params: Params<S>,
    secret: SecretKey<S>,
    public: PublicKey<S>,
    evaluator: Evaluator<S>,
    rng: SecretRng,
}

impl<S: Modular> Setup<S> {
    fn new(preset: Preset) -> Setup<S> {
        let mut rng = SecretRng::insecure_from_seed(11);
        let params = Params::<S>::preset(preset).unwrap();
        let secret = SecretKey::generate(&params, &mut rng);
        let public = secret.public_key(&mut rng);
        let keys = secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap();
        Setup { evaluator: Evaluator::new(keys), params, secret, public, rng }
    }

    fn random(&mut self, count: usize) -> Vec<u64> {
        let t = self.params.plain_modulus();
        (0..count).map(|_| self.rng.next_word() % t).collect()
    }

    /// Returns a random input encrypted under the secret and under the public key.
    fn inputs(&mut self) -> (Vec<u64>, [Ciphertext<S>; 2]) {
        let values = self.random(self.params.degree());
        let plain = self.params.encode(&values).unwrap();
        let public = self.public.encrypt(&plain, &mut self.rng).unwrap();
        (values, [self.secret.encrypt(&plain, &mut self.rng).unwrap(), public])
    }

    fn check(&self, result: &Ciphertext<S>, values: &[u64], coefficients: &[u64]) {
        let t = u128::from(self.params.plain_modulus());
        let horner = |&x: &u64| {
            let step = |acc: u128, &c: &u64| (acc * u128::from(x) + u128::from(c)) % t;
            coefficients.iter().rev().fold(0, step) as u64
        };
        let expected: Vec<u64> = values.iter().map(horner).collect();
        let tracked = result.noise_budget_bits();
        let measured = self
            .secret
            .debug_noise_budget_bits(result, &self.secret.decrypt(result).unwrap())
            .unwrap();
        assert!(tracked >= 0.0 && tracked <= measured, "tracked {tracked}, measured {measured}");
        assert_eq!(self.secret.decrypt(result).unwrap().slots().unwrap(), expected);
    }
}

const HEADLINE: [u64; 4] = [7, 5, 2, 3];

fn headline_fits_both_encryptions<S: Modular>() {
    let mut s = Setup::<S>::new(Preset::E1Depth2);
    let (values, inputs) = s.inputs();
    for x in inputs {
        let before = s.params.transform_count();
        let result = s.evaluator.evaluate_polynomial(&x, &HEADLINE).unwrap();
        // Square at 3 limbs: 3 + (3 * 4 - 3) + 2 * 2 + 2 * 2. One switch of x: 2 * (1 + 2). Last
        // product at 2 limbs: 2 + (2 * 3 - 2) + 2 * 2 + 2 * 1.
        assert_eq!(s.params.transform_count() - before, 20 + 6 + 12);
        assert_eq!(result.level(), 0);
        s.check(&result, &values, &HEADLINE);
    }
}

#[test]
fn headline_cubic_fits_both_encryptions_with_two_relinearizations() {
    headline_fits_both_encryptions::<Bgv>();
    headline_fits_both_encryptions::<Bfv>();
}

fn all_degrees<S: Modular>(preset: Preset, degrees: std::ops::RangeInclusive<usize>) {
    let mut s = Setup::<S>::new(preset);
    let (values, [_, x]) = s.inputs();
    for degree in degrees {
        let mut coefficients = s.random(degree + 1);
        coefficients[degree] = coefficients[degree].max(2);
        let result = s.evaluator.evaluate_polynomial(&x, &coefficients).unwrap();
        let depth = (degree + 1).next_power_of_two().ilog2() as usize;
        assert_eq!(result.level(), s.params.top_level().get() - depth, "degree {degree}");
        s.check(&result, &values, &coefficients);
    }
}

#[test]
fn every_degree_up_to_15_takes_the_least_depth() {
    all_degrees::<Bgv>(Preset::E2, 0..=15);
    all_degrees::<Bfv>(Preset::E2, 0..=15);
}

#[test]
fn degree_31_fills_a_chain_of_depth_5() {
    all_degrees::<Bgv>(Preset::E2, 31..=31);
}

#[test]
fn larger_plain_moduli_and_levels() {
    all_degrees::<Bgv>(Preset::E5Bits192, 7..=9);
    all_degrees::<Bfv>(Preset::E1Plain20, 1..=1);
    all_degrees::<Bgv>(Preset::E1Plain31, 1..=1);
}

#[test]
fn gaps_and_extreme_coefficients() {
    let mut s = Setup::<Bgv>::new(Preset::E2);
    let (values, [x, _]) = s.inputs();
    let top = s.params.plain_modulus() - 1;
    let sparse: [&[u64]; 8] = [
        &[],
        &[0, 0, 0],
        &[9],
        &[0, top],
        &[0, 0, 0, top, 0, 0],
        &[top, 0, 0, 0, 0, 0, 32768],
        &[0, 0, 0, 0, 0, 0, 0, 0, 0, 5],
        &[1, 0, 0, 0, 0, 0, 0, 32769, 2],
    ];
    for coefficients in sparse {
        let result = s.evaluator.evaluate_polynomial(&x, coefficients).unwrap();
        s.check(&result, &values, coefficients);
    }
}

#[test]
fn monic_powers_of_two_save_a_level() {
    let mut s = Setup::<Bfv>::new(Preset::E2);
    let (values, [x, _]) = s.inputs();
    let t = s.params.plain_modulus();
    let cases: [(&[u64], usize); 4] = [
        (&[3, 1], 0),
        (&[t - 5, 77, t - 1], 1),
        (&[4, 3, 2, 1, 1], 2),
        (&[4, 3, 2, 1, 9, 8, 7, 6, t - 1], 3),
    ];
    for (coefficients, depth) in cases {
        let result = s.evaluator.evaluate_polynomial(&x, coefficients).unwrap();
        assert_eq!(result.level(), s.params.top_level().get() - depth);
        s.check(&result, &values, coefficients);
    }
}

#[test]
fn one_level_is_enough_for_a_small_quadratic() {
    let mut s = Setup::<Bgv>::new(Preset::E1);
    let (values, inputs) = s.inputs();
    for x in inputs {
        let result = s.evaluator.evaluate_polynomial(&x, &[65536, 12345, 3]).unwrap();
        s.check(&result, &values, &[65536, 12345, 3]);
    }
}

#[test]
fn results_add_without_cost_and_continue() {
    let mut s = Setup::<Bgv>::new(Preset::E2);
    let (values, [x, _]) = s.inputs();
    let first = s.evaluator.evaluate_polynomial(&x, &[1, 2, 3, 4]).unwrap();
    let second = s.evaluator.evaluate_polynomial(&x, &[5, 6, 7, 8]).unwrap();
    let sum = s.evaluator.add(&first, &second).unwrap();
    assert!(sum.noise_budget_bits() > first.noise_budget_bits() - 1.1);
    s.check(&sum, &values, &[6, 8, 10, 12]);
    let nested = s.evaluator.evaluate_polynomial(&sum, &[0, 0, 1]).unwrap();
    s.check(&nested, &values, &[36, 96, 184, 304, 292, 240, 144]);
}

#[test]
fn too_high_a_degree_is_exhausted_noise() {
    let mut s = Setup::<Bgv>::new(Preset::E1Depth2);
    let (_, inputs) = s.inputs();
    for x in inputs {
        for degree in [4usize, 7, 8, 15] {
            let refused = s.evaluator.evaluate_polynomial(&x, &vec![1000; degree + 1]);
            assert!(matches!(refused, Err(Error::NoiseExhausted { .. })), "degree {degree}");
        }
    }
}

#[test]
fn bad_operands_are_refused() {
    let mut s = Setup::<Bgv>::new(Preset::E1);
    let (_, [x, _]) = s.inputs();
    let t = s.params.plain_modulus();
    let out_of_range = s.evaluator.evaluate_polynomial(&x, &[1, t]);
    assert!(matches!(out_of_range, Err(Error::ValueOutOfRange { index: 1, .. })));
    let product = s.evaluator.tensor(&x, &x).unwrap();
    let components = s.evaluator.evaluate_polynomial(&product, &HEADLINE);
    assert!(matches!(components, Err(Error::Components { got: 3, .. })));
    let keyless = Evaluator::without_keys(&s.params).evaluate_polynomial(&x, &[0, 0, 1]);
    assert!(matches!(keyless, Err(Error::MissingRelinearizationKey)));
}
