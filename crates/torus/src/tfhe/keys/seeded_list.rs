//! Lists of blocks that are encrypted under the secret key and sent without their masks.

use super::key_streams::list_mask;
use crate::KeyId;
use crate::lwe::LweCiphertext;
use crate::tfhe::integer::ValueType;
use crate::tfhe::{Block, ClientKey, CompactList, Error, Owner, Params, Span};
use fathom_ring::{SecretRng, Seed, round_words, uniform_noise};

/// Blocks encrypted under the secret key: a seed, which stands for the masks of all of them, and
/// one word per block.
///
/// Block `i` is what [`ClientKey::encrypt`] returns if it draws the mask from child `i` of the
/// seed, so its security rests on the same LWE assumption. The words are rounded to
/// [`Params::seeded_bits`] bits, which adds less than a sixteenth of the noise variance of a
/// bootstrap's output. A list of integers also holds their type.
///
/// The generator draws a fresh seed for every list. Two lists with one seed would reveal the
/// difference of their values.
#[derive(Clone, PartialEq)]
pub struct SeededList {
    params: Params,
    key_id: KeyId,
    value_type: Option<ValueType>,
    seed: Seed,
    bodies: Vec<u64>,
}

impl ClientKey {
    /// Encrypts messages into a list that a seed and a word per block represent.
    ///
    /// # Errors
    /// [`Error::ValueOutOfRange`] unless `0 <= value < 2^message_bits` for all;
    /// [`ListError::TooLong`](crate::tfhe::ListError::TooLong) for more than [`CompactList::MOST`]
    /// messages.
    pub fn encrypt_seeded(&self, values: &[u32], rng: &mut SecretRng) -> Result<SeededList, Error> {
        let params = self.params();
        let high = (1 << params.spec().message_bits) - 1;
        if let Some(index) = values.iter().position(|&value| value > high) {
            return Err(Error::ValueOutOfRange { index, low: 0, high: high.into() });
        }
        CompactList::check_len(values.len())?;
        let seed = rng.next_seed();
        let noise = uniform_noise(rng, values.len(), params.glwe_noise_bound());
        let words = values.iter().zip(noise.expose()).enumerate();
        let mut bodies: Vec<u64> = words
            .map(|(index, (&value, &noise))| {
                let product = self.big_bits().product(&list_mask(params, &seed, index));
                product.wrapping_add(params.space().encode(value.into())).wrapping_add(noise as u64)
            })
            .collect();
        // Only these bits are sent.
        round_words(&mut bodies, params.seeded_bits());
        Ok(SeededList::from_parts(params.clone(), self.id(), seed, bodies))
    }
}

impl SeededList {
    pub(crate) fn from_parts(
        params: Params,
        key_id: KeyId,
        seed: Seed,
        bodies: Vec<u64>,
    ) -> SeededList {
        SeededList { params, key_id, value_type: None, seed, bodies }
    }

    /// Returns the list with this type of its values; `None` for a list of blocks.
    pub(crate) fn typed(self, value_type: Option<ValueType>) -> SeededList {
        SeededList { value_type, ..self }
    }

    /// Returns the type of the integers; `None` for a list of blocks.
    pub fn value_type(&self) -> Option<ValueType> {
        self.value_type
    }

    /// Returns the identifier of the secret key that the list was encrypted under.
    pub fn key_id(&self) -> KeyId {
        self.key_id
    }

    /// Returns the parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Returns the number of blocks.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    pub(crate) fn seed(&self) -> &Seed {
        &self.seed
    }

    pub(crate) fn bodies(&self) -> &[u64] {
        &self.bodies
    }

    /// Returns the blocks, in order, each with the range of a message and the noise of a
    /// bootstrap's output. Their masks take `4 k N` bytes a block: 8 KB for
    /// [`Params::INTEGERS`].
    ///
    /// Nothing in the list proves that its values are messages or that its noise is that of an
    /// honest encryption. A sender who deviates spoils the results that depend on these blocks.
    pub fn expand(&self) -> Vec<Block> {
        (0..self.len()).map(|index| self.block(index)).collect()
    }

    /// Returns block `index`.
    pub(in crate::tfhe) fn block(&self, index: usize) -> Block {
        let owner = Owner::new(self.key_id, &self.params);
        let high = (1 << self.params.spec().message_bits) - 1;
        let mask = list_mask(&self.params, &self.seed, index);
        let lwe = LweCiphertext::rounded(&mask, self.bodies[index]);
        Block::fresh(lwe, &self.params, owner, Span::new(0, high))
    }
}

impl std::fmt::Debug for SeededList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SeededList({} blocks, key {})", self.len(), self.key_id)
    }
}

impl Params {
    /// Returns the number of bits kept of each word of a [`SeededList`]: the least multiple of
    /// eight for which the rounding adds at most a sixteenth of the noise variance of a bootstrap's
    /// output.
    pub fn seeded_bits(&self) -> u32 {
        self.rounded_bits(1.0).next_multiple_of(8).min(56)
    }
}
