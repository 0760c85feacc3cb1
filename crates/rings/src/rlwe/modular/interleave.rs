//! Interleaving: one ciphertext with every `P`-th coefficient of each of `P` ciphertexts.
//!
//! The automorphisms `X -> X^(2N/2^i + 1)` for `i` from 1 to `log2 P` generate a group of `P`
//! elements, whose sum over a polynomial is `P` times its coefficients at the multiples of `P`, and
//! zero elsewhere. A pair of ciphertexts `a` and `b` takes one of them for both: where `s` is the
//! automorphism with `s(X^c) = -X^c`, `a + X^c b + s(a - X^c b)` is `(a + s(a)) + X^c (b + s(b))`.
//! Later automorphisms keep `X^c`, so that `log2 P` rounds of pairs add up everything, as in the
//! packing of LWE ciphertexts (Chen, Dai, Kim and Song, eprint 2020/015, algorithm 2), whose
//! automorphisms come in this order when whole subrings are packed instead of constants.
//!
//! The operands are multiplied by `P^-1` modulo `Q` first, which the sum undoes: neither messages
//! nor noise grow. What is in between is no encryption of anything small, and a key switch adds the
//! same error to it as to any other polynomial.

use super::expand::check_count;
use super::factor::quotient;
use super::{Modular, Multiplicand};
use crate::Error;
use crate::rlwe::{Bounds, Ciphertext, Evaluator, LimbCount, Lineage, Noise, Random, Rotations};
use fathom_ring::{Poly, Scalar};
use std::borrow::Cow;

const OPERATION: &str = "interleave";

impl Rotations {
    /// Returns the rotations that `Evaluator::interleave` needs keys for at this degree and number
    /// of ciphertexts: those of [`Rotations::for_expansion`].
    pub fn for_interleaving(degree: usize, count: usize) -> Rotations {
        Rotations::for_expansion(degree, count)
    }
}

