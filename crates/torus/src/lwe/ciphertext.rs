//! The LWE ciphertext and its linear operations.

use super::mask::Mask;

/// An LWE ciphertext over the torus modulo `2^64`: `body - <mask, key> = message + noise`.
///
/// Shapes: `dimension` words of mask and one of body. A ciphertext without a mask is the trivial
/// ciphertext of its body under every key: it hides nothing, and it can be combined with every
/// ciphertext.
///
/// A word of the mask is a multiple of `2^32` and stored as 32 bits. For a key with `h` ones, this
/// rounding adds a variance of `h / 12 2^-64` to the noise, which is at most a thousandth of a
/// bootstrap's output variance in any parameter set.
#[derive(Clone, PartialEq, Eq)]
pub struct LweCiphertext {
    mask: Mask,
    body: u64,
}

impl std::fmt::Debug for LweCiphertext {
    /// Writes the dimension alone: the words fill pages.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LweCiphertext(dimension {})", self.dimension())
    }
}

impl LweCiphertext {
    /// Number of low bits of a torus element that a mask does not store.
    pub(crate) const CUT_BITS: u32 = u64::BITS - u32::BITS;

    /// Returns a ciphertext with these parts; the mask is in units of `2^32`.
    pub(crate) fn new(mask: Vec<u32>, body: u64) -> LweCiphertext {
        LweCiphertext { mask: mask.into(), body }
    }

    /// Returns a ciphertext with the given mask of 64-bit words, which are rounded, halves to even:
    /// the negative of a mask is rounded to the negative.
    ///
    /// Fresh encryptions are made with 64-bit words and rounded here. With a mask drawn in units of
    /// `2^32`, the low half of the body would be the noise in the clear.
    pub(crate) fn rounded(mask: &[u64], body: u64) -> LweCiphertext {
        let below_half = (1 << (Self::CUT_BITS - 1)) - 1;
        let round = |word: &u64| {
            let odd = word >> Self::CUT_BITS & 1;
            (word.wrapping_add(below_half + odd) >> Self::CUT_BITS) as u32
        };
        LweCiphertext { mask: Mask::collect(mask.iter().map(round)), body }
    }

    /// Returns the trivial ciphertext of `message`, which hides nothing.
    pub(crate) fn trivial(message: u64) -> LweCiphertext {
        LweCiphertext { mask: Mask::empty(), body: message }
    }

    /// Returns whether there is no mask, so that anyone can read the message.
    pub(crate) fn is_trivial(&self) -> bool {
        self.mask.is_empty()
    }

    /// Returns the number of words in the mask, which is 0 for a trivial ciphertext.
    pub fn dimension(&self) -> usize {
        self.mask.len()
    }

    /// Returns the mask in units of `2^32`.
    pub fn mask(&self) -> &[u32] {
        &self.mask
    }

    /// Returns the mask as 64-bit words.
    pub(crate) fn mask_words(&self) -> impl Iterator<Item = u64> {
        self.mask.iter().map(|&word| u64::from(word) << Self::CUT_BITS)
    }

    /// Returns the body.
    pub fn body(&self) -> u64 {
        self.body
    }

    /// Computes `self + other * factor`.
    ///
    /// # Panics
    /// Unless the dimensions are equal, or one of the two is trivial.
    #[inline]
    #[must_use]
    pub(crate) fn add_scaled(&self, other: &LweCiphertext, factor: i64) -> LweCiphertext {
        let body = self.body.wrapping_add(other.body.wrapping_mul(factor as u64));
        let mask = match (self.is_trivial(), other.is_trivial()) {
            (_, true) => self.mask.clone(),
            (true, false) => other.scaled_mask(factor),
            (false, false) => self.mask_plus_scaled(&other.mask, factor),
        };
        LweCiphertext { mask, body }
    }

