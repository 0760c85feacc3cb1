//! The model of a parameter set that noise depends on: sizes instead of primes. Every deviation
//! and every rule about levels stands here once, for the operations and for the planner.
//! Derivations: docs/maths/noise.md.

use super::{Bounds, LimbCount, Noise, Norms, Random, Relation, Tails};
use fathom_ring::{ErrorFactor, Gadget, RootValues};
use fathom_security::SecretDistribution;

/// Standard deviation of the errors, as in the security guidelines (eprint 2024/463).
pub(crate) const ERROR_DEVIATION: f64 = 3.19;

/// Variance of the errors of an encryption under a public key: a centred binomial distribution of
/// deviation 3.24.
const ENCRYPTION_ERROR_VARIANCE: f64 = 10.5;
/// The largest such error.
const LARGEST_ENCRYPTION_ERROR: f64 = 21.0;

/// The largest error of deviation [`ERROR_DEVIATION`] that the sampler returns: larger ones have a
/// probability below 2^-63.
pub(crate) const LARGEST_ERROR: f64 = 30.0;

/// The sizes of a context.
#[derive(Clone, Debug, PartialEq)]
pub struct NoiseModel {
    pub(crate) degree: usize,
    /// Norms of the factor of which errors are multiples: the plaintext modulus, or 1.
    pub(crate) error_factor: Norms,
    pub(crate) secret: SecretBounds,
    pub(crate) gadget: Gadget,
    /// `log2` of each chain prime.
    pub chain_bits: Vec<f64>,
    /// `log2` of each special prime.
    pub special_bits: Vec<f64>,
    /// Factors that random polynomials do not exceed, but with the failure probability.
    pub tails: Tails,
}

/// Bounds that every secret keeps: key generation draws again until one does, which a uniform
/// ternary secret passes four times in five (docs/maths/noise.md).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SecretBounds {
    /// Bound on the sum of the squares of the coefficients.
    pub(crate) squares: f64,
    /// Bound on the value at every root of `X^N + 1`.
    pub(crate) root: f64,
}

impl SecretBounds {
    /// Creates the bounds for secrets of this distribution.
    ///
    /// A value at a root is nearly a complex Gaussian, so that all `N/2` pairs of roots keep
    /// `sqrt(ln N + 1)` times the root mean square with probability `1 - 1/(2e)` or so.
    pub(crate) fn new(secret: SecretDistribution, degree: usize) -> SecretBounds {
        let n = degree as f64;
        let (mean, deviation) = match secret {
            SecretDistribution::Ternary => (n * 2.0 / 3.0, (n * 2.0 / 9.0).sqrt()),
            SecretDistribution::SparseTernary { weight } => (f64::from(weight), 0.0),
            SecretDistribution::Gaussian => {
                let variance = ERROR_DEVIATION * ERROR_DEVIATION;
                (n * variance, variance * (2.0 * n).sqrt())
            }
        };
        SecretBounds { squares: mean + 2.0 * deviation, root: ((n.ln() + 1.0) * mean).sqrt() }
    }

    /// Tells whether a secret keeps the bounds. Nothing but the answer depends on its coefficients.
    pub(crate) fn hold(&self, secret: &[i64], roots: &RootValues) -> bool {
        let squares: i64 = secret.iter().map(|c| c * c).sum();
        (squares as f64 <= self.squares) & roots.within(secret, self.root)
    }
}

/// Returns the norms of a product with the factor.
pub(crate) fn factor_norms(factor: ErrorFactor) -> Norms {
    match factor {
        ErrorFactor::One | ErrorFactor::Integer(_) => Norms::of_integer(factor.integer() as f64),
        ErrorFactor::Linear(b) => {
            let b = f64::from(b);
            Norms { absolute: b + 1.0, euclidean: b.hypot(1.0), root: b + 1.0 }
        }
    }
}

impl NoiseModel {
    /// Returns `log2` of the modulus over the first `chain` primes.
    pub fn log2_modulus(&self, chain: LimbCount) -> f64 {
        self.chain_bits[..chain.get()].iter().sum()
    }

    /// Returns `log2` of the product of the special primes.
    pub(crate) fn special_log2(&self) -> f64 {
        self.special_bits.iter().sum()
    }

    /// Returns `log2` of the bound that no coefficient of a phase with this noise exceeds.
    pub(crate) fn bound_bits(&self, noise: Noise) -> f64 {
        noise.bound(self.tails).log2()
    }

    /// Returns the bits left until a phase with this noise could wrap around modulo the first
    /// `chain` primes. A negative number means that it could.
    pub fn budget_bits(&self, noise: Noise, chain: LimbCount) -> f64 {
        let bound = noise.bound(self.tails);
        // Products of enormous bounds may leave the range of numbers.
        let bound = if bound.is_nan() { f64::INFINITY } else { bound };
        self.log2_modulus(chain) - 1.0 - bound.log2()
    }

