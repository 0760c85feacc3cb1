//! Products of public polynomials with a small secret, plus errors, divided by the special primes:
//! the arithmetic of public-key encryption.

use crate::convert::{BasisConverter, Prepared};
use crate::{Buffer, Digit, ErrorFactor, Eval, FactorPoly, Limbs, Poly, Ring, SecretCoefficients};
use fathom_kernels::{Constant, InverseScale, Modulus, as_integers};
use std::sync::Arc;

/// Computes `(u k + t e) / P + m` modulo the chain, with `P` the product of the special primes and
/// the quotient rounded as by [`crate::ModDown`], for polynomials `k` that share a small secret
/// `u`.
///
/// Error and message are added as coefficients after the division, and the factor `1 / P` is part
/// of the transform of the secret: derivation in docs/maths/rns.md. Where `t` is a polynomial, the
/// products are divided by it before the division and the quotients multiplied by it afterwards.
#[derive(Debug)]
pub struct MaskedProduct {
    ring: Arc<Ring>,
    special: Vec<usize>,
    /// Converter from the special primes, to multiples of `t`.
    converter: BasisConverter,
    /// `1 / t` modulo the special prime, if there is only one: then its residues are the integers
    /// themselves, and no base conversion is needed.
    single: Option<InverseScale>,
    rows: Vec<RowFactors>,
    /// The polynomial part of the error factor, if it is not 1.
    factor: Option<FactorPoly>,
}

/// Factors modulo one prime of the chain.
#[derive(Debug)]
struct RowFactors {
    /// `1 / P`.
    inverse: Constant,
    /// `-t / P`.
    single: Constant,
    /// Weights of the converted rows, which sum to `-delta / P`; then of the error, `t / P`.
    weights: Vec<u64>,
}

/// A polynomial with the error and the message of its product.
#[derive(Clone, Copy, Debug)]
pub struct Masked<'a> {
    /// The polynomial `k`, over all limbs of the ring.
    pub key: &'a Poly<Eval>,
    /// The error `e`, used for this product only.
    pub error: &'a SecretCoefficients,
    /// The message `m`.
    pub message: Message<'a>,
}

/// The polynomial that is added to a product.
#[derive(Clone, Copy, Debug)]
pub enum Message<'a> {
    /// Zero.
    None,
    /// Integers below every prime in absolute value.
    Small(&'a SecretCoefficients),
    /// The digits of [`crate::WideCoefficients`]; the primes have at least
    /// [`crate::WideCoefficients::LEAST_PRIME_BITS`] bits.
    Wide(&'a [Digit]),
}

impl<'a> Message<'a> {
    /// Returns the rows of small integers whose weighted sum is the message.
    fn rows(self) -> Vec<&'a [i64]> {
        match self {
            Message::None => Vec::new(),
            Message::Small(message) => vec![message.expose()],
            Message::Wide(digits) => digits.iter().map(|d| d.coefficients.expose()).collect(),
        }
    }

    /// Returns the weights of the rows modulo `m`.
    fn weights(self, m: &Modulus) -> Vec<u64> {
        match self {
            Message::None => Vec::new(),
            Message::Small(_) => vec![1],
            Message::Wide(digits) => digits.iter().map(|d| m.reduce_u128(1 << d.shift)).collect(),
        }
    }
}

/// The coefficients of `t e - delta`, before the division by `P`.
enum Remainder<'a> {
    /// The coefficients divided by `-t`, as integers.
    Single(&'a [i64]),
    /// The coefficients of `delta`, as residues.
    Several(Prepared<'a>),
}

impl Remainder<'_> {
    /// Wipes the memory that it owns, but not the rows from which it was made.
    fn wipe(self) {
        match self {
            Remainder::Single(_) => {}
            Remainder::Several(mut prepared) => prepared.wipe(),
        }
    }
}

