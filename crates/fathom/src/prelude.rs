//! The names that most programs need: `use fathom::prelude::*`.
//!
//! Names that several schemes have, such as `Params` and `Evaluator`, are reached through the
//! module of the scheme.
//!
//! ```
//! use fathom::prelude::*;
//!
//! # fn main() -> Result<(), fathom::Error> {
//! let params = bgv::Params::preset(Preset::E1)?;
//! let mut rng = SecretRng::from_os()?;
//! let secret = bgv::SecretKey::generate(&params, &mut rng);
//! let server = bgv::Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng)?);
//! let x = secret.encrypt(&params.encode(&[2, 3])?, &mut rng)?;
//! let square = server.square(&x)?;
//! assert_eq!(secret.decrypt(&square)?.slots()?[..2], [4, 9]);
//! # Ok(())
//! # }
//! ```

#[doc(inline)]
pub use fathom_bootstrap::prelude::*;
#[doc(inline)]
pub use fathom_torus::prelude::*;
