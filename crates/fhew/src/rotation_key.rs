//! The keys of the three blind rotations.

use super::rgsw::{Accumulators, Rgsw, Rlwe, limbs};
use super::{FhewParams, FhewSecretKey, Method};
use fathom_ring::{Automorphism, Eval, Poly, SecretCoefficients, SecretPoly, SecretRng};

/// The generator of the exponents that are 1 modulo 4.
pub(super) const GENERATOR: usize = 5;

/// The automorphism `X -> X^k`, with the key that switches from `z(X^k)` back to `z`.
pub(super) struct AutomorphismKey {
    pub(super) automorphism: Automorphism,
    pub(super) rows: Vec<Rlwe>,
}

/// The RGSW ciphertexts and keys of the blind rotation.
pub(super) enum RotationKey {
    /// Two selectors for every coefficient, one encrypting whether it is 1 and one whether it is
    /// -1; and `X^e - 1` for every exponent `e`.
    Ginx { selectors: Vec<[Rgsw; 2]>, monomials: Vec<Poly<Eval>> },
    /// `X^s` for every coefficient `s`; automorphisms by powers of the generator and by its
    /// negative.
    Lmkcdey {
        powers: Vec<Rgsw>,
        automorphisms: Vec<AutomorphismKey>,
        minus_generator: AutomorphismKey,
    },
    /// `X^(v B^j s)` for every coefficient `s`, digit index `j` and digit `v > 0`.
    Ap { digits: Vec<Vec<Vec<Rgsw>>>, base_log: u32 },
}

impl RotationKey {
    pub(super) fn generate(
        accumulators: &Accumulators,
        key: &FhewSecretKey,
        rng: &mut SecretRng,
    ) -> RotationKey {
        let secret = key.ring.to_eval(&accumulators.ring, limbs());
        let degree = key.params().degree;
        let coefficients = key.lwe.expose();
        match key.params().method {
            Method::Ginx => {
                let selector = |&s: &i64| {
                    signs(s).map(|bit| {
                        let bit = SecretCoefficients::new(constant(degree, bit));
                        accumulators.rgsw(&bit, &secret, rng)
                    })
                };
                let selectors = coefficients.iter().map(selector).collect();
                RotationKey::Ginx { selectors, monomials: monomials(accumulators) }
            }
            Method::Lmkcdey { window } => {
                let power = |&s: &i64| accumulators.rgsw(&monomial(degree, s, 1), &secret, rng);
                let powers = coefficients.iter().map(power).collect();
                let mut make =
                    |exponent| AutomorphismKey::generate(accumulators, exponent, &secret, rng);
                let automorphisms = automorphism_exponents(degree, window).map(&mut make).collect();
                RotationKey::Lmkcdey {
                    powers,
                    automorphisms,
                    minus_generator: make(2 * degree - GENERATOR),
                }
            }
            Method::Ap { base_log } => {
                let digits = coefficients.iter().map(|&s| {
                    let place = |(shift, values): (u32, usize)| {
                        let value = |v: usize| monomial(degree, s, v << shift);
                        (1..=values).map(|v| accumulators.rgsw(&value(v), &secret, rng)).collect()
                    };
                    digit_places(key.params(), base_log).map(place).collect()
                });
                RotationKey::Ap { digits: digits.collect(), base_log }
            }
        }
    }

    /// Returns the number of ciphertexts of a key, if an RGSW ciphertext has `2 levels` of them.
    pub(super) fn row_count(params: &FhewParams, levels: usize) -> usize {
        let dimension = params.lwe_dimension;
        match params.method {
            Method::Ginx => dimension * 2 * 2 * levels,
            Method::Lmkcdey { window } => (2 * dimension + window + 1) * levels,
            Method::Ap { base_log } => {
                let values = digit_places(params, base_log).map(|(_, values)| values);
                dimension * values.sum::<usize>() * 2 * levels
            }
        }
    }

    /// Returns the ciphertexts of the key in the order in which [`RotationKey::from_rows`] takes
    /// them.
    pub(super) fn rows(&self) -> Vec<&Rlwe> {
        match self {
            RotationKey::Ginx { selectors, .. } => {
                selectors.iter().flatten().flat_map(|key| &key.rows).collect()
            }
            RotationKey::Lmkcdey { powers, automorphisms, minus_generator } => {
                let automorphisms =
                    automorphisms.iter().chain([minus_generator]).flat_map(|key| &key.rows);
                powers.iter().flat_map(|key| &key.rows).chain(automorphisms).collect()
            }
            RotationKey::Ap { digits, .. } => {
                digits.iter().flatten().flatten().flat_map(|key| &key.rows).collect()
            }
        }
    }

