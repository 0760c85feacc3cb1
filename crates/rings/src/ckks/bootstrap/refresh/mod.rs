//! The refresh of exact schemes: the noise of a ciphertext is bootstrapped, the message untouched.
//!
//! A phase `v = f m + t e` modulo `q` is, in units of `q`, a small number in every coefficient. A
//! bootstrapping that has the coefficients in its slots evaluates it as a real number: a ciphertext
//! of `v / q` under a large modulus. With the modulus `Q'` of the result,
//!
//! ```text
//! (Q'/q) c - t w,    w a ciphertext of (Q'/t) (v/q + d)
//! ```
//!
//! has the phase `-Q' d`, which is congruent to `(Q'/q) f m` modulo `t`. What is left of the noise
//! is the error `d` of the evaluation, whatever it was before, and nothing of the message is ever
//! approximated (Kim, Seo, Song, eprint 2024/109).
//!
//! Tables are the same machine with another function: the message itself is brought to the angle,
//! and the values of a table take the place of the noise.
//!
//! Ciphertexts of a small ring are interleaved to one of the large ring of the bootstrapping, so
//! that one evaluation refreshes all of them.

mod codec;
mod convert;
mod keys;
mod model;
mod refresher;
mod rings;
mod table;
#[cfg(test)]
mod tests;

pub use crate::ckks::schedule::RefreshSet;
pub use keys::RefreshKeys;
pub use refresher::{LEAST_BUDGET, Refresher};
pub use table::{CoefficientTable, PreparedTables};
