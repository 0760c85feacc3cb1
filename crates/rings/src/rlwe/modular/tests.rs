//! Tests that look into keys: what only this crate may see.

use super::{EvaluationKeys, Evaluator, Params, Preset, Rotations, SecretKey};
use crate::bgv::Bgv;
use fathom_ring::{Coeff, Eval, Limbs, Poly, SecretRng};
use num_bigint::BigInt;
use std::collections::HashSet;

/// The coefficients as integers centred modulo the product `M` of the primes kept, and `M`.
pub(crate) fn centered_integers(p: &Poly<Eval>) -> (Vec<BigInt>, BigInt) {
    let p: Poly<Coeff> = p.clone().into_coeff();
    let ring = p.ring();
    let primes: Vec<BigInt> =
        ring.prime_indices(p.limbs()).map(|i| ring.modulus(i).value().into()).collect();
    let m: BigInt = primes.iter().product();
    let bases: Vec<BigInt> = primes
        .iter()
        .map(|q| {
            let cofactor = &m / q;
            &cofactor * (&cofactor % q).modinv(q).unwrap()
        })
        .collect();
    let coefficient = |i: usize| {
        let terms = bases.iter().enumerate().map(|(row, base)| base * p.row(row)[i]);
        let x = terms.sum::<BigInt>() % &m;
        if &x * 2 > m { x - &m } else { x }
    };
    ((0..ring.degree()).map(coefficient).collect(), m)
}

/// `c0 + c1 s + ...` as centred integers, and the modulus.
pub(crate) fn phase<S: crate::rlwe::Mechanics>(
    secret: &SecretKey<S>,
    parts: &[Poly<Eval>],
) -> (Vec<BigInt>, BigInt) {
    let mut sum = parts[0].clone();
    let mut power = secret.s.expose().restricted(sum.limbs());
    for part in &parts[1..] {
        sum.mul_add_assign(part, &power);
        power.mul_assign(secret.s.expose());
    }
    centered_integers(&sum)
}

fn largest(all: &[BigInt]) -> BigInt {
    all.iter().flat_map(|x| [x.clone(), -x]).max().unwrap()
}

struct Keys {
    params: Params<Bgv>,
    secret: SecretKey<Bgv>,
    evaluation: EvaluationKeys<Bgv>,
    rng: SecretRng,
}

fn keys(preset: Preset) -> Keys {
    let mut rng = SecretRng::insecure_from_seed(21);
    let params = Params::<Bgv>::preset(preset).unwrap();
    let secret = SecretKey::generate(&params, &mut rng);
    let evaluation = secret.evaluation_keys(&Rotations::steps(&[1, 2]), &mut rng).unwrap();
    Keys { params, secret, evaluation, rng }
}

/// The pairs of all key-switching keys.
fn pairs(keys: &EvaluationKeys<Bgv>) -> Vec<[Poly<Eval>; 2]> {
    let relinearization = keys.relinearization.iter().map(|k| &k.vector);
    let galois = keys.galois.values().map(|g| &g.key.vector);
    relinearization.chain(galois).flat_map(|v| v.pairs().collect::<Vec<_>>()).collect()
}

#[test]
fn the_secret_is_one_ternary_polynomial_modulo_every_prime() {
    for preset in Preset::ALL {
        let keys = keys(preset);
        let (s, _) = centered_integers(keys.secret.s.expose());
        assert_eq!(largest(&s), BigInt::from(1));
        let count = |v: i64| s.iter().filter(|c| **c == BigInt::from(v)).count() as f64;
        let third = s.len() as f64 / 3.0;
        for v in -1..=1 {
            assert!((count(v) - third).abs() < 6.0 * third.sqrt(), "{v}: {}", count(v));
        }
    }
}

#[test]
fn errors_are_small_multiples_of_t_modulo_every_prime_at_once() {
    for preset in [Preset::E1, Preset::E1Bits256, Preset::E2] {
        let Keys { params, secret, evaluation, mut rng } = keys(preset);
        let t = BigInt::from(params.plain_modulus());
        let public = secret.public_key(&mut rng);
        let zero = evaluation.zero.as_deref().unwrap();
        for parts in [vec![public.b.clone(), public.a.clone()], zero.parts.clone()] {
            let (error, _) = phase(&secret, &parts);
            assert!(error.iter().all(|e| e % &t == BigInt::from(0)));
            let square: f64 = error.iter().map(|e| small(&(e / &t)).powi(2)).sum();
            let deviation = (square / error.len() as f64).sqrt();
            assert!((deviation - 3.19).abs() < 0.2, "{deviation}");
            assert!(largest(&error) < &t * 30);
        }
    }
}

fn small(x: &BigInt) -> f64 {
    x.to_string().parse().unwrap()
}

#[test]
fn switching_keys_hide_the_weighted_source_and_nothing_else() {
    for preset in [Preset::E1, Preset::E1Bits256, Preset::E1Depth2] {
        let Keys { params, secret, evaluation, .. } = keys(preset);
        let context = params.context();
        let limbs = secret.s.expose().limbs();
        let square = Poly::product(secret.s.expose(), secret.s.expose(), limbs);
        let t = BigInt::from(params.plain_modulus());
        let vector = &evaluation.relinearization.as_deref().unwrap().vector;
        for (weight, pair) in context
            .gadget
            .weights(&context.ring, context.ring.chain_len())
            .iter()
            .zip(vector.pairs())
        {
            let mut hidden = square.clone();
            hidden.mul_scalar_assign(weight);
            let mut b = pair[0].clone();
            b.sub_assign(&hidden);
            let (error, _) = phase(&secret, &[b, pair[1].clone()]);
            assert!(largest(&error) < &t * 30 && error.iter().all(|e| e % &t == BigInt::from(0)));
        }
    }
}

