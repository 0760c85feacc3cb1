//! Change of the RNS basis: exact base conversion of the centred representative.
//!
//! For pairwise coprime `q_1..q_k` with product `D` and a polynomial `x` known modulo each `q_i`,
//! the centred representative is
//!
//! ```text
//! u = sum_i y_i (D / q_i) - v D,    y_i = x (D / q_i)^-1 mod q_i,    v = round(sum_i y_i / q_i)
//! ```
//!
//! (Halevi, Polyakov, Shoup, eprint 2018/117, section 2). Modulo a target prime this is one inner
//! product with constants, in which `v` is one more row. The `y_i` cost no product of their own:
//! they are outputs of an inverse transform, whose constant `1/N` absorbs `(D / q_i)^-1`.
//!
//! *Bounds.* `v` is computed in double precision as `floor(1/2 + sum_i fl(y_i) fl(1/q_i))`. Each
//! term has a relative error of two or three roundings, each partial sum is below `k + 1`, and the
//! error of the whole sum is below `k (k + 4) 2^-53`. So `v` is correct unless `|x| / D` is within
//! that distance of 1/2. Otherwise it may be off by one, and the result is still congruent to `x`
//! modulo `D`, with an absolute value of at most `D/2 (1 + 2 k (k + 4) 2^-53)`, which is `1 +
//! 2^-45` for `k <= 12`. Digits and divisions need no more than that; decryption needs the value
//! itself, and the noise bound keeps the phase away from `D/2`.
//!
//! *The same bits everywhere.* The sum runs from left to right, with a separate multiplication and
//! addition even where the processor can fuse them, so that `v` is the same on every kernel.
//!
//! *Not chosen.* The approximate conversion that leaves a multiple of `D` (Bajard, Eynard, Hasan,
//! Zucca, eprint 2016/510) needs no floating point, but its result may be off by up to `k - 1`
//! times `D`, which adds to the noise or takes a further modulus to correct; here one more row of
//! the inner product replaces both.
//!
//! Derivation: docs/maths/rns.md.

#[cfg(test)]
mod tests;

use crate::{Buffer, Ring};
use fathom_kernels::{Constant, InverseScale, Modulus};
use std::sync::Arc;

/// A base conversion from a set of source primes of a ring to any of its other primes.
///
/// With `factor = t` it converts `t * [x / t]` instead of `x`, where `[.]` is the centred
/// representative modulo the product of the sources; the result is a multiple of `t` and congruent
/// to `x`.
#[derive(Debug)]
pub(crate) struct BasisConverter {
    ring: Arc<Ring>,
    sources: Vec<usize>,
    /// `(D / q_i)^-1 / t` modulo `q_i`, with the factor `1/N` of the inverse transform.
    scales: Vec<InverseScale>,
    /// `(D / q_i)^-1` modulo `q_i`.
    cofactor_inverses: Vec<Constant>,
    /// `1 / q_i`.
    reciprocals: Vec<f64>,
    /// Weights modulo every prime of the ring: `t (D / q_i)` for each source, then `-t D`.
    weights: Vec<Vec<u64>>,
}

/// Coefficients modulo the source primes, with the quotients `v` of the CRT lift.
#[derive(Debug)]
pub(crate) struct Prepared<'a> {
    /// One row for each source.
    sources: Sources<'a>,
    quotient: Buffer,
}

#[derive(Debug)]
enum Sources<'a> {
    Copied(Buffer),
    InPlace(&'a [u64]),
}

impl BasisConverter {
    /// Makes a converter from the primes with indices `sources`; `factor` is 1 for the plain
    /// conversion.
    pub(crate) fn new(ring: &Arc<Ring>, sources: &[usize], factor: u64) -> BasisConverter {
        let value = |i: usize| ring.modulus(i).value();
        let others = |skip: usize| sources.iter().filter(move |&&j| j != skip).map(|&j| value(j));
        let inverse = |i: usize, factor: u64| {
            let m = ring.modulus(i);
            let cofactor = others(i).fold(m.reduce(factor), |acc, q| m.mul(acc, m.reduce(q)));
            m.inverse(cofactor)
                .expect("the sources are distinct primes that do not divide the factor")
        };
        let scales = sources.iter().map(|&i| ring.inverse_scale(i, inverse(i, factor))).collect();
        let cofactor_inverses =
            sources.iter().map(|&i| ring.modulus(i).constant(inverse(i, 1))).collect();
        let weights = (0..ring.chain_len() + ring.special_len())
            .map(|target| weights(ring, sources, ring.modulus(target), factor))
            .collect();
        BasisConverter {
            ring: Arc::clone(ring),
            sources: sources.to_vec(),
            scales,
            cofactor_inverses,
            reciprocals: sources.iter().map(|&i| 1.0 / value(i) as f64).collect(),
            weights,
        }
    }

