//! An LWE ciphertext and what is linear in it.

/// An LWE ciphertext over the torus modulo `2^64`: `body - <mask, key> = message + noise`.
///
/// Shapes: `dimension` words of mask and one of body. A mask of no words is the trivial ciphertext
/// of the body, under every key: it hides nothing, and takes part in every operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LweCiphertext {
    mask: Vec<u64>,
    body: u64,
}

impl LweCiphertext {
    /// From its parts.
    pub fn new(mask: Vec<u64>, body: u64) -> LweCiphertext {
        LweCiphertext { mask, body }
    }

    /// The trivial ciphertext of `message`, which hides nothing.
    pub fn trivial(message: u64) -> LweCiphertext {
        LweCiphertext { mask: Vec::new(), body: message }
    }

    /// Whether there is no mask, so that anyone can read the body.
    pub fn is_trivial(&self) -> bool {
        self.mask.is_empty()
    }

    /// Words of the mask; 0 if trivial.
    pub fn dimension(&self) -> usize {
        self.mask.len()
    }

    /// The mask.
    pub fn mask(&self) -> &[u64] {
        &self.mask
    }

    /// The body.
    pub fn body(&self) -> u64 {
        self.body
    }

    /// Adds `other * factor`. The dimensions are equal, or one of the two is trivial.
    pub fn add_scaled_assign(&mut self, other: &LweCiphertext, factor: i64) {
        let factor = factor as u64;
        self.body = self.body.wrapping_add(other.body.wrapping_mul(factor));
        if other.is_trivial() {
            return;
        }
        if self.is_trivial() {
            self.mask = other.mask.iter().map(|word| word.wrapping_mul(factor)).collect();
            return;
        }
        debug_assert_eq!(self.mask.len(), other.mask.len());
        for (word, &term) in self.mask.iter_mut().zip(&other.mask) {
            *word = word.wrapping_add(term.wrapping_mul(factor));
        }
    }

    /// Multiplies by `factor`.
    pub fn scale_assign(&mut self, factor: i64) {
        let factor = factor as u64;
        self.body = self.body.wrapping_mul(factor);
        for word in &mut self.mask {
            *word = word.wrapping_mul(factor);
        }
    }

    /// Adds `message` to the encrypted message.
    pub fn add_message(&mut self, message: u64) {
        self.body = self.body.wrapping_add(message);
    }
}
