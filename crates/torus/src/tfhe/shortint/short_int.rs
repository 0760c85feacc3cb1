//! The encrypted small integer, its encryption and decryption.

use crate::tfhe::integer::Clear;
use crate::tfhe::{Block, ClientKey, Decrypt, Encrypt, Error, Params, TableError};
use fathom_ring::SecretRng;

/// An encrypted integer modulo `2^message_bits`, in a block that may also hold carries.
#[derive(Clone, PartialEq)]
pub struct ShortInt {
    block: Block,
}

impl std::fmt::Debug for ShortInt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ShortInt({:?})", self.block)
    }
}

impl ShortInt {
    pub(super) fn new(block: Block) -> ShortInt {
        ShortInt { block }
    }

    /// Wraps a block, such as a received one or one from a list. Its stated range and noise are
    /// trusted.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if it belongs to another parameter set;
    /// [`TableError::OutsideDomain`] or [`Error::NoiseExceeded`] if no bootstrap would take it.
    pub fn from_block(params: &Params, block: Block) -> Result<ShortInt, Error> {
        block.check_params(params)?;
        check_bounds(params, &block)?;
        Ok(ShortInt { block })
    }

    /// Returns the trivial ciphertext of a clear integer, without noise or secrecy.
    ///
    /// # Errors
    /// [`Error::ValueOutOfRange`] unless `value < 2^message_bits`.
    pub fn trivial(params: &Params, value: u32) -> Result<ShortInt, Error> {
        let value = message(params, value)?;
        Ok(ShortInt { block: Block::trivial(params.space(), value) })
    }

    /// Returns a clear integer that simulates a fresh ciphertext, for simulated evaluators.
    ///
    /// # Errors
    /// [`Error::ValueOutOfRange`] unless `value < 2^message_bits`.
    pub fn simulated(params: &Params, value: u32) -> Result<ShortInt, Error> {
        let range = (0, params.message_modulus() - 1);
        let value = message(params, value)?;
        Ok(ShortInt { block: Block::simulated(params.space(), value, range) })
    }

    /// Returns the ciphertext with the range of its value, its noise and its depth.
    pub fn block(&self) -> &Block {
        &self.block
    }

    /// Returns whether the block holds a message without carry, with at most the noise of a
    /// bootstrap.
    pub(crate) fn is_canonical(&self, params: &Params) -> bool {
        let (low, high) = self.block.range();
        low >= 0 && high < params.message_modulus() && self.block.noise_variance() <= 1
    }
}

/// Checks that a bootstrap of any function can take the block.
pub(super) fn check_bounds(params: &Params, block: &Block) -> Result<(), Error> {
    let half = params.space().half();
    let ((low, high), noise_variance) = (block.range(), block.noise_variance());
    if low <= -half || high >= half || high - low >= half {
        let domain_low = low.clamp(1 - half, half - 1);
        let domain_high = (domain_low + half - 1).min(half - 1);
        return Err(TableError::OutsideDomain { low, high, domain_low, domain_high }.into());
    }
    let limit = params.max_noise_variance();
    if noise_variance > limit {
        return Err(Error::NoiseExceeded {
            noise_variance,
            limit,
            params: params.name().to_owned(),
        });
    }
    Ok(())
}

/// Returns the value, if it is a message.
fn message(params: &Params, value: u32) -> Result<i32, Error> {
    let high = params.message_modulus() - 1;
    let refused = || Error::MessageOutOfRange { low: 0, high: high.into() };
    i32::try_from(value).ok().filter(|&value| value <= high).ok_or_else(refused)
}

impl Encrypt for ShortInt {
    type Message = Clear;

    fn encrypt_under(
        client: &ClientKey,
        message: Clear,
        rng: &mut SecretRng,
    ) -> Result<Self, Error> {
        Ok(ShortInt::new(Block::encrypt_under(client, message, rng)?))
    }
}

/// Returns the integer modulo `2^message_bits`.
impl Decrypt for ShortInt {
    type Message = u32;

    fn decrypt_under(&self, client: &ClientKey) -> Result<u32, Error> {
        let raw = client.decrypt_message_and_carry(self)?;
        // The modulus is a power of two, so a mask takes constant time; a division could depend on
        // the value.
        Ok((raw & (client.params().message_modulus() - 1)).unsigned_abs())
    }
}

impl ClientKey {
    /// Decrypts the integer in the block, carries included.
    ///
    /// # Errors
    /// As [`ClientKey::decrypt`].
    pub fn decrypt_message_and_carry(&self, value: &ShortInt) -> Result<i32, Error> {
        self.decrypt_block(value.block())
    }
}
