//! Laws of exact integers, at the size of the presets.
#![allow(clippy::float_cmp, reason = "widths of powers of two are exact")]

use super::*;
use crate::Error;
use crate::rlwe::modular::tests::phase;
use crate::wide::WideError;
use crate::wire::{Wire, WireFresh, WireObject};
use fathom_ring::SecretRng;
use num_bigint::BigInt;

struct Setup {
    params: Params,
    secret: SecretKey,
    public: PublicKey,
    server: Evaluator,
    rng: SecretRng,
}

fn setup(preset: Preset) -> Setup {
    let mut rng = SecretRng::insecure_from_seed(41);
    let params = Params::preset(preset).unwrap();
    let secret = SecretKey::generate(&params, &mut rng);
    let public = secret.public_key(&mut rng);
    let keys = secret.evaluation_keys(&mut rng).unwrap();
    Setup { params, secret, public, server: Evaluator::new(keys), rng }
}

impl Setup {
    fn encrypt(&mut self, value: impl Into<Integer>) -> Ciphertext {
        let plaintext = self.params.encode(value).unwrap();
        self.secret.encrypt(&plaintext, &mut self.rng).unwrap()
    }

    /// Checks the message and that the bound covers the noise.
    fn check(&self, c: &Ciphertext, expected: &BigInt) {
        let clear = self.params.encode(integer(expected)).unwrap();
        assert_eq!(self.secret.decrypt(c).unwrap(), clear, "{expected}");
        let measured = self.secret.debug_noise_budget_bits(c, &clear).unwrap();
        let bound = c.noise_budget_bits();
        assert!(bound <= measured, "bound {bound}, measured {measured}");
    }
}

fn integer(value: &BigInt) -> Integer {
    let (sign, limbs) = value.to_u64_digits();
    let value = Integer::from_limbs(&limbs);
    if sign == num_bigint::Sign::Minus { value.negated() } else { value }
}

#[test]
fn small_products_and_sums_exhaustively() {
    let mut setup = setup(Preset::E4);
    let range = -6..=6i64;
    let encrypted: Vec<_> = range.clone().map(|x| (x, setup.encrypt(x))).collect();
    for (x, a) in &encrypted {
        for (y, b) in &encrypted {
            let decrypt = |c: Result<Ciphertext, Error>| {
                setup.secret.decrypt(&c.unwrap()).unwrap().value().to_i64()
            };
            assert_eq!(decrypt(setup.server.mul(a, b)), Some(x * y));
            assert_eq!(decrypt(setup.server.add(a, b)), Some(x + y));
            assert_eq!(decrypt(setup.server.sub(a, b)), Some(x - y));
        }
        assert_eq!(
            setup.secret.decrypt(&setup.server.neg(a).unwrap()).unwrap().value().to_i64(),
            Some(-x)
        );
    }
}

#[test]
fn products_of_words_have_all_their_bits() {
    for preset in Preset::ALL {
        let mut setup = setup(preset);
        for (x, y) in [(u64::MAX, u64::MAX), (0, u64::MAX), (1 << 63, 3), (0xDEAD_BEEF, 12345)] {
            let (a, b) = (setup.encrypt(x), setup.encrypt(y));
            let product = setup.server.mul(&a, &b).unwrap();
            let found = setup.secret.decrypt(&product).unwrap().value().to_u128();
            assert_eq!(found, Some(u128::from(x) * u128::from(y)));
        }
        for (x, y) in [(i64::MIN, i64::MIN), (i64::MIN, i64::MAX), (-1, 1)] {
            let (a, b) = (setup.encrypt(x), setup.encrypt(y));
            let product = setup.server.mul(&a, &b).unwrap();
            let found = setup.secret.decrypt(&product).unwrap().value().to_i128();
            assert_eq!(found, Some(i128::from(x) * i128::from(y)));
        }
    }
}

