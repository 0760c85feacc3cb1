//! Parameters of a ring scheme: a checked context and the tables of the encoding.
//!
//! A scheme describes them by its `Spec` or names one of its `Preset`s, and converts either by
//! `TryFrom`.

use super::{Context, Encoding, Level, Noise};
use crate::Error;
use fathom_ring::{ErrorFactor, Gadget};
use fathom_security::{Assessment, SecretDistribution};
use std::sync::Arc;

/// Checked parameters of scheme `S`. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Params<S: Encoding> {
    shared: Arc<Shared<S>>,
}

#[derive(Debug)]
struct Shared<S: Encoding> {
    name: String,
    context: Context,
    id: [u8; 32],
    tables: Arc<S::Tables>,
}

impl<S: Encoding> Params<S> {
    /// Joins a checked context with the tables of the scheme.
    pub(crate) fn from_parts(name: String, context: Context, tables: S::Tables) -> Params<S> {
        Params::from_distinguished_parts(name, context, tables, &[])
    }

    /// Creates parameters as [`Params::from_parts`] does, with the numbers of `distinction`, which
    /// must also agree for objects to be combined.
    pub(crate) fn from_distinguished_parts(
        name: String,
        context: Context,
        tables: S::Tables,
        distinction: &[u64],
    ) -> Params<S> {
        let id = identity::<S>(&context, distinction);
        Params { shared: Arc::new(Shared { name, context, id, tables: Arc::new(tables) }) }
    }

    /// Returns the same parameters without data, for simulated computations.
    ///
    /// # Errors
    /// [`Error::Ring`] if the variable `FATHOM_KERNEL` names a kernel that cannot serve them.
    pub(crate) fn simulated(&self) -> Result<Params<S>, Error> {
        let Shared { name, context, id, tables } = &*self.shared;
        let (name, context) = (name.clone(), context.simulated()?);
        let shared = Shared { name, context, id: *id, tables: Arc::clone(tables) };
        Ok(Params { shared: Arc::new(shared) })
    }

    /// Returns the name used in messages and result files.
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// Returns the ring degree `N`.
    pub fn degree(&self) -> usize {
        self.context().degree()
    }

    /// Returns the level of a fresh ciphertext: the number of primes that can be dropped.
    pub fn top_level(&self) -> Level {
        Level::new(self.context().ring.chain_len() - 1)
    }

    /// Returns the primes of the chain, in the order in which levels keep them: level `l` has the
    /// first `l + 1`.
    pub fn chain(&self) -> &[u64] {
        &self.context().spec.chain
    }

    /// Returns the special primes.
    pub fn special(&self) -> &[u64] {
        &self.context().spec.special
    }

    /// Returns `log2` of the ciphertext modulus at a level.
    ///
    /// # Errors
    /// [`Error::NoSuchLevel`] for a level above [`Params::top_level`].
    pub fn log2_modulus(&self, level: impl Into<Level>) -> Result<f64, Error> {
        let level = level.into();
        self.check_level(level)?;
        Ok(self.context().model.log2_modulus(level.limbs()))
    }

    /// Returns `log2` of the largest modulus published under the secret key: that of all primes,
    /// special ones included, or that of the bootstrapping keys, where there are any.
    pub fn log2_largest_modulus(&self) -> f64 {
        self.context().spec.largest_log2()
    }

    /// Returns the security of the largest modulus, with the name of the model.
    pub fn assessment(&self) -> &Assessment {
        self.context().assessment()
    }

