//! The secret key, which encrypts and decrypts blocks.

use crate::KeyId;
use crate::lwe::LweCiphertext;
use crate::tfhe::TableError;
use crate::tfhe::{Block, Error, Owner, Params, Span};
use fathom_ring::{SecretBits, SecretCoefficients, SecretRng, binary, block_binary, uniform_noise};

/// The secret key: a small LWE key, under which the blind rotation runs, and a GLWE key, whose
/// coefficients form the LWE key of the blocks. It is wiped when dropped and never printed.
pub struct ClientKey {
    params: Params,
    id: KeyId,
    small: SecretCoefficients,
    big: SecretCoefficients,
    /// The same bits as `big`, for products with masks.
    big_bits: SecretBits,
}

impl ClientKey {
    /// Generates a fresh key.
    pub fn generate(params: &Params, rng: &mut SecretRng) -> ClientKey {
        let spec = params.spec();
        let small = match spec.family {
            crate::tfhe::KeyFamily::Uniform { .. } => binary(rng, spec.small_dimension),
            crate::tfhe::KeyFamily::BlockBinary { length } => {
                block_binary(rng, spec.small_dimension / length, length)
            }
        };
        let big = binary(rng, params.big_dimension());
        ClientKey::from_parts(params.clone(), KeyId::generate(rng), small, big)
    }

    pub(crate) fn from_parts(
        params: Params,
        id: KeyId,
        small: SecretCoefficients,
        big: SecretCoefficients,
    ) -> ClientKey {
        let big_bits = SecretBits::new(&big);
        ClientKey { params, id, small, big, big_bits }
    }

    /// Returns the public identifier of the key, which all keys and ciphertexts made with it carry.
    pub fn id(&self) -> KeyId {
        self.id
    }

    pub(in crate::tfhe) fn owner(&self) -> Owner {
        Owner::new(self.id, &self.params)
    }

    /// Returns the parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Encrypts a message as a block.
    ///
    /// The range of the block is that of all messages, so a fresh block reveals nothing beyond its
    /// type.
    ///
    /// # Errors
    /// [`Error::ValueOutOfRange`] unless `0 <= value < 2^message_bits`.
    pub(in crate::tfhe) fn encrypt_block(
        &self,
        value: u32,
        rng: &mut SecretRng,
    ) -> Result<Block, Error> {
        let high = (1 << self.params.spec().message_bits) - 1;
        if value > high {
            return Err(Error::MessageOutOfRange { low: 0, high: high.into() });
        }
        let space = self.params.space();
        let lwe = self.encrypt_torus(space.encode(value.into()), rng);
        Ok(Block::fresh(lwe, &self.params, self.owner(), Span::new(0, high as i32)))
    }

    /// Decrypts a block and returns the integer in it, which lies in the block's range. The errors
    /// are those of [`ClientKey::decrypt`].
    pub(in crate::tfhe) fn decrypt_block(&self, block: &Block) -> Result<i32, Error> {
        let space = self.params.space();
        self.check(block)?;
        let period = 2 * space.half();
        let (range, noise_variance) = (block.span(), block.noise_variance());
        let Span { low, high } = range;
        if range.width() >= i64::from(period) {
            return Err(TableError::OutsideDomain {
                low,
                high,
                domain_low: low,
                domain_high: low.saturating_add(period - 1),
            }
            .into());
        }
        if noise_variance > self.params.max_noise_variance()
            && noise_variance > self.params.max_noise_variance_decrypted()
        {
            let limit = self.params.max_noise_variance_decrypted();
            let params = self.params.name().to_owned();
            return Err(Error::NoiseExceeded { noise_variance, limit, params });
        }
        let value = space.decode(self.phase_of(block.lwe()));
        // The representative that lies in the range. The size of the message space is a power of
        // two: a mask takes constant time, while a division could depend on the value.
        let value = low.saturating_add(value.wrapping_sub(low) & (period - 1));
        if value > high { Err(Error::DecryptedOutsideRange { low, high }) } else { Ok(value) }
    }

    /// Refuses a block of other parameters or another key, and a simulated block.
    fn check(&self, block: &Block) -> Result<(), Error> {
        if block.space() != self.params.space() {
            return Err(Error::ParamsMismatch {
                left: format!("a block of {} bits", block.space().bits()),
                right: self.params.name().to_owned(),
            });
        }
        match block.owner() {
            Some(owner) => owner.same(self.owner()),
            None if block.is_clear() => Ok(()),
            None => Err(Error::Simulated { operation: "decryption" }),
        }
    }

    /// Returns the phase of a ciphertext: message plus noise, as an element of the torus modulo
    /// `2^64`.
    ///
    /// This is for measuring noise: **never publish it**, nor anything computed from it but the
    /// decoded message.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if the ciphertext has another dimension than the key and is not
    /// trivial.
    pub fn phase(&self, lwe: &LweCiphertext) -> Result<u64, Error> {
        let (own, got) = (self.params.big_dimension(), lwe.dimension());
        if got > 0 && got != own {
            let left = format!("a ciphertext of dimension {got}");
            return Err(Error::ParamsMismatch { left, right: self.params.name().to_owned() });
        }
        Ok(self.phase_of(lwe))
    }

    /// Returns the phase of a ciphertext of the key's dimension.
    fn phase_of(&self, lwe: &LweCiphertext) -> u64 {
        lwe.body().wrapping_sub(self.big_bits.short_product(lwe.mask()) << LweCiphertext::CUT_BITS)
    }

    pub(in crate::tfhe) fn encrypt_torus(
        &self,
        message: u64,
        rng: &mut SecretRng,
    ) -> LweCiphertext {
        let mask = rng.next_seed().words(self.params.big_dimension());
        let noise = uniform_noise(rng, 1, self.params.glwe_noise_bound());
        let body = self
            .big_bits
            .product(&mask)
            .wrapping_add(message)
            .wrapping_add(noise.expose()[0] as u64);
        LweCiphertext::rounded(&mask, body)
    }

    pub(crate) fn small(&self) -> &SecretCoefficients {
        &self.small
    }

    pub(in crate::tfhe) fn big_bits(&self) -> &SecretBits {
        &self.big_bits
    }

    pub(crate) fn big(&self) -> &SecretCoefficients {
        &self.big
    }
}

impl std::fmt::Debug for ClientKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ClientKey({}, hidden)", self.params.name())
    }
}
