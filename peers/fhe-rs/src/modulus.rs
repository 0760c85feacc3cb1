//! Moduli of fhe.rs.

/// Returns log2 of the product.
pub(crate) fn log_modulus(moduli: &[u64]) -> f64 {
    moduli.iter().map(|q| (*q as f64).log2()).sum()
}