    /// Returns the name of the kernel that these parameters use on this CPU.
    pub fn kernel_name(&self) -> &'static str {
        self.context().ring.kernel().name()
    }

    /// Returns the number of row transforms, forward and inverse, computed so far under these
    /// parameters by all their users.
    pub fn transform_count(&self) -> u64 {
        self.context().ring.transform_count().total()
    }

    /// Returns the hash of everything in a description but the name: scheme, primes, distributions,
    /// security level, failure probability, and what the encoding assumes about messages. Two
    /// objects can be combined only if their hashes agree.
    pub fn id(&self) -> &[u8; 32] {
        &self.shared.id
    }

    pub(crate) fn context(&self) -> &Context {
        &self.shared.context
    }

    pub(crate) fn tables(&self) -> &S::Tables {
        &self.shared.tables
    }

    /// Returns the bits by which a phase with this noise stays below the limit of a level.
    pub(crate) fn budget_bits(&self, noise: Noise, level: Level) -> f64 {
        self.context().model.budget_bits(noise, level.limbs())
    }

    /// Refuses objects of other parameters.
    pub(crate) fn same(&self, other: &Params<S>) -> Result<(), Error> {
        if Arc::ptr_eq(&self.shared, &other.shared) {
            return Ok(());
        }
        if self.id() == other.id() {
            let alike = self.context().is_simulated() == other.context().is_simulated();
            return if alike { Ok(()) } else { Err(Error::Simulated { operation: "this" }) };
        }
        Err(Error::ParamsMismatch { left: self.name().to_owned(), right: other.name().to_owned() })
    }

    /// Refuses a level above the top.
    pub(crate) fn check_level(&self, level: Level) -> Result<(), Error> {
        let top = self.top_level();
        if level > top { Err(Error::NoSuchLevel { from: top, to: level }) } else { Ok(()) }
    }
}

impl<S: Encoding> PartialEq for Params<S> {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

/// Hashes everything that must agree for objects to be combined.
fn identity<S: Encoding>(context: &Context, distinction: &[u64]) -> [u8; 32] {
    let spec = &context.spec;
    let mut hasher = blake3::Hasher::new_derive_key("fathom 2 parameters");
    hasher.update(S::NAME.as_bytes());
    let (kind, size) = match spec.gadget {
        Gadget::Hybrid { limbs } => (0u64, limbs as u64),
        Gadget::Positional { base_log } => (1, u64::from(base_log)),
    };
    let weight = match spec.secret {
        SecretDistribution::Ternary => 0,
        SecretDistribution::SparseTernary { weight } => u64::from(weight),
        SecretDistribution::Gaussian => u64::MAX,
    };
    let factor = match spec.error_factor {
        // Integer factors are below 2^63.
        ErrorFactor::Linear(b) => 1 << 63 | u64::from(b),
        ErrorFactor::One | ErrorFactor::Integer(_) => spec.error_factor.integer(),
    };
    // The failure probability is part of every bound that a ciphertext carries.
    let (security, failure) = (u64::from(spec.security.bits()), spec.failure_log2.to_bits());
    let numbers = [spec.degree as u64, factor, kind, size, weight, security, failure];
    let lengths = [spec.chain.len() as u64, spec.special.len() as u64];
    let primes = spec.chain.iter().chain(&spec.special);
    for number in numbers.iter().chain(&lengths).chain(primes).chain(distinction) {
        hasher.update(&number.to_le_bytes());
    }
    *hasher.finalize().as_bytes()
}

impl<S: Encoding> Params<S> {
    /// Makes parameters from a description, the `Spec` of the scheme: finds the primes and checks
    /// everything.
    ///
    /// # Errors
    /// [`Error::Insecure`] if the product of all primes is too large for the degree and the level,
    /// [`Error::Spec`] if a field is out of range, [`Error::Ring`] if there are not enough primes
    /// or if the variable `FATHOM_KERNEL` names a kernel that cannot serve them.
    pub fn new<D>(description: D) -> Result<Params<S>, Error>
    where
        Params<S>: TryFrom<D, Error = Error>,
    {
        Params::try_from(description)
    }

    /// Makes the parameters of a `Preset` of the scheme.
    ///
    /// # Errors
    /// [`Error::Ring`] if the variable `FATHOM_KERNEL` names a kernel that cannot serve the set; a
    /// preset has no other errors on a CPU that has the portable kernel.
    pub fn preset<D>(preset: D) -> Result<Params<S>, Error>
    where
        Params<S>: TryFrom<D, Error = Error>,
    {
        Params::try_from(preset)
    }
}
