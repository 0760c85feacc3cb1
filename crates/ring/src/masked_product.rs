//! Public polynomials times a small secret, hidden by errors and divided by the special primes:
//! what encryption under a public key is made of.

use crate::{
    BasisConverter, Buffer, ErrorFactor, Eval, Limbs, Poly, Prepared, Ring, SecretCoefficients,
};
use fathom_kernels::{Constant, InverseScale, as_integers};
use std::sync::Arc;

/// Computes `(u k + t e) / P + m` modulo the chain, with `P` the product of the special primes and
/// the quotient of [`crate::ModDown`], for polynomials `k` that share a small secret `u`.
///
/// The error and the message join by coefficients, where the division passes through them, and the
/// transform of the secret carries the `1 / P`: derivation in docs/maths/rns.md.
#[derive(Debug)]
pub struct MaskedProduct {
    ring: Arc<Ring>,
    special: Vec<usize>,
    /// From the special primes, in multiples of `t`.
    converter: BasisConverter,
    /// `1 / t` modulo the special prime, if there is one alone: then an integer below it is known
    /// by its residue, and needs no conversion.
    single: Option<InverseScale>,
    rows: Vec<RowFactors>,
}

/// Factors modulo one prime of the chain.
#[derive(Debug)]
struct RowFactors {
    /// `1 / P`.
    inverse: Constant,
    /// `-t / P`.
    single: Constant,
    /// Of the converted rows, which sum up to `-delta / P`, then of the error, `t / P`, and of the
    /// message, one.
    weights: Vec<u64>,
}

/// One polynomial and what hides its product.
#[derive(Clone, Copy, Debug)]
pub struct Masked<'a> {
    /// `k`, over all limbs of the ring.
    pub key: &'a Poly<Eval>,
    /// `e`, drawn for this product alone.
    pub error: &'a SecretCoefficients,
    /// `m`, or zero.
    pub message: Option<&'a SecretCoefficients>,
}

/// The coefficients of `t e - delta`, not yet divided by `P`.
enum Remainder<'a> {
    /// Divided by `-t`, as integers.
    Single(&'a [i64]),
    /// Those of `delta`, by residues.
    Several(Prepared<'a>),
}

impl Remainder<'_> {
    /// Overwrites what it holds besides the rows that it was made of.
    fn wipe(self) {
        match self {
            Remainder::Single(_) => {}
            Remainder::Several(mut prepared) => prepared.wipe(),
        }
    }
}

impl MaskedProduct {
    /// Prepares encryptions whose errors are multiples of `factor`.
    pub fn new(ring: &Arc<Ring>, factor: ErrorFactor) -> MaskedProduct {
        let t = factor.integer();
        let special: Vec<usize> = (ring.chain_len()..).take(ring.special_len()).collect();
        let converter = BasisConverter::new(ring, &special, t);
        let factors = |i: usize| {
            let m = ring.modulus(i);
            let residues = special.iter().map(|&p| m.reduce(ring.modulus(p).value()));
            let product = residues.fold(1, |acc, p| m.mul(acc, p));
            let inverse = m.inverse(product);
            let inverse = inverse.expect("the primes of a ring are distinct");
            let error = m.mul(m.reduce(t), inverse);
            let converted = converter.weights(i).iter().map(|&w| m.mul(w, m.neg(inverse)));
            RowFactors {
                inverse: m.constant(inverse),
                single: m.constant(m.neg(error)),
                weights: converted.chain([error, 1]).collect(),
            }
        };
        let rows = (0..ring.chain_len()).map(factors).collect();
        let single = match special[..] {
            [prime] => {
                let m = ring.modulus(prime);
                let inverse = m.inverse(m.reduce(t));
                let inverse = inverse.expect("a special prime does not divide the error factor");
                Some(ring.inverse_scale(prime, inverse))
            }
            _ => None,
        };
        MaskedProduct { ring: Arc::clone(ring), special, converter, single, rows }
    }

    /// The products of the polynomials of `parts` with `u`, over the whole chain.
    ///
    /// Transforms at `l` chain and `K` special primes: `l + K` for the secret, as many for each
    /// part. Nothing but the products is left in memory.
    pub fn apply<const N: usize>(
        &self,
        u: &SecretCoefficients,
        parts: [Masked<'_>; N],
    ) -> [Poly<Eval>; N] {
        let (ring, kernel) = (&self.ring, self.ring.kernel());
        let mut values = ring.pool().take(ring.degree());
        let mut rows = self.special_rows(u, &parts, &mut values);
        let remainders: Vec<_> =
            rows.iter_mut().zip(&parts).map(|(rows, part)| self.remainder(rows, part)).collect();
        let mut out = [(); N].map(|()| Poly::uninitialised(ring, Limbs::chain(self.rows.len())));
        for (prime, factors) in self.rows.iter().enumerate() {
            ring.forward_scaled(prime, &mut values, u.expose(), &factors.inverse, None);
            for ((out, part), remainder) in out.iter_mut().zip(&parts).zip(&remainders) {
                let row = out.row_mut(prime);
                self.finish(prime, row, remainder, part);
                let key = part.key.row_of(prime);
                kernel.mul_add_assign(ring.modulus(prime), row, &values, key);
            }
        }
        values.wipe();
        remainders.into_iter().for_each(Remainder::wipe);
        rows.iter_mut().for_each(Buffer::wipe);
        out
    }

    /// The products modulo the special primes, by values, for each part. Uses `values`.
    fn special_rows<const N: usize>(
        &self,
        u: &SecretCoefficients,
        parts: &[Masked<'_>; N],
        values: &mut [u64],
    ) -> [Buffer; N] {
        let (ring, degree) = (&self.ring, self.ring.degree());
        let mut rows = [(); N].map(|()| ring.pool().take(self.special.len() * degree));
        for (row, &prime) in self.special.iter().enumerate() {
            let m = ring.modulus(prime);
            ring.forward_scaled(prime, values, u.expose(), &m.constant(1), None);
            for (rows, part) in rows.iter_mut().zip(parts) {
                let row = &mut rows[row * degree..][..degree];
                ring.kernel().mul(m, row, values, part.key.row_of(prime));
            }
        }
        rows
    }

    /// Of the products modulo the special primes, which it uses up.
    fn remainder<'a>(&self, rows: &'a mut [u64], part: &Masked<'_>) -> Remainder<'a> {
        let error = part.error.expose();
        let (Some(scale), [prime]) = (&self.single, &self.special[..]) else {
            return Remainder::Several(self.converter.prepare_in_place(rows, Some(error)));
        };
        self.ring.inverse_scaled(*prime, rows, scale);
        self.ring.kernel().centre_beside_assign(self.ring.modulus(*prime), rows, error);
        Remainder::Single(as_integers(rows))
    }

    /// The values of `(t e - delta) / P + m`, lazy.
    fn finish(&self, prime: usize, out: &mut [u64], remainder: &Remainder<'_>, part: &Masked<'_>) {
        let (ring, factors) = (&self.ring, &self.rows[prime]);
        let message = part.message.map(SecretCoefficients::expose);
        match remainder {
            Remainder::Single(integers) => {
                ring.forward_scaled(prime, out, integers, &factors.single, message);
            }
            Remainder::Several(prepared) => {
                let sources = prepared.rows();
                let small: Vec<_> = [part.error.expose()].into_iter().chain(message).collect();
                let weights = &factors.weights[..sources.len() + small.len()];
                let m = ring.modulus(prime);
                ring.kernel().base_convert_small(m, out, &sources, &small, weights);
                ring.forward_lazy(prime, out);
            }
        }
    }
}
