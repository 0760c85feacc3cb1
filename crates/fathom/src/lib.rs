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
//! Two features: `rayon`, on by default, without which evaluators have one thread each, and
//! `serde`, with which objects are values of serde.
//!
//! Security is IND-CPA only: nobody who may choose ciphertexts may learn decryptions, decryption
//! errors or measured noise.
#![forbid(unsafe_code)]

pub mod bfv;
pub mod bgv;
#[doc(hidden)]
pub mod building;
mod cancel;
pub mod ckks;
#[cfg(doctest)]
mod compile_fail;
mod error;
mod key_id;
pub mod lwe;
pub mod prelude;
pub mod refresh;
pub mod rlwe;
#[cfg(feature = "serde")]
mod serde_support;
pub mod tfhe;
mod threads;
mod whole_file;
pub mod wide;
pub mod wire;

pub use cancel::CancelToken;
pub use error::{Error, ErrorKind};
pub use fathom_ring::{Gadget, SecretRng};
pub use fathom_security::{Assessment, Badge, Level as SecurityLevel};
pub use key_id::KeyId;
#[cfg(feature = "serde")]
pub use serde_support::{Framed, FreshWithin, Within};

/// The failure probability of a `Spec`, as `log2`, for bounds in the worst case: no error exceeds
/// its bound, whatever the samplers draw. The bounds are then those of the largest errors, all of
/// them adding up, and parameters have room for fewer operations.
pub const WORST_CASE: f64 = f64::NEG_INFINITY;

/// The largest number of threads that an evaluator or a pool of workers starts.
pub const MAX_THREADS: usize = 1024;

/// The code in README.md, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
