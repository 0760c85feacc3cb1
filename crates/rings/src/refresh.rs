//! The refresh of BFV and BGV: computation without end, exactly.
//!
//! ```no_run
//! # use fathom_rings as fathom;
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

pub use crate::ckks::refresh::{
    CoefficientTable, LEAST_BUDGET, PreparedTables, RefreshKeys, RefreshSet, Refresher,
};
