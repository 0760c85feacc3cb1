//! A checked ring with its gadget, its security and its noise constants: what every key and ciphertext refers to.

use super::Noise;
use crate::Error;
use fathom_ring::{Gadget, Limbs, ModDown, Ring, Scalar, SecretCoefficients, SecretRng};
use fathom_security::{
    Assessment, Level, SecretDistribution, assess, check, gaussian_tail_factor,
};
use std::sync::{Arc, OnceLock};

/// Standard deviation of the errors, as in the security guidelines (eprint 2024/463).
pub(crate) const ERROR_DEVIATION: f64 = 3.19;

/// The unchecked numbers of a context.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ContextSpec {
    pub(crate) degree: usize,
    pub(crate) chain: Vec<u64>,
    pub(crate) special: Vec<u64>,
    pub(crate) gadget: Gadget,
    /// Errors are multiples of this: the plaintext modulus, or 1.
    pub(crate) error_factor: u64,
    pub(crate) secret: SecretDistribution,
    pub(crate) security: Level,
    pub(crate) failure_log2: f64,
}

/// A ring that passed the security check.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) ring: Arc<Ring>,
    pub(crate) gadget: Gadget,
    pub(crate) spec: ContextSpec,
    pub(crate) assessment: Assessment,
    /// The error factor modulo every prime.
    pub(crate) error_scalar: Scalar,
    /// `bound = fixed + tail * sigma`.
    pub(crate) tail: f64,
    mod_downs: Vec<OnceLock<ModDown>>,
}

impl Context {
    pub(crate) fn new(spec: ContextSpec) -> Result<Context, Error> {
        check_gadget(&spec)?;
        let ring = Ring::new(spec.degree, &spec.chain, &spec.special)?;
        let log_modulus = ring.log2_product(ring.all_limbs());
        check(spec.degree, log_modulus, spec.secret, spec.security)?;
        let assessment = assess(spec.degree, log_modulus, spec.secret, ERROR_DEVIATION);
        let levels = spec.chain.len() + 1;
        Ok(Context {
            gadget: spec.gadget,
            assessment,
            error_scalar: Scalar::new(&ring, |m| m.reduce(spec.error_factor)),
            tail: gaussian_tail_factor(spec.failure_log2, spec.degree),
            mod_downs: (0..2 * levels * levels).map(|_| OnceLock::new()).collect(),
            ring,
            spec,
        })
    }

    pub(crate) fn degree(&self) -> usize {
        self.ring.degree()
    }

    /// The division from `from` to the first `to` chain primes, built on first use.
    pub(crate) fn mod_down(&self, from: Limbs, to: usize) -> &ModDown {
        let levels = self.ring.chain_len() + 1;
        let special = usize::from(from.special_count() > 0);
        let slot = (special * levels + from.chain_count()) * levels + to;
        self.mod_downs[slot].get_or_init(|| {
            ModDown::new(&self.ring, from, Limbs::chain(to), self.spec.error_factor)
        })
    }

    /// `log2` of the modulus over the first `chain` primes.
    pub(crate) fn log2_modulus(&self, chain: usize) -> f64 {
        self.ring.log2_product(Limbs::chain(chain))
    }

    /// Bits left until a phase with this noise could wrap around modulo the first `chain` primes. Negative: it could.
    pub(crate) fn budget_bits(&self, noise: Noise, chain: usize) -> f64 {
        self.log2_modulus(chain) - 1.0 - noise.bound(self.tail).log2()
    }

    /// Deviation of the error that rounding leaves in a phase of `parts` components.
    pub(crate) fn rounding_sigma(&self, parts: usize) -> f64 {
        let s = self.secret_norm_squared();
        let square = if parts > 2 { 2.0 * s * s } else { 0.0 };
        self.spec.error_factor as f64 * ((1.0 + s + square) / 12.0).sqrt()
    }

    /// Deviation of the error that a key switch of a polynomial with `chain` limbs adds before the division by the special
    /// primes is rounded, in units of the result.
    pub(crate) fn key_switch_sigma(&self, chain: usize) -> f64 {
        let digits = self.gadget.digit_count(&self.ring, chain) as f64;
        let digit = self.gadget.digit_deviation_bits(&self.ring, chain).exp2();
        let special = self.special_log2().exp2();
        self.spec.error_factor as f64
            * ERROR_DEVIATION
            * (digits * self.degree() as f64).sqrt()
            * digit
            / special
    }

    /// `log2` of the product of the special primes.
    pub(crate) fn special_log2(&self) -> f64 {
        self.ring.log2_product(Limbs::extended(0, self.ring.special_len()))
    }

    /// Deviation of the phase error of a public-key encryption before any division.
    pub(crate) fn public_key_sigma(&self) -> f64 {
        let ephemeral = self.degree() as f64 * 2.0 / 3.0;
        let spread = (1.0 + ephemeral + self.secret_norm_squared()).sqrt();
        self.spec.error_factor as f64 * ERROR_DEVIATION * spread
    }

    /// Expected squared norm of the secret.
    fn secret_norm_squared(&self) -> f64 {
        let n = self.degree() as f64;
        match self.spec.secret {
            SecretDistribution::Ternary => n * 2.0 / 3.0,
            SecretDistribution::SparseTernary { weight } => f64::from(weight),
            SecretDistribution::Gaussian => n * ERROR_DEVIATION * ERROR_DEVIATION,
        }
    }

    pub(crate) fn sample_secret(&self, rng: &mut SecretRng) -> SecretCoefficients {
        let n = self.degree();
        match self.spec.secret {
            SecretDistribution::Ternary => fathom_ring::ternary(rng, n),
            SecretDistribution::SparseTernary { weight } => {
                fathom_ring::sparse_ternary(rng, n, weight as usize)
            }
            SecretDistribution::Gaussian => self.sample_error(rng),
        }
    }

    pub(crate) fn sample_error(&self, rng: &mut SecretRng) -> SecretCoefficients {
        fathom_ring::gaussian(rng, &self.ring, ERROR_DEVIATION, self.degree())
    }
}

fn check_gadget(spec: &ContextSpec) -> Result<(), Error> {
    let refuse = |field, reason: &str| Err(Error::Spec { field, reason: reason.to_owned() });
    if spec.chain.is_empty() {
        return refuse("chain", "it needs at least one prime");
    }
    match spec.gadget {
        Gadget::Hybrid { limbs: 0 } => refuse("gadget", "a digit needs at least one prime"),
        Gadget::Hybrid { .. } if spec.special.is_empty() => {
            refuse("gadget", "the hybrid gadget needs a special prime")
        }
        Gadget::Positional { .. } if !spec.special.is_empty() => {
            refuse("gadget", "the positional gadget takes no special primes")
        }
        Gadget::Positional { bits } if !(2..=30).contains(&bits) => {
            refuse("gadget", "a positional digit has 2 to 30 bits")
        }
        Gadget::Hybrid { .. } | Gadget::Positional { .. } => Ok(()),
    }
}