#[test]
fn wide_integers_wrap_at_the_modulus_of_the_ring() {
    let mut setup = setup(Preset::E4);
    let limbs = |count| (0..count).map(|i| u64::MAX / (i + 1)).collect::<Vec<_>>();
    let x = big(&limbs(15));
    let y = big(&limbs(16));
    let (a, b) = (setup.encrypt(integer(&x)), setup.encrypt(integer(&y)));
    let product = setup.server.mul(&a, &b).unwrap();
    setup.check(&product, &(&x * &y));
    // 2^1983 * 2^63 * 4 = 2^2048 = -1.
    let mut top = vec![0; 30];
    top.push(1 << 63);
    let (a, b) = (setup.encrypt(integer(&big(&top))), setup.encrypt(1u64 << 63));
    let refused = setup.server.mul(&a, &b).and_then(|ab| setup.server.mul_scalar(&ab, 4));
    assert_eq!(refused.unwrap_err(), overflow("mul", 2048.0, 2047));
    let product = setup.server.mul(&a.wrapping(), &b).unwrap();
    let wrapped = setup.server.mul_scalar(&product, 4).unwrap();
    assert!(wrapped.is_wrapping());
    assert_eq!(setup.secret.decrypt(&wrapped).unwrap().value().to_i64(), Some(-1));
}

fn overflow(operation: &'static str, bits: f64, widest: u32) -> Error {
    WideError::Overflow { operation, bits, widest }.into()
}

/// The widths of types are public, so what could wrap is known before it is computed.
#[test]
fn results_that_could_wrap_are_refused_with_their_width() {
    let mut setup = setup(Preset::E4Deep);
    let x = (BigInt::from(1) << 1024) - 1;
    let a = setup.encrypt(integer(&x));
    assert_eq!(a.value_bits(), 1024.0);
    let square = setup.server.square(&a).unwrap();
    setup.check(&square, &(&x * &x));
    assert_eq!(square.value_bits(), 2048.0);
    assert_eq!(setup.server.square(&square).unwrap_err(), overflow("mul", 4096.0, 4095));
    assert_eq!(
        setup.server.tensor(&square, &square).unwrap_err(),
        overflow("tensor", 4096.0, 4095)
    );
    // One bit less fits, and its double does not.
    let narrow = setup.encrypt(Integer::from_limbs(&[u64::MAX; 31]));
    let fits = setup.server.mul(&square, &narrow).unwrap();
    assert_eq!(fits.value_bits(), 4032.0);
    let wide = setup.server.mul_scalar(&fits, i64::MIN).unwrap();
    assert_eq!(wide.value_bits(), 4095.0);
    assert_eq!(setup.server.add(&wide, &wide).unwrap_err(), overflow("add", 4096.0, 4095));
    let doubled = setup.server.mul_scalar(&wide, 2);
    assert_eq!(doubled.unwrap_err(), overflow("mul_plain", 4096.0, 4095));
    assert!(matches!(
        setup.server.add_plain(&wide, &setup.params.encode(1u64).unwrap()),
        Err(Error::Wide(WideError::Overflow { operation: "add_plain", .. }))
    ));
    // The remedy of the refusal.
    assert!(setup.server.add(&wide.wrapping(), &wide).unwrap().is_wrapping());
}

/// A dot product has the sum of the widths of its products, in both kinds of products.
#[test]
fn a_dot_product_counts_all_of_its_terms() {
    for preset in Preset::ALL {
        let mut setup = setup(preset);
        let words: Vec<_> = (0..4).map(|i| setup.encrypt(u64::MAX - i)).collect();
        let dot = setup.server.dot(&words, &words).unwrap();
        assert!((dot.value_bits() - 130.0).abs() < 1e-6, "{}", dot.value_bits());
        // One product fits, and the sum of three does not.
        let bits = (setup.params.widest_bits() - 1) / 2;
        let plain = setup.params.encode_within(5u64, bits).unwrap();
        let half = setup.secret.encrypt(&plain, &mut setup.rng).unwrap();
        let three = vec![half; 3];
        let refused = setup.server.dot(&three, &three).unwrap_err();
        assert!(
            matches!(refused, Error::Wide(WideError::Overflow { operation: "dot", .. })),
            "{refused}"
        );
    }
}

#[test]
fn clear_factors_cost_their_size_and_not_that_of_their_type() {
    let mut setup = setup(Preset::E4);
    let a = setup.encrypt(u64::MAX);
    let same = setup.server.mul_scalar(&a, 1).unwrap();
    assert_eq!((same.value_bits(), same.noise_budget_bits()), (64.0, a.noise_budget_bits()));
    let twice = setup.server.mul_scalar(&a, -2).unwrap();
    let sum = setup.server.add(&a, &a).unwrap();
    assert_eq!(twice.value_bits(), sum.value_bits());
    assert!(twice.noise_budget_bits() >= sum.noise_budget_bits());
}