    /// Returns the key with the ciphertexts that `next` returns one by one.
    pub(super) fn from_rows<E>(
        accumulators: &Accumulators,
        params: &FhewParams,
        mut next: impl FnMut() -> Result<Rlwe, E>,
    ) -> Result<RotationKey, E> {
        let (levels, all) = (accumulators.gadget.levels(), 0..params.lwe_dimension);
        let mut rows = |count: usize| (0..count).map(|_| next()).collect::<Result<Vec<_>, E>>();
        Ok(match params.method {
            Method::Ginx => {
                let mut rgsw = || Ok(Rgsw { rows: rows(2 * levels)? });
                let selectors = all.map(|_| Ok([rgsw()?, rgsw()?])).collect::<Result<_, E>>()?;
                RotationKey::Ginx { selectors, monomials: monomials(accumulators) }
            }
            Method::Lmkcdey { window } => {
                let powers = all.map(|_| Ok(Rgsw { rows: rows(2 * levels)? }));
                let powers = powers.collect::<Result<_, E>>()?;
                let degree = accumulators.ring.degree();
                let mut make = |exponent| {
                    let automorphism = Automorphism::new(degree, exponent);
                    Ok(AutomorphismKey { automorphism, rows: rows(levels)? })
                };
                let automorphisms = automorphism_exponents(degree, window).map(&mut make);
                let automorphisms = automorphisms.collect::<Result<_, E>>()?;
                RotationKey::Lmkcdey {
                    powers,
                    automorphisms,
                    minus_generator: make(2 * degree - GENERATOR)?,
                }
            }
            Method::Ap { base_log } => {
                let mut place = |(_, values): (u32, usize)| {
                    (0..values).map(|_| Ok(Rgsw { rows: rows(2 * levels)? })).collect()
                };
                let digits = all.map(|_| digit_places(params, base_log).map(&mut place).collect());
                RotationKey::Ap { digits: digits.collect::<Result<_, E>>()?, base_log }
            }
        })
    }
}

/// Returns the first `window` powers of the generator modulo `2 N`.
fn automorphism_exponents(degree: usize, window: usize) -> impl Iterator<Item = usize> {
    (1..=window).scan(1, move |g, _| {
        *g = *g * GENERATOR % (2 * degree);
        Some(*g)
    })
}

/// Returns the position of every digit of an exponent in base `2^base_log`, in bits, and the
/// greatest value of the digit.
fn digit_places(params: &FhewParams, base_log: u32) -> impl Iterator<Item = (u32, usize)> {
    let bits = turn_bits(params);
    (0..bits)
        .step_by(base_log as usize)
        .map(move |shift| (shift, (1 << base_log).min(1 << (bits - shift)) - 1))
}

impl AutomorphismKey {
    fn generate(
        accumulators: &Accumulators,
        exponent: usize,
        secret: &SecretPoly,
        rng: &mut SecretRng,
    ) -> AutomorphismKey {
        let automorphism = Automorphism::new(accumulators.ring.degree(), exponent);
        let mut permuted = SecretPoly::new(automorphism.apply(secret.expose()));
        // The digits of the mask subtract `a z(X^k)` from the body.
        permuted.expose_mut().neg_assign();
        AutomorphismKey { automorphism, rows: accumulators.weighted(&permuted, secret, rng) }
    }
}

/// Returns `log2` of the number of exponents, `2 N`.
pub(super) fn turn_bits(params: &FhewParams) -> u32 {
    (2 * params.degree).ilog2()
}

fn constant(degree: usize, value: i64) -> Vec<i64> {
    let mut coefficients = vec![0; degree];
    coefficients[0] = value;
    coefficients
}

/// Returns whether `s` in `{-1, 0, 1}` is 1, and whether it is -1, without a branch.
fn signs(s: i64) -> [i64; 2] {
    [(s + 1) >> 1, -(s >> 1)]
}

/// Computes `X^(e s)` for a secret `s` in `{-1, 0, 1}` and a public `e`, without a branch on `s`.
fn monomial(degree: usize, s: i64, e: usize) -> SecretCoefficients {
    let mut coefficients = constant(degree, 1 - s * s);
    // All three coefficients are written whatever the secret is; two of the values are zero. X^N is
    // -1, so that an exponent beyond the degree changes the sign.
    let mut add = |exponent: usize, value: i64| {
        let exponent = exponent % (2 * degree);
        let sign = if exponent < degree { 1 } else { -1 };
        coefficients[exponent % degree] += sign * value;
    };
    let [positive, negative] = signs(s);
    add(e, positive);
    add(2 * degree - e % (2 * degree), negative);
    SecretCoefficients::new(coefficients)
}

/// Returns `X^e - 1` for every exponent `e` below `2 N`.
fn monomials(accumulators: &Accumulators) -> Vec<Poly<Eval>> {
    let degree = accumulators.ring.degree();
    let monomial = |e: usize| {
        let mut coefficients = constant(degree, -1);
        coefficients[e % degree] += if e < degree { 1 } else { -1 };
        Poly::from_signed(&accumulators.ring, limbs(), &coefficients).into_eval()
    };
    (0..2 * degree).map(monomial).collect()
}
