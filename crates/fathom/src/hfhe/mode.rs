//! The two modes of the scheme.

use super::{Fp, Polynomial, Seed};
use fathom_ring::SecretRng;
use std::fmt::Debug;
use zeroize::Zeroizing;

/// How seeds become masks and messages become polynomials: [`Compat`](super::compat::Compat) or
/// [`Native`](super::native::Native).
pub trait Mode: sealed::Sealed + Copy + Debug + Eq + Send + Sync + 'static {
    /// `compat` or `native`.
    const NAME: &'static str;

    /// Its name in the header of a frame, four letters.
    #[doc(hidden)]
    const SCHEME: &'static str;

    /// What the mode keeps secret.
    #[doc(hidden)]
    type Secret: Secret;
}

/// The secret part of a key.
#[doc(hidden)]
pub trait Secret: Send + Sync {
    /// Returns the masks of the seeds: what the unknowns of a polynomial stand for.
    fn masks(&self, seeds: &[Seed]) -> Zeroizing<Vec<Fp>>;

    /// Returns a fresh encryption.
    fn encrypt(&self, value: Fp, rng: &mut SecretRng) -> Polynomial;
}

pub(crate) mod sealed {
    /// Only the two modes implement it.
    pub trait Sealed {}
}
