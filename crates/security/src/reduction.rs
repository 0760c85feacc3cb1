//! Quality and cost of lattice reduction. Logarithms are to base 2.

use std::f64::consts::{E, LN_2, PI};

/// Smallest block size for which the formula of the root Hermite factor below is valid.
pub(crate) const MIN_BLOCK: u32 = 50;
/// Largest block size considered; its cost is far above every level.
pub(crate) const MAX_BLOCK: u32 = 1 << 14;

/// Gates of one sieve: slope per dimension and constant of log2, for classical list decoding.
/// Source: MATZOV, "Report on the security of LWE", 2022 (zenodo 6412487).
pub(crate) const SIEVE_SLOPE: f64 = 0.296_135_003_082_053_65;
const SIEVE_OFFSET: f64 = 20.387_885_985_467_914;

/// Core-SVP exponents: Becker, Ducas, Gama, Laarhoven 2016; Chailloux, Loyer 2021.
const CORE_SVP_CLASSICAL: f64 = 0.292;
const CORE_SVP_QUANTUM: f64 = 0.257;

/// Returns the log of the root Hermite factor that BKZ with block size `block` (at least 50)
/// reaches:
/// `((b / 2 pi e) (pi b)^(1/b))^(1 / 2(b-1))`.
///
/// Source: Chen, "Réduction de réseau et sécurité concrète du chiffrement complètement
/// homomorphe", thesis, 2013.
pub(crate) fn log_root_hermite(block: f64) -> f64 {
    ((block / (2.0 * PI * E)).log2() + (PI * block).log2() / block) / (2.0 * (block - 1.0))
}

/// Returns the number of dimensions for free of a sieve of size `block` (Ducas, Eurocrypt 2018).
pub(crate) fn free_dimensions(block: f64) -> f64 {
    (block * (4.0f64 / 3.0).ln() / (block / (2.0 * PI * E)).ln()).max(0.0)
}

/// Returns the log of `C = 1 / (1 - 2^-slope)`, the overhead of progressive sieving.
pub(crate) fn log_progressive() -> f64 {
    -(1.0 - (-SIEVE_SLOPE).exp2()).log2()
}

/// Returns the log of the gates of progressive sieving in `size` dimensions.
pub(crate) fn log_sieve_gates(size: f64) -> f64 {
    log_progressive() + SIEVE_SLOPE * size + SIEVE_OFFSET
}

/// Returns the log of the gates of progressive BKZ with block size `block` on a lattice of
/// `dimension`: `C max(d - b, 1)` sieves of size `b` minus the dimensions for free.
pub(crate) fn log_bkz_gates(block: f64, dimension: f64) -> f64 {
    let log_calls = log_progressive() + (dimension - block).max(1.0).log2();
    log_calls + log_sieve_gates(block - free_dimensions(block))
}

/// Returns the log of the gates of one search for a shortest vector in `size` dimensions: a sieve,
/// or enumeration below [`SMALLEST_SIEVE`], where the dimensions for free exceed the size.
///
/// Source of the enumeration: Chen and Nguyen, Asiacrypt 2011, fitted to Chen's thesis.
pub(crate) fn log_search_gates(size: f64) -> f64 {
    if size >= SMALLEST_SIEVE {
        return log_bkz_gates(size, size);
    }
    let log_nodes =
        0.270_188_776_350_190 * size * size.ln() - 1.019_205_045_131_841_7 * size + 16.102_531_352;
    log_nodes + GATES_PER_NODE.log2()
}

/// Smallest dimension of a sieve.
const SMALLEST_SIEVE: f64 = 20.0;
/// Gates of one node of an enumeration.
const GATES_PER_NODE: f64 = 100.0;

/// Returns the core-SVP figures of a block size in bits: classical, then quantum.
pub(crate) fn core_svp(block: u32) -> (f64, f64) {
    (CORE_SVP_CLASSICAL * f64::from(block), CORE_SVP_QUANTUM * f64::from(block))
}

/// Returns the log of `2^a + 2^b`.
pub(crate) fn log_sum(a: f64, b: f64) -> f64 {
    let large = a.max(b);
    if large.is_infinite() {
        return large;
    }
    large + (a.min(b) - large).exp2().ln_1p() / LN_2
}

/// Returns the smallest number in `fails + 1..=works` for which `holds`, given that it holds for
/// `works` but not for `fails`, and changes once.
pub(crate) fn first_that_holds(fails: u32, works: u32, holds: impl Fn(u32) -> bool) -> u32 {
    let (mut fails, mut works) = (fails, works);
    while works - fails > 1 {
        let middle = fails.midpoint(works);
        if holds(middle) {
            works = middle;
        } else {
            fails = middle;
        }
    }
    works
}

/// Returns the argument in `low..=high` with the smallest `cost`, and that cost; `cost` decreases,
/// then increases, and may be infinite at the low end.
pub(crate) fn minimum(low: u32, high: u32, cost: impl Fn(u32) -> f64) -> (u32, f64) {
    let (mut low, mut high) = (low, high.max(low));
    while low < high {
        let middle = low.midpoint(high);
        if cost(middle) >= cost(middle + 1) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    (low, cost(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_block_reduces_better_and_costs_more() {
        for block in (MIN_BLOCK..2000).map(f64::from) {
            assert!(log_root_hermite(block + 1.0) < log_root_hermite(block), "block {block}");
            assert!(log_bkz_gates(block + 1.0, 8000.0) > log_bkz_gates(block, 8000.0));
        }
    }

    #[test]
    fn the_root_hermite_factor_matches_published_values() {
        // Block 85 is the usual example of 1.01; Kyber-512's block 406 gives 1.00393.
        for (block, delta) in [(85.0, 1.01), (406.0, 1.003_93)] {
            let error = log_root_hermite(block).exp2() - delta;
            assert!(error.abs() < 3e-4, "block {block}: off by {error}");
        }
    }

    #[test]
    fn a_sum_of_powers_is_added_in_the_exponent() {
        assert!((log_sum(10.0, 10.0) - 11.0).abs() < 1e-12);
        assert!((log_sum(3.0, 0.0) - 9f64.log2()).abs() < 1e-12);
        assert!((log_sum(f64::NEG_INFINITY, 5.0) - 5.0).abs() < 1e-12);
        assert!(log_sum(f64::INFINITY, 5.0).is_infinite());
    }

    #[test]
    fn searches_find_the_border_and_the_valley() {
        assert_eq!(first_that_holds(0, 1000, |x| x >= 137), 137);
        let valley = |x: u32| if x < 10 { f64::INFINITY } else { (f64::from(x) - 42.0).powi(2) };
        assert_eq!(minimum(0, 500, valley), (42, 0.0));
        assert_eq!(minimum(60, 500, valley).0, 60);
        assert_eq!(minimum(0, 20, valley).0, 20);
    }
}