    /// Returns the noise of a fresh encryption under the secret key of messages within `message`.
    pub(crate) fn secret_key_noise(&self, message: Bounds) -> Noise {
        let error = self.error(
            || Random::white(ERROR_DEVIATION),
            || Bounds::of_coefficients(LARGEST_ERROR, self.degree),
        );
        Noise::of_message(message).plus_independent(error.times_polynomial(self.error_factor))
    }

    /// Returns the noise of a fresh encryption under the public key of messages within `message`,
    /// after the division by the special primes, if there are any.
    pub(crate) fn public_key_noise(&self, message: Bounds) -> Noise {
        let error = self.error(|| self.public_key_error(), || self.largest_public_key_error());
        let error = self.of_keys(error, 1.0).times_polynomial(self.error_factor);
        let message = Noise::of_message(message);
        if self.special_bits.is_empty() {
            return message.plus_independent(error);
        }
        let divided = error.times((-self.special_log2()).exp2());
        message.plus_independent(divided).plus_independent(self.rounding_error(2))
    }

    /// Returns the parameters of `u e + e_0 + e_1 s`, given the errors `e` of the public key and
    /// the secret `s`.
    fn public_key_error(&self) -> Random {
        let SecretBounds { squares, root } = self.secret;
        let error = self.key_error();
        let parameter = |of_error: f64, of_secret: f64| {
            (of_error * of_error * 2.0 / 3.0 + ENCRYPTION_ERROR_VARIANCE * (1.0 + of_secret)).sqrt()
        };
        Random::turned(
            parameter(error.coefficient, squares),
            parameter(error.direction, root * root),
        )
    }

    /// Returns the largest `u e + e_0 + e_1 s`, for a ternary `u`.
    fn largest_public_key_error(&self) -> Bounds {
        let own = Bounds::of_coefficients(LARGEST_ENCRYPTION_ERROR, self.degree);
        let masked =
            Bounds::of_coefficients(1.0, self.degree).times_polynomial(self.largest_error());
        own.plus(own.times_polynomial(self.largest_secret())).plus(masked)
    }

    /// Returns the Euclidean norm of an error polynomial of a key, and its largest value at a root.
    fn key_error(&self) -> Random {
        let root_n = (self.degree as f64).sqrt();
        Random::turned(
            ERROR_DEVIATION * (root_n + self.tails.euclidean),
            ERROR_DEVIATION * root_n * self.tails.root,
        )
    }

    /// Returns the parameter in any direction of the product of an error polynomial of a key with
    /// independent coefficients of this parameter.
    pub fn key_errors_times(&self, parameter: f64) -> f64 {
        self.key_error().direction * parameter
    }

    /// Returns the norms of an error polynomial of a key that holds nothing but the largest error.
    fn largest_error(&self) -> Norms {
        let n = self.degree as f64;
        Norms { absolute: n, euclidean: n.sqrt(), root: n }.times(LARGEST_ERROR)
    }

    /// Returns norms that no secret exceeds: integers are at most their squares.
    fn largest_secret(&self) -> Norms {
        let SecretBounds { squares, root } = self.secret;
        let absolute = squares.min((self.degree as f64 * squares).sqrt());
        Norms { absolute, euclidean: squares.sqrt(), root }
    }

    /// Returns an error of the library's own: its parameters, or its norms in the worst case.
    fn error(&self, random: impl FnOnce() -> Random, largest: impl FnOnce() -> Bounds) -> Noise {
        if self.tails.are_worst_case() {
            Noise::of_rest(largest())
        } else {
            Noise::of_random(random())
        }
    }

    /// Returns the error of a coefficient that is rounded at random to a neighbouring integer.
    pub(crate) fn dither_error(&self) -> Noise {
        self.error(|| Random::white(0.5), || Bounds::of_coefficients(1.0, self.degree))
    }

    /// Returns the error that rounding leaves in a phase of `parts` components.
    pub fn rounding_error(&self, parts: usize) -> Noise {
        let SecretBounds { squares, root } = self.secret;
        let random = || {
            // `t (e_0 + e_1 s + e_2 s^2)`, with `e_i` uniform over an interval of length 1, given
            // `s`.
            let (coefficient, direction) = match parts {
                0..=2 => (1.0 + squares, 1.0 + root * root),
                _ => (1.0 + squares * (1.0 + root * root), 1.0 + root * root + root.powi(4)),
            };
            let error = Random::turned(coefficient.sqrt(), direction.sqrt());
            error.times(1.0 / 12f64.sqrt())
        };
        let largest = || {
            let own = Bounds::of_coefficients(0.5, self.degree);
            let once = own.times_polynomial(self.largest_secret());
            let twice = once.times_polynomial(self.largest_secret());
            own.plus(once).plus(if parts > 2 { twice } else { Bounds::default() })
        };
        self.error(random, largest).times_polynomial(self.error_factor)
    }

