//! Merges LWE ciphertexts into the coefficients of one ring ciphertext.

use super::automorphism_keys::AutomorphismKeys;
use crate::lwe::LweCiphertext;
use fathom_ring::{
    GadgetScratch, TorusRing, add_words, constant_masks, multiply_monomial, subtract_words,
};

/// Merges ciphertexts pair by pair (Chen, Dai, Kim, Song, eprint 2020/015).
pub(crate) struct Merge<'a> {
    pub(crate) ring: &'a TorusRing,
    pub(crate) keys: &'a AutomorphismKeys,
    /// One for each of `2^doublings` places, as far as there are any.
    pub(crate) ciphertexts: &'a [Option<&'a LweCiphertext>],
    pub(crate) doublings: u32,
}

impl Merge<'_> {
    /// The ring ciphertext with ciphertext `i` at coefficient `i N / 2^doublings`, and 0 where
    /// there is none; without any, none.
    ///
    /// The coefficients between those places hold 0 if all `N` are places, else anything.
    pub(crate) fn run(&self) -> Option<Vec<u64>> {
        let mut scratch = self.keys.scratch(self.ring)?;
        self.merge(0, self.doublings, &mut scratch)
    }

    /// Every `2^(all doublings - doublings)`-th ciphertext from `first` on, at the multiples of
    /// `N / 2^doublings`; none if there are none.
    fn merge(&self, first: usize, doublings: u32, scratch: &mut GadgetScratch) -> Option<Vec<u64>> {
        if doublings == 0 {
            let ciphertext = self.ciphertexts.get(first).copied().flatten();
            return ciphertext.map(|lwe| self.embed(lwe));
        }
        let step = 1 << (self.doublings - doublings);
        let even = self.merge(first, doublings - 1, scratch);
        let mut odd = self.merge(first + step, doublings - 1, scratch);
        if let Some(odd) = &mut odd {
            let degree = self.ring.degree();
            multiply_monomial(degree, degree >> doublings, odd);
        }
        let (mut sum, difference) = match (even, odd) {
            (None, None) => return None,
            (Some(even), None) => (even.clone(), even),
            (None, Some(odd)) => {
                let negative = odd.iter().map(|word| word.wrapping_neg()).collect();
                (odd, negative)
            }
            (Some(even), Some(odd)) => {
                let mut difference = even.clone();
                subtract_words(&mut difference, &odd);
                let mut sum = even;
                add_words(&mut sum, &odd);
                (sum, difference)
            }
        };
        self.keys.add_image(self.ring, doublings, &difference, &mut sum, scratch);
        Some(sum)
    }

    /// The ciphertext of the constant coefficient, divided by the factor that merging multiplies
    /// by. The turns that the division leaves are whole again after it.
    fn embed(&self, lwe: &LweCiphertext) -> Vec<u64> {
        let (degree, doublings) = (self.ring.degree(), self.doublings);
        let mut masks: Vec<u64> = lwe.mask().iter().map(|word| word >> doublings).collect();
        masks.resize(self.keys.big_dimension(), 0);
        let mut words: Vec<u64> = constant_masks(degree, &masks).collect();
        words.push(lwe.body() >> doublings);
        words.resize(words.len() + degree - 1, 0);
        words
    }
}
