//! CKKS: real and complex numbers, with a bound on the error of every result.
//!
//! A ciphertext hides `scale * m + e` for a polynomial `m` whose values at half of the roots of
//! `X^N + 1` are the slots. Every ciphertext carries a bound on the absolute error of its slots,
//! which holds for every message but with probability 2^-128, and which is computed from public
//! data alone. Results beyond that precision are refused. The theorems are in docs/maths/ckks.md.
//!
//! In this module, levels and scales are aligned by the evaluator. In [`explicit`] they are in the
//! caller's hands.

mod add_plain;
pub(crate) mod align;
pub(crate) mod basis;
mod chebyshev;
mod codec;
mod composition;
mod conjugate;
mod decrypt;
mod domain;
mod encode;
mod encoding;
mod encrypt;
pub(crate) mod facts;
mod flood;
mod for_circuit;
mod interval;
#[cfg(test)]
mod known_answers;
mod linear_map;
mod mask;
mod minimax;
mod mul_plain;
mod params;
mod plan;
mod polynomial;
mod precision;
mod presets;
mod reciprocal;
mod refreshing;
pub(crate) mod reserved;
mod scalar;
pub(crate) mod schedule;
mod scheme;
#[cfg(test)]
mod search;
mod sensitivity;
mod sign;
mod spec;
mod statistics;
mod weighted_sum;

use crate::rlwe;
pub use chebyshev::Approximation;
pub use encode::Value;
use encoding::Tables;
pub use encoding::{Automatic, Ckks, Explicit, Mode};
pub use facts::SlotFacts;
pub use fathom_base::error::{DomainError, FloodError, ScaleError};
pub use fathom_ring::Complex64;
pub use flood::Flooding;
pub use for_circuit::CircuitPlan;
pub use interval::Interval;
pub use presets::Preset;
pub use rlwe::{Encryption, Packed, Rotations, RowSwap, Summand};
pub use schedule::BootstrapSet;
pub use sign::SignApproximation;
pub use spec::Spec;

/// Checked CKKS parameters.
pub type Params = rlwe::Params<Ckks>;
/// A message: the values of slots, encoded as a polynomial with real coefficients.
pub type Plaintext = encode::Plaintext<Automatic>;
/// A message prepared to multiply ciphertexts.
pub type Multiplicand = mul_plain::Multiplicand<Automatic>;
/// A message prepared to be added to ciphertexts.
pub type Addend = add_plain::Addend<Automatic>;
/// A CKKS ciphertext.
pub type Ciphertext = rlwe::Ciphertext<Ckks>;
/// The secret key.
pub type SecretKey = rlwe::SecretKey<Ckks>;
/// The public key.
pub type PublicKey = rlwe::PublicKey<Ckks>;
/// The public keys of an evaluator: relinearisation and Galois keys.
pub type EvaluationKeys = rlwe::EvaluationKeys<Ckks>;
/// Computes on CKKS ciphertexts.
pub type Evaluator = rlwe::Evaluator<Ckks>;
/// A matrix prepared to multiply encrypted vectors.
pub type LinearMap = rlwe::LinearMap<Ckks>;

/// CKKS with levels and scales in the caller's hands: operands that differ in either are refused.
pub mod explicit {
    use super::{Ckks, add_plain, encode, mul_plain, rlwe};

    pub use super::{
        Approximation, BootstrapSet, CircuitPlan, Complex64, DomainError, Encryption, Explicit,
        Flooding, Interval, Packed, Preset, Rotations, RowSwap, ScaleError, SignApproximation,
        Spec, Summand, Value,
    };

    /// Checked CKKS parameters.
    pub type Params = rlwe::Params<Ckks<Explicit>>;
    /// A message: the values of slots, encoded as a polynomial with real coefficients.
    pub type Plaintext = encode::Plaintext<Explicit>;
    /// A message prepared to multiply ciphertexts.
    pub type Multiplicand = mul_plain::Multiplicand<Explicit>;
    /// A message prepared to be added to ciphertexts.
    pub type Addend = add_plain::Addend<Explicit>;
    /// A CKKS ciphertext.
    pub type Ciphertext = rlwe::Ciphertext<Ckks<Explicit>>;
    /// The secret key.
    pub type SecretKey = rlwe::SecretKey<Ckks<Explicit>>;
    /// The public key.
    pub type PublicKey = rlwe::PublicKey<Ckks<Explicit>>;
    /// The public keys of an evaluator: relinearisation and Galois keys.
    pub type EvaluationKeys = rlwe::EvaluationKeys<Ckks<Explicit>>;
    /// Computes on CKKS ciphertexts.
    pub type Evaluator = rlwe::Evaluator<Ckks<Explicit>>;
    /// A matrix prepared to multiply encrypted vectors.
    pub type LinearMap = rlwe::LinearMap<Ckks<Explicit>>;
}
