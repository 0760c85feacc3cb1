//! LWE ciphertexts modulo `2^15`.

use std::ops::Not;

/// An encrypted bit: `body - <mask, key>` is a quarter of the bit, plus noise. Words keep their
/// 15 bits at the upper end, so that sums wrap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FhewBit {
    /// Words of the mask, then the body.
    pub(super) words: Vec<u16>,
}

/// A quarter of the torus.
pub(super) const QUARTER: u16 = 1 << 14;

impl FhewBit {
    /// A bit that anyone can read: no mask, no noise.
    pub(super) fn trivial(dimension: usize, bit: bool) -> FhewBit {
        let mut words = vec![0; dimension];
        words.push(if bit { QUARTER } else { 0 });
        FhewBit { words }
    }

    /// Words of the mask.
    pub fn dimension(&self) -> usize {
        self.words.len() - 1
    }

    /// `factor (self + other)`.
    pub(super) fn scaled_sum(&self, other: &FhewBit, factor: u16) -> FhewBit {
        let sum = |(a, b): (&u16, &u16)| a.wrapping_add(*b).wrapping_mul(factor);
        FhewBit { words: self.words.iter().zip(&other.words).map(sum).collect() }
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
        FhewBit { words }
    }
}
