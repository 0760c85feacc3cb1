//! The primes that checked parameters reserve for a bootstrapping.
//!
//! Parameters know that there are such primes, since keys under them are published and count for
//! security. What a bootstrapping makes of them is its own: it is kept here under a type that only
//! the bootstrapping knows, so that CKKS does not depend on it.

use super::schedule::Schedule;
use crate::Error;
use crate::rlwe::{Context, ContextSpec};
use fathom_ring::primes_below;
use std::any::Any;
use std::sync::{Arc, OnceLock};

/// The check of the security of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// Parameters below their security level are refused.
    Checked,
    /// No check, for tests of many circuits at small degrees.
    #[cfg(any(test, feature = "toys"))]
    None,
}

impl Security {
    /// Makes a context of these numbers; the weight is that of an ephemeral secret.
    ///
    /// # Errors
    /// [`Error::Insecure`] for a modulus that is too large; [`Error::Spec`] for a gadget that does
    /// not fit; those of making the ring.
    pub fn context(self, spec: ContextSpec, ephemeral: Option<u32>) -> Result<Context, Error> {
        match (self, ephemeral) {
            (Security::Checked, None) => Context::new(spec),
            (Security::Checked, Some(weight)) => Context::ephemeral(spec, weight),
            #[cfg(any(test, feature = "toys"))]
            (Security::None, _) => Context::insecure(spec),
        }
    }
}

/// The tables that a bootstrapping makes once of its parameters, of a type of its own.
type Made = Arc<dyn Any + Send + Sync>;

/// The primes above those of parameters, and what their bootstrapping made of them.
#[derive(Debug)]
pub struct Reserved {
    /// The primes.
    pub extension: Extension,
    /// The check of the security of the rings that are made of them.
    pub security: Security,
    /// Made on first use, because it takes seconds at large degrees.
    made: OnceLock<Result<Made, Error>>,
}

impl Reserved {
    /// Creates the reserve of parameters with these primes above their own.
    pub fn new(extension: Extension, security: Security) -> Reserved {
        Reserved { extension, security, made: OnceLock::new() }
    }

    /// Returns the name of the set.
    pub fn set_name(&self) -> &'static str {
        self.extension.schedule.name
    }

    /// Returns what `make` makes, which is called once. There is one bootstrapping, so that all
    /// calls ask for the same type.
    ///
    /// # Errors
    /// That of `make`, again at every call.
    pub fn made_once<T: Any + Send + Sync>(
        &self,
        make: impl FnOnce() -> Result<T, Error>,
    ) -> Result<Arc<T>, Error> {
        let made = self.made.get_or_init(|| make().map(|made| Arc::new(made) as Made));
        let made = Arc::clone(made.as_ref().map_err(Clone::clone)?);
        Ok(made.downcast().expect("one bootstrapping has one type"))
    }
}

/// The primes of a bootstrapping above those of its users.
#[derive(Clone, Debug)]
pub struct Extension {
    /// The numbers of the bootstrapping.
    pub schedule: Schedule,
    /// The primes above the users' chain, from the lowest up.
    pub upper: Vec<u64>,
}

impl Extension {
    /// Finds the primes above those of the users' levels.
    ///
    /// # Errors
    /// [`Error::Ring`] if there are not enough primes.
    pub fn find(schedule: Schedule, taken: &[u64]) -> Result<Extension, Error> {
        let (step, mut taken) = (2 * schedule.degree as u64, taken.to_vec());
        let mut upper = Vec::new();
        for bits in schedule.upper_bits().concat() {
            let found = primes_below(bits, step, 1, &taken)?;
            upper.extend(&found);
            taken.extend(found);
        }
        Ok(Extension { schedule, upper })
    }

    /// Returns `log2` of the product of the primes above the users' chain.
    pub fn log2(&self) -> f64 {
        self.upper.iter().map(|&p| (p as f64).log2()).sum()
    }
}