#[test]
fn no_uniform_half_is_used_twice() {
    for preset in [Preset::E1, Preset::E1Bits256, Preset::E2] {
        let Keys { params, secret, evaluation, mut rng } = keys(preset);
        let mut halves: Vec<Poly<Eval>> = pairs(&evaluation).into_iter().map(|[_, a]| a).collect();
        halves.extend([secret.public_key(&mut rng).a, secret.public_key(&mut rng).a]);
        halves.push(evaluation.zero.as_deref().unwrap().parts[1].clone());
        let zero = params.zero_plaintext();
        halves.extend((0..4).map(|_| secret.encrypt(&zero, &mut rng).unwrap().parts[1].clone()));
        let rows = halves.iter().flat_map(|a| {
            (0..a.limbs().len()).map(|row| a.row(row)[..4].to_vec()).collect::<Vec<_>>()
        });
        let rows: Vec<Vec<u64>> = rows.collect();
        let distinct: HashSet<&Vec<u64>> = rows.iter().collect();
        assert_eq!(distinct.len(), rows.len(), "{}", preset.name());
    }
}

#[test]
fn published_keys_are_uniform_and_their_rows_independent() {
    let Keys { secret, evaluation, mut rng, .. } = keys(Preset::E1);
    let public = secret.public_key(&mut rng);
    let all = pairs(&evaluation).into_iter().flatten().chain([public.a, public.b]);
    for p in all {
        let (x, m) = centered_integers(&p);
        let mut counts = [0f64; 256];
        for x in &x {
            let byte: BigInt = ((x + &m) % &m) * 256 / &m;
            counts[byte.to_string().parse::<usize>().unwrap()] += 1.0;
        }
        let expected = x.len() as f64 / 256.0;
        let chi: f64 = counts.iter().map(|c| (c - expected).powi(2) / expected).sum();
        assert!((chi - 255.0).abs() < 5.0 * 510f64.sqrt(), "{chi}");
        let (first, second) = (p.row(0), p.row(1));
        let equal = first.iter().zip(second).filter(|(a, b)| a == b).count();
        assert!(equal <= 2, "rows of two primes share {equal} words");
    }
}

#[test]
fn plain_linear_algebra_does_not_find_the_secret() {
    let Keys { params, secret, mut rng, .. } = keys(Preset::E1);
    let public = secret.public_key(&mut rng);
    let ring = &params.context().ring;
    let limbs = Limbs::chain(1);
    let m = ring.modulus(0);
    // Solves b + a s = 0 as if there were no error.
    let mut solved = Poly::<Eval>::zero(ring, limbs);
    for ((s, &a), &b) in solved.row_mut(0).iter_mut().zip(public.a.row(0)).zip(public.b.row(0)) {
        *s = m.mul(m.neg(b), m.inverse(a).unwrap_or(0));
    }
    let (s, q) = centered_integers(&solved);
    let (truth, _) = centered_integers(secret.s.expose());
    let hits = s.iter().zip(&truth).filter(|(a, b)| a == b).count();
    let large = s.iter().filter(|x| largest(std::slice::from_ref(x)) > &q / 1000).count();
    assert!(hits < 5 && large > s.len() * 99 / 100, "{hits} hits, {large} large");
    // With the error taken off, the same algebra succeeds.
    let mut b = public.b.restricted(limbs);
    let mut error = b.clone();
    error.mul_add_assign(&public.a, secret.s.expose());
    b.sub_assign(&error);
    for ((s, &a), &b) in solved.row_mut(0).iter_mut().zip(public.a.row(0)).zip(b.row(0)) {
        *s = m.mul(m.neg(b), m.inverse(a).unwrap_or(0));
    }
    assert_eq!(centered_integers(&solved).0, truth);
}

#[test]
fn an_evaluator_has_no_field_for_a_secret() {
    let Keys { evaluation, .. } = keys(Preset::E1);
    let evaluator = Evaluator::new(evaluation);
    // Names every field: a new one stops this from compiling until it has been thought about.
    let EvaluationKeys { params: _, key: _, relinearization, galois, zero } = evaluator.keys();
    let secret_weight = |p: &Poly<Eval>| largest(&centered_integers(p).0);
    let published = relinearization
        .iter()
        .map(|k| &k.vector)
        .chain(galois.values().map(|g| &g.key.vector))
        .flat_map(|v| v.pairs().flatten().collect::<Vec<_>>())
        .chain(zero.iter().flat_map(|z| z.parts.clone()));
    for p in published {
        assert!(secret_weight(&p) > BigInt::from(1u64 << 40), "a small polynomial is published");
    }
}

#[test]
fn ciphertexts_keep_chain_limbs_only() {
    let Keys { params, secret, evaluation, mut rng } = keys(Preset::E2);
    let public = secret.public_key(&mut rng);
    let evaluator = Evaluator::new(evaluation);
    let plain = params.encode(&[1, 2, 3]).unwrap();
    let a = public.encrypt(&plain, &mut rng).unwrap();
    let product = evaluator.mul(&a, &a).unwrap();
    let rotated = evaluator.rotate(&a, 1).unwrap();
    for c in [a, product, rotated] {
        assert!(c.parts.iter().all(|p| p.limbs().special_count() == 0));
    }
}
