//! LWE ciphertexts modulo `2^15`.

use super::FhewParams;
use super::params::LWE_SHIFT;
use crate::KeyId;
use crate::tfhe::Owner;
use std::fmt;
use std::ops::Not;

/// An encrypted bit: `body - <mask, key>` is a quarter of the bit, plus noise. Words keep their
/// 15 bits at the upper end, so that sums wrap.
#[derive(Clone, PartialEq, Eq)]
pub struct FhewBit {
    owner: Owner,
    /// Words of the mask, then the body.
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
    /// Returns a bit around the words of its mask and its body.
    pub(super) fn new(owner: Owner, words: Vec<u16>) -> FhewBit {
        FhewBit { owner, words }
    }

    /// Returns a bit that anyone can read, beside one of this key: no mask, no noise.
    pub(super) fn trivial(&self, bit: bool) -> FhewBit {
        let mut words = vec![0; self.dimension()];
        words.push(if bit { QUARTER } else { 0 });
        FhewBit::new(self.owner, words)
    }

    /// Returns the bit of these words, as many as the set has; none if a word has more than 15
    /// bits.
    pub(crate) fn from_words(
        params: &FhewParams,
        key_id: KeyId,
        words: Vec<u16>,
    ) -> Option<FhewBit> {
        let low = (1 << LWE_SHIFT) - 1;
        let whole = words.iter().all(|word| word & low == 0);
        whole.then(|| FhewBit::new(params.owner(key_id), words))
    }

    /// Returns the secret key that the bit is encrypted under.
    pub fn key_id(&self) -> KeyId {
        self.owner.key()
    }

    pub(super) fn owner(&self) -> Owner {
        self.owner
    }

    /// Tells whether the bit is of this set.
    pub(crate) fn is_of(&self, params: &FhewParams) -> bool {
        self.owner == params.owner(self.key_id()) && self.dimension() == params.lwe_dimension
    }

    /// Words of the mask, then the body.
    pub(crate) fn words(&self) -> &[u16] {
        &self.words
    }

    /// Words of the mask.
    pub fn dimension(&self) -> usize {
        self.words.len() - 1
    }

    /// Computes `factor (self + other)`.
    pub(super) fn scaled_sum(&self, other: &FhewBit, factor: u16) -> FhewBit {
        let sum = |(a, b): (&u16, &u16)| a.wrapping_add(*b).wrapping_mul(factor);
        FhewBit::new(self.owner, self.words.iter().zip(&other.words).map(sum).collect())
    }
}

/// The complement: exact, without a bootstrap.
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
