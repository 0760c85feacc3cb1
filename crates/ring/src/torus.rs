//! Polynomials over the torus, represented by `Z / 2^64`, modulo `X^N + 1`.

use crate::{Error, SecretCoefficients};
use fathom_kernels::torus::{FourierTable, TorusKernel};
use fathom_kernels::{RealRow, best_torus};
use zeroize::Zeroizing;

/// The negacyclic ring of one degree over words modulo `2^64`.
#[derive(Debug)]
pub struct TorusRing {
    table: FourierTable,
    kernel: &'static dyn TorusKernel,
}

impl TorusRing {
    /// Makes the ring of `degree`, with the fastest kernel of this CPU.
    ///
    /// # Errors
    /// [`Error::TorusDegree`] if the degree is not a power of two in `256..=65536`;
    /// [`Error::Kernel`] if `FATHOM_KERNEL` names an unknown kernel.
    pub fn new(degree: usize) -> Result<TorusRing, Error> {
        if !degree.is_power_of_two() || !(256..=65_536).contains(&degree) {
            return Err(Error::TorusDegree(degree));
        }
        let kernel = best_torus().map_err(|e| Error::Kernel(e.to_string()))?;
        Ok(TorusRing { table: FourierTable::new(degree), kernel })
    }

    /// Returns the degree `N`.
    pub fn degree(&self) -> usize {
        self.table.degree()
    }

    /// Returns the constants of the transform.
    pub fn table(&self) -> &FourierTable {
        &self.table
    }

    /// Returns the kernel.
    pub fn kernel(&self) -> &'static dyn TorusKernel {
        self.kernel
    }

    /// Returns the spectrum of a polynomial with small secret coefficients.
    pub fn secret_spectrum(&self, secret: &SecretCoefficients) -> SecretSpectrum {
        let mut polynomial = RealRow::zeroed(self.degree());
        for (real, &coefficient) in polynomial.iter_mut().zip(secret.expose()) {
            *real = coefficient as f64;
        }
        let mut spectrum = RealRow::zeroed(self.degree());
        self.kernel.forward(&self.table, &polynomial, &mut spectrum);
        polynomial.wipe();
        SecretSpectrum(spectrum)
    }

    /// Returns the spectra of the polynomials of a key with small coefficients. Shapes: `key` is a
    /// whole number of polynomials.
    pub fn secret_spectra(&self, key: &[i64]) -> Vec<SecretSpectrum> {
        let parts = key.chunks_exact(self.degree());
        parts.map(|part| self.secret_spectrum(&SecretCoefficients::new(part.to_vec()))).collect()
    }

    /// Computes the body of an encryption of zero: `sum_i masks[i] * secrets[i] + noise`.
    ///
    /// Shapes: as for [`TorusRing::multiply_secret_add`], with `N` words of noise.
    pub fn encrypt_zero(
        &self,
        body: &mut [u64],
        masks: &[u64],
        secrets: &[SecretSpectrum],
        noise: &SecretCoefficients,
    ) {
        for (word, &noise) in body.iter_mut().zip(noise.expose()) {
            *word = noise as u64;
        }
        self.multiply_secret_add(body, masks, secrets);
    }

    /// Adds `sum_i masks[i] * secrets[i]` to `body`, exactly modulo `2^64`.
    ///
    /// Shapes: as many masks of `N` words as secrets. The coefficients of the secrets are at most
    /// one in absolute value. The masks are split into signed halves of 32 bits, so that the
    /// products are integers below `2^31 N k` and rounding the result of the transform is exact.
    pub fn multiply_secret_add(&self, body: &mut [u64], masks: &[u64], secrets: &[SecretSpectrum]) {
        let degree = self.degree();
        let mut polynomial = RealRow::zeroed(degree);
        let mut spectrum = RealRow::zeroed(degree);
        let scale = 2.0 / degree as f64;
        for shift in [0, 32] {
            let mut sum = RealRow::zeroed(degree);
            for (mask, secret) in masks.chunks_exact(degree).zip(secrets) {
                for (real, &word) in polynomial.iter_mut().zip(mask) {
                    *real = half(word, shift);
                }
                self.kernel.forward(&self.table, &polynomial, &mut spectrum);
                self.kernel.multiply_add(&mut sum, &spectrum, &secret.0);
            }
            polynomial.fill(0.0);
            self.kernel.inverse_add(&self.table, &mut sum, &mut polynomial);
            for (word, &real) in body.iter_mut().zip(polynomial.iter()) {
                *word = word.wrapping_add(nearest(real * scale) << shift);
            }
            sum.wipe();
        }
        polynomial.wipe();
    }
}

