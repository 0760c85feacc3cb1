//! The three blind rotations, which multiply the accumulator by `X^(sum_i exponents[i] s_i)`.

use super::rgsw::{Accumulators, Rgsw, Rlwe, weigh};
use super::rotation_key::{AutomorphismKey, GENERATOR, RotationKey};
use fathom_ring::{Automorphism, Eval, Poly};

impl RotationKey {
    /// Rotates `acc` by exponents below `2 N`, which are odd for LMKCDEY.
    pub(super) fn rotate(
        &self,
        accumulators: &Accumulators,
        acc: Rlwe,
        exponents: &[usize],
    ) -> Rlwe {
        match self {
            RotationKey::Ginx { selectors, monomials } => {
                ginx(accumulators, selectors, monomials, acc, exponents)
            }
            RotationKey::Lmkcdey { powers, automorphisms, minus_generator } => {
                Lmkcdey { accumulators, powers, automorphisms, minus_generator }
                    .rotate(acc, exponents)
            }
            RotationKey::Ap { digits, base_log } => {
                ap(accumulators, digits, *base_log, acc, exponents)
            }
        }
    }
}

/// Computes `acc += (X^a - 1) [s = 1] acc + (X^-a - 1) [s = -1] acc` for every coefficient. Both
/// selectors use the same digits of `acc`.
fn ginx(
    accumulators: &Accumulators,
    selectors: &[[Rgsw; 2]],
    monomials: &[Poly<Eval>],
    mut acc: Rlwe,
    exponents: &[usize],
) -> Rlwe {
    for (selectors, &exponent) in selectors.iter().zip(exponents) {
        if exponent == 0 {
            continue;
        }
        let digits = accumulators.digits(&acc);
        for (selector, exponent) in selectors.iter().zip([exponent, monomials.len() - exponent]) {
            for (sum, part) in acc.iter_mut().zip(selector.multiply(&digits)) {
                sum.mul_add_assign(&part, &monomials[exponent]);
            }
        }
    }
    acc
}

/// Multiplies by one RGSW ciphertext for every nonzero digit of every exponent.
fn ap(
    accumulators: &Accumulators,
    keys: &[Vec<Vec<Rgsw>>],
    base_log: u32,
    mut acc: Rlwe,
    exponents: &[usize],
) -> Rlwe {
    for (places, &exponent) in keys.iter().zip(exponents) {
        for (place, values) in places.iter().enumerate() {
            let digit = exponent >> (place * base_log as usize) & ((1 << base_log) - 1);
            if digit > 0 {
                acc = values[digit - 1].multiply(&accumulators.digits(&acc));
            }
        }
    }
    acc
}

/// Blind rotation with automorphisms between the products: a factor `X^s` followed by `j`
/// automorphisms with the generator `g` becomes `X^(s g^j)`.
///
/// Source: Lee, Micciancio, Kim, Choi, Deryabin, Eom, Yoo, eprint 2022/198, algorithm 3.
struct Lmkcdey<'a> {
    accumulators: &'a Accumulators,
    powers: &'a [Rgsw],
    automorphisms: &'a [AutomorphismKey],
    minus_generator: &'a AutomorphismKey,
}

impl Lmkcdey<'_> {
    fn rotate(&self, acc: Rlwe, exponents: &[usize]) -> Rlwe {
        let degree = self.accumulators.ring.degree();
        let [plus, minus] = by_logarithm(degree, exponents);
        // All automorphisms together map X to X^(-1/g), so that the initial accumulator is mapped
        // by X to X^-g.
        let start = Automorphism::new(degree, 2 * degree - GENERATOR);
        let acc = acc.map(|part| start.apply(&part));
        let acc = self.pass(acc, &minus);
        let acc = self.permuted(acc, self.minus_generator);
        self.pass(acc, &plus)
    }

    /// Multiplies by the factors of one sign, from the greatest logarithm down to 0.
    fn pass(&self, mut acc: Rlwe, indices: &[Vec<usize>]) -> Rlwe {
        let mut waiting = 0;
        for (logarithm, indices) in indices.iter().enumerate().rev() {
            if !indices.is_empty() {
                acc = self.turned_by(acc, waiting);
                waiting = 0;
            }
            for &index in indices {
                acc = self.powers[index].multiply(&self.accumulators.digits(&acc));
            }
            waiting += usize::from(logarithm > 0);
        }
        self.turned_by(acc, waiting)
    }

    /// Applies `count` automorphisms by the generator, in steps as large as there are keys for.
    fn turned_by(&self, mut acc: Rlwe, mut count: usize) -> Rlwe {
        while count > 0 {
            let step = count.min(self.automorphisms.len());
            acc = self.permuted(acc, &self.automorphisms[step - 1]);
            count -= step;
        }
        acc
    }

    fn permuted(&self, acc: Rlwe, key: &AutomorphismKey) -> Rlwe {
        let [mask, body] = acc.map(|part| key.automorphism.apply(&part));
        let digits = self.accumulators.gadget.decompose(&mask);
        let [mask, mut switched] = weigh(&digits, &key.rows);
        switched.add_assign(&body);
        [mask, switched]
    }
}

/// Returns, for the exponents `g^j` and for the exponents `-g^j`, the indices with each `j`.
fn by_logarithm(degree: usize, exponents: &[usize]) -> [Vec<Vec<usize>>; 2] {
    let order = 2 * degree;
    let mut logarithms = vec![(0, 0); order];
    let mut power = 1;
    for logarithm in 0..degree / 2 {
        logarithms[power] = (0, logarithm);
        logarithms[order - power] = (1, logarithm);
        power = power * GENERATOR % order;
    }
    let mut indices = [vec![Vec::new(); degree / 2], vec![Vec::new(); degree / 2]];
    for (index, &exponent) in exponents.iter().enumerate() {
        let (sign, logarithm) = logarithms[exponent];
        indices[sign][logarithm].push(index);
    }
    indices
}
