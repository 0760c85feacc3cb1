//! The work of a kernel beside the limits that its machine has shown.

use serde::{Deserialize, Serialize};

/// Multiplications and bytes of one call, and the rates that bound them, all measured in one run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Roofline {
    /// Multiplications of words in one call: three for a product by a constant, two for a term of a
    /// sum of products. Null where they were not counted.
    pub multiplications: Option<f64>,
    /// Bytes that one call reads and writes.
    pub bytes: f64,
    /// Highest rate of multiplications of the instruction set, in 10^9 a second.
    pub multiplication_limit: Option<f64>,
    /// Highest rate of bytes read from and written to the second cache, by any instruction set of
    /// the processor, in 10^9 a second.
    pub byte_limit: f64,
}

/// A resource that bounds a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The multipliers of the processor.
    Multiplication,
    /// Transfers between the core and its second cache.
    Bandwidth,
}

impl Limit {
    /// Returns the name shown to people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Multiplication => "multiplication",
            Self::Bandwidth => "bandwidth",
        }
    }
}

impl Roofline {
    /// Returns the share of a limit that a call of `ns` nanoseconds uses: 1 if the limit alone
    /// explains its time.
    pub fn share(&self, limit: Limit, ns: f64) -> Option<f64> {
        match limit {
            Limit::Multiplication => Some(self.multiplications? / ns / self.multiplication_limit?),
            Limit::Bandwidth => Some(self.bytes / ns / self.byte_limit),
        }
    }

    /// Returns the nearer limit of a call of `ns` nanoseconds, and its share.
    pub fn nearest(&self, ns: f64) -> (Limit, f64) {
        let shares = [Limit::Bandwidth, Limit::Multiplication].into_iter();
        let shares = shares.filter_map(|limit| Some((limit, self.share(limit, ns)?)));
        shares.max_by(|a, b| a.1.total_cmp(&b.1)).expect("the share of the bandwidth is known")
    }

    /// Returns the multiplications per byte.
    pub fn intensity(&self) -> Option<f64> {
        Some(self.multiplications? / self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORK: Roofline = Roofline {
        multiplications: Some(600.0),
        bytes: 200.0,
        multiplication_limit: Some(10.0),
        byte_limit: 50.0,
    };

    #[test]
    fn the_nearest_limit_is_the_one_that_explains_most_of_the_time() {
        // 600 multiplications take 60 ns and 200 bytes take 4 ns at the limits.
        assert_eq!(WORK.nearest(120.0), (Limit::Multiplication, 0.5));
        assert_eq!(WORK.share(Limit::Bandwidth, 8.0), Some(0.5));
        let copies = Roofline { multiplications: None, ..WORK };
        assert_eq!(copies.nearest(8.0), (Limit::Bandwidth, 0.5));
        assert_eq!((WORK.intensity(), copies.intensity()), (Some(3.0), None));
    }
}
