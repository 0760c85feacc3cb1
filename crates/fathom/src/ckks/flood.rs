//! Decryptions that may be shared: flooded with noise, or rounded.

use super::encode::Plaintext;
use super::{Ckks, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, SecretKey};
use fathom_ring::SecretRng;
use std::f64::consts::{SQRT_2, TAU};

/// The amount of noise that hides the error of a decryption which others may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flooding {
    /// Bits of statistical security: all decryptions together are within a statistical distance of
    /// `2^-bits` of what could be computed from the exact messages.
    pub statistical_bits: u32,
    /// The largest number of decryptions under one key that are shared.
    pub decryptions: u64,
}

impl Flooding {
    /// Returns the standard deviation of the noise, in units of the Euclidean norm of the error.
    ///
    /// Gaussians of deviation `sigma` whose means differ by `d` have the divergence
    /// `d^2 / (2 sigma^2)`, which adds up over decryptions; by Pinsker's inequality, the
    /// statistical distance is at most `d sqrt(k) / (2 sigma)` after `k` of them.
    fn deviation(self) -> f64 {
        (f64::from(self.statistical_bits) - 1.0).exp2() * (self.decryptions.max(1) as f64).sqrt()
    }
}

impl<M: Mode> SecretKey<Ckks<M>> {
    /// Decrypts and adds Gaussian noise that hides the error, so that the result may be shared.
    ///
    /// The error of a decryption is a function of the secret key. An attacker who sees results of
    /// [`SecretKey::decrypt`], and knows what they should be, can compute the key from them (Li and
    /// Micciancio, eprint 2020/1533). The noise drowns the largest error that the bound allows (Li,
    /// Micciancio, Schultz and Sorrell, eprint 2022/816). For
    /// degree `N` it costs `statistical_bits + log2(decryptions) / 2 + log2(N) / 2 + 2.3` bits of
    /// precision: the error bound of the result includes it.
    ///
    /// # Errors
    /// As [`SecretKey::decrypt`]; [`Error::PrecisionExhausted`] if nothing of the message is left.
    pub fn decrypt_flooded(
        &self,
        ciphertext: &Ciphertext<Ckks<M>>,
        flooding: Flooding,
        rng: &mut SecretRng,
    ) -> Result<Plaintext<M>, Error> {
        let mut plaintext = self.decrypt(ciphertext)?;
        // The Euclidean norm of the error, as coefficients: at most the largest value at a root.
        let deviation = flooding.deviation() * plaintext.error_bound;
        let (degree, tails) = self.params.tails();
        let added = tails.root * (degree as f64).sqrt() * deviation;
        let (error_bound, magnitude) = (plaintext.error_bound + added, plaintext.magnitude);
        if error_bound >= ciphertext.magnitude_bound() {
            return Err(Error::PrecisionExhausted {
                operation: "decrypt_flooded",
                error_bits: error_bound.log2(),
                allowed_bits: ciphertext.magnitude_bound().log2(),
                remedy: "share fewer decryptions, or take parameters of a larger scale",
            });
        }
        let noise = gaussians(rng, degree);
        plaintext.coefficients.iter_mut().zip(noise).for_each(|(c, g)| *c += deviation * g);
        plaintext.error_bound = error_bound;
        plaintext.magnitude = magnitude + added;
        Ok(plaintext)
    }
}

impl<M: Mode> Plaintext<M> {
    /// Returns the real parts of the slots, rounded to multiples of `2^-bits`.
    ///
    /// Rounding hides the error of every slot whose exact value is further than the error bound
    /// from the middle between two multiples. It is a precaution for results that are known to lie
    /// on a grid, and no proof: see SECURITY.md.
    ///
    /// # Errors
    /// [`Error::PrecisionExhausted`] unless the error bound is below a quarter of `2^-bits`.
    pub fn rounded_slots(&self, bits: u32) -> Result<Vec<f64>, Error> {
        let unit = (-f64::from(bits)).exp2();
        if self.error_bound >= unit / 4.0 {
            return Err(Error::PrecisionExhausted {
                operation: "rounded_slots",
                error_bits: self.error_bound.log2(),
                allowed_bits: -f64::from(bits) - 2.0,
                remedy: "round to fewer bits",
            });
        }
        Ok(self.slots().iter().map(|x| (x / unit).round() * unit).collect())
    }
}

/// Draws standard Gaussian numbers, in pairs by the transform of Box and Muller.
fn gaussians(rng: &mut SecretRng, count: usize) -> Vec<f64> {
    let mut words = vec![0; count.next_multiple_of(2)];
    rng.fill_words(&mut words);
    let unit = |word: u64| ((word >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    let pair = |w: &[u64]| {
        let radius = SQRT_2 * (-unit(w[0]).ln()).sqrt();
        let (sin, cos) = (TAU * unit(w[1])).sin_cos();
        [radius * cos, radius * sin]
    };
    words.chunks_exact(2).flat_map(pair).take(count).collect()
}