impl MaskedProduct {
    /// Makes the tables for errors that are multiples of `factor`, which must pass
    /// [`ErrorFactor::check`].
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
                weights: converted.chain([error]).collect(),
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
        let factor = FactorPoly::polynomial_part(ring, factor);
        MaskedProduct { ring: Arc::clone(ring), special, converter, single, rows, factor }
    }

    /// Returns the products of the polynomials of `parts` with `u`, over the whole chain.
    ///
    /// Transforms at `l` chain and `K` special primes: `l + K` for the secret, and as many for each
    /// part; with a polynomial factor, `l` more for each message. All intermediate values are
    /// wiped.
    pub fn apply<const N: usize>(
        &self,
        u: &SecretCoefficients,
        parts: [Masked<'_>; N],
    ) -> [Poly<Eval>; N] {
        let (ring, kernel) = (&self.ring, self.ring.kernel());
        let mut values = ring.pool().take(ring.degree());
        // Only the residues modulo the special primes are needed as coefficients: they decide the
        // rounding. The residues modulo the chain stay values.
        let mut rows = self.special_rows(u, &parts, &mut values);
        let remainders: Vec<_> =
            rows.iter_mut().zip(&parts).map(|(rows, part)| self.remainder(rows, part)).collect();
        let mut out = [(); N].map(|()| Poly::uninitialized(ring, Limbs::chain(self.rows.len())));
        let mut quotients = ring.pool().take(ring.degree());
        for (prime, factors) in self.rows.iter().enumerate() {
            // The division by P is a factor of the transform of u, which takes one multiplication
            // of each coefficient that the transform does anyway.
            ring.forward_scaled(prime, &mut values, u.expose(), &factors.inverse, None);
            for ((out, part), remainder) in out.iter_mut().zip(&parts).zip(&remainders) {
                let row = out.row_mut(prime);
                self.finish(prime, row, remainder, part, &mut quotients);
                let key = part.key.row_of(prime);
                // The product is added to the transformed rest: one pass, and no row for the
                // product.
                kernel.mul_add_assign(ring.modulus(prime), row, &values, key);
            }
        }
        values.wipe();
        quotients.wipe();
        remainders.into_iter().for_each(Remainder::wipe);
        rows.iter_mut().for_each(Buffer::wipe);
        out
    }

    /// Computes the products modulo the special primes, as values, for each part. Overwrites
    /// `values`.
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
                if let Some(factor) = &self.factor {
                    factor.divide_row(prime, row);
                }
            }
        }
        rows
    }

    /// Computes the remainder from the products modulo the special primes, which it overwrites.
    fn remainder<'a>(&self, rows: &'a mut [u64], part: &Masked<'_>) -> Remainder<'a> {
        let error = part.error.expose();
        match (&self.single, &self.special[..], part.message) {
            (Some(scale), [prime], Message::None | Message::Small(_)) => {
                self.ring.inverse_scaled(*prime, rows, scale);
                // With one special prime the rest is an integer below it, which is a row of small
                // integers modulo every other prime: no base conversion.
                self.ring.kernel().center_beside_assign(self.ring.modulus(*prime), rows, error);
                Remainder::Single(as_integers(rows))
            }
            _ => Remainder::Several(self.converter.prepare_in_place(rows, Some(error))),
        }
    }

    /// Computes the values of `(t e - delta) / P + m`, lazy. `room` is for intermediate values.
    fn finish(
        &self,
        prime: usize,
        out: &mut [u64],
        remainder: &Remainder<'_>,
        part: &Masked<'_>,
        room: &mut [u64],
    ) {
        let ring = &self.ring;
        let Some(factor) = &self.factor else {
            return self.rounded(prime, out, remainder, part, part.message);
        };
        self.rounded(prime, room, remainder, part, Message::None);
        let m = ring.modulus(prime);
        match part.message {
            Message::None => return factor.multiply_row(prime, room, out),
            Message::Small(message) => {
                ring.forward_scaled(prime, out, message.expose(), &m.constant(1), None);
            }
            Message::Wide(_) => {
                let (rows, weights) = (part.message.rows(), part.message.weights(m));
                ring.kernel().base_convert_small(m, out, &[], &rows, &weights);
                ring.forward_lazy(prime, out);
            }
        }
        ring.kernel().mul_add_assign(m, out, room, factor.row(prime));
    }

    /// Computes the values of `(t e - delta) / P + m` for the integer part `t` of the factor, lazy.
    fn rounded(
        &self,
        prime: usize,
        out: &mut [u64],
        remainder: &Remainder<'_>,
        part: &Masked<'_>,
        message: Message<'_>,
    ) {
        let (ring, factors) = (&self.ring, &self.rows[prime]);
        let small = message.rows();
        match remainder {
            Remainder::Single(integers) => {
                let addend = small.first().copied();
                ring.forward_scaled(prime, out, integers, &factors.single, addend);
            }
            Remainder::Several(prepared) => {
                let m = ring.modulus(prime);
                let small: Vec<_> = [part.error.expose()].into_iter().chain(small).collect();
                let weights: Vec<_> =
                    factors.weights.iter().copied().chain(message.weights(m)).collect();
                ring.kernel().base_convert_small(m, out, &prepared.rows(), &small, &weights);
                ring.forward_lazy(prime, out);
            }
        }
    }
}
