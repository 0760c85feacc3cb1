//! Attacks that must fail with published objects alone.
//!
//! Tests that need access to keys are in the library, next to the code.

use crate::common::Setup;
use fathom::bfv::{Bfv, MsbCiphertext};
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{Modular, Params, Preset, Rotations};
use fathom::wire::WireObject;
use fathom::{Error, SecretRng};
use fathom_ring::{Eval, Poly};
use num_bigint::BigInt;

/// Returns the coefficients as integers from 0 to `Q - 1`, and `Q`.
fn integers(p: &Poly<Eval>) -> (Vec<BigInt>, BigInt) {
    let p = p.clone().into_coeff();
    let primes: Vec<BigInt> =
        (0..p.limbs().len()).map(|i| p.ring().modulus(i).value().into()).collect();
    let q: BigInt = primes.iter().product();
    let bases: Vec<BigInt> = primes
        .iter()
        .map(|prime| {
            let cofactor = &q / prime;
            &cofactor * (&cofactor % prime).modinv(prime).unwrap()
        })
        .collect();
    let coefficient = |i: usize| {
        bases.iter().enumerate().map(|(row, base)| base * p.row(row)[i]).sum::<BigInt>() % &q
    };
    ((0..p.ring().degree()).map(coefficient).collect(), q)
}

fn small(x: &BigInt) -> u64 {
    x.to_u64_digits().1.first().copied().unwrap_or(0)
}

/// Computes `round(t x / Q) mod t`.
fn decoded(x: &BigInt, q: &BigInt, t: u64) -> u64 {
    small(&(((x * t * 2u32 + q) / (q * 2u32)) % t))
}

/// Returns the chi-square statistic of the highest byte of `x / Q`, in standard deviations from its
/// mean.
fn top_byte_excess(all: &[BigInt], q: &BigInt) -> f64 {
    let mut counts = [0u32; 256];
    for x in all {
        counts[small(&(x * 256u32 / q)) as usize] += 1;
    }
    let expected = all.len() as f64 / 256.0;
    let chi: f64 = counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum();
    (chi - 255.0) / (2.0 * 255f64).sqrt()
}

