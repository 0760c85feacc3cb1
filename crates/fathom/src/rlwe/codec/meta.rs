//! The wire form of what a scheme's encoding needs.

use crate::rlwe::{Level, Params, Scheme};
use crate::wire::WireError;

/// A scheme whose ciphertexts can be serialized.
pub trait MetaCodec: Scheme {
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

    /// Returns whether a fresh encryption at `level` can have this metadata.
    #[doc(hidden)]
    fn is_fresh_meta(params: &Params<Self>, level: Level, meta: Self::Meta) -> bool {
        meta == Self::fresh_meta(params, level)
    }
}
