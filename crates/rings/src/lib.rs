//! The wing of the ring schemes: BFV, BGV, CKKS and wide integers, which users import as modules of
//! `fathom`.
//!
//! All of them stand on one core, [`rlwe`]. The other wing is `fathom-torus`; neither knows the
//! other, and what both need is in `fathom-base`.
#![forbid(unsafe_code)]

pub mod bfv;
pub mod bgv;
pub mod ckks;
#[doc(hidden)]
pub mod internals;
pub mod prelude;
pub mod rlwe;
#[cfg(feature = "serde")]
mod serde_support;
#[cfg(test)]
mod table_tests;
pub mod wide;

#[cfg(feature = "serde")]
pub use fathom_base::serde_support::{Framed, FreshWithin, Within};
pub use fathom_base::{CancelToken, Error, ErrorKind, KeyId, MAX_THREADS, WORST_CASE, wire};
pub use fathom_ring::{Gadget, SecretRng};
pub use fathom_security::{Assessment, Badge, Level as SecurityLevel};

use fathom_base::cancel;
