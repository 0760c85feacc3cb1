//! Encryption of texts: one ciphertext for the length and one for every 15 bytes.

use super::{Ciphertext, Error, Fp, Mode, SecretKey};
use fathom_ring::SecretRng;
use zeroize::{Zeroize, Zeroizing};

/// Number of bytes of text in one field element: 120 bits.
const CHUNK: usize = 15;

/// The number of chunks that a text is padded to. The number of ciphertexts is public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// The next power of two. An observer learns the length within a factor of two.
    PowerOfTwo,
    /// This many chunks of 15 bytes, or more if the text needs more.
    Chunks(usize),
}

impl Padding {
    fn chunks(self, needed: usize) -> usize {
        match self {
            Padding::PowerOfTwo => needed.next_power_of_two(),
            Padding::Chunks(chunks) => needed.max(chunks),
        }
    }
}

impl<M: Mode> SecretKey<M> {
    /// Encrypts a text: its length in bytes, then its chunks, each like any other number.
    ///
    /// (The text helper of the reference omits the second mask of the chunks, which reveals which
    /// of them are zero.)
    pub fn encrypt_text(
        &self,
        text: &str,
        padding: Padding,
        rng: &mut SecretRng,
    ) -> Vec<Ciphertext<M>> {
        let chunks = padding.chunks(text.len().div_ceil(CHUNK));
        let mut bytes = Zeroizing::new(vec![0; chunks * CHUNK]);
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        rng.during(|rng| {
            let length = self.encrypt_u64(text.len() as u64, rng);
            let mut ciphertexts = vec![length];
            for chunk in bytes.as_chunks::<CHUNK>().0 {
                let mut word = Zeroizing::new([0; 16]);
                word[..CHUNK].copy_from_slice(chunk);
                ciphertexts.push(self.encrypt(Fp::new(u128::from_le_bytes(*word)), rng));
            }
            ciphertexts
        })
    }

    /// Decrypts a text without checking the origin of the ciphertexts. The warning of
    /// [`SecretKey::decrypt_any_circuit`] applies.
    ///
    /// # Errors
    /// [`fathom::Error::KeyMismatch`]; [`Error::NotText`] if the length exceeds the chunks, or the
    /// bytes are not valid UTF-8.
    pub fn decrypt_text_any_circuit(
        &self,
        ciphertexts: &[Ciphertext<M>],
    ) -> Result<Zeroizing<String>, Error> {
        let (length, chunks) = ciphertexts.split_first().ok_or(Error::NotText)?;
        let length = self.decrypt_any_circuit(length)?.value();
        let length = usize::try_from(length).map_err(|_| Error::NotText)?;
        let mut bytes = Zeroizing::new(Vec::with_capacity(chunks.len() * CHUNK));
        for chunk in chunks {
            let mut word = self.decrypt_any_circuit(chunk)?.value().to_le_bytes();
            bytes.extend_from_slice(&word[..CHUNK]);
            word.zeroize();
        }
        let text = bytes.get(..length).ok_or(Error::NotText)?;
        let text = std::str::from_utf8(text).map_err(|_| Error::NotText)?;
        Ok(Zeroizing::new(text.to_owned()))
    }
}
