//! Ciphertexts, with their level, metadata and noise bound, and the probability that the bound
//! fails.

use super::{Encoding, Level, LimbCount, Lineage, Noise, Params, Shortage};
use crate::{Error, KeyId};
use fathom_ring::{Eval, Limbs, Poly, Seed};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A ciphertext of scheme `S`: 2 polynomials, or 3 before relinearisation.
#[derive(Clone)]
pub struct Ciphertext<S: Encoding> {
    pub(crate) params: Params<S>,
    /// The secret key that decrypts it.
    pub(crate) key: KeyId,
    /// Components, whose phase `c0 + c1 s + c2 s^2` modulo the primes of the level is the encoded
    /// message plus a multiple of the error factor.
    pub(crate) parts: Vec<Poly<Eval>>,
    /// The metadata of the encoding.
    pub(crate) meta: S::Meta,
    /// The public facts about the values of the message.
    pub(crate) facts: S::Facts,
    pub(crate) noise: Noise,
    /// The fresh encryptions it was computed from.
    pub(crate) lineage: Lineage,
    /// True until anything is computed on it.
    pub(crate) fresh: bool,
    /// The seed of the last component, as long as the ciphertext is fresh.
    pub(crate) seed: Option<Seed>,
}

impl<S: Encoding> fmt::Debug for Ciphertext<S> {
    /// Writes the shape and the key of the ciphertext, not its polynomials, which fill pages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parts, limbs) = (self.parts.len(), self.limb_count().get());
        write!(f, "Ciphertext({parts} components of {limbs} limbs, key {})", self.key)
    }
}

impl<S: Encoding> Ciphertext<S> {
    /// Returns the parameters of the ciphertext.
    pub fn params(&self) -> &Params<S> {
        &self.params
    }

    /// Returns the identifier of the secret key that decrypts the ciphertext.
    pub fn key_id(&self) -> KeyId {
        self.key
    }

    /// Returns the number of primes that can still be dropped.
    pub fn level(&self) -> Level {
        self.limb_count().level()
    }

    /// Returns the number of polynomials: 2, or 3 before relinearisation.
    pub fn component_count(&self) -> usize {
        self.parts.len()
    }

    /// Returns the bits by which the noise may grow before decryption could fail with more than the
    /// parameters' failure probability. Computed from public data alone.
    pub fn noise_budget_bits(&self) -> f64 {
        self.params.budget_bits(self.noise, self.level())
    }

    /// Returns `log2` of the bound on the absolute value of any coefficient of the phase.
    pub fn noise_bound_bits(&self) -> f64 {
        self.params.context().model.bound_bits(self.noise)
    }

    /// Returns whether it carries the seed of its second component, which halves its wire form.
    pub fn is_seeded(&self) -> bool {
        self.seed.is_some()
    }

    pub(crate) fn limbs(&self) -> Limbs {
        self.parts[0].limbs()
    }

    pub(crate) fn limb_count(&self) -> LimbCount {
        LimbCount::of(self.limbs())
    }

    /// Returns whether it is as encryption made it: nothing has been computed on it.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Returns the names of the fresh encryptions that it was computed from, in ascending order;
    /// `None` where they are not known, because there are many or bytes did not tell.
    ///
    /// The noise of a sum of ciphertexts without a common source grows less than that of others.
    pub fn sources(&self) -> Option<&[u64]> {
        match &self.lineage {
            Lineage::Unknown => None,
            Lineage::Known(sources) => Some(sources),
        }
    }

