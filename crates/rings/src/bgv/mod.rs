//! BGV: exact integers modulo `t`, with levels in the caller's hands.
//!
//! ```
//! # use fathom_rings as fathom;
//! use fathom::prelude::*;
//!
//! # fn main() -> Result<(), Error> {
//! let params = bgv::Params::preset(Preset::E2)?;
//! let mut rng = SecretRng::from_os()?;
//! let secret = bgv::SecretKey::generate(&params, &mut rng);
//! let server = bgv::Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng)?);
//!
//! let x = secret.encrypt(&params.encode(&[2, 3])?, &mut rng)?;
//! let square = server.square(&x)?;
//! let lowered = server.mod_switch_to(&x, square.level())?;
//! let sum = server.add(&square, &lowered)?;
//! assert_eq!(secret.decrypt(&sum)?.slots()?[..2], [6, 12]);
//! # Ok(())
//! # }
//! ```
//!
//! [`Evaluator::mul`] ends one level lower. Operands at different levels are refused until
//! [`Evaluator::mod_switch_to`] brings them together.

use crate::rlwe::modular::{self, Modular, Tables};
pub use crate::rlwe::modular::{Circuit, Preset, Spec};
use crate::rlwe::{self, Encoding, Level, Levels, sealed::Sealed};
pub use crate::rlwe::{Encryption, Packed, Rotations, RowSwap};

/// The scheme of Brakerski, Gentry and Vaikuntanathan (eprint 2011/277).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bgv {}

impl Sealed for Bgv {}

impl Encoding for Bgv {
    type Meta = u64;
    type Facts = ();
    type Tables = Tables;

    const NAME: &'static str = "bgv";
    const LEVELS: Levels = Levels::Explicit;
}

impl Modular for Bgv {
    fn fresh_factor(_: &Params, _: Level) -> u64 {
        1
    }
}

/// Checked BGV parameters.
pub type Params = rlwe::Params<Bgv>;
/// A message: a polynomial modulo `t`.
pub type Plaintext = modular::Plaintext<Bgv>;
/// A message prepared to multiply ciphertexts.
pub type Multiplicand = modular::Multiplicand<Bgv>;
/// A BGV ciphertext.
pub type Ciphertext = rlwe::Ciphertext<Bgv>;
/// The secret key, which encrypts and decrypts and generates all other keys.
pub type SecretKey = rlwe::SecretKey<Bgv>;
/// The public key, with which anyone can encrypt and nobody can decrypt.
pub type PublicKey = rlwe::PublicKey<Bgv>;
/// The relinearisation key, which products need.
pub type RelinearizationKey = rlwe::RelinearizationKey<Bgv>;
/// The Galois keys: key switching keys of rotations.
pub type GaloisKeys = rlwe::GaloisKeys<Bgv>;
/// All keys of an evaluator.
pub type EvaluationKeys = rlwe::EvaluationKeys<Bgv>;
/// The party that computes on BGV ciphertexts.
pub type Evaluator = rlwe::Evaluator<Bgv>;
/// A matrix prepared to multiply encrypted vectors.
pub type LinearMap = rlwe::LinearMap<Bgv>;
/// Parameters found for a circuit, with the reasons.
pub type Plan = modular::Plan<Bgv>;
