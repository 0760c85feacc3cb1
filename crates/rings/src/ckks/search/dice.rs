//! Reproducible random choices.

use super::super::Complex64;

/// Small reproducible random numbers.
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    /// Returns true with probability `1 / times`.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A number of an interval; its ends are drawn often.
    pub(super) fn within(&mut self, low: f64, high: f64) -> f64 {
        match self.below(16) {
            0 => low,
            1 => high,
            _ => low + (high - low) * ((self.word() >> 11) as f64 / (1_u64 << 53) as f64),
        }
    }

    /// A number of absolute value at most `size`.
    pub(super) fn complex(&mut self, size: f64) -> Complex64 {
        let (radius, angle) = (self.within(0.0, size), self.within(0.0, 6.0));
        Complex64::from_polar(radius * (1.0 - 1e-15), angle)
    }

    pub(super) fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}
