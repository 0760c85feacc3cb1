//! The parts of the ring schemes that a crate above them builds a bootstrapping from: contexts,
//! keys, noise bounds, and the primes that parameters reserve.
//!
//! Private parts of public types are read through traits, so that the types themselves show nothing
//! of them. This is no part of the public interface and changes without notice.

pub use crate::ckks::align::{relabeled, wide_scalar};
pub use crate::ckks::basis::{Basis, divided};
pub use crate::ckks::facts::{Padding, Places};
pub use crate::ckks::reserved::{Extension, Reserved, Security};
pub use crate::ckks::schedule::{COVER, ExponentialShape, Order, Schedule};
pub use crate::rlwe::codec::poly::{key_of, poly_len, read_poly, write_poly};
pub use crate::rlwe::codec::switching_key::{key_len, read_key, write_key};
pub use crate::rlwe::context::{Context, ContextSpec};
pub use crate::rlwe::evaluator::Refresh;
pub use crate::rlwe::key_pair::same_key;
pub use crate::rlwe::lineage::Lineage;
pub use crate::rlwe::model::NoiseModel;
pub use crate::rlwe::modular::params::WIDEST_PRIME;
pub use crate::rlwe::noise::{Bounds, Noise, Random, Relation};
pub use crate::rlwe::switching_key::{Galois, SwitchingKey, encryption_of_zero};
pub use crate::rlwe::tails::Tails;
pub use fathom_base::LimbCount;

use crate::Error;
use crate::ckks::{Ckks, Mode, SlotFacts};
use crate::rlwe::modular::Modular;
use crate::rlwe::{Ciphertext, Encoding, Evaluator, Level, Mechanics, Params, SecretKey};
use fathom_ring::{Eval, PlainRing, Poly, SecretPoly};
use std::sync::Arc;

/// The private part of parameters.
pub trait ParamsInternals<S: Encoding> {
    /// Returns the ring with its gadget and its noise model.
    fn context(&self) -> &Context;

    /// Returns the bits by which a phase with this noise stays below the limit of a level.
    fn budget_bits(&self, noise: Noise, level: Level) -> f64;

    /// Refuses objects of other parameters.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::Simulated`] if one of both is simulated.
    fn same(&self, other: &Params<S>) -> Result<(), Error>;
}

impl<S: Encoding> ParamsInternals<S> for Params<S> {
    fn context(&self) -> &Context {
        self.context()
    }

    fn budget_bits(&self, noise: Noise, level: Level) -> f64 {
        self.budget_bits(noise, level)
    }

    fn same(&self, other: &Params<S>) -> Result<(), Error> {
        self.same(other)
    }
}

/// The private part of parameters of CKKS.
pub trait CkksParamsInternals {
    /// Returns the scale at a level that there is.
    fn level_scale(&self, level: Level) -> f64;

    /// Returns the primes reserved for a bootstrapping, if the parameters allow one.
    fn reserved(&self) -> Option<&Reserved>;
}

impl<M: Mode> CkksParamsInternals for Params<Ckks<M>> {
    fn level_scale(&self, level: Level) -> f64 {
        self.level_scale(level)
    }

    fn reserved(&self) -> Option<&Reserved> {
        self.tables().reserved.as_ref()
    }
}

/// The private part of parameters of BFV and BGV.
pub trait ModularParamsInternals {
    /// Returns the ring of plaintexts.
    fn plain(&self) -> &PlainRing;
}

impl<S: Modular> ModularParamsInternals for Params<S> {
    fn plain(&self) -> &PlainRing {
        self.plain()
    }
}

/// The private part of a secret key.
pub trait SecretKeyInternals {
    /// Returns the secret over all primes of its ring.
    fn secret(&self) -> &SecretPoly;
}

impl<S: Encoding> SecretKeyInternals for SecretKey<S> {
    fn secret(&self) -> &SecretPoly {
        &self.s
    }
}

/// The private part of an evaluator.
pub trait EvaluatorInternals<S: Mechanics> {
    /// Returns the same evaluator, which bootstraps with `refresh`.
    fn refreshing_with(&self, refresh: Arc<dyn Refresh<S>>) -> Evaluator<S>;

    /// Returns the ciphertext at `level`, which is not above its own. The caller checks the noise.
    fn switched(&self, a: &Ciphertext<S>, level: Level) -> Ciphertext<S>;
}

impl<S: Mechanics> EvaluatorInternals<S> for Evaluator<S> {
    fn refreshing_with(&self, refresh: Arc<dyn Refresh<S>>) -> Evaluator<S> {
        self.refreshing_with(refresh)
    }

    fn switched(&self, a: &Ciphertext<S>, level: Level) -> Ciphertext<S> {
        self.switched(a, level).into_owned()
    }
}

/// The private part of a ciphertext: its components, its noise, and results computed from it.
pub trait CiphertextInternals<S: Mechanics>: Sized {
    /// Returns the components.
    fn components(&self) -> &[Poly<Eval>];

