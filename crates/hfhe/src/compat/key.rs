//! The keys of the compatible mode.

use super::matrix::Matrix;
use super::permutation::Permutation;
use super::prf::PrfKey;
use super::{Powers, SUBGROUP_ORDER, SecretKey};
use crate::draw::Draws;
use crate::field::{MODULUS, invert_all};
use crate::{Error, Fp, KeyId, Masks, Polynomial, Secret, Seed, Workers};
use fathom_kernels::{BitKernel, MASK_WORDS, best_bits, wipe_stack_below, wipe_stack_of_keystream};
use fathom_ring::SecretRng;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use zeroize::Zeroizing;

/// The public values of a key: a tag, a generator, and the values derived from them. It is cheap to
/// clone.
///
/// **It cannot encrypt**; the name is that of the reference.
#[derive(Clone)]
pub struct PublicKey {
    pub(crate) tag: u64,
    pub(crate) powers: Arc<Powers>,
    pub(crate) matrix: Arc<Matrix>,
    pub(crate) kernel: &'static dyn BitKernel,
    id: KeyId,
}

impl PublicKey {
    /// Number of bytes from which a public key can be derived: the tag and the generator.
    pub const DERIVED_BYTES: usize = 24;

    /// Derives the key with this tag and generator, and its matrix of 16 MiB.
    ///
    /// # Errors
    /// [`Error::NotAGenerator`] unless `generator` has order 337; [`fathom::Error::Kernel`].
    pub fn derive(tag: u64, generator: Fp, workers: &Workers) -> Result<PublicKey, Error> {
        let order = SUBGROUP_ORDER as u128;
        if generator == Fp::ONE || generator.pow(order) != Fp::ONE {
            return Err(Error::NotAGenerator);
        }
        let mut powers = [Fp::ONE; SUBGROUP_ORDER];
        for i in 1..SUBGROUP_ORDER {
            powers[i] = powers[i - 1] * generator;
        }
        let kernel = best_bits().map_err(fathom::Error::from)?;
        let matrix = Arc::new(Matrix::derive(kernel, tag, workers));
        let mut hash = blake3::Hasher::new_derive_key("fathom 1 hfhe compat key id");
        hash.update(&tag.to_le_bytes()).update(&generator.value().to_le_bytes());
        hash.update(matrix.digest());
        let id = KeyId(*hash.finalize().as_bytes());
        Ok(PublicKey { tag, powers: Arc::new(powers), matrix, kernel, id })
    }

    /// Returns the public name of the key.
    pub fn id(&self) -> KeyId {
        self.id
    }

    /// Returns the tag from which the matrix is derived.
    pub fn tag(&self) -> u64 {
        self.tag
    }

    /// Returns an element of order 337, whose powers are factors of the edges.
    pub fn generator(&self) -> Fp {
        self.powers[1]
    }

    /// Returns the digest of the matrix.
    pub fn digest(&self) -> &[u8; 32] {
        self.matrix.digest()
    }

    /// Returns the kernel that computes keystreams, hashes and decoys.
    pub fn kernel_name(&self) -> &'static str {
        self.kernel.name()
    }

    /// Returns `g^i` for `i` below 337.
    pub(crate) fn powers(&self) -> &Powers {
        &self.powers
    }

    /// Returns the permutation in the reference's key file.
    pub(crate) fn permutation(&self) -> Permutation {
        Permutation::derive(self.kernel, self.tag)
    }

    /// Returns the seed with this nonce. Its first word is a hash of tag and nonce.
    pub(crate) fn seed(&self, [low, high]: [u64; 2]) -> Seed {
        let mut hash = Sha256::new_with_prefix("pvac.dom.ztag");
        for word in [self.tag, low, high] {
            hash.update(word.to_le_bytes());
        }
        let digest = hash.finalize();
        let (words, _) = digest.as_chunks();
        Seed([u64::from_le_bytes(words[0]), low, high])
    }
}

/// The secret part of a key of the compatible mode.
#[doc(hidden)]
pub struct CompatSecret {
    pub(crate) public: PublicKey,
    pub(crate) prf: Box<PrfKey>,
}

impl SecretKey {
    /// Generates a fresh key, whose matrix `workers` derive.
    ///
    /// # Errors
    /// [`fathom::Error::Kernel`].
    pub fn generate(rng: &mut SecretRng, workers: &Workers) -> Result<SecretKey, Error> {
        let mut draws = Draws::new(rng);
        let generator = loop {
            let power = draws.nonzero().pow((MODULUS - 1) / SUBGROUP_ORDER as u128);
            if power != Fp::ONE {
                break power;
            }
        };
        let public = PublicKey::derive(draws.word(), generator, workers)?;
        let mut key = Zeroizing::new([0; 4]);
        let mut vector = Zeroizing::new([0; MASK_WORDS]);
        key.iter_mut().chain(vector.iter_mut()).for_each(|word| *word = draws.word());
        drop(draws);
        Ok(SecretKey::from_secret(public, &*key, &*vector))
    }

    /// Returns the key with these secret words, of which there are four and [`MASK_WORDS`].
    pub(crate) fn from_secret(public: PublicKey, key: &[u64], vector: &[u64]) -> SecretKey {
        let prf = PrfKey::new(public.kernel, (public.tag, public.digest()), key, vector);
        wipe_stack_below();
        SecretKey { id: public.id, secret: CompatSecret { public, prf } }
    }

    /// Returns the public values.
    pub fn public(&self) -> &PublicKey {
        &self.secret.public
    }
}

impl Secret for CompatSecret {
    /// Returns the inverses of the multiplicative masks, by one inversion for all of them.
    fn masks(&self, seeds: &[Seed]) -> Masks {
        let mut masks: Masks = seeds.iter().map(|seed| self.prf.mask(seed)).collect();
        invert_all(&mut masks);
        wipe_stack_of_keystream(); // The secret vector and the stream keys.
        masks
    }

    fn encrypt(&self, value: Fp, rng: &mut SecretRng) -> Polynomial {
        let mut draws = Draws::new(rng);
        let seeds = [(); 2].map(|()| self.public.seed([draws.word(), draws.word()]));
        let polynomial = self.two_layers(value, seeds, draws.nonzero());
        wipe_stack_of_keystream(); // The secret vector and the stream keys.
        polynomial
    }
}

impl CompatSecret {
    /// Returns `(value + mask) R_0 X_0 - mask R_1 X_1`. A single layer would reveal whether `value`
    /// is zero; here, a weight is zero with probability `2^-127`.
    fn two_layers(&self, value: Fp, seeds: [Seed; 2], mask: Fp) -> Polynomial {
        let [first, second] = [(seeds[0], value + mask), (seeds[1], -mask)]
            .map(|(seed, share)| (seed, self.prf.mask(&seed) * share));
        Polynomial::linear(Fp::ZERO, [first, second])
    }
}