impl<S: Modular> Evaluator<S> {
    /// Puts every `P`-th coefficient of up to `P` ciphertexts into one, for `P` the number of them
    /// rounded up to a power of two, which is at most `N/4`: coefficient `i P + k` of the message
    /// is coefficient `i P` of that of ciphertext `k`, or zero if there is none of this number.
    ///
    /// The coefficients of a message at the multiples of `P` are those of the mean of its images
    /// under a group of `P` permutations of the slots, so that `N/P` sums of `P` slots each follow
    /// from them.
    ///
    /// Key switches: `P - 1`. Noise: that of the operands stays, and `log2 P` rounds of key
    /// switches add to it. Needs the keys of [`Rotations::for_interleaving`].
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`], [`Error::MissingGaloisKey`], [`Error::KeyLevel`],
    /// [`Error::Components`], [`Error::ParamsMismatch`]; [`Error::LevelMismatch`] (explicit
    /// levels); [`Error::Shape`] for no ciphertext or more than `N/4`.
    pub fn interleave(&self, all: &[Ciphertext<S>]) -> Result<Ciphertext<S>, Error> {
        let count = check_count(&self.params, OPERATION, all.len())?;
        let terms = self.terms(OPERATION, all, &[])?;
        let meta = terms.all[0].meta;
        let operands: Vec<_> = terms.all.iter().map(|own| self.with_factor(own, meta)).collect();
        let own = operands.iter().map(|own| own.noise).reduce(side_by_side).unwrap_or_default();
        let (_, lineage) = Lineage::relations(operands.iter().map(|own| &own.lineage));
        let first = operands[0].clone().into_owned();
        let mut rest = operands.iter().map(|own| self.divided(own, count)).collect::<Vec<_>>();
        let mut power = count;
        while power > 1 {
            power /= 2;
            let exponent = self.params.degree() / power + 1;
            let monomial = self.power_of_x(power)?;
            let odd = rest.split_off(power.min(rest.len()));
            let mut odd = odd.into_iter();
            for even in &mut rest {
                *even = self.paired(even, odd.next(), exponent, &monomial)?;
            }
        }
        let parts = rest.swap_remove(0).parts;
        let noise = own.plus_independent(self.switches(count, first.limb_count()));
        let operands: Vec<&Ciphertext<S>> = all.iter().collect();
        let result = Ciphertext { lineage, ..first.with(parts, noise) };
        self.check_noise_and_mask(result, OPERATION, &operands)
    }

    /// Brings the factor of a message to that of another one.
    fn with_factor<'a>(&self, own: &'a Ciphertext<S>, meta: u64) -> Cow<'a, Ciphertext<S>> {
        if own.meta == meta {
            return Cow::Borrowed(own);
        }
        let t = self.params.plain().modulus();
        Cow::Owned(self.scaled(own, t.to_signed(quotient(t, meta, own.meta))))
    }

    /// Multiplies the polynomials by the inverse of `count` modulo `Q`. The result is no ciphertext
    /// of a small phase, and its noise is left out.
    fn divided(&self, own: &Ciphertext<S>, count: usize) -> Ciphertext<S> {
        let inverse = Scalar::new(&self.params.context().ring, |q| {
            q.inverse(q.reduce(count as u64)).expect("primes are odd, and the count a power of two")
        });
        let mut parts = own.parts.clone();
        for part in &mut parts {
            part.mul_scalar_assign(&inverse);
        }
        own.with(parts, Noise::default())
    }

    /// Computes `even + X^c odd + s(even - X^c odd)`, without the noise.
    fn paired(
        &self,
        even: &Ciphertext<S>,
        odd: Option<Ciphertext<S>>,
        exponent: usize,
        monomial: &Multiplicand<S>,
    ) -> Result<Ciphertext<S>, Error> {
        let (mut sum, mut difference) = (even.parts.clone(), even.parts.clone());
        if let Some(mut odd) = odd {
            let own = odd.parts.iter_mut().zip(&mut sum).zip(&mut difference);
            for ((part, sum), difference) in own {
                *part = Poly::product(part, &monomial.values, part.limbs());
                sum.add_assign(part);
                difference.sub_assign(part);
            }
        }
        let difference = even.with(difference, Noise::default());
        let image = self.permuted(&difference, exponent, format_args!("interleaving"))?;
        sum.iter_mut().zip(&image.parts).for_each(|(sum, image)| sum.add_assign(image));
        Ok(even.with(sum, Noise::default()))
    }

    /// Returns `X^power`.
    fn power_of_x(&self, power: usize) -> Result<Multiplicand<S>, Error> {
        let mut coefficients = vec![0; power + 1];
        coefficients[power] = 1;
        Ok(self.params.encode_coefficients(&coefficients)?.to_multiplicand())
    }

    /// Bounds the errors of the key switches of all rounds.
    fn switches(&self, count: usize, limbs: LimbCount) -> Noise {
        let switch = self.params.context().model.key_switched(Noise::default(), limbs);
        (0..count.ilog2()).fold(Noise::default(), |before, _| {
            // An automorphism doubles the coefficients that it keeps.
            side_by_side(before, before).times(2.0).plus_independent(switch)
        })
    }
}

/// Bounds a polynomial of which every coefficient is one of either polynomial, and the parts of
/// both are means of images: a unit vector has parts for both whose squares add up to one, and
/// values at roots add up.
fn side_by_side(left: Noise, right: Noise) -> Noise {
    let bounds = |left: Bounds, right: Bounds| Bounds {
        coefficient: left.coefficient.max(right.coefficient),
        euclidean: left.euclidean.hypot(right.euclidean),
        root: left.root + right.root,
    };
    let (a, b) = (left.random, right.random);
    let direction = a.direction.hypot(b.direction);
    let random = Random {
        coefficient: a.coefficient.max(b.coefficient),
        direction,
        root: (a.root + b.root).min(direction),
    };
    Noise {
        message: bounds(left.message, right.message),
        random,
        rest: bounds(left.rest, right.rest),
        tails: left.tails + right.tails,
    }
}
