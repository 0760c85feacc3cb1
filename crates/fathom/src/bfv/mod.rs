//! BFV: exact integers modulo `t`, with automatic levels.
//!
//! ```
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
mod scheme;

pub use crate::rlwe::modular::{Circuit, Preset, Spec};
pub use crate::rlwe::{Encryption, Packed, Rotations, RowSwap};
pub use msb::MsbCiphertext;
pub use scheme::{
    Bfv, Ciphertext, EvaluationKeys, Evaluator, GaloisKeys, LinearMap, Multiplicand, Params,
    Plaintext, Plan, PublicKey, RelinearizationKey, SecretKey,
};