/// After a switch the factor is a fraction, whose product with any integer has digits everywhere.
#[test]
fn the_bound_covers_clear_summands_after_a_switch() {
    let mut rng = SecretRng::insecure_from_seed(5);
    let spec = Spec { product: Product::Tensor, ..Preset::E4Deep.spec() };
    let params = Params::new(spec).unwrap();
    let secret = SecretKey::generate(&params, &mut rng);
    let server = Evaluator::without_keys(&params);
    let a = secret.encrypt(&params.encode(5u64).unwrap(), &mut rng).unwrap();
    let low = server.mod_switch_to(&a, 0).unwrap();
    let summand = params.encode(u64::MAX / 3).unwrap();
    let digits = params.digits(summand.value(), low.meta.factor);
    let norms = crate::rlwe::Norms::of(digits.expose(), &params.context().roots);
    let sum = server.add_plain(&low, &summand).unwrap();
    let added = sum.noise.message.euclidean - low.noise.message.euclidean;
    assert!(added >= norms.euclidean, "{added} below {}", norms.euclidean);
    assert_eq!(secret.decrypt(&sum).unwrap().value().to_u64(), Some(u64::MAX / 3 + 5));
}

/// A plan for narrow integers holds for integers that are encoded within its width.
#[test]
fn a_planned_circuit_of_narrow_integers_is_computed() {
    let mut setup = setup(Preset::E4);
    let narrow = |sums| Circuit { input_bits: 16, ..Circuit::products_of::<u64>(sums) };
    let sums = (1..4096).rev().find(|&sums| setup.params.survives(&narrow(sums))).unwrap();
    let plain = setup.params.encode_within(65_535u64, 16).unwrap();
    let a = setup.secret.encrypt(&plain, &mut setup.rng).unwrap();
    assert_eq!(a.value_bits(), 16.0);
    let square = setup.server.square(&a).unwrap();
    let sum = setup.server.mul_scalar(&square, i64::from(sums)).unwrap();
    setup.check(&sum, &(BigInt::from(65_535u64 * 65_535) * sums));
    for (value, bits) in [(65_536i64, 16), (-65_536, 16), (i64::MIN, 63), (1, 0)] {
        let refused = setup.params.encode_within(value, bits).unwrap_err();
        assert_eq!(refused, WideError::BeyondWidth { bits }.into());
        assert!(setup.params.encode_within(value, bits + 1).is_ok());
    }
    assert!(matches!(
        setup.params.encode_within(1u64, 2048),
        Err(Error::Wide(WideError::TooWide { .. }))
    ));
    let zero = setup.params.encode_within(0u64, 0).unwrap();
    assert_eq!(zero.value().to_u64(), Some(0));
    let wide = setup.params.encode_within(-5i64, 200).unwrap();
    let a = setup.secret.encrypt(&wide, &mut setup.rng).unwrap();
    assert_eq!(setup.secret.decrypt(&a).unwrap().value().to_i64(), Some(-5));
}

/// A sender can claim any width: what decryption finds beyond it is refused.
#[test]
fn a_false_width_is_noticed_at_decryption() {
    let mut setup = setup(Preset::E4);
    let mut wide = setup.encrypt(u128::MAX);
    wide.meta.width = Width::Bits(64.0);
    let received = Ciphertext::from_bytes_fresh(&setup.params, &wide.to_bytes()).unwrap();
    let refused = setup.secret.decrypt(&received).unwrap_err();
    assert_eq!(refused, WideError::BeyondBound { bits: 64.0 }.into());
    wide.meta.width = Width::Bits(2048.0);
    assert!(Ciphertext::from_bytes(&setup.params, &wide.to_bytes()).is_err());
    let wrapping = Ciphertext::from_bytes(&setup.params, &wide.wrapping().to_bytes()).unwrap();
    assert_eq!(setup.secret.decrypt(&wrapping).unwrap().value().to_u128(), Some(u128::MAX));
}

