//! Small integers: one block with a few bits of message and as many bits of carry.
//!
//! ```
//! # use fathom_torus as fathom;
//! use fathom::SecretRng;
//! use fathom::tfhe::shortint::{ShortInt, ShortInts};
//! use fathom::tfhe::{ClientKey, Evaluator, Params};
//!
//! let mut rng = SecretRng::from_os()?;
//! let client = ClientKey::generate(&Params::preset(Params::INTEGERS)?, &mut rng);
//! let ints = ShortInts::new(Evaluator::new(client.evaluation_keys(&mut rng)?, 1)?)?;
//!
//! let x: ShortInt = client.encrypt(3_u32, &mut rng)?;
//! let y: ShortInt = client.encrypt(2_u32, &mut rng)?;
//! let square = ints.apply(&x, |x| x * x)?; // any function, modulo 4
//! let less = ints.lt(&y, &x)?;
//! assert_eq!((client.decrypt(&square)?, client.decrypt(&less)?), (1, 1));
//! # Ok::<(), fathom::Error>(())
//! ```
//!
//! A [`ShortInt`] encrypts an integer modulo `2^message_bits`. Its block may hold more: sums and
//! multiples are linear and keep their carries in the block, which may become negative. Range and
//! noise are tracked, and every block must stay within the limits of a bootstrap.
//!
//! | form | what it does | result |
//! |---|---|---|
//! | `unchecked_add` ... `unchecked_mul_scalar` | linear, no bootstrap | carries kept |
//! | [`ShortInts::unchecked`] | one bootstrap | canonical |
//! | `add`, `lt`, ..., [`ShortInts::evaluate`] | refreshes first, one bootstrap | canonical |
//!
//! The unchecked forms return [`TableError::OutsideDomain`](crate::tfhe::TableError::OutsideDomain)
//! or [`Error::NoiseExceeded`] where the others refresh the operands. *Canonical* means a message
//! without carry and with the noise of a bootstrap. All functions are functions of the message:
//! carries do not change their results.
//!
//! [`Error::NoiseExceeded`]: crate::Error::NoiseExceeded

mod evaluate;
mod extract;
mod linear;
mod lookup;
mod methods;
mod operation;
mod short_int;
#[cfg(test)]
mod tests;

pub use evaluate::Call;
pub use lookup::ShortInts;
pub use operation::Operation;
pub use short_int::ShortInt;
