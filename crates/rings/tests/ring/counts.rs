//! The number of row transforms of each operation, by formulas in `l` limbs, `d` digits and `K`
//! special primes.

use crate::common::Setup;
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{Ciphertext, Modular, Params, Preset, Rotations};
use fathom::{Gadget, SecretRng, ckks};

/// The presets with special primes, to which the formulas apply.
const HYBRID: [Preset; 10] = [
    Preset::E1,
    Preset::E1Bits192,
    Preset::E1Depth2,
    Preset::E2,
    Preset::E2Bits192,
    Preset::E2Bits256,
    Preset::E5Bits192,
    Preset::E5Bits256,
    Preset::E1Plain20,
    Preset::E1Plain31,
];

struct Shape {
    limbs: u64,
    digits: u64,
    special: u64,
}

impl Shape {
    fn of<S: Modular>(params: &Params<S>, level: usize) -> Shape {
        let Gadget::Hybrid { limbs: per_digit } = params.spec().gadget else { panic!("hybrid") };
        let limbs = level + 1;
        let digits = limbs.div_ceil(per_digit) as u64;
        Shape { limbs: limbs as u64, digits, special: params.special().len() as u64 }
    }

    /// Returns the transforms of a decomposition: one inverse per limb, then each digit over all
    /// other primes.
    fn digits(&self) -> u64 {
        self.limbs + self.digits * (self.limbs + self.special) - self.limbs
    }

    fn product(&self) -> u64 {
        self.digits() + 2 * (self.special + 1) + 2 * (self.limbs - 1)
    }

    /// Returns the transforms of a key switch that stays at its level.
    fn key_switch(&self) -> u64 {
        self.digits() + self.extra_rotation()
    }

    fn extra_rotation(&self) -> u64 {
        2 * self.special + 2 * self.limbs
    }
}

fn transforms<S: Modular, T>(params: &Params<S>, work: impl FnOnce() -> T) -> (T, u64) {
    let before = params.transform_count();
    let result = work();
    (result, params.transform_count() - before)
}

fn at_every_level<S: Modular>(preset: Preset) {
    let mut s = Setup::<S>::new(preset, &Rotations::steps(&[1, 2, 3]), 3);
    let x = s.random();
    let plain = s.plain(&x);
    let e = s.evaluator.clone();
    for level in 0..=s.top {
        let c = s.secret.encrypt_at(&plain, level, &mut s.rng).unwrap();
        let shape = Shape::of(&s.params, level);
        let count = |what: &str, expected: u64, work: &dyn Fn() -> bool| {
            let (done, seen) = transforms(&s.params, work);
            if done {
                assert_eq!(seen, expected, "{} {what} level {level}", preset.name());
            }
            done
        };
        let rotated = count("rotation", shape.key_switch(), &|| e.rotate(&c, 1).is_ok());
        assert!(rotated || level == 0);
        let hoisted = shape.digits() + 3 * shape.extra_rotation();
        count("hoisted", hoisted, &|| e.rotate_many(&c, &[1, 2, 3]).is_ok());
        count("add", 0, &|| e.add(&c, &c).is_ok());
        count("mul_scalar", 0, &|| e.mul_scalar(&c, 3).is_ok());
        count("add_plain", shape.limbs, &|| e.add_plain(&c, &plain).is_ok());
        let mut ready = plain.clone();
        ready.prepare_sums(level).unwrap();
        count("add_plain, prepared", 0, &|| e.add_plain(&c, &ready).is_ok());
        if level == 0 {
            continue;
        }
        if let Ok(tensor) = e.tensor(&c, &c) {
            count("tensor", 0, &|| e.tensor(&c, &c).is_ok());
            let relinearized =
                count("relinearize", shape.key_switch(), &|| e.relinearize(&tensor).is_ok());
            assert!(relinearized || level == 1);
        }
        let multiplied =
            count("mul", shape.product(), &|| e.mul(&c, &c).is_ok_and(|c| c.level() == level - 1));
        assert!(multiplied, "{} level {level}", preset.name());
        count("square", shape.product(), &|| e.square(&c).is_ok());
        let dropped = 2 * (level as u64);
        count("mod_switch_to 0", dropped + 2, &|| e.mod_switch_to(&c, 0).is_ok());
    }
}

