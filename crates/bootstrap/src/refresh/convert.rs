//! Conversions between the rings of users and the large ring: moduli without a common prime, and
//! interleaved coefficients.

use crate::slot_map::Pair;
use fathom_ring::{Coeff, Eval, Limbs, Modulus, Poly, Ring, Scalar};
use fathom_rings::internals::Context;
use std::sync::Arc;

/// A modulus as the product of primes.
fn product(ring: &Ring, limbs: Limbs, modulo: &Modulus) -> u64 {
    let primes = (0..limbs.chain_count()).map(|i| ring.modulus(i).value());
    primes.fold(1 % modulo.value(), |sum, prime| modulo.mul(sum, modulo.reduce(prime)))
}

/// Returns `round(x Q' / Q)` modulo every prime of `Q'`, in rows of its primes: for the modulus `Q`
/// of the polynomial, of fewer than 126 bits, and the modulus `Q'` of the limbs of the other ring.
///
/// With the centred remainder `r` of `x Q'` modulo `Q`, it is `(x Q' - r) / Q`, and `Q'` is zero
/// modulo its primes.
fn rescaled(x: &Poly<Eval>, ring: &Ring, limbs: Limbs) -> Vec<Vec<u64>> {
    let (own, from) = (Arc::clone(x.ring()), x.limbs());
    let mut scaled = x.clone();
    scaled.mul_scalar_assign(&Scalar::new(&own, |m| product(ring, limbs, m)));
    let remainders = scaled.into_coeff().centered_integers();
    let remainders = remainders.expect("the modulus has fewer than 126 bits");
    let row = |i: usize| -> Vec<u64> {
        let m = ring.modulus(i);
        let inverse = m.inverse(product(&own, from, m)).expect("the moduli have no common prime");
        let factor = m.neg(inverse);
        let residue = |&r: &i128| {
            let size = m.reduce_u128(r.unsigned_abs());
            m.mul(if r < 0 { m.neg(size) } else { size }, factor)
        };
        remainders.iter().map(residue).collect()
    };
    (0..limbs.chain_count()).map(row).collect()
}

/// Brings ciphertexts of users to a modulus of the large ring and interleaves them: coefficient `i`
/// of ciphertext `j` of `k` becomes coefficient `i k + j`. Missing ones are zero.
pub(super) fn interleaved(parts: &[[&Poly<Eval>; 2]], context: &Context) -> Pair {
    let (ring, limbs) = (&context.ring, Limbs::chain(context.ring.chain_len()));
    [0, 1].map(|half| {
        let mut joined: Poly<Coeff> = Poly::zero(ring, limbs);
        for (j, part) in parts.iter().enumerate() {
            let rows = rescaled(part[half], ring, limbs);
            let stride = ring.degree() / part[half].ring().degree();
            for (row, own) in rows.iter().enumerate() {
                let places = joined.row_mut(row).iter_mut().skip(j).step_by(stride);
                places.zip(own).for_each(|(to, from)| *to = *from);
            }
        }
        joined.into_eval()
    })
}

/// Brings a polynomial of the large ring to the modulus of these limbs of users and takes the
/// interleaved ones apart.
pub(super) fn separated(
    joined: &Poly<Eval>,
    count: usize,
    users: &Context,
    limbs: Limbs,
) -> Vec<Poly<Eval>> {
    let ring = &users.ring;
    let rows = rescaled(joined, ring, limbs);
    let stride = joined.ring().degree() / ring.degree();
    let one = |j: usize| {
        let mut own: Poly<Coeff> = Poly::zero(ring, limbs);
        for (row, all) in rows.iter().enumerate() {
            let places = all.iter().skip(j).step_by(stride);
            own.row_mut(row).iter_mut().zip(places).for_each(|(to, from)| *to = *from);
        }
        own.into_eval()
    };
    (0..count).map(one).collect()
}
