//! BFV: exact integers modulo `t`, with automatic levels.
//!
//! ```
//! # use fathom_rings as fathom;
//! use fathom::prelude::*;
//!
//! # fn main() -> Result<(), Error> {
//! let params = bfv::Params::preset(Preset::E1)?;
//! let mut rng = SecretRng::from_os()?;
//! let secret = bfv::SecretKey::generate(&params, &mut rng);
//! let server = bfv::Evaluator::new(secret.evaluation_keys(&Rotations::steps(&[1]), &mut rng)?);
//!
//! let x = secret.encrypt(&params.encode(&[2, 3, 5])?, &mut rng)?;
//! let square = server.mul(&x, &x)?;
//! let sum = server.add(&square, &server.rotate(&square, 1)?)?;
//! assert_eq!(secret.decrypt(&sum)?.slots()?[..2], [13, 34]);
//! # Ok(())
//! # }
//! ```
//!
//! The evaluator brings operands to one level by itself. Ciphertexts use the form of BGV, in which
//! products are several times cheaper (docs/decisions/0001-one-core-for-bfv-and-bgv.md);
//! [`Ciphertext::to_msb`] and [`Params::from_msb`] convert to and from the form of the BFV paper,
//! with the message in the most significant bits of the modulus.

mod codec;
mod msb;
mod mul;

use crate::rlwe::modular::{self, Modular, Tables};
pub use crate::rlwe::modular::{Circuit, Preset, Spec};
use crate::rlwe::{self, Encoding, Level, Levels, sealed::Sealed};
pub use crate::rlwe::{Encryption, Packed, Rotations, RowSwap};
pub use msb::MsbCiphertext;

/// The scheme of Brakerski, Fan and Vercauteren (eprint 2012/144).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bfv {}

impl Sealed for Bfv {}

impl Encoding for Bfv {
    type Meta = u64;
    type Facts = ();
    type Tables = Tables;

    const NAME: &'static str = "bfv";
    const LEVELS: Levels = Levels::Automatic;
}

impl Modular for Bfv {
    /// Returns the factor `-Q mod t`, which makes the standard BFV form `round(Q m / t)`.
    fn fresh_factor(params: &Params, level: Level) -> u64 {
        standard_factor(params, level)
    }
}

/// Returns `-Q mod t` for the modulus `Q` of `level`.
fn standard_factor(params: &Params, level: Level) -> u64 {
    let t = params.plain().modulus();
    let q = params.chain()[..level.limbs().get()].iter().fold(1, |acc, &q| t.mul(acc, t.reduce(q)));
    t.neg(q)
}

/// Checked BFV parameters.
pub type Params = rlwe::Params<Bfv>;
/// A message: a polynomial modulo `t`.
pub type Plaintext = modular::Plaintext<Bfv>;
/// A message prepared to multiply ciphertexts.
pub type Multiplicand = modular::Multiplicand<Bfv>;
/// A BFV ciphertext.
pub type Ciphertext = rlwe::Ciphertext<Bfv>;
/// The secret key, which encrypts and decrypts and generates all other keys.
pub type SecretKey = rlwe::SecretKey<Bfv>;
/// The public key, with which anyone can encrypt and nobody can decrypt.
pub type PublicKey = rlwe::PublicKey<Bfv>;
/// The relinearisation key, which products need.
pub type RelinearizationKey = rlwe::RelinearizationKey<Bfv>;
/// The Galois keys: key switching keys of rotations.
pub type GaloisKeys = rlwe::GaloisKeys<Bfv>;
/// All keys of an evaluator.
pub type EvaluationKeys = rlwe::EvaluationKeys<Bfv>;
/// The party that computes on BFV ciphertexts.
pub type Evaluator = rlwe::Evaluator<Bfv>;
/// A matrix prepared to multiply encrypted vectors.
pub type LinearMap = rlwe::LinearMap<Bfv>;
/// Parameters found for a circuit, with the reasons.
pub type Plan = modular::Plan<Bfv>;
