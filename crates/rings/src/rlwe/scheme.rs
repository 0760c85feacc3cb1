//! The interface that all ring schemes share.

use super::{
    Ciphertext, Evaluator, Level, Mechanics, MetaCodec, Params, PublicKey, SecretKey,
    sealed::Sealed,
};
use crate::Error;
use fathom_ring::{Eval, Limbs, Poly, SecretRng};
use std::fmt::Debug;

/// A scheme with its messages: what a program needs that is written once for several schemes.
///
/// | scheme | [`Value`](Self::Value) | a message |
/// |---|---|---|
/// | BFV, BGV | `i64`, from `-(t-1)/2` to `(t-1)/2` | up to `N` values, one in each slot |
/// | CKKS | `f64` | up to `N/2` values, one in each slot |
/// | wide integers | [`Integer`](crate::wide::Integer) | one value |
///
/// `Params::encode` of a scheme and the accessors of its plaintexts know more encodings, such as
/// coefficients or complex numbers.
///
/// ```
/// # use fathom_rings as fathom;
/// use fathom::prelude::*;
/// use fathom::rlwe::{Ciphertext, Evaluator, Params, Scheme, SecretKey};
///
/// /// Encrypts 1, 2, 3 and returns what twice that plus one is.
/// fn odd<S: Scheme>(params: &Params<S>) -> Result<Vec<S::Value>, Error> {
///     let mut rng = SecretRng::from_os()?;
///     let secret = SecretKey::generate(params, &mut rng);
///     let values: Vec<S::Value> = [1, 2, 3].map(Into::into).to_vec();
///     let x = secret.encrypt(&S::encode(params, &values)?, &mut rng)?;
///     let server = Evaluator::without_keys(params);
///     let [one, two] = [1, 2].map(S::Value::from);
///     let result = server.add_scalar(&server.mul_scalar(&x, two)?, one)?;
///     S::decode(&secret.decrypt(&result)?)
/// }
///
/// # fn main() -> Result<(), Error> {
/// assert_eq!(odd(&bfv::Params::preset(Preset::E1)?)?[..3], [3, 5, 7]);
/// let spec = ckks::Spec { magnitude: 4.0, ..ckks::Preset::E3.spec() };
/// let reals = odd(&ckks::Params::new(spec)?)?;
/// assert!(reals.iter().zip([3.0, 5.0, 7.0]).all(|(got, expected)| (got - expected).abs() < 1e-3));
/// # Ok(())
/// # }
/// ```
pub trait Scheme: Mechanics + MetaCodec {
    /// A value of a message.
    type Value: Clone + Debug + PartialEq + From<i32> + Send + Sync;
    /// A number that is added to every value of a message, or multiplies it.
    type Scalar: From<Self::Value>;
    /// A message.
    type Plaintext: Summand<Self> + Clone + Debug + Send + Sync;
    /// A message prepared to multiply ciphertexts.
    type Factor: Clone + Debug + Send + Sync;

    /// Encodes values; missing ones are zero.
    ///
    /// # Errors
    /// Those of `Params::encode` of the scheme; [`Error::TooManyValues`].
    fn encode(params: &Params<Self>, values: &[Self::Value]) -> Result<Self::Plaintext, Error>;

    /// Decodes all values of a message.
    ///
    /// # Errors
    /// [`Error::NoSlots`].
    fn decode(message: &Self::Plaintext) -> Result<Vec<Self::Value>, Error>;

    /// Prepares a message, which is public, to multiply ciphertexts of `level`; in exact schemes,
    /// those of any level.
    ///
    /// # Errors
    /// [`Error::NoSuchLevel`], [`Error::NoiseExhausted`].
    fn to_factor(message: &Self::Plaintext, level: impl Into<Level>)
    -> Result<Self::Factor, Error>;

    /// See [`SecretKey::encrypt_at`].
    #[doc(hidden)]
    fn encrypt_sk(
        secret: &SecretKey<Self>,
        message: &Self::Plaintext,
        level: Level,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<Self>, Error>;

    /// See [`PublicKey::encrypt`].
    #[doc(hidden)]
    fn encrypt_pk(
        public: &PublicKey<Self>,
        message: &Self::Plaintext,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<Self>, Error>;

    /// See [`SecretKey::decrypt`].
    #[doc(hidden)]
    fn decrypt(
        secret: &SecretKey<Self>,
        ciphertext: &Ciphertext<Self>,
    ) -> Result<Self::Plaintext, Error>;

    /// See [`Evaluator::mul_plain`].
    #[doc(hidden)]
    fn times_factor(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
        factor: &Self::Factor,
    ) -> Result<Ciphertext<Self>, Error>;

    /// See [`Evaluator::mul_scalar`].
    #[doc(hidden)]
    fn times_scalar(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
        scalar: Self::Scalar,
    ) -> Result<Ciphertext<Self>, Error>;

    /// See [`Evaluator::add_scalar`].
    #[doc(hidden)]
    fn plus_scalar(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
        scalar: Self::Scalar,
        sign: Sign,
    ) -> Result<Ciphertext<Self>, Error>;
}

/// A sum or a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The operand is added.
    Plus,
    /// The operand is subtracted.
    Minus,
}

impl Sign {
    /// Returns the name of the operation on a plaintext.
    pub(crate) fn of_plain(self) -> &'static str {
        match self {
            Sign::Plus => "add_plain",
            Sign::Minus => "sub_plain",
        }
    }

