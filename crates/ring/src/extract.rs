//! Extraction of coefficients of GLWE ciphertexts as LWE ciphertexts.

/// A linear combination of coefficients of a GLWE ciphertext, as an LWE ciphertext under the
/// coefficients of the GLWE key (sample extraction: Chillotti et al., ASIACRYPT 2016, definition
/// 4.1).
///
/// Shapes: the body has `N` words modulo `2^64`, the masks have a multiple of that. A
/// ciphertext may have a degree of `E N` where its key has `N` ([`CoefficientSum::extended`]).
#[derive(Clone, Debug)]
pub struct CoefficientSum<'a> {
    masks: &'a [u64],
    body: &'a [u64],
    mask_sum: Vec<u64>,
    body_sum: u64,
    extension: usize,
}

impl<'a> CoefficientSum<'a> {
    /// Makes an empty sum of coefficients of a ciphertext.
    pub fn new(masks: &'a [u64], body: &'a [u64]) -> Self {
        CoefficientSum::extended(masks, body, 1)
    }

    /// Makes an empty sum of coefficients of a ciphertext whose degree is `extension` times that of
    /// its key, in the layout of accumulators ([`crate::ProductShape::accumulator_len`]).
    pub fn extended(masks: &'a [u64], body: &'a [u64], extension: usize) -> Self {
        let mask_sum = vec![0; masks.len() / extension];
        CoefficientSum { masks, body, mask_sum, body_sum: 0, extension }
    }

    /// Adds `factor` times coefficient `place`, which is below the degree.
    pub fn add(&mut self, place: usize, factor: i64) {
        let factor = factor as u64;
        let degree = self.body.len() / self.extension;
        let start = place % self.extension * degree;
        let place = place / self.extension;
        let word = self.body[start + place];
        self.body_sum = self.body_sum.wrapping_add(word.wrapping_mul(factor));
        let masks = self.masks.chunks_exact(self.body.len());
        let masks = masks.map(|mask| &mask[start..start + degree]);
        for (sum, mask) in self.mask_sum.chunks_exact_mut(degree).zip(masks) {
            // The coefficient is `sum_j mask[place - j] s_j`, with a sign from `X^N = -1`.
            let (below, above) = sum.split_at_mut(place + 1);
            for (sum, word) in below.iter_mut().zip(mask[..=place].iter().rev()) {
                *sum = sum.wrapping_add(word.wrapping_mul(factor));
            }
            for (sum, word) in above.iter_mut().zip(mask[place + 1..].iter().rev()) {
                *sum = sum.wrapping_sub(word.wrapping_mul(factor));
            }
        }
    }

    /// Adds `factor` times the constant coefficient of `X^power` times the ciphertext, for a power
    /// below twice the degree.
    pub fn add_turned(&mut self, power: usize, factor: i64) {
        let degree = self.body.len();
        let back = (2 * degree - power) % (2 * degree);
        self.add(back % degree, if back < degree { factor } else { -factor });
    }

    /// Returns the mask and the body of the sum.
    pub fn finish(self) -> (Vec<u64>, u64) {
        (self.mask_sum, self.body_sum)
    }
}
