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
//!
//! CKKS does not know this crate. The methods that it adds to parameters, secret keys and
//! evaluators are those of traits ([`BootstrapParams`], [`BootstrapSecret`],
//! [`BootstrapEvaluator`]), which the prelude brings. Users import all of it as `fathom::ckks` and
//! `fathom::refresh`.
#![forbid(unsafe_code)]

mod arithmetic;
mod bootstrapper;
pub mod ckks;
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
mod numbers;
mod policy;
pub mod prelude;
mod prepared;
mod program;
pub mod refresh;
#[cfg(feature = "serde")]
mod serde_support;
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
#[cfg(test)]
mod toys;
mod verbs;

pub use bootstrapper::Bootstrapper;
pub use digits::{Comparison, DigitTables, Largest};
pub use fathom_base::error::BootstrapError;
pub use keys::BootstrappingKeys;
pub use keys::PublishedModulus;
pub use policy::Policy;
pub use prepared::Prepared;
pub use slot_function::{SlotFunction, SmoothFunction, Table};
pub use verbs::{BootstrapEvaluator, BootstrapParams, BootstrapSecret};

#[cfg(feature = "serde")]
pub use fathom_base::serde_support::{Framed, FreshWithin, Within};
pub use fathom_base::{CancelToken, Error, ErrorKind, KeyId, MAX_THREADS, WORST_CASE, wire};
pub use fathom_ring::SecretRng;
