//! Encryption and decryption of byte strings.

use super::fhe_bytes::digits_of;
use super::{BYTE_BLOCKS, FheBytes, Padding};
use crate::tfhe::integer::value::digits::check_params;
use crate::tfhe::{Block, ClientKey, Decrypt, Encrypt, Error, ListError};
use fathom_ring::SecretRng;
use zeroize::Zeroizing;

/// Encrypts bytes, whose number is public. To send them in few bytes, encrypt them as a list of
/// `FheUint8` ([`ClientKey::encrypt_list`]), of which the receiver makes a string with
/// [`FheBytes::from_integers`].
impl Encrypt for FheBytes {
    type Message = Vec<u8>;

    fn encrypt_under(
        client: &ClientKey,
        message: Vec<u8>,
        rng: &mut SecretRng,
    ) -> Result<Self, Error> {
        let message = Zeroizing::new(message);
        Ok(FheBytes::wrap(encrypted(client, &message, rng)?, Padding::None))
    }
}

/// The bytes without the padding.
impl Decrypt for FheBytes {
    type Message = Vec<u8>;

    fn decrypt_under(&self, client: &ClientKey) -> Result<Vec<u8>, Error> {
        let byte = |blocks: &[Block]| {
            blocks
                .iter()
                .rev()
                .try_fold(0, |byte, block| Ok((byte << 2) | client.decrypt_block(block)?))
        };
        let bytes = self.blocks().chunks_exact(BYTE_BLOCKS).map(byte);
        let mut bytes: Vec<u8> =
            bytes.map(|byte| byte.map(|byte| byte as u8)).collect::<Result<_, Error>>()?;
        if self.padding() == Padding::Zeros {
            bytes.truncate(length_of(&bytes));
        }
        Ok(bytes)
    }
}

/// Refuses a zero byte, which a padded string cannot hold.
pub(super) fn check_nonzero(bytes: &[u8]) -> Result<(), Error> {
    match bytes.iter().position(|&byte| byte == 0) {
        Some(index) => Err(Error::ValueOutOfRange { index, low: 1, high: u8::MAX.into() }),
        None => Ok(()),
    }
}

/// Returns the blocks of the bytes.
fn encrypted(client: &ClientKey, bytes: &[u8], rng: &mut SecretRng) -> Result<Vec<Block>, Error> {
    check_params(client.params())?;
    let digits = bytes.iter().flat_map(|&byte| digits_of(byte));
    rng.during(|rng| digits.map(|digit| client.encrypt_block(digit as u32, rng)).collect())
}

impl ClientKey {
    /// Encrypts a string with as many zero bytes behind it as `capacity` allows, so that its length
    /// remains hidden.
    ///
    /// # Errors
    /// [`ListError::Capacity`] if it has more bytes than `capacity`, and [`ListError::TooLong`] if
    /// that is more than [`FheBytes::MOST`]; [`Error::ValueOutOfRange`] if one of them is zero; the
    /// errors of [`ClientKey::encrypt`].
    pub fn encrypt_bytes_padded(
        &self,
        bytes: &[u8],
        capacity: usize,
        rng: &mut SecretRng,
    ) -> Result<FheBytes, Error> {
        if bytes.len() > capacity {
            return Err(ListError::Capacity { bytes: bytes.len(), capacity }.into());
        }
        if capacity > FheBytes::MOST {
            let (requested, limit) = (capacity, FheBytes::MOST);
            return Err(ListError::TooLong { requested, limit }.into());
        }
        check_nonzero(bytes)?;
        let mut padded = Zeroizing::new(vec![0; capacity]);
        padded[..bytes.len()].copy_from_slice(bytes);
        Ok(FheBytes::wrap(encrypted(self, &padded, rng)?, Padding::Zeros))
    }
}

/// Returns the length of a string without the zeros at its end. The time does not depend on the
/// bytes.
fn length_of(bytes: &[u8]) -> usize {
    let places = bytes.iter().zip(1..);
    places.fold(0, |length: usize, (&byte, end)| {
        // All ones if the byte is not zero.
        let nonzero = ((usize::from(byte) + 255) >> 8).wrapping_neg();
        (length & !nonzero) | (end & nonzero)
    })
}

#[cfg(test)]
mod tests {
    use super::length_of;

    #[test]
    fn zeros_at_the_end_do_not_count() {
        for (bytes, length) in
            [(&b""[..], 0), (b"\0\0", 0), (b"a\0", 1), (b"a\xff", 2), (b"\0b\0\0", 2)]
        {
            assert_eq!(length_of(bytes), length, "{bytes:?}");
        }
    }
}
