//! Parameters of published documents, with their degrees and moduli as printed.

use fathom::rlwe::modular::Spec;
use fathom::{Gadget, SecurityLevel};

/// A row: name, degree, sizes of the primes, and the security that the document states and the
/// tables confirm. Nothing larger than their product is published under the key, because key
/// switching cuts into digits.
type Row = (&'static str, usize, &'static [f64], SecurityLevel);

const LEVEL_128: SecurityLevel = SecurityLevel::Bits128;
const LEVEL_192: SecurityLevel = SecurityLevel::Bits192;
const LEVEL_256: SecurityLevel = SecurityLevel::Bits256;

/// The tiers of document 001 with moduli of 40, 56, 109 and 218 bits; the configurations of
/// document 004 with 3 to 6 primes of 30 bits; and, for the chains of document 004, moduli that
/// are large enough for the longest of them without a bootstrap.
const ROWS: [Row; 12] = [
    ("h0", 2048, &[40.0], LEVEL_128),
    ("h1", 4096, &[28.0, 28.0], LEVEL_128),
    ("h33", 4096, &[28.0, 28.0], LEVEL_128),
    ("h2", 8192, &[25.0, 28.0, 28.0, 28.0], LEVEL_128),
    ("h-256", 16384, &[23.0, 27.85, 27.85, 27.85, 27.85, 27.85, 27.85, 27.85], LEVEL_128),
    ("nine65-128", 4096, &[29.7, 29.8, 29.8], LEVEL_128),
    ("nine65-128-deep", 8192, &[29.2, 29.6, 29.6, 29.6], LEVEL_128),
    ("nine65-192", 16384, &[28.6, 29.2, 29.2, 29.2, 29.2], LEVEL_192),
    ("nine65-256", 16384, &[29.0, 29.1, 29.1, 29.1, 29.1, 29.1], LEVEL_256),
    ("nine65-128-sized", 8192, &[42.0; 5], LEVEL_128),
    ("nine65-192-sized", 16384, &[42.0; 5], LEVEL_192),
    ("nine65-256-sized", 16384, &[42.0; 5], LEVEL_256),
];

/// Returns the names of the published sets.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.0)
}

/// Returns the description of a published set, all of which are sets of BFV with `t = 65537`.
pub(super) fn spec(name: &str) -> Option<Spec> {
    let (name, degree, chain, security) = ROWS.iter().find(|row| row.0 == name)?;
    Some(Spec {
        name: (*name).to_owned(),
        degree: *degree,
        plain_modulus: 65537,
        chain_bits: chain.to_vec(),
        special_bits: Vec::new(),
        gadget: Gadget::Positional { base_log: 14 },
        secret_weight: None,
        security: *security,
        failure_log2: -128.0,
    })
}
