//! The interface between the core of the ring schemes and one scheme.
//!
//! [`Mechanics`] says what operations do to the metadata of a message, [`Slotted`] what a scheme
//! with slots adds. The public interface, messages and their encryption, is
//! [`Scheme`](super::Scheme).

use super::{Bounds, Ciphertext, Encoding, Encryption, Evaluator, Known, Level, Noise, Params};
use crate::Error;
use std::borrow::Cow;

/// A scheme over the shared core of ring schemes.
///
/// Keys, ciphertexts, key switching, rotations and the noise bound are the same in every ring
/// scheme. A scheme adds an [`Encoding`] and says how the metadata of messages change.
pub trait Mechanics: Encoding {
    /// Returns the metadata of a fresh encryption at a level.
    #[doc(hidden)]
    fn fresh_meta(params: &Params<Self>, level: Level) -> Self::Meta;

    /// Returns the metadata of an encryption of zero at a level.
    #[doc(hidden)]
    fn zero_meta(params: &Params<Self>, level: Level) -> Self::Meta {
        Self::fresh_meta(params, level)
    }

    /// Returns the bounds on any encoded message.
    #[doc(hidden)]
    fn message_bound(params: &Params<Self>) -> Bounds;

    /// Returns a bound on the distance of an encoded message from the exact one.
    #[doc(hidden)]
    fn encoding_error(_: &Params<Self>) -> Bounds {
        Bounds::default()
    }

    /// Returns the noise of a fresh encryption of any message at a level.
    #[doc(hidden)]
    fn fresh_noise(params: &Params<Self>, encryption: Encryption, _: Level) -> Noise {
        encryption.noise(&params.context().model, Self::message_bound(params))
    }

    /// Returns the bound on the values of a message of these norms, where facts need one.
    #[doc(hidden)]
    fn magnitude(_: Self::Meta, message: Bounds) -> f64 {
        message.root
    }

    /// Returns the metadata of a product.
    #[doc(hidden)]
    fn multiplied(params: &Params<Self>, left: Self::Meta, right: Self::Meta) -> Self::Meta;

    /// Returns the metadata of a sum or difference of messages that can be added.
    #[doc(hidden)]
    fn summed(_: &Params<Self>, left: Self::Meta, _: Self::Meta) -> Self::Meta {
        left
    }

    /// Returns whether messages with these metadata can be added as they are.
    #[doc(hidden)]
    fn addable(left: Self::Meta, right: Self::Meta) -> bool {
        left == right
    }

    /// Refuses the metadata of a result whose message could have wrapped around, or whose scale is
    /// out of range.
    ///
    /// # Errors
    /// [`Error::Wide`], [`Error::Scale`].
    #[doc(hidden)]
    fn check_range(_: &Params<Self>, _operation: &'static str, _: Self::Meta) -> Result<(), Error> {
        Ok(())
    }

    /// Returns the metadata after the primes between two levels are divided away.
    #[doc(hidden)]
    fn switched(params: &Params<Self>, meta: Self::Meta, from: Level, to: Level) -> Self::Meta;

