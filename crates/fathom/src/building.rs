//! Parts of the library that other crates are built from: frames of the wire format, threads, the
//! identity of keys, and files that are written whole.
//!
//! This is no part of the public interface and changes without notice.

use crate::KeyId;
use fathom_ring::SecretRng;

#[cfg(feature = "serde")]
pub use crate::serde_support::bytes_of;
pub use crate::tfhe::keys::Owner;
pub use crate::threads::Pool;
pub use crate::whole_file::{NotWritten, Replaces, WholeFile};
pub use crate::wire::frame::{CLEAR, Fields, Frame, Label, OVERHEAD, open, seal, transparent};
pub use crate::wire::pack::{pack, packed_len, unpack};
pub use crate::wire::reader::{Reader, at_most};

/// Draws the identifier of a new secret key.
pub fn new_key_id(rng: &mut SecretRng) -> KeyId {
    KeyId::generate(rng)
}

/// Returns the identifier that consists of the first 16 bytes of a digest.
pub fn key_id_of_digest(digest: &[u8; 32]) -> KeyId {
    KeyId::from_digest(digest)
}