#[test]
fn ciphertext_operations_take_the_transforms_of_the_formulas() {
    for preset in HYBRID {
        at_every_level::<Bgv>(preset);
        at_every_level::<Bfv>(preset);
    }
}

#[test]
fn a_dot_product_of_32_takes_the_transforms_of_one_product() {
    for preset in [Preset::E1, Preset::E2] {
        let mut s = Setup::<Bgv>::new(preset, &Rotations::none(), 4);
        let x = s.random();
        let list: Vec<Ciphertext<_>> = (0..32).map(|_| s.encrypt(&x)).collect();
        let expected = Shape::of(&s.params, s.top).product();
        let (dot, seen) = transforms(&s.params, || s.evaluator.dot(&list, &list).unwrap());
        assert_eq!(seen, expected, "{}", preset.name());
        let square = crate::common::zip(s.t, &x, &x, |x, y| 32 * x * y);
        s.check("dot of 32", &dot, &square);
    }
}

/// Transforms of the plaintext ring are not counted, since they have another modulus.
#[test]
fn encryption_and_decryption_take_the_transforms_of_the_formulas() {
    for preset in HYBRID {
        let mut s = Setup::<Bgv>::new(preset, &Rotations::none(), 5);
        let x = s.random();
        let plain = s.plain(&x);
        let params = s.params.clone();
        let (l, k) = (s.top as u64 + 1, s.params.special().len() as u64);
        // Error and message share one polynomial; the uniform polynomial needs no transform.
        let (c, seen) = transforms(&params, || s.secret.encrypt(&plain, &mut s.rng).unwrap());
        assert_eq!(seen, l, "{} secret-key encryption", preset.name());
        // The ephemeral secret is transformed forward; then two polynomials are divided, to whose
        // coefficients errors and message are added.
        let (p, seen) = transforms(&params, || s.public.encrypt(&plain, &mut s.rng).unwrap());
        assert_eq!(seen, 3 * (l + k), "{} public-key encryption", preset.name());
        for c in [c, p] {
            // Decryption reads only as many residues as the noise requires.
            let (_, seen) = transforms(&params, || s.secret.decrypt(&c).unwrap());
            let enough = |limbs: &u64| {
                params.log2_modulus(*limbs as usize - 1).unwrap() - 1.0 >= c.noise_bound_bits()
            };
            let least = (1..=l).find(enough).unwrap();
            assert_eq!(seen, least, "{} decryption", preset.name());
        }
    }
}

/// The digits of a message join the coefficients that are transformed anyway.
#[test]
fn public_key_encryption_of_reals_takes_the_transforms_of_the_formula() {
    for preset in ckks::Preset::ALL {
        let params = ckks::Params::preset(preset).unwrap();
        let mut rng = SecretRng::insecure_from_seed(6);
        let public = ckks::SecretKey::generate(&params, &mut rng).public_key(&mut rng);
        let plain = params.encode(&[0.5, -0.25]).unwrap();
        let primes = (params.chain().len() + params.special().len()) as u64;
        let before = params.transform_count();
        public.encrypt(&plain, &mut rng).unwrap();
        assert_eq!(params.transform_count() - before, 3 * primes, "{}", preset.name());
    }
}

#[test]
fn the_positional_gadget_transforms_every_digit_once() {
    let s = &mut Setup::<Bgv>::new(Preset::E1Bits256, &Rotations::steps(&[1]), 6);
    let x = s.random();
    let c = s.encrypt(&x);
    // Two primes of 28 bits in digits of 14 bits: four digits over two limbs, and no division.
    let (_, seen) = transforms(&s.params, || s.evaluator.rotate(&c, 1).unwrap());
    assert_eq!(seen, 2 + 4 * 2);
    let (_, seen) = transforms(&s.params, || s.evaluator.mul(&c, &c).unwrap());
    assert_eq!(seen, 2 + 4 * 2 + 2 * (1 + 1));
}
