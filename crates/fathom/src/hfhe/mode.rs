//! The two modes of the scheme.

use super::{Fp, Polynomial, Seed};
use fathom_ring::SecretRng;
use std::fmt::Debug;
use zeroize::Zeroizing;

/// The method by which seeds become masks and messages become polynomials:
/// [`Compat`](super::compat::Compat) or [`Native`](super::native::Native).
pub trait Mode: sealed::Sealed + Copy + Debug + Eq + Send + Sync + 'static {
    /// The name of the mode, `compat` or `native`.
    const NAME: &'static str;

    /// The four-letter name of the mode in the header of a frame.
    #[doc(hidden)]
    const SCHEME: &'static str;

    /// The secrets of the mode.
    #[doc(hidden)]
    type Secret: Secret;
}

/// The secret part of a key.
#[doc(hidden)]
pub trait Secret: Send + Sync {
    /// Returns the masks of the seeds, which are the values of the polynomial's variables.
    fn masks(&self, seeds: &[Seed]) -> Zeroizing<Vec<Fp>>;

    /// Encrypts a value.
    fn encrypt(&self, value: Fp, rng: &mut SecretRng) -> Polynomial;
}

pub(crate) mod sealed {
    /// A sealed trait: only the two modes implement it.
    pub trait Sealed {}
}
