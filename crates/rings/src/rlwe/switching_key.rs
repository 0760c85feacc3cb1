//! Keys that move a ciphertext from one secret to another.
//!
//! A key from `s'` to `s` holds, for each digit `g` of the gadget, an encryption `(b_g, a_g)` with
//!
//! ```text
//! b_g + a_g s = P w_g s' + t e_g     modulo Q P
//! ```
//!
//! for the weights `w_g` of the gadget, the product `P` of the special primes and the error factor
//! `t` of the scheme. The digits of a polynomial `c`, multiplied by these pairs and divided by `P`,
//! give two components with the phase `c s'` and the added noise `t (sum_g d_g e_g) / P` plus a
//! rounding error.
//!
//! *The size of `P`.* For rotations `P` has to be about as long as a digit, so that the added noise
//! is no larger than rounding. A product's own noise is about one prime longer, and the division
//! that follows reduces the key-switching noise too; a special prime that is about 18 bits shorter
//! (for `t = 65537`) suffices there, and its bits go to the modulus (`docs/maths/key_switch.md`).
//! Presets such as `e1d2` are made so, and the noise bound refuses a rotation that they cannot
//! bear.
//!
//! *One key for many levels.* The weights for fewer limbs are the first of those for more. A key
//! for a level therefore serves all levels below it, and [`SwitchingKey::restricted`] only cuts it.
//!
//! *Half of it is random.* The `a_g` are expanded from a seed, so that a key on the wire is half as
//! large.
//!
//! *Rotations permute last.* The key of an automorphism switches from `s` to the preimage of `s`,
//! and the permutation is then applied to two polynomials over the chain instead of to all digits
//! over chain and special primes. One decomposition serves any number of rotations (Halevi and
//! Shoup, eprint 2018/244).

use super::{Context, Level, LimbCount};
use crate::Error;
use fathom_ring::{
    Automorphism, Eval, GadgetVector, Poly, SecretPoly, SecretRng, Seed, uniform_eval,
};
use std::fmt;

/// A key-switching key from `s'` to `s` for ciphertexts at a level and below: an encryption of
/// `P w_g s'` under `s` for every digit `g` of that level, over its primes and the special ones.
/// The uniform components are expanded from `seed`.
#[derive(Clone, Debug)]
pub struct SwitchingKey {
    /// The encryptions, one for each digit.
    pub vector: GadgetVector,
    /// The seed of the uniform components.
    pub seed: Seed,
}

impl SwitchingKey {
    /// Returns the highest level of ciphertexts that the key serves.
    pub(crate) fn level(&self) -> Level {
        Level::new(self.vector.chain_count() - 1)
    }

    /// Returns the same key for a level that is at most its own, and those below.
    pub(crate) fn restricted(&self, level: Level) -> SwitchingKey {
        let SwitchingKey { vector, seed } = self;
        SwitchingKey { vector: vector.restricted(level.limbs().get()), seed: *seed }
    }

    /// Refuses ciphertexts at a level above that of the key; `operation` is what needs it.
    pub(crate) fn check_level(
        &self,
        needed: Level,
        operation: fmt::Arguments<'_>,
    ) -> Result<(), Error> {
        let key = self.level();
        if needed <= key {
            return Ok(());
        }
        Err(Error::KeyLevel { operation: operation.to_string(), key, needed })
    }

    /// Generates a key for a level from `source` to `secret`, both over all limbs. `tables` shares
    /// the conversion tables of another key.
    pub fn generate(
        context: &Context,
        level: Level,
        secret: &SecretPoly,
        source: &SecretPoly,
        tables: Option<&GadgetVector>,
        rng: &mut SecretRng,
    ) -> SwitchingKey {
        let seed = rng.next_seed();
        let pairs: Vec<_> = context
            .gadget
            .weights(&context.ring, level.limbs().get())
            .iter()
            .enumerate()
            .map(|(g, weight)| {
                let a = uniform_part(context, level.limbs(), &seed, g);
                let mut b = encryption_of_zero(context, secret, &a, rng);
                b.mul_scalar_add_assign(source.expose(), weight);
                [b, a]
            })
            .collect();
        SwitchingKey { vector: join(context, tables, &pairs), seed }
    }

    /// Rebuilds a key from its seed and the halves that are not uniform, in the order of the
    /// digits.
    pub(crate) fn from_halves(
        context: &Context,
        seed: Seed,
        halves: Vec<Poly<Eval>>,
        tables: Option<&GadgetVector>,
    ) -> SwitchingKey {
        let pairs: Vec<_> = halves
            .into_iter()
            .enumerate()
            .map(|(g, b)| {
                let a = uniform_part(context, LimbCount::of(b.limbs()), &seed, g);
                [b, a]
            })
            .collect();
        SwitchingKey { vector: join(context, tables, &pairs), seed }
    }
}

fn join(
    context: &Context,
    tables: Option<&GadgetVector>,
    pairs: &[[Poly<Eval>; 2]],
) -> GadgetVector {
    match tables {
        Some(tables) => GadgetVector::like(tables, pairs),
        None => GadgetVector::new(&context.ring, context.gadget, pairs),
    }
}

fn uniform_part(context: &Context, chain: LimbCount, seed: &Seed, digit: usize) -> Poly<Eval> {
    let limbs = chain.extended(context.special_count());
    uniform_eval(&context.ring, limbs, &seed.child(digit as u32))
}

/// Returns `-(a s) + t e` over the limbs of `a`: the other half of an encryption of zero, with the
/// error factor `t`.
pub fn encryption_of_zero(
    context: &Context,
    secret: &SecretPoly,
    a: &Poly<Eval>,
    rng: &mut SecretRng,
) -> Poly<Eval> {
    let error = context.spec.error_factor.times_polynomial(context.sample_error(rng));
    let error = error.to_eval(&context.ring, a.limbs());
    let mut b = Poly::product(a, secret.expose(), a.limbs());
    b.neg_assign();
    b.mul_scalar_add_assign(error.expose(), &context.error_scalar);
    b
}

/// An automorphism with the key that returns to the secret afterwards.
#[derive(Clone, Debug)]
pub struct Galois {
    /// The automorphism.
    pub automorphism: Automorphism,
    /// The key that switches back from the image of the secret.
    pub key: SwitchingKey,
}

impl Galois {
    /// Generates the key for `X -> X^exponent` at a level. The key switches to the preimage of the
    /// secret, so that the permutation comes last.
    pub fn generate(
        context: &Context,
        level: Level,
        secret: &SecretPoly,
        exponent: usize,
        tables: Option<&GadgetVector>,
        rng: &mut SecretRng,
    ) -> Galois {
        let inverse = inverse_modulo_power_of_two(exponent, 2 * context.degree());
        let preimage = Automorphism::new(context.degree(), inverse).apply(secret.expose());
        let preimage = SecretPoly::new(preimage);
        let key = SwitchingKey::generate(context, level, &preimage, secret, tables, rng);
        Galois { automorphism: Automorphism::new(context.degree(), exponent), key }
    }
}

/// Returns the inverse of an odd number modulo a power of two, by Newton's iteration.
fn inverse_modulo_power_of_two(odd: usize, power: usize) -> usize {
    let mut inverse: usize = 1;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2usize.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse & (power - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_of_odd_numbers() {
        for odd in (1..512).step_by(2) {
            assert_eq!(odd * inverse_modulo_power_of_two(odd, 512) % 512, 1);
        }
    }
}
