//! Parameters: an unchecked description in, a checked and secure set with its scales out.

use super::reserved::{Extension, Reserved, Security};
use super::schedule::{BootstrapSet, COVER, Schedule};
use super::{Ckks, Mode, Spec, Tables};
use crate::Error;
use crate::rlwe::modular::WIDEST_PRIME;
use crate::rlwe::{ContextSpec, Level, Params, check_failure};
use fathom_ring::{Embedding, ErrorFactor, Gadget, WideCoefficients, is_prime, primes_below};
use fathom_security::SecretDistribution;
use std::sync::OnceLock;

/// The scale is below the power of two that it is stated by, so that the primes near it are too.
const BELOW: f64 = 1.0 - 1.0 / 1024.0;

/// Greatest number of primes.
const MOST_PRIMES: usize = 64;

impl<M: Mode> TryFrom<Spec> for Params<Ckks<M>> {
    type Error = Error;

    /// Finds the primes. Each prime that products divide by is the one nearest to the scale at its
    /// level, so that the scale stays nearly the same down the chain.
    fn try_from(spec: Spec) -> Result<Params<Ckks<M>>, Error> {
        in_context(spec, None, Security::Checked)
    }
}

/// Finds the primes of a description, and those of its bootstrapping, if there is one.
fn in_context<M: Mode>(
    spec: Spec,
    schedule: Option<Schedule>,
    security: Security,
) -> Result<Params<Ckks<M>>, Error> {
    check(&spec)?;
    let step = 2 * spec.degree as u64;
    let mut taken = Vec::new();
    let (rescale, mut scales) = rescale_primes(&spec, &mut taken)?;
    let mut find = |bits: &[f64]| -> Result<Vec<u64>, Error> {
        let mut found = Vec::with_capacity(bits.len());
        for bits in bits {
            let bits = if *bits <= 46.0 { bits.min(WIDEST_PRIME) } else { *bits };
            found.extend(primes_below(bits, step, 1, &taken)?);
            taken.extend(found.last());
        }
        Ok(found)
    };
    let mut chain = find(&spec.base_bits)?;
    let special = find(&spec.special_bits)?;
    chain.extend(rescale.iter().rev());
    // The base primes below the last product have its scale.
    let last = scales[scales.len() - 1];
    scales.extend(std::iter::repeat_n(last, spec.base_bits.len() - 1));
    scales.reverse();
    let all: Vec<u64> = chain.iter().chain(&special).copied().collect();
    let extension = schedule.map(|schedule| Extension::find(schedule, &all)).transpose()?;
    let own_log2: f64 = all.iter().map(|&p| (p as f64).log2()).sum();
    let context = ContextSpec {
        degree: spec.degree,
        chain,
        special,
        gadget: Gadget::Hybrid { limbs: spec.digit_limbs },
        error_factor: ErrorFactor::One,
        secret: SecretDistribution::Ternary,
        security: spec.security,
        failure_log2: spec.failure_log2,
        published_log2: extension.as_ref().map_or(0.0, |more| own_log2 + more.log2()),
    };
    let context = security.context(context, None)?;
    let embeddings = (0..=spec.degree.ilog2()).map(|_| OnceLock::new()).collect();
    let name = spec.name.clone();
    // The primes do not determine what parties assume about messages.
    let base = spec.base_bits.len() as u64;
    let mut distinction = vec![base, spec.scale_bits.to_bits(), spec.magnitude.to_bits()];
    distinction.extend(extension.iter().flat_map(|more| &more.upper));
    distinction.extend(extension.iter().map(|_| COVER.to_bits()));
    let reserved = extension.map(|extension| Reserved::new(extension, security));
    let tables = Tables { spec, scales, embeddings, reserved };
    Ok(Params::from_distinguished_parts(name, context, tables, &distinction))
}

impl<M: Mode> Params<Ckks<M>> {
    /// Returns the description these parameters were made from.
    pub fn spec(&self) -> &Spec {
        &self.tables().spec
    }

    /// Returns the number of slots: `N/2`, in one row.
    pub fn slot_count(&self) -> usize {
        self.degree() / 2
    }

    /// Returns the scale at a level of a fresh ciphertext, and of a product.
    ///
    /// # Errors
    /// [`Error::NoSuchLevel`] for a level above the top.
    pub fn scale(&self, level: impl Into<Level>) -> Result<f64, Error> {
        let level = level.into();
        self.check_level(level)?;
        Ok(self.level_scale(level))
    }

    /// Returns the scale at a level that there is.
    pub(crate) fn level_scale(&self, level: Level) -> f64 {
        self.tables().scales[level.get()]
    }

    /// Returns the largest scale of any level.
    pub(crate) fn largest_scale(&self) -> f64 {
        self.tables().scales.iter().fold(0.0, |m, &scale| m.max(scale))
    }

    /// Returns the depth: the number of successive products that a fresh ciphertext supports.
    pub fn depth(&self) -> usize {
        self.spec().depth
    }