/// Returns ciphertexts of one message with small coefficients: fresh, public-key, rotated,
/// multiplied, masked and modulus-switched.
fn published(s: &mut Setup<Bfv>) -> (Vec<u64>, Vec<(&'static str, MsbCiphertext)>) {
    let values: Vec<u64> = (0..s.params.degree() as u64).map(|i| i % 2).collect();
    let plain = s.params.encode_coefficients(&values).unwrap();
    let one = s.params.encode(&vec![1; values.len()]).unwrap();
    let a = s.secret.encrypt(&plain, &mut s.rng).unwrap();
    let b = s.public.encrypt(&plain, &mut s.rng).unwrap();
    let unit = s.secret.encrypt(&one, &mut s.rng).unwrap();
    let e = &s.evaluator;
    let all = vec![
        ("secret key", a.to_msb()),
        ("public key", b.to_msb()),
        ("product", e.mul(&a, &unit).unwrap().to_msb()),
        ("switched", e.mod_switch_to(&b, 0).unwrap().to_msb()),
        ("masked", e.add(&e.sub(&a, &a).unwrap(), &e.sub(&b, &b).unwrap()).unwrap().to_msb()),
    ];
    (values, all)
}

#[test]
fn no_component_alone_decodes_to_the_message() {
    for preset in [Preset::E1, Preset::E1Bits256] {
        let mut s = Setup::<Bfv>::new(preset, &Rotations::none(), 1);
        let (message, all) = published(&mut s);
        for (what, c) in all {
            for (i, part) in c.components().iter().enumerate() {
                let (x, q) = integers(part);
                let seen: Vec<u64> = x.iter().map(|x| decoded(x, &q, s.t)).collect();
                let hits = seen.iter().zip(&message).filter(|(a, b)| a == b).count();
                // The expected number for random coefficients is 4096 / 65537.
                assert!(hits <= 4, "{what}: component {i} shows {hits} coefficients");
                let low: Vec<u64> = x.iter().map(|x| small(&(x % s.t))).collect();
                let hits = low.iter().zip(&message).filter(|(a, b)| a == b).count();
                assert!(hits <= 4, "{what}: component {i} shows {hits} low coefficients");
            }
        }
    }
}

#[test]
fn the_decoder_of_the_attack_works_on_a_ciphertext_that_is_none() {
    // This guards against a wrong decoder, with which the test above would pass.
    let (q, t) = (BigInt::from(1u64 << 60), 65537u64);
    for m in [0u64, 1, 2, 40000, 65536] {
        let encoded = &q * m / t + 12345;
        assert_eq!(decoded(&encoded, &q, t), m);
    }
}

#[test]
fn components_are_uniform_over_the_whole_modulus() {
    for preset in [Preset::E1, Preset::E1Bits192, Preset::E2] {
        let mut s = Setup::<Bfv>::new(preset, &Rotations::none(), 2);
        for (what, c) in published(&mut s).1 {
            for part in c.components() {
                let (x, q) = integers(part);
                let excess = top_byte_excess(&x, &q);
                assert!(excess.abs() < 5.0, "{} {what}: {excess}", preset.name());
            }
        }
    }
}

#[test]
fn encryptions_of_one_message_share_nothing() {
    let mut s = Setup::<Bfv>::new(Preset::E1, &Rotations::none(), 3);
    let x = s.random();
    let all: Vec<_> = (0..3).flat_map(|_| [s.encrypt(&x), s.encrypt_public(&x)]).collect();
    for (i, a) in all.iter().enumerate() {
        for b in &all[..i] {
            for (a, b) in a.to_msb().components().iter().zip(b.to_msb().components()) {
                let equal = a.words().iter().zip(b.words()).filter(|(a, b)| a == b).count();
                assert!(equal <= 2, "{equal} of {} words are equal", a.words().len());
            }
        }
    }
}

#[test]
fn generators_of_the_system_give_other_keys_every_time() {
    let params = Params::<Bgv>::preset(Preset::E1).unwrap();
    let bytes = || {
        let mut rng = SecretRng::from_os().unwrap();
        let secret = fathom::bgv::SecretKey::generate(&params, &mut rng);
        secret.encrypt(&params.zero_plaintext(), &mut rng).unwrap().to_bytes()
    };
    assert_ne!(bytes(), bytes());
}

/// Returns `log2` of the largest coefficient of the measured phase.
fn noise<S: Modular>(s: &Setup<S>, c: &fathom::rlwe::modular::Ciphertext<S>) -> f64 {
    s.params.log2_modulus(c.level()).unwrap()
        - 1.0
        - s.secret.debug_noise_budget_bits(c, &s.secret.decrypt(c).unwrap()).unwrap()
}

#[test]
fn switching_changes_the_ciphertext_and_lowers_its_noise() {
    for preset in Preset::ALL {
        let mut s = Setup::<Bfv>::new(preset, &Rotations::none(), 4);
        let x = s.random();
        let a = s.encrypt(&x);
        let noisy = s.evaluator.mul_scalar(&a, 30_000).unwrap();
        let switched = s.evaluator.mod_switch_to(&noisy, s.top - 1).unwrap();
        let (before, after) = (noise(&s, &noisy), noise(&s, &switched));
        assert!(after < before - 4.0, "{}: {before} to {after} bits", preset.name());
        let words = |c: &fathom::bfv::Ciphertext| c.to_msb().components()[0].row(0).to_vec();
        let same = words(&noisy).iter().zip(words(&switched)).filter(|(a, b)| **a == *b).count();
        assert!(same <= 2, "{same} words survived");
        let expected = crate::common::zip(s.t, &x, &x, |x, _| 30_000 * x);
        s.check("switched", &switched, &expected);
    }
}

/// Returns the limits of table 5.2 of eprint 2024/463, entered independently for this test.
fn limit(degree: usize, bits: u32) -> f64 {
    match (degree, bits) {
        (4096, 128) => 106.0,
        (4096, 192) => 73.0,
        (4096, 256) => 56.0,
        (8192, 128) => 214.0,
        (8192, 192) => 147.0,
        (8192, 256) => 114.0,
        (16384, 192) => 297.0,
        (16384, 256) => 230.0,
        other => panic!("{other:?}"),
    }
}

#[test]
fn presets_keep_the_largest_published_modulus_within_the_table() {
    for preset in Preset::ALL {
        let params = Params::<Bgv>::preset(preset).unwrap();
        let spec = preset.spec();
        let primes = params.chain().iter().chain(params.special());
        let published: f64 = primes.map(|&p| (p as f64).log2()).sum();
        assert!((published - params.log2_largest_modulus()).abs() < 1e-6);
        let limit = limit(spec.degree, spec.security.bits());
        assert!(published <= limit, "{}: {published} > {limit}", preset.name());
    }
}

#[test]
fn the_gate_looks_at_all_primes_and_not_at_the_chain_alone() {
    for preset in Preset::ALL {
        let spec = preset.spec();
        let limit = limit(spec.degree, spec.security.bits());
        let mut large = spec.clone();
        let t_bits = (spec.plain_modulus as f64).log2();
        if large.special_bits.is_empty() {
            large.chain_bits[0] += 1.0;
        } else {
            // The chain is secure by itself; a special prime brings the total above the limit.
            let mut total: f64 = large.chain_bits.iter().chain(&large.special_bits).sum();
            assert!(large.chain_bits.iter().sum::<f64>() < limit);
            while total <= limit {
                large.special_bits.push(t_bits + 6.0);
                total += t_bits + 6.0;
            }
        }
        let refused = Params::<Bgv>::new(large).unwrap_err();
        assert!(matches!(refused, Error::Insecure(_)), "{}: {refused}", preset.name());
    }
}

#[test]
fn one_bit_more_than_a_full_set_is_refused() {
    for preset in [Preset::E1Depth2, Preset::E1Bits192, Preset::E2Bits192, Preset::E2Bits256] {
        let mut spec = preset.spec();
        assert!(Params::<Bgv>::new(spec.clone()).is_ok());
        let total: f64 = spec.chain_bits.iter().chain(&spec.special_bits).sum();
        let room = limit(spec.degree, spec.security.bits()) - total;
        spec.special_bits[0] += room + 0.9;
        let refused = Params::<Bgv>::new(spec).unwrap_err();
        assert!(matches!(refused, Error::Insecure(_)), "{}: {refused}", preset.name());
    }
}

#[test]
fn serialized_ciphertexts_hold_no_residues_of_special_primes() {
    for preset in Preset::ALL {
        let mut s = Setup::<Bgv>::new(preset, &Rotations::none(), 6);
        let x = s.random();
        let c = s.encrypt_public(&x);
        let chain_bits: u32 = s.params.chain().iter().map(|q| 64 - q.leading_zeros()).sum();
        let packed = 2 * s.params.degree() * chain_bits as usize / 8;
        let bytes = c.to_bytes().len();
        assert!((packed..packed + 512).contains(&bytes), "{}: {bytes} {packed}", preset.name());
        let seeded = s.encrypt(&x).to_bytes().len();
        assert!((packed / 2..packed / 2 + 512).contains(&seeded), "{}: {seeded}", preset.name());
    }
}

#[test]
fn secrets_and_messages_are_not_printed() {
    let mut s = Setup::<Bgv>::new(Preset::E1, &Rotations::none(), 7);
    let x = s.random();
    let plain = s.plain(&x);
    for shown in [format!("{:?}", s.secret), format!("{plain:?}")] {
        assert!(shown.contains("hidden"), "{shown}");
    }
    let message = format!("{plain:?}");
    assert!(message.len() < 60, "{message}");
    let words = format!("{:?}", s.secret);
    assert!(!words.contains("-1, 0") && words.matches("SecretPoly").count() == 1);
}
