//! Change of residue basis, exact and centred.
//!
//! For pairwise coprime `q_1..q_k` with product `D` and a polynomial `x` known modulo each `q_i`, the centred representative
//! is `u = sum_i y_i (D / q_i) - v D` with `y_i = x (D / q_i)^-1 mod q_i` and `v = round(sum_i y_i / q_i)`
//! (Halevi, Polyakov, Shoup, eprint 2018/117, section 2). Dropping `v` gives the approximate conversion, off by a small
//! multiple of `D`. Derivation and bounds: docs/maths/rns.md.

use crate::{Buffer, Ring};
use fathom_kernels::{InverseScale, Modulus};
use std::sync::Arc;

/// Converts from a set of source primes of a ring to any other of its primes.
///
/// With `factor = t` it converts `t * [x / t]` instead of `x`, where `[.]` is the centred representative modulo the product
/// of the sources: a multiple of `t` that is congruent to `x`.
#[derive(Debug)]
pub struct BasisConverter {
    ring: Arc<Ring>,
    sources: Vec<usize>,
    /// `(D / q_i)^-1 / t` modulo `q_i`, with the `1/N` of the inverse transform.
    scales: Vec<InverseScale>,
    /// `1 / q_i`.
    reciprocals: Vec<f64>,
    /// For every prime of the ring: `t (D / q_i)` for each source, then `-t D`, modulo that prime.
    weights: Vec<Vec<u64>>,
}

/// Sources brought to coefficients, and how often `D` must be taken off.
#[derive(Debug)]
pub struct Prepared {
    /// One row for each source, then the row of quotients.
    rows: Buffer,
    degree: usize,
}

/// Is the multiple of `D` taken off?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Yes: the centred representative.
    Exact,
    /// No: the result may be off by up to `k` times `D`.
    Approximate,
}

impl BasisConverter {
    /// A converter from the primes with indices `sources`; `factor` is 1 for the plain conversion.
    pub fn new(ring: &Arc<Ring>, sources: &[usize], factor: u64) -> BasisConverter {
        let value = |i: usize| ring.modulus(i).value();
        let others = |skip: usize| sources.iter().filter(move |&&j| j != skip).map(|&j| value(j));
        let scales = sources
            .iter()
            .map(|&i| {
                let m = ring.modulus(i);
                let cofactor = others(i).fold(m.reduce(factor), |acc, q| m.mul(acc, m.reduce(q)));
                // The sources are distinct primes and none divides the factor, so the inverse exists.
                ring.inverse_scale(i, m.inverse(cofactor).unwrap_or(0))
            })
            .collect();
        let weights = (0..ring.chain_len() + ring.special_len())
            .map(|target| weights(ring, sources, ring.modulus(target), factor))
            .collect();
        BasisConverter {
            ring: Arc::clone(ring),
            sources: sources.to_vec(),
            scales,
            reciprocals: sources.iter().map(|&i| 1.0 / value(i) as f64).collect(),
            weights,
        }
    }

    /// The indices of the source primes.
    pub fn sources(&self) -> &[usize] {
        &self.sources
    }

    /// Brings the source rows, in the NTT domain, to scaled coefficients: one inverse transform for each source.
    /// `row(i)` is the row of prime `i`.
    pub fn prepare<'a>(&self, row: impl Fn(usize) -> &'a [u64]) -> Prepared {
        let degree = self.ring.degree();
        let mut rows = self.ring.pool().take((self.sources.len() + 1) * degree);
        let (sources, quotient) = rows.split_at_mut(self.sources.len() * degree);
        for ((&i, scale), out) in
            self.sources.iter().zip(&self.scales).zip(sources.chunks_exact_mut(degree))
        {
            out.copy_from_slice(row(i));
            self.ring.inverse_scaled(i, out, scale);
        }
        let sources: Vec<&[u64]> = sources.chunks_exact(degree).collect();
        self.ring.kernel().round_quotient(quotient, &sources, &self.reciprocals);
        Prepared { rows, degree }
    }

    /// The weights of the rows of a [`Prepared`] polynomial for a target outside of the ring, factor 1.
    pub(crate) fn weights_for(&self, target: &Modulus) -> Vec<u64> {
        weights(&self.ring, &self.sources, target, 1)
    }

    /// The coefficients modulo prime `target`, lazy (below twice the prime).
    pub fn convert(&self, from: &Prepared, target: usize, rounding: Rounding, out: &mut [u64]) {
        let count = self.sources.len() + usize::from(rounding == Rounding::Exact);
        let rows = &from.rows()[..count];
        let weights = &self.weights[target][..count];
        self.ring.kernel().base_convert(self.ring.modulus(target), out, rows, weights);
    }

    /// As [`BasisConverter::convert`], exact, then transformed: values modulo prime `target`, lazy.
    pub fn convert_to_eval(&self, from: &Prepared, target: usize, out: &mut [u64]) {
        self.convert(from, target, Rounding::Exact, out);
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
    cofactors.chain([m.neg(product(None))]).collect()
}

impl Prepared {
    /// One row for each source, then the row of quotients.
    pub(crate) fn rows(&self) -> Vec<&[u64]> {
        self.rows.chunks_exact(self.degree).collect()
    }

    /// Overwrites the rows with zeros.
    pub fn wipe(&mut self) {
        self.rows.wipe();
    }
}
