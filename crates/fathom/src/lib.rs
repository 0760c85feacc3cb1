//! Homomorphic encryption: BFV, BGV, CKKS, exact wide integers and TFHE behind one API, with noise
//! bounds that the library tracks.
//!
//! ```
//! use fathom::prelude::*;
//!
//! # fn main() -> Result<(), Error> {
//! // The client keeps the secret key.
//! let params = bfv::Params::preset(Preset::E1)?;
//! let mut rng = SecretRng::from_os()?;
//! let secret = bfv::SecretKey::generate(&params, &mut rng);
//! let x = secret.encrypt(&params.encode(&[1, 2, 3])?, &mut rng)?;
//!
//! // The server computes with evaluation keys, which reveal nothing.
//! let server = bfv::Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng)?);
//! let result = server.add_scalar(&server.square(&x)?, 10)?;
//!
//! assert_eq!(secret.decrypt(&result)?.slots()?[..3], [11, 14, 19]);
//! # Ok(())
//! # }
//! ```
//!
//! | module | scheme | plaintexts |
//! |---|---|---|
//! | [`bfv`] | Brakerski, Fan, Vercauteren | integers modulo `t`; levels are automatic |
//! | [`bgv`] | Brakerski, Gentry, Vaikuntanathan | the same, with levels in the caller's hands |
//! | [`ckks`] | Cheon, Kim, Kim, Song | real and complex numbers, with a bound on the error |
//! | [`wide`] | Chen, Laine, Player, Xia | 64-bit, 128-bit and wider integers |
//! | [`tfhe`] | Chillotti, Gama, Georgieva, Izabachène | bits, small integers, machine integers |
//!
//! Two schemes have crates of their own: `fathom-fhew` is FHEW, for comparisons of blind rotations,
//! and `fathom-hfhe` the experimental HFHE, on integers modulo `2^127 - 1`.
//!
//! Every ciphertext carries a public bound on its noise. An operation that could exceed the limit
//! returns [`Error::NoiseExhausted`] with the numbers and the remedy, so that a wrong answer is
//! never returned silently.
//!
//! # Errors
//!
//! [`Error`] is the one error of the library, and [`ErrorKind`] says who can do something about it:
//!
//! ```
//! use fathom::prelude::*;
//! use fathom::ErrorKind;
//!
//! # fn main() -> Result<(), Error> {
//! let params = bfv::Params::preset(Preset::E1)?;
//! let received = [0; 100];
//! let refused = bfv::Ciphertext::from_bytes(&params, &received).unwrap_err();
//! assert_eq!(refused.kind(), ErrorKind::Bytes);
//! # Ok(())
//! # }
//! ```
//!
//! # Cancellation
//!
//! A [`CancelToken`] ends what takes long, from another thread:
//!
//! ```
//! use fathom::prelude::*;
//!
//! # fn main() -> Result<(), Error> {
//! let params = tfhe::Params::preset(tfhe::Params::INTEGERS)?;
//! let integers = Integers::simulated(&params)?;
//! let token = CancelToken::new();
//! let integers = Integers::new(integers.evaluator().with_cancel(&token))?;
//! let x = FheUint8::trivial(3_u8)?;
//! integers.mul(&x, &x)?;
//! token.cancel(); // from any thread
//! assert!(matches!(integers.mul(&x, &x), Err(Error::Cancelled)));
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! Two features: `rayon`, on by default, without which evaluators have one thread each, and
//! `serde`, with which objects are values of serde: see the module of that name.
//!
//! Security is IND-CPA only: nobody who may choose ciphertexts may learn decryptions, decryption
//! errors or measured noise.
#![forbid(unsafe_code)]

#[cfg(doctest)]
mod compile_fail;
pub mod prelude;
#[cfg(feature = "serde")]
pub mod serde;
pub mod wire;

pub use fathom_base::{CancelToken, Error, ErrorKind, KeyId, MAX_THREADS, WORST_CASE};
#[doc(inline)]
pub use fathom_bootstrap::{ckks, refresh};
pub use fathom_ring::{Gadget, SecretRng};
#[doc(inline)]
pub use fathom_rings::{bfv, bgv, rlwe, wide};
pub use fathom_security::{Assessment, Badge, Level as SecurityLevel};
#[doc(inline)]
pub use fathom_torus::{lwe, tfhe};
#[cfg(feature = "serde")]
pub use serde::{Framed, FreshWithin, Within};

/// The level at which the compiler optimised this crate, as records of measurements state it.
#[doc(hidden)]
pub const OPT_LEVEL: &str = env!("FATHOM_OPT_LEVEL");

/// The code in README.md, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