    /// Returns the indices of the source primes.
    pub(crate) fn sources(&self) -> &[usize] {
        &self.sources
    }

    /// Transforms copies of the source rows from the NTT domain to scaled coefficients. `row(i)` is
    /// the row of prime `i`. Takes one inverse transform for each source.
    pub(crate) fn prepare<'a>(&self, row: impl Fn(usize) -> &'a [u64]) -> Prepared<'static> {
        let degree = self.ring.degree();
        let mut rows = self.ring.pool().take(self.sources.len() * degree);
        for (&i, copy) in self.sources.iter().zip(rows.chunks_exact_mut(degree)) {
            copy.copy_from_slice(row(i));
        }
        let quotient = self.transform(&mut rows, None);
        Prepared { sources: Sources::Copied(rows), quotient }
    }

    /// Computes [`BasisConverter::prepare`] in place on the source rows, which follow each other in
    /// `rows` and are overwritten. With an `addend` of small integers `e`, converts `x + t e`
    /// instead of `x`.
    pub(crate) fn prepare_in_place<'a>(
        &self,
        rows: &'a mut [u64],
        addend: Option<&[i64]>,
    ) -> Prepared<'a> {
        let quotient = self.transform(rows, addend);
        Prepared { sources: Sources::InPlace(rows), quotient }
    }

    /// Scales and transforms the rows; returns the quotients.
    fn transform(&self, rows: &mut [u64], addend: Option<&[i64]>) -> Buffer {
        let degree = self.ring.degree();
        debug_assert_eq!(rows.len(), self.sources.len() * degree);
        for (source, row) in rows.chunks_exact_mut(degree).enumerate() {
            let prime = self.sources[source];
            // The constant of the inverse transform includes (D / q_i)^-1 / t, so that the y_i take
            // no product of their own.
            self.ring.inverse_scaled(prime, row, &self.scales[source]);
            if let Some(small) = addend {
                let (m, c) = (self.ring.modulus(prime), &self.cofactor_inverses[source]);
                self.ring.kernel().mul_small_add_assign(m, row, small, c);
            }
        }
        let sources: Vec<&[u64]> = rows.chunks_exact(degree).collect();
        let mut quotient = self.ring.pool().take(degree);
        self.ring.kernel().round_quotient(&mut quotient, &sources, &self.reciprocals);
        quotient
    }

    /// Returns the weights of the rows of a [`Prepared`] polynomial for a prime of the ring.
    pub(crate) fn weights(&self, target: usize) -> &[u64] {
        &self.weights[target]
    }

    /// Returns the weights of the rows of a [`Prepared`] polynomial for a modulus outside the ring,
    /// with factor 1.
    pub(crate) fn weights_for(&self, target: &Modulus) -> Vec<u64> {
        weights(&self.ring, &self.sources, target, 1)
    }

    /// Converts to coefficients modulo prime `target`. Ranges: `out` lazy, in `[0, 2q)`.
    pub(crate) fn convert(&self, from: &Prepared<'_>, target: usize, out: &mut [u64]) {
        let (modulus, weights) = (self.ring.modulus(target), &self.weights[target]);
        self.ring.kernel().base_convert(modulus, out, &from.rows(), weights);
    }

    /// Converts and transforms the result to values modulo prime `target`, lazy.
    pub(crate) fn convert_to_eval(&self, from: &Prepared<'_>, target: usize, out: &mut [u64]) {
        self.convert(from, target, out);
        self.ring.forward_lazy(target, out);
    }
}

fn weights(ring: &Ring, sources: &[usize], m: &Modulus, factor: u64) -> Vec<u64> {
    let factor = m.reduce(factor);
    let product = |skip: Option<usize>| {
        let kept = sources.iter().filter(|&&j| Some(j) != skip);
        kept.fold(factor, |acc, &j| m.mul(acc, m.reduce(ring.modulus(j).value())))
    };
    let cofactors = sources.iter().map(|&i| product(Some(i)));
    // The quotients v are one more row, whose weight is -t D.
    cofactors.chain([m.neg(product(None))]).collect()
}

impl Prepared<'_> {
    /// Returns one row for each source, then the row of quotients.
    pub(crate) fn rows(&self) -> Vec<&[u64]> {
        let sources = match &self.sources {
            Sources::Copied(rows) => rows,
            Sources::InPlace(rows) => *rows,
        };
        sources.chunks_exact(self.quotient.len()).chain([&*self.quotient]).collect()
    }

    /// Overwrites the copies with zeros.
    pub(crate) fn wipe(&mut self) {
        self.quotient.wipe();
        if let Sources::Copied(rows) = &mut self.sources {
            rows.wipe();
        }
    }
}
