//! The wire form of what a scheme's encoding needs.

use crate::rlwe::{Bounds, Level, Mechanics, Params};
use crate::wire::WireError;

/// A scheme whose ciphertexts can be serialized.
pub trait MetaCodec: Mechanics {
    /// Name of the metadata in refusals.
    #[doc(hidden)]
    const META_FIELD: &'static str;

    /// Returns the bytes of the metadata, whose number does not depend on their content.
    #[doc(hidden)]
    fn write_meta(meta: Self::Meta) -> Vec<u8>;

    /// Reads what [`MetaCodec::write_meta`] wrote.
    ///
    /// # Errors
    /// [`WireError::Malformed`] or [`WireError::Range`] unless a ciphertext of these parameters can
    /// have this metadata at `level`.
    #[doc(hidden)]
    fn read_meta(
        params: &Params<Self>,
        level: Level,
        bytes: &[u8],
    ) -> Result<Self::Meta, WireError>;

    /// Number of bytes that [`MetaCodec::write_facts`] returns.
    #[doc(hidden)]
    const FACTS_BYTES: usize = 0;

    /// Returns the bytes of the public facts about a message.
    #[doc(hidden)]
    fn write_facts(_: Self::Facts) -> Vec<u8> {
        Vec::new()
    }

    /// Reads what [`MetaCodec::write_facts`] wrote.
    ///
    /// # Errors
    /// [`WireError::Malformed`] for facts that no message has.
    #[doc(hidden)]
    fn read_facts(_: &[u8]) -> Result<Self::Facts, WireError> {
        Ok(Self::Facts::default())
    }

    /// Returns whether a fresh encryption can have these facts.
    #[doc(hidden)]
    fn are_fresh_facts(_: Self::Facts) -> bool {
        true
    }

    /// Returns the message and the encoding error to assume of a fresh encryption from outside,
    /// whose sender claims `claimed` of the message.
    ///
    /// # Errors
    /// [`WireError::Malformed`] for a claim that is no bound.
    #[doc(hidden)]
    fn received(params: &Params<Self>, _claimed: Bounds) -> Result<[Bounds; 2], WireError> {
        Ok([Self::message_bound(params), Self::encoding_error(params)])
    }

    /// Returns whether a fresh encryption at `level` can have this metadata.
    #[doc(hidden)]
    fn is_fresh_meta(params: &Params<Self>, level: Level, meta: Self::Meta) -> bool {
        meta == Self::fresh_meta(params, level)
    }
}
