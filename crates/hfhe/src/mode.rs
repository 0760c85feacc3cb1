//! The two modes of the scheme.

use super::{Fp, Polynomial, Seed};
use fathom_ring::SecretRng;
use smallvec::SmallVec;
use std::fmt::Debug;
use std::ops::{Deref, DerefMut};
use zeroize::{Zeroize, ZeroizeOnDrop};

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

/// The masks of seeds, wiped when dropped. Those of a short polynomial need no allocation, which
/// would take as long as a mask.
#[doc(hidden)]
pub struct Masks(SmallVec<[Fp; 2]>);

impl FromIterator<Fp> for Masks {
    /// Collects masks from an iterator that knows their number: if the list grew, it would leave
    /// copies that are not wiped.
    fn from_iter<I: IntoIterator<Item = Fp>>(masks: I) -> Masks {
        let masks = masks.into_iter();
        let (count, most) = masks.size_hint();
        debug_assert_eq!(Some(count), most, "the number of masks is known");
        let mut list = SmallVec::with_capacity(count);
        list.extend(masks);
        Masks(list)
    }
}

impl Deref for Masks {
    type Target = [Fp];

    fn deref(&self) -> &[Fp] {
        &self.0
    }
}

impl DerefMut for Masks {
    fn deref_mut(&mut self) -> &mut [Fp] {
        &mut self.0
    }
}

impl Drop for Masks {
    fn drop(&mut self) {
        self.0.iter_mut().zeroize();
    }
}

impl ZeroizeOnDrop for Masks {}

/// The secret part of a key.
#[doc(hidden)]
pub trait Secret: Send + Sync {
    /// Returns the masks of the seeds, which are the values of the polynomial's variables.
    fn masks(&self, seeds: &[Seed]) -> Masks;

    /// Encrypts a value.
    fn encrypt(&self, value: Fp, rng: &mut SecretRng) -> Polynomial;
}

pub(crate) mod sealed {
    /// A sealed trait: only the two modes implement it.
    pub trait Sealed {}
}
