//! Parameters of published documents, with their degrees and moduli as printed.

use fathom::rlwe::modular::Spec;
use fathom::{Gadget, SecurityLevel};

/// A set as a document prints it.
struct Row {
    name: &'static str,
    degree: usize,
    /// Sizes of the primes of the ciphertext modulus.
    chain: &'static [f64],
    /// Sizes of the special primes of key switching, which the documents do not state.
    special: &'static [f64],
    gadget: Gadget,
    /// The security that the tables confirm for chain and special primes together.
    security: SecurityLevel,
}

const LEVEL_128: SecurityLevel = SecurityLevel::Bits128;
const LEVEL_192: SecurityLevel = SecurityLevel::Bits192;
const LEVEL_256: SecurityLevel = SecurityLevel::Bits256;

const fn row(
    name: &'static str,
    degree: usize,
    chain: &'static [f64],
    security: SecurityLevel,
) -> Row {
    let gadget = Gadget::Positional { base_log: 14 };
    Row { name, degree, chain, special: &[], gadget, security }
}

impl Row {
    /// Switches keys with special primes and digits of so many primes.
    const fn hybrid(self, special: &'static [f64], limbs: usize) -> Self {
        Self { special, gadget: Gadget::Hybrid { limbs }, ..self }
    }
}

/// The tiers of document 001 with moduli of 40, 56, 109 and 218 bits; the configurations of
/// document 004 with 3 to 6 primes of 30 bits; and, for the chains of document 004, moduli that
/// are large enough for the longest of them without a bootstrap.
///
/// The tiers have special primes where the tables leave room at their security: H0 has none. Those
/// of the configurations of document 004 would lower their security below what the document states,
/// and nothing larger than the modulus is published under their keys.
const ROWS: [Row; 12] = [
    row("h0", 2048, &[40.0], LEVEL_128),
    row("h1", 4096, &[28.0, 28.0], LEVEL_128).hybrid(&[49.5], 2),
    row("h33", 4096, &[28.0, 28.0], LEVEL_128).hybrid(&[49.5], 2),
    row("h2", 8192, &[25.0, 28.0, 28.0, 28.0], LEVEL_128).hybrid(&[34.9; 3], 4),
    row("h-256", 16384, &[23.0, 27.85, 27.85, 27.85, 27.85, 27.85, 27.85, 27.85], LEVEL_192)
        .hybrid(&[26.0; 3], 3),
    row("nine65-128", 4096, &[29.7, 29.8, 29.8], LEVEL_128),
    row("nine65-128-deep", 8192, &[29.2, 29.6, 29.6, 29.6], LEVEL_128),
    row("nine65-192", 16384, &[28.6, 29.2, 29.2, 29.2, 29.2], LEVEL_192),
    row("nine65-256", 16384, &[29.0, 29.1, 29.1, 29.1, 29.1, 29.1], LEVEL_256),
    row("nine65-128-sized", 8192, &[42.0; 5], LEVEL_128),
    row("nine65-192-sized", 16384, &[42.0; 5], LEVEL_192),
    row("nine65-256-sized", 16384, &[42.0; 5], LEVEL_256),
];

/// Returns the names of the published sets.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.name)
}

/// Returns the description of a published set, all of which are sets of BFV with `t = 65537`.
pub(super) fn spec(name: &str) -> Option<Spec> {
    let row = ROWS.iter().find(|row| row.name == name)?;
    Some(Spec {
        name: row.name.to_owned(),
        degree: row.degree,
        plain_modulus: 65537,
        chain_bits: row.chain.to_vec(),
        special_bits: row.special.to_vec(),
        gadget: row.gadget,
        secret_weight: None,
        security: row.security,
        failure_log2: -128.0,
    })
}
