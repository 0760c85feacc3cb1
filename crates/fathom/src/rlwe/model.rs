//! What noise depends on: sizes instead of primes. Every deviation and every rule about levels
//! stands here once, for the operations and for the planner. Derivations: docs/maths/noise.md.

use super::{Independent, Noise};
use fathom_ring::Gadget;
use fathom_security::SecretDistribution;

/// Standard deviation of the errors, as in the security guidelines (eprint 2024/463).
pub(crate) const ERROR_DEVIATION: f64 = 3.19;

/// Variance of the errors of an encryption under a public key: a centred binomial distribution of
/// deviation 3.24.
const ENCRYPTION_ERROR_VARIANCE: f64 = 10.5;

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
    /// How many deviations a coefficient may be off, with the failure probability.
    pub(crate) tail: f64,
    /// How many times its root mean square a product of two random polynomials may reach at a root
    /// of `X^N + 1`, with the failure probability.
    pub(crate) extreme: f64,
}

/// [`NoiseModel::extreme`] for this failure probability: values at a root are complex Gaussians,
/// and `|u v| > y` has probability `2 y K_1(2 y)`, which is below `e^(3 - 2y)` up to `y = 100`.
pub(crate) fn extreme_factor(failure_log2: f64, degree: usize) -> f64 {
    let exponent = (degree as f64).ln() - failure_log2 * std::f64::consts::LN_2;
    f64::midpoint(exponent, 3.0)
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
        let bound = noise.bound(self.tail);
        // Products of enormous bounds may leave the range of numbers.
        let bound = if bound.is_nan() { f64::INFINITY } else { bound };
        self.log2_modulus(chain) - 1.0 - bound.log2()
    }

    /// Of a fresh encryption under the secret key of messages up to `message`.
    pub(crate) fn secret_key_noise(&self, message: f64) -> Noise {
        Noise::fresh(message, self.independent(self.error_factor as f64 * ERROR_DEVIATION))
    }

    /// A polynomial with this deviation that is a product of two independent ones, such as a
    /// rounding error times the secret. Where another product with the same secret is extreme, that
    /// secret is large, and the other factor has at most three times its root mean square.
    fn independent(&self, sigma: f64) -> Independent {
        let unit = 2.0 * sigma / (self.degree as f64).sqrt();
        Independent { sigma, peak: unit * self.extreme, usual: unit * 3.0 * self.extreme.sqrt() }
    }

    /// Of a fresh encryption under the public key of messages up to `message`: divided by the
    /// special primes, if there are any.
    pub(crate) fn public_key_noise(&self, message: f64) -> Noise {
        let ephemeral = self.degree as f64 * 2.0 / 3.0;
        let variance = ERROR_DEVIATION * ERROR_DEVIATION * ephemeral
            + ENCRYPTION_ERROR_VARIANCE * (1.0 + self.secret_norm_squared());
        let error = self.independent(self.error_factor as f64 * variance.sqrt());
        if self.special_bits.is_empty() {
            return Noise::fresh(message, error);
        }
        let divided = Noise::fresh(message, error.divided(self.special_log2().exp2()));
        divided.plus_independent(self.rounding_error(2))
    }

    /// The error that rounding leaves in a phase of `parts` components.
    pub(crate) fn rounding_error(&self, parts: usize) -> Independent {
        let s = self.secret_norm_squared();
        let square = if parts > 2 { 2.0 * s * s } else { 0.0 };
        let error = self.independent(self.error_factor as f64 * ((1.0 + s + square) / 12.0).sqrt());
        if parts == 2 {
            return error;
        }
        // The square of the secret: one more factor that can be extreme.
        let peak = error.peak * self.extreme.sqrt();
        Independent { peak, ..error }
    }

    /// The error that a key switch of a polynomial with `chain` limbs adds before the division by
    /// the special primes is rounded, in units of the result.
    pub(crate) fn key_switch_error(&self, chain: usize) -> Independent {
        let primes = &self.chain_bits[..chain];
        let digits = self.gadget.digits_of(primes) as f64;
        let sigma = self.error_factor as f64
            * ERROR_DEVIATION
            * (digits * self.degree as f64).sqrt()
            * (self.gadget.deviation_bits_of(primes) - self.special_log2()).exp2();
        self.independent(sigma)
    }

    /// After dropping all but the first `to` of `from` chain primes from a ciphertext of `parts`
    /// components.
    pub(crate) fn switched(&self, noise: Noise, parts: usize, from: usize, to: usize) -> Noise {
        if from == to {
            return noise;
        }
        let divisor = (self.log2_modulus(from) - self.log2_modulus(to)).exp2();
        noise.divided(divisor, self.rounding_error(parts))
    }

    /// Of a product of three components over `from` chain primes, relinearised and switched to `to`
    /// of them in one division.
    pub(crate) fn product_switched(&self, product: Noise, from: usize, to: usize) -> Noise {
        self.switched(product.plus_independent(self.key_switch_error(from)), 2, from, to)
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