    /// Returns the sum or the difference over these limbs.
    pub(crate) fn combined(self, a: &Poly<Eval>, b: &Poly<Eval>, limbs: Limbs) -> Poly<Eval> {
        match self {
            Sign::Plus => Poly::sum(a, b, limbs),
            Sign::Minus => Poly::difference(a, b, limbs),
        }
    }

    /// Returns the name of the operation on a number.
    pub(crate) fn of_scalar(self) -> &'static str {
        match self {
            Sign::Plus => "add_scalar",
            Sign::Minus => "sub_scalar",
        }
    }
}

/// An operand of [`Evaluator::add_plain`]: a plaintext, or in CKKS also an
/// [`Addend`](crate::ckks::Addend), which was prepared once for all ciphertexts of its level.
pub trait Summand<S: Scheme>: Sealed {
    /// Adds the operand to a ciphertext, or subtracts it.
    #[doc(hidden)]
    fn added(
        &self,
        evaluator: &Evaluator<S>,
        a: &Ciphertext<S>,
        sign: Sign,
    ) -> Result<Ciphertext<S>, Error>;
}

impl<S: Scheme> SecretKey<S> {
    /// Encrypts at the top level. The result is seeded: its wire form holds one polynomial instead
    /// of two.
    ///
    /// Error of each coefficient: of standard deviation 3.19, in BFV and BGV times `t`. CKKS also
    /// rounds coefficients at random, so that the bound on the error holds for every message and
    /// reveals nothing about it: 3.23 in all.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::NoiseExhausted`] if the parameters have no noise budget
    /// for it, or in CKKS if the magnitude is too large for the modulus.
    pub fn encrypt(
        &self,
        plaintext: &S::Plaintext,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<S>, Error> {
        self.encrypt_at(plaintext, self.params.top_level(), rng)
    }

    /// Encrypts at a lower level, where ciphertexts are smaller.
    ///
    /// # Errors
    /// As [`SecretKey::encrypt`]; [`Error::NoSuchLevel`].
    pub fn encrypt_at(
        &self,
        plaintext: &S::Plaintext,
        level: impl Into<Level>,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<S>, Error> {
        let level = level.into();
        self.params.check_level(level)?;
        S::encrypt_sk(self, plaintext, level, rng)?.checked("encrypt", &[])
    }

    /// Decrypts. Reads only as many residues as the public noise bound makes necessary.
    ///
    /// A result of CKKS holds the noise of the ciphertext in its last bits. Whoever shares it with
    /// others floods it first: see [`decrypt_flooded`](SecretKey::decrypt_flooded).
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`]; [`Error::NoiseExhausted`] if the noise
    /// bound is past the limit, as only a ciphertext from outside can be. In CKKS,
    /// [`Error::PrecisionExhausted`] if the bound on the error is not below the bound on the
    /// message, and [`DomainError::BrokenPromise`](crate::ckks::DomainError::BrokenPromise) if a
    /// slot exceeds a bound that relies on a promise. Of wide integers,
    /// [`WideError::BeyondBound`](crate::wide::WideError::BeyondBound) for an integer that is wider
    /// than the ciphertext claims.
    pub fn decrypt(&self, ciphertext: &Ciphertext<S>) -> Result<S::Plaintext, Error> {
        self.check_key(ciphertext)?;
        S::decrypt(self, ciphertext)
    }
}

impl<S: Scheme> PublicKey<S> {
    /// Encrypts at the top level: modulo all primes, then divided by the special ones, which leaves
    /// only the noise of rounding. Without special primes the noise is that of the public key.
    ///
    /// Transforms at `l` limbs with `K` special primes: `3 (l + K)`.
    ///
    /// # Errors
    /// As [`SecretKey::encrypt`]: parameters that are planned for the secret key may have no budget
    /// for the noise of the public key.
    pub fn encrypt(
        &self,
        plaintext: &S::Plaintext,
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<S>, Error> {
        S::encrypt_pk(self, plaintext, rng)?.checked("encrypt", &[])
    }
}
