//! The FHEW family: gates by blind rotation over a ring of one prime, exact in integers.
//!
//! The three blind rotations of the literature, called GINX (CGGI), LMKCDEY and AP (DM), behind one
//! key type, at parameters of one security level. For speed use [`crate::tfhe::boolean`]; this
//! module is for comparing the algorithms, and against libraries that have them.
//!
//! A bit `m` is `m / 4` of the torus, in LWE ciphertexts of 592 words modulo `2^15`. A gate adds
//! its inputs, rounds to exponents modulo `2 N`, rotates a polynomial of `±1/8` and switches
//! modulus and key back. Its phase errs by the noise of both inputs and of one rounding, of which
//! [`FhewParams::failure_log2`] gives the probability: `2^-62` to `2^-84`, as published sets of
//! these algorithms have it. **So these sets are for the IND-CPA model only.**
//!
//! Security by the estimator of `fathom-security`: 131.6 bits for the LWE key, 131.0 for the ring
//! key (docs/maths/tfhe-parameters.md). Noise: docs/maths/fhew.md.

mod ciphertext;
mod gates;
#[cfg(test)]
mod noise;
mod params;
mod rgsw;
mod rotate;
mod rotation_key;
mod secret_key;
mod switch;
#[cfg(test)]
mod tests;

pub use ciphertext::FhewBit;
pub use gates::{FhewEvaluationKey, FhewGate};
pub use params::{FhewParams, Method};
pub use secret_key::FhewSecretKey;
