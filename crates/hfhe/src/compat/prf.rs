//! The pseudorandom function of the masks: AES-256 keystream, noisy parities of it under the secret
//! vector, and a carry-less product.
//!
//! The reference computes 16384 parities and the low 127 coefficients of their product with a
//! second part of the keystream. These coefficients depend on nothing but the first 127 parities
//! and the first two words of that part, so only they are computed. The parities look like samples
//! of the learning-parity-with-noise problem, but they are never published: the security of the
//! mask is that of SHA-256 and AES-256 (docs/maths/hfhe.md).

use super::hash::fnv;
use super::{NOISE_DENOMINATOR, SECRET_BITS};
use crate::{Fp, Seed, field::MODULUS};
use fathom_kernels::{BitKernel, MASK_WORDS, SHA256_INITIAL_STATE};
use sha2::block_api::compress256;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Number of parities that a mask depends on.
const LIVE_SAMPLES: usize = 127;

const _: () = assert!(SECRET_BITS == 64 * MASK_WORDS);

/// The three domains whose cores are multiplied to a mask.
pub(crate) const MASK_DOMAINS: [u64; 3] =
    [fnv("pvac.prf.r.1"), fnv("pvac.prf.r.2"), fnv("pvac.prf.r.3")];

/// The domain of the second factor of the carry-less product.
const TOEPLITZ: u64 = fnv("pvac.dom.toeplitz");

/// The secret key, with precomputed values.
#[derive(ZeroizeOnDrop)]
pub(crate) struct PrfKey {
    pub(crate) key: [u64; 4],
    pub(crate) vector: [u64; MASK_WORDS],
    /// State of SHA-256 after the first block of every key derivation.
    midstate: [u32; 8],
    /// The part of the matrix digest that belongs to the second block.
    digest_end: [u8; 8],
    #[zeroize(skip)]
    pub(crate) kernel: &'static dyn BitKernel,
}

/// The key and the first counter of a keystream.
#[derive(ZeroizeOnDrop)]
pub(crate) struct StreamKey {
    pub(crate) key: [u8; 32],
    pub(crate) start: u64,
}

impl PrfKey {
    /// Returns the key with these words, of which there are four and [`MASK_WORDS`].
    ///
    /// It is never inlined: the block of the hash and the copies of the key that the hash makes lie
    /// below the caller's frame then, where the caller wipes them.
    #[inline(never)]
    pub(crate) fn new(
        kernel: &'static dyn BitKernel,
        (tag, digest): (u64, &[u8; 32]),
        key: &[u64],
        vector: &[u64],
    ) -> Box<PrfKey> {
        // It is filled on the heap, so that no copy stays on the stack.
        let mut prf = Box::new(PrfKey {
            key: [0; 4],
            vector: [0; MASK_WORDS],
            midstate: SHA256_INITIAL_STATE,
            digest_end: [0; 8],
            kernel,
        });
        prf.key.copy_from_slice(key);
        prf.vector.copy_from_slice(vector);
        let mut block = [0; 64];
        let words = prf.key.iter().chain([&tag]);
        for (bytes, word) in block.as_chunks_mut::<8>().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
        block[40..].copy_from_slice(&digest[..24]);
        compress256(&mut prf.midstate, std::slice::from_ref(&block));
        block.zeroize();
        prf.digest_end.copy_from_slice(&digest[24..]);
        prf
    }

    /// Derives the stream key of a seed in a domain, by one block of SHA-256.
    pub(crate) fn derive(&self, seed: &Seed, domain: u64) -> StreamKey {
        let [tag, low, high] = seed.0;
        let mut block = [0; 64];
        block[..8].copy_from_slice(&self.digest_end);
        let words = [tag, low, high, domain];
        for (bytes, word) in block[8..].as_chunks_mut::<8>().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
        block[40] = 0x80;
        block[56..].copy_from_slice(&(8 * 104u64).to_be_bytes());
        let mut state = self.midstate;
        compress256(&mut state, &[block]);
        let mut key = [0; 32];
        for (bytes, word) in key.as_chunks_mut::<4>().0.iter_mut().zip(state) {
            *bytes = word.to_be_bytes();
        }
        state.zeroize();
        StreamKey { key, start: domain ^ low }
    }