    /// Returns the level at which no further product is possible.
    pub fn last_level(&self) -> Level {
        Level::new(self.spec().base_bits.len() - 1)
    }

    /// Returns the bound on the absolute value of a slot that the encoder assumes unless told
    /// another.
    pub fn magnitude(&self) -> f64 {
        self.spec().magnitude
    }

    /// Returns the embedding of the polynomials in `X^(N/degree)`.
    pub(crate) fn embedding(&self, degree: usize) -> &Embedding {
        self.tables().embeddings[degree.ilog2() as usize].get_or_init(|| Embedding::new(degree))
    }

    /// Finds the primes of a set that can be bootstrapped, for messages whose slots have real and
    /// imaginary parts of at most 1 in absolute value.
    ///
    /// The security is that of the bootstrapping keys, which have the largest modulus.
    ///
    /// # Errors
    /// [`Error::Insecure`] if the set had less than 128 bits of security.
    pub fn bootstrappable(set: BootstrapSet) -> Result<Self, Error> {
        let schedule = set.schedule();
        in_context(schedule.spec(), Some(schedule), Security::Checked)
    }

    /// Returns the set that the parameters were made from, if they can be bootstrapped.
    pub fn bootstrap_set(&self) -> Option<BootstrapSet> {
        let name = self.tables().reserved.as_ref()?.set_name();
        BootstrapSet::ALL.into_iter().find(|set| set.name() == name)
    }

    /// Makes parameters of any degree, whatever their security: for tests of many circuits.
    #[cfg(any(test, feature = "toys"))]
    pub(crate) fn insecure(spec: Spec) -> Result<Self, Error> {
        in_context(spec, None, Security::None)
    }

    /// Makes parameters that can be bootstrapped, whatever their security.
    #[cfg(any(test, feature = "toys"))]
    pub(crate) fn insecure_bootstrappable(schedule: Schedule) -> Result<Self, Error> {
        in_context(schedule.spec(), Some(schedule), Security::None)
    }
}

/// Returns the primes that products divide by, from the top level down, and the scale at each
/// level.
fn rescale_primes(spec: &Spec, taken: &mut Vec<u64>) -> Result<(Vec<u64>, Vec<f64>), Error> {
    let step = 2 * spec.degree as u64;
    let mut scale = (spec.scale_bits.exp2() * BELOW).floor();
    let (mut primes, mut scales) = (Vec::new(), vec![scale]);
    for _ in 0..spec.depth {
        let prime = nearest_prime(scale, step, taken).ok_or_else(|| Error::Spec {
            field: "scale_bits",
            reason: format!("no further prime near 2^{} is 1 modulo {step}", spec.scale_bits),
        })?;
        taken.push(prime);
        primes.push(prime);
        scale = scale * scale / prime as f64;
        scales.push(scale);
    }
    Ok((primes, scales))
}

/// Returns the prime nearest to `target` that is 1 modulo `step`, within a factor of `2^(1/64)`.
fn nearest_prime(target: f64, step: u64, taken: &[u64]) -> Option<u64> {
    let center = (target as u64 / step) * step + 1;
    let reach = (target as u64 / 92) / step;
    let candidates = (0..=reach).flat_map(|k| [center - k * step, center + (k + 1) * step]);
    candidates.into_iter().find(|q| !taken.contains(q) && is_prime(*q))
}

fn check(spec: &Spec) -> Result<(), Error> {
    let refuse = |field, reason: String| Err(Error::Spec { field, reason });
    if spec.name.len() > Spec::LONGEST_NAME {
        return refuse("name", format!("it has more than {} bytes", Spec::LONGEST_NAME));
    }
    let degrees = Embedding::SMALLEST..=Embedding::LARGEST;
    if !spec.degree.is_power_of_two() || !degrees.contains(&spec.degree) {
        let reason = format!("{} is not a power of two in {degrees:?}", spec.degree);
        return refuse("degree", reason);
    }
    if spec.base_bits.is_empty() {
        return refuse("base_bits", "at least one prime has to remain".to_owned());
    }
    let least = WideCoefficients::LEAST_PRIME_BITS;
    let scale = [spec.scale_bits];
    let sizes = [
        ("base_bits", spec.base_bits.as_slice()),
        ("special_bits", &spec.special_bits),
        ("scale_bits", &scale),
    ];
    for (field, sizes) in sizes {
        if let Some(bits) = sizes.iter().find(|b| !(least..=61.0).contains(*b)) {
            let reason = format!("a prime of {bits} bits is not between {least} and 61");
            return refuse(field, reason);
        }
    }
    let count = spec.depth.saturating_add(spec.base_bits.len() + spec.special_bits.len());
    if count > MOST_PRIMES {
        return refuse("depth", format!("{count} primes are more than {MOST_PRIMES}"));
    }
    if !(2f64.powi(-40)..=2f64.powi(40)).contains(&spec.magnitude) {
        let reason = format!("{} is not between 2^-40 and 2^40", spec.magnitude);
        return refuse("magnitude", reason);
    }
    check_failure(spec.failure_log2)?;
    Ok(())
}
