//! Bootstrapping: from the last level back to the top, without a secret key.
//!
//! ```text
//! slots -> coefficients      the factors of `layers`, at few primes
//! -> sparse secret           at the last prime `q`
//! -> raised modulus          the phase is m + q I, with |I| <= 16 always
//! coefficients -> slots      the first factor leads back from the sparse secret
//! -> real, imaginary part    exp(2 pi i x) forgets I, and a sum of its powers gives back m
//! -> joined
//! ```
//!
//! The slots of a result are those of the operand. The derivation of every step and of the error
//! bound is in docs/maths/bootstrap.md.

mod arithmetic;
mod bootstrapper;
mod cleaning;
mod codec;
#[cfg(test)]
mod digit_tests;
mod digits;
mod effect;
mod engine;
mod exponential;
mod first_factor;
mod fit;
#[cfg(test)]
mod function_tests;
mod keys;
mod layers;
mod model;
mod policy;
mod prepared;
mod program;
pub(crate) mod refresh;
mod series;
#[cfg(test)]
mod shared;
mod slot_function;
mod slot_map;
mod sparse;
#[cfg(test)]
mod sparse_tests;
mod stages;
mod steps;
#[cfg(test)]
mod tests;
mod threads;

pub(super) use bootstrapper::Bootstrapper;
pub use digits::{Comparison, DigitTables, Largest};
pub use fathom_base::error::BootstrapError;
pub(super) use keys::BootstrappingKeys;
pub use keys::PublishedModulus;
pub use policy::Policy;
pub(super) use prepared::Prepared;
pub use slot_function::{SlotFunction, SmoothFunction, Table};
