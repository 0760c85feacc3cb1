//! Sums, differences and negation of ciphertexts.

use super::{Bounds, Ciphertext, Evaluator, Facts, Mechanics, Noise};
use crate::Error;
use fathom_ring::{Eval, Limbs, Poly};

impl<S: Mechanics> Evaluator<S> {
    /// Adds two ciphertexts: `decrypt(out) = decrypt(a) + decrypt(b)`.
    ///
    /// Noise: the bounds add up; those of the random parts add up as squares if the operands come
    /// from different encryptions. If the factors of BFV or BGV messages differ, the noise grows by
    /// about `sqrt(t)` first.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`], [`Error::LevelMismatch`] (BGV),
    /// [`Error::NoiseExhausted`], [`Error::Transparent`].
    pub fn add(&self, a: &Ciphertext<S>, b: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        self.add_within(a, b, f64::INFINITY)
    }

    /// Adds two ciphertexts whose sum is known to be at most `most` at every root of `X^N + 1`.
    pub(crate) fn add_within(
        &self,
        a: &Ciphertext<S>,
        b: &Ciphertext<S>,
        most: f64,
    ) -> Result<Ciphertext<S>, Error> {
        let (left, right) = self.aligned(a, b)?;
        let parts = combine(&left.parts, &right.parts, Poly::sum, Poly::clone);
        let facts = S::Facts::plus(left.known(), right.known());
        let sum = left.assemble_sum(&right, facts, parts);
        let noise = sum.noise.with_message_within(most);
        self.check_noise_and_mask(Ciphertext { noise, ..sum }, "add", &[a, b])
    }

    /// Subtracts two ciphertexts: `decrypt(out) = decrypt(a) - decrypt(b)`.
    ///
    /// The components of `a - a` cancel. Such a result is masked by the encryption of zero in the
    /// evaluation keys, as in every operation: whoever has those keys can take the mask off and
    /// read the result. To hide it from them, add a fresh encryption of zero under the public key.
    ///
    /// Noise: as [`Evaluator::add`].
    ///
    /// # Errors
    /// As [`Evaluator::add`].
    pub fn sub(&self, a: &Ciphertext<S>, b: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        let (left, right) = self.aligned(a, b)?;
        let parts = combine(&left.parts, &right.parts, Poly::difference, Poly::negated);
        let facts = S::Facts::plus(left.known(), right.known().negated());
        self.check_noise_and_mask(left.assemble_sum(&right, facts, parts), "sub", &[a, b])
    }

    /// Negates a ciphertext: `decrypt(out) = -decrypt(a)`. Noise: unchanged.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn neg(&self, a: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        self.check_key(&[a])?;
        let negated = a.with(a.parts.iter().map(Poly::negated).collect(), a.noise);
        Ok(Ciphertext { facts: a.facts.negated(), ..negated })
    }

    /// Adds up a list of at least one ciphertext.
    ///
    /// # Errors
    /// As [`Evaluator::add`]; [`Error::ListLength`] for an empty list.
    pub fn sum(&self, all: &[Ciphertext<S>]) -> Result<Ciphertext<S>, Error> {
        let (first, rest) =
            all.split_first().ok_or(Error::ListLength { operation: "sum", left: 0, right: 0 })?;
        rest.iter().try_fold(first.clone(), |sum, next| self.add(&sum, next))
    }

    /// Checks the noise of a result. Adds the evaluator's encryption of zero to a result without a
    /// mask, which could be read without any key. Every operation whose operands' masks can cancel
    /// or be multiplied by zero ends here.
    pub(crate) fn check_noise_and_mask(
        &self,
        result: Ciphertext<S>,
        operation: &'static str,
        operands: &[&Ciphertext<S>],
    ) -> Result<Ciphertext<S>, Error> {
        let result = result.checked(operation, operands)?;
        if !result.parts[1..].iter().all(Poly::is_zero) {
            return Ok(result);
        }
        self.masked(result, operation)
    }

    /// Adds the evaluator's encryption of zero, which keeps the message and its bound. A third
    /// component stays, as zero, so that the result has the shape of any other.
    pub(crate) fn masked(
        &self,
        mut result: Ciphertext<S>,
        operation: &'static str,
    ) -> Result<Ciphertext<S>, Error> {
        let remedy = "give the evaluator keys from SecretKey::evaluation_keys, which hold an \
                      encryption of zero";
        let zero = self.keys().zero.as_deref().ok_or(Error::Transparent { operation, remedy })?;
        for (part, mask) in result.parts.iter_mut().zip(&zero.parts) {
            part.add_assign(mask);
        }
        let mask = Noise { message: Bounds::default(), ..zero.noise };
        let noise = result.noise.plus(mask, result.lineage.relation(&zero.lineage));
        let lineage = result.lineage.union(&zero.lineage);
        Ciphertext { noise, lineage, ..result }.checked("masking a transparent result", &[])
    }
}

impl<S: Mechanics> Ciphertext<S> {
    /// Returns the sum or difference, with these components, of two ciphertexts that can be
    /// added.
    fn assemble_sum(
        &self,
        other: &Ciphertext<S>,
        facts: S::Facts,
        parts: Vec<Poly<Eval>>,
    ) -> Ciphertext<S> {
        let noise = self.noise.plus(other.noise, self.lineage.relation(&other.lineage));
        let lineage = self.lineage.union(&other.lineage);
        let meta = S::summed(&self.params, self.meta, other.meta);
        Ciphertext { meta, facts, lineage, ..self.with(parts, noise) }
    }
}

/// Computes `left op right` in one pass. A missing component counts as zero; `alone` is
/// `0 op right`.
fn combine(
    left: &[Poly<Eval>],
    right: &[Poly<Eval>],
    op: impl Fn(&Poly<Eval>, &Poly<Eval>, Limbs) -> Poly<Eval>,
    alone: impl Fn(&Poly<Eval>) -> Poly<Eval>,
) -> Vec<Poly<Eval>> {
    (0..left.len().max(right.len()))
        .map(|i| match (left.get(i), right.get(i)) {
            (Some(left), Some(right)) => op(left, right, left.limbs()),
            (Some(left), None) => left.clone(),
            (None, _) => alone(&right[i]),
        })
        .collect()
}
