//! Reproducible random choices.

/// Random numbers that a seed determines: the generator "splitmix64" of Steele, Lea and Flood.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Returns the dice of a seed.
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// Returns 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// Returns a number below a positive bound.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    /// Returns true with probability `1 / times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Returns a number of an interval; its ends are drawn often.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        match self.below(16) {
            0 => low,
            1 => high,
            _ => low + (high - low) * ((self.word() >> 11) as f64 / (1_u64 << 53) as f64),
        }
    }

    /// Returns a member of a list that is not empty.
    pub fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    /// Returns a member of a list, with a probability in proportion to its weight.
    pub fn weighted<'a, T>(
        &mut self,
        all: impl IntoIterator<Item = &'a T> + Clone,
        weight: impl Fn(&T) -> usize,
    ) -> &'a T {
        let total = all.clone().into_iter().map(&weight).sum();
        let mut place = self.below(total);
        let mut all = all.into_iter();
        loop {
            let next = all.next().expect("the place is below the sum of the weights");
            match place.checked_sub(weight(next)) {
                Some(rest) => place = rest,
                None => return next,
            }
        }
    }
}
