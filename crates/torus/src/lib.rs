//! The wing of the schemes over the torus: TFHE, which users import as a module of `fathom`.
//!
//! The other wing is `fathom-rings`; neither knows the other, and what both need is in
//! `fathom-base`.
#![forbid(unsafe_code)]

pub mod lwe;
pub mod prelude;
#[cfg(feature = "serde")]
mod serde_support;
pub mod tfhe;

#[cfg(feature = "serde")]
pub use fathom_base::serde_support::{Framed, FreshWithin, Within};
pub use fathom_base::{CancelToken, Error, ErrorKind, KeyId, MAX_THREADS, WORST_CASE, wire};
pub use fathom_ring::{Gadget, SecretRng};
pub use fathom_security::{Assessment, Badge, Level as SecurityLevel};

use fathom_base::{cancel, threads, whole_file};
