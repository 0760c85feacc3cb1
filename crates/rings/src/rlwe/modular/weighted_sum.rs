//! Sums of ciphertexts with integer weights.

use super::Modular;
use super::factor::quotient;
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator, Weight, WeightedSum};

impl<S: Modular> Evaluator<S> {
    /// Computes a sum with integer weights: `decrypt(out) = sum_i weights[i] * decrypt(all[i])`, in
    /// every slot, at the lowest level of the terms.
    ///
    /// Noise: that of each term is multiplied by the absolute value of its weight modulo `t`,
    /// centred; those of the random parts of different encryptions add up as squares. Where the
    /// factors of BGV messages differ, a weight is divided by the factor modulo `t`, and may become
    /// as large as `t / 2`.
    ///
    /// # Errors
    /// [`Error::ListLength`] for lists of different lengths or none; [`Error::LevelMismatch`]
    /// (BGV), [`Error::NoiseExhausted`] before any work is done, [`Error::ParamsMismatch`],
    /// [`Error::KeyMismatch`]; [`Error::Transparent`] if the terms cancel and there is no
    /// encryption of zero.
    pub fn weighted_sum(
        &self,
        all: &[Ciphertext<S>],
        weights: &[i64],
    ) -> Result<Ciphertext<S>, Error> {
        let mut sums = self.weighted("weighted_sum", all, &[weights])?;
        Ok(sums.pop().expect("one list of weights gives one sum"))
    }

    /// Computes several sums of the same ciphertexts, each with its own integer weights: a matrix
    /// times a list. Every ciphertext is read once for 32 sums, which costs a fraction of
    /// [`Evaluator::mul_scalar`] and [`Evaluator::add`] for each weight.
    ///
    /// # Errors
    /// As [`Evaluator::weighted_sum`], for each list of weights.
    pub fn weighted_sums(
        &self,
        all: &[Ciphertext<S>],
        weights: &[impl AsRef<[i64]>],
    ) -> Result<Vec<Ciphertext<S>>, Error> {
        let lists: Vec<&[i64]> = weights.iter().map(AsRef::as_ref).collect();
        self.weighted("weighted_sums", all, &lists)
    }

    fn weighted(
        &self,
        operation: &'static str,
        all: &[Ciphertext<S>],
        lists: &[&[i64]],
    ) -> Result<Vec<Ciphertext<S>>, Error> {
        let lengths: Vec<usize> = lists.iter().map(|list| list.len()).collect();
        let terms = self.terms(operation, all, &lengths)?;
        let (t, factor) = (self.params.plain().modulus(), terms.all[0].meta);
        let ratios: Vec<u64> =
            terms.all.iter().map(|term| quotient(t, factor, term.meta)).collect();
        let weight = |(&weight, &ratio): (&i64, &u64)| {
            let integer = t.to_signed(t.mul(t.from_signed(weight), ratio)).into();
            Weight { integer, error: 0.0 }
        };
        let sums = lists.iter().map(|list| WeightedSum {
            weights: list.iter().zip(&ratios).map(weight).collect(),
            meta: factor,
            facts: S::Facts::default(),
        });
        self.sums_of_terms(&terms, &sums.collect::<Vec<_>>())
    }
}
