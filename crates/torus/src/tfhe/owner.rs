//! The secret key and the parameter set that a ciphertext belongs to.

use crate::KeyId;
use crate::tfhe::{Error, Params};

/// The secret key and the parameter set of a ciphertext or a public key.
///
/// The parameter set is identified by a tag ([`Params::id`]), so that sets of equal dimensions and
/// message spaces differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Owner {
    key: KeyId,
    params: u64,
}

impl Owner {
    /// Returns the owner of ciphertexts under `key` with these parameters.
    pub(crate) fn new(key: KeyId, params: &Params) -> Owner {
        Owner { key, params: params.tag() }
    }

    /// Returns the owner of ciphertexts under `key` with the parameter set of this tag.
    pub fn with_tag(key: KeyId, params: u64) -> Owner {
        Owner { key, params }
    }

    /// Returns the identifier of the secret key.
    pub fn key(self) -> KeyId {
        self.key
    }

    /// Returns whether the parameter set is this one.
    pub(crate) fn is_of(self, params: &Params) -> bool {
        self.params == params.tag()
    }

    /// Refuses the owner of another key or parameter set.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn same(self, other: Owner) -> Result<(), Error> {
        if self == other {
            return Ok(());
        }
        if self.params == other.params {
            return Err(Error::KeyMismatch { left: self.key, right: other.key });
        }
        let [left, right] = [self, other].map(|owner| format!("set {:016x}", owner.params));
        Err(Error::ParamsMismatch { left, right })
    }
}