    /// Returns the components of a ciphertext of two components.
    ///
    /// # Errors
    /// [`Error::Components`] for any other number; `operation` names what needs two.
    fn pair(&self, operation: &'static str) -> Result<[&Poly<Eval>; 2], Error>;

    /// Returns the metadata of the encoding.
    fn meta(&self) -> S::Meta;

    /// Returns the public facts about the values of the message.
    fn facts(&self) -> S::Facts;

    /// Returns the bounds on message and noise.
    fn noise(&self) -> Noise;

    /// Returns the fresh encryptions that it was computed from.
    fn lineage(&self) -> &Lineage;

    /// Creates a ciphertext computed from this one alone, with the same metadata and facts.
    fn computed(&self, parts: Vec<Poly<Eval>>, noise: Noise) -> Self;

    /// Returns the same ciphertext with these metadata.
    fn with_meta(self, meta: S::Meta) -> Self;

    /// Returns the same ciphertext with these facts.
    fn with_facts(self, facts: S::Facts) -> Self;

    /// Returns the same ciphertext with this lineage.
    fn with_lineage(self, lineage: Lineage) -> Self;

    /// Refuses a ciphertext whose bound is past the limit of its level, or whose message could
    /// have wrapped around. Otherwise its bound gets the form that can be sent.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`], and those of the scheme for metadata out of range.
    fn checked(self, operation: &'static str, operands: &[&Self]) -> Result<Self, Error>;
}

impl<S: Mechanics> CiphertextInternals<S> for Ciphertext<S> {
    fn components(&self) -> &[Poly<Eval>] {
        &self.parts
    }

    fn pair(&self, operation: &'static str) -> Result<[&Poly<Eval>; 2], Error> {
        self.pair(operation)
    }

    fn meta(&self) -> S::Meta {
        self.meta
    }

    fn facts(&self) -> S::Facts {
        self.facts
    }

    fn noise(&self) -> Noise {
        self.noise
    }

    fn lineage(&self) -> &Lineage {
        &self.lineage
    }

    fn computed(&self, parts: Vec<Poly<Eval>>, noise: Noise) -> Self {
        self.with(parts, noise)
    }

    fn with_meta(self, meta: S::Meta) -> Self {
        Ciphertext { meta, ..self }
    }

    fn with_facts(self, facts: S::Facts) -> Self {
        Ciphertext { facts, ..self }
    }

    fn with_lineage(self, lineage: Lineage) -> Self {
        Ciphertext { lineage, ..self }
    }

    fn checked(self, operation: &'static str, operands: &[&Self]) -> Result<Self, Error> {
        self.checked(operation, operands)
    }
}

/// The private part of a ciphertext of CKKS.
pub trait CkksCiphertextInternals {
    /// Returns the bound on the absolute values of the message, without the slack for roundings.
    fn tracked_magnitude(&self) -> f64;

    /// Returns the same ciphertext, whose message is proven to be at most `magnitude` in every
    /// slot.
    fn bounded(self, magnitude: f64) -> Self;

    /// Returns the same ciphertext for a message that differs by at most `error` in every slot.
    fn with_error(self, error: f64) -> Self;
}

impl<M: Mode> CkksCiphertextInternals for Ciphertext<Ckks<M>> {
    fn tracked_magnitude(&self) -> f64 {
        self.tracked_magnitude()
    }

    fn bounded(self, magnitude: f64) -> Self {
        self.bounded(magnitude)
    }

    fn with_error(self, error: f64) -> Self {
        self.with_error(error)
    }
}

/// The private part of the facts about slots.
pub trait SlotFactsInternals {
    /// Returns whether slots may hold numbers that are not real.
    fn is_complex(&self) -> bool;

    /// Returns the numbers in the slots that no value was given for, if there are such slots.
    fn padding(&self) -> Option<Padding>;

    /// Returns the same facts with these numbers in the slots that no value was given for.
    fn with_padding(self, padding: Option<Padding>) -> Self;

    /// Returns the same facts with nothing known about the deviation of an approximation.
    fn without_deviation(self) -> Self;
}

impl SlotFactsInternals for SlotFacts {
    fn is_complex(&self) -> bool {
        self.complex
    }

    fn padding(&self) -> Option<Padding> {
        self.padding
    }

    fn with_padding(self, padding: Option<Padding>) -> Self {
        SlotFacts { padding, ..self }
    }

    fn without_deviation(self) -> Self {
        SlotFacts { deviation: 0.0, ..self }
    }
}

/// Makes parameters of any degree, whatever their security.
///
/// # Errors
/// [`Error::Spec`], and [`Error::Ring`] if there are not enough primes.
#[cfg(feature = "toys")]
pub fn insecure<M: Mode>(spec: crate::ckks::Spec) -> Result<Params<Ckks<M>>, Error> {
    Params::insecure(spec)
}

/// Makes parameters of any degree that can be bootstrapped, whatever their security.
///
/// # Errors
/// [`Error::Spec`], and [`Error::Ring`] if there are not enough primes.
#[cfg(feature = "toys")]
pub fn insecure_bootstrappable<M: Mode>(schedule: Schedule) -> Result<Params<Ckks<M>>, Error> {
    Params::insecure_bootstrappable(schedule)
}

/// Returns the numbers of a set.
#[cfg(feature = "toys")]
pub fn schedule(set: crate::ckks::BootstrapSet) -> Schedule {
    set.schedule()
}
