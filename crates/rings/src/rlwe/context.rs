//! A checked ring with its gadget, its security and its noise constants: what every key and
//! ciphertext refers to.

use super::model::factor_norms;
use super::{ERROR_DEVIATION, Level, LimbCount, NoiseModel, SecretBounds, Tails};
use crate::Error;
use fathom_ring::{
    Coeff, ErrorFactor, Eval, FactorPoly, Gadget, Gaussian, Limbs, MaskedProduct, ModDown, Poly,
    Ring, RootValues, Scalar, ScaleInvariant, SecretCoefficients, SecretPoly, SecretRng,
    WideCoefficients,
};
use fathom_security::{
    Assessment, Level as SecurityLevel, SecretDistribution, assess, check, check_ephemeral,
};
use std::sync::{Arc, OnceLock};

/// The unchecked numbers of a context.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextSpec {
    /// Ring degree `N`.
    pub degree: usize,
    /// The primes of ciphertexts, from the last one up.
    pub chain: Vec<u64>,
    /// The special primes of key switching.
    pub special: Vec<u64>,
    /// The gadget of key switching.
    pub gadget: Gadget,
    /// The factor of which errors are multiples.
    pub error_factor: ErrorFactor,
    /// The distribution of the secret.
    pub secret: SecretDistribution,
    /// The security level that is checked.
    pub security: SecurityLevel,
    /// `log2` of the probability allowed that a bound fails.
    pub failure_log2: f64,
    /// `log2` of the largest modulus under which other keys of the same secret are published; zero
    /// if there are none.
    pub published_log2: f64,
}

impl ContextSpec {
    /// Returns `log2` of the largest modulus published under the secret.
    pub fn largest_log2(&self) -> f64 {
        let primes = self.chain.iter().chain(&self.special);
        primes.map(|&p| (p as f64).log2()).sum::<f64>().max(self.published_log2)
    }
}

/// A ring that passed the security check.
#[derive(Debug)]
pub struct Context {
    /// The ring.
    pub ring: Arc<Ring>,
    /// The gadget of key switching.
    pub gadget: Gadget,
    /// The numbers that it was made of.
    pub spec: ContextSpec,
    /// Security of the largest modulus, estimated on first use.
    assessment: OnceLock<Assessment>,
    /// The integer part of the error factor modulo every prime.
    pub(crate) error_scalar: Scalar,
    /// The product of the special primes modulo every prime.
    pub(crate) special_scalar: Scalar,
    /// Bounds values at the roots of `X^N + 1`.
    pub(crate) roots: RootValues,
    error: Gaussian,
    /// The tables of encryption under public keys.
    masked_product: OnceLock<MaskedProduct>,
    /// The numbers on which noise depends.
    pub model: NoiseModel,
    /// The tables of divisions, by the limbs before and after.
    mod_downs: Vec<OnceLock<Vec<OnceLock<ModDown>>>>,
    /// The factor as a polynomial.
    factor: OnceLock<FactorPoly>,
    /// The tables of the scale-invariant product, by level.
    scale_invariant: Vec<OnceLock<Result<ScaleInvariant, Error>>>,
}

/// The degree of the ring in place of that of the parameters when a computation is simulated: the
/// smallest one that there is.
const SIMULATED_DEGREE: usize = 64;

/// Largest number of scale-invariant products of wide integers that are added up before they are
/// divided. Ten bits of the auxiliary primes are for it.
const PRODUCTS_ADDED: usize = 1024;

/// A prime above the absolute values of constants in simulated polynomials.
const STAND_IN: i64 = 1021;

impl Context {
    pub(crate) fn new(spec: ContextSpec) -> Result<Context, Error> {
        check_gadget(&spec)?;
        // Security first: the tables of a refused ring need not be built.
        check(spec.degree, spec.largest_log2(), spec.secret, spec.security)?;
        Context::over(spec.degree, spec)
    }

    /// Creates a context of a sparse secret that is generated for one set of keys and hides nothing
    /// but other secrets.
    pub(crate) fn ephemeral(spec: ContextSpec, weight: u32) -> Result<Context, Error> {
        check_gadget(&spec)?;
        check_ephemeral(spec.degree, spec.largest_log2(), weight, spec.security)?;
        Context::over(spec.degree, spec)
    }

    /// Returns the same context without data: polynomials have so few coefficients that operations
    /// on them take no time, and their content means nothing. Noise, levels and transform counts
    /// are those of the parameters.
    pub(crate) fn simulated(&self) -> Result<Context, Error> {
        Context::over(SIMULATED_DEGREE, self.spec.clone())
    }

