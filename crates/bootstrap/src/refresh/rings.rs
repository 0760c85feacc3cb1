//! The rings of a refresh, for parameters of an exact scheme.

use crate::numbers::RATIO;
use crate::stages::{Messages, Primes, Stages};
use fathom_base::Error;
use fathom_ring::{ErrorFactor, Gadget, primes_below};
use fathom_rings::internals::{
    ContextSpec, Extension, ParamsInternals, Schedule, Security, WIDEST_PRIME,
};
use fathom_rings::rlwe::Params;
use fathom_rings::rlwe::modular::Modular;
use fathom_security::{Adversary, SecretDistribution, check, max_log_modulus};

impl Stages {
    /// Makes the rings for ciphertexts of these parameters, and checks what is published under
    /// their secret: the keys under which results go back to it.
    ///
    /// # Errors
    /// [`Error::Insecure`] if the degree of the parameters is too small for these keys;
    /// [`Error::Spec`] for a degree above that of the large ring, or a failure probability of
    /// zero; [`Error::Ring`] if there are not enough primes.
    pub(super) fn for_refresh<S: Modular>(
        params: &Params<S>,
        schedule: &Schedule,
        security: Security,
    ) -> Result<Stages, Error> {
        let users = &params.context().spec;
        let refuse = |field, reason| Err(Error::Spec { field, reason });
        if users.degree > schedule.degree {
            let reason =
                format!("a refresh takes at most {}, not {}", schedule.degree, users.degree);
            return refuse("degree", reason);
        }
        if params.context().model.tails.are_worst_case() {
            let reason = "a refresh has a failure probability: take one of 2^-128".to_owned();
            return refuse("failure_log2", reason);
        }
        let step = 2 * schedule.degree as u64;
        // The moduli of both rings must have no common prime.
        let mut taken = users.chain.clone();
        let mut find = |bits: &[f64]| -> Result<Vec<u64>, Error> {
            let mut found = Vec::with_capacity(bits.len());
            for &bits in bits {
                found.extend(primes_below(bits, step, 1, &taken)?);
                taken.extend(found.last());
            }
            Ok(found)
        };
        let chain = find(&schedule.base_bits)?;
        let special = find(&schedule.special_bits)?;
        let log2 = |primes: &[u64]| primes.iter().map(|&p| (p as f64).log2()).sum::<f64>();
        let limit =
            max_log_modulus(users.degree, users.secret, users.security, Adversary::Classical);
        let room = limit.map_or(0.0, f64::from) - log2(&chain);
        let low_special = find(&[room.clamp(LEAST_SPECIAL, WIDEST_PRIME)])?;
        check(users.degree, log2(&chain) + log2(&low_special), users.secret, users.security)?;
        let own = ContextSpec {
            degree: schedule.degree,
            chain,
            special,
            gadget: Gadget::Hybrid { limbs: schedule.digit_limbs },
            error_factor: ErrorFactor::One,
            secret: SecretDistribution::Ternary,
            security: users.security,
            failure_log2: users.failure_log2,
            published_log2: 0.0,
        };
        taken.extend(low_special.iter().copied());
        let Extension { upper, .. } = Extension::find(schedule.clone(), &taken)?;
        let primes = Primes { upper: &upper, low_special: &low_special };
        let messages = Messages {
            magnitude: 1.0 / RATIO,
            top_scale: schedule.result_scale(),
            base_scale: 1.0,
        };
        let create = |spec, ephemeral| security.context(spec, ephemeral);
        Stages::new(schedule, primes, &own, messages, create)
    }
}

/// Fewest bits of the special prime of the keys that lead back: with less, their errors count.
const LEAST_SPECIAL: f64 = 30.0;
