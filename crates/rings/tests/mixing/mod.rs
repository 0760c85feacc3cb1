//! Random operations that mix schemes, parameters, keys and encodings on purpose: every result is
//! right, or there is a typed error.
//!
//! `FATHOM_MIXING_OPERATIONS` is the number of operations for each of BFV, BGV and exact integers;
//! vectors and CKKS run a quarter of it. `FATHOM_SEARCH_SEED` is another seed. `cargo xtask mixing`
//! runs these and those of FHEW and TFHE at length.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]
#![allow(clippy::type_complexity, reason = "a row of the table has the type of its call")]
#![allow(clippy::redundant_closure_for_method_calls, reason = "all rows of a table have one form")]

mod integers;
mod mixer;
mod reals;
mod rows;
mod slots;
mod vectors;

use fathom_circuits::setting;

/// Returns the seed of a run: another world for each caller, and for each seed of the environment.
pub(crate) fn seed(of: u64) -> u64 {
    fathom_circuits::seed(0).wrapping_mul(1 << 20) + of
}

/// Returns the number of operations for each scheme.
pub(crate) fn operations() -> u64 {
    setting("FATHOM_MIXING_OPERATIONS", 1500)
}
