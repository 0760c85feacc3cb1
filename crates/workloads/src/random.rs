//! The generator of inputs.

/// A stream of numbers that depends on a seed alone, the same in every language: `SplitMix64`
/// (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
/// It makes inputs, never secrets.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts the stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 bits.
    pub fn next_word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// Returns a number in `0..bound`, `bound` at least 1: the high half of a product, whose
    /// deviation from uniform is at most `bound / 2^64`.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_word()) * u128::from(bound)) >> 64) as u64
    }

    /// Returns a number of `bits` bits, 1 to 64.
    pub fn bits(&mut self, bits: u32) -> u64 {
        self.next_word() >> (64 - bits)
    }

    /// Returns a real number in [0, 1), a multiple of `2^-53`.
    pub fn unit(&mut self) -> f64 {
        (self.next_word() >> 11) as f64 * 2f64.powi(-53)
    }

    /// Returns true with probability `numerator / denominator`.
    pub fn chance(&mut self, numerator: u64, denominator: u64) -> bool {
        self.below(denominator) < numerator
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_that_of_the_published_generator() {
        let mut random = Random::new(1_234_567);
        let words: Vec<_> = (0..3).map(|_| random.next_word()).collect();
        // The first outputs for this seed in the reference implementation of S. Vigna.
        assert_eq!(
            words,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }
}
