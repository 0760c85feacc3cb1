//! Gates on encrypted bits, each by one bootstrap.
//!
//! ```
//! # use fathom_torus as fathom;
//! use fathom::SecretRng;
//! use fathom::tfhe::boolean::{Bit, Gate, Gates};
//! use fathom::tfhe::{ClientKey, Evaluator, Params};
//!
//! let mut rng = SecretRng::from_os()?;
//! let client = ClientKey::generate(&Params::preset(Params::GATES)?, &mut rng);
//! let gates = Gates::new(Evaluator::new(client.evaluation_keys(&mut rng)?, 1)?)?;
//!
//! let a: Bit = client.encrypt(true, &mut rng)?;
//! let b: Bit = client.encrypt(true, &mut rng)?;
//! let carry: Bit = client.encrypt(false, &mut rng)?;
//! let adder = gates.evaluate(&[Gate::Xor3(&a, &b, &carry), Gate::Majority(&a, &b, &carry)])?;
//! assert_eq!((client.decrypt(&adder[0])?, client.decrypt(&adder[1])?), (false, true));
//! # Ok::<(), fathom::Error>(())
//! ```
//!
#![doc = include_str!("../../../../../docs/maths/tfhe-gates.md")]

mod bit;
mod gate;
mod gates;
mod many;
#[cfg(test)]
mod tests;
mod verbs;

pub use bit::Bit;
pub use gate::Gate;
pub use gates::Gates;
