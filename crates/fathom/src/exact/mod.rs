//! Exact arithmetic on wide integers: 64-bit, 128-bit and wider.
//!
//! A ciphertext holds one integer modulo `2^N + 1`, from `-2^(N-1)` to `2^(N-1)`, where `N` is the
//! ring degree: the plaintext modulus is the polynomial `X - 2` instead of an integer (Chen, Laine,
//! Player, Xia, eprint 2018/1285). Products of 64-bit integers are exact, with all of their 128
//! bits, in a ring of degree 2048. Derivation and noise: docs/maths/gbfv.md.
//!
//! ```
//! use fathom::exact::{Evaluator, Params, Preset, Rotations, SecretKey};
//! use fathom::SecretRng;
//!
//! # fn main() -> Result<(), fathom::Error> {
//! let params = Params::preset(Preset::E4)?;
//! let mut rng = SecretRng::from_os()?;
//! let secret = SecretKey::generate(&params, &mut rng);
//! let server = Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng)?);
//! let a = secret.encrypt(&params.encode(u64::MAX)?, &mut rng)?;
//! let b = secret.encrypt(&params.encode(-3i64)?, &mut rng)?;
//! let product = server.mul(&a, &b)?;
//! assert_eq!(secret.decrypt(&product)?.to_i128(), Some(-3 * i128::from(u64::MAX)));
//! # Ok(())
//! # }
//! ```

mod choice;
mod codec;
mod encode;
mod encrypt;
mod factor;
mod integer;
mod limbs;
mod mul;
mod mul_plain;
mod params;
#[cfg(test)]
mod tests;
mod vector;

use crate::Error;
use crate::rlwe::mod_switch::common_level;
use crate::rlwe::{self, Both, Encoding, Level, Levels, Rest, Scheme, sealed::Sealed};

pub use choice::{Choice, Form};
pub use encode::{Multiplicand, Plaintext};
pub use factor::Factor;
pub use integer::Integer;
pub use params::{Preset, Product, Spec, Tables};
pub use rlwe::Rotations;
pub use vector::{
    Circuit, Element, Encryption, Relinearization, Residues, Vector, VectorEvaluator, VectorKeys,
    VectorParams, VectorPublicKey, VectorSecretKey, VectorSpec, VectorTables,
};

/// Exact integers modulo `2^N + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {}

impl Sealed for Exact {}

impl Encoding for Exact {
    type Meta = Factor;
    type Tables = Tables;

    const NAME: &'static str = "int";
    const LEVELS: Levels = Levels::Automatic;
}

impl Scheme for Exact {
    fn fresh_meta(params: &Params, level: Level) -> Factor {
        params.fresh_factor(level)
    }

    fn message_bound(params: &Params) -> Rest {
        encode::digits_bound(params.widest_bits())
    }

    fn multiplied(_: &Params, left: Factor, right: Factor) -> Factor {
        left.times(right)
    }

    fn switched(_: &Params, factor: Factor, from: Level, to: Level) -> Factor {
        (to.limbs().get()..from.limbs().get()).fold(factor, Factor::divided_by_prime)
    }

    fn aligned<'a>(
        evaluator: &Evaluator,
        a: &'a Ciphertext,
        b: &'a Ciphertext,
    ) -> Result<Both<'a, Exact>, Error> {
        let level = common_level(a, b)?;
        let both = (evaluator.switched(a, level), evaluator.switched(b, level));
        if both.0.meta == both.1.meta {
            return Ok(both);
        }
        Err(Error::FactorMismatch)
    }

    fn sum_of_products(
        evaluator: &Evaluator,
        operation: &'static str,
        pairs: &[(&Ciphertext, &Ciphertext)],
    ) -> Result<Ciphertext, Error> {
        match evaluator.params().product() {
            Product::Tensor => evaluator.sum_of_tensors(operation, pairs),
            Product::ScaleInvariant => evaluator.sum_of_scaled(operation, pairs),
        }
    }
}

/// Checked parameters.
pub type Params = rlwe::Params<Exact>;
/// The encryption of one integer.
pub type Ciphertext = rlwe::Ciphertext<Exact>;
/// The secret key.
pub type SecretKey = rlwe::SecretKey<Exact>;
/// The public key.
pub type PublicKey = rlwe::PublicKey<Exact>;
/// The public keys of an evaluator.
pub type EvaluationKeys = rlwe::EvaluationKeys<Exact>;
/// Computes on encrypted integers.
pub type Evaluator = rlwe::Evaluator<Exact>;
