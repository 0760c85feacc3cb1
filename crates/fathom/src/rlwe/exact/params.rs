//! Parameters: an unchecked description in, a checked and secure set out.

use super::{Plaintext, Scheme};
use crate::Error;
use crate::rlwe::{Context, ContextSpec, Noise};
use fathom_ring::{Gadget, PlainRing, ScaleInvariant, ToPlain, primes_below};
use fathom_security::{Assessment, Level, SecretDistribution};
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

/// Largest prime size, in bits, that every vector kernel supports.
pub(crate) const WIDEST_PRIME: f64 = 45.86;

/// A description of parameters, unchecked.
///
/// Primes are described by their size: the largest ones below `2^bits` that fit are taken, and 46
/// stands for the largest that the vector kernels support.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// A name for messages and result files.
    pub name: String,
    /// Ring degree `N`, a power of two from 64 to 2^17.
    pub degree: usize,
    /// Plaintext modulus `t`, an odd prime.
    pub plain_modulus: u64,
    /// Sizes in bits of the chain primes, the last one to remain first.
    pub chain_bits: Vec<f64>,
    /// Sizes in bits of the special primes of the hybrid gadget.
    pub special_bits: Vec<f64>,
    /// How key switching cuts its operand.
    pub gadget: Gadget,
    /// Nonzero coefficients of a sparse ternary secret; `None` for a uniform ternary one.
    pub secret_weight: Option<u32>,
    /// The security level to be met by the largest modulus.
    pub security: Level,
    /// `log2` of the probability allowed that a ciphertext within its bound decrypts wrongly.
    pub failure_log2: f64,
}

/// Checked parameters of scheme `S`. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Params<S: Scheme> {
    shared: Arc<Shared>,
    scheme: PhantomData<S>,
}

#[derive(Debug)]
struct Shared {
    spec: Spec,
    context: Context,
    plain: PlainRing,
    id: [u8; 32],
    to_plain: Vec<ToPlain>,
    scale_invariant: Vec<OnceLock<Result<ScaleInvariant, Error>>>,
}

impl<S: Scheme> Params<S> {
    /// Finds the primes and checks everything.
    ///
    /// # Errors
    /// [`Error::Insecure`] if the product of all primes is too large for the degree and the level,
    /// [`Error::Spec`] if a field is out of range, [`Error::Ring`] if there are not enough primes.
    pub fn new(spec: Spec) -> Result<Params<S>, Error> {
        check(&spec)?;
        let plain = PlainRing::new(spec.degree, spec.plain_modulus)?;
        let step = 2 * spec.degree as u64;
        let mut taken = vec![spec.plain_modulus];
        let mut find = |bits: &[f64]| -> Result<Vec<u64>, Error> {
            let mut found = Vec::with_capacity(bits.len());
            for bits in bits {
                found.extend(primes_below(bits.min(WIDEST_PRIME), step, 1, &taken)?);
                taken.extend(found.last());
            }
            Ok(found)
        };
        let chain = find(&spec.chain_bits)?;
        let special = find(&spec.special_bits)?;
        let secret = match spec.secret_weight {
            Some(weight) => SecretDistribution::SparseTernary { weight },
            None => SecretDistribution::Ternary,
        };
        let context = Context::new(ContextSpec {
            degree: spec.degree,
            chain,
            special,
            gadget: spec.gadget,
            error_factor: spec.plain_modulus,
            secret,
            security: spec.security,
            failure_log2: spec.failure_log2,
        })?;
        let limbs = spec.chain_bits.len();
        let to_plain =
            (1..=limbs).map(|k| ToPlain::new(&context.ring, k, plain.modulus())).collect();
        let scale_invariant = (0..limbs).map(|_| OnceLock::new()).collect();
        let id = identity::<S>(&context.spec);
        let shared = Shared { spec, context, plain, id, to_plain, scale_invariant };
        Ok(Params { shared: Arc::new(shared), scheme: PhantomData })
    }

    /// The description these parameters were made from.
    pub fn spec(&self) -> &Spec {
        &self.shared.spec
    }

    /// The name, for messages and result files.
    pub fn name(&self) -> &str {
        &self.shared.spec.name
    }

    /// Ring degree `N`.
    pub fn degree(&self) -> usize {
        self.context().degree()
    }

    /// Plaintext modulus `t`.
    pub fn plain_modulus(&self) -> u64 {
        self.shared.spec.plain_modulus
    }

    /// Number of slots: `N`, or 0 if the plaintext modulus has none. They form two rows of half as
    /// many.
    pub fn slot_count(&self) -> usize {
        self.shared.plain.slot_count()
    }

    /// The level of a fresh ciphertext: how many primes can be dropped.
    pub fn top_level(&self) -> usize {
        self.context().ring.chain_len() - 1
    }

    /// The primes of the chain, the last one to remain first.
    pub fn chain(&self) -> &[u64] {
        &self.context().spec.chain
    }

    /// The special primes.
    pub fn special(&self) -> &[u64] {
        &self.context().spec.special
    }

