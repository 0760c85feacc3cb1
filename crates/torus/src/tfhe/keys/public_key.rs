//! Public-key encryption into compact lists.

use crate::KeyId;
use crate::lwe::LweCiphertext;
use crate::tfhe::integer::ValueType;
use crate::tfhe::{Block, ClientKey, Error, ListError, Owner, Params, Span};
use fathom_ring::{
    CoefficientSum, SecretCoefficients, SecretRng, Seed, TorusRing, binary, round_words,
    uniform_noise,
};

/// A public key: `(a, a S + E)` in the ring of the GLWE key `S`, with `a` expanded from a seed.
///
/// An encryption of up to `N` blocks is one ring ciphertext `(a R + E', b R + E'' + M)` for a fresh
/// binary `R`; its coefficients are the blocks (Lyubashevsky, Peikert, Regev, EUROCRYPT 2010,
/// section 1; for TFHE, Joye, eprint 2023/603). Its security rests on ring-LWE with a binary key at
/// the dimension and noise of the GLWE key, as that of the evaluation keys does.
#[derive(Clone, PartialEq)]
pub struct PublicKey {
    params: Params,
    key_id: KeyId,
    seed: Seed,
    body: Vec<u64>,
}

/// Blocks encrypted under a public key: one mask per `N` blocks and one word per block.
///
/// Its words are rounded to [`Params::list_bits`] bits, which adds less than a sixteenth of the
/// noise variance of a bootstrap's output. A list of integers also holds their type.
#[derive(Clone, PartialEq)]
pub struct CompactList {
    params: Params,
    key_id: KeyId,
    value_type: Option<ValueType>,
    masks: Vec<u64>,
    bodies: Vec<u64>,
}

impl ClientKey {
    /// Generates a public key.
    ///
    /// # Errors
    /// [`Error::Spec`] if the GLWE key has more than one polynomial, or if a fresh block would have
    /// more noise than a bootstrap's output; [`Error::Ring`] if the kernel named in the environment
    /// does not exist.
    pub fn public_key(&self, rng: &mut SecretRng) -> Result<PublicKey, Error> {
        let params = self.params().clone();
        check(&params)?;
        let ring = TorusRing::new(params.spec().degree)?;
        let seed = rng.next_seed();
        let secret = [ring.secret_spectrum(self.big())];
        let mut body = vec![0; ring.degree()];
        ring.encrypt_zero(&mut body, &seed.words(ring.degree()), &secret, &noise(&params, rng));
        Ok(PublicKey::from_parts(params, self.id(), seed, body))
    }
}

impl PublicKey {
    pub(crate) fn from_parts(
        params: Params,
        key_id: KeyId,
        seed: Seed,
        body: Vec<u64>,
    ) -> PublicKey {
        PublicKey { params, key_id, seed, body }
    }

    /// Returns the identifier of the secret key from which the public key was made.
    pub fn key_id(&self) -> KeyId {
        self.key_id
    }

    /// Returns the parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    pub(crate) fn seed(&self) -> &Seed {
        &self.seed
    }

    pub(crate) fn body(&self) -> &[u64] {
        &self.body
    }

    /// Encrypts messages, as [`ClientKey::encrypt`] does one by one.
    ///
    /// # Errors
    /// [`Error::ValueOutOfRange`] unless `0 <= value < 2^message_bits` for all;
    /// [`ListError::TooLong`] for more than [`CompactList::MOST`] messages; [`Error::Ring`] as in
    /// [`ClientKey::public_key`].
    pub fn encrypt(&self, values: &[u32], rng: &mut SecretRng) -> Result<CompactList, Error> {
        let params = &self.params;
        let high = (1 << params.spec().message_bits) - 1;
        if let Some(index) = values.iter().position(|&value| value > high) {
            return Err(Error::ValueOutOfRange { index, low: 0, high: high.into() });
        }
        CompactList::check_len(values.len())?;
        let degree = params.spec().degree;
        let ring = TorusRing::new(degree)?;
        let uniform = self.seed.words(degree);
        let (mut mask, mut body) = (vec![0; degree], vec![0; degree]);
        let (mut masks, mut bodies) = (Vec::new(), Vec::with_capacity(values.len()));
        for values in values.chunks(degree) {
            let ephemeral = [ring.secret_spectrum(&binary(rng, degree))];
            ring.encrypt_zero(&mut mask, &uniform, &ephemeral, &noise(params, rng));
            ring.encrypt_zero(&mut body, &self.body, &ephemeral, &noise(params, rng));
            for (word, &value) in body.iter_mut().zip(values) {
                *word = word.wrapping_add(params.space().encode(value.into()));
            }
            masks.extend_from_slice(&mask);
            bodies.extend_from_slice(&body[..values.len()]);
        }
        // Only these bits are sent.
        for words in [&mut masks, &mut bodies] {
            round_words(words, params.list_bits());
        }
        Ok(CompactList::from_parts(params.clone(), self.key_id, masks, bodies))
    }
}

