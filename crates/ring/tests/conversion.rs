//! Changes of basis and divisions by primes against arithmetic on big integers.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use crate::common::{
    SHAPES, Shape, centered, integers, integers_modulo, modulo, product, random, random_eval, size,
};
use fathom_ring::{
    Coeff, Error, ErrorFactor, Eval, FactorPoly, Limbs, Masked, MaskedProduct, Message, ModDown,
    Modulus, PlainRing, Poly, Ring, Scalar, ScaleInvariant, SecretCoefficients, SecretPoly,
    SecretRng, ToPlain, WideCoefficients, centered_binomial, ternary,
};
use num_bigint::BigInt;
use proptest::prelude::*;
use std::sync::Arc;

const DEGREE: usize = 64;

fn shapes() -> impl Strategy<Value = Shape> {
    prop::sample::select(SHAPES.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn division_rounds_to_the_nearest_integer(shape in shapes(), seed: u64) {
        for ring in shape.rings(DEGREE) {
            for (from, to) in divisions(&ring) {
                let x = random_eval(&ring, from, seed);
                let d = dropped(&ring, from, to);
                let q = product(&ring, 0..to.chain_count());
                let rounded = |x: &BigInt| modulo(&((x - centered(x, &d)) / &d), &q);
                let slow: Vec<BigInt> =
                    integers(&x.clone().into_coeff()).iter().map(rounded).collect();
                let fast = ModDown::new(&ring, from, to, ErrorFactor::One).apply(x).into_coeff();
                prop_assert_eq!(integers(&fast), slow, "{} {:?} to {:?}", shape.name, from, to);
            }
        }
    }

    #[test]
    fn division_with_a_factor_subtracts_a_small_congruent_multiple(shape in shapes(), seed: u64) {
        for ring in shape.rings(DEGREE) {
            for (from, to) in divisions(&ring) {
                division_keeps_residues(&ring, from, to, seed)?;
            }
        }
    }

    #[test]
    fn division_with_a_linear_factor_subtracts_its_multiple_by_a_centered_quotient(
        shape in shapes(),
        seed: u64,
    ) {
        for ring in shape.rings(DEGREE) {
            for (from, to) in divisions(&ring) {
                for b in [2, 3, 65536] {
                    linear_division(&ring, (from, to), ErrorFactor::Linear(b), seed)?;
                }
            }
        }
    }

    #[test]
    fn an_addend_joins_with_the_special_product_as_factor(shape in shapes(), seed: u64) {
        for ring in shape.rings(DEGREE) {
            for (from, to) in divisions(&ring) {
                for t in [1, 65537] {
                    let x = random_eval(&ring, from, seed);
                    let limbs = Limbs::chain(from.chain_count());
                    let addend = random_eval(&ring, limbs, seed ^ 1);
                    let down = ModDown::new(&ring, from, to, ErrorFactor::Integer(t));
                    let mut joined = x.clone();
                    joined.add_assign(&with_special_rows(&addend, from));
                    let expected = down.apply(joined);
                    prop_assert_eq!(down.apply_with(x, &addend), expected);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn masked_products_are_divisions_of_hidden_products(shape in shapes(), seed: u64) {
        for ring in shape.rings(DEGREE) {
            let linear = [2, 9].map(ErrorFactor::Linear);
            for factor in [ErrorFactor::Integer(257)].into_iter().chain(linear) {
                masked_products(&ring, factor, seed)?;
            }
        }
    }
}

/// `(u k + t e) / P + m` by values and a division against one step.
fn masked_products(ring: &Arc<Ring>, factor: ErrorFactor, seed: u64) -> Result<(), TestCaseError> {
    let (all, chain) = (ring.all_limbs(), Limbs::chain(ring.chain_len()));
    let mut rng = SecretRng::insecure_from_seed(seed ^ 2);
    let u = ternary(&mut rng, DEGREE);
    let keys = [1, 2].map(|i| random_eval(ring, all, seed ^ i));
    let [message, first, second] = [(); 3].map(|()| centered_binomial(&mut rng, DEGREE));
    let multiples = FactorPoly::new(ring, factor).unwrap();
    let hidden = |key: &Poly<Eval>, error: &SecretCoefficients| {
        let eval = |small: &SecretCoefficients| small.to_eval(ring, all).into_masked();
        let mut hidden = Poly::product(key, &eval(&u), all);
        hidden.add_assign(&multiples.times(&eval(error)));
        if ring.special_len() == 0 {
            hidden
        } else {
            ModDown::new(ring, all, chain, factor).apply(hidden)
        }
    };
    let expected = [hidden(&keys[0], &first), hidden(&keys[1], &second)];
    let plus = |message: &SecretPoly| {
        let [mut first, second] = expected.clone();
        first.add_assign(message.expose());
        [first, second]
    };
    let product = MaskedProduct::new(ring, factor);
    let small = Message::Small(&message);
    let got = product.apply(&u, masked(&keys, [&first, &second], small));
    prop_assert_eq!(got, plus(&message.to_eval(ring, chain)));
    let primes = (0..ring.chain_len()).map(|i| ring.modulus(i).value() as f64);
    if primes.fold(f64::INFINITY, f64::min).log2() < WideCoefficients::LEAST_PRIME_BITS {
        return Ok(());
    }
    let reals: Vec<f64> = message.expose().iter().map(|&c| c as f64 / 32.0).collect();
    for bits in [12, 40, 58, 90] {
        let scale = f64::from(bits).exp2();
        let wide = || WideCoefficients::rounded(&reals, scale, scale);
        let digits = wide().into_digits();
        let got = product.apply(&u, masked(&keys, [&first, &second], Message::Wide(&digits)));
        prop_assert_eq!(got, plus(&wide().to_eval(ring, chain)), "{} bits", bits);
    }
    Ok(())
}

/// The parts of an encryption, of which the first holds the message.
fn masked<'a>(
    [key, other]: &'a [Poly<Eval>; 2],
    [first, second]: [&'a SecretCoefficients; 2],
    message: Message<'a>,
) -> [Masked<'a>; 2] {
    [
        Masked { key, error: first, message },
        Masked { key: other, error: second, message: Message::None },
    ]
}

/// `(x - t u) / D` with `u` the centred representative of `x / t` modulo `D`.
fn linear_division(
    ring: &Arc<Ring>,
    (from, to): (Limbs, Limbs),
    factor: ErrorFactor,
    seed: u64,
) -> Result<(), TestCaseError> {
    let x = random_eval(ring, from, seed);
    let multiples = FactorPoly::new(ring, factor).unwrap();
    let kept: Vec<usize> = ring.prime_indices(to).collect();
    let dropped: Vec<usize> = ring.prime_indices(from).filter(|i| !kept.contains(i)).collect();
    let d = product(ring, dropped.iter().copied());
    let quotient = integers_modulo(&multiples.quotient(&x), &dropped);
    let mut u = Poly::<Coeff>::zero(ring, to);
    for (row, &prime) in kept.iter().enumerate() {
        let q = ring.modulus(prime).value();
        for (word, y) in u.row_mut(row).iter_mut().zip(&quotient) {
            *word = crate::common::residue(&centered(y, &d), q);
        }
    }
    let mut expected = x.restricted(to);
    expected.sub_assign(&multiples.times(&u.into_eval()));
    let inverse = |m: &Modulus| m.inverse(crate::common::residue(&d, m.value())).unwrap();
    let mut at = 0;
    expected.mul_scalar_assign(&Scalar::new(ring, |m| {
        at += 1;
        if at <= to.chain_count() { inverse(m) } else { 0 }
    }));
    prop_assert_eq!(ModDown::new(ring, from, to, factor).apply(x), expected);
    Ok(())
}

#[test]
fn a_factor_that_a_prime_divides_is_refused() {
    let ring = SHAPES[0].rings(DEGREE).remove(0);
    let prime = ring.modulus(0).value();
    assert!(ErrorFactor::Integer(257).check(&ring).is_ok());
    // A root of `X^N + 1` modulo a prime of 13 bits.
    let small = Ring::new(DEGREE, &[7681], &[]).unwrap();
    let root = (2..7681u32).find(|&b| {
        let m = small.modulus(0);
        m.pow(u64::from(b), DEGREE as u64) == 7680
    });
    let factor = ErrorFactor::Linear(root.unwrap());
    assert_eq!(factor.check(&small), Err(Error::FactorNotUnit { factor, prime: 7681 }));
    let factor = ErrorFactor::Integer(prime);
    assert_eq!(factor.check(&ring), Err(Error::FactorNotUnit { factor, prime }));
    assert!(ErrorFactor::Linear(1).check(&ring).is_err());
}

/// `P addend` over the limbs of `from`: zero modulo the special primes if there are any.
fn with_special_rows(addend: &Poly<Eval>, from: Limbs) -> Poly<Eval> {
    let ring = addend.ring();
    let mut scaled = addend.clone();
    if from.special_count() > 0 {
        scaled.mul_scalar_assign(&Scalar::special_product(ring));
    }
    let mut wide = Poly::zero(ring, from);
    for row in 0..addend.limbs().len() {
        wide.row_mut(row).copy_from_slice(scaled.row(row));
    }
    wide
}

/// All `(from, to)` of a ring: with the special primes and without.
fn divisions(ring: &Ring) -> Vec<(Limbs, Limbs)> {
    let mut all = Vec::new();
    for chain in 1..=ring.chain_len() {
        for to in 1..=chain {
            if ring.special_len() > 0 {
                all.push((Limbs::extended(chain, ring.special_len()), Limbs::chain(to)));
            }
            if to < chain {
                all.push((Limbs::chain(chain), Limbs::chain(to)));
            }
        }
    }
    all
}

fn dropped(ring: &Ring, from: Limbs, to: Limbs) -> BigInt {
    product(ring, ring.prime_indices(from)) / product(ring, ring.prime_indices(to))
}

fn division_keeps_residues(
    ring: &Arc<Ring>,
    from: Limbs,
    to: Limbs,
    seed: u64,
) -> Result<(), TestCaseError> {
    let t = 257;
    let x = random_eval(ring, from, seed);
    let d = dropped(ring, from, to);
    let q = product(ring, 0..to.chain_count());
    let down = ModDown::new(ring, from, to, ErrorFactor::Integer(t));
    prop_assert_eq!((down.from(), down.to()), (from, to));
    let result = integers(&down.apply(x.clone()).into_coeff());
    for (x, result) in integers(&x.into_coeff()).iter().zip(result) {
        // delta = x - D result is known modulo Q, and determined where Q exceeds its range.
        let inverse = BigInt::from(t).modinv(&d).unwrap();
        let delta = centered(&(x * inverse), &d) * t;
        prop_assert!(size(&delta) * 2 <= &d * t);
        prop_assert_eq!(modulo(&(&delta - x), &d), BigInt::from(0));
        prop_assert_eq!(modulo(&(&delta + &result * &d - x), &q), BigInt::from(0));
        if q > &d * t {
            let seen = centered(&(x - &result * &d), &q);
            prop_assert_eq!(modulo(&seen, &BigInt::from(t)), BigInt::from(0));
            prop_assert_eq!(seen, delta);
        }
    }
    Ok(())
}

#[test]
fn centered_residues_modulo_a_plaintext_modulus() {
    for shape in SHAPES {
        for ring in shape.rings(DEGREE) {
            for (count, t) in [(1, 65537u64), (2, 65537), (2, 786_433), (ring.chain_len(), 12289)] {
                let plain = Modulus::new(t).unwrap();
                let p = random_eval(&ring, Limbs::chain(ring.chain_len()), 9);
                let d = product(&ring, 0..count);
                let slow: Vec<u64> = integers_modulo(&p, &(0..count).collect::<Vec<_>>())
                    .iter()
                    .map(|x| crate::common::residue(&centered(x, &d), t))
                    .collect();
                assert_eq!(ToPlain::new(&ring, count, &plain).apply(&p), slow, "{}", shape.name);
            }
        }
    }
}

#[test]
fn scale_invariant_product_is_the_rounded_quotient() {
    let t = 65537u64;
    for shape in SHAPES.iter().filter(|s| s.chain.iter().all(|&b| b < 46.0)) {
        for ring in shape.rings(DEGREE) {
            for count in 1..=ring.chain_len() {
                let limbs = Limbs::chain(count);
                let p = |i: u64| random::<Coeff>(&ring, limbs, 77 + i);
                let q = product(&ring, 0..count);
                let clear = |i| integers(&p(i)).iter().map(|x| centered(x, &q)).collect::<Vec<_>>();
                let sum = |x: Vec<BigInt>, y: &[BigInt]| -> Vec<BigInt> {
                    x.iter().zip(y).map(|(x, y)| x + y).collect()
                };
                // More pairs than are extended at once.
                let numbers: Vec<u64> = (0..9).map(|pair| 4 * pair).collect();
                let mut exact = vec![vec![BigInt::from(0); DEGREE]; 3];
                for &i in &numbers {
                    let [a0, a1, b0, b1] = [0, 1, 2, 3].map(|k| clear(i + k));
                    let cross = sum(schoolbook(&a0, &b1), &schoolbook(&a1, &b0));
                    let products = [schoolbook(&a0, &b0), cross, schoolbook(&a1, &b1)];
                    exact = exact.into_iter().zip(&products).map(|(s, p)| sum(s, p)).collect();
                }
                let halves: Vec<_> =
                    numbers.iter().map(|i| [0, 1, 2, 3].map(|k| p(i + k).into_eval())).collect();
                let pairs: Vec<_> =
                    halves.iter().map(|[a0, a1, b0, b1]| ([a0, a1], [b0, b1])).collect();
                let factor = ErrorFactor::Integer(t);
                let tables = ScaleInvariant::new(&ring, count, factor, pairs.len()).unwrap();
                assert_eq!(tables.capacity(), pairs.len());
                let fast = tables.tensor(&pairs);
                for (exact, fast) in exact.iter().zip(fast) {
                    let rounded = |x: &BigInt| {
                        let scaled = x * t;
                        modulo(&((&scaled - centered(&scaled, &q)) / &q), &q)
                    };
                    let slow: Vec<BigInt> = exact.iter().map(rounded).collect();
                    assert_eq!(integers(&fast.into_coeff()), slow, "{} {count}", shape.name);
                }
            }
        }
    }
}

/// The product modulo `X^N + 1` over the integers.
fn schoolbook(a: &[BigInt], b: &[BigInt]) -> Vec<BigInt> {
    let n = a.len();
    let mut out = vec![BigInt::from(0); n];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            let term = a * b;
            if i + j < n { out[i + j] += term } else { out[i + j - n] -= term }
        }
    }
    out
}

#[test]
fn slots_are_values_at_powers_of_three_and_rotate() {
    for (degree, t) in [(64usize, 257u64), (64, 65537), (256, 12289), (1024, 786_433)] {
        let plain = PlainRing::new(degree, t).unwrap();
        assert_eq!(plain.slot_count(), degree);
        let values: Vec<u64> = (0..degree as u64).map(|i| (i * i + 3 * i + 1) % t).collect();
        let coefficients = plain.slots_to_coefficients(&values, 1).unwrap();
        assert_eq!(plain.coefficients_to_slots(coefficients.clone()).unwrap(), values);
        let tripled = plain.slots_to_coefficients(&values, 3).unwrap();
        let m = plain.modulus();
        let thrice: Vec<u64> = values.iter().map(|&v| m.mul(3, v)).collect();
        assert_eq!(plain.coefficients_to_slots(tripled).unwrap(), thrice);
        let psi = some_root(m, &coefficients, values[0]);
        let mut exponent = 1u64;
        for i in 0..degree / 2 {
            for (slot, e) in [(i, exponent), (degree / 2 + i, 2 * degree as u64 - exponent)] {
                assert_eq!(value_at(m, &coefficients, m.pow(psi, e)), values[slot]);
            }
            exponent = exponent * 3 % (2 * degree as u64);
        }
        let rotated = fathom_kernels::reference::automorphism(m, &coefficients, 3);
        let slots = plain.coefficients_to_slots(rotated).unwrap();
        for (row, first) in [(0, 0), (1, degree / 2)] {
            for i in 0..degree / 2 {
                let next = first + (i + 1) % (degree / 2);
                assert_eq!(slots[first + i], values[next], "row {row}, slot {i}");
            }
        }
    }
}

fn value_at(m: &Modulus, coefficients: &[u64], point: u64) -> u64 {
    coefficients.iter().rev().fold(0, |acc, &c| m.add(m.mul(acc, point), c))
}

/// The primitive `2N`-th root at which the first slot is the value.
fn some_root(m: &Modulus, coefficients: &[u64], first: u64) -> u64 {
    let order = 2 * coefficients.len() as u64;
    let t = m.value();
    let primitive = |&r: &u64| m.pow(r, order / 2) == t - 1;
    let roots = (2..t).map(|g| m.pow(g, (t - 1) / order)).filter(primitive);
    let mut roots = roots.take(100_000);
    roots.find(|&r| value_at(m, coefficients, r) == first).unwrap()
}
