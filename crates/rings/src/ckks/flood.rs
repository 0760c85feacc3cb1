//! Decryptions that may be shared: flooded with noise, or rounded.

use super::encode::Plaintext;
use super::{Ckks, FloodError, Mode};
use crate::Error;
use crate::rlwe::{Ciphertext, Noise, Random, SecretKey};
use fathom_ring::{SecretRng, WideGaussian};

/// The amount of noise that hides the error of a decryption which others may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flooding {
    /// Bits of statistical security: all decryptions together are within a statistical distance of
    /// `2^-bits` of what could be computed from the exact messages.
    pub statistical_bits: u32,
    /// The largest number of decryptions under one key that are shared.
    pub decryptions: u64,
}

impl Flooding {
    /// Returns the standard deviation of the noise, in units of the Euclidean norm of the error.
    ///
    /// Gaussians of deviation `sigma` whose means differ by `d` have the divergence
    /// `d^2 / (2 sigma^2)`, which adds up over decryptions; by Pinsker's inequality, the
    /// statistical distance is at most `d sqrt(k) / (2 sigma)` after `k` of them.
    fn deviation(self) -> f64 {
        (f64::from(self.statistical_bits) - 1.0).exp2() * (self.decryptions.max(1) as f64).sqrt()
    }
}

impl<M: Mode> SecretKey<Ckks<M>> {
    /// Decrypts and adds Gaussian noise that hides the error, so that the result may be shared.
    ///
    /// The error of a decryption is a function of the secret key. An attacker who sees results of
    /// [`SecretKey::decrypt`], and knows what they should be, can compute the key from them (Li and
    /// Micciancio, eprint 2020/1533). The noise drowns the largest error that the bound allows (Li,
    /// Micciancio, Schultz and Sorrell, eprint 2022/816): a discrete Gaussian over the integers,
    /// within a statistical distance of `2^-115` for each coefficient, is added to the phase before
    /// anything is rounded.
    ///
    /// The bounds that a received ciphertext carries are claims of its sender, who could make the
    /// noise too small. They are ignored: `plan` is the result of the same circuit on the inputs
    /// that the key holder expects, computed by [`Evaluator::simulated`]. Level, scale and number
    /// of components of the ciphertext must be those of the plan. A sender who computes another
    /// circuit, or on inputs beyond the planned magnitudes, is not detected: see SECURITY.md.
    ///
    /// For degree `N` the noise costs
    /// `statistical_bits + log2(decryptions) / 2 + log2(N) / 2 + 2.3` bits of precision: the error
    /// bound of the result includes it.
    ///
    /// [`Evaluator::simulated`]: crate::rlwe::Evaluator::simulated
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`]; [`FloodError`];
    /// [`Error::PrecisionExhausted`] if nothing of the message is left; [`Error::NoiseExhausted`]
    /// if the noise exceeds the modulus of the level.
    pub fn decrypt_flooded(
        &self,
        ciphertext: &Ciphertext<Ckks<M>>,
        plan: &Ciphertext<Ckks<M>>,
        flooding: Flooding,
        rng: &mut SecretRng,
    ) -> Result<Plaintext<M>, Error> {
        self.check_key(ciphertext)?;
        self.check_plan(ciphertext, plan)?;
        if self.params.context().model.tails.are_worst_case() {
            return Err(FloodError::WorstCase.into());
        }
        // The Euclidean norm of the error, as coefficients: at most the largest value at a root.
        let error = self.params.context().model.norms(plan.noise).root;
        let refused = |error_bits| Error::PrecisionExhausted {
            operation: "decrypt_flooded",
            error_bits,
            allowed_bits: plan.magnitude_bound().log2(),
            remedy: "share fewer decryptions, or take parameters of a larger scale",
        };
        let deviation = flooding.deviation() * error;
        let gaussian =
            WideGaussian::new(deviation).map_err(|_| refused((deviation / plan.scale()).log2()))?;
        let drawn = Noise::of_random(Random::white(gaussian.deviation()));
        let noise = plan.noise.plus_independent(drawn);
        let flooded = plan.with(plan.parts.clone(), noise);
        let (error_bound, magnitude) = (flooded.error_bound(), plan.magnitude_bound());
        if error_bound < magnitude {
            let limbs = self.limbs_needed(&flooded)?;
            let mut phase = self.phase(ciphertext, limbs);
            let drawn = gaussian.sample(rng, self.params.degree());
            let drawn = drawn.to_eval(&self.params.context().ring, limbs.chain());
            phase.expose_mut().add_assign(drawn.expose());
            return self.decoded_phase(&phase, &flooded);
        }
        Err(refused(error_bound.log2()))
    }

    /// Refuses a plan that is not of these parameters or not a simulation, and a ciphertext that
    /// differs from it in what decides the meaning of its phase.
    fn check_plan(
        &self,
        ciphertext: &Ciphertext<Ckks<M>>,
        plan: &Ciphertext<Ckks<M>>,
    ) -> Result<(), Error> {
        if !plan.params.context().is_simulated() {
            return Err(FloodError::NotSimulated.into());
        }
        if plan.params.id() != self.params.id() {
            let [left, right] = [self.params.name(), plan.params.name()].map(str::to_owned);
            return Err(Error::ParamsMismatch { left, right });
        }
        let properties = |c: &Ciphertext<Ckks<M>>| {
            [
                ("level", c.level().get() as f64),
                ("scale", c.scale()),
                ("number of components", c.component_count() as f64),
            ]
        };
        let pairs = properties(plan).into_iter().zip(properties(ciphertext));
        for ((field, planned), (_, got)) in pairs {
            if planned.to_bits() != got.to_bits() {
                return Err(FloodError::NotAsPlanned { field, planned, got }.into());
            }
        }
        Ok(())
    }
}

impl<M: Mode> Plaintext<M> {
    /// Returns the real parts of the slots, rounded to multiples of `2^-bits`.
    ///
    /// Rounding hides the error of every slot whose exact value is further than the error bound
    /// from the middle between two multiples. It is a precaution for results that are known to lie
    /// on a grid, and no proof: see SECURITY.md.
    ///
    /// # Errors
    /// [`Error::PrecisionExhausted`] unless the error bound is below a quarter of `2^-bits`.
    pub fn rounded_slots(&self, bits: u32) -> Result<Vec<f64>, Error> {
        let unit = (-f64::from(bits)).exp2();
        if self.error_bound < unit / 4.0 {
            return Ok(self.slots().iter().map(|x| (x / unit).round() * unit).collect());
        }
        Err(Error::PrecisionExhausted {
            operation: "rounded_slots",
            error_bits: self.error_bound.log2(),
            allowed_bits: -f64::from(bits) - 2.0,
            remedy: "round to fewer bits",
        })
    }
}

#[cfg(test)]
mod tests;
