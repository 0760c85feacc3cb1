//! Keys in this library's format. Public keys of the compatible mode are sent as the 24 bytes from
//! which they are derived.

use super::element;
use crate::Error;
use crate::compat::{self, Compat, PublicKey};
use crate::native::{self, Native, NativeSecret};
use crate::{Mode, Workers};
use fathom_base::wire::frame::{Fields, Frame, Label, OVERHEAD, open, seal};
use fathom_base::wire::{Header, Kind, Trust, Wire, WireError, WireObject};
use fathom_kernels::MASK_WORDS;
use zeroize::Zeroizing;

/// Number of secret words in the compatible mode: the hash key and the vector for the parities.
const COMPAT_WORDS: usize = 4 + MASK_WORDS;

const NATIVE_BYTES: usize = 32;

impl native::SecretKey {
    /// Encodes the key. The bytes are **secret** and wiped when dropped.
    pub fn to_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        let label = Label {
            kind: Kind::SecretKey,
            scheme: Native::SCHEME,
            params_id: &self.id.0,
            key_id: None,
        };
        let write = |out: &mut Vec<u8>| out.extend(&*self.secret.key);
        Zeroizing::new(seal(label, Fields::default(), NATIVE_BYTES, write))
    }

    /// Returns the length of [`SecretKey::to_secret_bytes`](native::SecretKey::to_secret_bytes) in
    /// bytes.
    pub const fn secret_byte_len() -> usize {
        OVERHEAD + NATIVE_BYTES
    }

    /// Reads a secret key. The caller is responsible for wiping `bytes`.
    ///
    /// # Errors
    /// The [`WireError`](fathom::wire::WireError)s of a frame.
    pub fn from_secret_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let frame = open(bytes, Kind::SecretKey, Native::SCHEME)?.plain()?.keyless()?;
        let mut payload = frame.payload;
        let mut secret = NativeSecret { key: Box::new([0; NATIVE_BYTES]) };
        secret.key.copy_from_slice(payload.take(NATIVE_BYTES)?);
        payload.finish()?;
        let secret = native::SecretKey::from_secret(secret);
        frame.belongs(&secret.id().0)?;
        Ok(secret)
    }
}

/// The form is the tag and the generator: 112 bytes, from which a reader derives 27 MB on these
/// workers. A receiver of many keys bounds how many it reads at a time. A generator of the wrong
/// order is refused with [`WireError::Malformed`].
impl Wire for PublicKey {
    type Context = Workers;
    const KIND: Kind = Kind::PublicKey;
    const SCHEME: &'static str = Compat::SCHEME;

    fn read(workers: &Workers, frame: &mut Frame<'_>, _: Trust) -> Result<Self, fathom::Error> {
        frame.plain()?.keyless()?;
        let payload = &mut frame.payload;
        let (tag, generator) = (payload.u64()?, element(payload, "generator")?);
        payload.finish()?;
        let public = PublicKey::derive(tag, generator, workers).map_err(|error| {
            if let Error::Fathom(error) = error {
                return error;
            }
            WireError::Malformed { field: "generator" }.into()
        })?;
        frame.belongs(&public.id().0)?;
        Ok(public)
    }
}

impl WireObject for PublicKey {
    fn header(&self) -> Header {
        Header::of_params(self.id().0)
    }

    fn payload_len(&self) -> usize {
        PublicKey::DERIVED_BYTES
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.tag().to_le_bytes());
        out.extend(self.generator().value().to_le_bytes());
    }
}

impl compat::SecretKey {
    /// Encodes the secret words. The bytes are **secret** and wiped when dropped.
    pub fn to_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        let label = Label {
            kind: Kind::SecretKey,
            scheme: Compat::SCHEME,
            params_id: &self.id.0,
            key_id: None,
        };
        let prf = &self.secret.prf;
        let words = prf.key.iter().chain(&prf.vector);
        Zeroizing::new(seal(label, Fields::default(), 8 * COMPAT_WORDS, |out| {
            words.for_each(|word| out.extend(word.to_le_bytes()));
        }))
    }

    /// Returns the length of [`SecretKey::to_secret_bytes`](compat::SecretKey::to_secret_bytes) in
    /// bytes.
    pub const fn secret_byte_len() -> usize {
        OVERHEAD + 8 * COMPAT_WORDS
    }

    /// Reads the secret key that belongs to a public key. The caller is responsible for wiping
    /// `bytes`.
    ///
    /// # Errors
    /// The [`WireError`](fathom::wire::WireError)s of a frame.
    pub fn from_secret_bytes(public: &PublicKey, bytes: &[u8]) -> Result<Self, Error> {
        let frame = open(bytes, Kind::SecretKey, Compat::SCHEME)?.plain()?.keyless()?;
        frame.expect(&public.id().0, 8 * COMPAT_WORDS)?;
        let mut payload = frame.payload;
        let mut words = Zeroizing::new([0; COMPAT_WORDS]);
        for word in words.iter_mut() {
            *word = payload.u64()?;
        }
        payload.finish()?;
        Ok(Self::from_words(public, &words))
    }

    /// Returns the key with these words: four of the hash key, then the vector.
    pub(super) fn from_words(public: &PublicKey, words: &[u64; COMPAT_WORDS]) -> Self {
        let (key, vector) = words.split_at(4);
        Self::from_secret(public.clone(), key, vector)
    }
}
