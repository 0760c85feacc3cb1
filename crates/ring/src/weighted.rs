//! Sums of polynomials with integer weights: many sums of the same polynomials in one pass.

use crate::{Domain, Limbs, Modulus, Poly};
use std::sync::Arc;

/// Sums that are computed at the same time: their rows serve while those of the terms are read.
const SUMS: usize = 32;
/// Weights of a magnitude beyond this are reduced modulo each prime.
const LARGEST: u128 = 1 << 61;

impl<D: Domain> Poly<D> {
    /// Returns `sum_j weights[k][j] * terms[j]` over `limbs`, which all terms must have, for every
    /// list of weights. Each term is read once for 32 sums.
    pub fn weighted_sums(terms: &[&Self], weights: &[Vec<i128>], limbs: Limbs) -> Vec<Self> {
        debug_assert!(!terms.is_empty() && weights.iter().all(|list| list.len() == terms.len()));
        let ring = Arc::clone(terms[0].ring());
        let mut sums: Vec<Self> = Vec::with_capacity(weights.len());
        sums.extend(weights.iter().map(|_| Poly::uninitialized(&ring, limbs)));
        for (row, prime) in ring.prime_indices(limbs).enumerate() {
            let modulus = ring.modulus(prime);
            let rows: Vec<&[u64]> = terms.iter().map(|term| term.row_of(prime)).collect();
            for (sums, weights) in sums.chunks_mut(SUMS).zip(weights.chunks(SUMS)) {
                let fitting =
                    |list: &Vec<i128>| list.iter().map(|&w| fitting(modulus, w)).collect();
                let lists: Vec<Vec<i64>> = weights.iter().map(fitting).collect();
                let lists: Vec<&[i64]> = lists.iter().map(Vec::as_slice).collect();
                let mut out: Vec<&mut [u64]> =
                    sums.iter_mut().map(|sum| sum.row_mut(row)).collect();
                ring.kernel().weighted_sums(modulus, &mut out, &rows, &lists);
            }
        }
        sums
    }
}

/// Returns a number of one word that is congruent to the weight: the weight itself if it fits.
fn fitting(modulus: &Modulus, weight: i128) -> i64 {
    if weight.unsigned_abs() <= LARGEST {
        return weight as i64;
    }
    let residue = modulus.to_signed(modulus.reduce_u128(weight.unsigned_abs()));
    if weight < 0 { -residue } else { residue }
}
