//! The part of checked parameters that their bootstrapping needs.

use super::schedule::Schedule;
use super::stages::{Messages, Primes, Stages};
use crate::Error;
use crate::rlwe::{Context, ContextSpec};
use fathom_ring::primes_below;
use std::sync::{Arc, OnceLock};

/// The check of the security of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Security {
    Checked,
    /// No check, for tests of many circuits at small degrees.
    #[cfg(test)]
    None,
}

impl Security {
    /// Makes a context of these numbers; the weight is that of an ephemeral secret.
    pub(crate) fn context(
        self,
        spec: ContextSpec,
        ephemeral: Option<u32>,
    ) -> Result<Context, Error> {
        match (self, ephemeral) {
            (Security::Checked, None) => Context::new(spec),
            (Security::Checked, Some(weight)) => Context::ephemeral(spec, weight),
            #[cfg(test)]
            (Security::None, _) => Context::insecure(spec),
        }
    }
}

/// The bootstrapping of parameters: its primes, and its rings once they are used.
#[derive(Debug)]
pub(crate) struct Bootstrapping {
    extension: Extension,
    security: Security,
    /// Built on first use, because they take seconds at large degrees.
    stages: OnceLock<Result<Arc<Stages>, Error>>,
}

impl Bootstrapping {
    /// Creates the bootstrapping of parameters with these primes above their own.
    pub(crate) fn new(extension: Extension, security: Security) -> Bootstrapping {
        Bootstrapping { extension, security, stages: OnceLock::new() }
    }

    /// Returns the name of the set.
    pub(crate) fn set_name(&self) -> &'static str {
        self.extension.schedule.name
    }

    /// Returns the rings, over the primes of this description.
    ///
    /// # Errors
    /// Those of making the rings.
    pub(crate) fn stages(
        &self,
        users: &ContextSpec,
        messages: Messages,
    ) -> Result<&Arc<Stages>, Error> {
        let create = |spec, ephemeral| self.security.context(spec, ephemeral);
        let Extension { schedule, upper } = &self.extension;
        let primes = Primes { upper, low_special: &users.special[..schedule.out_special] };
        let build = || Stages::new(schedule, primes, users, messages, create).map(Arc::new);
        self.stages.get_or_init(build).as_ref().map_err(Clone::clone)
    }
}

/// The primes of a bootstrapping above those of its users.
#[derive(Clone, Debug)]
pub(crate) struct Extension {
    pub(crate) schedule: Schedule,
    /// The primes above the users' chain, from the lowest up.
    pub(crate) upper: Vec<u64>,
}

impl Extension {
    /// Finds the primes above those of the users' levels.
    pub(crate) fn find(schedule: Schedule, taken: &[u64]) -> Result<Extension, Error> {
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
    pub(crate) fn log2(&self) -> f64 {
        self.upper.iter().map(|&p| (p as f64).log2()).sum()
    }
}
