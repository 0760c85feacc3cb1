//! Rings of every shape, random polynomials, and the integers behind their residues.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]
#![allow(dead_code, reason = "every test binary uses its own part")]

use fathom_ring::{
    Coeff, Domain, Eval, Kernel, Limbs, Modulus, Poly, Ring, SecretRng, available, primes_below,
};
use num_bigint::BigInt;
use std::sync::Arc;

/// The largest primes of the vector kernels.
pub(crate) const W46: f64 = 45.86;

/// A chain and its special primes, by size in bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    pub(crate) chain: &'static [f64],
    pub(crate) special: &'static [f64],
}

/// Narrow, wide, mixed and lopsided bases, and one for the portable kernel alone.
pub(crate) const SHAPES: [Shape; 6] = [
    Shape { name: "w30", chain: &[30.0, 30.0, 30.0, 30.0], special: &[30.0, 30.0] },
    Shape { name: "w46", chain: &[W46, W46, W46], special: &[W46, W46] },
    Shape { name: "mixed", chain: &[26.0, 30.0, W46, 24.0, 31.0], special: &[38.0] },
    Shape { name: "tiny special", chain: &[27.0, 27.0, 27.0], special: &[19.0] },
    Shape { name: "no special", chain: &[28.0, 28.0, 20.0], special: &[] },
    Shape { name: "wide", chain: &[61.0, 60.0, 61.0], special: &[61.0] },
];

impl Shape {
    pub(crate) fn primes(&self, degree: usize) -> (Vec<u64>, Vec<u64>) {
        let mut taken = Vec::new();
        let mut find = |bits: &[f64]| -> Vec<u64> {
            let pick = |&b: &f64| {
                let prime = primes_below(b, 2 * degree as u64, 1, &taken).unwrap()[0];
                taken.push(prime);
                prime
            };
            bits.iter().map(pick).collect()
        };
        (find(self.chain), find(self.special))
    }

    pub(crate) fn ring(&self, degree: usize, kernel: &'static dyn Kernel) -> Arc<Ring> {
        let (chain, special) = self.primes(degree);
        Ring::with_kernel(degree, &chain, &special, Some(kernel)).unwrap()
    }

    /// One ring for each kernel of this CPU that can serve the shape.
    pub(crate) fn rings(&self, degree: usize) -> Vec<Arc<Ring>> {
        let (chain, special) = self.primes(degree);
        let moduli: Vec<Modulus> =
            chain.iter().chain(&special).map(|&q| Modulus::new(q).unwrap()).collect();
        let able = available().into_iter().filter(|k| moduli.iter().all(|m| k.supports(m)));
        able.map(|kernel| self.ring(degree, kernel)).collect()
    }

    /// A ring on the fastest kernel.
    pub(crate) fn fastest(&self, degree: usize) -> Arc<Ring> {
        self.rings(degree).remove(0)
    }
}

/// A polynomial with uniform residues, the same for equal seeds on every kernel.
pub(crate) fn random<D: Domain>(ring: &Arc<Ring>, limbs: Limbs, seed: u64) -> Poly<D> {
    let mut rng = SecretRng::insecure_from_seed(seed);
    let mut poly = Poly::zero(ring, limbs);
    for (row, prime) in ring.prime_indices(limbs).enumerate() {
        let q = ring.modulus(prime).value();
        poly.row_mut(row).iter_mut().for_each(|word| *word = rng.next_word() % q);
    }
    poly
}

pub(crate) fn random_eval(ring: &Arc<Ring>, limbs: Limbs, seed: u64) -> Poly<Eval> {
    random(ring, limbs, seed)
}

/// The values of a kept prime, as a slice of the polynomial.
pub(crate) fn row_of<D: Domain>(poly: &Poly<D>, prime: usize) -> &[u64] {
    let mut indices = poly.ring().prime_indices(poly.limbs());
    poly.row(indices.position(|i| i == prime).unwrap())
}

/// The product of some primes of a ring.
pub(crate) fn product(ring: &Ring, primes: impl IntoIterator<Item = usize>) -> BigInt {
    primes.into_iter().map(|i| BigInt::from(ring.modulus(i).value())).product()
}

/// The coefficients as integers modulo the product of some of the primes.
pub(crate) fn integers_modulo(p: &Poly<Eval>, sources: &[usize]) -> Vec<BigInt> {
    let d = product(p.ring(), sources.iter().copied());
    integers(&p.clone().into_coeff()).iter().map(|x| modulo(x, &d)).collect()
}

/// The coefficients as integers from 0 to `M - 1`, with `M` the product of the primes kept.
pub(crate) fn integers(poly: &Poly<Coeff>) -> Vec<BigInt> {
    let ring = poly.ring();
    let primes: Vec<usize> = ring.prime_indices(poly.limbs()).collect();
    let m = product(ring, primes.iter().copied());
    let bases: Vec<BigInt> = primes
        .iter()
        .map(|&i| {
            let q = BigInt::from(ring.modulus(i).value());
            let cofactor = &m / &q;
            &cofactor * (&cofactor % &q).modinv(&q).unwrap()
        })
        .collect();
    (0..ring.degree())
        .map(|i| {
            let terms = bases.iter().enumerate().map(|(row, base)| base * poly.row(row)[i]);
            terms.sum::<BigInt>() % &m
        })
        .collect()
}

/// The polynomial with these integer coefficients.
pub(crate) fn from_integers(ring: &Arc<Ring>, limbs: Limbs, integers: &[BigInt]) -> Poly<Coeff> {
    let mut poly = Poly::zero(ring, limbs);
    for (row, prime) in ring.prime_indices(limbs).enumerate() {
        for (word, x) in poly.row_mut(row).iter_mut().zip(integers) {
            *word = residue(x, ring.modulus(prime).value());
        }
    }
    poly
}

/// `x mod m` from 0 to `m - 1`.
pub(crate) fn modulo(x: &BigInt, m: &BigInt) -> BigInt {
    ((x % m) + m) % m
}

/// The representative of `x` modulo `m` that is closest to zero.
pub(crate) fn centered(x: &BigInt, m: &BigInt) -> BigInt {
    let least = modulo(x, m);
    if &least * 2 > *m { least - m } else { least }
}

pub(crate) fn residue(x: &BigInt, q: u64) -> u64 {
    modulo(x, &BigInt::from(q)).to_u64_digits().1.first().copied().unwrap_or(0)
}

/// Absolute value.
pub(crate) fn size(x: &BigInt) -> BigInt {
    if *x < BigInt::ZERO { -x } else { x.clone() }
}