fn big(limbs: &[u64]) -> BigInt {
    limbs.iter().rev().fold(BigInt::from(0), |sum, &limb| (sum << 64) + limb)
}

#[test]
fn e4_adds_up_256_products_and_refuses_what_could_be_wrong() {
    let mut setup = setup(Preset::E4);
    let a = setup.encrypt(u64::MAX);
    let square = setup.server.mul(&a, &a).unwrap();
    let mut sum = square.clone();
    for _ in 0..8 {
        sum = setup.server.add(&sum, &sum).unwrap();
    }
    let expected = BigInt::from(u64::MAX) * u64::MAX * 256;
    setup.check(&sum, &expected);
    let refused = setup.server.add(&sum, &sum).and_then(|c| setup.server.add(&c, &c));
    assert!(matches!(refused, Err(Error::NoiseExhausted { .. })));
    let refused = setup.server.mul(&square, &a);
    assert!(matches!(refused, Err(Error::NoiseExhausted { operation: "mul", .. })));
}

#[test]
fn public_key_products_are_exact() {
    for preset in Preset::ALL {
        let mut setup = setup(preset);
        let [x, y] = [u64::MAX, 0x0123_4567_89AB_CDEF];
        let [a, b] = [x, y].map(|value| {
            let plaintext = setup.params.encode(value).unwrap();
            setup.public.encrypt(&plaintext, &mut setup.rng).unwrap()
        });
        setup.check(&a, &BigInt::from(x));
        let dot = setup.server.dot(&[a.clone(), b.clone()], &[b.clone(), b]).unwrap();
        setup.check(&dot, &(BigInt::from(x) * y + BigInt::from(y) * y));
    }
}

/// Products are added up before they are divided: a long sum of products has less noise than the
/// sum of the results, and is exact within its bound.
#[test]
fn the_deep_set_divides_a_sum_of_products_once() {
    let mut setup = setup(Preset::E4Deep);
    let numbers: Vec<u64> = (1..=20).map(|i| u64::MAX / i).collect();
    let left: Vec<_> = numbers.iter().map(|&x| setup.encrypt(x)).collect();
    let right: Vec<_> = numbers.iter().rev().map(|&x| setup.encrypt(x)).collect();
    let clear = numbers.iter().zip(numbers.iter().rev());
    let clear: BigInt = clear.map(|(&x, &y)| BigInt::from(x) * y).sum();
    let before = setup.params.transform_count();
    let dot = setup.server.dot(&left, &right).unwrap();
    let together = setup.params.transform_count() - before;
    setup.check(&dot, &clear);
    let before = setup.params.transform_count();
    let products: Vec<_> =
        left.iter().zip(&right).map(|(a, b)| setup.server.mul(a, b).unwrap()).collect();
    let apart = setup.params.transform_count() - before;
    let sum = setup.server.sum(&products).unwrap();
    assert!(dot.noise_budget_bits() >= sum.noise_budget_bits());
    assert!(together < apart, "{together} transforms against {apart}");
    // Operands of different factors are aligned as in a sum, product by product.
    let lower = setup.server.mul(&left[0], &right[0]).unwrap();
    let mixed = setup.server.dot(&[lower, left[1].clone()], &[right[1].clone(), right[2].clone()]);
    let n = |i: usize| BigInt::from(numbers[i]);
    setup.check(&mixed.unwrap(), &(n(0) * n(19) * n(18) + n(1) * n(17)));
}

#[test]
fn the_deep_set_multiplies_four_times_in_a_row() {
    let mut setup = setup(Preset::E4Deep);
    let x = BigInt::from(0xFFFF_FFFF_FFFFu64);
    let mut square = setup.encrypt(integer(&x));
    let mut clear = x.clone();
    for _ in 0..4 {
        square = setup.server.square(&square).unwrap();
        clear = &clear * &clear;
        setup.check(&square, &clear);
    }
    assert!(setup.server.square(&square).is_err());
    let mut product = setup.encrypt(integer(&x));
    let mut clear = x;
    for i in 1..=4u64 {
        let factor = setup.encrypt(u64::MAX - i);
        product = setup.server.mul(&product, &factor).unwrap();
        clear *= u64::MAX - i;
        // Sums across depths have equal factors.
        product = setup.server.sub(&product, &factor).unwrap();
        clear -= u64::MAX - i;
        setup.check(&product, &clear);
    }
}