impl CompactList {
    /// The greatest number of blocks of a list, of any kind.
    pub const MOST: usize = 1 << 20;

    /// Refuses more blocks than a list may have.
    pub(crate) fn check_len(requested: usize) -> Result<(), Error> {
        let limit = CompactList::MOST;
        if requested > limit {
            return Err(ListError::TooLong { requested, limit }.into());
        }
        Ok(())
    }

    pub(crate) fn from_parts(
        params: Params,
        key_id: KeyId,
        masks: Vec<u64>,
        bodies: Vec<u64>,
    ) -> CompactList {
        CompactList { params, key_id, value_type: None, masks, bodies }
    }

    /// Returns the list with this type of its values; `None` for a list of blocks.
    pub(crate) fn typed(self, value_type: Option<ValueType>) -> CompactList {
        CompactList { value_type, ..self }
    }

    /// Returns the type of the integers; `None` for a list of blocks.
    pub fn value_type(&self) -> Option<ValueType> {
        self.value_type
    }

    /// Returns the identifier of the secret key from which the public key was made.
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

    pub(crate) fn masks(&self) -> &[u64] {
        &self.masks
    }

    pub(crate) fn bodies(&self) -> &[u64] {
        &self.bodies
    }

    /// Returns the blocks, in order, each with the range of a message and the noise of a
    /// bootstrap's output.
    ///
    /// Nothing in the list proves that its values are messages or that its noise is that of an
    /// honest encryption. If a sender deviates, results that depend on these blocks can be wrong.
    pub fn expand(&self) -> Vec<Block> {
        (0..self.len()).map(|index| self.block(index)).collect()
    }

    /// Returns block `index`: a coefficient of the ring ciphertext that it shares with others.
    pub(in crate::tfhe) fn block(&self, index: usize) -> Block {
        let degree = self.params.spec().degree;
        let (chunk, place) = (index / degree * degree, index % degree);
        let mut body = vec![0; degree];
        body[place] = self.bodies[index];
        let mut coefficient = CoefficientSum::new(&self.masks[chunk..chunk + degree], &body);
        coefficient.add(place, 1);
        let (mask, body) = coefficient.finish();
        let owner = Owner::new(self.key_id, &self.params);
        let high = (1 << self.params.spec().message_bits) - 1;
        Block::fresh(LweCiphertext::rounded(&mask, body), &self.params, owner, Span::new(0, high))
    }
}

impl std::fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PublicKey({}, {})", self.params.name(), self.key_id)
    }
}

impl std::fmt::Debug for CompactList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CompactList({} blocks, key {})", self.len(), self.key_id)
    }
}

impl Params {
    /// Returns the number of bits kept of each word of a [`CompactList`]: the least number for
    /// which the rounding adds at most a sixteenth of the noise variance of a bootstrap's output.
    pub fn list_bits(&self) -> u32 {
        // The rounding error of a mask is multiplied by the ones of the key, which are half of its
        // `kN` bits.
        self.rounded_bits(1.0 + self.big_dimension() as f64 / 2.0)
    }

    /// Returns the least number of bits to which words can be rounded, `terms` of which are added
    /// up, so that the rounding adds at most a sixteenth of the noise variance of a bootstrap's
    /// output.
    pub(super) fn rounded_bits(&self, terms: f64) -> u32 {
        let allowed = self.noise().variances().blind_rotation / 16.0;
        let bits = 0.5 * (terms / 12.0 / allowed).log2();
        (bits.ceil() as u32).clamp(8, 63)
    }
}

/// Checks that a fresh encryption has at most the noise variance of a bootstrap's output.
fn check(params: &Params) -> Result<(), Error> {
    let spec = params.spec();
    if spec.rank != 1 {
        let reason = format!(
            "public keys are made for sets of rank 1, and this one has rank {}: encrypt under the \
             client key, or take a preset of rank 1, such as {}",
            spec.rank,
            Params::INTEGERS
        );
        return Err(Error::Spec { field: "rank", reason });
    }
    let terms = 1.0 + spec.degree as f64;
    let fresh = (2.0 * spec.glwe_deviation_log2).exp2() * terms;
    let output = params.noise().variances().blind_rotation;
    if fresh > output * 15.0 / 16.0 {
        let reason = format!("a fresh block would have {:.1} of the noise allowed", fresh / output);
        return Err(Error::Spec { field: "glwe_deviation_log2", reason });
    }
    Ok(())
}

fn noise(params: &Params, rng: &mut SecretRng) -> SecretCoefficients {
    uniform_noise(rng, params.spec().degree, params.glwe_noise_bound())
}