    /// Computes the mask of `self + other * factor`. Plain sums are by far the most frequent, and a
    /// kernel for each instruction set computes them; a product of words costs more than a sum on
    /// most of them.
    fn mask_plus_scaled(&self, other: &[u32], factor: i64) -> Mask {
        assert_eq!(self.mask.len(), other.len(), "masks of different lengths");
        let words = self.mask.iter().zip(other);
        match factor {
            1 => Mask::sum(&self.mask, other),
            -1 => Mask::collect(words.map(|(a, b)| a.wrapping_sub(*b))),
            _ => Mask::collect(words.map(|(a, b)| a.wrapping_add(b.wrapping_mul(factor as u32)))),
        }
    }

    fn scaled_mask(&self, factor: i64) -> Mask {
        match factor {
            -1 => Mask::collect(self.mask.iter().map(|word| word.wrapping_neg())),
            _ => Mask::collect(self.mask.iter().map(|word| word.wrapping_mul(factor as u32))),
        }
    }

    /// Adds `other * factor`; see [`LweCiphertext::add_scaled`].
    ///
    /// # Panics
    /// As [`LweCiphertext::add_scaled`].
    pub(crate) fn add_scaled_assign(&mut self, other: &LweCiphertext, factor: i64) {
        if self.is_trivial() || other.is_trivial() {
            *self = self.add_scaled(other, factor);
            return;
        }
        assert_eq!(self.mask.len(), other.mask.len(), "masks of different lengths");
        self.body = self.body.wrapping_add(other.body.wrapping_mul(factor as u64));
        for (word, &term) in self.mask.words_mut().iter_mut().zip(&*other.mask) {
            *word = word.wrapping_add(term.wrapping_mul(factor as u32));
        }
    }

    /// Computes `self * factor`.
    #[must_use]
    pub(crate) fn mul_scalar(&self, factor: i64) -> LweCiphertext {
        let body = self.body.wrapping_mul(factor as u64);
        LweCiphertext { mask: self.scaled_mask(factor), body }
    }

    /// Adds `message` to the encrypted message.
    pub(crate) fn add_message(&mut self, message: u64) {
        self.body = self.body.wrapping_add(message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_with_any_factor_and_trivial_terms_are_the_same_by_every_way() {
        let full = |seed: u64| {
            let words = (0..11).map(|i| (seed + i).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let words: Vec<u64> = words.collect();
            LweCiphertext::rounded(&words, seed.wrapping_mul(0xD134_2543_DE82_EF95))
        };
        let terms = [full(3), full(8), LweCiphertext::trivial(u64::MAX / 3)];
        for (a, b) in terms.iter().flat_map(|a| terms.iter().map(move |b| (a, b))) {
            for factor in [-3, -1, 0, 1, 2, i64::MAX] {
                let sum = a.add_scaled(b, factor);
                let word = |x: u64, y: u64| x.wrapping_add(y.wrapping_mul(factor as u64));
                assert_eq!(sum.body(), word(a.body(), b.body()));
                for index in 0..sum.dimension() {
                    let [x, y] = [a, b].map(|c| c.mask_words().nth(index).unwrap_or(0));
                    assert_eq!(sum.mask_words().nth(index), Some(word(x, y)));
                }
                assert_eq!(sum.is_trivial(), a.is_trivial() && b.is_trivial());
                let mut assigned = a.clone();
                assigned.add_scaled_assign(b, factor);
                assert_eq!(assigned, sum);
                let scaled = LweCiphertext::trivial(0).add_scaled(b, factor);
                assert_eq!(b.mul_scalar(factor), scaled);
            }
        }
    }

    #[test]
    fn words_are_rounded_to_the_nearest_unit_and_halves_to_an_even_one() {
        let half = 1 << 31;
        let words = [0, half - 1, half, (5 << 32) - half, (5 << 32) + half - 1, u64::MAX];
        let lwe = LweCiphertext::rounded(&words, 7);
        assert_eq!(lwe.mask(), [0, 0, 0, 4, 5, 0]);
        assert!(lwe.mask_words().eq([0, 0, 0, 4 << 32, 5 << 32, 0]));
        assert_eq!(lwe.body(), 7);
        assert_eq!(LweCiphertext::new(vec![0, 0, 0, 4, 5, 0], 7), lwe);
    }
}
