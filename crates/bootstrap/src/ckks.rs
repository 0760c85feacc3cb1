//! CKKS and its bootstrapping: real and complex numbers, with a bound on the error of every
//! result.
//!
//! ```
//! # use fathom_bootstrap as fathom;
//! use fathom::SecretRng;
//! use fathom::ckks::{Evaluator, Params, Preset, Rotations, SecretKey};
//!
//! # fn main() -> Result<(), fathom::Error> {
//! let params = Params::preset(Preset::E3Small)?;
//! let mut rng = SecretRng::from_os()?;
//! let secret = SecretKey::generate(&params, &mut rng);
//! let server = Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng)?);
//! let x = secret.encrypt(&params.encode(&[0.5, -0.25])?, &mut rng)?;
//! let square = server.square(&x)?;
//! let result = secret.decrypt(&square)?;
//! assert!((result.slots()[0] - 0.25).abs() <= result.error_bound());
//! assert!(square.precision_bits() > 17.0);
//! # Ok(())
//! # }
//! ```
//!
//! A ciphertext hides `scale * m + e` for a polynomial `m` whose values at half of the roots of
//! `X^N + 1` are the slots. Every ciphertext carries a bound on the absolute error of its slots,
//! which holds for every message but with probability 2^-128, and which is computed from public
//! data alone. Results beyond that precision are refused. The theorems are in docs/maths/ckks.md.
//!
//! Parameters of [`Params::bootstrappable`] have no last level: [`Bootstrapper`] takes a ciphertext
//! back to the top without the secret key.
//!
//! In this module, levels and scales are aligned by the evaluator. In [`explicit`] they are in the
//! caller's hands.

#[doc(inline)]
pub use fathom_rings::ckks::*;

pub use crate::digits::{Comparison, DigitTables, Largest};
pub use crate::keys::PublishedModulus;
pub use crate::policy::Policy;
pub use crate::slot_function::{SlotFunction, SmoothFunction, Table};
pub use crate::verbs::{BootstrapEvaluator, BootstrapParams, BootstrapSecret};
pub use fathom_base::error::BootstrapError;

/// The public keys of a bootstrapping.
pub type BootstrappingKeys = crate::keys::BootstrappingKeys<Automatic>;
/// Refreshes ciphertexts.
pub type Bootstrapper = crate::bootstrapper::Bootstrapper<Automatic>;
/// Functions prepared for a bootstrapping that applies them.
pub type Prepared<const N: usize> = crate::prepared::Prepared<Automatic, N>;

/// CKKS with levels and scales in the caller's hands: operands that differ in either are refused.
pub mod explicit {
    pub use super::{
        BootstrapError, BootstrapEvaluator, BootstrapParams, BootstrapSecret, Policy,
        PublishedModulus, SlotFunction, SmoothFunction, Table,
    };
    #[doc(inline)]
    pub use fathom_rings::ckks::explicit::*;

    /// The public keys of a bootstrapping.
    pub type BootstrappingKeys = crate::keys::BootstrappingKeys<Explicit>;
    /// Refreshes ciphertexts.
    pub type Bootstrapper = crate::bootstrapper::Bootstrapper<Explicit>;
    /// Functions prepared for a bootstrapping that applies them.
    pub type Prepared<const N: usize> = crate::prepared::Prepared<Explicit, N>;
}
