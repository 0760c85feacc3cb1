//! A parameter set of fhe.rs with its keys.

use crate::keys::Keys;
use crate::params::no_encoding;
use crate::refusal::{guarded, refusal};
use fathom_drivers::protocol::{Code, Encoding, KeyKind, Refusal};
use fhe::bfv::{BfvParameters, Ciphertext, Encoding as Layout, Plaintext};
use fhe_traits::{FheEncoder, FheEncrypter};
use std::sync::Arc;

/// A parameter set with its keys.
pub(crate) struct FheSession {
    pub(crate) bfv: Arc<BfvParameters>,
    pub(crate) keys: Option<Keys>,
}

/// An encoded vector.
pub(crate) struct Encoded {
    pub(crate) plaintext: Plaintext,
    /// The encoded values, for encoding at another level; `None` after a decryption.
    pub(crate) source: Option<(Vec<u64>, Encoding)>,
}

impl FheSession {
    /// Makes a session without keys.
    pub(crate) fn new(bfv: Arc<BfvParameters>) -> Self {
        Self { bfv, keys: None }
    }

    /// Returns the keys.
    pub(crate) fn keys(&self) -> Result<&Keys, Refusal> {
        self.keys.as_ref().ok_or_else(|| Refusal::new(Code::BadRequest, "`keygen` comes first"))
    }

    /// Encrypts under a key.
    pub(crate) fn encrypt_with(
        &self,
        plaintext: &Plaintext,
        key: KeyKind,
    ) -> Result<Ciphertext, Refusal> {
        let (keys, mut rng) = (self.keys()?, rand::rng());
        guarded(|| match key {
            KeyKind::Sk => keys.secret.try_encrypt(plaintext, &mut rng),
            KeyKind::Pk => keys.public.try_encrypt(plaintext, &mut rng),
        })?
        .map_err(refusal)
    }

    pub(crate) fn layout(&self, encoding: Encoding, level: usize) -> Result<Layout, Refusal> {
        match encoding {
            Encoding::Slots => Ok(Layout::simd_at_level(level)),
            Encoding::Coefficients => Ok(Layout::poly_at_level(level)),
            Encoding::Complex | Encoding::Integer(_) => Err(no_encoding()),
        }
    }

    pub(crate) fn encoded(
        &self,
        values: &[u64],
        encoding: Encoding,
        level: usize,
    ) -> Result<Plaintext, Refusal> {
        let layout = self.layout(encoding, level)?;
        guarded(|| Plaintext::try_encode(values, layout, &self.bfv))?.map_err(refusal)
    }
}