    /// Derives the stream key of the second factors. All domains of a seed share it and differ in
    /// their counters.
    pub(crate) fn toeplitz(&self, seed: &Seed) -> StreamKey {
        self.derive(seed, TOEPLITZ)
    }

    /// Returns the mask `R` of a seed, which is the product of its three cores and never zero.
    pub(crate) fn mask(&self, seed: &Seed) -> Fp {
        self.product(seed, &MASK_DOMAINS)
    }

    /// Returns the product of the cores of these domains.
    pub(crate) fn product(&self, seed: &Seed, domains: &[u64; 3]) -> Fp {
        let toeplitz = self.toeplitz(seed);
        domains
            .iter()
            .fold(Fp::ONE, |product, &domain| product * self.core(seed, domain, &toeplitz))
    }

    /// Returns the low 127 coefficients of the product of the parities and the Toeplitz stream, or
    /// 1 if they are all 0.
    fn core(&self, seed: &Seed, domain: u64, toeplitz: &StreamKey) -> Fp {
        let stream = self.derive(seed, domain);
        let mut samples = self.samples(&stream);
        let mut factor = [0; 2];
        self.kernel.aes256_stream(&toeplitz.key, toeplitz.start ^ domain, &mut factor);
        let factor = [factor[0], factor[1]].map(u128::from);
        let product = self.kernel.carryless_low(samples, factor[0] | factor[1] << 64) & MODULUS;
        samples.zeroize();
        nonzero(product)
    }

    /// Returns the first noisy parities, one per bit.
    pub(crate) fn samples(&self, stream: &StreamKey) -> u128 {
        let mut tails = [0; LIVE_SAMPLES];
        let StreamKey { key, start } = stream;
        let parities = self.kernel.masked_parities(key, *start, &self.vector, &mut tails);
        let noise = (0..).zip(&tails).fold(0, |noise, (r, &tail)| noise | flip(tail) << r);
        let rejected = tails.iter().fold(0, |any, &tail| any | u64::from(tail >= REJECTED));
        tails.zeroize();
        if rejected == 0 { parities ^ noise } else { self.samples_one_by_one(stream) }
    }

    /// Returns the noisy parities if a word of the stream was rejected, so that rows do not all
    /// have 65 words. This happens once in `2^54` masks and reveals nothing else.
    #[cold]
    fn samples_one_by_one(&self, stream: &StreamKey) -> u128 {
        let mut words = vec![0; (MASK_WORDS + 2) * LIVE_SAMPLES];
        self.kernel.aes256_stream(&stream.key, stream.start, &mut words);
        let samples = sequential_samples(&mut words.iter().copied(), &self.vector, LIVE_SAMPLES);
        words.zeroize();
        samples.into_iter().zip(0..).fold(0, |all, (sample, r)| all | u128::from(sample) << r)
    }
}

/// The least word that is rejected and drawn again, so that the noise is unbiased.
const REJECTED: u64 = u64::MAX - u64::MAX % NOISE_DENOMINATOR as u64;

/// Returns 1 if a drawn word flips its parity, else 0, without a branch.
fn flip(word: u64) -> u128 {
    u128::from((word % u64::from(NOISE_DENOMINATOR)).wrapping_sub(1) >> 63)
}

/// Computes noisy parities by their definition, word after word.
fn sequential_samples(
    words: &mut impl Iterator<Item = u64>,
    vector: &[u64; MASK_WORDS],
    count: usize,
) -> Vec<u8> {
    let mut sample = || {
        let masked = vector.iter().zip(&mut *words).map(|(secret, word)| secret & word);
        let parity = masked.fold(0, |sum, word| sum ^ word).count_ones() & 1;
        let noise = words.find(|&word| word < REJECTED).unwrap_or(1);
        (u128::from(parity) ^ flip(noise)) as u8
    };
    (0..count).map(|_| sample()).collect()
}

/// Returns a product of polynomials as a field element, with 1 instead of 0.
fn nonzero(product: u128) -> Fp {
    let value = Fp::new(product).value();
    Fp::new(u128::conditional_select(&value, &1, value.ct_eq(&0)))
}

#[cfg(test)]
mod tests;
