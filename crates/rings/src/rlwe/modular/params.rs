//! Parameters: an unchecked description in, a checked and secure set out.

use super::{Modular, Plaintext, Spec, Tables};
use crate::Error;
use crate::rlwe::{Bounds, Context, ContextSpec, LimbCount, Params, check_failure};
use fathom_ring::{ErrorFactor, PlainRing, ToPlain, is_prime, primes_below};
use fathom_security::SecretDistribution;
use std::sync::{Arc, OnceLock};

/// Largest prime size, in bits, that every vector kernel supports.
pub const WIDEST_PRIME: f64 = 45.86;
/// Bits by which a prime of the chain is larger than the plaintext modulus: a fresh phase `m + t e`
/// with `|m| <= t / 2` and `|e| <= 21` is then below half of each prime.
pub(crate) const ROOM_FOR_ERRORS: f64 = 5.5;

/// Requirement that a refused plaintext modulus misses, with the schemes that take it.
pub(super) const ODD_PRIME: &str = "odd prime; compute modulo 2 or 2^k under tfhe, without a \
                                    modulus under wide, or take a prime of batching_primes";

impl<S: Modular> TryFrom<Spec> for Params<S> {
    type Error = Error;

    fn try_from(spec: Spec) -> Result<Params<S>, Error> {
        check(&spec)?;
        let t = spec.plain_modulus;
        if !is_prime(t) || t == 2 {
            let reason = format!("{t} is not an {ODD_PRIME}");
            return Err(Error::Spec { field: "plain_modulus", reason });
        }
        let plain = PlainRing::new(spec.degree, t)?;
        let step = 2 * spec.degree as u64;
        let mut taken = vec![spec.plain_modulus];
        let mut find = |bits: &[f64]| -> Result<Vec<u64>, Error> {
            let mut found = Vec::with_capacity(bits.len());
            for bits in bits {
                found.extend(primes_below(realised(*bits), step, 1, &taken)?);
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
            error_factor: ErrorFactor::Integer(spec.plain_modulus),
            secret,
            security: spec.security,
            failure_log2: spec.failure_log2,
            published_log2: 0.0,
        })?;
        let to_plain = spec.chain_bits.iter().map(|_| OnceLock::new()).collect();
        let name = spec.name.clone();
        let ring = Arc::clone(&context.ring);
        Ok(Params::from_parts(name, context, Tables { spec, plain, ring, to_plain }))
    }
}

impl<S: Modular> Params<S> {
    /// Returns the description these parameters were made from.
    pub fn spec(&self) -> &Spec {
        &self.tables().spec
    }

    /// Returns the plaintext modulus `t`.
    pub fn plain_modulus(&self) -> u64 {
        self.tables().spec.plain_modulus
    }

    /// Returns the number of slots: `N`, or 0 if the plaintext modulus has none. They form two rows
    /// of half as many.
    pub fn slot_count(&self) -> usize {
        self.plain().slot_count()
    }

    /// Refuses parameters without slots.
    ///
    /// # Errors
    /// [`Error::NoSlots`] if the plaintext modulus is not 1 modulo twice the degree.
    pub fn require_slots(&self) -> Result<(), Error> {
        if self.slot_count() > 0 { Ok(()) } else { Err(self.no_slots()) }
    }

    pub(crate) fn plain(&self) -> &PlainRing {
        &self.tables().plain
    }

    pub(crate) fn to_plain(&self, limbs: LimbCount) -> &ToPlain {
        let Tables { plain, ring, to_plain, .. } = self.tables();
        let build = || ToPlain::new(ring, limbs.get(), plain.modulus());
        to_plain[limbs.get() - 1].get_or_init(build)
    }

    /// Returns the bound on the coefficients of a message, centred modulo `t`.
    pub(crate) fn message_bound(&self) -> f64 {
        self.plain_modulus() as f64 / 2.0
    }

    /// Returns the norms of any message.
    pub(crate) fn message_norms(&self) -> Bounds {
        self.context().model.message_of_coefficients(self.message_bound())
    }

    /// Returns an all-zero plaintext.
    pub fn zero_plaintext(&self) -> Plaintext<S> {
        Plaintext::from_coefficients(self, vec![0; self.degree()])
    }
}

/// Returns the upper limit, in bits, of the search for a prime of a stated size.
fn realised(bits: f64) -> f64 {
    if bits <= 46.0 { bits.min(WIDEST_PRIME) } else { bits }
}

fn check(spec: &Spec) -> Result<(), Error> {
    let refuse = |field, reason: String| Err(Error::Spec { field, reason });
    if spec.name.len() > Spec::LONGEST_NAME {
        return refuse("name", format!("it has more than {} bytes", Spec::LONGEST_NAME));
    }
    if spec.secret_weight == Some(0) {
        return refuse(
            "secret_weight",
            "a secret without nonzero coefficients hides nothing".into(),
        );
    }
    for (field, sizes) in [("chain_bits", &spec.chain_bits), ("special_bits", &spec.special_bits)] {
        if let Some(bits) = sizes.iter().find(|b| !(14.0..=61.0).contains(*b)) {
            return refuse(field, format!("a prime of {bits} bits is not between 14 and 61"));
        }
    }
    let count = spec.chain_bits.len() + spec.special_bits.len();
    if count > 64 {
        return refuse("chain_bits", format!("{count} primes are more than 64"));
    }
    check_failure(spec.failure_log2)?;
    // Lifting fresh errors and messages then needs no division.
    let t_bits = (spec.plain_modulus as f64).log2();
    let too_small = |field, bits: &[f64], needed: f64| match bits
        .iter()
        .find(|bits| !(needed..).contains(*bits))
    {
        Some(b) => refuse(field, format!("{b} bits, but t of {t_bits:.1} bits needs {needed:.1}")),
        None => Ok(()),
    };
    too_small("chain_bits", &spec.chain_bits, t_bits + ROOM_FOR_ERRORS)?;
    too_small("special_bits", &spec.special_bits, t_bits + 1.0)
}