    /// Creates a context whose security is not checked.
    #[cfg(any(test, feature = "toys"))]
    pub(crate) fn insecure(spec: ContextSpec) -> Result<Context, Error> {
        check_gadget(&spec)?;
        Context::over(spec.degree, spec)
    }

    /// Creates a checked context over polynomials of this degree.
    fn over(degree: usize, spec: ContextSpec) -> Result<Context, Error> {
        let ring = Ring::new(degree, &spec.chain, &spec.special)?;
        spec.error_factor.check(&ring)?;
        let levels = spec.chain.len() + 1;
        Ok(Context {
            gadget: spec.gadget,
            assessment: OnceLock::new(),
            error_scalar: Scalar::new(&ring, |m| m.reduce(spec.error_factor.integer())),
            special_scalar: Scalar::special_product(&ring),
            roots: RootValues::new(spec.degree),
            error: Gaussian::new(ERROR_DEVIATION)?,
            masked_product: OnceLock::new(),
            model: noise_model(&spec),
            mod_downs: (0..2 * levels).map(|_| OnceLock::new()).collect(),
            factor: OnceLock::new(),
            scale_invariant: spec.chain.iter().map(|_| OnceLock::new()).collect(),
            ring,
            spec,
        })
    }

    /// Returns the security of the largest modulus.
    pub fn assessment(&self) -> &Assessment {
        let log_modulus = self.spec.largest_log2();
        let estimate = || assess(self.spec.degree, log_modulus, self.spec.secret, ERROR_DEVIATION);
        self.assessment.get_or_init(estimate)
    }

    /// Returns the degree of the ring.
    pub fn degree(&self) -> usize {
        self.spec.degree
    }

    /// Returns whether polynomials hold no data: see [`Context::simulated`].
    pub fn is_simulated(&self) -> bool {
        self.ring.degree() != self.spec.degree
    }

    /// Lifts integer coefficients to residues. A simulated polynomial is a constant, zero only in
    /// place of zero, so that a product by it differs from its operand: the value at 2, which is
    /// the integer in place of its digits.
    pub(crate) fn lift(&self, limbs: Limbs, coefficients: &[i64]) -> Poly<Coeff> {
        if !self.is_simulated() {
            return Poly::from_signed(&self.ring, limbs, coefficients);
        }
        let mut content = vec![0; self.ring.degree()];
        let weights = std::iter::successors(Some(1), |weight| Some(weight * 2 % STAND_IN));
        let terms = coefficients.iter().zip(weights);
        let weighted = terms.fold(0, |sum, (&c, weight)| (sum + c % STAND_IN * weight) % STAND_IN);
        let zero = coefficients.iter().all(|&c| c == 0);
        content[0] = if zero || weighted != 0 { weighted } else { 1 };
        Poly::from_signed(&self.ring, limbs, &content)
    }

    /// Returns the NTT values of secret coefficients. A simulated polynomial is zero.
    pub(crate) fn secret_values(&self, limbs: Limbs, secret: &SecretCoefficients) -> SecretPoly {
        if !self.is_simulated() {
            return secret.to_eval(&self.ring, limbs);
        }
        SecretCoefficients::new(vec![0; self.ring.degree()]).to_eval(&self.ring, limbs)
    }

    /// Returns the values of the coefficients of a plaintext. A simulated polynomial is 1 in place
    /// of anything but zero.
    pub(crate) fn wide_values(&self, limbs: Limbs, wide: &WideCoefficients) -> SecretPoly {
        if !self.is_simulated() {
            return wide.to_eval(&self.ring, limbs);
        }
        wide.indicator(self.ring.degree()).to_eval(&self.ring, limbs)
    }

    /// Returns the tables of encryption under public keys, which are built on first use.
    pub(crate) fn masked_product(&self) -> &MaskedProduct {
        self.masked_product.get_or_init(|| MaskedProduct::new(&self.ring, self.spec.error_factor))
    }

    /// Returns the factor of errors as a polynomial, which is built on first use.
    pub(crate) fn factor(&self) -> &FactorPoly {
        let build = || FactorPoly::new(&self.ring, self.spec.error_factor);
        self.factor.get_or_init(|| build().expect("the factor was checked with the ring"))
    }

