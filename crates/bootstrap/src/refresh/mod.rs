//! The refresh of BFV and BGV: computation without end, exactly.
//!
//! ```no_run
//! # use fathom_bootstrap as fathom;
//! use fathom::prelude::*;
//! use fathom::refresh::{RefreshSet, Refresher};
//!
//! # fn main() -> Result<(), fathom::Error> {
//! // The client.
//! let params = bfv::Params::preset(Preset::E1)?;
//! let mut rng = SecretRng::from_os()?;
//! let secret = bfv::SecretKey::generate(&params, &mut rng);
//! let keys = secret.refresh_keys(RefreshSet::Noise, &mut rng)?;
//! let x = secret.encrypt(&params.encode(&[2, 3, 5])?, &mut rng)?;
//!
//! // The server.
//! let refresher = Refresher::new(keys);
//! let evaluator = bfv::Evaluator::without_keys(&params);
//! let mut power = x;
//! for _ in 0..100 {
//!     power = refresher.refresh(&evaluator.mul_scalar(&power, 3)?)?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The noise of a ciphertext is a small real number in every coefficient. A bootstrapping of CKKS
//! evaluates that number under a large modulus, and what it returns is subtracted, so that the
//! message itself is never approximated. One evaluation refreshes `2^16 / N` ciphertexts of degree
//! `N` together, in some seconds and with some gigabytes of memory: [`Refresher::refresh_all`].
//! docs/maths/bootstrap.md has the derivation.
//!
//! The same evaluation applies any table to the coefficients of messages, which hold integers of up
//! to 8 bits, and leaves as little noise: [`CoefficientTable`], [`Refresher::prepare`],
//! [`Refresher::apply`].
//!
//! # How it works
//!
//! A phase `v = f m + t e` modulo `q` is, in units of `q`, a small number in every coefficient. A
//! bootstrapping that has the coefficients in its slots evaluates it as a real number: a ciphertext
//! of `v / q` under a large modulus. With the modulus `Q'` of the result,
//!
//! ```text
//! (Q'/q) c - t w,    w a ciphertext of (Q'/t) (v/q + d)
//! ```
//!
//! has the phase `-Q' d`, which is congruent to `(Q'/q) f m` modulo `t`. What is left of the noise
//! is the error `d` of the evaluation, whatever it was before, and nothing of the message is ever
//! approximated (Kim, Seo, Song, eprint 2024/109).
//!
//! Tables are the same machine with another function: the message itself is brought to the angle,
//! and the values of a table take the place of the noise.
//!
//! Ciphertexts of a small ring are interleaved to one of the large ring of the bootstrapping, so
//! that one evaluation refreshes all of them.

mod codec;
mod convert;
mod keys;
mod model;
mod refresher;
mod rings;
mod set;
mod table;
#[cfg(test)]
mod tests;
mod verbs;

pub use keys::RefreshKeys;
pub use refresher::{LEAST_BUDGET, Refresher};
pub use set::RefreshSet;
pub use table::{CoefficientTable, PreparedTables};
pub use verbs::{RefreshParams, RefreshSecret};