    /// Returns the ciphertext at a level that is not above its own, with the metadata that fresh
    /// ciphertexts have there or with those that the division leaves. The caller checks the noise.
    ///
    /// # Errors
    /// That of a scheme whose metadata do not allow it.
    #[doc(hidden)]
    fn lowered<'a>(
        evaluator: &Evaluator<Self>,
        a: &'a Ciphertext<Self>,
        level: Level,
    ) -> Result<Cow<'a, Ciphertext<Self>>, Error> {
        Ok(evaluator.switched(a, level))
    }

    /// Returns the level at which no further product is possible, which is that of results with
    /// the range and the precision that the parameters promise.
    fn last_level(_: &Params<Self>) -> Level {
        Level::new(0)
    }

    /// Completes a product with a plaintext: by nothing, or by the division that restores the
    /// scale.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`].
    #[doc(hidden)]
    fn after_plain_product(
        _: &Evaluator<Self>,
        product: Ciphertext<Self>,
    ) -> Result<Ciphertext<Self>, Error> {
        Ok(product)
    }

    /// Brings two ciphertexts, which belong to the evaluator's key, to one level and to equal
    /// metadata, so that their components can be added.
    ///
    /// # Errors
    /// [`Error::LevelMismatch`] where levels are the caller's.
    #[doc(hidden)]
    fn aligned<'a>(
        evaluator: &Evaluator<Self>,
        a: &'a Ciphertext<Self>,
        b: &'a Ciphertext<Self>,
    ) -> Result<AlignedPair<'a, Self>, Error>;

    /// Computes the sum of the products of at least one pair, each as [`Evaluator::mul`] returns
    /// it. Operands have the levels that a product needs, if the evaluator can refresh them.
    ///
    /// # Errors
    /// As [`Evaluator::dot`].
    #[doc(hidden)]
    fn sum_of_products(
        evaluator: &Evaluator<Self>,
        operation: &'static str,
        pairs: &[(&Ciphertext<Self>, &Ciphertext<Self>)],
    ) -> Result<Ciphertext<Self>, Error> {
        evaluator.sum_of_tensors(operation, pairs)
    }
}

impl<S: Mechanics> Ciphertext<S> {
    /// Returns the public facts about the message and the bound on its values.
    pub(crate) fn known(&self) -> Known<S::Facts> {
        Known { facts: self.facts, magnitude: S::magnitude(self.meta, self.noise.message) }
    }
}

/// Two operands, copied only if they had to change.
pub type AlignedPair<'a, S> = (Cow<'a, Ciphertext<S>>, Cow<'a, Ciphertext<S>>);

/// A scheme with slots in a number of rows. Rotations, sums of slots and linear maps need it.
pub trait Slotted: Mechanics {
    /// Number of rows of slots: 2, or 1 if the second row is determined by the first.
    const ROWS: usize;

    /// Set if the value of a slot is that of the message at a root of `X^N + 1`, so that sums of
    /// slots are sums of such values.
    #[doc(hidden)]
    const SLOTS_ARE_ROOTS: bool = false;

    /// Refuses parameters whose messages have no slots.
    ///
    /// # Errors
    /// [`Error::NoSlots`] for a plaintext modulus that is not 1 modulo twice the degree.
    fn check_slots(params: &Params<Self>) -> Result<(), Error>;

    /// Adds the rows to each other, so that every row holds the sum.
    ///
    /// # Errors
    /// As [`Evaluator::rotate`].
    #[doc(hidden)]
    fn sum_of_rows(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
    ) -> Result<Ciphertext<Self>, Error>;

    /// Multiplies the slots that are to be kept by a number, which is 1 in exact schemes, and all
    /// others by zero.
    ///
    /// # Errors
    /// As `mul_plain`.
    #[doc(hidden)]
    fn selected(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
        keeps: &dyn Fn(usize) -> bool,
        factor: f64,
    ) -> Result<Ciphertext<Self>, Error>;

    /// Adds up the slots of a selection, of which there are at most `terms`, in every slot.
    ///
    /// # Errors
    /// As [`Evaluator::sum_slots`] and `mul_plain`.
    #[doc(hidden)]
    fn sum_of_selected(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
        Selection { operation, keeps, terms, factor }: Selection<'_>,
    ) -> Result<Ciphertext<Self>, Error> {
        let selected = Self::selected(evaluator, a, keeps, factor)?;
        evaluator.sum_of_few(operation, &selected, terms)
    }
}

/// Slots that are added up.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Selection<'a> {
    /// Name of the operation.
    pub(crate) operation: &'static str,
    /// Tells whether a slot is selected.
    pub(crate) keeps: &'a dyn Fn(usize) -> bool,
    /// The greatest number of them.
    pub(crate) terms: usize,
    /// The factor that they are multiplied by, which is 1 in exact schemes.
    pub(crate) factor: f64,
}

/// A scheme with two rows of slots, which [`Evaluator::swap_rows`] swaps.
pub trait TwoRows: Slotted {}
