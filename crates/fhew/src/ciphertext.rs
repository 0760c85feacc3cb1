//! LWE ciphertexts modulo `2^15`.

use super::FhewParams;
use super::params::LWE_SHIFT;
use fathom::KeyId;
use fathom::tfhe::Owner;
use std::fmt;
use std::ops::Not;

/// An encrypted bit: `body - <mask, key>` is a quarter of the bit, plus noise. The 15 bits of a
/// word are stored in the upper bits of 16, so that sums wrap around.
#[derive(Clone, PartialEq, Eq)]
pub struct FhewBit {
    owner: Owner,
    /// The words of the mask, then the body.
    pub(super) words: Vec<u16>,
}

impl fmt::Debug for FhewBit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FhewBit(dimension {}, key {})", self.dimension(), self.key_id())
    }
}

/// A quarter of the torus.
pub(super) const QUARTER: u16 = 1 << 14;

impl FhewBit {
    /// Returns a bit with these words: mask, then body.
    pub(super) fn new(owner: Owner, words: Vec<u16>) -> FhewBit {
        FhewBit { owner, words }
    }

    /// Returns a trivial bit for the same key, without mask or noise, which anyone can read.
    pub(super) fn trivial(&self, bit: bool) -> FhewBit {
        let mut words = vec![0; self.dimension()];
        words.push(if bit { QUARTER } else { 0 });
        FhewBit::new(self.owner, words)
    }

    /// Returns the bit with these words, which must be as many as the set has; `None` if a word has
    /// more than 15 bits.
    pub(crate) fn from_words(
        params: &FhewParams,
        key_id: KeyId,
        words: Vec<u16>,
    ) -> Option<FhewBit> {
        let low = (1 << LWE_SHIFT) - 1;
        let whole = words.iter().all(|word| word & low == 0);
        whole.then(|| FhewBit::new(params.owner(key_id), words))
    }

    /// Returns whether the bit is clear: its mask is zero, so that anyone can read it. Gates return
    /// such a bit if their result is public, like the exclusive or of a bit with itself.
    pub fn is_clear(&self) -> bool {
        self.clear_value().is_some()
    }

    /// Returns the value of a clear bit.
    pub(super) fn clear_value(&self) -> Option<bool> {
        let (mask, body) = self.words.split_at(self.dimension());
        let clear = mask.iter().all(|&word| word == 0);
        clear.then(|| body[0].wrapping_add(QUARTER / 2) / QUARTER == 1)
    }

    /// Returns a clear bit for a key of this set.
    pub(super) fn clear(params: &FhewParams, key_id: KeyId, bit: bool) -> FhewBit {
        FhewBit::new(params.owner(key_id), vec![0; params.lwe_dimension + 1]).trivial(bit)
    }

    /// Returns the identifier of the secret key that the bit is encrypted under.
    pub fn key_id(&self) -> KeyId {
        self.owner.key()
    }

    pub(super) fn owner(&self) -> Owner {
        self.owner
    }

    /// Returns whether the bit belongs to this set.
    pub(crate) fn is_of(&self, params: &FhewParams) -> bool {
        self.owner == params.owner(self.key_id()) && self.dimension() == params.lwe_dimension
    }

    /// Returns the words of the mask, then the body.
    pub(crate) fn words(&self) -> &[u16] {
        &self.words
    }

    /// Returns the number of words in the mask.
    pub fn dimension(&self) -> usize {
        self.words.len() - 1
    }

    /// Computes `factor (self + other)`.
    pub(super) fn scaled_sum(&self, other: &FhewBit, factor: u16) -> FhewBit {
        let sum = |(a, b): (&u16, &u16)| a.wrapping_add(*b).wrapping_mul(factor);
        FhewBit::new(self.owner, self.words.iter().zip(&other.words).map(sum).collect())
    }
}

/// Computes the complement, which is exact and needs no bootstrap.
impl Not for &FhewBit {
    type Output = FhewBit;

    fn not(self) -> FhewBit {
        let mut words: Vec<_> = self.words.iter().map(|word| word.wrapping_neg()).collect();
        if let Some(body) = words.last_mut() {
            *body = body.wrapping_add(QUARTER);
        }
        FhewBit::new(self.owner, words)
    }
}
