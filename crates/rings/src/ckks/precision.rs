//! The error bound of a ciphertext, read as an error of slots.

use super::{Ckks, Mode};
use crate::Error;
use crate::rlwe::Ciphertext;
use fathom_ring::{Coeff, Poly};

/// Covers the roundings of sums and products of bounds, which are in double precision themselves.
const SLACK: f64 = 1.0 + 1e-9;

impl<M: Mode> Ciphertext<Ckks<M>> {
    /// Returns the scale: the phase is the scale times the message, plus noise.
    pub fn scale(&self) -> f64 {
        self.meta
    }

    /// Returns a bound on the absolute value of every slot of the message, computed from public
    /// data alone.
    pub fn magnitude_bound(&self) -> f64 {
        self.noise.message.root / self.meta * SLACK
    }

    /// Returns a bound on the absolute error of every slot, the error of decoding included,
    /// computed from public data alone. It is exceeded with at most the failure probability of the
    /// parameters.
    pub fn error_bound(&self) -> f64 {
        let noise = self.params.context().model.norms(self.noise);
        let bound = (noise.root + self.decoding_error()) / self.meta * SLACK;
        if bound.is_nan() { f64::INFINITY } else { bound }
    }

    /// Returns the number of bits behind the binary point that are correct in every slot: `-log2`
    /// of [`Ciphertext::error_bound`].
    pub fn precision_bits(&self) -> f64 {
        -self.error_bound().log2()
    }

    /// Returns a bound on the error, at a root, of lifting and transforming the phase in double
    /// precision. Both errors are relative to the Euclidean norm of the values.
    fn decoding_error(&self) -> f64 {
        let context = self.params.context();
        let fits = |limbs: &_| context.model.budget_bits(self.noise, *limbs) >= 0.0;
        let present = self.limb_count();
        let limbs = present.up_to().find(fits).unwrap_or(present);
        let transform = self.params.embedding(self.params.degree()).relative_error();
        let relative = transform + Poly::<Coeff>::centered_error(limbs.get()) + f64::EPSILON;
        let noise = self.params.context().model.norms(self.noise);
        let size = self.noise.message.euclidean + noise.euclidean;
        relative * size * (self.params.degree() as f64).sqrt()
    }

    /// Refuses an error bound that reaches the bound on the message itself, or `2^-bits`. An
    /// encryption of nothing but zeros has no message of its own to lose.
    pub(crate) fn check_precision(
        &self,
        operation: &'static str,
        bits: Option<f64>,
    ) -> Result<(), Error> {
        let magnitude = self.magnitude_bound();
        let own = if magnitude <= 0.0 { f64::INFINITY } else { magnitude };
        let allowed = bits.map_or(own, |bits| own.min((-bits).exp2()));
        let error = self.error_bound();
        if error < allowed {
            return Ok(());
        }
        Err(Error::PrecisionExhausted {
            operation,
            error_bits: error.log2(),
            allowed_bits: allowed.log2(),
            remedy: "take parameters of a larger scale, for instance with Params::for_precision",
        })
    }
}