    /// `log2` of the ciphertext modulus at a level.
    pub fn log2_modulus(&self, level: usize) -> f64 {
        self.context().log2_modulus(level + 1)
    }

    /// `log2` of the largest modulus published under the secret key: all primes, special ones
    /// included.
    pub fn log2_largest_modulus(&self) -> f64 {
        self.log2_modulus(self.top_level()) + self.context().special_log2()
    }

    /// Security of the largest modulus, with the model's name.
    pub fn assessment(&self) -> &Assessment {
        &self.context().assessment
    }

    /// Name of the kernel that serves these parameters on this CPU.
    pub fn kernel_name(&self) -> &'static str {
        self.context().ring.kernel().name()
    }

    /// Row transforms done so far under these parameters, by all their users: forward plus inverse.
    pub fn transform_count(&self) -> u64 {
        self.context().ring.transform_count().total()
    }

    /// Identity of scheme, primes and distributions: what must agree for objects to be combined.
    pub fn id(&self) -> &[u8; 32] {
        &self.shared.id
    }

    pub(crate) fn context(&self) -> &Context {
        &self.shared.context
    }

    pub(crate) fn plain(&self) -> &PlainRing {
        &self.shared.plain
    }

    pub(crate) fn to_plain(&self, limbs: usize) -> &ToPlain {
        &self.shared.to_plain[limbs - 1]
    }

    pub(crate) fn scale_invariant(&self, level: usize) -> Result<&ScaleInvariant, Error> {
        let build = || {
            let t = self.plain_modulus();
            ScaleInvariant::new(&self.context().ring, level + 1, t).map_err(Error::from)
        };
        self.shared.scale_invariant[level].get_or_init(build).as_ref().map_err(Clone::clone)
    }

    pub(crate) fn message_bound(&self) -> f64 {
        self.plain_modulus() as f64 / 2.0
    }

    pub(crate) fn budget_bits(&self, noise: Noise, level: usize) -> f64 {
        self.context().budget_bits(noise, level + 1)
    }

    pub(crate) fn same<T: Scheme>(&self, other: &Params<T>) -> Result<(), Error> {
        if Arc::ptr_eq(&self.shared, &other.shared) || self.id() == other.id() {
            return Ok(());
        }
        Err(Error::ParamsMismatch { left: self.name().to_owned(), right: other.name().to_owned() })
    }

    /// An all-zero plaintext.
    pub fn zero_plaintext(&self) -> Plaintext<S> {
        Plaintext::from_coefficients(self, vec![0; self.degree()])
    }
}

impl<S: Scheme> PartialEq for Params<S> {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Spec {
    /// Bytes of the longest name.
    pub const LONGEST_NAME: usize = 256;
}

fn check(spec: &Spec) -> Result<(), Error> {
    let refuse = |field, reason: String| Err(Error::Spec { field, reason });
    if spec.name.len() > Spec::LONGEST_NAME {
        return refuse("name", format!("it has more than {} bytes", Spec::LONGEST_NAME));
    }
    let all = || spec.chain_bits.iter().chain(&spec.special_bits);
    if let Some(bits) = all().find(|b| !(14.0..=61.0).contains(*b)) {
        return refuse("chain_bits", format!("a prime of {bits} bits is not between 14 and 61"));
    }
    if all().count() > 64 {
        return refuse("chain_bits", format!("{} primes are more than 64", all().count()));
    }
    if !(-256.0..=-20.0).contains(&spec.failure_log2) {
        let reason = format!("2^{} is not between 2^-256 and 2^-20", spec.failure_log2);
        return refuse("failure_log2", reason);
    }
    // Lifting fresh errors and messages then needs no division.
    let t_bits = (spec.plain_modulus as f64).log2();
    let too_small = |field, bits: &[f64], needed: f64| match bits.iter().find(|&&b| b < needed) {
        Some(b) => refuse(field, format!("{b} bits, but t of {t_bits:.1} bits needs {needed:.1}")),
        None => Ok(()),
    };
    too_small("chain_bits", &spec.chain_bits, t_bits + 6.0)?;
    too_small("special_bits", &spec.special_bits, t_bits + 1.0)
}

fn identity<S: Scheme>(spec: &ContextSpec) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key("fathom 1 parameters");
    hasher.update(S::NAME.as_bytes());
    let (kind, size) = match spec.gadget {
        Gadget::Hybrid { limbs } => (0u64, limbs as u64),
        Gadget::Positional { bits } => (1, u64::from(bits)),
    };
    let weight = match spec.secret {
        SecretDistribution::Ternary => 0,
        SecretDistribution::SparseTernary { weight } => u64::from(weight),
        SecretDistribution::Gaussian => u64::MAX,
    };
    let numbers = [spec.degree as u64, spec.error_factor, kind, size, weight];
    let lengths = [spec.chain.len() as u64, spec.special.len() as u64];
    for number in numbers.iter().chain(&lengths).chain(&spec.chain).chain(&spec.special) {
        hasher.update(&number.to_le_bytes());
    }
    *hasher.finalize().as_bytes()
}