#[test]
fn random_circuits_decrypt_and_stay_within_their_bounds() {
    for (preset, circuits) in [(Preset::E4, 30), (Preset::E4Deep, 6)] {
        let mut setup = setup(preset);
        for _ in 0..circuits {
            let mut values: Vec<(Ciphertext, BigInt)> = (0..4)
                .map(|_| {
                    let x = setup.rng.next_word() as i64;
                    (setup.encrypt(x), BigInt::from(x))
                })
                .collect();
            for _ in 0..8 {
                let word = setup.rng.next_word();
                let pick = |shift: u32| (word >> shift) as usize % values.len();
                let ((a, x), (b, y)) = (&values[pick(8)], &values[pick(24)]);
                let small = (word >> 40) as i64 % 1000;
                let plain = setup.params.encode(small).unwrap();
                let (result, clear) = match word % 6 {
                    0 | 1 => (setup.server.mul(a, b), x * y),
                    2 => (setup.server.add(a, b), x + y),
                    3 => (setup.server.sub(a, b), x - y),
                    4 => (setup.server.mul_scalar(a, small), x * small),
                    _ => (setup.server.add_plain(a, &plain), x + small),
                };
                match result {
                    Ok(c) => {
                        setup.check(&c, &clear);
                        values.push((c, clear));
                    }
                    Err(error) => {
                        let range = matches!(error, Error::Wide(WideError::Overflow { .. }));
                        assert!(range || matches!(error, Error::NoiseExhausted { .. }), "{error}");
                    }
                }
            }
        }
    }
}

#[test]
fn switched_and_unscaled_products_keep_their_messages() {
    let mut setup = setup(Preset::E4Deep);
    let (a, b) = (setup.encrypt(1_000_003u64), setup.encrypt(-77i64));
    let low = setup.server.mod_switch_to(&a, 0).unwrap();
    assert_eq!(setup.secret.decrypt(&low).unwrap().value().to_i64(), Some(1_000_003));
    let sum = setup.server.add(&low, &b).unwrap();
    assert_eq!(setup.secret.decrypt(&sum).unwrap().value().to_i64(), Some(1_000_003 - 77));
    let tensor = setup.server.tensor(&a, &b).unwrap();
    let product = setup.server.relinearize(&tensor).unwrap();
    assert_eq!(setup.secret.decrypt(&product).unwrap().value().to_i64(), Some(-77_000_231));
    let switched = setup.server.relinearize_and_switch(&tensor).unwrap();
    assert_eq!(setup.secret.decrypt(&switched).unwrap().value().to_i64(), Some(-77_000_231));
    assert_eq!(setup.server.add(&product, &a).unwrap_err(), Error::FactorMismatch);
    let added = setup.server.sub_plain(&product, &setup.params.encode(231i64).unwrap()).unwrap();
    assert_eq!(setup.secret.decrypt(&added).unwrap().value().to_i64(), Some(-77_000_462));
}

#[test]
fn what_does_not_fit_is_refused() {
    let setup = setup(Preset::E4);
    let refused = setup.params.encode(Integer::from_limbs(&[0; 32])).unwrap_err();
    assert_eq!(refused, Error::Wide(WideError::TooWide { bits: 2048, widest: 2047 }));
    let small = Spec { degree: 512, ..Preset::E4.spec() };
    assert!(matches!(Params::new(small), Err(Error::Spec { field: "degree", .. })));
    let many = Spec { chain_bits: vec![20.0; 5], ..Preset::E4.spec() };
    assert!(matches!(Params::new(many), Err(Error::Spec { field: "chain_bits", .. })));
    let insecure = Spec { chain_bits: vec![28.0], ..Preset::E4.spec() };
    assert!(matches!(Params::new(insecure), Err(Error::Insecure(_))));
    let deep = Params::preset(Preset::E4Deep).unwrap();
    let other = deep.encode(1u64).unwrap();
    let mut rng = SecretRng::insecure_from_seed(1);
    assert!(matches!(setup.secret.encrypt(&other, &mut rng), Err(Error::ParamsMismatch { .. })));
}

