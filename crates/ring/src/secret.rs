//! Secret values, which are wiped when dropped and never printed.

use crate::{Coeff, Eval, Limbs, Poly, Ring};
use fathom_kernels::torus::TorusKernel;
use fathom_kernels::{AlignedRow, available_torus, best_torus, wipe};
use std::sync::{Arc, LazyLock};

/// The kernel of products with secret bits and of sums of ciphertexts, selected once because the
/// selection takes longer than the encryption of a bit. An unknown kernel name is reported when a
/// ring is made, not here.
pub(crate) static TORUS_KERNEL: LazyLock<&'static dyn TorusKernel> = LazyLock::new(|| {
    best_torus().unwrap_or_else(|_| available_torus()[available_torus().len() - 1])
});

/// Small signed coefficients of a secret or an error. Wiped when dropped.
pub struct SecretCoefficients(Vec<i64>);

impl SecretCoefficients {
    /// Takes ownership of `values`, lowest first.
    pub fn new(values: Vec<i64>) -> Self {
        SecretCoefficients(values)
    }

    /// Returns the coefficients, lowest first.
    pub fn expose(&self) -> &[i64] {
        &self.0
    }

    /// Multiplies all coefficients by `factor`. The products must stay below every prime in use.
    pub fn scaled(mut self, factor: i64) -> Self {
        self.0.iter_mut().for_each(|c| *c *= factor);
        self
    }

    /// Adds public or secret integers, coefficient by coefficient.
    pub fn plus(mut self, other: &[i64]) -> Self {
        self.0.iter_mut().zip(other).for_each(|(c, o)| *c += o);
        self
    }

    /// Returns the integer polynomial modulo every prime of `limbs`, in the NTT domain. Takes one
    /// forward transform for each row.
    pub fn to_eval(&self, ring: &Arc<Ring>, limbs: Limbs) -> SecretPoly {
        SecretPoly::new(Poly::<Coeff>::from_signed(ring, limbs, &self.0).into_eval())
    }
}

/// A secret of zeros and ones, stored for its products with masks: on whole cache lines, which
/// halves the time of short products. Wiped when dropped.
pub struct SecretBits(AlignedRow<i64>);

impl SecretBits {
    /// Copies a secret whose coefficients are all 0 or 1.
    pub fn new(secret: &SecretCoefficients) -> SecretBits {
        debug_assert!(secret.0.iter().all(|bit| *bit & 1 == *bit), "not a binary secret");
        SecretBits(AlignedRow::from(secret.expose()))
    }

    /// Returns the sum of `words[i]` times bit `i` modulo `2^64`, without a branch on the bits.
    ///
    /// Shapes: at most as many words as bits.
    ///
    /// # Panics
    /// If there are more words than bits: a mask of another dimension has no product.
    pub fn product(&self, words: &[u64]) -> u64 {
        let mut sum = 0;
        TORUS_KERNEL.binary_product(words, self.first(words.len()), &mut sum);
        sum
    }

    /// Returns the sum of `words[i]` times bit `i` for 32-bit words; otherwise like
    /// [`SecretBits::product`].
    ///
    /// # Panics
    /// If there are more words than bits.
    pub fn short_product(&self, words: &[u32]) -> u64 {
        let mut sum = 0;
        TORUS_KERNEL.short_binary_product(words, self.first(words.len()), &mut sum);
        sum
    }

    /// Returns the bits for as many words.
    fn first(&self, count: usize) -> &[i64] {
        assert!(count <= self.0.len(), "{count} words for {} secret bits", self.0.len());
        &self.0[..count]
    }
}

impl Drop for SecretBits {
    fn drop(&mut self) {
        self.0.wipe();
    }
}

impl std::fmt::Debug for SecretBits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SecretBits({} hidden)", self.0.len())
    }
}

impl Drop for SecretCoefficients {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

impl std::fmt::Debug for SecretCoefficients {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SecretCoefficients({} hidden)", self.0.len())
    }
}

/// A polynomial with secret content. Wiped when dropped.
pub struct SecretPoly(Poly<Eval>);

impl SecretPoly {
    /// Takes ownership of `poly`.
    pub fn new(poly: Poly<Eval>) -> Self {
        SecretPoly(poly)
    }

    /// Returns the polynomial.
    pub fn expose(&self) -> &Poly<Eval> {
        &self.0
    }

    /// Returns the content, which the caller has masked and may publish.
    pub fn into_masked(mut self) -> Poly<Eval> {
        let empty = Poly::zero(&Arc::clone(self.0.ring()), Limbs::chain(0));
        std::mem::replace(&mut self.0, empty)
    }

    /// Returns the polynomial for in-place arithmetic.
    pub fn expose_mut(&mut self) -> &mut Poly<Eval> {
        &mut self.0
    }
}

impl Clone for SecretPoly {
    fn clone(&self) -> Self {
        SecretPoly(self.0.clone())
    }
}

impl Drop for SecretPoly {
    fn drop(&mut self) {
        self.0.wipe();
    }
}

impl std::fmt::Debug for SecretPoly {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SecretPoly({:?}, hidden)", self.0.limbs())
    }
}
