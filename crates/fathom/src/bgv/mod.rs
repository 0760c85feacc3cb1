//! BGV: exact integers modulo `t`, with levels in the caller's hands.
//!
//! ```
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

mod scheme;

pub use crate::rlwe::modular::{Circuit, Preset, Spec};
pub use crate::rlwe::{Encryption, Packed, Rotations, RowSwap};
pub use scheme::{
    Bgv, Ciphertext, EvaluationKeys, Evaluator, GaloisKeys, LinearMap, Multiplicand, Params,
    Plaintext, Plan, PublicKey, RelinearizationKey, SecretKey,
};
