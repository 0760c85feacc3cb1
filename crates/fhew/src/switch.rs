//! The way from an accumulator back to a bit: sample extraction, modulus switch, key switch.

use super::ciphertext::FhewBit;
use super::params::{LWE_BITS, LWE_SHIFT};
use super::rgsw::Rlwe;
use super::{FhewParams, FhewSecretKey};
use fathom::tfhe::Owner;
use fathom_ring::{SecretRng, centered_binomial};

/// The key-switching key: for every coefficient of the ring key, every digit index and every digit
/// from 1 to half the base, an LWE encryption of their product.
pub(super) struct SwitchKey {
    owner: Owner,
    base_log: u32,
    places: usize,
    row: usize,
    words: Vec<u16>,
}

impl SwitchKey {
    pub(super) fn generate(key: &FhewSecretKey, rng: &mut SecretRng) -> SwitchKey {
        let base_log = key.params().switch_base_log;
        let places = places(key.params());
        let row = key.params().lwe_dimension + 1;
        let half = 1 << (base_log - 1);
        let mut words = Vec::with_capacity(SwitchKey::word_count(key.params()));
        for &coefficient in key.ring.expose() {
            let noises = centered_binomial(rng, places * half);
            let messages = (0..places).flat_map(|place| (1..=half).map(move |v| (place, v)));
            for ((place, digit), &noise) in messages.zip(noises.expose()) {
                let message = (coefficient * (digit as i64)) << (place as u32 * base_log);
                words.extend(key.encrypt_word((message << LWE_SHIFT) as u16, noise, rng));
            }
        }
        SwitchKey { owner: key.owner(), base_log, places, row, words }
    }

    /// Returns the key with these words, which must be as many as [`SwitchKey::word_count`]; `None`
    /// if a word has more than 15 bits.
    pub(super) fn from_words(
        params: &FhewParams,
        owner: Owner,
        words: Vec<u16>,
    ) -> Option<SwitchKey> {
        let low = (1 << LWE_SHIFT) - 1;
        let whole = words.iter().all(|word| word & low == 0);
        let (base_log, row) = (params.switch_base_log, params.lwe_dimension + 1);
        whole.then(|| SwitchKey { owner, base_log, places: places(params), row, words })
    }

    /// Returns the number of words of the key.
    pub(super) fn word_count(params: &FhewParams) -> usize {
        let half = 1 << (params.switch_base_log - 1);
        params.degree * places(params) * half * (params.lwe_dimension + 1)
    }

    /// Returns the words of all ciphertexts: for each its mask, then its body.
    pub(super) fn words(&self) -> &[u16] {
        &self.words
    }

    /// Returns the owner of the resulting bits.
    pub(super) fn owner(&self) -> Owner {
        self.owner
    }

    /// Switches a ciphertext to the LWE key. Its digits are signed and public.
    fn switch(&self, mask: impl Iterator<Item = u16>, body: u16) -> FhewBit {
        let half = 1_u32 << (self.base_log - 1);
        let offset: u32 =
            (0..self.places).map(|place| half << (place as u32 * self.base_log)).sum();
        let mut sum = vec![0_u16; self.row];
        sum[self.row - 1] = body;
        for (index, word) in mask.enumerate() {
            let shifted = u32::from(word >> LWE_SHIFT) + offset;
            for place in 0..self.places {
                let unsigned = shifted >> (place as u32 * self.base_log) & (2 * half - 1);
                let digit = unsigned as i32 - half as i32;
                if digit != 0 {
                    let at = (index * self.places + place) * half as usize;
                    let at = (at + digit.unsigned_abs() as usize - 1) * self.row;
                    subtract(&mut sum, &self.words[at..at + self.row], digit > 0);
                }
            }
        }
        FhewBit::new(self.owner, sum)
    }

    /// Extracts the bit in the constant coefficient of an accumulator modulo `modulus`.
    pub(super) fn extract(&self, acc: Rlwe, modulus: u64) -> FhewBit {
        let [mask, body] = acc.map(fathom_ring::Poly::into_coeff);
        let (mask, body) = (mask.row(0), body.row(0)[0]);
        let rounded = |x: u64| ((((x << LWE_BITS) + modulus / 2) / modulus) as u16) << LWE_SHIFT;
        // The constant coefficient of `a z` is `a_0 z_0 - a_(N-1) z_1 - a_(N-2) z_2 - ...`.
        let rest = mask[1..].iter().rev().map(|&word| rounded(word).wrapping_neg());
        self.switch(std::iter::once(rounded(mask[0])).chain(rest), rounded(body))
    }
}

/// Returns the number of digits of a word.
fn places(params: &FhewParams) -> usize {
    LWE_BITS.div_ceil(params.switch_base_log) as usize
}

/// Computes `sum -= row` if `negative`, else `sum += row`.
fn subtract(sum: &mut [u16], row: &[u16], negative: bool) {
    let sign = if negative { u16::MAX } else { 1 };
    for (sum, word) in sum.iter_mut().zip(row) {
        *sum = sum.wrapping_add(word.wrapping_mul(sign));
    }
}