/// Returns the integer nearest to `x`, for `|x| < 2^51`, modulo `2^64`. It calls no other function,
/// so that the compiler vectorises loops over it on every CPU.
fn nearest(x: f64) -> u64 {
    // In `[2^52, 2^53)` the last bit of a double is worth 1.
    const ROUNDER: f64 = 1.5 * (1_u64 << 52) as f64;
    (x + ROUNDER).to_bits().wrapping_sub(ROUNDER.to_bits())
}

/// Returns the low or the high signed half of a word: `word = low + 2^32 high` modulo `2^64`.
fn half(word: u64, shift: u32) -> f64 {
    let low = word as u32 as i32;
    let value = if shift == 0 { low } else { (word.wrapping_sub(low as u64) >> 32) as i32 };
    f64::from(value)
}

/// The spectrum of a secret polynomial. Wiped when dropped, never printed.
pub struct SecretSpectrum(RealRow);

impl Drop for SecretSpectrum {
    fn drop(&mut self) {
        self.0.wipe();
    }
}

impl std::fmt::Debug for SecretSpectrum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretSpectrum(hidden)")
    }
}

/// Adds `sum_i masks[i] * secrets[i]` to `body`, modulo `X^d + 1` and `2^32`, by the schoolbook
/// method, for the short polynomials of key switching. No branch or index depends on the secret,
/// whose coefficients are zeros and ones.
///
/// Shapes: `body` has `d` words, `masks` and `secret` a multiple of `d`.
pub fn multiply_short_secret_add(body: &mut [u32], masks: &[u32], secret: &[i64]) {
    let degree = body.len();
    let mut wide = Zeroizing::new(vec![0_u32; 2 * degree]);
    for (mask, secret) in masks.chunks_exact(degree).zip(secret.chunks_exact(degree)) {
        for (place, &bit) in secret.iter().enumerate() {
            let chosen = (bit as u32).wrapping_neg();
            for (out, &word) in wide[place..].iter_mut().zip(mask) {
                *out = out.wrapping_add(word & chosen);
            }
        }
    }
    let (low, high) = wide.split_at(degree);
    for ((word, &low), &high) in body.iter_mut().zip(low).zip(high) {
        *word = word.wrapping_add(low).wrapping_sub(high);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SecretRng, Seed, binary};
    use fathom_kernels::reference::negacyclic_integers;

    fn words(seed: u8, count: usize) -> Vec<u64> {
        Seed([seed; 32]).words(count)
    }

    fn expected(body: &[u64], masks: &[u64], secret: &[i64]) -> Vec<u64> {
        let degree = body.len();
        let mut sum = body.to_vec();
        for (mask, secret) in masks.chunks(degree).zip(secret.chunks(degree)) {
            let mask: Vec<i64> = mask.iter().map(|&word| word as i64).collect();
            for (sum, term) in sum.iter_mut().zip(negacyclic_integers(&mask, secret)) {
                *sum = sum.wrapping_add(term as u64);
            }
        }
        sum
    }

    #[test]
    fn products_with_secrets_are_exact() {
        let mut rng = SecretRng::insecure_from_seed(1);
        for degree in [256, 1024, 4096] {
            let ring = TorusRing::new(degree).unwrap();
            let secret = binary(&mut rng, 2 * degree);
            let secrets = ring.secret_spectra(secret.expose());
            let (mut body, masks) = (words(1, degree), words(2, 2 * degree));
            let expected = expected(&body, &masks, secret.expose());
            ring.multiply_secret_add(&mut body, &masks, &secrets);
            assert_eq!(body, expected);
        }
    }

    #[test]
    fn short_products_with_secrets_are_exact() {
        let mut rng = SecretRng::insecure_from_seed(2);
        for degree in [16, 64] {
            let secret = binary(&mut rng, 3 * degree);
            let (body, masks) = (words(3, degree), words(4, 3 * degree));
            let low = |words: &[u64]| words.iter().map(|&word| word as u32).collect::<Vec<_>>();
            let expected = low(&expected(&body, &masks, secret.expose()));
            let mut body = low(&body);
            multiply_short_secret_add(&mut body, &low(&masks), secret.expose());
            assert_eq!(body, expected);
        }
    }

    #[test]
    fn other_degrees_are_refused() {
        for degree in [0, 128, 300, 131_072] {
            assert_eq!(TorusRing::new(degree).unwrap_err(), Error::TorusDegree(degree));
        }
    }
}