    /// States the names of the fresh encryptions that it was computed from, which the bytes of a
    /// computed ciphertext do not tell.
    ///
    /// The caller vouches for them: with names other than those of [`Ciphertext::sources`] on the
    /// machine that computed it, noise bounds can be too small. No names at all leave the sources
    /// unknown.
    ///
    /// ```
    /// # use fathom_rings as fathom;
    /// use fathom::prelude::*;
    ///
    /// # fn main() -> Result<(), fathom::Error> {
    /// let params = bfv::Params::preset(bfv::Preset::E1)?;
    /// let mut rng = SecretRng::from_os()?;
    /// let secret = bfv::SecretKey::generate(&params, &mut rng);
    /// let mut encrypt = || secret.encrypt(&params.encode(&[1])?, &mut rng);
    /// let (a, b, c) = (encrypt()?, encrypt()?, encrypt()?);
    /// let evaluator = bfv::Evaluator::without_keys(&params);
    /// let sum = evaluator.add(&a, &b)?;
    /// let sent = bfv::Ciphertext::from_bytes(&params, &sum.to_bytes())?;
    /// assert_eq!(sent.sources(), None);
    /// let again = match sum.sources() {
    ///     Some(sources) => sent.with_sources(sources),
    ///     None => sent,
    /// };
    /// assert_eq!(evaluator.add(&again, &c)?.to_bytes(), evaluator.add(&sum, &c)?.to_bytes());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_sources(self, sources: &[u64]) -> Ciphertext<S> {
        if sources.is_empty() {
            return Ciphertext { lineage: Lineage::Unknown, ..self };
        }
        let none = Lineage::none();
        let lineage = sources.iter().fold(none, |all, &source| all.union(&Lineage::of(source)));
        Ciphertext { lineage, ..self }
    }

    /// Creates a ciphertext computed from this one alone, with the same metadata and facts.
    pub(crate) fn with(&self, parts: Vec<Poly<Eval>>, noise: Noise) -> Ciphertext<S> {
        Ciphertext {
            params: self.params.clone(),
            key: self.key,
            parts,
            meta: self.meta,
            facts: self.facts,
            noise,
            lineage: self.lineage.clone(),
            fresh: false,
            seed: None,
        }
    }

    /// Returns the change that gives the ciphertext more noise budget.
    pub(crate) fn remedy(&self) -> &'static str {
        self.params.remedy(self.level(), self.meta, self.noise)
    }

    /// Returns the components of a ciphertext of two components.
    pub(crate) fn pair(&self, operation: &'static str) -> Result<[&Poly<Eval>; 2], Error> {
        match self.parts.as_slice() {
            [c0, c1] => Ok([c0, c1]),
            parts => Err(Error::Components { operation, expected: 2, got: parts.len() }),
        }
    }

    /// Returns the three components of a product before relinearisation.
    pub(crate) fn triple(&self, operation: &'static str) -> Result<[&Poly<Eval>; 3], Error> {
        match self.parts.as_slice() {
            [c0, c1, c2] => Ok([c0, c1, c2]),
            parts => Err(Error::Components { operation, expected: 3, got: parts.len() }),
        }
    }
}

/// Returns the name of a fresh encryption: the first word of its mask, which identifies it.
pub(crate) fn source(mask: &Poly<Eval>) -> u64 {
    let mut hasher = DefaultHasher::new();
    mask.row(0)[..8].hash(&mut hasher);
    hasher.finish()
}

impl<S: Encoding> Params<S> {
    /// Returns the change that leaves more noise budget to a result.
    fn remedy(&self, level: Level, meta: S::Meta, noise: Noise) -> &'static str {
        let model = &self.context().model;
        let shortage = Shortage {
            modulus_bits: model.log2_modulus(level.limbs()),
            largest_modulus_bits: self.log2_largest_modulus(),
            message: noise.message.root,
            errors: model.norms(noise).root,
        };
        S::remedy(self.tables(), meta, shortage)
    }

    /// Refuses a result of these metadata at level `to` whose noise is past the limit. An
    /// encryption has no operands.
    pub(crate) fn check_budget(
        &self,
        operation: &'static str,
        meta: S::Meta,
        to: Level,
        noise: Noise,
        operands: &[&Ciphertext<S>],
    ) -> Result<(), Error> {
        let after = self.budget_bits(noise, to);
        if after >= 0.0 {
            return Ok(());
        }
        let weakest =
            operands.iter().min_by(|a, b| a.noise_budget_bits().total_cmp(&b.noise_budget_bits()));
        let (level, left_bits) = weakest.map_or((to, 0.0), |c| (c.level(), c.noise_budget_bits()));
        let remedy = self.remedy(to, meta, noise);
        let needed_bits = left_bits - after;
        Err(Error::NoiseExhausted { operation, level, needed_bits, left_bits, remedy })
    }
}

/// The bound on the phase of a ciphertext, with the probability that it fails: the sum over all
/// bounds of random errors in the circuit, each of which fails with at most the failure probability
/// of the parameters.
///
/// The circuit is counted from encryption, or from the bytes that the ciphertext was read from.
/// Errors that several operands share count once for each of them, so that a value that is squared
/// again and again loses a bit each time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbabilisticBound {
    /// `log2` of the bound on every coefficient of the phase.
    pub bound_bits: f64,
    /// `log2` of the probability that any coefficient exceeds it, at most 0;
    /// [`WORST_CASE`](crate::WORST_CASE) if none ever does.
    pub failure_log2: f64,
}

impl fmt::Display for ProbabilisticBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "below 2^{:.1}", self.bound_bits)?;
        if self.failure_log2 == crate::WORST_CASE {
            return f.write_str(" in every case");
        }
        write!(f, " but with a probability of 2^{:.1}", self.failure_log2)
    }
}

impl<S: Encoding> Ciphertext<S> {
    /// Returns the bound on the coefficients of the phase, with the probability that it fails.
    /// Computed from public data alone.
    pub fn probabilistic_bound(&self) -> ProbabilisticBound {
        let model = &self.params.context().model;
        ProbabilisticBound {
            bound_bits: model.bound_bits(self.noise),
            failure_log2: model.failure_log2(self.noise).min(0.0),
        }
    }
}
