//! Vectors of wide integers: thousands of 64-bit or 128-bit values in one ciphertext.
//!
//! A [`Vector`] holds its values modulo several primes `t_i`, in the slots of one BGV ciphertext
//! for each of them (Chinese remainder). The primes are chosen for the width of the values and for
//! the circuit by [`VectorParams::plan`]; results are integers, not residues: every vector carries
//! a public bound on its values, which starts with `Circuit::input_bits` of the plan, and an
//! operation whose values could wrap around is refused.
//!
//! One secret, one ring and one relinearisation key serve all primes, because the errors of the
//! keys are multiples of no `t_i`: a polynomial is divided by `t_i` before its key switch and the
//! result multiplied by it (docs/maths/gbfv.md).
//!
//! [`VectorEvaluator`] is not the evaluator of the other ring schemes, because a ciphertext of
//! theirs has one plaintext modulus: a vector has one polynomial pair for each `t_i`, all of which
//! share a noise bound, a lineage and a level, and each divides by its own `t_i` before the common
//! key switch. Keys, their generation, wire forms, the noise model and lineages are those of
//! [`rlwe`](crate::rlwe).
//!
//! ```
//! # use fathom_rings as fathom;
//! use fathom::wide::{Circuit, Rotations, Vector, VectorEvaluator, VectorParams, VectorSecretKey};
//! use fathom::SecretRng;
//!
//! # fn main() -> Result<(), fathom::Error> {
//! let circuit = Circuit::products_of::<u64>(1);
//! let params = VectorParams::plan(&circuit)?;
//! let mut rng = SecretRng::from_os()?;
//! let secret = VectorSecretKey::generate(&params, &mut rng);
//! let server = VectorEvaluator::new(&secret.evaluation_keys(&Rotations::none(), &mut rng)?);
//! let a: Vector<u64> = secret.encrypt(&[u64::MAX, 3], &mut rng)?;
//! let b = secret.encrypt(&[u64::MAX, 4], &mut rng)?;
//! let product = secret.decrypt(&server.mul(&a, &b)?)?;
//! assert_eq!(product[0].to_u128(), Some(u128::from(u64::MAX) * u128::from(u64::MAX)));
//! assert_eq!(product[1].to_u64(), Some(12));
//! # Ok(())
//! # }
//! ```

mod codec;
mod compute;
mod element;
mod encoding;
mod encrypt;
mod mask;
mod params;
mod plain;
mod plan;
mod sum;
#[cfg(test)]
mod sum_tests;
mod tables;
#[cfg(test)]
mod tests;

use crate::KeyId;
use crate::rlwe::{Lineage, Noise};
use fathom_ring::{Eval, Poly, Seed};
use std::marker::PhantomData;

pub use crate::rlwe::Encryption;
pub use compute::VectorEvaluator;
pub use element::Element;
pub use encoding::{Residues, VectorKeys, VectorParams, VectorPublicKey, VectorSecretKey};
pub use plan::{Circuit, Relinearization};
use tables::VectorSpec;

/// An encrypted vector of integers of type `T`: `u64`, `i64`, `u128` or `i128`.
#[derive(Clone, Debug)]
pub struct Vector<T: Element> {
    params: VectorParams,
    /// The identifier of the secret key that decrypts the vector.
    key: KeyId,
    /// Components, for each prime `t_i`, of a ciphertext with phase `m_i + t_i e`.
    residues: Vec<Vec<Poly<Eval>>>,
    /// Bounds the phase for every prime.
    noise: Noise,
    /// The fresh encryptions that the vector was computed from.
    lineage: Lineage,
    /// The greatest absolute value that an element can have.
    largest: f64,
    length: usize,
    /// True until anything is computed on it.
    fresh: bool,
    /// The seed of the last components, as long as the vector is fresh.
    seed: Option<Seed>,
    word: PhantomData<T>,
}

impl<T: Element> Vector<T> {
    /// Returns the parameters of the vector.
    pub fn params(&self) -> &VectorParams {
        &self.params
    }

    /// Returns the identifier of the secret key that decrypts the vector.
    pub fn key_id(&self) -> KeyId {
        self.key
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns true if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns the number of polynomials for each prime: 2, or 3 before relinearisation.
    pub fn component_count(&self) -> usize {
        self.residues[0].len()
    }

    /// Returns true if the vector is a fresh encryption, on which nothing has been computed.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Returns `log2` of the public bound on the absolute value of an element.
    pub fn value_bits(&self) -> f64 {
        self.largest.log2()
    }

    /// Returns the bits of noise that can still be added before a decryption could fail with more
    /// than the parameters' probability. Computed from public data alone.
    pub fn noise_budget_bits(&self) -> f64 {
        self.params.vector_budget(self.noise)
    }
}
