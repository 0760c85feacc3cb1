//! Exact arithmetic on wide integers: 64-bit, 128-bit and wider.
//!
//! A ciphertext holds one integer modulo `2^N + 1`, from `-2^(N-1)` to `2^(N-1)`, where `N` is the
//! ring degree: the plaintext modulus is the polynomial `X - 2` instead of an integer (Chen, Laine,
//! Player, Xia, eprint 2018/1285). Products of 64-bit integers are exact, with all of their 128
//! bits, in a ring of degree 2048. Derivation and noise: docs/maths/gbfv.md.
//!
//! Every ciphertext carries a public bound on its integer, [`Ciphertext::value_bits`], which starts
//! with the width of the type. A result that could wrap around is refused with
//! [`WideError::Overflow`]; [`Ciphertext::wrapping`] asks for arithmetic modulo `2^N + 1`.
//!
//! ```
//! # use fathom_rings as fathom;
//! use fathom::wide::{Evaluator, Params, Preset, SecretKey};
//! use fathom::SecretRng;
//!
//! # fn main() -> Result<(), fathom::Error> {
//! let params = Params::preset(Preset::E4)?;
//! let mut rng = SecretRng::from_os()?;
//! let secret = SecretKey::generate(&params, &mut rng);
//! let server = Evaluator::new(secret.evaluation_keys(&mut rng)?);
//! let a = secret.encrypt(&params.encode(u64::MAX)?, &mut rng)?;
//! let b = secret.encrypt(&params.encode(-3i64)?, &mut rng)?;
//! let product = server.mul(&a, &b)?;
//! assert_eq!(secret.decrypt(&product)?.value().to_i128(), Some(-3 * i128::from(u64::MAX)));
//! # Ok(())
//! # }
//! ```

mod choice;
mod codec;
mod encode;
mod encoding;
mod encrypt;
mod factor;
mod integer;
mod limbs;
mod mul;
mod mul_plain;
mod params;
mod presets;
mod scheme;
#[cfg(test)]
mod tests;
mod vector;
mod width;

pub use crate::rlwe::Rotations;
pub use choice::{Choice, Form};
pub use encode::{Multiplicand, Plaintext};
use encoding::Tables;
pub use encoding::{
    Ciphertext, EvaluationKeys, Evaluator, Params, Product, PublicKey, SecretKey, Spec, Wide,
};
pub use factor::Factor;
pub use fathom_base::error::WideError;
pub use integer::Integer;
pub use presets::Preset;
pub use vector::{
    Circuit, Element, Encryption, Relinearization, Residues, Vector, VectorEvaluator, VectorKeys,
    VectorParams, VectorPublicKey, VectorSecretKey,
};
pub use width::{Content, Width};