    /// Returns the error that a key switch of a polynomial with `chain` limbs adds before the
    /// division by the special primes is rounded, in units of the result.
    pub fn key_switch_error(&self, chain: LimbCount) -> Noise {
        let primes = &self.chain_bits[..chain.get()];
        let digits = self.gadget.digits_of(primes) as f64;
        // Digits of mean zero times the errors of the key, given those.
        let size = (self.gadget.parameter_bits_of(primes) - self.special_log2()).exp2();
        let random = || self.key_error().times(digits.sqrt() * size);
        // A number that is uniform around zero is at most `sqrt(12) / 2` of its deviations.
        let largest = || {
            let digit = Bounds::of_coefficients(3f64.sqrt() * size, self.degree);
            digit.times(digits).times_polynomial(self.largest_error())
        };
        let error = self.error(random, largest);
        self.of_keys(error, digits).times_polynomial(self.error_factor)
    }

    /// Returns a bound on an error that rests on two norms of each of this number of error
    /// polynomials of keys.
    fn of_keys(&self, error: Noise, count: f64) -> Noise {
        if self.tails.are_worst_case() { error } else { error.with_tails(2.0 * count) }
    }

    /// Returns `log2` of the probability that a bound fails that rests on this noise and one more
    /// bound of theorem 1: at most the sum over all of them.
    pub(crate) fn failure_log2(&self, noise: Noise) -> f64 {
        self.tails.failure_log2 + (noise.tails + 1.0).log2()
    }

    /// Returns the noise after a division by the special primes, if there are any.
    pub(crate) fn after_special_division(&self, noise: Noise) -> Noise {
        if self.special_bits.is_empty() {
            return noise;
        }
        noise.plus_independent(self.rounding_error(2))
    }

    /// Returns the noise of a ciphertext of two components after a key switch at `chain` limbs.
    pub fn key_switched(&self, noise: Noise, chain: LimbCount) -> Noise {
        self.after_special_division(noise.plus_independent(self.key_switch_error(chain)))
    }

    /// Returns the norms of any message with coefficients up to `bound`.
    pub(crate) fn message_of_coefficients(&self, bound: f64) -> Bounds {
        Bounds::of_coefficients(bound, self.degree)
    }

    /// Returns the noise of a product of two phases.
    pub fn multiplied(&self, left: Noise, right: Noise, relation: Relation) -> Noise {
        left.multiplied(right, relation, self.degree, self.tails)
    }

    /// Returns the norms of the part of a phase that does not depend on messages alone.
    pub fn norms(&self, noise: Noise) -> Bounds {
        noise.norms(self.degree, self.tails)
    }

    /// Returns the noise of a ciphertext of `parts` components after dropping all but the first
    /// `to` of `from` chain primes.
    pub fn switched(&self, noise: Noise, parts: usize, from: LimbCount, to: LimbCount) -> Noise {
        if from == to {
            return noise;
        }
        let divisor = (self.log2_modulus(from) - self.log2_modulus(to)).exp2();
        noise.divided(divisor, self.rounding_error(parts))
    }

    /// Returns the noise of a product of three components over `from` chain primes, relinearised
    /// and switched to `to` of them in one division.
    pub fn product_switched(&self, product: Noise, from: LimbCount, to: LimbCount) -> Noise {
        self.switched(product.plus_independent(self.key_switch_error(from)), 2, from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_ring::{SecretRng, ternary};

    #[test]
    fn most_secrets_keep_the_bounds() {
        for degree in [64, 1024, 4096, 16_384] {
            let bounds = SecretBounds::new(SecretDistribution::Ternary, degree);
            let roots = RootValues::new(degree);
            let mut rng = SecretRng::insecure_from_seed(1);
            let kept = (0..100).filter(|_| bounds.hold(ternary(&mut rng, degree).expose(), &roots));
            let kept = kept.count();
            assert!((65..=95).contains(&kept), "degree {degree}: {kept} of 100");
        }
    }

    #[test]
    fn no_sample_exceeds_the_largest_error() {
        let gaussian = fathom_ring::Gaussian::new(ERROR_DEVIATION).unwrap();
        assert!(gaussian.largest() as f64 <= LARGEST_ERROR, "{}", gaussian.largest());
        let mut rng = SecretRng::insecure_from_seed(2);
        let drawn = fathom_ring::centered_binomial(&mut rng, 1 << 16);
        let largest = drawn.expose().iter().map(|c| c.abs()).max().unwrap();
        assert!(largest as f64 <= LARGEST_ENCRYPTION_ERROR);
    }

    #[test]
    fn a_secret_beyond_the_bounds_is_told_apart() {
        let bounds = SecretBounds::new(SecretDistribution::Ternary, 1024);
        let roots = RootValues::new(1024);
        assert!(!bounds.hold(&[1; 1024], &roots));
        // As heavy as most, but all of it at one root.
        let aligned: Vec<i64> = (0..1024).map(|i| i64::from(i < 683)).collect();
        assert!(!bounds.hold(&aligned, &roots));
    }
}
