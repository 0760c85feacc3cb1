//! What noise depends on: sizes instead of primes. Every deviation and every rule about levels
//! stands here once, for the operations and for the planner. Derivations: docs/maths/noise.md.

use super::Noise;
use fathom_ring::Gadget;
use fathom_security::SecretDistribution;

/// Standard deviation of the errors, as in the security guidelines (eprint 2024/463).
pub(crate) const ERROR_DEVIATION: f64 = 3.19;

/// The sizes of a context.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NoiseModel {
    pub(crate) degree: usize,
    /// Errors are multiples of this: the plaintext modulus, or 1.
    pub(crate) error_factor: u64,
    pub(crate) secret: SecretDistribution,
    pub(crate) gadget: Gadget,
    /// `log2` of each chain prime.
    pub(crate) chain_bits: Vec<f64>,
    /// `log2` of each special prime.
    pub(crate) special_bits: Vec<f64>,
    /// `bound = fixed + tail * sigma`.
    pub(crate) tail: f64,
}

impl NoiseModel {
    /// `log2` of the modulus over the first `chain` primes.
    pub(crate) fn log2_modulus(&self, chain: usize) -> f64 {
        self.chain_bits[..chain].iter().sum()
    }

    /// `log2` of the product of the special primes.
    pub(crate) fn special_log2(&self) -> f64 {
        self.special_bits.iter().sum()
    }

    /// Bits left until a phase with this noise could wrap around modulo the first `chain` primes.
    /// Negative: it could.
    pub(crate) fn budget_bits(&self, noise: Noise, chain: usize) -> f64 {
        self.log2_modulus(chain) - 1.0 - noise.bound(self.tail).log2()
    }

    /// Of a fresh encryption under the secret key of messages up to `message`.
    pub(crate) fn secret_key_noise(&self, message: f64) -> Noise {
        Noise::fresh(message, self.error_factor as f64 * ERROR_DEVIATION)
    }

    /// Of a fresh encryption under the public key of messages up to `message`: divided by the
    /// special primes, if there are any.
    pub(crate) fn public_key_noise(&self, message: f64) -> Noise {
        let ephemeral = self.degree as f64 * 2.0 / 3.0;
        let spread = (1.0 + ephemeral + self.secret_norm_squared()).sqrt();
        let fresh = Noise::fresh(message, self.error_factor as f64 * ERROR_DEVIATION * spread);
        if self.special_bits.is_empty() {
            return fresh;
        }
        let divided = Noise { sigma: fresh.sigma / self.special_log2().exp2(), ..fresh };
        divided.plus_independent(self.rounding_sigma(2))
    }

    /// Deviation of the error that rounding leaves in a phase of `parts` components.
    pub(crate) fn rounding_sigma(&self, parts: usize) -> f64 {
        let s = self.secret_norm_squared();
        let square = if parts > 2 { 2.0 * s * s } else { 0.0 };
        self.error_factor as f64 * ((1.0 + s + square) / 12.0).sqrt()
    }

    /// Deviation of the error that a key switch of a polynomial with `chain` limbs adds before the
    /// division by the special primes is rounded, in units of the result.
    pub(crate) fn key_switch_sigma(&self, chain: usize) -> f64 {
        let primes = &self.chain_bits[..chain];
        let digits = self.gadget.digits_of(primes) as f64;
        self.error_factor as f64
            * ERROR_DEVIATION
            * (digits * self.degree as f64).sqrt()
            * (self.gadget.deviation_bits_of(primes) - self.special_log2()).exp2()
    }

    /// After dropping all but the first `to` of `from` chain primes from a ciphertext of `parts`
    /// components.
    pub(crate) fn switched(&self, noise: Noise, parts: usize, from: usize, to: usize) -> Noise {
        if from == to {
            return noise;
        }
        let divisor = (self.log2_modulus(from) - self.log2_modulus(to)).exp2();
        noise.divided(divisor, self.rounding_sigma(parts))
    }

    /// Of a product of three components over `from` chain primes, relinearised and switched to `to`
    /// of them in one division.
    pub(crate) fn product_switched(&self, product: Noise, from: usize, to: usize) -> Noise {
        self.switched(product.plus_independent(self.key_switch_sigma(from)), 2, from, to)
    }

    /// Expected squared norm of the secret.
    fn secret_norm_squared(&self) -> f64 {
        let n = self.degree as f64;
        match self.secret {
            SecretDistribution::Ternary => n * 2.0 / 3.0,
            SecretDistribution::SparseTernary { weight } => f64::from(weight),
            SecretDistribution::Gaussian => n * ERROR_DEVIATION * ERROR_DEVIATION,
        }
    }
}
