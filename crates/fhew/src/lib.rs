//! The FHEW family: gates by blind rotation over a ring with one prime, in exact integer
//! arithmetic.
//!
//! It offers the three blind rotations of the literature, GINX (CGGI), LMKCDEY and AP (DM), behind
//! one key type, with parameters of the same security level. Use [`fathom::tfhe::boolean`] for
//! speed; this crate is for comparing the algorithms with each other and with other libraries.
//!
//! A bit `m` is encoded as `m / 4` of the torus, in LWE ciphertexts of 592 words modulo `2^15`. A
//! gate adds its inputs, rounds to exponents modulo `2 N`, rotates a polynomial of `±1/8`, and
//! switches modulus and key back. It fails if the noise of both inputs and of one rounding is too
//! large, with the probability [`FhewParams::failure_log2`] of `2^-62` to `2^-84`, as in published
//! sets of these algorithms. **These sets are therefore for the IND-CPA model only.**
//!
//! The security by the estimator of `fathom-security` is 131.6 bits for the LWE key and 131.0 bits
//! for the ring key (docs/maths/tfhe-parameters.md). Noise: docs/maths/fhew.md.
//!
//! ```
//! use fathom::SecretRng;
//! use fathom_fhew::{FhewParams, FhewSecretKey};
//!
//! let mut rng = SecretRng::from_os()?;
//! let params = FhewParams::preset("fhew_lmkcdey_128")?;
//! let secret = FhewSecretKey::generate(&params, &mut rng);
//! let server = secret.evaluation_keys(&mut rng)?;
//!
//! let (a, b) = (secret.encrypt(true, &mut rng), secret.encrypt(false, &mut rng));
//! let nand = server.nand(&a, &b)?;
//! assert!(secret.decrypt(&nand)?);
//! # Ok::<(), fathom_fhew::Error>(())
//! ```
#![forbid(unsafe_code)]

mod ciphertext;
mod codec;
mod error;
mod evaluation_keys_codec;
mod gates;
#[cfg(test)]
mod noise;
mod params;
#[cfg(test)]
#[path = "../../torus/src/tfhe/noise/record.rs"]
mod record;
mod rgsw;
mod rotate;
mod rotation_key;
mod secret_key;
#[cfg(feature = "serde")]
mod serde_support;
mod switch;
#[cfg(test)]
mod tests;
mod verbs;

pub use ciphertext::FhewBit;
pub use error::Error;
pub use gates::{FhewEvaluationKeys, FhewGate};
pub use params::{FhewParams, Method};
pub use secret_key::FhewSecretKey;
