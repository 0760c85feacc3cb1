//! Reproducible numbers for the programs.

/// Numbers from a seed (splitmix64).
pub struct Numbers(pub u64);

impl Numbers {
    /// Returns a number from -1 to 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / 2f64.powi(52) - 1.0
    }

    /// Returns `count` numbers from -`most` to `most`.
    pub fn list(&mut self, count: usize, most: f64) -> Vec<f64> {
        (0..count).map(|_| most * self.unit()).collect()
    }

    /// Returns a vector of Euclidean norm 1.
    pub fn direction(&mut self, count: usize) -> Vec<f64> {
        let vector = self.list(count, 1.0);
        let norm = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        vector.iter().map(|x| x / norm).collect()
    }
}