    /// Returns the tables of the scale-invariant product at a level; they are built on first use.
    ///
    /// # Errors
    /// [`Error::Ring`] if there are not enough auxiliary primes.
    pub(crate) fn scale_invariant(&self, level: Level) -> Result<&ScaleInvariant, Error> {
        let build = || {
            let factor = self.spec.error_factor;
            let capacity = match factor {
                ErrorFactor::One | ErrorFactor::Integer(_) => 1,
                ErrorFactor::Linear(_) => PRODUCTS_ADDED,
            };
            let tables = ScaleInvariant::new(&self.ring, level.limbs().get(), factor, capacity);
            tables.map_err(Error::from)
        };
        self.scale_invariant[level.get()].get_or_init(build).as_ref().map_err(Clone::clone)
    }

    /// Returns the number of special primes.
    pub fn special_count(&self) -> usize {
        self.ring.special_len()
    }

    /// Computes `P c` modulo `Q P`, which is zero modulo the special primes.
    pub fn times_special(&self, c: &Poly<Eval>) -> Poly<Eval> {
        let chain = c.limbs().chain_count();
        let mut out = Poly::zero(&self.ring, Limbs::extended(chain, self.special_count()));
        for row in 0..chain {
            out.row_mut(row).copy_from_slice(c.row(row));
        }
        out.mul_scalar_assign(&self.special_scalar);
        out
    }

    /// Returns the tables of the division from `from` to the first `to` chain primes; they are
    /// built on first use.
    pub fn mod_down(&self, from: Limbs, to: LimbCount) -> &ModDown {
        let levels = self.ring.chain_len() + 1;
        let special = usize::from(from.special_count() > 0);
        let of_limbs = &self.mod_downs[special * levels + from.chain_count()];
        let of_limbs = of_limbs.get_or_init(|| (0..levels).map(|_| OnceLock::new()).collect());
        let build = || ModDown::new(&self.ring, from, to.chain(), self.spec.error_factor);
        of_limbs[to.get()].get_or_init(build)
    }

    /// Draws secrets until one satisfies the bounds of the noise model.
    pub fn sample_secret(&self, rng: &mut SecretRng) -> SecretCoefficients {
        loop {
            let secret = self.draw_secret(rng);
            if self.model.secret.hold(secret.expose(), &self.roots) {
                return secret;
            }
        }
    }

    fn draw_secret(&self, rng: &mut SecretRng) -> SecretCoefficients {
        let n = self.ring.degree();
        match self.spec.secret {
            SecretDistribution::Ternary => fathom_ring::ternary(rng, n),
            SecretDistribution::SparseTernary { weight } => {
                fathom_ring::sparse_ternary(rng, n, weight as usize)
            }
            SecretDistribution::Gaussian => self.sample_error(rng),
        }
    }

    pub(crate) fn sample_error(&self, rng: &mut SecretRng) -> SecretCoefficients {
        self.error.sample(rng, &self.ring, self.ring.degree())
    }

    /// Draws the errors that hide a message under a public key. They are used once, so a less exact
    /// distribution than for keys suffices, and it is faster.
    pub(crate) fn sample_encryption_error(&self, rng: &mut SecretRng) -> SecretCoefficients {
        fathom_ring::centered_binomial(rng, self.degree())
    }
}

fn noise_model(spec: &ContextSpec) -> NoiseModel {
    let sizes = |primes: &[u64]| primes.iter().map(|&q| (q as f64).log2()).collect();
    NoiseModel {
        degree: spec.degree,
        error_factor: factor_norms(spec.error_factor),
        secret: SecretBounds::new(spec.secret, spec.degree),
        gadget: spec.gadget,
        chain_bits: sizes(&spec.chain),
        special_bits: sizes(&spec.special),
        tails: Tails::new(spec.failure_log2, spec.degree),
    }
}

fn check_gadget(spec: &ContextSpec) -> Result<(), Error> {
    let refuse = |field, reason: &str| Err(Error::Spec { field, reason: reason.to_owned() });
    if spec.chain.is_empty() {
        return refuse("chain", "it needs at least one prime");
    }
    match spec.gadget {
        Gadget::Hybrid { limbs: 0 } => refuse("gadget", "a digit needs at least one prime"),
        Gadget::Hybrid { limbs: 65.. } => refuse("gadget", "a digit has at most 64 primes"),
        Gadget::Hybrid { .. } if spec.special.is_empty() => {
            refuse("gadget", "the hybrid gadget needs a special prime")
        }
        Gadget::Positional { .. } if !spec.special.is_empty() => {
            refuse("gadget", "the positional gadget takes no special primes")
        }
        Gadget::Positional { base_log } if !(2..=30).contains(&base_log) => {
            refuse("gadget", "a positional digit has 2 to 30 bits")
        }
        Gadget::Hybrid { .. } | Gadget::Positional { .. } => Ok(()),
    }
}