/// Errors, keys included, are multiples of `X - 2`: the phase of an encryption of zero is 0 there.
#[test]
fn errors_are_multiples_of_the_plaintext_polynomial() {
    let mut setup = setup(Preset::E4);
    let zero = setup.encrypt(0u64);
    let (public, _) = phase(&setup.secret, &[setup.public.b.clone(), setup.public.a.clone()]);
    let (fresh, _) = phase(&setup.secret, &zero.parts);
    for error in [public, fresh] {
        let value = error.iter().rev().fold(BigInt::from(0), |sum, c| sum * 2 + c);
        assert_eq!(value % ((BigInt::from(1) << 2048) + 1), BigInt::from(0));
        assert!(error.iter().any(|c| *c != BigInt::from(0)));
    }
}

#[test]
fn integers_keys_and_parameters_travel() {
    for preset in Preset::ALL {
        let mut setup = setup(preset);
        let params = Params::from_bytes(&setup.params.to_bytes()).unwrap();
        assert_eq!(params, setup.params);
        assert_eq!(setup.params.to_bytes().len(), setup.params.byte_len());
        let keys = EvaluationKeys::from_bytes(&params, &setup.server.keys().to_bytes()).unwrap();
        let server = Evaluator::new(keys);
        let bytes = setup.encrypt(u64::MAX).to_bytes();
        let a = Ciphertext::from_bytes_fresh(&params, &bytes).unwrap();
        let product = server.mul(&a, &a).unwrap();
        let product = Ciphertext::from_bytes(&params, &product.to_bytes()).unwrap();
        let expected = Integer::from(u128::from(u64::MAX).pow(2));
        assert_eq!(*setup.secret.decrypt(&product).unwrap().value(), expected);
        for position in 0..bytes.len().min(400) {
            let mut damaged = bytes.clone();
            damaged[position] ^= 1;
            assert!(Ciphertext::from_bytes(&params, &damaged).is_err(), "byte {position}");
        }
        assert!(Params::from_bytes(&params.to_bytes()[..60]).is_err());
    }
}

#[test]
fn e4_is_small() {
    let mut setup = setup(Preset::E4);
    let a = setup.encrypt(1u64);
    assert!(a.byte_len() < 7200, "{}", a.byte_len());
    assert!(setup.server.neg(&a).unwrap().byte_len() < 14_100);
    let relinearization = setup.server.keys().byte_len() - a.byte_len();
    assert!(relinearization < 14_000, "{relinearization}");
}

#[test]
fn the_choice_is_by_the_number_of_elements_and_says_why() {
    let one = Circuit { elements: 1, ..Circuit::products_of::<u64>(1) }.choose().unwrap();
    assert!(matches!(one.form(), Form::Integers(params) if params.degree() == 2048));
    let many = Circuit::products_of::<u64>(1).choose().unwrap();
    assert!(matches!(many.form(), Form::Vectors(_)));
    assert!(many.reason().starts_with("vectors: 4096 elements take"), "{}", many.reason());
    let deep = Circuit { depth: 4, elements: 1, ..Circuit::products_of::<u64>(1) };
    let Form::Integers(params) = deep.choose().unwrap().into_form() else {
        panic!("one deep integer is no vector")
    };
    assert_eq!(params.degree(), 4096);
    assert!(params.survives(&deep) && !params.survives(&Circuit { depth: 5, ..deep }));
    let shallow = Params::preset(Preset::E4).unwrap();
    assert!(!shallow.survives(&deep));
    assert!(shallow.survives(&Circuit::products_of::<u64>(256)));
    assert!(!shallow.survives(&Circuit::products_of::<u64>(512)));
}

#[test]
fn products_that_cancel_are_masked() {
    for preset in Preset::ALL {
        let mut setup = setup(preset);
        let (a, b) = (setup.encrypt(3i64), setup.encrypt(5i64));
        let pair = [a.clone(), setup.server.neg(&a).unwrap()];
        let zero = setup.server.dot(&pair, &[b.clone(), b]).unwrap();
        setup.check(&zero, &BigInt::from(0));
        assert!(Ciphertext::from_bytes(&setup.params, &zero.to_bytes()).is_ok());
    }
}
